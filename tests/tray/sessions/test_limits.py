"""Test what a transcript says of usage limits and of requests that the client repeats."""

import json
from datetime import datetime
from typing import Any

import pytest

from deskbell.sessions.conversation import Tail
from deskbell.sessions.limits import LONGEST_PAUSE, PATIENCE, Limit, Retries, is_about_limit
from tests.tray.sessions.test_conversation import at, tail
from tests.tray.sessions.transcript_lines import answered, asked, line

HIT = "You've hit your 5-hour limit · resets 3:45am (Europe/Berlin)"
GOES_ON = "Usage limit reached · continuing automatically at 3:45am · esc to cancel"
RESETS = 1_763_520_300


def hit(second: int = 5, words: str = HIT, **more: Any) -> bytes:
    """The line with which the client ends a turn at a usage limit."""
    quota = {"resetsAt": RESETS, "rateLimitType": "five_hour"}
    given = {"isApiErrorMessage": True, "error": "rate_limit", "quotaLimits": quota, **more}
    return answered(words, second, stop="stop_sequence", model="<synthetic>", **given)


def says(words: str, second: int = 6) -> bytes:
    return line("system", second, subtype="informational", content=words, level="notice")


def test_a_limit_says_when_it_ends_and_that_the_client_goes_on() -> None:
    found = tail(asked("go", 1), hit(), says(GOES_ON))
    assert found.limit == Limit(at(5), float(RESETS), goes_on=True, said=at(6))
    assert (found.error, found.in_turn) == (HIT, False)
    assert found.limit.due == RESETS + PATIENCE


@pytest.mark.parametrize(
    ("words", "goes_on", "cancelled"),
    [
        (GOES_ON, True, False),
        ("Usage limit reached again · continuing automatically shortly · esc to cancel", True, False),
        ("Usage limit reset · Continuing automatically", True, False),
        ("Usage limit available again · continuing now", True, False),
        ("Automatic continue cancelled · /rate-limit-options to re-arm", False, True),
        ("Usage limit has reset · Press enter to continue", False, False),
        ("Automatic continue was turned off · this task will not resume on its own", False, False),
        ("Automatic continue stopped · the usage limit now resets more than 24 hours out", False, False),
    ],
)
def test_the_newest_words_about_a_limit_count(words: str, goes_on: bool, cancelled: bool) -> None:
    found = tail(asked("go", 1), hit(), says(GOES_ON), says(words, 9)).limit
    assert found is not None
    assert (found.goes_on, found.cancelled, found.said) == (goes_on, cancelled, at(9))


NOT_ABOUT_IT = [
    says("UserPromptSubmit hook says hello", 9),
    line("system", 9, subtype="turn_duration", content="Usage limit reset"),
    line("system", 9, subtype="informational"),
    line("system", 9, subtype="informational", content=["Automatic continue cancelled"]),
]


@pytest.mark.parametrize("more", NOT_ABOUT_IT)
def test_words_about_something_else_change_nothing(more: bytes) -> None:
    found = tail(asked("go", 1), hit(), says(GOES_ON), more).limit
    assert found == Limit(at(5), float(RESETS), goes_on=True, said=at(6))


NO_LIMIT = [
    [asked("go", 1), answered("Request rejected (429)", 5, isApiErrorMessage=True, error="rate_limit")],
    [asked("go", 1), hit(error="server_error")],
    [asked("go", 1), says(GOES_ON)],
    [asked("go", 1), hit(), says(GOES_ON), asked("on", 9)],
    [asked("go", 1), hit(), says(GOES_ON), answered("Done.", 9)],
    [asked("go", 1), hit(quotaLimits={"resetsAt": -1}, words="You've hit your limit")],
    [asked("go", 1), hit(quotaLimits=[], words="You've hit your limit")],
]


@pytest.mark.parametrize("lines", NO_LIMIT)
def test_other_errors_and_what_comes_later_are_no_limit(lines: list[bytes]) -> None:
    assert tail(*lines).limit is None


def local(*parts: int) -> float:
    return datetime(*parts).timestamp()  # type: ignore[arg-type]  # the parts of a time


NOON = local(2026, 11, 18, 12, 0)


@pytest.mark.parametrize(
    ("words", "resets"),
    [
        ("resets 3:45pm (Europe/Berlin)", local(2026, 11, 18, 15, 45)),
        ("resets 3pm", local(2026, 11, 18, 15, 0)),
        ("resets 3:45am", local(2026, 11, 19, 3, 45)),
        ("resets 12am", local(2026, 11, 19, 0, 0)),
        ("resets at 12pm", local(2026, 11, 19, 12, 0)),
        ("resets 15:45", local(2026, 11, 18, 15, 45)),
        ("resets Nov 21, 3am", local(2026, 11, 21, 3, 0)),
        ("resets Jan 2, 3:05pm", local(2027, 1, 2, 15, 5)),
        ("resets Jan 2, 2027, 3pm", local(2027, 1, 2, 15, 0)),
        ("resets Foo 21, 3am", None),
        ("resets Feb 30, 3am", None),
        ("resets 25:00", None),
    ],
)
def test_the_words_say_when_a_limit_ends_if_no_field_does(words: str, resets: float | None) -> None:
    one = json.loads(hit(words=f"You've hit your weekly limit · {words}", quotaLimits=None))
    one["timestamp"] = datetime.fromtimestamp(NOON).astimezone().isoformat()
    found = tail(json.dumps(one, separators=(",", ":")).encode()).limit
    assert found == Limit(NOON, resets)
    assert found.due == (float("inf") if resets is None else resets + PATIENCE)


@pytest.mark.parametrize(
    ("error", "is_limit"),
    [
        (f"rate_limit: {HIT}", True),
        ("rate_limit: API Error: Request rejected (429) · Rate limited", False),
        (f"server_error: {HIT}", False),
        ("rate_limit", False),
    ],
)
def test_the_hook_reports_a_limit_by_its_words(error: str, is_limit: bool) -> None:
    assert is_about_limit(error) is is_limit


def request(second: int, source: str = "repl_main_thread") -> bytes:
    return line("api-request", second, querySource=source)


def requests(*lines: bytes) -> Retries:
    return tail(asked("go", 1), *lines).requests


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [request(2)],
        [request(2), answered("Thinking ...", 3, stop=None), request(4)],
        [request(2), asked("more", 3), request(4)],
        [answered("", 4, stop=None), request(2), request(3)],
        [request(2), request(3, "agent:custom"), request(4, "generate_session_title")],
        [request(2), request(3), answered("Done.", 5)],
        [request(2), line("api-request-shape", 3, querySource="repl_main_thread")],
        [request(2), b'{"type":"api-request","querySource":"repl_main_thread"}'],
    ],
)
def test_requests_that_were_answered_or_are_others_are_no_retries(lines: list[bytes]) -> None:
    assert requests(*lines).repeats == 0


def test_a_request_without_an_answer_that_comes_again_is_a_retry() -> None:
    found = requests(request(2), request(4), request(9))
    assert found == Retries(at(9), at(4), 2, 5.0)
    assert found.until == at(9) + 2.5 * 5 + 2
    assert Retries(100.0, 1.0, 9, 33.0).until == 100.0 + LONGEST_PAUSE + 2
    assert Tail().requests == Retries()


def test_the_line_of_a_request_may_come_before_that_of_its_prompt() -> None:
    assert tail(request(2), asked("go", 1), request(4)).requests.repeats == 1
