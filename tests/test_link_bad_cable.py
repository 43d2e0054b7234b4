"""The real driver and the real device program with a bad cable between them, in real time: the lights end up right
and never lie."""

from __future__ import annotations

import os
import random
from pathlib import Path

from link_relay import BadRelay
from link_support import LAMPS, Collector, Faults, eventually, picture_number

from firmware_bridge.panel import PanelDriver
from hw_sim.panel import PanelProcess
from hw_sim.panel_eyes import see

FAULTS = Faults(flip=0.001, drop=0.002, delay=0.02, repeat=0.05)
CHANGES = int(os.environ.get("SABOT_PICTURES", "300"))  # 3000 for the long run


def test_the_lights_end_up_right_and_never_lie(tmp_path: Path):
    chance = random.Random(8)
    with (
        PanelProcess(tmp_path / "panel", LAMPS, log=True) as panel,
        BadRelay(tmp_path / "port", panel.link_path, FAULTS, seed=8),
    ):
        events = Collector()
        driver = PanelDriver(str(tmp_path / "port"), 115200, LAMPS, events)
        driver.start()
        for number in range(CHANGES):
            shown = driver.show(picture_number(number))
            if chance.random() < 0.3:
                events.wait_acked(shown, timeout=20)
        events.wait_acked(shown, timeout=20)
        last = picture_number(CHANGES - 1)
        assert eventually(lambda: panel.picture().text == last.text)
        driver.stop()
        seen = [see(line, LAMPS) for line in panel.history()]
    for picture in seen:
        assert picture.agree
        if picture.text.startswith("coup"):
            sent = picture_number(int(picture.text.split()[1]))
            assert (picture.rows, picture.lamps, picture.brightness) == (sent.rows, sent.lamps, sent.brightness)
        else:
            assert picture.text.startswith("program") or picture.text in ("the cards on the table decide", "no link")
    assert sum(picture.text.startswith("coup") for picture in seen) > CHANGES // 10
