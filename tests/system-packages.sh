#!/bin/sh
# Install what tests/desktop and tests/client need beyond Python, if this user may; otherwise say so and go on.
# The names are those of Debian and Ubuntu packages. On other systems the two suites skip and say why.
set -u
PACKAGES="tmux strace jq xvfb xauth x11-utils x11-xserver-utils x11-apps xdotool wmctrl imagemagick xterm dbus-x11 dbus
 xfwm4 xfce4-panel xfce4-notifyd xfconf xfce4-terminal dunst adwaita-icon-theme hicolor-icon-theme fonts-dejavu-core
 libnotify-bin desktop-file-utils trayer python3-gi gir1.2-gtk-3.0 gnome-terminal kitty at-spi2-core screen"

command -v npm >/dev/null 2>&1 || PACKAGES="$PACKAGES npm" # large, and often installed from elsewhere

command -v apt-get >/dev/null 2>&1 || { echo "system packages: no apt-get; suites that miss something will skip"; exit 0; }
missing=
for package in $PACKAGES; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ]; then sudo=; elif sudo -n true 2>/dev/null; then sudo="sudo -n"; else
  echo "system packages: not root, so not installed:$missing"; exit 0
fi
echo "system packages: installing$missing"
$sudo apt-get update -q >/dev/null
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends $missing >/dev/null ||
  { echo "system packages: apt-get could not install them" >&2; [ -z "${CI:-}" ]; }
