"""Test that GNOME's menu shows the board whatever happens on it, with every version of the extension.

DESKBELL_THOROUGH=1 tries 100,000 changes with each.
"""

import os
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import pytest

from deskbell.board import board
from deskbell.desktop.tray.builder import Builder
from deskbell.desktop.tray.current import Current
from deskbell.desktop.tray.layout import ROOT, Difference, Layout, Node
from deskbell.desktop.tray.library import Menu
from deskbell.face.actions import Action
from deskbell.face.facts import Facts
from deskbell.face.item import Item
from deskbell.face.menu import menu
from deskbell.face.room import GNOME, OTHERS
from deskbell.session import STATUSES, Session
from tests.tray.desktop.tray.extension import DEFERRED, FORMS, LOSING, MOVING, OLD, Extension, Form
from tests.tray.making import NOON, session

CHANGES = 100_000 if os.environ.get("DESKBELL_THOROUGH") else 400
OPEN, CLOSES = 0.5, 0.3
"""How likely the menu is opened, and closed, before a change."""


class Day:
    """Sessions that come, go and change at random, with a person who mutes, snoozes and installs."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._numbers = count()
        self._sessions: dict[int, Session] = {}
        self._facts = Facts(hooks="installed", autostart=True)
        self.now = NOON

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def menu(self) -> tuple[Item, ...]:
        """The menu after a few changes."""
        for _ in range(self._random.choice((0, 1, 1, 1, 2, 5))):
            self._change()
        self.now += self._random.choice((0.1, 5.0, 100.0))
        return menu(board(self._sessions.values(), self.now), self._facts, self.now)

    def _change(self) -> None:
        many = self._random.choice((2, 6, 12, 25))
        deeds = [self._come] * (len(self._sessions) < many) + [self._go] * (len(self._sessions) > many)
        self._random.choice([*deeds, self._move, self._move, self._retitle, self._decide])()

    def _come(self) -> None:
        number = next(self._numbers)
        project = self._random.choice(("api", "web", "docs_new"))
        self._sessions[number] = session(session_id=f"s{number}", pid=number, project=project, since=self.now)

    def _go(self) -> None:
        del self._sessions[self._any()]

    def _move(self) -> None:
        if self._sessions:
            status = self._random.choice(STATUSES)
            kept = self.now + 1e6 if status == "crashed" else None
            self._alter(status=status, since=self.now, detail=f"Bash: make {self.now}", kept_until=kept)

    def _retitle(self) -> None:
        if self._sessions:
            said = "x " * self._random.choice((0, 20, 100, 300))
            self._alter(title=f"Title {self.now}", last_line=said, suspended=self.chance(0.3))

    def _decide(self) -> None:
        some = [one.session_id for one in self._sessions.values() if self.chance(0.2)]
        self._facts = replace(
            self._facts,
            muted=frozenset(some),
            hooks=self._random.choice(("installed", "missing", "outdated")),
            problem=self._random.choice((None, None, "The disk is full")),
            snoozed_until=self._random.choice((None, self.now + 60)),
            room=self._random.choice((GNOME, GNOME, OTHERS)) if self.chance(0.1) else self._facts.room,
        )

    def _any(self) -> int:
        return self._random.choice([*self._sessions])

    def _alter(self, **said: object) -> None:
        number = self._any()
        self._sessions[number] = replace(self._sessions[number], **said)  # type: ignore[arg-type]


def wanted(items: Menu) -> list[object]:
    rows = [(str(item.text).replace("_", "__"), item.submenu) for item in items]
    return [label if below is None else (label, wanted(below)) for label, below in rows]


def tell(extension: Extension, current: Current, news: Difference) -> None:
    extension.on_signals(current.layout, news.changed, bool(news.parents))


@pytest.mark.uncounted
@pytest.mark.long
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("seed", range(3))
def test_every_version_of_the_extension_shows_the_menu_as_it_is(form: Form, seed: int) -> None:
    day, current, meant = Day(seed), Current(), dict[int, Action | None]()
    extension = Extension(form, current)
    clicked: list[Action] = []
    for turn in range(CHANGES // 3):
        made = Builder(clicked.append, clock=lambda: day.now).menu(day.menu())
        if is_open := day.chance(OPEN):
            extension.open()
            extension.idle()
        tell(extension, current, current.want(made))
        extension.idle()
        if not is_open:
            extension.open()
            extension.idle()
        assert extension.shown() == wanted(made), f"after {turn} changes"
        assert extension.errors == []
        note(current.layout, clicked, meant)
        if day.chance(CLOSES):
            extension.close()


def note(layout: Layout, clicked: list[Action], meant: dict[int, Action | None]) -> None:
    """Click on every row, hidden ones too: a number must never come to stand for another session."""
    for number, node in layout.items():
        clicked.clear()
        if node.item is not None:
            node.item(None)
        action = clicked[0] if clicked else None
        before = meant.setdefault(number, action)
        assert type(before) is type(action)
        for name in ("session", "sessions"):
            assert getattr(before, name, None) == getattr(action, name, None)


Keys = Sequence[str]


def moved(form: Form, *menus: Keys) -> Extension:
    """Show one menu after the other, with numbers that move."""
    extension = Extension(form)
    extension.open()
    for keys in menus:
        nodes = {ord(key): Node({"label": key}) for key in keys}
        extension.on_signals({ROOT: Node({}, tuple(nodes)), **nodes}, {}, restructured=True)
        extension.idle()
    return extension


def test_the_old_extension_leaves_moved_rows_where_they_were() -> None:
    assert moved(OLD, "abc", "cab").shown() == ["a", "b", "c"]
    assert moved(OLD, "abc", "bxc").shown() == ["x", "b", "c"]


def test_the_new_extension_loses_rows_that_move_past_the_last_one() -> None:
    found = moved(MOVING, "ab", "xyb")
    assert (found.shown(), len(found.errors)) == (["x", "y"], 1)


def test_under_load_the_extension_leaves_new_rows_empty() -> None:
    assert moved(LOSING, "ab", "abc").shown() == ["", "", ""]


@pytest.mark.parametrize("form", [OLD, DEFERRED, MOVING])
def test_rows_that_do_not_move_are_shown_by_every_version(form: Form) -> None:
    assert moved(form, "ad", "abcd", "abcde", "ab").shown() == ["a", "b"]
