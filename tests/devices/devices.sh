#!/usr/bin/env bash
# devices.sh: the conformance tests against real device nodes, in a virtual machine: a USB CDC-ACM board that runs the
# panel's program, a GPIO chip (gpio-sim) through lgpio, a UVC camera, with unplugging, renumbering and stalls.
. "$(dirname "$0")/common.sh"
need_root
mkdir -p "$BASE"
[ -x "$PYTHON" ] || cannot "$PYTHON is not there: run make setup-test first"
"$PYTHON" -c 'import lgpio' 2>/dev/null || cannot "lgpio is not installed for $PYTHON"
OUT=$(mktemp -d "$BASE/out.XXXXXX")
trap 'rm -rf "$OUT"' EXIT
status=0
"$HERE/vm.sh" "$OUT" "bash $HERE/guest.sh $CHECKOUT $PYTHON" || status=$?
cat "$OUT/log" 2>/dev/null || true
[ "$status" = 0 ] || tail -n 5 "$OUT/board.log" "$OUT/camera.log" 2>/dev/null || true
exit "$status"
