#!/usr/bin/env bash
# vm.sh OUT 'command': run the command in a virtual machine (emulated, no KVM) whose root is this host's, read only under
# a memory overlay. OUT is /mnt/out in the guest: log, status, console.
. "$(dirname "$0")/common.sh"
OUT=$1
COMMAND=$2
VERSION=$("$HERE/kernel.sh")
need_packages qemu-system-x86 ipxe-qemu seabios busybox-static cpio kmod udev
KERNEL=$BASE/kernel-$VERSION
mkdir -p "$OUT"
rm -f "$OUT/status" "$OUT/log"
printf '%s\n' "$COMMAND" > "$OUT/command.sh"
"$HERE/initramfs.sh" "$KERNEL" "$VERSION" "$KERNEL/initramfs.gz" || cannot "no initramfs"
timeout -k 5 "${LIMIT:-900}" qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu max -smp 2 -m 2048 -nodefaults -no-reboot -display none \
  -serial "file:$OUT/console" -kernel "$KERNEL/boot/vmlinuz-$VERSION" -initrd "$KERNEL/initramfs.gz" \
  -fsdev local,id=r,path=/,security_model=none,readonly=on,multidevs=remap -device virtio-9p-pci,fsdev=r,mount_tag=hostroot \
  -fsdev "local,id=o,path=$OUT,security_model=none" -device virtio-9p-pci,fsdev=o,mount_tag=out \
  -append "console=ttyS0 loglevel=4 panic=-1 mitigations=off nokaslr random.trust_cpu=on no_timer_check tsc=reliable guestinit=$HERE/guest_init.sh kernelfolder=$KERNEL" || true
grep -q 'guest ready' "$OUT/console" || cannot "the machine did not come up: $(tail -1 "$OUT/console" | tr -d '\r')"
if [ ! -e "$OUT/status" ]; then
  tail -n 20 "$OUT/log" >&2 || true
  # A test that hangs fails by its own limit, long before this one.
  cannot "the guest did not end within ${LIMIT:-900} s"
fi
exit "$(cat "$OUT/status")"
