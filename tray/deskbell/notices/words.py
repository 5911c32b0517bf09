"""Word the notification of a session, and the summary of many. Pure.

The title says who wants what. The body says in full what is asked, then what the person asked last, then since when. It
does not repeat what the title says in full. Without details, a notification has only the project and "blocked", "your
turn" or "crashed".
"""

from collections.abc import Sequence
from textwrap import TextWrapper
from typing import NamedTuple, Protocol

from deskbell.board import Board
from deskbell.session import BLOCKED, Session
from deskbell.text.rows import heading
from deskbell.text.times import clock
from deskbell.text.width import width
from deskbell.text.wording import Phrase, counts, phrase, short
from deskbell_hooks.schema import Status

TITLE = 44
"""Columns of a title. Xfce and GNOME cut a longer one at the right."""
LINE = 46
"""Visible characters of a line of a summary. A longer one takes two lines on Xfce."""
LINES = 6
"""Lines of a summary. GNOME shows no more."""
ASKED = 5
"""Lines of what is asked, each of LINE characters: the last line of a body is its own."""
PROJECT, SAYS, PROMPT, NAME, BRANCH = 30, 60, 80, 40, 30
"""Visible characters of each part. SAYS includes the name of a tool, which may be long."""
UNREAD = 3 * LINE
"""Characters of a request that does not fit: its end is cut, so that nobody takes what is shown for all of it."""
LEAST = 12
"""The fewest characters of what is asked in a line of a summary, however long the rest is."""

SENTENCES: frozenset[Status] = BLOCKED | {"interrupted", "error", "crashed"}
"""The statuses that make a sentence with the project: "web stopped". Others follow a colon: "web: your turn"."""
CUT_SHORT: frozenset[Status] = frozenset(("interrupted", "crashed"))
"""The statuses whose detail is what the session did last, not what it asks."""


class Shown(Protocol):
    """The settings of what a notification shows: the part `notification` of the policy."""

    @property
    def details(self) -> bool: ...
    @property
    def branch(self) -> bool: ...
    @property
    def length(self) -> int: ...


class Words(NamedTuple):
    title: str
    body: str


def words(session: Session, shown: Shown, now: float) -> Words:
    """Return what the notification of SESSION says at NOW."""
    project = short(session.project, PROJECT)
    if not shown.details:
        return Words(project, _state(session))
    said = phrase(session)
    length = min(shown.length, UNREAD) if session.asking and session.asking.unread else shown.length
    about = _quoted(said, length)
    whole = _sentence(project, said, about, session.status)
    fits = session.status not in CUT_SHORT and width(whole) <= TITLE
    asked = _whole(session, about, fits)
    title = whole if fits else _sentence(project, said, "", session.status)
    prompt = short(session.prompt, PROMPT)
    lines = [
        *(asked or [_asked(session, "" if fits else about, length)]),
        session.asking.why_not if session.asking else "",
        f"You asked: {prompt}" if prompt else "",
        _where_and_when(session, shown, now),
    ]
    return Words(title, "\n".join(filter(None, lines)))


def words_of_many(sessions: Sequence[Session], shown: Shown, lead: str = "", waited_at: float | None = None) -> Words:
    """Return what a summary says of SESSIONS: how many there are, then the first of them by name.

    LEAD is in the title if it fits, else above the lines. So is the start of the longest wait, if WAITED_AT is given.
    """
    count = counts(Board(tuple(sessions)))
    since = ""
    if waited_at is not None and shown.details:
        since = f"longest since {clock(min(one.since for one in sessions), waited_at)}"
    whole = f"{lead}: {count}" if lead else f"{count}, the {since}" if since else count
    fits = len(whole) <= TITLE or whole == count
    above = [] if fits else [lead or f"The {since}"]
    lines = _first([line(one, shown) for one in sessions], LINES - len(above))
    return Words(whole if fits else count, "\n".join([*above, *lines]))


