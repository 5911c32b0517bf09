"""Put a session or any text into a few words, the same in menu, notifications and terminal. Pure."""

import re
from functools import lru_cache
from typing import NamedTuple

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
"""The client's name for a kind of API error, and its message: "rate_limit: You have reached ..."."""


def counts(board: Board) -> str:
    """Return the numbers of BOARD as every place shows them: "2 blocked, 3 your turn, 4 running, 1 crashed"."""
    said = [f"{count} {name.replace('_', ' ')}" for name, count in board.counts.items() if count]
    return ", ".join(said) or ("No session was prompted yet" if board.new else "No session is running")


class Phrase(NamedTuple):
    """What a session waits for or does, in the parts of a sentence of which the session is the subject."""

    says: str
    """ "wants to run", "asks:", "failed:", "your turn"."""
    about: str = ""
    """ "npm publish", "Which database?"; empty if there is nothing or it is not known."""
    alone: str = ""
    """What to say if `about` is shown elsewhere: "wants to run a command". Empty if `says` is enough."""
    is_command: bool = False
    """Whether `about` is a command."""

    def __str__(self) -> str:
        return f"{self.says} {self.about}" if self.about else self.without_about

    @property
    def without_about(self) -> str:
        return self.alone or self.says


def headline(session: Session) -> str:
    """Return what SESSION waits for or does: "wants to run npm publish", "your turn", "Thinking"."""
    return str(phrase(session))


def phrase(session: Session) -> Phrase:
    status, detail = session.status, session.detail
    if status in UNNAMED:
        return _request(status, "" if detail in UNNAMED[status] else detail)
    if status == "working":
        doing = _doing(detail)
        return doing._replace(says=f"stalled, {doing.says}") if session.stalled else doing
    if status == "limit":
        return Phrase(f"waits for {detail}, goes on by itself" if detail else "waits, goes on by itself")
    if status == "error":
        return _failed(detail, session.last_error)
    called = CALLED.get(status, status)
    if status in ("idle", "ended", "new") or not detail or detail == status:
        return Phrase(called)
    call = deed(detail)
    if call is None or call.is_command:
        return Phrase(f"{called}:", call.subject if call else detail, called, call is not None)
    return Phrase(f"{called}:", f"{call.verb} {call.subject}".rstrip(), called)


def _request(status: Status, detail: str) -> Phrase:
    if status == "question":
        return Phrase("asks:", detail, "has a question")
    if status == "input":
        return Phrase("needs input:", detail, "needs input")
    if status == "plan":
        return Phrase("has a plan:", detail, "has a plan")
    call = deed(detail)
    if call is None:
        return Phrase("wants your approval:", detail, "wants your approval")
    return Phrase(f"wants to {call.verb}", call.subject, f"wants to {call.alone}", call.is_command)


def _doing(detail: str) -> Phrase:
    call = deed(detail)
    return Phrase(call.doing, call.subject, "", call.is_command) if call else Phrase(detail or "working")


def _failed(detail: str, last: str | None) -> Phrase:
    """Return the words for an API error: its message, or its kind if there is no message."""
    found = KIND_OF_ERROR.fullmatch(detail)
    kind = found[1].replace("_", " ") if found else ""
    said = (found[2] or last or kind) if found else detail or last or ""
    return Phrase("failed:", "" if said in ("unknown", "error") else said, "failed")


@lru_cache(maxsize=256)
def short_id(session_id: str) -> str:
    """Return the start of a session id, enough for a person to tell sessions apart: "3f2a9c10". Safe to show."""
    return clean(session_id)[:8]


def safe(text: str) -> str:
    """Return TEXT, of any number of lines, safe to show and without secrets."""
    return without_secrets(visible_lines(text))


def without_secrets_inside(value: object) -> object:
    """Return VALUE, a text or a list or dict of texts, without their secrets. The keys of a dict stay."""
    if isinstance(value, str):
        return _without_secrets(value)
    if isinstance(value, dict):
        return {name: without_secrets_inside(one) for name, one in value.items()}
    return [without_secrets_inside(one) for one in value] if isinstance(value, (list, tuple)) else value


_without_secrets = lru_cache(maxsize=1024)(without_secrets)  # a journal has the same texts many times


def short(text: str, room: int) -> str:
    """Return TEXT as one line of at most ROOM visible characters, safe to show and without secrets."""
    return _short(text[:READ_AT_MOST], room)  # the cache must not keep a prompt of a million characters


@lru_cache(maxsize=512)
def _short(text: str, room: int) -> str:
    return isolate(cut(without_secrets(clean(text)), room))
