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
for _ in $(seq 600); do grep -q 'board ready' /mnt/out/board.log && break; sleep 0.1; done
"$HERE/gadget.sh" plug
for _ in $(seq 200); do compgen -G '/dev/serial/by-id/*' > /dev/null && break; sleep 0.1; done
SABOT_GPIO_SIM=$("$HERE/gpio.sh")
modprobe vivid n_devs=1
udevadm settle -t 10
export SABOT_GPIO_SIM SABOT_GPIO_CHIP=pinctrl-bcm2711
SABOT_PANEL_PORT=$(compgen -G '/dev/serial/by-id/*')
export SABOT_PANEL_PORT SABOT_PANEL_UNPLUG="$HERE/gadget.sh unplug" SABOT_PANEL_PLUG="$HERE/gadget.sh plug"
export SABOT_PANEL_STALL="kill -USR1 $BOARD" SABOT_PANEL_RESUME="kill -USR2 $BOARD"
DRIVER=/sys/bus/platform/drivers/vivid
export SABOT_CAMERA=/dev/video0 SABOT_CAMERA_UNPLUG="echo vivid.0 > $DRIVER/unbind" SABOT_CAMERA_PLUG="echo vivid.0 > $DRIVER/bind"
env | grep '^SABOT_'
"$PYTHON" -m pytest -p no:cacheprovider -rs --durations=5 -c "$CHECKOUT/setup.cfg" --rootdir "$CHECKOUT" "$CHECKOUT/tests/test_conformance.py"
