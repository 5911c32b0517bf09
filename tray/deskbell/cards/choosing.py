"""Show the answers to a request in the last line of the board, and carry out the key that chooses one. Pure."""

from dataclasses import replace
from typing import TYPE_CHECKING

from deskbell.asking import Asking, Choice
from deskbell.cards.draft import Draft, opened
from deskbell.face.actions import Answer
from deskbell.face.facts import Facts
from deskbell.session import Session
from deskbell.text.clean import clean
from deskbell.text.rows import Line, Span

if TYPE_CHECKING:
    from deskbell.cards.state import State

MOST = 9
"""Choices that are offered: each has a digit."""


def answering(state: "State", session: Session | None, facts: Facts) -> "State":
    """Return STATE with the answers to what SESSION asks, or with an empty reply, or with why there is neither."""
    if session and session.asking and session.asking.choices:
        # The line has no room for what is asked.
        return replace(state, mode="answer", choosing=(session.key, session.asking.where(shown=False)))
    if session and session.asking and session.asking.why_not:
        return replace(state, message=session.asking.why_not)
    found = opened(session, facts)
    if isinstance(found, Draft):
        return replace(state, mode="reply", draft=found)
    return replace(state, message=found)


def chosen(state: "State", key: str) -> tuple["State", Answer | None]:
    """Return what follows from KEY: an answer, a line for a text, or the board without the answers."""
    back = replace(state, mode="page" if state.page else "board", choosing=None)
    if state.choosing is None or not key.isdigit():
        return back, None
    session, asking = state.choosing
    choices = offered(asking)
    if not 1 <= int(key) <= len(choices):
        return state, None
    choice = choices[int(key) - 1]
    answer = Answer(session, asking.code, choice.id)
    if choice.takes_text:
        return replace(back, mode="reply", draft=Draft(session, answers=answer)), None
    return back, answer


def offered(asking: Asking) -> tuple[Choice, ...]:
    return asking.choices[:MOST]


def line(asking: Asking) -> Line:
    """Return the answers with their digits: " 1 Allow  2 Deny", and why one is missing."""
    spans: list[Span] = []
    for number, choice in enumerate(offered(asking), 1):
        spans += [Span("  " if spans else " "), Span(str(number), "bold"), Span(f" {clean(choice.label)}")]
    why = f"  {clean(asking.why_not)}" if asking.why_not else ""
    return (*spans, Span(f"{why}  Esc leaves it", "dim"))
