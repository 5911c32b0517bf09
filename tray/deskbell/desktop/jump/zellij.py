"""Show the pane of a session in zellij if exactly one client of zellij runs; nothing proves it.

Written from its documentation: `zellij action list-panes --json --tab` names the tab of each pane (0.44), and
`focus-pane-id` chooses a pane in it. An older zellij shows the tab alone.
"""

import re
from typing import Any

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Inside
from deskbell.desktop.jump.output import output, output_json
from deskbell.desktop.jump.spot import Spot, spot
from deskbell.errors import Problem

_NAME = re.compile(r"[^-/\x00-\x1f\x7f][^/\x00-\x1f\x7f]{0,100}")


def inside(there: Spot, _desk: Desk) -> Inside | None:
    """Return None for a process that no zellij has started."""
    if server_of(there) is None:
        return None
    name, pane = there.handle("ZELLIJ_SESSION_NAME"), there.number("ZELLIJ_PANE_ID")
    if not _NAME.fullmatch(name) or pane is None:
        raise Problem("The session runs in a zellij whose session is not known.", BY_HAND)
    clients = [
        found for pid in processes.pids() if processes.name(pid) == "zellij" and (found := spot(pid)) and found.tty
    ]
    if len(clients) != 1:
        return Inside(None, None, f"It is in zellij session {name}, pane {pane}.", ("zellij", "attach", name))
    command = ("zellij", "--session", name, "action")

    def bring() -> None:
        tab = tab_of(output_json(*command, "list-panes", "--json", "--tab"), pane)
        if tab is None or output(*command, "go-to-tab", str(tab + 1)) is None:
            raise Problem(f"zellij did not show the tab of pane {pane}.", BY_HAND)
        output(*command, "focus-pane-id", f"terminal_{pane}")

    return Inside(Step("pane", f"zellij pane {pane}", bring, lambda: None), clients[0])


def server_of(there: Spot) -> int | None:
    """Return the nearest server above THERE; None if there is none."""
    return next((pid for pid in there.line[1:] if processes.name(pid) == "zellij"), None)


def tab_of(said: Any, pane: int) -> int | None:
    """Return the position of the tab that holds PANE, counted from 0."""
    for one in said if isinstance(said, list) else ():
        if isinstance(one, dict) and one.get("id") == pane and not one.get("is_plugin"):
            position = one.get("tab_position")
            return position if isinstance(position, int) else None
    return None
