"""Write the page of all sessions: what each asks or does, where it runs, and how to resume it if it is over. Pure."""

from collections.abc import Iterable, Mapping

from deskbell.board import Board
from deskbell.history.present import Fact, where
from deskbell.pages.facts import kind, listed, resumption
from deskbell.pages.markup import Markup, Page, element, together
from deskbell.session import Key, Session
from deskbell.text.times import ago, clock
from deskbell.text.wording import counts, headline, short

MOST = 300
"""Sessions under one heading. A browser is slow to show more, and nobody reads them."""


def page(board: Board, resume: Mapping[Key, str], now: float) -> Page:
    """Return the page. RESUME: for each session that is over, the command that resumes it, or why there is none."""
    parts = {
        "Blocked": board.blocked,
        "Your turn": board.your_turn,
        "Running": board.running,
        "Crashed": board.crashed,
        "New": board.new,
    }
    title = counts(board)
    sections = (_section(heading, sessions, resume, now) for heading, sessions in parts.items() if sessions)
    return Page("board", title, together(element("h1", title), *sections))


def _section(heading: str, sessions: tuple[Session, ...], resume: Mapping[Key, str], now: float) -> Markup:
    shown, left = sessions[:MOST], len(sessions) - MOST
    return together(
        element("h2", heading, element("span", str(len(sessions)), kind="count")),
        *(_card(session, resume.get(session.key), now) for session in shown),
        element("p", f"and {left} more: run `deskbell list`.") if left > 0 else None,
    )


def _card(session: Session, resume: str | None, now: float) -> Markup:
    since = f"{clock(session.since, now)} ({ago(session.since, now)} ago)"
    suspended = " (suspended)" if session.suspended else ""
    return element(
        "article",
        element(
            "div",
            element("h3", session.project),
            element("span", short(session.name, 120), kind="name"),
            element("span", since, kind="end"),
            kind="row",
        ),
        element("p", f"{headline(session)}{suspended}", kind="lead"),
        element("p", short(session.last_line, 300)) if session.your_turn and session.last_line else None,
        listed(_facts(session), inline=True),
        resumption(resume),
        kind=f"card {kind(session)}",
    )


def _facts(session: Session) -> Iterable[Fact]:
    yield "folder", session.cwd
    yield "branch", session.branch
    yield "terminal", where(session.place)
