"""Attach the open requests of the running Deskbell to their sessions. The board calls this."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from deskbell.asking import Asking, Choice
from deskbell.session import Session


def with_requests(state: Path, sessions: Sequence[Session]) -> Sequence[Session]:
    """Return SESSIONS, each blocked one with its open request; unchanged if the program cannot be asked."""
    if not any(one.blocked for one in sessions):
        return sessions
    from deskbell.answers.call import requests  # imported here, because most of the time no session waits
    from deskbell.answers.door import address
    from deskbell.errors import Problem
    from deskbell.files.there import exists

    if not exists(address(state)):
        return sessions
    try:
        found = {(one.get("session_id"), one.get("pid")): one for one in requests(state)}
    except Problem:
        return sessions
    return [_with(one, found.get(one.key)) if one.blocked else one for one in sessions]


def _with(session: Session, request: Mapping[str, Any] | None) -> Session:
    asking = _asking(request) if request else None
    return replace(session, detail=asking.detail, asking=asking) if asking else session


def _asking(said: Mapping[str, Any]) -> Asking | None:
    """Return the request that the program describes; None if it comes from another version."""
    try:
        choices, whole = tuple(map(_choice, said["choices"])), tuple(map(str, said["whole"]))
        return Asking(str(said["code"]), str(said["asks"]), whole, choices, str(said["why_not"]))
    except (KeyError, TypeError):
        return None


def _choice(said: Mapping[str, Any]) -> Choice:
    texts = str(said["id"]), str(said["label"])
    return Choice(*texts, said["takes_text"] is True, said["allows"] is True, str(said["about"]))
