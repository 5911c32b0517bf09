"""Test that a hook without a terminal of its own finds where its client runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell_hooks.client import process_start
from deskbell_hooks.place import HANDLES, LONGEST, container, identity, terminal, where
from tests.hooks import recorder
from tests.hooks.environment import set_variable
from tests.hooks.pythons import by_every_python
from tests.hooks.said import SESSION, e
from tests.limits import no_descriptors

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


@by_every_python
@linux
def test_the_terminal_is_found_from_the_client(tmp_path: Path, client: "tuple[subprocess.Popen[bytes], str]") -> None:
    process, tty = client
    found = place(tmp_path, {"CLAUDE_PID": str(process.pid)})
    stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    assert (found["pid"], found["tty"], found["start"]) == (process.pid, tty, int(stat[19]))
    assert found["host"] == os.uname().nodename


@by_every_python
@linux
def test_the_machine_its_start_and_the_namespace_of_the_pid_are_recorded(
    tmp_path: Path, client: "tuple[subprocess.Popen[bytes], str]"
) -> None:
    found = place(tmp_path, {"CLAUDE_PID": str(client[0].pid)})
    assert {name: found[name] for name in ("boot", "pids")} == {
        "boot": Path("/proc/sys/kernel/random/boot_id").read_text().strip(),
        "pids": os.readlink("/proc/self/ns/pid"),
    }


@linux
def test_what_identifies_no_machine_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "machine").write_text("abc\n")
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "link").symlink_to("pid:[77]")
    missing, at = str(tmp_path / "missing"), str(tmp_path)
    assert identity((f"{at}/machine", f"{at}/empty", f"{at}/link")) == {"machine": "abc", "pids": "pid:[77]"}
    assert identity((missing, missing, missing)) == {}


@by_every_python
def test_without_a_client_no_place_is_recorded(tmp_path: Path) -> None:
    recorder.run(tmp_path, e("SessionStart", source="startup"))
    assert "where" not in recorder.read(tmp_path, SESSION)


@pytest.mark.parametrize(("name", "key"), [("SSH_CONNECTION", "ssh"), ("WSL_DISTRO_NAME", "wsl")])
def test_only_the_beginning_of_a_variable_is_kept(monkeypatch: pytest.MonkeyPatch, name: str, key: str) -> None:
    set_variable(monkeypatch, name, "x" * 1_000)
    assert dict(where(1, None))[key] == "x" * LONGEST


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


CONTAINERS: list[tuple[str, dict[str, str], str]] = [
    ("", {}, ""),
    ("", {"container": "lxc"}, "lxc"),
    ("", {"DISTROBOX_ENTER_PATH": "/x", "CONTAINER_ID": "box"}, "box"),
    ("", {"CONTAINER_ID": "box"}, ""),
    ("containerenv", {}, "podman"),
    ("dockerenv", {}, "docker"),
    ("dockerenv", {"container": "lxc"}, "lxc"),
    ("", {"CODESPACES": "true"}, "codespace"),
]
DEVICES = {
    136 << 8: "/dev/pts/0",
    (136 << 8) + 255: "/dev/pts/255",
    137 << 8: "/dev/pts/256",
    (143 << 8) + 1: "/dev/pts/1793",
    (136 << 8) + (1 << 20): "/dev/pts/256",
    (4 << 8) + 1: "/dev/tty1",
    (4 << 8) + 64: "/dev/pts/9",
    (144 << 8) + 1: "/dev/pts/9",
    0: "",
}
"""Device numbers as Linux makes them of a major and a minor number; SSH_TTY is /dev/pts/9."""


@by_every_python
@pytest.mark.parametrize(("env", "name", "value"), ENVIRONMENTS)
def test_the_environment_describes_the_place(tmp_path: Path, env: dict[str, str], name: str, value: object) -> None:
    assert place(tmp_path, {"CLAUDE_PID": str(os.getpid()), **env})[name] == value


@pytest.mark.parametrize(("env", "name", "value"), ENVIRONMENTS)
def test_the_environment_of_this_process_describes_the_place(
    monkeypatch: pytest.MonkeyPatch, env: dict[str, str], name: str, value: object
) -> None:
    for other in (*HANDLES, "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED", "container", "CONTAINER_ID"):
        set_variable(monkeypatch, other, "")
    for variable, text in env.items():
        set_variable(monkeypatch, variable, text)
    assert dict(where(os.getpid(), 5, marks=()))[name] == value


@linux
def test_the_terminal_of_another_process_is_found(client: "tuple[subprocess.Popen[bytes], str]") -> None:
    process, tty = client
    assert where(process.pid, 5)["tty"] == tty


@linux
def test_the_terminal_of_a_process_about_which_nothing_can_be_read_is_unknown() -> None:
    with no_descriptors():
        assert "tty" not in where(os.getpid(), 5, marks=())


@pytest.mark.parametrize(("exists", "env", "expected"), CONTAINERS)
def test_a_container_is_known_by_its_marks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, exists: str, env: dict[str, str], expected: str
) -> None:
    for name in ("container", "DISTROBOX_ENTER_PATH", "CONTAINER_ID", "CODESPACES"):
        set_variable(monkeypatch, name, env.get(name, ""))
    marks = tuple((str(tmp_path / name), kind) for name, kind in (("containerenv", "podman"), ("dockerenv", "docker")))
    if exists:
        (tmp_path / exists).touch()
    assert container(marks) == expected


def test_a_terminal_is_named_by_its_device_number(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(monkeypatch, "SSH_TTY", "/dev/pts/9")
    found = {device: terminal(device) for device in DEVICES}
    assert found == DEVICES


@by_every_python
@pytest.mark.parametrize("name", ["entrypoint", "attended", "ssh", "wsl"])
def test_an_unset_variable_is_left_out(tmp_path: Path, name: str) -> None:
    assert name not in place(tmp_path, {"CLAUDE_PID": str(os.getpid())})


@by_every_python
def test_the_place_is_written_once_for_each_client(tmp_path: Path) -> None:
    mine = {"CLAUDE_PID": str(os.getpid())}
    for env in (mine, {**mine, "TMUX_PANE": "%9"}):
        recorder.run(tmp_path, e("Stop", transcript_path="/t.jsonl"), {**env, "CLAUDE_CONFIG_DIR": "/c"})
    first, second = recorder.journal(tmp_path, SESSION)
    assert ("where" in first, "where" in second) == (True, False)
    assert first["client"] == second["client"]
    record = recorder.read(tmp_path, SESSION)
    assert (record["transcript"], record["config_dir"], record["where"]["handles"]) == ("/t.jsonl", "/c", {})


def test_no_handle_can_hold_a_secret() -> None:
    assert [name for name in HANDLES if any(word in name for word in ("KEY", "SECRET", "TOKEN", "PASS"))] == []


@linux
def test_a_command_with_brackets_and_spaces_does_not_shift_the_fields(tmp_path: Path) -> None:
    odd = tmp_path / "a) (b 1 2"
    odd.symlink_to("/bin/sleep")
    with subprocess.Popen([odd, "60"]) as process:
        stat = Path(f"/proc/{process.pid}/stat").read_text()
        assert process_start(process.pid) == int(stat.rpartition(") ")[2].split()[19])
        assert where(process.pid, None)["pid"] == process.pid
        process.kill()
