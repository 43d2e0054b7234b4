"""Whether everything that a Raspberry Pi needs comes as a binary wheel for 64-bit ARM, on each supported Python.

`python tests/devices/wheels.py` resolves the base and Pi requirements of setup.cfg as pip would on such a machine,
without installing; a package without a wheel must be one that Debian or the Pi's archive has, and is named. Status 1
where one is neither; 77 where the package index cannot be reached."""

from __future__ import annotations

import configparser
import json
import subprocess
import sys
import tempfile
from pathlib import Path

CONFIGURATION = Path(__file__).resolve().parents[2] / "setup.cfg"
PYTHONS = ("3.11", "3.13")
GLIBC = {"3.11": 36, "3.13": 41}  # Debian 12, Debian 13
# Without a wheel: the apt package that takes its place, by (package, Python).
FROM_APT = {
    ("picamera2", "3.11"): "python3-picamera2",
    ("picamera2", "3.13"): "python3-picamera2",
    ("lgpio", "3.13"): "python3-lgpio",
}
UNREACHABLE = ("Connection", "Temporary failure", "timed out", "Could not fetch URL")


def requirements(*extras: str) -> list[str]:
    """The base requirements and those of the extras, as setup.cfg has them."""
    config = configparser.ConfigParser()
    config.read(CONFIGURATION)
    texts = [config["options"]["install_requires"], *(config["options.extras_require"][extra] for extra in extras)]
    return [line.strip() for text in texts for line in text.splitlines() if line.strip()]


def name(requirement: str) -> str:
    for mark in "<>=!~;[ ":
        requirement = requirement.partition(mark)[0]
    return requirement


def platform_options(python: str) -> list[str]:
    """What makes pip choose wheels for that Python on 64-bit ARM."""
    tags = [f"manylinux_2_{minor}_aarch64" for minor in range(GLIBC[python], 16, -1)]
    options = ["--only-binary=:all:", "--implementation", "cp", "--python-version", python]
    for tag in (*tags, "manylinux2014_aarch64"):
        options += ["--platform", tag]
    return options


def resolved(wanted: list[str], python: str) -> list[str]:
    """What pip would install, as "name version". Raises LookupError with pip's own words."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--dry-run"]
        command += [
            "--ignore-installed",
            "--target",
            folder,
            "--report",
            str(report),
            *platform_options(python),
            *wanted,
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode:
            raise LookupError(done.stderr.strip())
        found = json.loads(report.read_text())["install"]
    return [f"{each['metadata']['name']} {each['metadata']['version']}" for each in found]


def check(python: str) -> int:
    wanted = requirements("pi", "signs")
    from_apt = {name(each): FROM_APT[name(each), python] for each in wanted if (name(each), python) in FROM_APT}
    try:
        found = resolved([each for each in wanted if name(each) not in from_apt], python)
    except LookupError as error:
        print(f"Python {python}, aarch64: {error}", file=sys.stderr)
        return 77 if any(word in str(error) for word in UNREACHABLE) else 1
    print(
        f"Python {python}, aarch64: {len(found)} packages as binary wheels: {', '.join(sorted(found, key=str.lower))}"
    )
    for package, apt in from_apt.items():
        print(f"Python {python}, aarch64: {package} from Debian or the Pi's archive: {apt}")
    return 0


if __name__ == "__main__":
    sys.exit(max(check(python) for python in PYTHONS))
