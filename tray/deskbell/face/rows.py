"""Make the row of a session in the menu, and its submenu: what it asks in full, and what the person can do. Pure."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from textwrap import TextWrapper

from deskbell.asking import Asking
from deskbell.face.actions import Answer, CopyResume, Details, Dismiss, Jump, Later, Mute, Resume
from deskbell.face.facts import Facts
from deskbell.face.item import BETWEEN, LEFT_TO_RIGHT, Item, separator
from deskbell.face.memo import Memo
from deskbell.session import Key, Session
from deskbell.text.clean import ISOLATE, READ_AT_MOST, isolate
from deskbell.text.times import clock
from deskbell.text.wording import headline, phrase, safe, short, short_id

ROOM = 72
"""Characters of the project and the title together. A small laptop has room for them and for what follows them."""
PROJECT, APART, SHORTEST = 30, 30, 20
"""The most characters of the project, and of what tells two equal rows apart; the fewest that the title may have."""
WIDTH, LINES = 60, 8
"""Characters and rows of what a session asks."""

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
    about = said(session)[:READ_AT_MOST] if has_submenu else ""
    return Item(
        f"{'over' if over else 'session'} {session.session_id} {session.pid}",
        _text(session, apart, muted, quiet_until),
        _way_to(session.key, over).action,
        _about(session.key, over, kept, about, session.asking, muted, quiet_until) if has_submenu else (),
        sign=session.status,
        since=session.since,
    )


_ROWS = Memo(_row)


def told_apart(sessions: Iterable[Session]) -> dict[Key, str]:
    """Return what tells equal rows apart: the branch, folder, start of the id or process of each of those sessions."""
    alike: dict[str, list[Session]] = {}
    for session in sessions:
        alike.setdefault(_NAMES.of(session), []).append(session)
    return {one.key: _only_of(one, same) for same in alike.values() if len(same) > 1 for one in same}


def _only_of(session: Session, alike: list[Session]) -> str:
    parts = []
    for tell in (_branch, _folder, _id, _pid):
        if len({tell(one) for one in alike}) > 1:
            parts.append(tell(session))
            alike = [one for one in alike if tell(one) == tell(session)]
    return ", ".join(short(one, APART) for one in parts if one)


def _branch(session: Session) -> str:
    return session.branch or ""


def _folder(session: Session) -> str:
    return (session.cwd or "").rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def _id(session: Session) -> str:
    return short_id(session.session_id)


def _pid(session: Session) -> str:
    return str(session.pid or "")


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
def _about(
    key: Key, over: bool, kept: bool, text: str, asking: Asking | None, muted: bool, quiet_until: str
) -> tuple[Item, ...]:
    asked = [Item(f"asked {at}", row) for at, row in enumerate(wrapped(text))]
    answers = _answers(key, asking) if asking else ()
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
    return (*above, *deeds, Item("details", "Details", Details(key)))


def _answers(key: Key, asking: Asking) -> tuple[Item, ...]:
    """Return the items that answer with a click. *Allow* is there only if the rows above show all that it allows."""
    choices = [choice for choice in asking.choices if not choice.takes_text]
    rows = [Item(f"{one.id} {asking.code}", one.label, Answer(key, asking.code, one.id)) for one in choices]
    why = [Item(f"why {at}", row) for at, row in enumerate(wrapped(asking.why_not))]
    return (*why, *rows, separator("after answers")) if why or rows else ()


def said(session: Session) -> str:
    """Return what a person has to know before they act: what it asks, does or did, or what Claude said last."""
    if session.status in ("idle", "interrupted") and session.last_line:
        return session.last_line
    if session.status == "idle":
        return ""
    text = "\n".join(session.asking.text) if session.asking else ""
    line = headline(session)
    return line if text in line else f"{phrase(session).without_about}:\n{text}"


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
