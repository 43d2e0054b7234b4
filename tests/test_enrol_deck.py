"""A deck by enrolment: read near perfectly, refusing what was not enrolled, on the project's own drawn decks."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from enrol_support import (
    device,
    fixed_picture,
    fixed_pictures,
    forty,
    french,
    italian,
    slot,
    slot_picture,
    slot_pictures,
)

from vision.answer import Answer, abstain
from vision.deck import Deck, open_deck
from vision.deck_reader import CONTRADICTED, Verdict, beside_networks
from vision.deck_views import cards_in
from vision.drift import DriftWatch
from vision.enrol import FACES, enrol
from vision.geometry import Geometry
from vision.profile import save_profile
from vision.still import read_still

FOLDERS: dict[str, Path] = {}


def made(folder: Path, pictures: list, geometry: Geometry) -> Deck:
    FOLDERS[folder.name] = folder
    done = enrol(pictures, geometry, folder.name)
    save_profile(folder, done.profile, done.samples, done.cache)
    return open_deck(folder, geometry)


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """The drawn Italian deck before the small fixed camera, with an empty tray."""
    pictures = fixed_pictures(italian, forty(), 3)
    pictures += [(f"empty_{k}", "empty", fixed_picture(np.full((711, 508, 3), 200, np.uint8), k)) for k in range(3)]
    return made(tmp_path_factory.mktemp("decks") / "tray", pictures, device())


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """A deck with usual letters in the slot, one picture a card; its back, cut card and joker."""
    pictures = slot_pictures(french(), FACES, 1) + slot_pictures(french(), ("back", "cut", "joker"), 2)
    return made(tmp_path_factory.mktemp("decks") / "house", pictures, slot())


@pytest.fixture(scope="module")
def latin(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """The drawn Italian deck in the slot."""
    return made(tmp_path_factory.mktemp("decks") / "latin", slot_pictures(italian, forty(), 2), slot())


def test_a_fixed_camera_in_any_light_and_either_way_round(fixed: Deck) -> None:
    assert (fixed.profile.view, fixed.profile.letters) == ("picture", "own")
    said = {s: read_still(fixed_picture(italian(s), 9000 + k), device(), fixed) for k, s in enumerate(forty())}
    assert not [(s, r.symbol) for s, r in said.items() if r.symbol not in (s, None)]
    assert sum(r.symbol == s for s, r in said.items()) >= 39
    empty = read_still(fixed_picture(np.full((711, 508, 3), 200, np.uint8), 77), device(), fixed)
    assert (empty.symbol, empty.why) == (None, "no card")


def test_what_was_not_enrolled_is_not_read(fixed: Deck, latin: Deck) -> None:
    other = french("classic", 8.0)
    for k, symbol in enumerate(("As", "7h", "Kd", "2c", "joker", "back")):
        assert read_still(fixed_picture(other(symbol), k), device(), fixed).symbol is None
        assert read_still(slot_picture(other(symbol), k), slot(), latin).symbol is None
    rng = np.random.default_rng(3)
    for level in (0, 90, 255):
        assert read_still(np.full((128, 128, 3), level, np.uint8), device(), fixed).symbol is None
    assert read_still(rng.integers(0, 255, (128, 128, 3), np.uint8), device(), fixed).symbol is None
    mirrored = [np.ascontiguousarray(fixed_picture(italian(s), 5)[:, ::-1]) for s in ("7s", "4s", "As")]
    assert {read_still(m, device(), fixed).symbol for m in mirrored} <= {None}


def test_usual_letters_are_read_beside_the_networks(house: Deck) -> None:
    assert (house.profile.view, house.profile.letters) == ("index", "usual")
    cards = [(s, read_still(slot_picture(french()(s), 500 + k), slot(), house)) for k, s in enumerate(FACES)]
    assert [(s, r.symbol) for s, r in cards if r.symbol != s] == []


def test_back_cut_card_and_joker_are_told_apart(house: Deck) -> None:
    for symbol in ("back", "cut", "joker"):
        assert [read_still(slot_picture(french()(symbol), k), slot(), house).symbol for k in (70, 71)] == [symbol] * 2
    for colour in ((235, 235, 235), (250, 250, 250), (40, 60, 200), (30, 30, 30)):
        plain = np.full((711, 508, 3), colour, np.uint8)
        assert read_still(slot_picture(plain, 5, light=1.0), slot(), house).symbol is None


def test_a_deck_without_letters_is_read_alone(latin: Deck) -> None:
    assert latin.profile.letters == "own"
    cards = [(s, read_still(slot_picture(italian(s), 500 + k), slot(), latin)) for k, s in enumerate(forty())]
    assert not [(s, r.symbol) for s, r in cards if r.symbol not in (s, None)]
    assert sum(r.symbol == s for s, r in cards) >= 39


def test_neither_deck_nor_networks_may_contradict() -> None:
    deck = Verdict(Answer("As", 0.9), ("As", "As"))
    silent = Verdict(abstain("unclear"), ("As", "Ac"))
    assert beside_networks(deck, Answer("As", 0.8)).symbol == "As"
    assert beside_networks(deck, abstain("unclear")).symbol == "As"
    assert beside_networks(deck, Answer("Ac", 0.99)).why == CONTRADICTED
    assert beside_networks(silent, Answer("Ac", 0.9)).symbol == "Ac"
    assert beside_networks(silent, Answer("Kh", 0.99)).why == CONTRADICTED
    assert beside_networks(silent, abstain("unclear")).symbol is None


def test_the_light_that_drifts_is_told(house: Deck) -> None:
    house.drift = DriftWatch(house.profile.light)
    for k in range(20):
        read_still(slot_picture(french()(FACES[k]), 40 + k, light=0.4), slot(), house)
    assert any(note.startswith("the light is 5") and "lower than at enrolment" in note for note in house.drift.notes())


def house_views(deck: Deck) -> list:
    """Some of the views of cards, as the slot's camera sees them now."""
    pictures = [slot_picture(french()(face), 60 + k) for k, face in enumerate(FACES[:16])]
    return [cards_in(picture, slot(), deck.kind)[0][0] for picture in pictures]


def test_a_dirty_window_is_told(house: Deck) -> None:
    house.drift = DriftWatch(house.profile.light)
    veil = np.full((144, 64, 3), 200, np.uint8)
    for sample in house_views(house):
        house.drift.add(cv2.addWeighted(sample, 0.5, veil, 0.5, 0))
    assert any("window is dirty" in note for note in house.drift.notes())


def test_a_cache_is_made_again_and_never_trusted(latin: Deck, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FOLDERS[latin.profile.name], tmp_path / "copy"))
    picture = slot_picture(italian("5d"), 900)
    first = read_still(picture, slot(), open_deck(folder, slot()))
    (folder / "cache.npz").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    again = read_still(picture, slot(), open_deck(folder, slot()))
    assert (first.symbol, again.symbol) == ("5d", "5d")
    assert abs(first.confidence - again.confidence) < 1e-3
    assert os.path.getsize(folder / "cache.npz") > 1000
