#!/bin/sh
# Install what tests/desktop and tests/client need beyond Python, if this user may; otherwise say so and go on.
# The names are those of Debian and Ubuntu packages. On other systems the two suites skip and say why.
set -u
PACKAGES="tmux strace jq xvfb xauth x11-utils x11-xserver-utils x11-apps xdotool wmctrl xterm dbus-x11 dbus
 xfwm4 xfce4-panel xfce4-notifyd xfconf xfce4-terminal dunst adwaita-icon-theme hicolor-icon-theme fonts-dejavu-core
 libnotify-bin libglib2.0-bin desktop-file-utils trayer python3-gi gir1.2-gtk-3.0 gnome-terminal kitty at-spi2-core screen"
# More terminals, a compositor and KWin. Konsole and KWin are 160 packages; on two cores they take 25 seconds.
EXTRAS="tilix mate-terminal terminator sway foot konsole kwin-x11"

command -v npm >/dev/null 2>&1 || PACKAGES="$PACKAGES npm" # large, and often installed from elsewhere

command -v apt-get >/dev/null 2>&1 || { echo "system packages: no apt-get; suites that miss something will skip"; exit 0; }
absent() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf ' %s' "$package"
  done
}
# shellcheck disable=SC2086 # lists of words
missing=$(absent $PACKAGES) extras=$(absent $EXTRAS)
[ -z "$missing$extras" ] && exit 0
if [ "$(id -u)" = 0 ]; then sudo=; elif sudo -n true 2>/dev/null; then sudo="sudo -n"; else
  echo "system packages: not root, so not installed:$missing$extras"; exit 0
fi
install() { # SECONDS PACKAGE...
  seconds=$1
  shift
  DEBIAN_FRONTEND=noninteractive $sudo timeout "$seconds" apt-get install -q -y --no-install-recommends "$@" >/dev/null
}
echo "system packages: installing$missing$extras"
$sudo timeout 120 apt-get update -q >/dev/null
# shellcheck disable=SC2086 # a list of words
[ -z "$missing" ] || install 600 $missing ||
  { echo "system packages: apt-get could not install them" >&2; [ -z "${CI:-}" ] || exit 1; }
# shellcheck disable=SC2086 # a list of words
[ -z "$extras" ] || install 300 $extras || echo "system packages: apt-get could not install$extras" >&2
