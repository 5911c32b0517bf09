"""Test `deskbell snooze` and `deskbell unsnooze` as a person types them."""

import time
from datetime import datetime

import pytest

from deskbell.home import home
from deskbell.notices import quiet
from tests.tray.commands.said import Out, said


def left() -> float:
    """Seconds until the snooze ends."""
    now = time.time()
    return (quiet.read(home().state).snooze(now) or now) - now


@pytest.mark.parametrize(
    ("span", "seconds"), [("90s", 90), ("30m", 1800), ("30min", 1800), ("2h", 7200), ("3 d", 259200)]
)
def test_a_snooze_lasts_as_long_as_was_typed(capsys: Out, span: str, seconds: float) -> None:
    assert said(capsys, "snooze", span).startswith("Snoozed until ")
    assert seconds - 60 < left() <= seconds


def test_without_a_time_it_lasts_half_an_hour(capsys: Out) -> None:
    said(capsys, "snooze")
    assert 1740 < left() <= 1800


@pytest.mark.parametrize(("word", "clock"), [("17:30", "17:30"), ("tomorrow", "08:00")])
def test_a_snooze_ends_at_a_time_of_the_day(capsys: Out, word: str, clock: str) -> None:
    assert clock in said(capsys, "snooze", word)
    end = quiet.read(home().state).snooze(time.time())
    assert end is not None
    assert datetime.fromtimestamp(end).strftime("%H:%M") == clock


@pytest.mark.parametrize("words", [("snooze", "off"), ("snooze", " OFF "), ("unsnooze",)])
def test_a_snooze_is_ended(capsys: Out, words: tuple[str, ...]) -> None:
    assert said(capsys, *words) == "No snooze was set.\n"
    said(capsys, "snooze", "2h")
    assert said(capsys, *words) == "The snooze has ended.\n"
    assert left() == 0


@pytest.mark.parametrize("word", ["soon", "0m", "25:00", "17:30x", "-5m"])
def test_a_word_that_is_not_a_time_changes_nothing(capsys: Out, word: str) -> None:
    said(capsys, "snooze", "2h")
    assert f"'{word}' is not a" in said(capsys, "snooze", "--", word, code=2)
    assert left() > 7100


@pytest.mark.parametrize(
    ("word", "step"),
    {
        "tomorow": 'Did you mean "tomorrow"?',
        "web": "To silence one session or project: deskbell mute web",
        "10": "Use 90s, 30m, 2h, 3d, 17:30 or tomorrow.",
    }.items(),
)
def test_a_word_that_is_not_a_time_is_refused_with_what_was_meant(capsys: Out, word: str, step: str) -> None:
    assert said(capsys, "snooze", word, code=2).endswith(f"{step}\n")
