#!/usr/bin/env bash
# gpio.sh: a gpio-sim chip with a Pi 4's label and a Pi's identity for gpiozero; prints the chip's sysfs folder.
set -e
modprobe gpio-sim-ext
CHIP=/sys/kernel/config/gpio-sim/bench
mkdir -p "$CHIP/bank0"
echo 54 > "$CHIP/bank0/num_lines"
echo pinctrl-bcm2711 > "$CHIP/bank0/label"
for line in 17 27; do
  mkdir "$CHIP/bank0/line$line"
  echo "GPIO$line" > "$CHIP/bank0/line$line/name"
done
echo 1 > "$CHIP/live"
{ cat /proc/cpuinfo; printf 'Hardware\t: BCM2835\nRevision\t: c03115\nSerial\t\t: 10000000abcdef01\nModel\t\t: Raspberry Pi 4 Model B Rev 1.5\n'; } > /run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo
udevadm settle -t 10
echo "/sys/devices/platform/$(cat "$CHIP/dev_name")/$(cat "$CHIP/bank0/chip_name")"
