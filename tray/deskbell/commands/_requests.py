"""Read the open requests of the running Deskbell, and attach them to their sessions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deskbell.asking import Asking, Choice
from deskbell.cards.answering import attached
from deskbell.session import Key, Session


def with_requests(state: Path, sessions: Sequence[Session]) -> Sequence[Session]:
    """Return SESSIONS, each blocked one with its open request."""
    return attached(sessions, open_requests(state)) if any(one.blocked for one in sessions) else sessions


def open_requests(state: Path) -> dict[Key, Asking]:
    """Return what each session waits for that can be answered here; nothing if the program cannot be asked."""
    from deskbell.answers.call import requests  # imported here, because most of the time no session waits
    from deskbell.answers.door import address
    from deskbell.errors import Problem
    from deskbell.files.there import exists

    if not exists(address(state)):
        return {}
    try:
        found = requests(state)
    except Problem:
        return {}
    return {(str(one["session_id"]), one["pid"]): asking for one in found if (asking := _asking(one))}


def _asking(said: Mapping[str, Any]) -> Asking | None:
    """Return the request that the program describes; None if it comes from another version."""
    try:
        choices, whole = tuple(map(_choice, said["choices"])), tuple(map(str, said["whole"]))
        said["session_id"], said["pid"]
        return Asking(str(said["code"]), str(said["asks"]), whole, choices, str(said["why_not"]))
    except (KeyError, TypeError):
        return None


def _choice(said: Mapping[str, Any]) -> Choice:
    texts = str(said["id"]), str(said["label"])
    return Choice(*texts, said["takes_text"] is True, said["allows"] is True, str(said["about"]))
