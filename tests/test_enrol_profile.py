"""Profiles on disk: what they say, what is refused, and that nothing in them can run code."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from enrol_support import DEVICE, device, fixed_pictures, forty, italian, slot

from vision.deck import open_deck
from vision.enrol import enrol, missing
from vision.enrol_pictures import EnrolRefused, find_labelled, symbol_of
from vision.exchange import exchange
from vision.geometry import Geometry
from vision.profile import ProfileError, geometry_hash, load_cache, load_profile, load_samples, save_profile


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profiles") / "house"
    done = enrol(fixed_pictures(italian, forty(), 3), device(), "house")
    save_profile(folder, done.profile, done.samples, done.cache)
    return folder


@pytest.fixture
def copy(house: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(house, tmp_path / "copy"))


def refused(folder: Path, geometry: Geometry) -> str:
    with pytest.raises(ProfileError) as caught:
        open_deck(folder, geometry)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def test_the_file_says_what_it_must(house: Path) -> None:
    table = tomllib.loads((house / "profile.toml").read_text())
    assert (table["format"], table["name"], table["geometry_hash"]) == (1, "house", geometry_hash(device()))
    assert {"date", "reader", "px_per_mm", "light", "geometry"} <= set(table)
    assert 0 < table["light"]["light"] < 255
    assert len(list((house / "crops").glob("*.png"))) == table["crops"] == 120
    assert cv2.imread(str(house / "crops" / "As_1_1.png")).shape == (128, 128, 3)


def test_another_geometry_or_a_newer_format_is_refused(copy: Path) -> None:
    assert "another camera geometry" in refused(copy, replace(device(), rotation=90))
    assert "another camera geometry" in refused(copy, slot())
    text = (copy / "profile.toml").read_text()
    (copy / "profile.toml").write_text(text.replace("format = 1", "format = 2"))
    assert "newer" in refused(copy, device())


def test_the_frame_rate_and_the_barcode_leave_a_profile_as_it_is(copy: Path) -> None:
    assert load_profile(copy, replace(device(), fps=30.0, barcode_width_mm=20.0)).name == "house"


@pytest.mark.parametrize("text", ["", "format = 1", "format = true", "format = [", "\0"])
def test_a_broken_file_is_one_line(copy: Path, text: str) -> None:
    (copy / "profile.toml").write_text(text)
    assert str(copy) in refused(copy, device())


def test_missing_and_foreign_pictures_are_refused(copy: Path) -> None:
    (copy / "cache.npz").unlink()
    (copy / "crops" / "As_1_1.png").rename(copy / "crops" / "Zz_1_1.png")
    assert "Zz_1_1.png" in refused(copy, device())
    (copy / "crops" / "Zz_1_1.png").unlink()
    assert "119 pictures, 120 were enrolled" in refused(copy, device())
    cv2.imwrite(str(copy / "crops" / "As_1_1.png"), np.zeros((64, 64, 3), np.uint8))
    assert "no picture of 128x128" in refused(copy, device())
    (copy / "crops" / "As_1_1.png").write_bytes(b"no picture")
    assert "no picture of 128x128" in refused(copy, device())


def test_a_pickle_in_the_cache_is_never_opened(copy: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple:
            return Path.touch, (copy / "exploded",)

    with (copy / "cache.npz").open("wb") as file:
        np.savez(file, key=np.array([Bomb()], dtype=object))
    assert load_cache(copy) is None
    (copy / "cache.npz").write_bytes(pickle.dumps(Bomb()))
    assert load_cache(copy) is None
    assert not (copy / "exploded").exists()


def test_a_profile_is_replaced_whole_and_nothing_else_is(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    deck = open_deck(copy, device())
    with pytest.raises(ProfileError, match="something else"):
        save_profile(tmp_path / "mine", deck.profile, [], {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "mine"]


def test_pictures_that_were_changed_or_cut_short_are_refused(copy: Path) -> None:
    first, second = sorted((copy / "crops").glob("*s_*.png"))[:2]
    whole = first.read_bytes()
    first.write_bytes(second.read_bytes())
    assert "not the pictures that were enrolled" in refused(copy, device())
    first.write_bytes(whole[:-2000])
    assert str(copy / "crops") in refused(copy, device())


SAVE = """
import resource, sys
from pathlib import Path
from vision.deck import open_deck
from vision.geometry import load_geometry
from vision.profile import load_samples, save_profile

