"""Test how points in time and durations are put into words, and how typed ones are parsed."""

from datetime import datetime

import pytest

from deskbell.errors import Problem
from deskbell.text.times import (
    ago,
    clock,
    clock_with_seconds,
    dated,
    day,
    duration,
    end_of,
    exact,
    span,
    start_of,
)


def at(said: str) -> float:
    return datetime.fromisoformat(said).timestamp()


NOW = at("2026-05-14 12:41")


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("2026-05-14 09:05", "09:05"),
        ("2026-05-14 23:59", "23:59"),
        ("2026-05-11 12:41", "Mon 12:41"),
        ("2026-05-08 00:00", "Fri 00:00"),
        ("2026-05-15 07:00", "Fri 07:00"),
        ("2026-05-07 12:41", "7 May"),
        ("2026-05-16 07:00", "16 May"),
    ],
)
def test_the_clock_names_the_day_unless_it_is_today(when: str, words: str) -> None:
    assert clock(at(when), NOW) == words


NO_TIMES = [float("nan"), float("inf"), -1e300, 1e18]


@pytest.mark.parametrize("when", NO_TIMES)
def test_a_number_that_is_not_a_point_in_time_is_a_question_mark(when: float) -> None:
    assert (clock(when, NOW), clock_with_seconds(when, NOW), exact(when), dated(when)) == ("?", "?", "?", "?")


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("2026-05-14 09:05:07", "09:05:07"),
        ("2026-05-11 12:41:00", "Mon 12:41:00"),
        ("2026-05-07 12:41:07", "7 May"),
    ],
)
def test_the_clock_can_show_the_seconds(when: str, words: str) -> None:
    assert clock_with_seconds(at(when), NOW) == words


def test_what_is_kept_for_years_has_the_year() -> None:
    assert dated(at("2024-05-04 09:05:07")) == "2024-05-04 09:05:07"


def test_a_log_shows_the_seconds() -> None:
    assert exact(at("2026-05-04 09:05:07")) == "04 May 09:05:07"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (7200, "2 h"), (200_000, "2 d")],
)
def test_an_age_has_one_unit(seconds: float, words: str) -> None:
    assert ago(NOW - seconds, NOW) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    {0.0: "less than a second", 0.99: "less than a second", 1.0: "1.0 s", 200: "3 min 20 s"}.items(),
)
def test_a_sentence_names_no_fraction_of_a_second(seconds: float, words: str) -> None:
    assert span(seconds) == words


DURATIONS = {
    0.04: "0.0 s",
    0.4: "0.4 s",
    9.94: "9.9 s",
    9.96: "10 s",
    59.4: "59 s",
    60: "1 min",
    200: "3 min 20 s",
    3600: "1 h",
    7500: "2 h 5 min",
}


@pytest.mark.parametrize(("seconds", "words"), DURATIONS.items())
def test_a_duration_has_at_most_two_units(seconds: float, words: str) -> None:
    assert duration(seconds) == words


ENDS = {
    "90s": "2026-05-14 12:42:30",
    "30m": "2026-05-14 13:11",
    "30 min": "2026-05-14 13:11",
    "1h": "2026-05-14 13:41",
    " 2 Hours ": "2026-05-14 14:41",
    "3d": "2026-05-17 12:41",
    "1day": "2026-05-15 12:41",
    "10secs": "2026-05-14 12:41:10",
    "2minutes": "2026-05-14 12:43",
    "30 mins": "2026-05-14 13:11",
    "1 hr": "2026-05-14 13:41",
    "tomorrow": "2026-05-15 08:00",
    "17:30": "2026-05-14 17:30",
    "9:05": "2026-05-15 09:05",
    "12:41": "2026-05-15 12:41",
    "00:00": "2026-05-15 00:00",
}


@pytest.mark.parametrize(("said", "end"), ENDS.items())
def test_a_typed_time_ends(said: str, end: str) -> None:
    assert end_of(said, NOW) == at(end)


def test_tomorrow_typed_at_night_is_the_coming_morning() -> None:
    assert end_of("tomorrow", at("2026-05-14 02:00")) == at("2026-05-14 08:00")


@pytest.mark.parametrize(
    "said",
    [
        "",
        "soon",
        "0m",
        "-5m",
        "5",
        "m",
        "5 weeks",
        "1e3s",
        "17:3",
        "24:00",
        "12:60",
        "12:30pm",
        "5mec",
        "5sin",
        "2say",
        "3hour s",
        "٣m",
        "1:٣٠",
    ],
)
def test_anything_else_is_a_problem_that_names_the_possible_forms(said: str) -> None:
    with pytest.raises(Problem, match=r"Use .*00|Use 90s"):
        end_of(said, NOW)


STARTS = {
    "90s": "2026-05-14 12:39:30",
    "2 hours": "2026-05-14 10:41",
    "3d": "2026-05-11 12:41",
    "12:41": "2026-05-14 12:41",
    "9:05": "2026-05-14 09:05",
    "00:00": "2026-05-14 00:00",
    "12:42": "2026-05-13 12:42",
    "17:30": "2026-05-13 17:30",
    "today": "2026-05-14 00:00",
    " Yesterday ": "2026-05-13 00:00",
    "2026-05-01": "2026-05-01 00:00",
    "2026-05-01T10:00": "2026-05-01 10:00",
    "1970-01-02T00:00:00+00:00": "1970-01-02 00:00:00+00:00",
}


@pytest.mark.parametrize(("said", "start"), STARTS.items())
def test_a_typed_time_begins(said: str, start: str) -> None:
    assert start_of(said, NOW) == at(start)


@pytest.mark.parametrize("minutes", range(0, 1440, 97))
def test_a_time_of_the_day_began_within_a_day_and_ends_within_one(minutes: int) -> None:
    said = f"{minutes // 60}:{minutes % 60:02}"
    assert NOW - 86400 < start_of(said, NOW) <= NOW < end_of(said, NOW) <= NOW + 86400
    assert clock(start_of(said, NOW), start_of(said, NOW)) == f"{minutes // 60:02}:{minutes % 60:02}"


@pytest.mark.parametrize("said", ["tomorrow", "10", "-5m", "2026-13-01", "0m", "5mec", "\x1b[31mred", "soon"])
def test_anything_else_is_no_point_in_time(said: str) -> None:
    with pytest.raises(Problem, match=r"is not a point in time\. Use 10m, 2h, 3d") as problem:
        start_of(said, NOW)
    assert "\x1b" not in str(problem.value)


def test_a_day_has_a_number_that_grows_by_one_from_day_to_day() -> None:
    noon = datetime(2026, 1, 1, 12).timestamp()
    assert day(noon) - day(noon - 86400) == 1
    assert day(noon) == day(noon + 60)


@pytest.mark.parametrize("when", [1e300, -1e300, float("inf"), float("nan")])
def test_a_time_that_no_calendar_has_is_of_no_day(when: float) -> None:
    assert day(when) == 0
