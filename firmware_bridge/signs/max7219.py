"""Dot modules with MAX7219 on the Raspberry Pi's own SPI, through luma.led_matrix (imported here alone, and only
where such a sign is configured). A thread of its own draws; the chips cannot be asked, so they are set up anew
every few seconds (some lose their settings to interference: rm-hull/luma.led_matrix#108, #150)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from firmware_bridge.events import Event, LinkChanged, LinkState
from firmware_bridge.signs.sign import SignPicture, line

log = logging.getLogger(__name__)
STOP_S = 1.0


class Max7219Driver:
    """Shows line `number` on a chain of `modules` 8 by 8 modules. `make_bus` opens luma's serial interface, by
    default the Pi's SPI port 0, device 0; `orientation` of the modules in degrees; `contrast` 0..255."""

    def __init__(
        self,
        modules: int,
        on_event: Callable[[Event], None],
        *,
        number: int = 0,
        orientation: int = -90,
        contrast: int = 0x70,
        refresh_s: float = 5.0,
        make_bus: Callable[[], Any] | None = None,
    ) -> None:
        self._modules = modules
        self._on_event = on_event
        self._number = number
        self._orientation = orientation
        self._contrast = contrast
        self._refresh_s = refresh_s
        self._make_bus = make_bus or _pi_bus
        self._picture = SignPicture()
        self._wake = threading.Event()
        self._told = threading.Event()
        self._stopping = False
        self._state: tuple[LinkState, str] | None = None
        self._thread = threading.Thread(target=self._run, name="max7219", daemon=True)

    def start(self) -> None:
        """Begin. A bus that is not there is an event, not an error."""
        self._thread.start()

    def show(self, picture: SignPicture) -> None:
        """Show `picture` from now on (any thread; the newest wins)."""
        self._told.clear()
        self._picture = picture
        self._wake.set()

    def wait_shown(self, timeout: float) -> bool:
        """Whether the newest picture has been shifted out within `timeout` seconds."""
        return self._told.wait(timeout)

    def stop(self) -> None:
        """End, within a second; the sign keeps what it shows."""
        self._stopping = True
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_S)

    def _run(self) -> None:
        while not self._stopping:
            try:
                self._serve(self._make_bus())
            except Exception as error:  # the top of this thread: spidev and luma raise what they like
                log.warning("MAX7219: the sign is lost and tried again", exc_info=True)
                self._report(LinkState.NO_PORT, f"SPI: {error}")
                self._wait()

    def _serve(self, bus: Any) -> None:
        try:
            device = self._device(bus)
            while not self._stopping:
                self._draw(device)
                self._report(LinkState.UP, "open (this sign does not answer)")
                self._wait()
        finally:
            bus.cleanup()

    def _device(self, bus: Any) -> Any:
        from luma.led_matrix.device import max7219

        device = max7219(bus, cascaded=self._modules, block_orientation=self._orientation, contrast=self._contrast)
        device.cleanup = lambda: None  # the bus is ours, and the sign keeps what it shows
        return device

    def _draw(self, device: Any) -> None:
        from luma.core.legacy import text
        from luma.core.legacy.font import CP437_FONT, proportional
        from luma.core.render import canvas
        from luma.led_matrix.const import max7219 as registers

        for register, value in ((registers.SCANLIMIT, 7), (registers.DECODEMODE, 0), (registers.DISPLAYTEST, 0)):
            device.data([register, value] * self._modules)
        device.contrast(self._contrast)
        device.show()
        picture = self._picture
        with canvas(device) as draw:
            text(draw, (0, 0), line(picture, self._number), fill="white", font=proportional(CP437_FONT))
        if picture is self._picture:
            self._told.set()

    def _wait(self) -> None:
        self._wake.wait(self._refresh_s)
        self._wake.clear()

    def _report(self, state: LinkState, detail: str) -> None:
        if (state, detail) != self._state:
            self._state = (state, detail)
            self._on_event(LinkChanged(state, detail))


def _pi_bus() -> Any:
    from luma.core.interface.serial import noop, spi

    return spi(port=0, device=0, gpio=noop())
