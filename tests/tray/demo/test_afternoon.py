"""Test the afternoon as a list of moments."""

from deskbell.demo.afternoon import AFTERNOON, BRANCHES
from deskbell.settings.registration import EVENTS


def test_only_registered_events_are_played() -> None:
    assert {event["hook_event_name"] for moment in AFTERNOON for event in moment.events} <= EVENTS.keys()


def test_the_moments_are_in_the_order_of_time() -> None:
    times = [moment.at for moment in AFTERNOON]
    assert times == sorted(times)


def test_every_session_begins_with_its_start() -> None:
    first = {moment.who: moment.events[0]["hook_event_name"] for moment in reversed(AFTERNOON) if moment.events}
    assert first == dict.fromkeys(BRANCHES, "SessionStart")
