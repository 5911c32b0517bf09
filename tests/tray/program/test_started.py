"""Test what Deskbell says in the terminal once it runs."""

import pytest

from deskbell.program.started import WITHOUT, Started

BELL = "Deskbell is running: look for the bell in the {}. Ctrl+C ends it."


def started(platform: str = "linux", headless: bool = False) -> tuple[Started, list[str]]:
    said: list[str] = []
    return Started(said.append, headless, platform), said


def test_once_a_panel_draws_the_icon_it_says_where_it_is() -> None:
    one, said = started()
    one.begin()
    assert said == []
    one.with_icon()
    assert said == [BELL.format("panel")]


def test_without_a_tray_it_says_so() -> None:
    one, said = started()
    one.begin()
    one.without_icon("No tray found.")
    assert said == ["No tray found. Ctrl+C ends it."]


@pytest.mark.parametrize(
    ("platform", "place"), {"darwin": "menu bar", "win32": "notification area of the taskbar"}.items()
)
def test_where_nothing_reports_the_icon_it_says_so_at_once(platform: str, place: str) -> None:
    one, said = started(platform)
    one.begin()
    assert said == [BELL.format(place)]


def test_headless_it_promises_no_icon() -> None:
    one, said = started("darwin", headless=True)
    one.begin()
    assert said == [WITHOUT]


def test_it_is_said_once_only() -> None:
    one, said = started()
    one.without_icon("No tray found.")
    one.with_icon()
    one.without_icon("No tray found.")
    assert len(said) == 1
