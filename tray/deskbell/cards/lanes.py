"""Sort the sessions into the lanes of the board in the terminal, filtered and grouped. Pure.

The order differs from that of `deskbell list`. Needs You: the sessions whose conversation the prompt cache still holds
come first, then the more urgent ones, then the newer ones. Running: the newest prompt first. Ended: crashes first, then
the newest end. New: the sessions that were never prompted come last.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from deskbell.board import Board
from deskbell.session import URGENCY, Session
from deskbell.text.clean import clean, escaped
from deskbell.text.wording import CALLED

Name = Literal["needs_you", "running", "ended", "new"]
HEADINGS: dict[Name, str] = {"needs_you": "Needs You", "running": "Running", "ended": "Ended", "new": "New"}

CACHED_FOR = 300.0
"""Seconds for which a prompt cache keeps a conversation. An answer within them costs less and comes sooner.
https://docs.claude.com/en/docs/build-with-claude/prompt-caching"""
WARM, UNKNOWN, COLD = 0, 1, 2


@dataclass(frozen=True, slots=True)
class View:
    """What the person has chosen to see."""

    query: str = ""
    """Words that every shown card has."""
    only_needs_you: bool = False
    by_project: bool = False
    unfolded: bool = False
    """Whether the sessions that ended without a crash are shown."""


class Group(NamedTuple):
    """The sessions of one project in a lane, or all of them."""

    name: str
    """The project; empty where sessions are not grouped."""
    sessions: tuple[Session, ...]


class Lane(NamedTuple):
    """One of the parts of the board."""

    name: Name
    groups: tuple[Group, ...]
    folded: int = 0
    """Sessions that are there, but not shown."""
    filtered: bool = False
    """Whether only sessions with certain words are in it."""

    @property
    def sessions(self) -> tuple[Session, ...]:
        return tuple(session for group in self.groups for session in group.sessions)

    @property
    def many(self) -> int:
        """The number of sessions, shown or folded."""
        return sum(len(group.sessions) for group in self.groups) + self.folded


def lanes(board: Board, past: Iterable[Session], view: View, now: float) -> tuple[Lane, ...]:
    """Return the lanes that VIEW shows. PAST: the sessions that ended within a day and have left the board."""
    needs_you = sorted(_chosen(board.needs_you, view), key=lambda one: _worth(one, now))
    is_filtered = bool(view.query.strip())
    waiting = Lane("needs_you", _groups(needs_you, view), filtered=is_filtered)
    if view.only_needs_you:
        return (waiting,)
    running = sorted(_chosen(board.running, view), key=lambda one: -(one.turn_started or one.since))
    crashed = _chosen(board.crashed, view)
    gone = (*(one for one in board.sessions if one.group == "ended"), *past)
    ended = sorted(_chosen(gone, view), key=lambda one: -one.since)
    shown = (*crashed, *ended) if view.unfolded else crashed
    folded = 0 if view.unfolded else len(ended)
    runs = Lane("running", _groups(running, view), filtered=is_filtered)
    over = Lane("ended", _groups(shown, view), folded, is_filtered)
    new = Lane("new", _groups(_chosen(board.new, view), view), filtered=is_filtered)
    return waiting, runs, over, *([new] if new.many else [])


def past(board: Board, sessions: Iterable[Session]) -> list[Session]:
    """Return the SESSIONS that are over, are not hidden, and are not on BOARD."""
    shown = {session.key for session in board.sessions}
    return [one for one in sessions if one.over and not one.hidden and one.key not in shown]


def warmth(session: Session, now: float) -> int:
    """Return whether the prompt cache holds the conversation of a waiting session: WARM, UNKNOWN or COLD."""
    if not session.turns or warm_for(session, now) <= 0:
        return COLD
    return UNKNOWN if session.status == "error" else WARM  # a failed request may have filled the cache or not


def warm_for(session: Session, now: float) -> float:
    """Return for how many more seconds the prompt cache is warm: at most CACHED_FOR, as a clock may be set back."""
    return min(CACHED_FOR, session.since + CACHED_FOR - now)


def _worth(session: Session, now: float) -> tuple[int, int, float, str, int]:
    return warmth(session, now), URGENCY[session.status], -session.since, session.session_id, session.pid or 0


def _chosen(sessions: Iterable[Session], view: View) -> list[Session]:
    words = view.query.casefold().split()
    return [one for one in sessions if _has(one, words)] if words else list(sessions)


def _has(session: Session, words: Sequence[str]) -> bool:
    called = CALLED.get(session.status, "")
    texts = (session.project, session.title, session.prompt, session.detail, session.status, called)
    more = (session.branch, session.model, session.cwd, session.session_id)
    said = " ".join((*texts, *(text for text in more if text))).casefold()
    return all(word in said for word in words)


def _groups(sessions: Sequence[Session], view: View) -> tuple[Group, ...]:
    """Return a group for each project, in the order of their first sessions; or one group without a name."""
    if not view.by_project:
        return (Group("", tuple(sessions)),) if sessions else ()
    found: dict[str, list[Session]] = {}
    for session in sessions:
        found.setdefault(session.project, []).append(session)
    shown = Counter(map(clean, found))
    return tuple(Group(escaped(name) if shown[clean(name)] > 1 else name, tuple(many)) for name, many in found.items())
