"""What is in the menu of the tray icon? Pure: the board and the facts in, a tree of items out, each with its Action.

An item's key is its name among its siblings: as long as it stays, the item is the same one, wherever it moves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deskbell.board import Board
from deskbell.face.actions import Action, CopyResume, Details, Hooks, Jump, Mute, Open, Quit, Snooze, StartAtLogin
from deskbell.face.facts import Facts, HooksState
from deskbell.session import Session
from deskbell.text.clean import ISOLATE
from deskbell.text.times import clock
from deskbell.text.wording import headline, short

FLAT = 12
"""More sessions than this are grouped by project."""
URGENT = 6
PROJECTS = 5
ROOM = 20
"""Rows of any submenu: with these numbers no menu is taller than a small laptop's screen, however many sessions run,
not even on GNOME, where a row has 36 pixels and what does not fit is cut off."""

LEFT_TO_RIGHT = "\u200e"
"""GTK turns a row round by its first letter, even where that keeps its direction to itself."""

HOOKS_SAY: dict[HooksState, str] = {
    "installed": "installed",
    "partly": "installed in part",
    "outdated": "outdated",
    "missing": "not installed",
    "overwritten": "overwritten by another tool",
    "unreadable": "the settings cannot be read",
}


@dataclass(frozen=True, slots=True)
class Item:
    key: str
    text: str
    """Empty for a separator."""
    action: Action | None = None
    children: tuple["Item", ...] = ()
    checked: bool | None = None
    hidden: bool = False
    """Not in the menu: what a click on the icon itself does."""

    @property
    def enabled(self) -> bool:
        return bool(self.action or self.children)


QUIT = Item("quit", "Quit", Quit())


def menu(board: Board, facts: Facts, now: float) -> tuple[Item, ...]:
    warnings = _warnings(facts)
    few = len(board.needs_you) + len(board.running) + len(warnings) <= FLAT
    sessions = _flat(board, facts, now) if few else _grouped(board, facts, now)
    return (_click(board), *warnings, *sessions, *_program(facts, now))


def _click(board: Board) -> Item:
    action = Jump(board.needs_you[0].key) if board.needs_you else Open("board")
    return Item("click", "Go to who needs you first", action, hidden=True)


def _warnings(facts: Facts) -> tuple[Item, ...]:
    warnings = []
    if facts.problem:
        warnings.append(Item("problem", short(facts.problem, 80), Open("doctor")))
    if facts.hooks == "missing":
        warnings.append(
            Item("offer", "Claude Code does not report to Deskbell yet: install the hooks", Hooks("install"))
        )
    elif facts.hooks == "unreadable":
        warnings.append(Item("offer", "Claude Code's settings cannot be read: look what is wrong", Open("doctor")))
    elif facts.hooks != "installed":
        warnings.append(Item("offer", f"The hooks are {HOOKS_SAY[facts.hooks]}: repair them", Hooks("repair")))
    return (*warnings, Item("after warnings", "")) if warnings else ()


def _flat(board: Board, facts: Facts, now: float) -> tuple[Item, ...]:
    needs, running = board.needs_you, board.running
    if not needs and not running:
        return Item("quiet", "No session is running"), Item("after sessions", "")
    return (
        *_section("needs", "Needs you", needs, now),
        *([Item("between", "")] if needs and running else []),
        *_section("running", "Running", running, now),
        Item("after sessions", ""),
        Item("all", "All sessions", children=_submenus((*needs, *running), facts, now)),
    )


def _section(key: str, title: str, sessions: Sequence[Session], now: float) -> tuple[Item, ...]:
    return (Item(key, f"{title}: {len(sessions)}"), *_lines(sessions, now)) if sessions else ()


def _grouped(board: Board, facts: Facts, now: float) -> tuple[Item, ...]:
    needs = board.needs_you
    projects: dict[str, list[Session]] = {}
    for session in (*needs, *board.running):
        projects.setdefault(session.project, []).append(session)
    submenus = [_project(name, sessions, facts, now) for name, sessions in projects.items()]
    return (
        *(
            [Item("needs", f"Needs you: {len(needs)}"), *_folded(_lines(needs, now), URGENT, "more need you")]
            if needs
            else []
        ),
        *([Item("before projects", "")] if needs else []),
        Item("projects", f"All {len(needs) + len(board.running)} sessions"),
        *_folded(submenus, PROJECTS, "more projects"),
        Item("after sessions", ""),
    )


def _project(name: str, sessions: Sequence[Session], facts: Facts, now: float) -> Item:
    waiting = sum(s.group == "needs_you" for s in sessions)
    counts = [f"{waiting} need you"] * bool(waiting) + [f"{len(sessions) - waiting} running"] * (
        waiting < len(sessions)
    )
    text = f"{short(name, 32)} ({', '.join(counts)})"
    return Item(f"project {name}", _row(text), children=_submenus(sessions, facts, now, elsewhere=False))


def _submenus(sessions: Iterable[Session], facts: Facts, now: float, elsewhere: bool = True) -> tuple[Item, ...]:
    return _folded([_submenu(s, facts, now, elsewhere) for s in sessions], ROOM, "more")


def _folded(items: Sequence[Item], room: int, words: str) -> tuple[Item, ...]:
    """What does not fit goes one level down, and there again."""
    if len(items) <= room:
        return tuple(items)
    rest = items[room - 1 :]
    return (*items[: room - 1], Item(words, f"{len(rest)} {words}", children=_folded(rest, ROOM, words)))


def _lines(sessions: Iterable[Session], now: float) -> list[Item]:
    return [Item(_key(session), line(session, now), Jump(session.key)) for session in sessions]


def line(session: Session, now: float, elsewhere: bool = True) -> str:
    """The project is named where it is not that of the menu."""
    project = short(session.project, 24) if elsewhere else ""
    parts = [project, short(session.name, 32), short(headline(session), 44), clock(session.since, now)]
    return _row(" - ".join(part for part in parts if part))


def _row(text: str) -> str:
    return f"{LEFT_TO_RIGHT}{text}" if text.startswith(ISOLATE) else text


def _submenu(session: Session, facts: Facts, now: float, elsewhere: bool) -> Item:
    key, muted = session.key, session.session_id in facts.muted
    return Item(
        _key(session),
        line(session, now, elsewhere),
        children=(
            Item("jump", "Jump to it", Jump(key)),
            Item("copy", "Copy resume command", CopyResume(key)),
            Item("mute", "Muted", Mute(key, not muted), checked=muted),
            Item("details", "Details", Details(key)),
        ),
    )


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
    wishes = [Item("install", "Install", Hooks("install"))]
    if facts.hooks != "missing":
        wishes = [Item("repair", "Repair", Hooks("repair")), Item("uninstall", "Uninstall", Hooks("uninstall"))]
    happened = [Item("after hooks", ""), Item("happened", short(facts.happened, 80))] if facts.happened else []
    return Item("hooks", f"Hooks: {HOOKS_SAY[facts.hooks]}", children=(*wishes, *happened))


def _at_login(on: bool) -> Item:
    return Item("login", "Start at login", StartAtLogin(not on), checked=on)
