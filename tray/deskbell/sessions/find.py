"""Find the session that a person names by the start of its id, title or project. Pure."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from deskbell.errors import Misuse, NotFound
from deskbell.nearest import suggestion
from deskbell.session import Session
from deskbell.text.clean import clean, cut
from deskbell.text.wording import short

STEP = "Run `deskbell list --all` to see them."
SHORTEST = 8
"""Characters of an id that are printed, if they tell it from others."""
NAMED = 5
"""How many candidates an error names."""


class Past(NamedTuple):
    """A session that has a record or a journal, whether or not it still runs."""

    session_id: str
    project: str
    title: str
    at: float
    """The time of its last event."""


class Found(NamedTuple):
    session_id: str
    sessions: tuple[Session, ...]
    """Those of the known sessions that have this id: several if it runs in several terminals; none for a past one."""


def find(said: str, sessions: Sequence[Session], past: Callable[[], Iterable[Past]], step: str = STEP) -> Found:
    """Return the session that SAID names. Raise NotFound if there is none, and Misuse if there are several.

    A running session comes before one of SESSIONS that is over, and that one before a past one. A whole name comes
    before a start. PAST is called only if nothing in SESSIONS matches. STEP says what the person can do if nothing
    matches at all.
    """
    running, over = ([_known(s) for s in sessions if s.over is is_over] for is_over in (False, True))
    found = _matching(said, running) or _matching(said, over)
    if found is None and (found := _matching(said, ended := list(past()))) is None:
        near = meant(said, [*running, *over, *ended], step)
        raise NotFound(f'No session matches "{cut(clean(said), 60)}". {near}')
    return Found(found, tuple(s for s in sessions if s.session_id == found))


def meant(said: str, known: Iterable[Past], step: str = STEP) -> str:
    """Return a suggestion of the name most like SAID, else STEP."""
    names = [name for one in known for name in (one.project, one.title, one.session_id[:8]) if name]
    return suggestion(said, map(short_name, names), step)


def short_name(name: str) -> str:
    return short(name, 60)


def _known(session: Session) -> Past:
    return Past(session.session_id, session.project, session.name, session.heard)


def _matching(said: str, known: Sequence[Past]) -> str | None:
    word = said.strip().casefold()
    for matches in (_has_name, _has_start):
        candidates = {one.session_id: one for one in known if word and matches(one, word)}
        if len(candidates) > 1:
            raise Misuse(_ambiguous(said, list(candidates.values())))
        if candidates:
            return next(iter(candidates))
    return None


def _names(one: Past) -> tuple[str, ...]:
    return one.session_id.casefold(), one.title.casefold(), one.project.casefold()


def _has_name(one: Past, word: str) -> bool:
    return word in _names(one)


def _has_start(one: Past, word: str) -> bool:
    return any(name.startswith(word) for name in _names(one))


def apart(ids: Iterable[str]) -> dict[str, str]:
    """Return the start of each of IDS, long enough to tell it from the others. Safe to show."""
    known = sorted(set(ids))
    length = dict.fromkeys(known, SHORTEST)
    for one, other in pairwise(known):
        common = 1 + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
        length[one], length[other] = max(length[one], common), max(length[other], common)
    return {one: clean(one)[: length[one]] for one in known}


def _ambiguous(said: str, candidates: list[Past]) -> str:
    newest = sorted(candidates, key=lambda one: -one.at)[:NAMED]
    ids = apart(one.session_id for one in candidates)
    named = [f"{ids[one.session_id]} ({short(f'{one.project}: {one.title}', 50)})" for one in newest]
    more = len(candidates) - len(newest)
    rest = [f"{more} more"] if more else []
    return f'"{cut(clean(said), 60)}" is ambiguous: {", ".join([*named, *rest])}. Use the start of a session id.'
