#!/usr/bin/env bash
# kernel.sh: Debian's current kernel, its modules and gpio-sim (which Debian does not build) in $BASE/kernel-VERSION.
# Prints that folder's version. Once: later calls find it there.
. "$(dirname "$0")/common.sh"
mkdir -p "$BASE"
need_packages gcc make xz-utils kmod
VERSION=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: linux-image-//p' | head -1)
[ -n "$VERSION" ] || cannot "apt knows no linux-image-amd64"
SERIES=$(echo "$VERSION" | cut -d. -f1,2)
DEST=$BASE/kernel-$VERSION
if [ ! -e "$DEST/.ok" ]; then
  need_packages "linux-headers-$VERSION"
  rm -rf "$DEST"
  mkdir -p "$DEST/src" "$DEST/mod"
  cd "$DEST"
  timeout 600 apt-get download -qq "linux-image-$VERSION" "linux-source-$SERIES" >/dev/null 2>&1 || cannot "apt-get download linux-image-$VERSION linux-source-$SERIES"
  dpkg-deb -x linux-image-*.deb .
  dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO "./usr/src/linux-source-$SERIES.tar.xz" | xz -dc -T0 |
    tar -C src --strip-components=1 -x "linux-source-$SERIES/drivers/gpio/gpio-sim.c" "linux-source-$SERIES/drivers/gpio/gpiolib.h" "linux-source-$SERIES/kernel/irq/irq_sim.c"
  rm -f ./*.deb
  cp src/drivers/gpio/gpio-sim.c src/drivers/gpio/gpiolib.h src/kernel/irq/irq_sim.c mod/
  # irq_to_desc() is not exported to modules; generic_handle_irq_safe() is, and runs the same handler
  sed -i 's/handle_simple_irq(irq_to_desc(irqnum));/generic_handle_irq_safe(irqnum);/' mod/irq_sim.c
  printf 'obj-m := gpio-sim-ext.o\ngpio-sim-ext-y := gpio-sim.o irq_sim.o\n' > mod/Makefile
  make -s -C "/usr/src/linux-headers-$VERSION" M="$DEST/mod" modules > build.log 2>&1 || cannot "gpio-sim does not build for $VERSION: $DEST/build.log"
  mkdir -p "lib/modules/$VERSION/extra"
  cp mod/gpio-sim-ext.ko "lib/modules/$VERSION/extra/"
  /sbin/depmod -b "$DEST" "$VERSION"
  touch .ok
fi
echo "$VERSION"
