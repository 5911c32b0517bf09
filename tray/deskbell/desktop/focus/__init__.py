"""Find out whether the person looks at a session now: at its own window, its own tab and its own pane.

The answer is None if that cannot be known, and then the session rings. `Eyes` has the rules; the functions that ask the
system are passed in.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from deskbell.desktop.focus import processes, tabs, tmux
from deskbell.session import Place

if TYPE_CHECKING:  # it imports asyncio, which a jump to most terminals does not need
    from deskbell.supervision import Supervisor

# Editors and multiplexers. Their window may be focused while the terminal of the session in it is not.
UNCLEAR = ("ZELLIJ", "STY", "VSCODE_PID", "NVIM", "INSIDE_EMACS", "ZED_TERM")
UNCLEAR_PROGRAMS = ("vscode", "JetBrains-JediTerm", "zed", "WarpTerminal")


@dataclass(frozen=True, slots=True)
class Active:
    """The window that has the focus."""

    pid: int | None
    window: int | None = None
    """Its X11 number."""


NOBODY = Active(-1)
"""No window has the focus."""


class Screen(Protocol):
    """Knows which window of one kind of desktop has the focus."""

    name: str

    def start(self, supervisor: "Supervisor") -> None:
        """Call this in the running loop."""

    def active(self) -> Active | None:
        """Return the focused window; None if the system does not tell."""

    def stop(self) -> None: ...


class AskedScreen:
    """A Screen that asks the system at each call, so there is nothing to start or stop."""

    def start(self, supervisor: "Supervisor") -> None: ...
    def stop(self) -> None: ...


class SilentScreen(AskedScreen):
    """For a desktop that does not tell which window is focused."""

    name = "nothing that tells which window is focused"

    def active(self) -> Active | None:
        return None


def screen(environment: Mapping[str, str] = os.environ) -> Screen:
    """Return the Screen of the desktop that ENVIRONMENT describes."""
    if sys.platform == "darwin":
        from deskbell.desktop.focus.macos import Macos

        return Macos()
    if sys.platform == "win32":
        from deskbell.desktop.focus.windows import Windows

        return Windows()
    return _free_desktop(environment)


def _free_desktop(environment: Mapping[str, str]) -> Screen:
    if "SWAYSOCK" in environment or "HYPRLAND_INSTANCE_SIGNATURE" in environment:
        from deskbell.desktop.focus.wlroots import Hyprland, Sway

        return Sway() if "SWAYSOCK" in environment else Hyprland()
    if environment.get("WAYLAND_DISPLAY"):
        from deskbell.desktop.focus.kwin import KWin

        return KWin() if "KDE" in environment.get("XDG_CURRENT_DESKTOP", "").split(":") else SilentScreen()
    if environment.get("DISPLAY"):
        from deskbell.desktop.focus.x11 import X11

        return X11(environment["DISPLAY"])
    return SilentScreen()


@dataclass
class Eyes:
    """The rules that tell whether the person looks at the terminal of a process."""

    screen: Screen = field(default_factory=screen)
    clients: Callable[[str, str], Sequence[int] | None] = tmux.clients
    """Returns the processes of the tmux clients that show a pane; None if tmux does not answer."""
    ancestors: Callable[[int], frozenset[int]] = processes.ancestors
    is_in_tmux: Callable[[int], bool] = processes.is_in_tmux
    """Whether a tmux has started a process: a terminal that was opened in a pane has its variables too."""
    terminals: Callable[[int], int | None] = processes.terminals
    """Returns the number of terminals that the process of a window holds."""
    window_id: Callable[[int], int | None] = processes.window_id
    tab: Callable[[Place, int], bool | None] = tabs.focused
    """Returns whether the terminal itself says that its focused tab is the one of a place; None if it does not say."""

    def focused(self, place: Place, pid: int | None) -> bool | None:
        if pid is None or (active := self.screen.active()) is None:
            return None
        socket, pane = (place.handle("TMUX") or "").split(",")[0], place.handle("TMUX_PANE")
        if socket and pane and self.is_in_tmux(pid):
            return self._in_tmux(active, socket, pane)
        return self._in_window(active, place, pid, _number(place.handle("WINDOWID")))

    def _in_tmux(self, active: Active, socket: str, pane: str) -> bool | None:
        """Return whether a client that shows the pane is focused.

        The WINDOWID of a pane is that of the terminal in which the server was started.
        """
        looking = self.clients(socket, pane)
        if looking is None:
            return None
        seen = [self._in_window(active, Place(), client, self.window_id(client)) for client in looking]
        return True if True in seen else None if None in seen else False

    def _in_window(self, active: Active, place: Place, pid: int, window: int | None) -> bool | None:
        if active.pid is None:
            return None if window is None or active.window is None else window == active.window or None
        if active.pid not in self.ancestors(pid):
            return False
        if None not in (window, active.window) and window != active.window:
            return False
        if (said := self.tab(place, pid)) is not None:
            return said
        unclear = any(place.handle(name) for name in UNCLEAR) or place.handle("TERM_PROGRAM") in UNCLEAR_PROGRAMS
        return True if not unclear and self.terminals(active.pid) == 1 else None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None
