"""Find out whether a terminal shows the tab of a process, without choosing a tab.

Konsole tells it. In other terminals a mark is written for a moment: accessibility tells which terminal has it, and
without accessibility the title of the window in front shows it or not. Called only if the window in front has several
terminals and the session may be in it.
"""

import os
from collections.abc import Mapping

from deskbell.desktop.focus import processes
from deskbell.desktop.jump import accessibility, konsole, x11
from deskbell.desktop.jump.desk import Desk, until
from deskbell.desktop.jump.spot import Spot, program, spot
from deskbell.errors import Problem

MARKED = frozenset(("gnome-terminal", "xfce4-terminal", "mate-terminal", "tilix"))
"""Terminals whose window has the title of its tab in front, and that keep titles on a stack."""
TOLD = MARKED | {"terminator", "lxterminal"}
"""Terminals that tell by accessibility what they show."""
SHOWS_WITHIN = 0.1
"""Seconds that a terminal has to show the mark. A ring waits for this."""


def looked_at(pid: int, env: Mapping[str, str] = os.environ) -> bool | None:
    """Return whether the tab of PID is shown; None for other terminals, for a single tab, and if nothing tells."""
    there = spot(pid)
    if there is None or there.holder is None or (name := program(there.holder)) not in {*TOLD, "konsole"}:
        return None
    if (processes.terminals(there.holder) or 0) < 2:
        return None
    with Desk(env) as desk:
        try:
            if name == "konsole":
                found = konsole.tab(there, desk)
                return found.step.there() if found else None
            said = accessibility.shows(there, desk, SHOWS_WITHIN)
            return _titled(there, desk) if said is None and name in MARKED else said
        except Problem:
            return None


def _titled(there: Spot, desk: Desk) -> bool | None:
    """Return whether the title of the window in front shows the mark; None if it cannot be read.

    A tab with a title of its own does not show the mark, so nothing is known if the title is another one.
    """
    front, word = x11.front(desk), desk.mark(there).word()
    if not front or not word:
        return None
    return until(lambda: x11.shared(desk).shows([front], word), SHOWS_WITHIN) is not None or None
