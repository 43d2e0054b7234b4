#!/usr/bin/env bash
# gadget.sh create|plug|unplug: a USB CDC-ACM board on dummy_hcd, as a Pico shows itself.
set -e
GADGET=/sys/kernel/config/usb_gadget/board
case $1 in
create)
  modprobe -a dummy_hcd libcomposite usb_f_acm cdc_acm
  mkdir "$GADGET"
  cd "$GADGET"
  echo 0x2e8a > idVendor
  echo 0x0005 > idProduct
  echo 0x0100 > bcdDevice
  echo 0x0200 > bcdUSB
  echo 0xEF > bDeviceClass
  echo 2 > bDeviceSubClass
  echo 1 > bDeviceProtocol
  mkdir strings/0x409
  echo BENCH0001 > strings/0x409/serialnumber
  echo MicroPython > strings/0x409/manufacturer
  echo "Board in FS mode" > strings/0x409/product
  mkdir configs/c.1 functions/acm.usb0
  ln -s functions/acm.usb0 configs/c.1
  ;;
plug) find /sys/class/udc -mindepth 1 -printf '%f\n' | head -1 > "$GADGET/UDC" ;;
unplug) echo "" > "$GADGET/UDC" ;;
esac
