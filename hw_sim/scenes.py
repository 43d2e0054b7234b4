"""What the camera looks at: the slot's exit window, or the top of a zecchinetta box. Makes each frame from the stack.

Which frame is due when, and who takes it, is window.py's; how cards look and move is camera.py's and motion.py's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from hw_sim.camera import PX_PER_MM, Camera, Prepared
from hw_sim.faces import Faces
from hw_sim.mechanism import Stack
from hw_sim.motion import Hand, Passage, Pose, behind, draw_card, slide_off, withdraw_card
from hw_sim.outline import Image

_RIDES = (8.0, 45.0)  # mm by which a second card follows the first in a double feed
_BOX_LOOKS = 8  # pictures of one still card, which differ by their noise
_BOX_EMPTY_FRAMES = 24  # the box is seen empty while a new deck is put in


class Scene(Protocol):
    """One of the two; used by one thread."""

    def rest(self, number: int) -> Image:
        """Frame `number` while nothing moves."""

    def start(self, symbol: str, leaves: bool, rider: str | None = None) -> Passage:
        """The card that was just taken from the stack begins to move, in a double feed with a second one under it."""

    def move(self, pose: Pose, lamp_s: float, number: int) -> Image:
        """Frame `number` with that card at `pose`."""


class SlotScene:
    """The dark floor, and one card that crosses it."""

    def __init__(self, stack: Stack, faces: Faces, camera: Camera, hand: Hand, seed: int) -> None:
        self._stack, self._faces, self._camera, self._hand, self._seed = stack, faces, camera, hand, seed
        self._card: Prepared | None = None
        self._rider: Prepared | None = None
        self._offset = 0.0

    def rest(self, number: int) -> Image:
        return self._camera.frame([], 0.0, number)

    def start(self, symbol: str, leaves: bool, rider: str | None = None) -> Passage:
        rng = np.random.default_rng([self._seed, self._stack.shoes, len(self._stack.dealt)])
        self._camera.reseed(rng)
        self._card = self._camera.prepare(self._faces.face(symbol, PX_PER_MM))
        passage = (draw_card if leaves else withdraw_card)(rng, self._hand)
        if rider is None:
            self._rider = None
            return passage
        self._offset = float(rng.uniform(*_RIDES))
        self._rider = self._camera.prepare(self._faces.face(rider, PX_PER_MM))
        return behind(passage, self._offset)

    def move(self, pose: Pose, lamp_s: float, number: int) -> Image:
        assert self._card is not None
        cards = [(self._card, pose)]
        if self._rider is not None:
            cards.insert(0, (self._rider, replace(pose, x=pose.x + self._offset)))
        return self._camera.frame(cards, lamp_s, number)


class BoxScene:
    """The top card lies still; drawn, it slides off to the left and uncovers the next."""

    def __init__(self, stack: Stack, faces: Faces, camera: Camera, seed: int) -> None:
        self._stack, self._faces, self._camera, self._seed = stack, faces, camera, seed
        self._deck = 0
        self._bare = 0  # frames that still show the empty box
        self._key: tuple[int, str] | None = None
        self._top: list[tuple[Prepared, Pose]] = []
        self._sliding: list[tuple[Prepared, Pose]] = []
        self._looks: dict[int, Image] = {}

    def rest(self, number: int) -> Image:
        if self._stack.shoes != self._deck:
            self._deck, self._bare = self._stack.shoes, _BOX_EMPTY_FRAMES
        if self._bare > 0:
            self._bare -= 1
            return self._camera.frame([], 0.0, number)
        self._uncover(len(self._stack.dealt))
        look = number % _BOX_LOOKS
        if look not in self._looks:
            self._looks[look] = self._camera.frame(self._top, look / _BOX_LOOKS, number)
            self._looks[look].flags.writeable = False
        return self._looks[look]

    def start(self, symbol: str, leaves: bool, rider: str | None = None) -> Passage:
        """A card that is drawn leaves the box in any case: it lies open, nobody only shows it."""
        if self._key is None or self._key[1] != symbol:
            self._top = self._laid(symbol, len(self._stack.dealt))
        self._sliding = self._top
        self._uncover(len(self._stack.dealt) + 1 + (rider is not None))  # a second card goes unseen under the first
        rng = np.random.default_rng([self._seed, self._stack.shoes, len(self._stack.dealt), 1])
        return slide_off(rng, self._sliding[0][1])

    def move(self, pose: Pose, lamp_s: float, number: int) -> Image:
        return self._camera.frame([*self._top, (self._sliding[0][0], pose)], lamp_s, number)

    def _uncover(self, drawn: int) -> None:
        """See to it that the card in sight is the one that lies on top after `drawn` cards."""
        symbol = self._stack.top()
        key = None if symbol is None else (drawn, symbol)
        if key != self._key:
            self._key = key
            self._looks.clear()
            self._top = [] if symbol is None else self._laid(symbol, drawn)

    def _laid(self, symbol: str, drawn: int) -> list[tuple[Prepared, Pose]]:
        rng = np.random.default_rng([self._seed, self._stack.shoes, drawn])
        self._camera.reseed(rng)
        place = Pose(7.5 + rng.normal(0, 0.3), 5.0 + rng.normal(0, 0.3), float(np.clip(rng.normal(0, 0.6), -2, 2)), 0.0)
        return [(self._camera.prepare(self._faces.face(symbol, PX_PER_MM)), place)]
