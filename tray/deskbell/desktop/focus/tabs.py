"""Ask a terminal whether a session's tab is its focused one: kitty, WezTerm, Konsole, iTerm2 and Terminal answer.

gnome-terminal, xfce4-terminal, mate-terminal and Tilix show it in the titles of their windows.
"""

import os
import sys
from typing import Any

from deskbell.desktop.focus import asked, processes
from deskbell.home import environment
from deskbell.session import Place

KITTY = ("KITTY_LISTEN_ON", "KITTY_WINDOW_ID")


def focused(place: Place, pid: int) -> bool | None:
    terminal = processes.terminal_at_end(processes.line(pid))
    socket, window = (place.handle(name) if terminal in ("", "kitty") else None for name in KITTY)
    if socket and window:
        return kitty(asked.answer("kitty", "@", "--to", socket, "ls", socket=socket), window)
    if terminal in ("", "wezterm-gui") and (pane := place.handle("WEZTERM_PANE")):
        return wezterm(_clients_of_wezterm(place.handle("WEZTERM_UNIX_SOCKET") or ""), pane)
    if place.handle("TERM_PROGRAM") == "iTerm.app":
        return tty_of("iTerm2", "tty of current session of current window", place.tty)
    if place.handle("TERM_PROGRAM") == "Apple_Terminal":
        return tty_of("Terminal", "tty of selected tab of front window", place.tty)
    if sys.platform != "linux":
        return None
    from deskbell.desktop.jump.looked_at import looked_at  # imported only if a window with tabs is in front

    return looked_at(pid)


def _clients_of_wezterm(socket: str) -> Any:
    """Return the clients of the server at SOCKET; of the one that WezTerm finds by itself if it is empty."""
    env = environment(os.environ) | ({"WEZTERM_UNIX_SOCKET": socket} if socket else {})
    command = ("wezterm", "cli", "--no-auto-start", "list-clients", "--format", "json")
    return asked.answer(*command, socket=socket, env=env)


def kitty(said: Any, window: str) -> bool | None:
    """Return whether kitty says that WINDOW is focused. SAID is the answer of `kitty @ ls`."""
    try:
        there = [w for os_window in said for tab in os_window["tabs"] for w in tab["windows"]]
        return next((bool(w["is_focused"]) for w in there if str(w["id"]) == window), None)
    except (TypeError, KeyError):
        return None


def wezterm(said: Any, pane: str) -> bool | None:
    """Return whether a client of WezTerm focuses PANE. SAID is the answer of `wezterm cli list-clients`."""
    try:
        return pane in {str(client["focused_pane_id"]) for client in said} if said else None
    except (TypeError, KeyError):
        return None


def tty_of(application: str, what: str, tty: str | None) -> bool | None:
    """Return whether WHAT of APPLICATION is TTY; None without the Automation permission, for which macOS asks once."""
    said = asked.text("osascript", "-e", f'tell application "{application}" to {what}')
    return said.strip() == tty if said and tty else None
