#!/usr/bin/env bash
# guest.sh CHECKOUT PYTHON: in the guest: a board on USB, a GPIO chip, a camera; then the conformance tests against them.
set -eu
CHECKOUT=$1
PYTHON=$2
HERE=$CHECKOUT/tests/devices
cd /run
export PYTHONDONTWRITEBYTECODE=1 OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT=2 SABOT_PATIENCE=4 LG_WD=/run PATH="$(dirname "$PYTHON"):$PATH"
"$HERE/gadget.sh" create
PYTHONPATH=$CHECKOUT "$PYTHON" "$HERE/board.py" > /mnt/out/board.log 2>&1 &
BOARD=$!
until grep -q 'board ready' /mnt/out/board.log; do kill -0 "$BOARD"; sleep 0.2; done
"$HERE/gadget.sh" plug
until compgen -G '/dev/serial/by-id/*' > /dev/null; do sleep 0.2; done
SABOT_GPIO_SIM=$("$HERE/gpio.sh")
"$PYTHON" "$HERE/uvc_camera.py" > /mnt/out/camera.log 2>&1 &
CAMERA=$!
until compgen -G '/dev/v4l/by-id/*index0' > /dev/null; do kill -0 "$CAMERA"; sleep 0.2; done
udevadm settle -t 10
export SABOT_GPIO_SIM SABOT_GPIO_CHIP=pinctrl-bcm2711
SABOT_PANEL_PORT=$(compgen -G '/dev/serial/by-id/*')
export SABOT_PANEL_PORT SABOT_PANEL_UNPLUG="$HERE/gadget.sh unplug" SABOT_PANEL_PLUG="$HERE/gadget.sh plug"
export SABOT_PANEL_STALL="kill -USR1 $BOARD" SABOT_PANEL_RESUME="kill -USR2 $BOARD"
SABOT_CAMERA=$(compgen -G '/dev/v4l/by-id/*index0')
export SABOT_CAMERA SABOT_CAMERA_UNPLUG="kill -USR1 $CAMERA" SABOT_CAMERA_PLUG="kill -USR2 $CAMERA"
env | grep '^SABOT_'
"$PYTHON" -m pytest -p no:cacheprovider -rs --durations=5 -c "$CHECKOUT/setup.cfg" --rootdir "$CHECKOUT" "$CHECKOUT/tests/test_conformance.py"
