"""Word what would help to reach the tabs of a terminal."""

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.spot import Spot, program

ACCESSIBILITY = "Install at-spi2-core and start {} again to reach its tabs."
REMOTE = "Set `allow_remote_control yes` and `listen_on unix:/tmp/kitty` in kitty.conf to reach its tabs."
QT = "Set QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 at login, install at-spi2-core and start {} again to reach its tabs."
HINTS = {
    "kitty": REMOTE,
    "qterminal": QT,
    **dict.fromkeys(("xfce4-terminal", "mate-terminal", "gnome-terminal", "terminator", "tilix"), ACCESSIBILITY),
}


def hint(spot: Spot) -> str:
    """Return why the tab is not certain, and what would help; empty if the terminal has only one tab."""
    holder = spot.holder
    if holder is None or spot.tty is None or (processes.terminals(holder) or 0) < 2:
        return ""
    name = program(holder)
    unknown = f"{name} has several tabs or windows, and it is not known which one is shown."
    return f"{unknown} {HINTS.get(name, '').format(name)}".rstrip()
