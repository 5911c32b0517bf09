"""Test what rings in the terminals of sessions, and what does not. tests/tray/notices/test_news.py tests the channels."""

from collections.abc import Callable

import pytest

from deskbell.notices.policy import Policy
from tests.tray.story import NOON, Story, session, several

API = session("api", "working", turn_started=NOON)
ON = Policy.model_validate({"ring_in_terminal": True})
AGAIN = Policy.model_validate({"ring_in_terminal": True, "escalation": {"minutes": 5, "steps": ["again", "phone"]}})
SILENT = Policy.model_validate({"ring_in_terminal": True, "rings": {"permission": {"ring": False}}})


def looked_at(story: Story) -> Story:
    story.focused = {"api"}
    return story


# a story: the projects whose terminals ring, in order
RINGS: dict[str, tuple[Callable[[], Story], list[str]]] = {
    "a request": (lambda: Story(API, policy=ON).does("api", "permission"), ["api"]),
    "the end of a turn": (lambda: Story(API, policy=ON).passes(30).does("api", "idle").passes(1), ["api"]),
    "two requests, one after the other": (
        lambda: Story(API, policy=ON).does("api", "permission").passes(5).does("api", "question"),
        ["api", "api"],
    ),
    "a summary: each in its own": (
        lambda: Story(*several("abcd"), policy=ON).at_once("permission", *"abcd"),
        [*"abcd"],
    ),
    "nobody answers": (lambda: Story(API, policy=AGAIN).does("api", "permission").passes(700), ["api", "api"]),
}
RINGS_NOT: dict[str, Callable[[], Story]] = {
    "it is off": lambda: Story(API).does("api", "permission"),
    "its pane has the focus": lambda: looked_at(Story(API, policy=ON)).does("api", "permission"),
    "its status does not ring": lambda: Story(API, policy=SILENT).does("api", "permission"),
    "it crashed: its terminal is somebody else's now": lambda: Story(API, policy=ON).does("api", "crashed"),
}


@pytest.mark.parametrize(("story", "rung"), RINGS.values(), ids=RINGS)
def test_what_rings_rings_in_its_terminal(story: Callable[[], Story], rung: list[str]) -> None:
    played = story()
    assert [project for project, _ in played.in_terminals] == rung
    assert played.said.count(f"{rung[0]}: sent to its terminal") == rung.count(rung[0])


@pytest.mark.parametrize("story", RINGS_NOT.values(), ids=RINGS_NOT)
def test_nothing_else_does(story: Callable[[], Story]) -> None:
    played = story()
    assert played.in_terminals == []
    assert not [sentence for sentence in played.said if "terminal" in sentence]


def test_a_terminal_is_told_what_its_session_asks_also_in_a_summary() -> None:
    played = Story(*several("abcd"), policy=ON).at_once("permission", *"abcd")
    assert all(title.startswith(project) for project, title in played.in_terminals)
