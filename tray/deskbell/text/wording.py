"""Put a session and any text into a few words, the same on the panel, in notifications and in the terminal. Pure."""

import re
from functools import lru_cache

from deskbell.board import Board
from deskbell.session import Session
from deskbell.text.clean import READ_AT_MOST, clean, cut, isolate, visible_lines
from deskbell.text.deeds import deed
from deskbell_hooks.schema import Status
from deskbell_hooks.trim import without_secrets

CALLED: dict[Status, str] = {"idle": "your turn", "background": "in the background", "interrupted": "stopped"}
"""What a person reads for a status. A status that is not listed is called by its own name."""
UNNAMED: dict[Status, frozenset[str]] = {
    "permission": frozenset(("", "permission prompt", "worker request")),
    "question": frozenset(("", "Question", "input needed")),
    "input": frozenset(("", "input", "dialog open", "a dialog is open")),
    "plan": frozenset(("", "Plan approval")),
}
"""The details of a request that do not say what is asked."""
KIND_OF_ERROR = re.compile(r"([a-z]+(?:_[a-z]+)*)(?:: (.*))?", re.DOTALL)
"""The kind by which the client calls an API error, and its message: "rate_limit: You have reached ..."."""


def counts(board: Board) -> str:
    """Count the sessions of BOARD, as it is said everywhere: "2 blocked, 3 your turn, 4 running, 1 crashed"."""
    said = [f"{count} {name.replace('_', ' ')}" for name, count in board.counts.items() if count]
    return ", ".join(said) or "No session is running"


def headline(session: Session) -> str:
    """Return what SESSION waits for or does: "wants to run npm publish", "your turn", "Thinking"."""
    status, detail = session.status, session.detail
    if status in UNNAMED:
        return _request(status, "" if detail in UNNAMED[status] else detail)
    if status == "working":
        return _doing(detail) or "working"
    if status == "error":
        return _failed(detail)
    called = CALLED.get(status, status)
    if status in ("idle", "ended") or not detail or detail == status:
        return called
    call = deed(detail)
    return f"{called}: {call.subject if call and call.is_command else detail}"


def _request(status: Status, detail: str) -> str:
    if status == "question":
        return f"asks: {detail}" if detail else "has a question"
    if status == "input":
        return f"needs input: {detail}" if detail else "needs input"
    if status == "plan":
        return f"has a plan: {detail}" if detail else "has a plan"
    call = deed(detail)
    if call is None:
        return f"wants your approval: {detail}" if detail else "wants your approval"
    return f"wants to {call.verb} {call.subject}".rstrip()


def _doing(detail: str) -> str:
    call = deed(detail)
    return f"{call.doing} {call.subject}".rstrip() if call else detail


def _failed(detail: str) -> str:
    """The message of an API error says more than its kind."""
    found = KIND_OF_ERROR.fullmatch(detail)
    said = (found[2] or found[1].replace("_", " ")) if found else detail
    return f"failed: {said}" if said and said not in ("unknown", "error") else "failed"


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
