"""Put a session and any text into a few words, the same on the panel, in notifications and in the terminal. Pure."""

from functools import lru_cache

from deskbell.session import Session
from deskbell.text.clean import READ_AT_MOST, clean, cut, isolate, visible_lines
from deskbell_hooks.schema import Status
from deskbell_hooks.trim import without_secrets

CALLED: dict[Status, str] = {"idle": "your turn", "background": "in the background"}
"""What a person reads for a status. A status that is not listed is called by its own name."""


def headline(session: Session) -> str:
    """What SESSION waits for or does: "permission: npm publish", "your turn", "Thinking"."""
    detail = session.detail.removeprefix("Bash: ")
    if session.status == "working":
        return session.detail or "working"
    if session.status == "idle":
        return CALLED["idle"]
    called = CALLED.get(session.status, session.status)
    return f"{called}: {detail}" if detail and detail != session.status else called


@lru_cache(maxsize=256)
def short_id(session_id: str) -> str:
    """Return the start of a session id, which tells a person one session from another: "3f2a9c10". Safe to show."""
    return clean(session_id)[:8]


def safe(text: str) -> str:
    """Return TEXT, of any number of lines, safe to show and without secrets. All that is shown or sent passes here."""
    return without_secrets(visible_lines(text))


def without_secrets_inside(value: object) -> object:
    """Return VALUE, a text or what holds texts, without their secrets. Names in it stay."""
    if isinstance(value, str):
        return _without_secrets(value)
    if isinstance(value, dict):
        return {name: without_secrets_inside(one) for name, one in value.items()}
    return [without_secrets_inside(one) for one in value] if isinstance(value, (list, tuple)) else value


_without_secrets = lru_cache(maxsize=1024)(without_secrets)  # a journal says the same again and again


def short(text: str, room: int) -> str:
    """Return TEXT as one line of at most ROOM visible characters, safe to show and without secrets."""
    return _short(text[:READ_AT_MOST], room)  # the cache must not keep a prompt of a million characters


@lru_cache(maxsize=512)
def _short(text: str, room: int) -> str:
    return isolate(cut(without_secrets(clean(text)), room))
