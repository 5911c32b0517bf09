"""Test what the board shows in every recorded run of the real client, from its first moment to its last.

Sessions have letters in the order in which they appeared. In brackets: a session that is hidden. The recordings hold no
transcripts, so a client without hooks counts as new whenever it is idle.
"""

from pathlib import Path

import pytest

from tests.captures import Deed, RegistryChange, names, steps
from tests.replay import Replay, stories

EXPECTED: dict[str, dict[str, str]] = {
    "api_errors": {
        "A": "new working error working error working error working error working error working error working idle ended"
    },
    "ask_question": {"A": "new working question working idle ended"},
    "bad_entry_start": {"A": "new working idle ended", "B": "(new) (working) (idle) (ended)"},
    "bad_json_start": {"A": "new working new", "B": "(working) (ended)"},
    "bg_bash": {"A": "new working background working idle ended"},
    "clear": {"A": "new working idle ended", "B": "new working idle ended"},
    "compact": {"A": "new working idle working idle working idle working idle working ended"},
    "ctrl_c_idle": {"A": "new working idle ended"},
    "elicitation": {"A": "new working input working ended"},
    "esc_before": {"A": "new working interrupted ended"},
    "esc_tool": {"A": "new working interrupted working ended"},
    "http_dead": {"A": "new working new ended", "B": "(working) (ended)"},
    "idle_60": {"A": "new working idle ended"},
    "idle_typing": {"A": "new working idle ended"},
    "kill9_idle": {"A": "new working idle crashed"},
    "live_hooks": {"A": "new working new working idle working idle working idle working idle working idle"},
    "perm_approve": {"A": "new working permission working idle ended"},
    "perm_approve_fast": {"A": "new working permission working idle ended"},
    "perm_typing": {"A": "new working permission working interrupted ended"},
    "perm_wait": {"A": "new working permission working interrupted ended"},
    "plain": {"A": "new working idle ended"},
    "plan_mode": {"A": "new working plan working idle ended"},
    "print_plain": {"A": "(new) (working) (ended)"},
    "print_tools": {
        "A": "(new) (working) (idle) (ended)",
        "B": "(new) (working) (idle) (ended)",
        "C": "(new) (working) (idle) (ended)",
        "D": "(new) (working) (idle) (ended)",
    },
    "queue_prompt": {"A": "new working idle ended"},
    "resume": {
        "A": "new working idle ended new idle working idle ended new idle working idle ended",
        "B": "new",
        "C": "new idle working idle ended",
    },
    "slash_misc": {
        "A": "new working idle working idle working idle working permission working idle working idle ended"
    },
    "start_idle": {"A": "new ended"},
    "subagent": {"A": "new working background working idle working idle ended"},
    "subagent_bg": {"A": "new working background working idle ended"},
    "tool_batch": {"A": "new working idle ended"},
    "tool_fail": {"A": "new working idle ended"},
    "untrusted": {"A": "(new) (working) (idle) (ended)", "B": "new working idle ended"},
}


def test_every_recorded_run_has_an_expectation() -> None:
    assert sorted(EXPECTED) == names()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_statuses_in_the_recorded_run(name: str, tmp_path: Path) -> None:
    assert stories(tmp_path, name) == EXPECTED[name]


@pytest.mark.parametrize(
    ("name", "deed", "status"),
    [
        ("esc_tool", "keys Escape", "interrupted"),
        ("esc_before", "keys Escape", "interrupted"),
        ("perm_wait", "keys Escape", "interrupted"),
        ("perm_approve", "keys Enter", "working"),
        ("ask_question", "keys Enter", "working"),
        ("plan_mode", "keys Enter", "working"),
        ("elicitation", "keys Escape", "working"),
        ("kill9_idle", "kill -9", "crashed"),
    ],
)
def test_what_the_person_does_is_on_the_board_within_a_second(
    name: str, deed: str, status: str, tmp_path: Path
) -> None:
    done = next(step.at for step in steps(name) if isinstance(step, Deed) and step.what.startswith(deed))
    seen = (now for now, sessions in Replay(tmp_path).play(name) if now >= done and sessions[0].status == status)

    assert next(seen) - done < 1.0


def test_a_request_is_on_the_board_as_soon_as_its_dialog_is_open(tmp_path: Path) -> None:
    opened = next(
        step.at
        for step in steps("perm_wait")
        if isinstance(step, RegistryChange) and step.content and step.content.get("status") == "waiting"
    )
    asked = (now for now, sessions in Replay(tmp_path).play("perm_wait") if sessions and sessions[0].blocked)

    assert next(asked) - opened < 0.1
