"""Test `deskbell show` and `deskbell events` on sessions of the real client."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client.claude import Claude, Tui, hooks
from tests.waiting import wait

ROOT = Path(__file__).parents[2]
ALLOWED = {"defaultMode": "acceptEdits", "allow": ["Bash(python3:*)", "Bash(ls:*)"]}


@pytest.fixture
def tui(claude: Claude) -> Tui:
    recorder = ROOT / "hooks" / "deskbell_hooks" / "__main__.py"
    command = [sys.executable, "-I", "-S", str(recorder), "record", str(claude.home / "deskbell" / "state")]
    claude.set_settings(hooks=hooks(shlex.join(command)), permissions=ALLOWED)
    return claude.start(project="shop")


def environment(claude: Claude) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / role) for role in ("tray", "hooks", "icons"))
    return {**claude.environment, "PYTHONPATH": paths, "DESKBELL_HOME": str(claude.home / "deskbell")}


def shown(claude: Claude, session: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "deskbell", "show", session, "--json"]
    answer: dict[str, Any] = json.loads(subprocess.check_output(command, env=environment(claude), timeout=60))
    return answer


def turn(tui: Tui, scenario: str, turns: int) -> dict[str, Any]:
    """Play SCENARIO. Return what `deskbell show` knows once TURNS turns and all subagents have ended and nothing runs."""
    tui.scenario(scenario)

    def known() -> dict[str, Any] | None:
        answer = shown(tui.claude, "shop")
        rests = all(session["status"] == "idle" for session in answer["sessions"])
        done = all(agent["completed"] for agent in answer["history"]["agents"])
        return answer if rests and done and answer["history"]["events"].get("Stop", 0) >= turns else None

    return wait(known, f"the end of {scenario}", seen=tui.pane.screen)


def test_show_knows_what_a_session_did(tui: Tui) -> None:
    folder = tui.claude.project("shop").resolve()
    turn(tui, "edit", 1)
    turn(tui, "write", 2)
    turn(tui, "toolfail", 3)
    answer = turn(tui, "task", 4)  # the report of the subagent is a turn of its own, unless it comes within the turn

    (session,), past = answer["sessions"], answer["history"]
    assert (session["status"], session["model"], session["context_tokens"]) == ("idle", "claude-opus-5-5", 2000)
    assert session["last_line"] == "Finished scenario task."
    assert past["active"] is True
    assert [one["text"].split()[0] for one in past["prompts"]] == [
        f"SCENARIO:{name}" for name in ("edit", "write", "toolfail", "task")
    ]
    assert past["files"] == {
        "new": [str(folder / "notes.txt")],
        "edited": [str(folder / "edited.txt")],
        "read": [str(folder / "edited.txt")],
    }
    assert {name: tool["count"] for name, tool in past["tools"].items()} == {
        "Bash": 3,
        "Agent": 1,
        "Edit": 1,
        "Read": 1,
        "Write": 1,
    }
    assert past["tools"]["Bash"]["failed"] == 1
    assert [(one["kind"], one["message"].split("\n")[0]) for one in past["errors"]] == [("Bash", "Exit code 3")]
    (agent,) = past["agents"]
    assert agent["type"] == "general-purpose"
    assert agent["started"] <= agent["completed"]


def test_events_follow_a_session_to_its_end(tui: Tui) -> None:
    command = [sys.executable, "-m", "deskbell", "events", tui.session_id[:8], "--follow", "--since", "1h", "--json"]
    names: list[str] = []
    with subprocess.Popen(command, env=environment(tui.claude), stdout=subprocess.PIPE, text=True) as following:
        assert following.stdout is not None
        tui.scenario("plain")
        tui.pane.wait_for("Hello from the scripted model.")
        tui.wait_status("idle")
        tui.prompt("/exit")
        for line in following.stdout:
            names.append(json.loads(line)["event"])
            if names[-1] == "SessionEnd":
                break
        following.terminate()
    assert {"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"} <= set(names)
