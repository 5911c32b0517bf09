"""Test `deskbell resume`: which session it resumes, in which folder, and which program takes its place."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.home import claude_dir, home
from deskbell.sessions.project_folder import project_folder
from tests.tray.commands.said import crashed, recorded, running, said
from tests.tray.sessions.test_written import kept, user

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a client that is a shell script")

ROOT = Path(__file__).parents[3]
CLIENT = """#!/bin/sh
pwd
echo "$@"
env | grep -E '^(CLAUDE|PWD|COLUMNS)' | sort
"""
Out = pytest.CaptureFixture[str]


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client that says where and how it was started."""
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(CLIENT)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(ROOT / role) for role in ("tray", "hooks", "icons")))
    return program


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "my api's"
    folder.mkdir()
    return folder


def over(session_id: str, folder: Path, prompt: str = "hello", at: float | None = None, **more: object) -> None:
    """A session that Deskbell never saw."""
    kept(claude_dir(), project_folder(str(folder)), session_id, at or time.time(), user(str(folder), prompt, **more))


def resumed(*words: str, code: int = 0, given: str = "", at: Path = Path("/"), **env: str) -> str:
    """Run the command as a process: the client takes its place."""
    command = [sys.executable, "-m", "deskbell", "resume", *words]
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, cwd=at, env=os.environ | env, timeout=60, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    return done.stderr if code else done.stdout


@pytest.mark.long
@pytest.mark.parametrize("named", ["23e3", "23e30f82-1", "Ship", "my api"])
def test_a_session_that_was_never_recorded_is_resumed_in_its_folder(client: Path, project: Path, named: str) -> None:
    over("23e30f82-1", project, "Ship it")
    inherited = {"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1", "CLAUDE_CODE_USE_VERTEX": "1", "COLUMNS": "9"}
    assert resumed(named, **inherited).splitlines() == [
        str(project),
        "--resume 23e30f82-1",
        "CLAUDE_CODE_USE_VERTEX=1",
        f"CLAUDE_CONFIG_DIR={claude_dir()}",
        f"PWD={project}",
    ]


