"""The walls between the packages (docs/design.md), held by reading every import."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("controller", "vision", "firmware_bridge", "hw_sim")
# What each part may import of the project; the longest prefix that fits a module names its part.
MAY_IMPORT = {
    "firmware_bridge": ("firmware_bridge",),
    "vision": ("vision",),
    "vision.training": ("vision", "hw_sim.decks"),
    "controller": ("controller",),
    "controller.edge": ("controller", "firmware_bridge", "vision"),
    "controller.cli": ("controller", "firmware_bridge", "vision", "hw_sim"),
    "hw_sim": ("hw_sim", "controller", "firmware_bridge", "vision"),
}
EDGE = ("controller.edge", "controller.cli")
IMPURE = {
    "asyncio",
    "datetime",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "sqlite3",
    "subprocess",
    "threading",
    "time",
}
OWNERS = {
    "serial": "firmware_bridge",
    "gpiozero": "firmware_bridge",
    "pyzbar": "vision",
    "cv2": "vision",
    "sqlite3": "controller.edge",
}


def modules() -> list[tuple[str, Path]]:
    """Name and path of every module of the product (the panel's MicroPython program is no part of it)."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            relative = path.relative_to(ROOT).with_suffix("")
            if "device" in relative.parts or "panel_shim" in relative.parts:
                continue
            name = ".".join(relative.parts).removesuffix(".__init__")
            found.append((name, path))
    return found


def imports(path: Path) -> list[tuple[str, bool]]:
    """Each imported module's full name, and whether the import is lazy (inside a function)."""
    tree = ast.parse(path.read_text())
    lazy = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, id(node) in lazy) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found += [(f"{node.module}.{alias.name}", id(node) in lazy) for alias in node.names]
    return found


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def part_of(name: str) -> str:
    return max((part for part in MAY_IMPORT if within(name, (part,))), key=len)


@pytest.mark.parametrize(("name", "path"), modules(), ids=lambda value: value if isinstance(value, str) else "")
def test_imports_keep_to_the_walls(name: str, path: Path) -> None:
    part = part_of(name)
    for target, lazy in imports(path):
        top = target.split(".")[0]
        if top in PACKAGES:
            assert within(target, MAY_IMPORT[part]), f"{name} imports {target}"
        if top == "hw_sim" and part == "controller.cli":
            assert lazy, f"{name} imports {target} at import time; the simulator is no part of the product"
        if part == "controller":
            assert not within(target, EDGE), f"core module {name} imports the edge: {target}"
            if name != "controller.paths":
                assert top not in IMPURE, f"core module {name} imports {top}"
                assert top != "numpy" or name.startswith("controller.odds"), f"{name} imports numpy"
        assert top not in ("tests", "config"), f"{name} imports {target}"


@pytest.mark.parametrize(("library", "owner"), OWNERS.items())
def test_a_library_of_the_world_has_one_owner(library: str, owner: str) -> None:
    users = {name for name, path in modules() for target, _ in imports(path) if target.split(".")[0] == library}
    strangers = {name for name in users if not within(name, (owner, "hw_sim", "controller.cli"))}
    assert not strangers


def test_only_the_agreed_names_stand_at_the_top() -> None:
    agreed = {
        *PACKAGES, "tests", "config", "docs", "setup.cfg", "pyproject.toml", "Makefile",
        "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md",
    }  # fmt: skip
    there = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert there - agreed - {"build", "dist", "sabot.egg-info"} == set()
    assert agreed <= there


def test_files_stay_short() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for _, path in modules()
        if (count := len(path.read_text().splitlines())) > 400
    }
    assert not long


def test_modules_say_what_they_are() -> None:
    silent = [name for name, path in modules() if not ast.get_docstring(ast.parse(path.read_text()))]
    assert not silent
