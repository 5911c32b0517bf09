"""Ask the running Deskbell which requests are open, and have it answer one. Commands, board and doctor call this."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from deskbell.answers.request import VERSION
from deskbell.errors import Problem
from deskbell_hooks.codec import decode, encode
from deskbell_hooks.trim import without_secrets
from deskbell_hooks.wire import Wire

ANSWERS_WITHIN = 5.0
"""Seconds. The program lists requests within milliseconds, and reports within two seconds what came of an answer."""
NOT_RUNNING = Problem(
    "Deskbell takes no answers now.",
    "Start it with `deskbell run`, and switch answers on with `deskbell answers on`.",
)


def requests(state: Path) -> list[dict[str, Any]]:
    """Return the open requests, the oldest first. Raise Problem if the program cannot be asked."""
    found = listed(state)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def listed(state: Path, within: float = ANSWERS_WITHIN) -> object:
    """Return what the program lists as its open requests, as it came. Raise Problem if the program cannot be asked."""
    return _asked(state, {"v": VERSION, "wish": "list"}, within).get("requests")


def answer(state: Path, code: str, choice: str, text: str | None, confirmed: bool, view: str = "") -> dict[str, Any]:
    """Have the program choose CHOICE for the request CODE. Return its report. Raise Problem if it cannot be asked.

    VIEW: what the caller has on its screen. The program permits only what `shown` told it, while it is the same.
    """
    wish = {"v": VERSION, "wish": "answer", "code": code, "choice": choice, "text": text}
    return _asked(state, wish | {"confirmed": confirmed, "view": view}, ANSWERS_WITHIN)


def shown(state: Path, views: Sequence[str]) -> None:
    """Tell the program that the command line has shown VIEWS. Without a program nothing is remembered."""
    with suppress(Problem):
        _asked(state, {"v": VERSION, "wish": "shown", "views": list(views)}, ANSWERS_WITHIN)


def sentence(report: dict[str, Any]) -> str:
    """Return the sentence in REPORT, without secrets: it may repeat what was typed.

    It comes from the program, which may be of another version.
    """
    return without_secrets(str(report.get("said") or "Deskbell did not say what came of it."))


def _asked(state: Path, message: dict[str, Any], within: float) -> dict[str, Any]:
    try:
        wire = Wire(str(state))
        try:
            wire.send(encode(message) + b"\n")
            report = decode(wire.receive(within))
        finally:
            wire.close()
    except (OSError, ValueError):
        raise NOT_RUNNING from None
    if not isinstance(report, dict):
        raise NOT_RUNNING
    return report
