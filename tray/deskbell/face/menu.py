"""Turn the board and the facts into the menu of the icon: a tree of items, each with the action of a click.

Pure. An item's key is unique among its siblings and stays the same while the item moves: the adapter updates an open
menu in place.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deskbell.board import Board
from deskbell.face.actions import (
    Action,
    CopyResume,
    Details,
    Dismiss,
    Hooks,
    HooksWish,
    Jump,
    Mute,
    Open,
    Quit,
    Seen,
    Snooze,
    StartAtLogin,
)
from deskbell.face.facts import PROBLEM, Facts, HooksState
from deskbell.session import Group, Session
from deskbell.text.clean import ISOLATE
from deskbell.text.paths import fitting
from deskbell.text.times import clock
from deskbell.text.wording import headline, short

FLAT = 12
"""More sessions than this are grouped by project."""
URGENT = 6
PROJECTS = 5
ROOM = 20
"""Rows of a submenu. With these limits no menu is taller than the screen of a small laptop, not even on GNOME, where a
row has 36 pixels and rows that do not fit are cut off."""

LEFT_TO_RIGHT = "\u200e"
"""Keeps a row left-to-right. GTK takes the direction of a row from its first strong letter, even inside an isolate."""

HOOKS_SAY: dict[HooksState, str] = {
    "installed": "installed",
    "partly": "partly installed",
    "outdated": "outdated",
    "missing": "not installed",
    "overwritten": "overwritten by another tool",
    "unreadable": "cannot read the settings",
    "unknown": "unknown",
}
OFFERS: dict[HooksState, tuple[str, Action]] = {
    "missing": ("Hooks are not installed: install them", Hooks("install")),
    "partly": ("Hooks are partly installed: repair them", Hooks("repair")),
    "outdated": ("Hooks are outdated: repair them", Hooks("repair")),
    "overwritten": ("Another tool overwrote the hooks: repair them", Hooks("repair")),
    "unreadable": ("Cannot read Claude Code's settings: show the problem", Open("doctor")),
}
"""The next step to take where the hooks do not work."""

COUNTED: dict[Group, str] = {"needs_you": "need you", "running": "running", "crashed": "crashed", "ended": "ended"}


@dataclass(frozen=True, slots=True)
class Item:
    key: str
    text: str
    """Empty for a separator."""
    action: Action | None = None
    children: tuple["Item", ...] = ()
    checked: bool | None = None
    hidden: bool = False
    """Not shown in the menu: the action of a click on the icon itself."""

    @property
    def enabled(self) -> bool:
        return bool(self.action or self.children)


QUIT = Item("quit", "Quit", Quit())


def menu(board: Board, facts: Facts, now: float) -> tuple[Item, ...]:
    warnings = _warnings(facts)
    few = len(board.sessions) + len(warnings) + len(_crashed(board, facts, now)) - len(board.crashed) <= FLAT
    sessions = _flat(board, facts, now) if few else _grouped(board, facts, now)
    return (_click(board), *warnings, *sessions, *_program(facts, now))


def opened(board: Board) -> Action | None:
    """Return what to do when the person opens the menu."""
    return Seen(tuple(session.key for session in board.crashed)) if board.crashed else None


def _click(board: Board) -> Item:
    action = Jump(board.blocked[0].key) if board.blocked else Open("board")
    return Item("click", "Show the most urgent session", action, hidden=True)


def _warnings(facts: Facts) -> tuple[Item, ...]:
    warnings = []
    if facts.problem:
        warnings.append(Item("problem", short(facts.problem, PROBLEM), Open("doctor")))
    if facts.hooks in OFFERS:
        warnings.append(Item("offer", *OFFERS[facts.hooks]))
    return (*warnings, Item("after warnings", "")) if warnings else ()


def _flat(board: Board, facts: Facts, now: float) -> tuple[Item, ...]:
    needs, running, crashed = board.needs_you, board.running, _crashed(board, facts, now)
    return (
        *_section("needs", "Needs you", needs, now),
        *([Item("between", "")] if needs and running else []),
        *_section("running", "Running", running, now),
        *([] if needs or running else [Item("quiet", "No session is running")]),
        *([Item("before crashed", ""), *crashed] if crashed else []),
        Item("after sessions", ""),
        *([Item("all", "All sessions", children=_submenus(board.sessions, facts, now))] if board.sessions else []),
    )


def _section(key: str, title: str, sessions: Sequence[Session], now: float) -> tuple[Item, ...]:
    return (Item(key, f"{title}: {len(sessions)}"), *_lines(sessions, now)) if sessions else ()


def _crashed(board: Board, facts: Facts, now: float) -> tuple[Item, ...]:
    """The crashes that the person has not seen yet, each with what can be done about it."""
    crashed = board.crashed
    if not crashed:
        return ()
    every = Item("dismiss all", "Dismiss all", Dismiss(tuple(session.key for session in crashed)))
    rows = [_submenu(session, facts, now, elsewhere=True) for session in crashed]
    return Item("crashed", f"Crashed: {len(crashed)}"), *rows, *([every] if len(crashed) > 1 else [])


def _grouped(board: Board, facts: Facts, now: float) -> tuple[Item, ...]:
    needs, crashed = board.needs_you, _crashed(board, facts, now)
    projects: dict[str, list[Session]] = {}
    for session in board.sessions:
        projects.setdefault(session.project, []).append(session)
    submenus = [_project(name, sessions, facts, now) for name, sessions in projects.items()]
    return (
        *(
            [
                Item("needs", f"Needs you: {len(needs)}"),
                *_folded(_lines(needs, now), URGENT - bool(crashed), "more need you"),
            ]
            if needs
            else []
        ),
        *([Item("crashed", crashed[0].text, children=_folded(crashed[1:], ROOM, "more"))] if crashed else []),
        *([Item("before projects", "")] if needs or crashed else []),
        Item("projects", f"All {len(board.sessions)} sessions"),
        *_folded(submenus, PROJECTS, "more projects"),
        Item("after sessions", ""),
    )


def _project(name: str, sessions: Sequence[Session], facts: Facts, now: float) -> Item:
    groups = Counter(session.group for session in sessions)
    counts = ", ".join(f"{groups[group]} {words}" for group, words in COUNTED.items() if groups[group])
    text = f"{short(name, 32)} ({counts})"
    return Item(f"project {name}", _row(text), children=_submenus(sessions, facts, now, elsewhere=False))


def _submenus(sessions: Iterable[Session], facts: Facts, now: float, elsewhere: bool = True) -> tuple[Item, ...]:
    return _folded([_submenu(s, facts, now, elsewhere) for s in sessions], ROOM, "more")


def _folded(items: Sequence[Item], room: int, words: str) -> tuple[Item, ...]:
    """Put the items that do not fit into a submenu, which is folded in the same way."""
    if len(items) <= room:
        return tuple(items)
    rest = items[room - 1 :]
    return (*items[: room - 1], Item(words, f"{len(rest)} {words}", children=_folded(rest, ROOM, words)))


def _lines(sessions: Iterable[Session], now: float) -> list[Item]:
    return [Item(_key(session), line(session, now), Jump(session.key)) for session in sessions]


def line(session: Session, now: float, elsewhere: bool = True) -> str:
    """The row of a session. It names the project where `elsewhere`: outside of the project's own submenu."""
    project = short(session.project, 24) if elsewhere else ""
    name, when = short(session.name, 32), clock(session.since, now)
    if session.status == "crashed":
        parts = [project, name, short(session.detail, 44), f"crashed {when}"]
    else:
        suspended = " (suspended)" if session.suspended else ""
        parts = [project, name, f"{short(headline(session), 44)}{suspended}", when]
    return _row(" - ".join(part for part in parts if part))