def _first(lines: Sequence[str], room: int) -> Sequence[str]:
    return lines if len(lines) <= room else [*lines[: room - 1], f"and {len(lines) - room + 1} more"]


def line(session: Session, shown: Shown) -> str:
    """Return what a summary says of SESSION: "storefront wants to run `npm publish`", "web: your turn"."""
    project = short(session.project, PROJECT)
    if not shown.details:
        return f"{project}: {_state(session).lower()}"
    said = phrase(session)
    room = LINE - len(_sentence(project, said, "x", session.status)) + 1
    about = "" if session.status in CUT_SHORT else _quoted(said, max(room, LEAST))
    return _sentence(project, said, about, session.status)


def _state(session: Session) -> str:
    return "Stalled" if session.stalled else heading(session)


def _sentence(project: str, said: Phrase, about: str, status: Status) -> str:
    does = f"{short(said.says, SAYS)} {about}" if about else short(said.without_about, SAYS)
    return f"{project}{'' if status in SENTENCES else ':'} {does}"


def _quoted(said: Phrase, room: int) -> str:
    """Return what SAID is about, in at most ROOM characters; a command in backticks.

    A command that is cut has no closing backtick: Plasma would put it alone into the next line.
    """
    if not said.is_command:
        return short(said.about, room)
    about = short(said.about, max(room - 2, 1))
    return f"`{about}{'' if about.endswith('…') else '`'}" if about else ""


def _whole(session: Session, about: str, fits: bool) -> Sequence[str]:
    """Return the lines of all that is asked, if they fit, without a command or question that the title shows whole."""
    lines = session.asking.whole if session.asking else ()
    if not has_room(lines):
        return ()
    alone = len(lines) == 1 or session.status == "question"
    return lines[1:] if fits and alone and lines and about in (lines[0], f"`{lines[0]}`") else lines


def has_room(lines: Sequence[str]) -> bool:
    """Return whether a notification has room for all that is asked, in LINES."""
    return sum(map(len, lines)) <= LINE * ASKED and rows(lines) <= ASKED


def rows(lines: Sequence[str]) -> int:
    """Return how many rows LINES take where a row has LINE characters."""
    wrapper = TextWrapper(LINE, break_on_hyphens=False, replace_whitespace=False, drop_whitespace=False)
    return sum(len(wrapper.wrap(_spread(line))) or 1 for line in lines)


def _spread(line: str) -> str:
    """Return LINE with a second character for each that takes two columns, to measure it."""
    return line if line.isascii() else "".join("xx" if width(char) > 1 else char for char in line)


def is_shown(whole: Sequence[str], title: str, body: str) -> bool:
    """Return whether a notification of TITLE and BODY shows all that is asked, to the last character."""
    lines, first = body.split("\n"), " ".join(whole[:1])
    if lines[: len(whole)] == [*whole]:
        return True
    in_title = width(title) <= TITLE and title.endswith((f" {first}", f" `{first}`"))
    return in_title and lines[: len(whole) - 1] == [*whole[1:]]


def _asked(session: Session, about: str, length: int) -> str:
    """Return the first line of a body: what the title does not say."""
    if session.status == "idle":
        return short(session.last_line or "", length)
    return f"Last step: {about}" if about and session.status in CUT_SHORT else about


def _where_and_when(session: Session, shown: Shown, now: float) -> str:
    """Return the last line of a body: "Waiting since 14:02 · Release 2.4 · on main"."""
    since = "Waiting since" if session.blocked else "Since" if session.status == "idle" else "At"
    name = "" if session.title in session.prompt else short(session.title, NAME)
    branch = short(session.branch or "", BRANCH) if shown.branch else ""
    when = f"Last step at {clock(session.heard, now)}" if session.stalled else f"{since} {clock(session.since, now)}"
    parts = [when, name, f"on {branch}" if branch else ""]
    return " · ".join(filter(None, parts))
