"""Camera files: strict, every mistake at once; and frames made upright."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from vision_support import ROOT

from vision.geometry import MOTIONS, Geometry, GeometryError, load_geometry


@pytest.mark.parametrize("path", sorted((ROOT / "config" / "cameras").glob("*.toml")), ids=lambda path: path.stem)
def test_every_camera_that_ships_loads(path: Path) -> None:
    assert load_geometry(path).motion in MOTIONS


def test_every_mistake_is_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / "camera.toml"
    file.write_text(
        'width = "wide"\nheight = 5\nrotation = 45\nmirrored = 1\nlens = "good"\nfps = 0\npx_per_mm = true\n'
    )
    with pytest.raises(GeometryError) as caught:
        load_geometry(file)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{file}: ") for line in lines)
    keys = [line.removeprefix(f"{file}: ").split(":")[0] for line in lines]
    assert sorted(keys) == ["fps", "height", "lens", "mirrored", "motion", "px_per_mm", "rotation", "width"]
    assert "allowed: a number from 1 to 1000" in str(caught.value)


def test_a_file_that_is_none_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(GeometryError, match="No such file"):
        load_geometry(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("motion = [")
    with pytest.raises(GeometryError, match="not TOML"):
        load_geometry(broken)
    broken.write_bytes(b"motion = '\xff'")
    with pytest.raises(GeometryError, match="not TOML"):
        load_geometry(broken)


def test_whole_numbers_are_taken_for_fractions(tmp_path: Path) -> None:
    file = tmp_path / "camera.toml"
    file.write_text('motion = "slot"\npx_per_mm = 4\nfps = 60\n')
    geometry = load_geometry(file)
    assert (geometry.px_per_mm, geometry.fps) == (4.0, 60.0)
    assert isinstance(geometry.px_per_mm, float)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("mirrored", [False, True])
def test_frames_are_made_upright(rotation: int, mirrored: bool) -> None:
    upright = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
    seen = upright[:, ::-1] if mirrored else upright
    seen = np.rot90(seen, rotation // 90)  # against the clock, as a camera that has to be turned back sees it
    geometry = Geometry("slot", width=seen.shape[1], height=seen.shape[0], rotation=rotation, mirrored=mirrored)
    assert geometry.fits(seen)
    assert geometry.upright_size == (8, 6)
    assert np.array_equal(geometry.upright(np.ascontiguousarray(seen)), upright)
