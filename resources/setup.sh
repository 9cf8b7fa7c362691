#!/bin/sh
# Install what the program needs on Debian or Ubuntu: system libraries and fonts, and the Python
# packages into .venv. Run it as root or as a user with sudo, as often as you like: what is there
# already is skipped.
#
#   sh resources/setup.sh         to run the program
#   sh resources/setup.sh test    to run its tests as well
set -eu
cd "$(dirname "$0")/.."

case "${1:-run}" in
    run) extras= done=.venv/ready-to-run ;;
    test) extras='[test]' done=.venv/ready-to-test ;;
    *) echo "usage: sh resources/setup.sh [test]" >&2; exit 2 ;;
esac
[ "$done" -nt pyproject.toml ] && exit

# What Qt needs on a machine without a desktop, and fonts for the world's scripts.
packages='python3-venv libdbus-1-3 libegl1 libfontconfig1 libgl1 libglib2.0-0 libwayland-client0
    libwayland-cursor0 libwayland-egl1 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1
    libxcb-randr0 libxcb-shape0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 libxkbcommon-x11-0
    fonts-dejavu-core fonts-noto-color-emoji fonts-noto-core fonts-wqy-microhei'

# shellcheck disable=SC2086
if dpkg --status $packages >/dev/null 2>&1; then
    :
elif command -v apt-get >/dev/null; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages
else
    echo "setup: no apt-get here; Qt's system libraries and fonts are taken as they are." >&2
fi
python3 -m venv .venv
.venv/bin/python -m pip install --editable ".$extras"
touch "$done"
