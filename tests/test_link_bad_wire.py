"""Both pure ends joined by a wire that flips, drops, delays, repeats and cuts, on a simulated clock: the newest
picture is shown in the end, and nothing is ever shown that was not sent."""

from __future__ import annotations

import pytest
from link_support import Bench, Faults, picture_number, screen_of

from firmware_bridge.device import protocol as device
from firmware_bridge.picture import Picture

EACH = {
    "flip": Faults(flip=0.001),
    "drop": Faults(drop=0.002),
    "delay": Faults(delay=0.05),
    "repeat": Faults(repeat=0.1),
    "cut": Faults(cut=0.003),
    "all": Faults(flip=0.001, drop=0.002, delay=0.03, repeat=0.05, cut=0.002),
}
CHANGES = 1500
BURST = 10  # pictures between two rests, in which the panel must catch up
RECOVERY_S = 30.0
OWN_SCREENS = {device.IDLE, device.NO_LINK}


@pytest.mark.parametrize("name", EACH)
def test_the_last_picture_is_finally_shown_and_no_other_ever(name: str):
    bench = Bench(EACH[name], seed=11)
    bench.open()
    allowed = set(OWN_SCREENS)
    for number in range(CHANGES):
        picture = picture_number(number)
        allowed.add(screen_of(picture))
        sent = bench.show(picture)
        if number % BURST == BURST - 1:
            bench.run_until(lambda picture=picture: bench.shows(picture) and bench.link.settled, RECOVERY_S)
            assert bench.shows(picture), f"not shown {RECOVERY_S} s after it was sent"
            assert bench.acked[-1] == sent
        else:
            bench.run(bench.chance.uniform(0.0, 0.6))
    assert {screen for _, screen in bench.screens} <= allowed
    assert len(bench.screens) > CHANGES // 2


@pytest.mark.parametrize("faults", [Faults(flip=0.001, drop=0.002, delay=0.05), Faults(repeat=0.5)])
def test_pictures_go_forward_only(faults: Faults):
    bench = Bench(faults, seed=5)
    bench.open()
    pictures = [picture_number(number) for number in range(400)]
    for picture in pictures:
        bench.show(picture)
        bench.run(bench.chance.uniform(0.0, 0.4))
    order = {screen_of(picture): number for number, picture in enumerate(pictures)}
    shown = [order[screen] for _, screen in bench.screens if screen not in OWN_SCREENS]
    assert shown == sorted(shown)


def test_a_clean_wire_costs_one_frame_and_one_answer_a_picture():
    bench = Bench(Faults(), seed=1)
    bench.open()
    bench.run(0.1)
    before = bench.sent_bytes
    picture = Picture(("36", "32"), "Rouge gagne, Couleur perd")
    bench.show(picture)
    took = bench.run_until(lambda: bench.link.settled, 1.0)
    assert bench.shows(picture)
    assert bench.sent_bytes - before == 51
    assert took == pytest.approx((51 + 14) * 10 / 115200, abs=1e-6)


def test_nothing_is_repeated_while_all_is_well():
    bench = Bench(Faults(), seed=1)
    bench.open()
    bench.show(picture_number(1))
    bench.run(60.0)
    assert bench.acked == [1]
    assert bench.states == ["up"]
    assert len(bench.screens) == 2  # idle, then the picture


def test_only_the_newest_of_a_crowd_waits_for_a_slow_line():
    bench = Bench(Faults(), seed=1, baud=1200)
    bench.open()
    bench.run(2.0)
    for number in range(100):
        bench.show(picture_number(number))
    bench.run(3.0)
    assert bench.shows(picture_number(99))
    assert len(bench.screens) == 3  # idle, the first, the last


def test_a_panel_that_restarts_gets_the_picture_again_by_itself():
    bench = Bench(Faults(), seed=3)
    bench.open()
    bench.show(picture_number(5))
    bench.run(1.0)
    bench.restart_panel()
    bench.run(1.0)
    assert bench.shows(picture_number(5))
    assert bench.acked == [1, 1]


def test_a_silent_host_is_no_link_and_its_return_the_picture():
    bench = Bench(Faults(), seed=3)
    bench.open()
    bench.show(picture_number(5))
    bench.run(1.0)
    bench.link.closed(bench.now, "unplugged")
    silent_since = bench.now
    bench.run_until(lambda: bench.panel.screen == device.NO_LINK, 10.0)
    assert 1.4 <= bench.now - silent_since <= 2.1  # 2 s from the last heartbeat
    bench.open()
    bench.run(0.5)
    assert bench.shows(picture_number(5))


def test_a_host_that_starts_anew_is_obeyed_whatever_its_numbers():
    bench = Bench(Faults(), seed=3)
    bench.open()
    for number in range(40):
        bench.show(picture_number(number))
        bench.run(0.1)
    successor = Bench(Faults(), seed=4)
    successor.panel = bench.panel
    successor.now = bench.now
    successor.open()
    successor.show(picture_number(77))
    successor.run(0.5)
    assert successor.shows(picture_number(77))


def test_sequence_numbers_wrap():
    bench = Bench(Faults(), seed=3)
    bench.open()
    bench._number = 65_530
    for number in range(20):
        bench.show(picture_number(number))
        bench.run(0.1)
        assert bench.shows(picture_number(number))
    assert bench.acked[-1] == 65_550
