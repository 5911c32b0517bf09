"""How is a session put into a few words, wherever a person reads of it? Pure."""

from functools import lru_cache

from deskbell.session import Session
from deskbell.text.clean import clean, cut, isolate
from deskbell_hooks.redact import redact
from deskbell_hooks.schema import Status

# What a person calls a status; the others are called by their own name.
CALLED: dict[Status, str] = {"idle": "your turn", "background": "in the background"}


def headline(session: Session) -> str:
    """What it waits for or does: "permission: npm publish", "your turn", "Thinking"."""
    detail = session.detail.removeprefix("Bash: ")
    if session.status == "working":
        return session.detail or "working"
    if session.status == "idle":
        return CALLED["idle"]
    called = CALLED.get(session.status, session.status)
    return f"{called}: {detail}" if detail and detail != session.status else called


@lru_cache(maxsize=2048)
def short(text: str, room: int) -> str:
    """One line that fits, harmless and without secrets, whoever wrote it."""
    return isolate(cut(redact(clean(text)), room))
