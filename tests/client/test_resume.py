"""Test `deskbell resume` with the real client: a session that has ended goes on in its own folder."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import psutil

from tests.client.claude import Claude, Tui
from tests.waiting import wait

ROOT = Path(__file__).parents[2]


def deskbell(claude: Claude) -> dict[str, str]:
    """Variables with which a process is a Deskbell that finds this client, as started by a session of it."""
    paths = os.pathsep.join(str(ROOT / role) for role in ("tray", "hooks", "icons"))
    path = f"{claude.binary.parent}{os.pathsep}{claude.environment['PATH']}"
    inherited = {"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1", "CLAUDE_CODE_SESSION_ID": "another"}
    return {"PYTHONPATH": paths, "DESKBELL_HOME": str(claude.home / "deskbell"), "PATH": path, **inherited}


def variables(claude: Claude) -> list[str]:
    """The same for `env`: tmux gives its programs its own PATH."""
    return [f"{name}={value}" for name, value in deskbell(claude).items()]


def ended(claude: Claude, project: str) -> str:
    """Have a session in PROJECT, end it, and return its id. No hook is installed: Deskbell never sees it."""
    tui = claude.start(project=project)
    session_id = tui.session_id
    tui.scenario("plain")
    tui.pane.wait_for("Third line.")
    tui.wait_status("idle")
    tui.prompt("/exit")
    tui.wait_gone()
    return session_id


def resumed(claude: Claude, *words: str) -> Tui:
    """Run the command in a pane whose folder is another one. The client has the pid of the command."""
    command = ["env", *variables(claude), sys.executable, "-m", "deskbell", "resume", *words]
    pane = claude.terminal.open(command, claude.project("elsewhere"), {})
    tui = Tui(claude, pane)
    tui.wait_status("idle")
    return tui


def test_a_session_goes_on_in_its_folder_from_wherever_the_command_is_run(claude: Claude) -> None:
    session_id = ended(claude, "my_shop.v2")
    folder = claude.project("my_shop.v2").resolve()
    tui = resumed(claude, session_id[:8], "-y")
    assert (tui.session_id, Path(psutil.Process(tui.pid).cwd())) == (session_id, folder)
    tui.pane.wait_for("Third line.")
    tui.scenario("plain")
    transcript = next(claude.config.glob(f"projects/*/{session_id}.jsonl"))
    wait(lambda: transcript.read_text().count('"promptSource":"typed"') == 2, "the second prompt in the transcript")

    said = refusal(claude, session_id[:8], "-y")
    assert "is still running" in said
    assert "to which nobody is attached" in said
    assert resumed_ids(claude) == [session_id]


def test_n_goes_on_in_the_current_folder(claude: Claude) -> None:
    session_id = ended(claude, "shop")
    tui = resumed(claude, session_id[:8], "-n")
    assert (tui.session_id, Path(psutil.Process(tui.pid).cwd())) == (session_id, claude.project("elsewhere").resolve())
    tui.pane.wait_for("Third line.")


def test_a_fork_goes_on_under_a_new_id(claude: Claude) -> None:
    session_id = ended(claude, "shop")
    tui = resumed(claude, "shop", "-y", "--fork")
    assert Path(psutil.Process(tui.pid).cwd()) == claude.project("shop").resolve()
    tui.pane.wait_for("Third line.")
    assert tui.session_id != session_id


def test_the_printed_command_resumes_the_session_in_a_shell(claude: Claude) -> None:
    session_id, folder = ended(claude, "shop's"), claude.project("shop's").resolve()
    command = [sys.executable, "-m", "deskbell", "resume", session_id, "--print"]
    environment = {**claude.environment, **deskbell(claude)}
    printed = subprocess.check_output(command, env=environment, text=True, timeout=60).strip()
    assert f"cd {shlex.quote(str(folder))} && " in printed
    shell = ["env", *variables(claude), "CLAUDE_CODE_CHILD_SESSION=", "sh", "-c", f"{printed}; sleep 60"]
    claude.terminal.open(shell, claude.home, {}).wait_for("Third line.")
    assert resumed_ids(claude) == [session_id]


def refusal(claude: Claude, *words: str) -> str:
    command = [sys.executable, "-m", "deskbell", "resume", *words]
    environment = {**claude.environment, **deskbell(claude)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    return done.stderr


def resumed_ids(claude: Claude) -> list[str]:
    """The sessions that run now."""
    pids = (int(path.stem) for path in claude.config.glob("sessions/*.json"))
    return [str((claude.registry(pid) or {}).get("sessionId")) for pid in pids if psutil.pid_exists(pid)]
