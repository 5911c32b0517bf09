"""Test that no menu is taller than the screen of a small laptop, and that no submenu opens a row high."""

from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.board import Board, board
from deskbell.face.actions import Dismiss, Jump, Resume
from deskbell.face.facts import Facts
from deskbell.face.item import Item, height
from deskbell.face.menu import menu
from deskbell.face.room import GNOME, OTHERS, Room, is_gnome, room
from deskbell.session import STATUSES
from tests.tray.making import NOON, session

SCREEN, BAR, AROUND = 768, 32, 36
"""Pixels on GNOME: the screen of a small laptop, its top bar, and what the frame of an open menu takes of the rest."""
PADDING = 12
"""Pixels above the first row and below the last one of GNOME's menu."""


def crowd(count: int, statuses: Sequence[str] = STATUSES) -> Board:
    sessions = [
        session(
            session_id=f"s{i}",
            pid=i,
            status=statuses[i % len(statuses)],
            project=f"project {i % 7}",
            detail="Bash: make " + "and more " * 60,
            last_line="said " * 200,
            kept_until=NOON + 60,
        )
        for i in range(count)
    ]
    return board(sessions, NOON)


def below(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from below(item.children)


def test_gnome_leaves_what_was_measured() -> None:
    assert GNOME.height == SCREEN - BAR - AROUND - PADDING


TROUBLED = Facts(
    hooks="partly",
    problem="The state folder cannot be read",
    happened="Installed",
    autostart=False,
    snoozed_until=NOON + 60,
    room=GNOME,
)


@pytest.mark.parametrize("count", [0, 1, 3, 12, 54, 300])
@pytest.mark.parametrize("facts", [Facts(hooks="installed", autostart=True, room=GNOME), TROUBLED], ids=["", "trouble"])
def test_on_gnome_the_last_row_is_on_the_screen_and_every_submenu_has_room(count: int, facts: Facts) -> None:
    items = menu(crowd(count), facts, NOON)
    closed = height(items, GNOME)
    assert items[-1].text == "Quit"
    assert closed <= GNOME.height
    for item in items:
        needs = min(height(item.children, GNOME), GNOME.inside)
        assert GNOME.height - closed >= needs
        assert not any(one.children for one in item.children), "GNOME gives it no height once its parent is scrolled"


def test_gnome_shows_twelve_mixed_sessions_with_what_needs_a_person_in_full() -> None:
    statuses = ["permission", "question", "plan", "idle", "idle", "error", *["working"] * 5, "crashed"]
    items = menu(crowd(12, statuses), Facts(hooks="installed", room=GNOME), NOON)
    texts = [item.text for item in items if item.text and not item.hidden]
    headings = [text for text in texts if ": " in text]
    assert headings == ["Blocked: 3", "Your turn: 3", "Running: 5", "Crashed: 1"]
    assert sum(bool(item.children) and item.key.startswith("session") for item in items) == 6


@given(st.lists(st.sampled_from(STATUSES), max_size=80), st.sampled_from([GNOME, OTHERS]), st.booleans())
def test_whoever_is_on_the_board_every_menu_fits_and_every_session_is_in_it(
    statuses: list[str], space: Room, trouble: bool
) -> None:
    seen = crowd(len(statuses), statuses or ["idle"])
    facts = (
        Facts(hooks="partly", problem="?", autostart=True, snoozed_until=NOON, room=space)
        if trouble
        else Facts(room=space)
    )
    items = menu(seen, facts, NOON)
    for level in (items, *(item.children for item in below(items) if not space.inside)):
        assert height(level, space) <= space.height
    shown = {i.action.session for i in below(items) if isinstance(i.action, Jump | Resume)}
    assert shown == {one.key for one in seen.sessions if one.status != "ended"}


@pytest.mark.parametrize("space", [GNOME, OTHERS], ids=["GNOME", "others"])
def test_siblings_have_different_keys(space: Room) -> None:
    for count in (2, 12, 80):
        items = menu(crowd(count), Facts(hooks="missing", problem="?", snoozed_until=NOON, room=space), NOON)
        for level in (items, *(item.children for item in below(items))):
            keys = [item.key for item in level]
            assert len(keys) == len(set(keys))


@pytest.mark.parametrize("space", [GNOME, OTHERS], ids=["GNOME", "others"])
def test_crashes_can_be_dismissed_together_however_they_are_folded(space: Room) -> None:
    for count in (2, 5, 40):
        seen = crowd(count, ["crashed"])
        found = [i.action for i in below(menu(seen, Facts(room=space), NOON)) if i.text == "Dismiss all"]
        assert found == [Dismiss(tuple(one.key for one in seen.sessions))]


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, False),
        ({"XDG_CURRENT_DESKTOP": "GNOME"}, True),
        ({"XDG_CURRENT_DESKTOP": "ubuntu:GNOME"}, True),
        ({"XDG_CURRENT_DESKTOP": "KDE"}, False),
        ({"XDG_CURRENT_DESKTOP": "GNOME-Flashback:GNOME"}, False),
        ({"XDG_CURRENT_DESKTOP": "Budgie:GNOME"}, False),
    ],
)
def test_gnome_shell_is_known(env: Mapping[str, str], expected: bool) -> None:
    assert is_gnome(env) == expected
    assert room(env) == (GNOME if expected else OTHERS)
