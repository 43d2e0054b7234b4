#!/usr/bin/env bash
# arm64.sh: the test suite (what of it neither measures time nor needs a browser) in an arm64 tree under emulation.
# The tree is only unpacked (nothing is installed by emulation), its Python packages are the wheels a Pi would get.
. "$(dirname "$0")/common.sh"
need_root
mkdir -p "$BASE"
need_packages mmdebstrap arch-test qemu-user-static binfmt-support
[ -x "$PYTHON" ] || cannot "$PYTHON is not there: run make setup-test first"
if [ ! -e /proc/sys/fs/binfmt_misc/register ]; then mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc 2>/dev/null || cannot "binfmt_misc cannot be mounted"; fi
[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 || cannot "no qemu-aarch64 in binfmt_misc"
SUITE=bookworm
VERSION=3.11  # its Python
PACKAGES=python3,libpython3-stdlib,libgl1,libglib2.0-0,libzbar0,ca-certificates,kmod
MIRROR=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources 2>/dev/null || awk '/^deb /{print $2; exit}' /etc/apt/sources.list)
TREE=$BASE/arm64-$(printf '%s' "$SUITE $PACKAGES 1" | sha256sum | cut -c1-12)
if [ ! -e "$TREE/.ok" ]; then
  rm -rf "$TREE"
  timeout 900 mmdebstrap --quiet --arch=arm64 --variant=extract \
    --setup-hook='mkdir -p "$1/usr/bin" "$1/usr/sbin" "$1/usr/lib"; for d in bin sbin lib; do ln -s usr/$d "$1/$d"; done' \
    --include="base-files,bash,coreutils,dash,diffutils,findutils,grep,gzip,hostname,libc-bin,libc6,sed,tar,util-linux,procps,$PACKAGES" \
    "$SUITE" "$TREE" "deb $MIRROR $SUITE main" > "$BASE/mmdebstrap.log" 2>&1 || cannot "mmdebstrap: $(tail -1 "$BASE/mmdebstrap.log")"
  echo 'root:x:0:0:root:/root:/bin/bash' > "$TREE/etc/passwd"
  echo 'root:x:0:' > "$TREE/etc/group"
  mkdir -p "$TREE"/{src,tmp,dev,proc,sys,root,run,opt/site}
  [ -e "$TREE/bin/sh" ] || ln -s dash "$TREE/bin/sh"
  chroot "$TREE" /sbin/ldconfig || cannot "the emulator does not run in $TREE"
  touch "$TREE/.ok"
fi
# The wheels, resolved by this host's pip as tests/devices/wheels.py does.
"$PYTHON" - "$VERSION" > "$BASE/arm64-requirements.txt" <<'EOP' || exit 1
import sys
sys.path.insert(0, "tests/devices")
import wheels
tests = ("pytest", "hypothesis", "httpx", "openapi-spec-validator")
dev = [each for each in wheels.requirements("tests", "dev") if wheels.name(each).startswith(tests)]
pi = [each for each in wheels.requirements("pi", "signs") if (wheels.name(each), sys.argv[1]) not in wheels.FROM_APT]
print("\n".join([*pi, *dev]))
EOP
mapfile -t OPTIONS < <("$PYTHON" -c "import sys; sys.path.insert(0, 'tests/devices'); import wheels; print('\n'.join(wheels.platform_options('$VERSION')))")
SITE=$BASE/arm64-site-$(sha256sum < "$BASE/arm64-requirements.txt" | cut -c1-12)
if [ ! -e "$SITE/.ok" ]; then
  rm -rf "$SITE"
  timeout 900 "$PYTHON" -m pip install -q --disable-pip-version-check --target "$SITE" "${OPTIONS[@]}" -r "$BASE/arm64-requirements.txt" 2> "$BASE/pip.log" ||
    { tail -3 "$BASE/pip.log" >&2; cannot "pip could not fetch the wheels"; }
  touch "$SITE/.ok"
fi
export TREE SITE CHECKOUT
# -x: where it does not end in time, none had failed. What runs by default is what takes minutes, not hours, ten times slowed; TESTS=tests runs all.
PARTS="core_phases core_money core_view games_red_and_black games_trente games_zecchinetta replay_cases odds_private_games config_rules
  link_port link_protocol_document link_signs link_debounce sign_lines shoe_beetek console_config conformance
  journal_append journal_verify vision_geometry vision_ring vision_decide vision_still architecture"
TESTS=${TESTS:-$(for part in $PARTS; do echo "tests/test_$part.py"; done | tr '\n' ' ')}
export TESTS
status=0
timeout "${LIMIT:-1500}" unshare -m --propagation private bash -c '
  set -e
  T=$(mktemp -d); mount -t tmpfs t $T; mkdir -p $T/{u,w,n,ru,rw}
  mount -t overlay -o lowerdir=$TREE,upperdir=$T/ru,workdir=$T/rw o $T/n
  mount --rbind /dev $T/n/dev; mount -t proc p $T/n/proc; mount --rbind /sys $T/n/sys; mount -t tmpfs t $T/n/tmp
  cp /etc/hosts $T/n/etc/hosts
  printf "#!/usr/bin/python3\nimport sys\nfrom controller.cli.main import main\nsys.exit(main())\n" > $T/n/usr/bin/sabot
  chmod +x $T/n/usr/bin/sabot
  mkdir -p $T/n/src $T/n/opt/site
  mount -t overlay -o lowerdir=$CHECKOUT,upperdir=$T/u,workdir=$T/w o $T/n/src
  mount --bind $SITE $T/n/opt/site
  exec env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp LANG=C.UTF-8 PYTHONPATH=/src:/opt/site PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    QEMU_CPU=cortex-a72 SABOT_PATIENCE=6 SABOT_EMULATED=1 chroot $T/n /bin/bash -c "cd /src && uname -m && python3 -m pytest -p no:cacheprovider -x -o timeout=600 -rs --durations=10 $TESTS"
' || status=$?
[ "$status" != 124 ] || cannot "not ended within ${LIMIT:-1500} s; none had failed so far"
exit "$status"
