"""Where a client runs, seen from a hook that has no terminal of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell_hooks.client import client_pid, is_gone, process_start, process_stat, variable
from deskbell_hooks.place import HANDLES, where
from tests.hooks import recorder
from tests.hooks.said import SESSION, e

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def client() -> "Iterator[tuple[subprocess.Popen[bytes], str]]":
    """A process in a terminal, as Claude Code is; and the name of that terminal."""
    leader, follower = os.openpty()
    name = os.ttyname(follower)
    program = "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); print('on', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=follower, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"on\n"
        yield process, name
        process.kill()
    os.close(leader)
    os.close(follower)


def place(state: Path, env: dict[str, str]) -> dict[str, object]:
    recorder.run(state, e("SessionStart", source="startup"), env)
    return dict(recorder.read(state, SESSION)["where"])


@linux
def test_the_terminal_is_found_from_the_client(tmp_path: Path, client: "tuple[subprocess.Popen[bytes], str]") -> None:
    process, tty = client
    found = place(tmp_path, {"CLAUDE_PID": str(process.pid)})
    stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    assert (found["pid"], found["tty"], found["start"]) == (process.pid, tty, int(stat[19]))
    assert found["host"] == os.uname().nodename


@linux
@pytest.mark.parametrize("shell", [[], ["/bin/sh", "-c", '"$0" "$@"; exit 0']])
def test_a_client_that_does_not_give_its_number_is_whoever_started_the_hook(tmp_path: Path, shell: list[str]) -> None:
    env = {**recorder.BARE_ENV, "CLAUDECODE": "1", "TMUX_PANE": "%5"}
    command = [*shell, *recorder.COMMAND, str(tmp_path)]
    subprocess.run(command, input=recorder.said(e("Stop")), env=env, check=True)
    found = recorder.read(tmp_path, SESSION)["where"]
    assert (found["pid"], found["start"], found["handles"]) == (os.getpid(), process_start("self"), {"TMUX_PANE": "%5"})


def test_without_a_client_there_is_no_place(tmp_path: Path) -> None:
    recorder.run(tmp_path, e("SessionStart", source="startup"))
    assert "where" not in recorder.read(tmp_path, SESSION)


ENVIRONMENTS: list[tuple[dict[str, str], str, object]] = [
    ({"CLAUDE_CODE_ENTRYPOINT": "cli"}, "entrypoint", "cli"),
    ({"CLAUDE_CODE_SESSION_ATTENDED": "1"}, "attended", True),
    ({"CLAUDE_CODE_SESSION_ATTENDED": "0"}, "attended", False),
    ({"SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}, "ssh", "10.0.0.1 5 10.0.0.2 22"),
    ({"WSL_DISTRO_NAME": "Ubuntu"}, "wsl", "Ubuntu"),
    ({"container": "podman"}, "container", "podman"),
    ({"DISTROBOX_ENTER_PATH": "/x", "CONTAINER_ID": "box"}, "container", "box"),
    ({"TMUX": "/tmp/t,1,0", "TMUX_PANE": "%3"}, "handles", {"TMUX": "/tmp/t,1,0", "TMUX_PANE": "%3"}),
    ({"KITTY_WINDOW_ID": "7", "TERM": "xterm-kitty"}, "handles", {"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "7"}),
    ({"WT_SESSION": "{x}", "HOME": "/home/user"}, "handles", {"WT_SESSION": "{x}"}),
    ({"TERM_PROGRAM": "vscode", "ANTHROPIC_API_KEY": "secret"}, "handles", {"TERM_PROGRAM": "vscode"}),
    ({"TMUX": "x" * 999}, "handles", {"TMUX": "x" * 200}),
    ({"TERM": "é"}, "handles", {"TERM": "é"}),
]


@pytest.mark.parametrize(("env", "name", "value"), ENVIRONMENTS)
def test_what_the_environment_tells(tmp_path: Path, env: dict[str, str], name: str, value: object) -> None:
    assert place(tmp_path, {"CLAUDE_PID": str(os.getpid()), **env})[name] == value


@pytest.mark.parametrize("name", ["entrypoint", "attended", "ssh", "wsl"])
def test_what_the_environment_does_not_tell_is_left_out(tmp_path: Path, name: str) -> None:
    assert name not in place(tmp_path, {"CLAUDE_PID": str(os.getpid())})


def test_the_place_is_written_down_once_for_each_client(tmp_path: Path) -> None:
    mine = {"CLAUDE_PID": str(os.getpid())}
    for env in (mine, {**mine, "TMUX_PANE": "%9"}):
        recorder.run(tmp_path, e("Stop", transcript_path="/t.jsonl"), {**env, "CLAUDE_CONFIG_DIR": "/c"})
    first, second = recorder.journal(tmp_path, SESSION)
    assert ("where" in first, "where" in second) == (True, False)
    assert first["client"] == second["client"]
    record = recorder.read(tmp_path, SESSION)
    assert (record["transcript"], record["config_dir"], record["where"]["handles"]) == ("/t.jsonl", "/c", {})


@pytest.mark.skipif(sys.platform == "win32", reason="there nobody can be asked for certain")
def test_a_client_that_died_is_named_by_the_next_one(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as died:
        recorder.run(tmp_path, e("UserPromptSubmit", prompt="x"), {"CLAUDE_PID": str(died.pid)})
        died.kill()
    recorder.run(tmp_path, e("SessionStart", source="resume"), {"CLAUDE_PID": str(os.getpid())})
    assert [one["pid"] for one in recorder.journal(tmp_path, SESSION)[1]["gone"]] == [died.pid]
    record = recorder.read(tmp_path, SESSION)
    assert (record["where"]["pid"], record["others"]) == (os.getpid(), [])


@linux
def test_the_last_words_of_a_client_that_has_gone_are_its_own(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        env = {"CLAUDE_PID": str(client.pid), "TMUX_PANE": "%4"}
        recorder.run(tmp_path, e("UserPromptSubmit", prompt="x"), env)
        recorder.run(tmp_path, e("SubagentStart", agent_id="a1", agent_type="Plan"), env)
        before = recorder.read(tmp_path, SESSION)["where"]
        client.kill()
    recorder.run(tmp_path, e("SessionEnd", reason="other"), env)
    record = recorder.read(tmp_path, SESSION)
    assert (record["status"], record["where"], record["others"]) == ("ended", before, [])
    assert [agent["status"] for agent in record["agents"]] == ["done"]


@pytest.mark.parametrize("pid", ["", "x", "-1", "0x1", "9" * 30, "1.5", "١"])
def test_a_client_that_is_no_process_number_is_none(tmp_path: Path, pid: str) -> None:
    recorder.run(tmp_path, e("Stop"), {"CLAUDE_PID": pid})
    assert "client" not in recorder.journal(tmp_path, SESSION)[0]


def test_no_handle_is_a_secret() -> None:
    assert [name for name in HANDLES if any(word in name for word in ("KEY", "SECRET", "TOKEN", "PASS"))] == []


@linux
def test_a_process_lives_or_is_gone_and_another_under_its_number_is_not_it() -> None:
    start = process_start("self")
    assert start == process_start(os.getpid())
    assert not is_gone(os.getpid(), start)
    assert not is_gone(os.getpid(), None)
    assert is_gone(os.getpid(), (start or 0) + 1)
    with subprocess.Popen([sys.executable, "-c", ""]) as died:
        pass
    assert is_gone(died.pid, None)
    assert (process_start(died.pid), process_stat(died.pid)) == (None, [])


@linux
def test_a_command_with_brackets_and_spaces_does_not_shift_the_fields(tmp_path: Path) -> None:
    odd = tmp_path / "a) (b 1 2"
    odd.symlink_to("/bin/sleep")
    with subprocess.Popen([odd, "60"]) as process:
        stat = Path(f"/proc/{process.pid}/stat").read_text()
        assert process_start(process.pid) == int(stat.rpartition(") ")[2].split()[19])
        assert where(process.pid, None)["pid"] == process.pid
        process.kill()


def test_a_variable_that_is_not_set_is_empty() -> None:
    assert variable("DESKBELL_NO_SUCH_VARIABLE") == ""
    assert client_pid() == (int(os.environ["CLAUDE_PID"]) if "CLAUDE_PID" in os.environ else None)
