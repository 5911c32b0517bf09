"""Boards for the tests of the cards: sessions of every status, and what a board of them shows as plain text."""

from collections.abc import Sequence
from typing import Any

from deskbell.cards.deck import Deck
from deskbell.cards.picture import Picture, content, picture
from deskbell.cards.state import State
from deskbell.face.facts import Facts
from deskbell.session import Agent, Session
from deskbell.text.rows import Line
from tests.tray.making import NOON, session

NOW = NOON + 3600


def one(name: str, status: str = "working", ago: float = 600.0, **said: Any) -> Session:
    """A session that has had its status for AGO seconds."""
    at = NOW - ago
    given = {"session_id": name, "pid": 1, "since": at, "heard": at, "turns": 1, "project": name, "title": f"Do {name}"}
    return session(status=status, **given | said)


def agent(name: str, status: str = "running", detail: str = "", ago: float | None = 60.0) -> Agent:
    return Agent(name, name, status, detail, None if ago is None else NOW - ago, None)


OFFICE = (
    one(
        "api",
        "permission",
        40,
        detail="Bash: npm publish",
        branch="main",
        model="claude-opus-5-5",
        context_percent=34.4,
    ),
    one("web", "question", 400, detail="One page, or step by step?", todo=(3, 7), cost_usd=1.25, output_tokens=12_300),
    one("infra", "idle", 90, detail="", last_line="All checks pass."),
    one(
        "docs",
        "background",
        200,
        detail="2 subagents",
        turn_started=NOW - 500,
        agents=(agent("Explore", detail="Grep: x"),),
    ),
    one("data", "working", 100, detail="Bash: make test", turn_started=NOW - 300),
    one("mobile", "crashed", 900, detail="Edit: a.py", pid=None, kept_until=NOW + 900),
    one("old", "ended", 5000, detail="", pid=None),
)


def screen(
    sessions: Sequence[Session] = OFFICE,
    state: State | None = None,
    columns: int = 100,
    lines: int = 30,
    facts: Facts | None = None,
    now: float = NOW,
) -> Picture:
    return picture(content(sessions, now), state or State(), facts or Facts(), now, columns, lines, Deck())


def plain(lines: Sequence[Line]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


def shown(*given: Any, **named: Any) -> str:
    return "\n".join(line.rstrip() for line in plain(screen(*given, **named).lines))
