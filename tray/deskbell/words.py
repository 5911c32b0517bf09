"""How is a session put into a few words, wherever a person reads of it? Pure."""

from datetime import datetime, timedelta
from functools import lru_cache

from deskbell import plain
from deskbell.session import Session
from deskbell_hooks.redact import redact
from deskbell_hooks.schema import Status

# What a person calls a status; the others are called by their own name.
CALLED: dict[Status, str] = {"idle": "your turn", "background": "in the background"}


def wants(session: Session) -> str:
    """What it waits for or does: "permission: npm publish", "your turn", "Thinking"."""
    detail = session.detail.removeprefix("Bash: ")
    if session.status == "working":
        return session.detail or "working"
    if session.status == "idle":
        return CALLED["idle"]
    called = CALLED.get(session.status, session.status)
    return f"{called}: {detail}" if detail and detail != session.status else called


def clock(when: float, now: float) -> str:
    """A point in time that stays the same words until midnight: "12:41", "Mon 12:41", "17 Nov"."""
    try:
        then, today = datetime.fromtimestamp(when), datetime.fromtimestamp(now).date()
    except (ValueError, OverflowError, OSError):  # a number that somebody's file called a time
        return "?"
    if then.date() == today:
        return f"{then:%H:%M}"
    if timedelta(0) < today - then.date() < timedelta(days=7) or then.date() - today == timedelta(days=1):
        return f"{then:%a %H:%M}"
    return f"{then.day} {then:%b}"


@lru_cache(maxsize=2048)
def short(text: str, room: int) -> str:
    """One line that fits, harmless and without secrets, whoever wrote it."""
    return plain.isolate(plain.cut(redact(plain.clean(text)), room))
