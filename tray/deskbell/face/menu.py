"""Turn the board and the facts into the menu of the icon: a tree of items, each with the action of a click.

Pure. The row of a session is a submenu: the person first reads what it asks, then chooses what to do. Hosts open it on
a click and, except GNOME, as soon as the pointer is there. No menu is taller than the screen of a small laptop:
sections that do not fit are folded, *Running* first.
"""

from collections.abc import Sequence
from typing import NamedTuple

from deskbell.board import Board
from deskbell.face.actions import (
    Action,
    Answers,
    Dismiss,
    Hooks,
    HooksWish,
    Jump,
    Open,
    Quit,
    Seen,
    Snooze,
    StartAtLogin,
)
from deskbell.face.facts import PROBLEM, Facts, HooksState
from deskbell.face.item import Item, height, separator
from deskbell.face.rows import plain_rows, rows, told_apart
from deskbell.session import Session
from deskbell.text.paths import fitting
from deskbell.text.times import clock
from deskbell.text.usage import in_words
from deskbell.text.wording import short

SPLIT = 3
"""Rows that a section needs at least if it is folded in part: its heading, one session, and a row for the others."""

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
"""The next step if the hooks do not work."""

QUIT = Item("quit", "Quit", Quit())


class Section(NamedTuple):
    """The sessions under one heading of the menu."""

    key: str
    heading: str
    sessions: Sequence[Session]
    extra: tuple[Item, ...] = ()
    """Items below its sessions."""

    @property
    def whole(self) -> int:
        """The number of rows of the section if none is folded."""
        return 1 + len(self.sessions) + len(self.extra)


def menu(board: Board, facts: Facts, now: float) -> tuple[Item, ...]:
    """Return the items of the menu, from top to bottom. The first one is hidden: the action of a click on the icon."""
    above, below = _warnings(facts), (separator("after sessions"), *_program(facts, now))
    left = facts.room.height - facts.room.inside - height((*above, *below), facts.room)
    sessions = _sessions(board, facts, now, int(left // facts.room.row))
    return (_click(board), *above, *sessions, *below)


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
        warnings.append(Item(f"offer {facts.hooks}", *OFFERS[facts.hooks]))
    return (*warnings, separator("after warnings")) if warnings else ()


def _sessions(board: Board, facts: Facts, now: float, room: int) -> list[Item]:
    """Return the rows of the sections: at most ROOM, but at least one for each section."""
    sections = _sections(board)
    shown = _shares(sections, room)
    items = [item for section in sections for item in _section(section, shown[section.key], facts, now)]
    return items or [Item("quiet", "No session is running")]


def _sections(board: Board) -> list[Section]:
    """Return the parts of BOARD that are not empty, in the order in which they are shown."""
    counts = board.counts
    sections = [
        Section("blocked", f"Blocked: {counts['blocked']}", board.blocked),
        Section("your turn", f"Your turn: {counts['your_turn']}", board.your_turn),
        Section("running", f"Running: {counts['running']}", board.running),
        Section("crashed", f"Crashed: {counts['crashed']}", board.crashed, _dismissal(board.crashed)),
        Section("new", "New", board.new),
    ]
    return [section for section in sections if section.sessions]


def _dismissal(crashed: Sequence[Session]) -> tuple[Item, ...]:
    """Return the item that dismisses all crashes. Its key names them, so that a late click dismisses no other one."""
    keys = tuple(session.key for session in crashed)
    return (Item(f"dismiss {keys}", "Dismiss all", Dismiss(keys)),) if len(keys) > 1 else ()


def _shares(sections: Sequence[Section], room: int) -> dict[str, int]:
    """Return how many sessions of each section get a row of their own. *Running* gets what the others leave."""
    shares: dict[str, int] = {}
    order = sorted(sections, key=lambda section: section.key == "running")
    for later, section in zip(range(len(order) - 1, -1, -1), order, strict=True):
        left = room - later  # each later section needs a row
        if section.whole <= left:
            shares[section.key], used = len(section.sessions), section.whole
        elif left >= SPLIT:
            shares[section.key], used = left - SPLIT + 1, left
        else:
            shares[section.key], used = 0, 1
        room -= used
    return shares


def _section(section: Section, share: int, facts: Facts, now: float) -> list[Item]:
    apart = told_apart(section.sessions)
    shown, rest = section.sessions[:share], section.sessions[share:]
    if facts.room.inside:
        folded = plain_rows(rest, facts, now, apart)
    else:
        folded = _folded(rows(rest, facts, now, apart), facts.room.rows - len(section.extra))
    if not share:
        return [Item(section.key, section.heading, children=(*folded, *section.extra))]
    others = Item(f"more {section.key}", f"{len(rest)} more", children=(*folded, *section.extra))
    heading = Item(section.key, section.heading)
    return [heading, *rows(shown, facts, now, apart), *([others] if rest else section.extra)]


def _folded(items: Sequence[Item], room: int) -> list[Item]:
    """Put the items that do not fit into a submenu, which is folded in the same way."""
    if len(items) <= room:
        return list(items)
    rest = items[room - 1 :]
    return [*items[: room - 1], Item("more", f"{len(rest)} more", children=tuple(_folded(rest, room)))]


def _program(facts: Facts, now: float) -> tuple[Item, ...]:
    about = (
        *([] if facts.autostart is None else [_at_login(facts.autostart)]),
        Item("board", "Board", Open("board")),
        Item("settings", "Settings…", Open("settings")),
        Item("log", "Open log", Open("log")),
        Item("doctor", "Doctor", Open("doctor")),
        Item("about", "About Deskbell", Open("about")),
        *([] if facts.answers is None else [_answers(facts.answers)]),
        separator("before hooks"),
        *_hooks(facts),
    )
    used = [Item(f"usage {at}", f"Limits: {line}") for at, line in enumerate(in_words(facts.usages, now))]
    return *used, _snooze(facts.snoozed_until, now), Item("deskbell", "Deskbell", children=about), QUIT


def _snooze(until: float | None, now: float) -> Item:
    wake = [Item("wake", "Ring again now", Snooze(None)), separator("after wake")] if until else []
    return Item(
        "snooze",
        f"Snoozed until {clock(until, now)}" if until else "Snooze all",
        children=(
            *wake,
            Item("30 min", "30 minutes", Snooze("30m")),
            Item("1 h", "1 hour", Snooze("1h")),
            Item("tomorrow", "Until tomorrow", Snooze("tomorrow")),
        ),
    )


def _hooks(facts: Facts) -> tuple[Item, ...]:
    wishes = [Item(wish, f"{wish.capitalize()} the hooks", Hooks(wish)) for wish in _wishes(facts.hooks)]
    if isinstance(OFFERS.get(facts.hooks, ("", None))[1], Hooks):
        wishes.append(Item("changes", "Show what changes", Open("changes")))
    said = [Item("happened", short(fitting(facts.happened, PROBLEM), PROBLEM))] if facts.happened else []
    return (Item("hooks", f"Hooks: {HOOKS_SAY[facts.hooks]}"), *wishes, *said)


def _wishes(hooks: HooksState) -> tuple[HooksWish, ...]:
    if hooks == "missing":
        return ("install",)
    return ("install", "uninstall") if hooks == "unknown" else ("repair", "uninstall")


def _answers(on: bool) -> Item:
    return Item("answers", "Answer from notifications", Answers(not on), checked=on)


def _at_login(on: bool) -> Item:
    return Item("login", "Start at login", StartAtLogin(not on), checked=on)
