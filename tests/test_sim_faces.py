"""The project's own card faces: distinct, where they say they are, in their inks; a user's faces from a folder."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from hw_sim.decks import CARDS, STYLES, SYMBOLS, corner_mask, draw_face, face_size
from hw_sim.faces import DeckUnusable, DrawnFaces, FolderFaces, symbol_of

SCALE = 4.0


@pytest.fixture(scope="module")
def decks() -> dict[str, dict[str, np.ndarray]]:
    return {name: {s: draw_face(style, s, SCALE) for s in SYMBOLS} for name, style in STYLES.items()}


def index_of(face: np.ndarray, name: str) -> np.ndarray:
    """The corner that holds the whole index of this design."""
    style = STYLES[name]
    height = style.index_y + style.rank_height + style.suit_gap + style.suit_height + 2
    width = 2 * style.index_x + 1
    return face[: int(height * SCALE), : int(width * SCALE)].astype(int)


@pytest.mark.parametrize("name", STYLES)
def test_every_symbol_fills_a_card(decks: dict[str, dict[str, np.ndarray]], name: str) -> None:
    for face in decks[name].values():
        assert face.shape == (face_size(SCALE)[1], face_size(SCALE)[0], 3)
        assert face.dtype == np.uint8


@pytest.mark.parametrize("name", STYLES)
def test_no_two_indices_of_a_deck_look_alike(decks: dict[str, dict[str, np.ndarray]], name: str) -> None:
    corners = {card: index_of(decks[name][card], name) for card in CARDS}
    for one, other in combinations(CARDS, 2):
        differing = (np.abs(corners[one] - corners[other]).max(axis=2) > 60).sum()
        assert differing > 12, f"{name}: {one} and {other}"


def test_designs_differ(decks: dict[str, dict[str, np.ndarray]]) -> None:
    for one, other in combinations(STYLES, 2):
        for card in ("As", "7h", "Td", "Kc"):
            differing = (np.abs(decks[one][card].astype(int) - decks[other][card]).max(axis=2) > 60).mean()
            assert differing > 0.005, f"{one} and {other}: {card}"


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("card", ["8h", "Td", "Qs", "Ac"])
def test_index_has_the_ink_of_its_suit_and_keeps_off_the_edge(
    decks: dict[str, dict[str, np.ndarray]], name: str, card: str
) -> None:
    corner = index_of(decks[name][card], name)
    paper = np.array(STYLES[name].paper)
    ink = np.abs(corner - paper).max(axis=2) > 90
    if STYLES[name].frame != "all":
        assert not ink[:, : int(SCALE)].any()
        assert not ink[: int(SCALE)].any()
    blue, _, red = corner[ink].mean(axis=0)
    assert red - blue > 60 if card[1] in "hd" else abs(red - blue) < 30


@pytest.mark.parametrize("name", STYLES)
def test_index_stands_on_its_head_in_the_opposite_corner(decks: dict[str, dict[str, np.ndarray]], name: str) -> None:
    face = decks[name]["9c"]
    turned = index_of(face[::-1, ::-1], name)
    assert (np.abs(index_of(face, name) - turned).max(axis=2) > 90).mean() < 0.02


def test_back_cut_and_joker_bear_no_index(decks: dict[str, dict[str, np.ndarray]]) -> None:
    for name in STYLES:
        faces = decks[name]
        assert faces["cut"].reshape(-1, 3).std(axis=0).max() == 0
        assert faces["cut"][0, 0].std() > 20
        assert (np.abs(faces["back"].astype(int) - STYLES[name].paper).max(axis=2) > 60).mean() > 0.3


def test_unknown_symbol_is_an_error() -> None:
    with pytest.raises(KeyError):
        draw_face(STYLES["classic"], "1x", SCALE)


def test_corners_are_round() -> None:
    mask = corner_mask(8.0)
    assert mask.shape == (711, 508)
    assert mask[0, 0] == 0
    assert mask[355, 0] == mask[0, 254] == mask[400, 300] == 255


@pytest.mark.parametrize(
    ("name", "symbol"),
    [("As", "As"), ("10H", "Th"), ("th", "Th"), ("qD", "Qd"), ("BACK", "back"), ("1h", None), ("IMG", None)],
)
def test_pictures_are_named_by_symbol(name: str, symbol: str | None) -> None:
    assert symbol_of(name) == symbol


def deck_folder(folder: Path, leave_out: tuple[str, ...] = ()) -> Path:
    faces = DrawnFaces(STYLES["slab"])
    for card in CARDS:
        if card not in leave_out:
            name = card.replace("T", "10").upper()
            cv2.imwrite(str(folder / f"{name}.png"), faces.face(card, 3.0))
    return folder


def test_folder_gives_faces_at_the_asked_scale(tmp_path: Path) -> None:
    faces = FolderFaces(deck_folder(tmp_path), STYLES["classic"])
    face = faces.face("Th", 8.0)
    assert face.shape == (711, 508, 3)
    drawn = DrawnFaces(STYLES["slab"]).face("Th", 8.0)
    assert np.abs(face.astype(int) - drawn).mean() < 4
    assert np.array_equal(faces.face("cut", 8.0), DrawnFaces(STYLES["classic"]).face("cut", 8.0))


def test_all_missing_cards_are_named_in_one_error(tmp_path: Path) -> None:
    with pytest.raises(DeckUnusable, match=r"no picture of Qs, Th \(wanted") as raised:
        FolderFaces(deck_folder(tmp_path, ("Th", "Qs")), STYLES["classic"])
    assert str(tmp_path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_zecchinetta_asks_for_its_forty_only(tmp_path: Path) -> None:
    from hw_sim.mechanism import deck_of

    FolderFaces(deck_folder(tmp_path, ("8s", "9s", "Ts")), STYLES["classic"], deck_of("zecchinetta"))


def test_a_card_twice_is_an_error(tmp_path: Path) -> None:
    deck_folder(tmp_path)
    cv2.imwrite(str(tmp_path / "as.jpg"), DrawnFaces(STYLES["slab"]).face("As", 3.0))
    with pytest.raises(DeckUnusable, match=r"AS\.png and as\.jpg are both As"):
        FolderFaces(tmp_path, STYLES["classic"])


def test_a_text_file_named_png_is_an_error(tmp_path: Path) -> None:
    (deck_folder(tmp_path) / "KH.png").write_text("no picture")
    with pytest.raises(DeckUnusable, match=r"KH\.png: is no readable picture"):
        FolderFaces(tmp_path, STYLES["classic"])


def test_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DeckUnusable, match="nowhere: No such file"):
        FolderFaces(tmp_path / "nowhere", STYLES["classic"])
