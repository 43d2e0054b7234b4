# Two commands: `make bench` (a simulated table, dealing, with its page) and `make test` (everything that is checked).
# `make test-opencv4` is the part of it that reads cards on OpenCV 4 and numpy 1 too (.ci/opencv4).
# `make test-devices` and `make test-arm64` need root, Debian and an emulator; status 77 says what is not to be had here.
.PHONY: bench test lint unit test-opencv4 test-devices test-arm64 setup-run setup-test wheel clean

bench: setup-run
	.venv/bin/sabot bench $(ARGS)

test: setup-test lint unit test-opencv4

setup-run:
	@.ci/setup run

setup-test:
	@.ci/setup test

lint:
	.venv/bin/ruff check .
	.venv/bin/ruff format --check controller vision firmware_bridge hw_sim tests
	.venv/bin/mypy

unit:
	@.venv/bin/python -c 'import cv2, numpy; print("== everything on OpenCV", cv2.__version__, "numpy", numpy.__version__)'
	SABOT_VERSIONS="$$(cat .venv/.versions)" .venv/bin/python -m pytest --cov --cov-report=term --cov-fail-under=90

test-opencv4:
	.ci/opencv4

test-devices: setup-test
	tests/devices/devices.sh

test-arm64: setup-test
	tests/devices/arm64.sh

wheel: setup-test
	.venv/bin/python -m build --wheel

clean:
	rm -rf .venv .venv-opencv4 build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
