"""Make the row of a session in the menu, and its submenu: what it asks in full, and what the person can do. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import TextWrapper
from typing import NamedTuple

from deskbell.asking import READ, Asking
from deskbell.face.actions import Answer, CopyResume, Details, Dismiss, Jump, Later, Mute, Resume
from deskbell.face.facts import Facts
from deskbell.face.item import BETWEEN, LEFT_TO_RIGHT, Item, separator
from deskbell.face.memo import Memo
from deskbell.session import Key, Session
from deskbell.text.clean import ISOLATE, READ_AT_MOST, escaped, isolate, visible
from deskbell.text.times import clock
from deskbell.text.width import width
from deskbell.text.wording import headline, phrase, safe, short, short_id
from deskbell_hooks.schema import Status

ROOM = 72
"""Characters of the project and the title together. A small laptop has room for them and for what follows them."""
PROJECT, APART, SHORTEST = 30, 30, 20
"""The most characters of the project, and of what tells two equal rows apart; the fewest that the title may have."""
WIDTH, LINES = 60, 8
"""Characters and rows of what a session asks."""

DETAILS = "Details"
LATER = "Later: quiet for 10 minutes"


def rows(sessions: Iterable[Session], facts: Facts, now: float, apart: Mapping[Key, str]) -> list[Item]:
    """Return a row for each session, with a submenu. APART: see `told_apart`."""
    return [_ROWS.of(one, apart.get(one.key, ""), *_quiet(one, facts, now), True) for one in sessions]


def plain_rows(sessions: Iterable[Session], facts: Facts, now: float, apart: Mapping[Key, str]) -> list[Item]:
    """Return a row for each session, without a submenu."""
    return [_ROWS.of(one, apart.get(one.key, ""), *_quiet(one, facts, now), False) for one in sessions]


def _quiet(session: Session, facts: Facts, now: float) -> tuple[bool, str]:
    """Return whether SESSION is muted, and until when it is quiet; empty if it is not."""
    until = facts.later.get(session.session_id)
    return session.session_id in facts.muted, "" if until is None else clock(until, now)


def _row(session: Session, apart: str, muted: bool, quiet_until: str, has_submenu: bool) -> Item:
    over, kept = session.over, session.kept_until is not None or session.lost
    return Item(
        f"{'over' if over else 'session'} {session.session_id} {session.pid}",
        _text(session, apart, muted, quiet_until),
        _way_to(session.key, over).action,
        _about(session.key, over, kept, _says(session), muted, quiet_until) if has_submenu else (),
        sign=session.status,
        since=session.since,
    )


_ROWS = Memo(_row)


def told_apart(sessions: Iterable[Session]) -> dict[Key, str]:
    """Return what tells equal rows apart: the branch, folder, start of the id or process of each of those sessions."""
    alike: dict[str, list[Session]] = {}
    for session in sessions:
        alike.setdefault(_NAMES.of(session), []).append(session)
    several = [same for same in alike.values() if len(same) > 1]
    return {key: ", ".join(filter(None, parts)) for same in several for key, parts in _apart(same, TELLS)}


def _apart(alike: list[Session], tells: Sequence[Callable[[Session], str]]) -> Iterator[tuple[Key, list[str]]]:
    """Yield the key of each of the sessions ALIKE, with what tells it from the others, as it is shown."""
    if len(alike) == 1 or not tells:
        yield from ((one.key, []) for one in alike)
        return
    found: dict[str, list[Session]] = {}
    for session in alike:
        found.setdefault(short(tells[0](session), APART), []).append(session)
    for shown, same in found.items():
        yield from ((key, [*([shown] if len(found) > 1 else []), *more]) for key, more in _apart(same, tells[1:]))


def _branch(session: Session) -> str:
    return session.branch or ""


def _folder(session: Session) -> str:
    """Return the name of the folder, with numbers in place of its control characters: two may differ in those alone."""
    return escaped((session.cwd or "").rstrip("/\\").replace("\\", "/").rpartition("/")[2])


def _id(session: Session) -> str:
    return short_id(session.session_id)


def _whole_id(session: Session) -> str:
    return session.session_id


def _pid(session: Session) -> str:
    return str(session.pid or "")


TELLS = (_branch, _folder, _id, _whole_id, _pid)
"""What may tell equal rows apart, the most telling first."""


def _text(session: Session, apart: str, muted: bool, quiet_until: str) -> str:
    marks = [
        *(["suspended"] if session.suspended else []),
        *(["stalled"] if session.stalled else []),
        *(["muted"] if muted else []),
        *([f"quiet until {quiet_until}"] if quiet_until else []),
    ]
    return _left_to_right(BETWEEN.join((_named(session, apart), *marks)))


def _named(session: Session, apart: str = "") -> str:
    project = short(session.project, PROJECT) + (f" ({apart})" if apart else "")
    room = ROOM - len(project) - len(BETWEEN)
    return f"{project}{BETWEEN}{short(session.name, max(SHORTEST, room))}"


_NAMES = Memo(_named)


def _left_to_right(text: str) -> str:
    return f"{LEFT_TO_RIGHT}{text}" if text.startswith(ISOLATE) else text


@lru_cache(maxsize=512)  # the adapter skips a submenu that is the same object
def _about(key: Key, over: bool, kept: bool, says: "_Says", muted: bool, quiet_until: str) -> tuple[Item, ...]:
    found, shown = _asked(says)
    asked = [Item(f"asked {at}", row) for at, row in enumerate(found)]
    answers = _answers(key, says.status, says.asking.where(shown)) if says.asking else ()
    if over:
        copy = Item("copy", "Copy resume command", CopyResume(key))
        deeds = [_way_to(key, over), copy, *([Item("dismiss", "Dismiss", Dismiss((key,)))] if kept else [])]
    else:
        later = f"Later: quiet until {quiet_until}" if quiet_until else LATER
        deeds = [
            _way_to(key, over),
            Item("later", later, Later(key, on=not quiet_until), checked=bool(quiet_until)),
            Item("mute", "Muted", Mute(key, not muted), checked=muted),
            *([Item("dismiss", "Dismiss", Dismiss((key,)))] if kept else []),
        ]
    above = (*asked, *([separator("after asked")] if asked else []), *answers)
    return (*above, *deeds, Item("details", DETAILS, Details(key)))


def _answers(key: Key, status: Status, asking: Asking) -> tuple[Item, ...]:
    """Return the items that answer with a click. *Allow* is there only if the rows above show all that it allows."""
    asking = asking.where(all(width(one.label) <= ROOM for one in asking.choices if one.id.startswith("option:")))
    choices = [one for one in asking.choices if not one.takes_text and width(one.label) <= ROOM]
    rows = [Item("read", READ.get(status, DETAILS), Details(key))] if asking.unread else []
    name = f"{asking.code}{asking.step or ''}"
    answers = [(one, Answer(key, asking.code, one.id, step=asking.step)) for one in choices]
    rows += [Item(f"{one.id} {name}", one.label, answer) for one, answer in answers]
    why = [Item(f"why {at}", row) for at, row in enumerate(wrapped(asking.why_not))]
    return (*why, *rows, separator("after answers")) if why or rows else ()


def said(session: Session) -> str:
    """Return what a person has to know before they act: what it asks, does or did, or what Claude said last."""
    if session.status in ("idle", "interrupted") and session.last_line:
        return session.last_line
    if session.status == "idle":
        return ""
    return headline(session)


class _Says(NamedTuple):
    """What is shown above the items of a session."""

    status: Status
    text: str
    """What a person has to know before they act, in short."""
    lead: str
    """What it wants to do, without a word of what that is about; empty if it asks nothing that can be answered here."""
    asking: Asking | None


def _says(session: Session) -> _Says:
    lead = phrase(session).without_about if session.asking else ""
    return _Says(session.status, said(session)[:READ_AT_MOST], lead, session.asking)


def _asked(says: _Says) -> tuple[Sequence[str], bool]:
    """Return the rows of what is asked or said, and whether they show all that is asked, to the last character."""
    whole = says.asking.whole if says.asking else ()
    rows, more = wrapped(says.text), _drawn(whole)
    if not more or (len(rows) == len(whole) == 1 and rows[0].endswith(f" {whole[0]}")):
        return rows, bool(more)
    return (*wrapped(f"{says.lead}:"), *more), True


def _drawn(whole: Sequence[str]) -> tuple[str, ...]:
    """Return rows that show all that is asked, to the last character; none if they were too many."""
    if len(whole) > LINES or sum(map(len, whole)) > WIDTH * LINES:
        return ()
    wrapper = TextWrapper(WIDTH, break_on_hyphens=False, replace_whitespace=False, drop_whitespace=False)
    found = [row for line in whole for row in wrapper.wrap(line) or [" "]]
    if len(found) > LINES or not all(map(_fits, found)):
        return ()
    return tuple(_left_to_right(isolate(row)) for row in found)


def _fits(row: str) -> bool:
    """Return whether a menu draws ROW as it is: an emoji may be broken in two, and some characters take two columns."""
    return visible(row) == row and width(row) <= ROOM


def wrapped(text: str) -> tuple[str, ...]:
    """Return TEXT as at most LINES rows, safe to show and without secrets. The last one ends in … if there is more."""
    wrapper = TextWrapper(WIDTH, break_on_hyphens=False)
    found = [row for line in safe(text).split("\n") for row in wrapper.wrap(line)]
    shown = found if len(found) <= LINES else [*found[: LINES - 1], f"{found[LINES - 1][: WIDTH - 1].rstrip()}…"]
    return tuple(_left_to_right(isolate(row)) for row in shown)


def _way_to(key: Key, over: bool) -> Item:
    """Return *Resume* if the session is over, else *Jump*: a running one must not get a second client."""
    if over:
        return Item("resume", "Resume in a terminal", Resume(key))
    return Item("jump", "Jump to it", Jump(key))
