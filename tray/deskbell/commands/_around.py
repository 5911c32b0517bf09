"""Gather what the board in the terminal shows besides the sessions: what the person silenced, and what is broken."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deskbell.errors import Problem
from deskbell.face.facts import Facts
from deskbell.files.there import exists
from deskbell.home import Home
from deskbell.sessions.usages import usages

if TYPE_CHECKING:
    from deskbell.notices.quiet import Quiet


def facts(home: Home, quiet: "Quiet | None", wrong: Sequence[str], now: float) -> Facts:
    """Return the Facts for the board. QUIET is None if nothing is silenced.

    WRONG: a sentence or two for each problem. The first problem is shown, with the number of the others.
    """
    more = f" And {len(wrong) - 1} more: run `deskbell doctor`." if len(wrong) > 1 else ""
    problem = f"{wrong[0]}{more}" if wrong else None
    used = usages(home.statusline, now)
    if quiet is None:
        return Facts(usages=used, problem=problem)
    return Facts(
        snoozed_until=quiet.snooze(now),
        muted=frozenset(quiet.names("sessions", now)),
        later=quiet.laters(now),
        usages=used,
        problem=problem,
    )


def quiet(home: Home) -> "Quiet | None":
    """Return what is silenced; None if nothing ever was."""
    if not exists(home.state / "quiet.json"):
        return None
    from deskbell.notices.quiet import read  # imported here, because pydantic takes long to import

    return read(home.state)


def wrong(home: Home) -> Sequence[str]:
    """Return a sentence or two for each problem."""
    from deskbell.commands._wrong import problems  # imported here, so that the board is painted first

    return problems(home)


def replies(home: Home) -> bool:
    """Return whether replies from outside of the terminal are switched on; False if the settings are invalid."""
    path = home.config / "config.toml"
    if not exists(path):
        return False
    from deskbell.notices.policyfile import parse, text  # imported here, because many people have no such file

    try:
        return parse(text(path) or "", path).answers.reply
    except Problem:
        return False
