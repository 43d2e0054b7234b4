#!/usr/bin/env bash
# The guest's first process: devices, udev, the command, its status to the host, power off.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TMPDIR=/run/tmp
mkdir -p /mnt/out /run/tmp
mount -t 9p -o trans=virtio,version=9p2000.L,cache=none,msize=524288 out /mnt/out
hostname bench
ip link set lo up 2>/dev/null || busybox ip link set lo up
KERNEL=$(sed -n 's/.*kernelfolder=\([^ ]*\).*/\1/p' /proc/cmdline)
mkdir -p /lib/modules
mount --bind "$KERNEL/lib/modules" /lib/modules
modprobe configfs 2>/dev/null
mount -t configfs c /sys/kernel/config
/lib/systemd/systemd-udevd --daemon
udevadm trigger --type=subsystems --action=add
udevadm trigger --type=devices --action=add --subsystem-match=usb --subsystem-match=tty --subsystem-match=video4linux --subsystem-match=gpio
udevadm settle -t 20
echo "guest ready after $(cut -d' ' -f1 /proc/uptime) s"
bash /mnt/out/command.sh > /mnt/out/log 2>&1
echo $? > /mnt/out/status
echo "guest done after $(cut -d' ' -f1 /proc/uptime) s"
sync
exec busybox poweroff -f
