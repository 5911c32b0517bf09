"""Label what is known of a session now, in groups, for every page that shows one. Pure.

A fact with an empty value is not known, and pages leave it out.
"""

from collections.abc import Iterator

from deskbell.session import Place, Session
from deskbell.text.times import ago, clock, span
from deskbell.text.wording import headline, short

Fact = tuple[str, str | None]


def where(place: Place) -> str:
    """Return the terminal of a session and its tmux pane; an empty string if neither is known."""
    pane = place.handle("TMUX_PANE") if place.handle("TMUX") else None
    return short(", ".join(part for part in (place.tty, pane and f"tmux pane {pane}") if part), 80)


def status(session: Session, now: float) -> str:
    """Return what the session waits for or does, and since when."""
    since = clock(session.since, now)
    if session.status == "crashed":
        when = f"{'at' if since[:1].isdigit() and ':' in since else 'on'} {since}"
        return f"crashed {when}{f', during {session.detail}' if session.detail else ''}"
    return f"{headline(session)}{' (suspended)' if session.suspended else ''}, since {since}"


def of_place(session: Session) -> Iterator[Fact]:
    yield "project", session.project
    yield "folder", session.cwd
    yield "branch", session.branch
    yield "terminal", where(session.place)
    yield "process", str(session.pid) if session.pid else None
    yield "machine", session.host


def of_model(session: Session) -> Iterator[Fact]:
    yield "model", session.model
    yield "mode", session.permission_mode
    yield "context", _context(session)
    yield "spent", _spent(session)


def of_work(session: Session) -> Iterator[Fact]:
    yield "tasks", f"{session.todo[0]} of {session.todo[1]} done" if session.todo else None
    yield "runs", ", ".join(session.tasks)


def of_turns(session: Session, now: float) -> Iterator[Fact]:
    yield "started", _when(session.started, now)
    yield "turn began", _when(session.turn_started, now)
    yield "last turn", f"took {span(session.last_turn_seconds)}" if session.last_turn_seconds is not None else None
    yield "turns", f"{session.turns:,}" if session.turns else None
    yield "last event", _when(session.heard, now)


def of_words(session: Session) -> Iterator[Fact]:
    yield "last line", session.last_line
    yield "last error", session.last_error


def _when(at: float | None, now: float) -> str | None:
    return None if at is None else f"{clock(at, now)} ({ago(at, now)} ago)"


def _context(session: Session) -> str | None:
    if session.context_tokens is None:
        return None
    full = f" ({session.context_percent:.0f} %)" if session.context_percent is not None else ""
    return f"{session.context_tokens:,} tokens{full}"


def _spent(session: Session) -> str | None:
    if session.output_tokens is None:
        return None
    cost = f", ${session.cost_usd:.2f} at list price" if session.cost_usd is not None else ""
    return f"{session.output_tokens:,} tokens written{cost}"
