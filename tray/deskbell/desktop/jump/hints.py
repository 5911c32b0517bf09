"""Word what would help to reach the tabs of a terminal."""

import sys

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.spot import Spot, program

REMOTE = "Set `allow_remote_control yes` and `listen_on unix:/tmp/kitty` in kitty.conf to reach its tabs."
QT = "Set QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 at login, install at-spi2-core and start {} again to reach its tabs."
HINTS = {"kitty": REMOTE, "qterminal": QT}
ACCESSIBLE = ("xfce4-terminal", "mate-terminal", "gnome-terminal", "terminator", "tilix", "lxterminal")
"""Terminals that tell by accessibility what they show."""
SWITCHES = {"NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}
"""Variables of a program that switch its accessibility off."""


def hint(spot: Spot, desk: Desk) -> str:
    """Return why the tab is not certain, and what would help; empty if the terminal has only one tab."""
    holder = spot.holder
    if holder is None or spot.tty is None or (processes.terminals(holder) or 0) < 2:
        return ""
    name = program(holder)
    unknown = f"{name} has several tabs or windows, and it is not known which one is shown."
    help_ = _accessibility(holder, name, desk) if name in ACCESSIBLE else HINTS.get(name, "").format(name)
    return f"{unknown} {help_}".rstrip()


def _accessibility(holder: int, name: str, desk: Desk) -> str:
    """Return why the terminal does not tell by accessibility what it shows, and what would help."""
    if sys.platform != "linux":
        return ""
    from deskbell.desktop.jump import accessibility  # D-Bus is installed on Linux alone

    given = processes.environment(holder)
    if off := next((f"{one}={value}" for one, value in SWITCHES.items() if given.get(one) == value), ""):
        return f"{name} was started with {off}, which switches accessibility off. Start it again without that."
    is_installed = accessibility.is_installed(desk)
    if is_installed is None:
        return "The session bus does not answer, on which it is asked."
    if not is_installed:
        return f"Install at-spi2-core and start {name} again to reach its tabs."
    wire = accessibility.connected(desk)
    if wire is None or wire.run(lambda call: accessibility.application(call, holder)) is None:
        return f"{name} does not take part in accessibility. Start it again to reach its tabs."
    return "None of its terminals shows the mark that Deskbell wrote to that of the session."
