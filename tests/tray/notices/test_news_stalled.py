"""Test when a session rings that works but makes no step."""

import pytest

from deskbell.notices.policy import Policy, Rings, Stalled
from tests.tray.story import Story

ON = Policy(rings=Rings(stalled=Stalled(ring=True)))


def stalls(policy: Policy) -> Story:
    story = Story(policy=policy).does("api", "working", "Bash: make")
    return story.passes(1200).does("api", "working", "Bash: make", since=story.now - 1200, stalled=True)


def test_a_session_that_stalls_rings_once_if_that_is_switched_on() -> None:
    story = stalls(ON)
    assert [notice.title for notice in story.screen.values()] == ["api: stalled, running `make`"]
    story.passes(600).does("api", "working", "Bash: make", stalled=True)
    assert len(story.rings) == 1


def test_it_does_not_ring_by_itself() -> None:
    story = stalls(Policy())
    assert story.rings == []
    assert story.decisions[-1].reason == "status stalled is switched off in the settings"


def test_its_notification_goes_when_it_makes_a_step() -> None:
    story = stalls(ON).does("api", "working", "Thinking", stalled=False)
    assert (story.screen, [one.reason for one in story.decisions][-1:]) == ({}, ["it went on"])


@pytest.mark.parametrize("stalled", [False, True])
def test_a_session_that_is_stalled_when_deskbell_starts_does_not_ring(stalled: bool) -> None:
    assert Story(policy=ON).does("api", "working", "Bash: make", stalled=stalled).rings == []
