"""Turn the board and the facts into the state of the icon and its tooltip.

Pure. The adapters draw a Look only when it differs from the last one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from deskbell.board import Board
from deskbell.face.facts import PROBLEM, Facts, HooksState
from deskbell.session import Session
from deskbell.text.times import clock
from deskbell.text.usage import in_words
from deskbell.text.wording import counts, headline, short
from deskbell_icons import IconState

ROOM = 127
"""UTF-16 units of a tooltip. Windows has 128 of them, and the last one ends the text."""

NO_REPORTS: dict[HooksState, str] = {
    "missing": "Hooks not installed",
    "overwritten": "Hooks not installed",
    "unreadable": "Cannot read Claude Code's settings",
}
"""What the tooltip says if no session reports to Deskbell."""

NAMED = 5
"""Sessions named in the tooltip at most."""


@dataclass(frozen=True, slots=True)
class Look:
    """The state of the icon, and its tooltip."""

    state: IconState = "quiet"
    count: int = 0
    """Blocked sessions. The icon shows the number in the states `blocked` and `snoozed`."""
    tooltip: str = ""


def look(board: Board, facts: Facts, now: float, room: int = ROOM) -> Look:
    return Look(_state(board, facts), len(board.blocked), _tooltip(board, facts, now, room))


def _state(board: Board, facts: Facts) -> IconState:
    """Return the first that is true: blocked and not snoozed, problem, snoozed, uninstalled, your turn, and so on."""
    snoozed = facts.snoozed_until is not None
    if board.blocked and not snoozed:
        return "blocked"
    if facts.problem or facts.hooks == "unreadable":
        return "problem"
    if snoozed:
        return "snoozed"
    if facts.hooks in NO_REPORTS:
        return "uninstalled"
    if board.needs_you:
        return "your_turn"
    return "working" if board.running else "quiet"


def _tooltip(board: Board, facts: Facts, now: float, room: int) -> str:
    """Return the counts, and as many names as fit of the sessions that wait for the person, the most urgent first."""
    above, waiting = [*_remarks(facts, now), counts(board)], board.blocked or board.your_turn
    names = [(_blocked if board.blocked else _project)(session) for session in waiting[:NAMED]]
    for named in range(len(names), -1, -1):
        line = " · ".join([*above, *_listed(names[:named], len(waiting) - named)])
        if _units(line) <= room:
            return _with_usage(line, facts, now, room)
    return _cut(line, room)


def _with_usage(line: str, facts: Facts, now: float, room: int) -> str:
    """Return LINE with how much of its limits each account has used, if there is room for all of that."""
    whole = " · ".join([line, *in_words(facts.usages, now, long=False)])
    return whole if _units(whole) <= room else line


def _remarks(facts: Facts, now: float) -> list[str]:
    snoozed = f"Snoozed until {clock(facts.snoozed_until, now)}" if facts.snoozed_until is not None else ""
    problem = short(facts.problem or "", PROBLEM)
    return [remark for remark in (snoozed, problem, NO_REPORTS.get(facts.hooks, "")) if remark]


def _listed(names: Sequence[str], others: int) -> list[str]:
    return ["; ".join(names) + (f" and {others} more" if others else "")] if names else []


def _blocked(session: Session) -> str:
    return f"{_project(session)} {short(headline(session), 60)}"


def _project(session: Session) -> str:
    return short(session.project, 24)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _cut(text: str, room: int) -> str:
    while _units(text) > room:
        text = text[:-1]
    return text
