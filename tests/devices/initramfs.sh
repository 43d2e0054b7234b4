#!/usr/bin/env bash
# initramfs.sh KERNEL-FOLDER VERSION OUT: a tiny first system that puts a memory overlay over this host's root (9p, read only).
set -euo pipefail
KERNEL=$1 VERSION=$2 OUT=$3
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
mkdir -p "$T"/{bin,dev,proc,sys,m,ro,rw,new}
cp -L /usr/bin/busybox "$T/bin/busybox"
: > "$T/m/list"
for module in virtio_pci 9p 9pnet_virtio overlay; do
  /sbin/modprobe -d "$KERNEL" -S "$VERSION" --show-depends "$module" | awk '/^insmod/{print $2}' | while read -r file; do
    name=$(basename "$file")
    [ -e "$T/m/$name" ] || { cp "$file" "$T/m/$name"; echo "$name" >> "$T/m/list"; }
  done
done
cat > "$T/init" <<'EOI'
#!/bin/busybox sh
B=/bin/busybox
$B mount -t proc p /proc; $B mount -t sysfs s /sys; $B mount -t devtmpfs d /dev
while read m; do $B insmod /m/$m || echo "insmod FAIL $m"; done < /m/list
$B mount -t 9p -o trans=virtio,version=9p2000.L,cache=loose,msize=524288,ro hostroot /ro || { echo 9p FAIL; $B poweroff -f; }
$B mount -t tmpfs -o size=75% t /rw; $B mkdir /rw/u /rw/w
$B mount -t overlay -o lowerdir=/ro,upperdir=/rw/u,workdir=/rw/w o /new || { echo overlay FAIL; $B poweroff -f; }
$B mount --move /proc /new/proc; $B mount --move /sys /new/sys; $B mount --move /dev /new/dev
$B mkdir -p /new/dev/pts /new/dev/shm
$B mount -t devpts -o gid=5,mode=620 p /new/dev/pts; $B mount -t tmpfs s /new/dev/shm
$B mount -t tmpfs r /new/run
exec $B switch_root /new /bin/bash $($B sed -n 's/.*guestinit=\([^ ]*\).*/\1/p' /new/proc/cmdline)
EOI
chmod +x "$T/init"
(cd "$T" && find . | cpio -o -H newc --quiet | gzip -1) > "$OUT"
