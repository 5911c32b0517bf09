"""Find what a word names: a session, a project or a status that can be muted. Pure.

A word is the name of a status, the name or a glob of a project, or the title or the id of a session. A word that is
none of these may be the beginning of a name, a title or an id. The caller refuses a word that names several things.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from deskbell.notices.quiet import Kind, Quiet, is_glob
from deskbell.notices.wants import WANTING
from deskbell.session import STATUSES
from deskbell.text.clean import clean, cut
from deskbell.text.wording import short, short_id

CAN_BE_MUTED = tuple(status for status in STATUSES if status in WANTING)
"""The statuses that ring; the others never do."""


class SessionNames(NamedTuple):
    """What a person can name a session by."""

    session_id: str
    project: str
    title: str
    folder: str = ""


class Subject(NamedTuple):
    """Something that can be muted."""

    kind: Kind
    what: str
    """The id, the name or glob, or the status."""
    title: str = ""
    """The project and the title of a session; empty for other kinds."""

    @property
    def words(self) -> str:
        """The subject in words: "project web", "status idle", "session 3f2a9c10 (api: Ship it)"."""
        if self.kind != "sessions":
            return f"{NOUNS[self.kind]} {cut(clean(self.what), 60)}"
        return f"session {short_id(self.what)}" + (f" ({self.title})" if self.title else "")


NOUNS: Mapping[Kind, str] = {"sessions": "session", "projects": "project", "statuses": "status"}


def subjects(word: str, known: Sequence[SessionNames], kind: Kind | None = None) -> list[Subject]:
    """Return what WORD names by the rule above: statuses, then projects, then sessions; or only those of KIND."""
    said = word.strip()
    if not said:
        return []
    whole = [*_statuses(said), *_projects(said, known, str.__eq__), *_sessions(said, known, str.__eq__)]
    starts = [*_projects(said, known, str.startswith), *_sessions(said, known, str.startswith)]
    return _of(kind, whole) or _of(kind, starts)


def muted_subjects(
    word: str, quiet: Quiet, now: float, known: Sequence[SessionNames], kind: Kind | None = None
) -> list[Subject]:
    """Return what WORD names, by the same rule, among what is muted at NOW."""
    said = word.strip().casefold()
    muted = _of(kind, all_muted(quiet, now, known)) if said else []
    whole = [one for one in muted if said in _names(one, known)]
    return whole or [one for one in muted if any(name.startswith(said) for name in _names(one, known))]


def all_muted(quiet: Quiet, now: float, known: Sequence[SessionNames]) -> list[Subject]:
    """Return everything that is muted at NOW: sessions, then projects, then statuses."""
    titles = {one.session_id: _title(one) for one in known}
    return [
        Subject(kind, what, titles.get(what, "") if kind == "sessions" else "")
        for kind in NOUNS
        for what in quiet.names(kind, now)
    ]


def _of(kind: Kind | None, found: Iterable[Subject]) -> list[Subject]:
    return [one for one in found if kind in (None, one.kind)]


def _statuses(said: str) -> Iterable[Subject]:
    return (Subject("statuses", status) for status in CAN_BE_MUTED if status == said.casefold())


def _projects(said: str, known: Sequence[SessionNames], fits: Callable[[str, str], bool]) -> Iterable[Subject]:
    if is_glob(said):
        return [Subject("projects", said)]
    names = dict.fromkeys(one.project for one in known if fits(one.project.casefold(), said.casefold()))
    folders = dict.fromkeys(one.folder for one in known if one.folder and one.folder == said)
    return [Subject("projects", name) for name in (*names, *folders) if name]


def _sessions(said: str, known: Sequence[SessionNames], fits: Callable[[str, str], bool]) -> Iterable[Subject]:
    word = said.casefold()
    found = {
        one.session_id: one
        for one in known
        if fits(one.session_id.casefold(), word) or fits(one.title.casefold(), word)
    }
    return [Subject("sessions", one.session_id, _title(one)) for one in found.values()]


def _names(one: Subject, known: Sequence[SessionNames]) -> tuple[str, ...]:
    titles = [k.title for k in known if one.kind == "sessions" and k.session_id == one.what]
    return tuple(name.casefold() for name in (one.what, *titles))


def _title(one: SessionNames) -> str:
    return short(": ".join(filter(None, (one.project, one.title))), 60)