def test_a_session_of_another_account_gets_that_account(client: Path, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "work"
    kept(other, project_folder(str(project)), "s-1", text=user(str(project)))
    recorded("s-2")
    file = home().sessions / "s-2.json"
    now = time.time()
    more = {"status": "ended", "turn": "ended", "since": now, "last_at": now, "config_dir": str(other)}
    file.write_text(json.dumps(json.loads(file.read_text()) | more))
    assert f"CLAUDE_CONFIG_DIR={other}" in resumed("s-1", "--fork").splitlines()


def test_a_fork_gets_another_id(client: Path, project: Path) -> None:
    over("s-1", project)
    assert resumed("s-1", "--fork").splitlines()[1] == "--resume s-1 --fork-session"


def test_a_crashed_session_is_resumed_from_the_folder_of_its_record(
    client: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed("s-1", str(project), monkeypatch)
    kept(claude_dir(), project_folder(str(project)), "s-1")
    assert resumed("s-1").splitlines()[:2] == [str(project), "--resume s-1"]


def test_the_command_is_printed_for_the_shell(client: Path, project: Path, capsys: Out) -> None:
    over("s-1", project)
    command = said(capsys, "resume", "s-1", "--print", "--fork").rstrip("\n")
    assert command.endswith("claude --resume s-1 --fork-session")
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    assert done.splitlines()[:2] == [str(project), "--resume s-1 --fork-session"]


@pytest.mark.parametrize("options", [(), ("-y",), ("-n",), ("--fork",)])
def test_a_running_session_is_jumped_to_and_never_resumed(
    client: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out, options: tuple[str, ...]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE"):
        monkeypatch.delenv(name, raising=False)
    with subprocess.Popen(["sleep", "60"], env={}) as process:
        running("s-1", str(project), process.pid, monkeypatch)
        over("s-1", project)
        text = said(capsys, "resume", "s-1", *options, code=1)
        process.terminate()
    assert text.startswith("deskbell: my api's is still running. There is no display here.")
    assert "resume" not in text


def test_the_command_of_a_running_session_is_not_printed(
    client: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    running("s-1", str(project), os.getpid(), monkeypatch)
    over("s-1", project)
    assert said(capsys, "resume", "s-1", "--print", code=1) == (
        "deskbell: my api's is still running. Resuming it would start it twice. Use it there, or end it first.\n"
    )


def moved(project: Path) -> Path:
    """The folder in which a session whose folder is PROJECT was last, before that was deleted."""
    other = project.parent / "moved"
    other.mkdir()
    kept(claude_dir(), project_folder(str(project)), "s-1", text=user(str(project)) + user(str(other)))
    project.rmdir()
    return other


def test_in_doubt_nothing_is_resumed_without_a_terminal(client: Path, project: Path) -> None:
    other = moved(project)
    error = resumed("s-1", code=1)
    assert error == (
        f"deskbell: Its folder {project} no longer exists.\n"
        f"deskbell: Cannot ask without a terminal. Nothing was resumed. Use -y to resume it from {other}, -n to resume it here.\n"
    )


def test_in_doubt_y_resumes_it_from_the_folder_that_was_found(client: Path, project: Path) -> None:
    other = moved(project)
    assert resumed("s-1", "-y").splitlines()[:2] == [str(other), "--resume s-1"]


def test_n_resumes_it_in_the_current_folder_certain_or_not(client: Path, project: Path, tmp_path: Path) -> None:
    here = tmp_path.resolve() / "here"
    here.mkdir()
    for session_id in ("s-2", "s-1"):
        over(session_id, project)
        assert resumed(session_id, "-n", at=here).splitlines()[:2] == [str(here), f"--resume {session_id}"]
        shutil.rmtree(project, ignore_errors=True)
    assert resumed("s-1", "-n", "--print", at=here).startswith(f"cd {here} && ")


def on_terminal(keys: str, *words: str) -> str:
    """What is on a terminal after KEYS were typed."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "deskbell", "resume", *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd="/") as process:
        os.close(theirs)
        os.write(ours, keys.encode())
        shown = b""
        try:
            while data := os.read(ours, 65_536):
                shown += data
        except OSError:  # Linux: the other end is closed
            pass
        process.wait(30)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(("key", "goes_on"), [("\n", True), ("y\n", True), ("n\n", False), ("\x04", False)])
def test_in_doubt_a_person_is_asked(client: Path, project: Path, key: str, goes_on: bool) -> None:
    other = moved(project)
    shown = on_terminal(key, "s-1")
    assert f"Resume s-1 from {other}? [Y/n] " in shown
    assert ("--resume s-1" in shown) is goes_on
    assert ("Nothing was resumed." in shown) is not goes_on


def test_without_a_name_the_person_chooses_from_a_list(client: Path, project: Path) -> None:
    for number in range(25):
        over(f"s-{number:02}", project, f"Prompt {number}", 1_000.0 + number)
    over("printed", project, entrypoint="sdk-cli")
    shown = on_terminal("x\nm\n23\n")
    assert shown.index("Prompt 24") < shown.index("Prompt 23"), "the newest first"
    assert "printed" not in shown
    assert shown.count("Number") == 3
    assert "Type a number from 1 to 20." in shown
    assert "--resume s-02" in shown


def test_a_running_session_is_not_in_the_list(
    client: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    running("s-1", str(project), os.getpid(), monkeypatch)
    over("s-1", project)
    assert said(capsys, "resume", code=3) == (
        "deskbell: There is no session to resume. Run `deskbell list` to see those that run.\n"
    )


def test_without_a_terminal_the_list_is_printed(client: Path, project: Path, capsys: Out) -> None:
    over("s-1", project, "Ship \x1b[2Jit")
    capsys.readouterr()
    assert main(["resume"]) == 2
    shown = capsys.readouterr()
    assert shown.out.split() == ["1", "s-1", "my", "api's", "Ship", "it", "0", "s"]
    assert shown.err == "deskbell: Name the session to resume: `deskbell resume ID`. The list is only for a terminal.\n"


REFUSED: dict[str, tuple[Callable[[Path], None], str, int]] = {
    "nobody": (
        lambda project: None,
        'No session matches "s-1". Run `deskbell resume` to choose from those that are over.',
        3,
    ),
    "two sessions": (
        lambda project: (over("s-10", project, "One"), over("s-11", project, "Two"))[0],
        "\"s-1\" is ambiguous: s-11 (my api's: Two), s-10 (my api's: One). Use the start of a session id.",
        2,
    ),
    "no folder": (
        lambda project: (over("s-1", project / "gone"), None)[1],
        "Cannot resume s-1. Its folder {project}/gone no longer exists. Make it again, or move it back.",
        1,
    ),
    "only a journal": (
        lambda project: recorded("s-1"),
        "Cannot resume s-1. Neither its transcript nor its folder was found. Run `deskbell resume` to choose from those that can be resumed.",
        1,
    ),
}


@pytest.mark.parametrize(("before", "sentence", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_resumed_is_refused_in_one_sentence(
    client: Path, project: Path, before: Callable[[Path], None], sentence: str, code: int, capsys: Out
) -> None:
    before(project)
    assert said(capsys, "resume", "s-1", "-y", code=code) == f"deskbell: {sentence.format(project=project)}\n"


@pytest.mark.parametrize("named", ["../x", "--dangerously-skip-permissions", "-1", "agent-1"])
def test_an_id_that_the_client_would_take_for_an_option_is_not_found(
    client: Path, project: Path, named: str, capsys: Out
) -> None:
    over("--dangerously-skip-permissions", project)
    over("agent-1", project)
    assert "No session matches" in said(capsys, "resume", "-y", "--", named, code=3)


def test_a_folder_that_cannot_be_entered_and_a_client_that_is_missing_are_told(
    client: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    over("s-1", project)
    client.unlink()
    assert said(capsys, "resume", "s-1", code=1) == (
        "deskbell: Claude Code was not found. Install it, or add the folder of `claude` to your PATH.\n"
    )


def test_the_window_that_the_tray_opens_stays_until_the_error_is_read(client: Path) -> None:
    shown = on_terminal("\n", "s-1", "--hold", "--home", str(home().state.parent))
    assert 'deskbell: No session matches "s-1".' in shown
    assert shown.rstrip().endswith("Press Enter to close this window.")
