"""Test that the tests can drive the real client: it starts, answers, asks and ends by the script."""

import json
import shlex
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from tests.client.claude import Claude, hooks
from tests.waiting import wait

# Each event becomes a file of its own, as hook processes run side by side.
KEEP = """import json, sys, time
event = json.load(sys.stdin)
open(f"{sys.argv[1]}/{time.time_ns()}-{event['hook_event_name']}", "w").write(json.dumps(event))
"""


def kept(claude: Claude) -> Callable[[], list[str]]:
    folder = claude.home / "events"
    folder.mkdir()
    claude.set_settings(hooks=hooks(shlex.join([sys.executable, "-c", KEEP, str(folder)])))
    return lambda: [path.name.partition("-")[2] for path in sorted(folder.iterdir())]


def test_a_plain_turn_fires_its_hooks_and_ends_idle(claude: Claude) -> None:
    events = kept(claude)
    tui = claude.start()
    tui.scenario("plain")
    tui.pane.wait_for("Hello from the scripted model.")
    tui.wait_status("idle")
    wait(lambda: "Stop" in events(), "the Stop hook")
    tui.prompt("/exit")
    tui.wait_gone()
    wait(lambda: "SessionEnd" in events(), "the SessionEnd hook")
    assert set(events()) >= {"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"}
    assert tui.registry is None


def test_a_permission_waits_for_the_person_and_then_the_command_runs(claude: Claude) -> None:
    events = kept(claude)
    tui = claude.start(project="asking")
    tui.scenario("permission")
    tui.wait_status("waiting")
    tui.pane.wait_for("Do you want to proceed?")
    assert not (claude.project("asking") / "made.txt").exists()
    wait(lambda: "PermissionRequest" in events(), "the PermissionRequest hook")
    tui.answer("Enter")
    wait((claude.project("asking") / "made.txt").exists, "the file that the command makes")
    tui.wait_status("idle")


def test_a_printed_answer_needs_no_terminal(claude: Claude) -> None:
    done = claude.print("SCENARIO:plain go")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Hello from the scripted model.")


def test_a_killed_client_leaves_its_session_file_behind(claude: Claude) -> None:
    tui = claude.start()
    tui.kill(signal.SIGKILL)
    tui.wait_gone()
    assert tui.status == "idle"


def test_the_folder_of_claude_code_can_be_moved(accounts: Callable[..., Claude]) -> None:
    claude = accounts(moved=True)
    tui = claude.start()
    assert claude.config.name == "elsewhere"
    assert tui.session_id
    assert not (claude.home / ".claude").exists()


def test_the_client_accepts_the_registered_hooks(claude: Claude) -> None:
    kept(claude)
    assert json.loads(claude.settings.read_text(encoding="utf-8"))["hooks"]
    screen = claude.start().pane.screen()
    assert "Settings" not in screen
    assert Path(claude.binary).name == "claude"
