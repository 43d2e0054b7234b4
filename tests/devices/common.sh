# What the device scripts share: where things are kept, and an end that says what could not be set up.
# Status 77: this machine cannot run it (no root, no packages, no emulator); anything else but 0 is a failure.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CHECKOUT=$(cd "$HERE/../.." && pwd)
BASE=${SABOT_DEVICES:-${XDG_CACHE_HOME:-$HOME/.cache}/sabot-devices}
PYTHON=${SABOT_PYTHON:-$CHECKOUT/.venv/bin/python}
export DEBIAN_FRONTEND=noninteractive

cannot() {
  echo "NOT RUN: $*" >&2
  exit 77
}

need_root() {
  [ "$(id -u)" = 0 ] || cannot "needs root"
  grep -q '^ID=debian' /etc/os-release || cannot "needs Debian"
}

need_packages() {  # apt packages, installed where they are missing
  local missing=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  for try in 1 2 3; do
    if timeout 300 apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>"$BASE/apt.log"; then return; fi
    timeout 120 apt-get update -qq >/dev/null 2>&1 || true
  done
  cannot "apt-get install ${missing[*]}: $(tail -1 "$BASE/apt.log")"
}
