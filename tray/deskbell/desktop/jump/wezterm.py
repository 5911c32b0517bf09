"""Choose the pane of WezTerm, and with it its tab, by `wezterm cli`; the pane that its client focuses proves it.

The pane is the one with the terminal of the session: a variable may be inherited from another pane.
"""

import os
from typing import Any

from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.output import output, output_json
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.own import is_mine
from deskbell.errors import Problem
from deskbell.home import environment


def tab(spot: Spot, _desk: Desk) -> Tab | None:
    """Return the pane; None for another terminal."""
    pane, socket = spot.number("WEZTERM_PANE"), spot.handle("WEZTERM_UNIX_SOCKET")
    if pane is None or spot.terminal not in ("", "wezterm-gui") or not socket or not is_mine(socket):
        return None
    env = environment(os.environ) | {"WEZTERM_UNIX_SOCKET": socket}
    pane = holding(
        output_json("wezterm", "cli", "--no-auto-start", "list", "--format", "json", env=env), spot.tty, pane
    )
    if pane is None:
        return None

    def bring() -> None:
        if output("wezterm", "cli", "--no-auto-start", "activate-pane", "--pane-id", str(pane), env=env) is None:
            raise Problem("WezTerm did not choose the pane.", BY_HAND)

    def there() -> bool | None:
        return focuses(
            output_json("wezterm", "cli", "--no-auto-start", "list-clients", "--format", "json", env=env), pane
        )

    return Tab(Step("tab", f"WezTerm pane {pane}", bring, there))


def holding(said: Any, tty: str | None, inherited: int) -> int | None:
    """Return the pane in the answer whose terminal is TTY; INHERITED where WezTerm tells no terminals."""
    rows = [one for one in said if isinstance(one, dict)] if isinstance(said, list) else []
    if not tty or not any(one.get("tty_name") for one in rows):
        return inherited
    found = next((one.get("pane_id") for one in rows if one.get("tty_name") == tty), None)
    return found if isinstance(found, int) else None


def focuses(said: Any, pane: int) -> bool | None:
    """Return whether a client in the answer SAID focuses PANE; None if it is no answer."""
    if not isinstance(said, list) or not all(isinstance(one, dict) for one in said):
        return None
    return pane in [one.get("focused_pane_id") for one in said]
