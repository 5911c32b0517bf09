"""Remember when the person last jumped to each session, in `visits.json`, and say which one is next."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

from deskbell.files.lock import one_at_a_time
from deskbell.files.read import read
from deskbell.files.shape import Shape
from deskbell.files.write import make_private, write_private
from deskbell.session import Session

FILE = "visits.json"
LARGEST = 100_000
"""The most bytes of the file."""
REMEMBERED = 200
"""How many sessions are remembered: those with the newest jumps."""
PATIENCE = 0.5
"""Seconds to wait for another process that writes the file."""


class _Visits(TypedDict):
    version: NotRequired[int]
    visits: NotRequired[dict[str, float]]
    """When the person last jumped to each session, by its id."""


_SHAPE = Shape(_Visits)


def visits(state: Path) -> Mapping[str, float]:
    """Return when the person last jumped to each session. Nothing is remembered if the file is missing or damaged."""
    try:
        return _SHAPE.read(read(state / FILE, LARGEST)).get("visits", {})
    except (OSError, ValueError):
        return {}


def remember(state: Path, session_id: str, now: float) -> None:
    """Note a jump to the session. Raise OSError if the file cannot be written."""
    make_private(state)
    with one_at_a_time(state / "visits.lock", PATIENCE):
        known = {**visits(state), session_id: now}
        newest = sorted(known.items(), key=lambda one: -one[1])[:REMEMBERED]
        write_private(state / FILE, json.dumps({"version": 1, "visits": dict(newest)}).encode())


def following(waiting: Sequence[Session], seen: Mapping[str, float]) -> Session | None:
    """Return the first of WAITING that was not visited since it began to wait, else the one whose visit is oldest.

    WAITING: the sessions that need the person, the most urgent first.
    """

    def visited(session: Session) -> float:
        at = seen.get(session.session_id, 0.0)
        return at if at >= session.since else 0.0

    return min(waiting, key=visited, default=None)