def _row(text: str) -> str:
    return f"{LEFT_TO_RIGHT}{text}" if text.startswith(ISOLATE) else text


def _submenu(session: Session, facts: Facts, now: float, elsewhere: bool) -> Item:
    key, muted = session.key, session.session_id in facts.muted
    return Item(
        _key(session),
        line(session, now, elsewhere),
        children=(
            _way_to(session),
            Item("dismiss", "Dismiss", Dismiss((key,)))
            if session.kept_until is not None
            else Item("mute", "Muted", Mute(key, not muted), checked=muted),
            Item("details", "Details", Details(key)),
        ),
    )


def _way_to(session: Session) -> Item:
    """A running session is never resumed: that would start a second client on the same id."""
    if session.over:
        return Item("copy", "Copy resume command", CopyResume(session.key))
    return Item("show", "Show where it runs", Jump(session.key))


def _key(session: Session) -> str:
    return f"session {session.session_id} {session.pid}"


def _program(facts: Facts, now: float) -> tuple[Item, ...]:
    about = (
        *([] if facts.autostart is None else [_at_login(facts.autostart)]),
        Item("settings", "Settings…", Open("settings")),
        Item("log", "Open log", Open("log")),
        Item("doctor", "Doctor", Open("doctor")),
        Item("about", "About Deskbell", Open("about")),
    )
    return _snooze(facts.snoozed_until, now), _hooks(facts), Item("deskbell", "Deskbell", children=about), QUIT


def _snooze(until: float | None, now: float) -> Item:
    wake = [Item("wake", "Ring again now", Snooze(None)), Item("after wake", "")] if until else []
    return Item(
        "snooze",
        f"Snoozed until {clock(until, now)}" if until else "Snooze",
        children=(
            *wake,
            Item("30 min", "30 minutes", Snooze("30m")),
            Item("1 h", "1 hour", Snooze("1h")),
            Item("tomorrow", "Until tomorrow", Snooze("tomorrow")),
        ),
    )


def _hooks(facts: Facts) -> Item:
    wishes = [Item(wish, wish.capitalize(), Hooks(wish)) for wish in _wishes(facts.hooks)]
    if isinstance(OFFERS.get(facts.hooks, ("", None))[1], Hooks):
        wishes.append(Item("changes", "Show what changes", Open("changes")))
    happened = (
        [Item("after hooks", ""), Item("happened", short(fitting(facts.happened, PROBLEM), PROBLEM))]
        if facts.happened
        else []
    )
    return Item("hooks", f"Hooks: {HOOKS_SAY[facts.hooks]}", children=(*wishes, *happened))


def _wishes(hooks: HooksState) -> tuple[HooksWish, ...]:
    if hooks == "missing":
        return ("install",)
    return ("install", "uninstall") if hooks == "unknown" else ("repair", "uninstall")


def _at_login(on: bool) -> Item:
    return Item("login", "Start at login", StartAtLogin(not on), checked=on)
