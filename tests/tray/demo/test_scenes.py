"""Test the scenes: the events and the registry state of each moment."""

from collections.abc import Iterable
from typing import Any

import pytest

from deskbell.demo import scenes
from deskbell.demo.scenes import Moment

SCENES: dict[str, tuple[Iterable[Moment], list[tuple[list[str], Any]]]] = {
    "a session starts": (scenes.starts(0, "a"), [(["SessionStart"], "idle")]),
    "a session closes": (scenes.closes(0, "a"), [(["SessionEnd"], None)]),
    "a session is killed": (scenes.is_killed(0, "a"), [([], None)]),
    "a prompt": (scenes.is_prompted(0, "a", "go"), [(["UserPromptSubmit"], "busy")]),
    "a tool": (scenes.runs_tool(0, "a", 1, "Bash"), [(["PreToolUse"], "busy"), (["PostToolUse"], "busy")]),
    "a permission given": (
        scenes.asks_permission(0, "a", 1, "yes", "Bash", command="ls"),
        [(["PreToolUse", "PermissionRequest"], "waiting"), (["PostToolUse"], "busy")],
    ),
    "a permission denied fires no hook": (
        scenes.asks_permission(0, "a", 1, "no", "Edit", file_path="a.py"),
        [(["PreToolUse", "PermissionRequest"], "waiting"), ([], "idle")],
    ),
    "a permission without an answer": (
        scenes.is_left_waiting(0, "a", "Bash", command="ls"),
        [(["PreToolUse", "PermissionRequest"], "waiting")],
    ),
    "a question": (
        scenes.asks_question(0, "a", 1, "Which?", ("One", "Two")),
        [(["PreToolUse", "PermissionRequest"], "waiting"), (["PostToolUse"], "busy")],
    ),
    "a plan": (
        scenes.asks_for_plan(0, "a", 1),
        [(["PreToolUse", "PermissionRequest"], "waiting"), (["PostToolUse"], "busy")],
    ),
    "a form of an MCP server": (
        scenes.needs_input(0, "a", 1, "tracker", "Which?"),
        [(["PreToolUse", "Elicitation"], "waiting"), (["ElicitationResult", "PostToolUse"], "busy")],
    ),
    "the end of a turn": (scenes.finishes(0, "a", "Done"), [(["Stop"], "idle")]),
    "an error": (scenes.fails(0, "a", "rate_limit", "Wait"), [(["StopFailure"], "idle")]),
    "an interrupt fires no hook": (scenes.is_interrupted(0, "a"), [([], "idle")]),
}


@pytest.mark.parametrize(("moments", "expected"), SCENES.values(), ids=SCENES)
def test_a_scene_fires_the_hooks_of_the_real_client(
    moments: Iterable[Moment], expected: list[tuple[list[str], Any]]
) -> None:
    assert [
        ([event["hook_event_name"] for event in moment.events], moment.client and moment.client.status)
        for moment in moments
    ] == expected


def test_subagents_end_in_the_order_of_time_and_the_last_one_starts_a_turn() -> None:
    moments = [*scenes.starts_subagents(0, "a", 1, {"slow": 9.0, "fast": 4.0})]
    assert [(moment.at, [event["hook_event_name"] for event in moment.events]) for moment in moments] == [
        (0.0, ["PreToolUse", "SubagentStart", "PostToolUse"]),
        (0.1, ["PreToolUse", "SubagentStart", "PostToolUse"]),
        (1, ["Stop"]),
        (4.0, ["SubagentStop"]),
        (9.0, ["SubagentStop"]),
        (9.5, ["UserPromptSubmit"]),
    ]
    assert [len(moment.events[0]["background_tasks"]) for moment in moments[2:5]] == [2, 2, 1]
