"""Keep the log of every decision to ring or not, and of replies, and put each into a sentence for `deskbell why`."""

import json
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from deskbell.errors import Problem
from deskbell.files.read import read as read_file
from deskbell.files.write import append_private
from deskbell.text.clean import clean
from deskbell_hooks.schema import Status
from deskbell_hooks.trim import without_secrets

Outcome = Literal[
    "shown",
    "not displayed",
    "displayed",
    "replaced",
    "adopted",
    "withdrawn",
    "not shown",
    "held",
    "sent",
    "not sent",
    "clicked",
    "closed",
    "answered",
    "not answered",
    "replied",
    "not replied",
]
RINGS: tuple[Outcome, ...] = "shown", "replaced"

LONGEST = 1_000_000
"""The most bytes of a log. Then a new one begins, and the previous one is kept."""
LARGEST = 4 * LONGEST
"""The most bytes of a log that is read."""


@dataclass(frozen=True, slots=True)
class Decision:
    at: float
    session_id: str
    pid: int | None
    project: str
    status: Status | None
    verdict: Outcome
    reason: str


@cache
def _adapter() -> TypeAdapter[Decision]:
    """Return the validator of a line. Only `deskbell why` needs it, and the tray saves 0.4 MB."""
    return TypeAdapter(Decision)


def sentence(decision: Decision) -> str:
    """Return a decision as a sentence: "web: shown at once", "api: not shown, its pane was focused"."""
    joint = " " if decision.reason.startswith(("after ", "as ", "at once", "by ", "from ", "to ")) else ", "
    said = decision.verdict + (f"{joint}{decision.reason}" if decision.reason else "")
    said = _clicked(decision) if decision.verdict == "clicked" else said
    return without_secrets(clean(f"{decision.project or 'Deskbell'}: {said}"))


def _clicked(decision: Decision) -> str:
    """Return what was clicked, and what for. The logs of older versions have a single word, which is left out."""
    what = "you clicked its notification" if decision.project else "you clicked one of its messages"
    return f"{what} {decision.reason}" if decision.reason.startswith("to ") else what


def write(state: Path, decisions: Iterable[Decision]) -> None:
    """Append DECISIONS to the log in the state folder, without secrets. Raise OSError if that fails."""
    lines = "".join(json.dumps(_safe(d), ensure_ascii=False) + "\n" for d in decisions)
    if lines:
        append_private(_file(state), lines.encode(errors="replace"), LONGEST, kept=1)


def _safe(decision: Decision) -> dict[str, object]:
    """Return the fields of DECISION. Its reason may hold what a person typed as an answer."""
    texts = {"project": without_secrets(decision.project), "reason": without_secrets(decision.reason)}
    return asdict(decision) | texts


def read(state: Path, last: int, about: str | None = None) -> list[Decision]:
    """Return the LAST latest decisions, the oldest first, of all or about a project or the start of a session id.

    A ring that nothing displayed is left out: the line that says so takes its place.
    """
    found: deque[Decision] = deque(maxlen=2 * last)
    for file in (_file(state, ".1"), _file(state)):
        for one in (d for line in _lines(file) if (d := _decision(line)) and _is_about(d, about)):
            if one.verdict == "not displayed":
                _forget_the_ring_of(one, found)
            found.append(one)
    return list(found)[-last:]


def _forget_the_ring_of(one: Decision, found: deque[Decision]) -> None:
    """Remove from FOUND the latest ring of the session of ONE, which has not been displayed."""
    for at in range(len(found) - 1, -1, -1):
        if (found[at].session_id, found[at].pid) == (one.session_id, one.pid) and found[at].verdict in RINGS:
            del found[at]
            return


def sentences(state: Path, session_id: str, last: int) -> list[tuple[float, str]]:
    """Return the LAST latest decisions about a session: the time of each, and the decision as a sentence.

    Return none if they cannot be read: a page about the session has much else to show.
    """
    with suppress(Problem):
        return [(one.at, sentence(one)) for one in read(state, last, session_id)]
    return []


def _lines(file: Path) -> list[bytes]:
    try:
        return read_file(file, LARGEST).splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Problem(f"{file} cannot be read: {error.strerror}.", "Move it away, then try again.") from None


def _decision(line: bytes) -> Decision | None:
    """Return the decision in LINE; None for half a line and for one of a newer version."""
    try:
        return _adapter().validate_json(line)
    except ValidationError:
        return None


def _is_about(decision: Decision, about: str | None) -> bool:
    return not about or decision.project == about or decision.session_id.startswith(about)


def _file(state: Path, suffix: str = "") -> Path:
    return state / f"decisions.jsonl{suffix}"
