"""Make the cells of a session's row in a list: what it is, asks or does, in a few words. Pure.

`deskbell.text.table` lays the cells out in lines, `deskbell.cards` on cards.
"""

from typing import NamedTuple

from deskbell.session import Session, of_every_status
from deskbell.text.times import ago
from deskbell.text.wording import headline, short, short_id
from deskbell_hooks.schema import Status

LOOKS: dict[Status, tuple[str, str]] = of_every_status(
    {
        "permission": ("●", "bold red"),
        "question": ("●", "bold red"),
        "input": ("●", "bold red"),
        "plan": ("●", "bold magenta"),
        "interrupted": ("◐", "bold yellow"),
        "error": ("✖", "bold red"),
        "idle": ("○", "cyan"),
        "limit": ("◷", "green"),
        "working": ("▶", "green"),
        "background": ("▷", "green"),
        "ended": ("·", "dim"),
        "crashed": ("✖", "bold red"),
        "new": ("◌", "dim"),
    }
)
"""A sign and a colour for each status. Some statuses share both."""


class Span(NamedTuple):
    text: str
    style: str = ""
    """A style of rich: "bold red", "dim"."""


Line = tuple[Span, ...]


class Cells(NamedTuple):
    """The cells of one session."""

    sign: Span
    id: str
    age: str
    project: str
    what: Span
    title: str
    extras: dict[str, str]
    style: str


def heading(session: Session) -> str:
    """Return the heading under which every list and page shows SESSION."""
    if session.blocked:
        return "Blocked"
    if session.your_turn:
        return "Your turn"
    return session.group.capitalize()


def cells(session: Session, now: float) -> Cells:
    sign, style = LOOKS[session.status]
    title = short(session.name, 80)
    context = "" if session.context_percent is None else f"{session.context_percent:.0f} %"
    extras = {
        "branch": short(session.branch or "", 40),
        "context": context,
        "model": short((session.model or "").removeprefix("claude-"), 40),
    }
    return Cells(
        Span(sign, style),
        short_id(session.session_id),
        ago(session.since, now),
        short(session.project, 40),
        _what(session),
        "" if title == short_id(session.session_id) else title,
        extras,
        "dim" if session.stale else "",
    )


def _what(session: Session) -> Span:
    """Return what the session asks or does; on the person's turn, the last line of its answer."""
    said, style = headline(session), ""
    if session.status == "idle":
        said, style = session.detail or session.last_line or "", "" if session.detail else "dim"
    elif session.status == "crashed":
        said = said.replace("crashed: ", "during ", 1).removeprefix("crashed")
    elif session.status in ("ended", "new"):
        said = ""
    if session.suspended:
        said = f"suspended, {said}" if said and session.status != "idle" else "suspended"
        style = ""
    return Span(short(said, 200), style)
