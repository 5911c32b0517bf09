"""Which session does the person mean? By any beginning of its id, its title or its project that only one has. Pure."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from deskbell.errors import Problem
from deskbell.session import Session
from deskbell.text.clean import clean, cut

NAMED = 5
"""Candidates that are named when there are several."""


class Past(NamedTuple):
    """A session of which there is a record or a journal, whether or not it still runs."""

    session_id: str
    project: str
    title: str
    at: float
    """When anything was last heard of it."""


class Found(NamedTuple):
    session_id: str
    sessions: tuple[Session, ...]
    """Those that run it: one, or none any more, or several terminals at once."""


def find(said: str, sessions: Sequence[Session], past: Callable[[], Iterable[Past]]) -> Found:
    """What runs goes before what is over, and the whole word before its beginning. `past` is only asked if need be."""
    known = [Past(s.session_id, s.project, s.name, s.heard) for s in sessions]
    found = _meant(said, known) or _meant(said, list(past()))
    if found is None:
        raise Problem(f'no session is called "{cut(clean(said), 60)}"; deskbell list --all shows what there is')
    return Found(found, tuple(s for s in sessions if s.session_id == found))


def _meant(said: str, known: Sequence[Past]) -> str | None:
    word = said.strip().casefold()
    for is_meant in (_is_called, _begins_with):
        candidates = {one.session_id: one for one in known if word and is_meant(one, word)}
        if len(candidates) > 1:
            raise Problem(_several(said, list(candidates.values())))
        if candidates:
            return next(iter(candidates))
    return None


def _names(one: Past) -> tuple[str, ...]:
    return one.session_id.casefold(), one.title.casefold(), one.project.casefold()


def _is_called(one: Past, word: str) -> bool:
    return word in _names(one)


def _begins_with(one: Past, word: str) -> bool:
    return any(name.startswith(word) for name in _names(one))


def _several(said: str, candidates: list[Past]) -> str:
    newest = sorted(candidates, key=lambda one: -one.at)[:NAMED]
    named = [f"{one.session_id[:8]} ({cut(clean(f'{one.project}: {one.title}'), 50)})" for one in newest]
    more = len(candidates) - len(newest)
    rest = [f"{more} more"] if more else []
    return f'"{cut(clean(said), 60)}" could be {", ".join([*named, *rest])}; say a few letters of the id'