folder, camera, most = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
deck = open_deck(folder, load_geometry(camera))
samples = load_samples(folder, deck.profile)
if most:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
print("ready", flush=True)
while True:
    save_profile(folder, deck.profile, samples, {})
    if most:
        break
"""


def test_one_killed_while_writing_leaves_a_whole_profile(copy: Path) -> None:
    command = [sys.executable, "-c", SAVE, str(copy), str(DEVICE), "0"]
    before = (copy / "profile.toml").stat().st_ino
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writing:
        assert writing.stdout is not None
        assert writing.stdout.readline() == b"ready\n"
        while (copy / "profile.toml").stat().st_ino == before:  # it is replaced once, and then killed in the next
            assert writing.poll() is None
        writing.kill()
    assert len(load_samples(copy, load_profile(copy, device()))) == 120


def test_a_disk_that_is_full_leaves_the_old_profile_and_nothing_else(copy: Path) -> None:
    before = sorted(copy.rglob("*"))
    command = [sys.executable, "-c", SAVE, str(copy), str(DEVICE), "2000"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"File too large" in done.stderr
    assert sorted(copy.rglob("*")) == before
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


def test_two_folders_change_places(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    assert exchange(tmp_path / "a", tmp_path / "b")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]
    assert not exchange(tmp_path / "a", tmp_path / "none")
    assert (tmp_path / "a" / "b").exists()


def test_what_is_missing_of_52_or_of_40() -> None:
    assert missing(forty()) == []
    assert missing([*forty(), "8h"]) == ["8s", "8d", "8c", "9s", "9h", "9d", "9c", "Ts", "Th", "Td", "Tc"]
    assert missing(set(forty()) - {"Kd"}) == ["Kd"]


@pytest.mark.parametrize(
    ("label", "symbol"),
    [
        ("As", "As"),
        ("As_3", "As"),
        ("10h-2", "Th"),
        ("th_1", "Th"),
        ("QS", "Qs"),
        ("back", "back"),
        ("Joker_1", "joker"),
        ("empty", "empty"),
        ("1s", None),
        ("Asx", None),
        ("", None),
        ("queen", None),
        ("11h", None),
    ],
)
def test_labels(label: str, symbol: str | None) -> None:
    assert symbol_of(label) == symbol


def test_folders_and_files_are_found_by_their_labels(tmp_path: Path) -> None:
    for name in ("As/2.png", "As/10.png", "Kh_1.png", "back/x.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = [(one.path.relative_to(tmp_path).as_posix(), one.symbol) for one in find_labelled(tmp_path)]
    assert found == [("As/2.png", "As"), ("As/10.png", "As"), ("Kh_1.png", "Kh"), ("back/x.png", "back")]
    (tmp_path / "noise.png").touch()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.png").touch()
    with pytest.raises(EnrolRefused) as caught:
        find_labelled(tmp_path)
    assert len(caught.value.lines) == 2


def test_a_picture_under_another_cards_name_is_refused() -> None:
    pictures = fixed_pictures(italian, forty(), 3)
    wrong = [(n, "4s" if n == "6h_2.png" else s, image) for n, s, image in pictures]
    with pytest.raises(EnrolRefused) as caught:
        enrol(wrong, device(), "wrong")
    assert any(line.startswith("6h_2.png: 4s was ") and "6h" in line for line in caught.value.lines)


def test_two_symbols_with_one_picture_are_refused() -> None:
    pictures = fixed_pictures(italian, forty(), 2)
    copied = [
        (n, s, next(i for m, t, i in pictures if t == "4s" and m[-5] == n[-5])) if s == "6s" else (n, s, image)
        for n, s, image in pictures
    ]
    with pytest.raises(EnrolRefused) as caught:
        enrol(copied, device(), "copied")
    assert caught.value.lines[0] == "4s and 6s: too alike to be told apart"
