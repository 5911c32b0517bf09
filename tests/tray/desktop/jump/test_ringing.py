"""Test that a session is rung for in its own terminal, as that understands it, and in no other."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.desktop.jump.ringing import ring_in_terminal
from deskbell.notices.channels import Failed
from tests.tray.desktop.jump.test_spot import in_terminal
from tests.tray.making import session
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals and /proc")

HOLDER = """#!{python}
import os, pty, sys
client, ours = pty.fork()
if not client:
    os.execvp("sleep", ["sleep", "60"])
print(client, flush=True)
print(os.read(ours, 999), flush=True)
"""


@pytest.mark.parametrize(
    ("name", "written"),
    [("foot", b"\x1b]777;notify;api;wants to run ls\x1b\\"), ("xterm", b"\a"), ("strange", b"\a")],
)
def test_the_program_that_holds_the_terminal_decides_how_it_rings(tmp_path: Path, name: str, written: bytes) -> None:
    program = tmp_path / name
    program.write_text(HOLDER.format(python=sys.executable))
    program.chmod(0o755)
    env = os.environ | {"TERM": "xterm-kitty"}
    with subprocess.Popen([program], stdout=subprocess.PIPE, text=True, env=env) as terminal:
        assert terminal.stdout
        client = int(terminal.stdout.readline())
        wait(lambda: Path(f"/proc/{client}/comm").read_text() == "sleep\n", "the client")
        ring_in_terminal(session(pid=client, pid_start=None), "api", "wants to run ls")
        assert terminal.stdout.readline() == f"{written!r}\n"
        os.kill(client, 9)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[list[str]]:
    if not shutil.which("tmux"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("tmux is missing: see tests/system-packages.sh")
    command = ["tmux", "-S", str(tmp_path / "tmux")]
    subprocess.run([*command, "-f", "/dev/null", "new-session", "-d", "sleep 60"], check=True)
    yield command
    subprocess.run([*command, "kill-server"], check=False)


def test_tmux_marks_the_window_of_the_session(tmux: list[str]) -> None:
    def said(*words: str) -> str:
        return subprocess.run([*tmux, *words], capture_output=True, text=True, check=True).stdout

    said("new-window", "sleep 60")
    first = int(said("list-panes", "-t", ":0", "-F", "#{pane_pid}"))
    wait(lambda: b"TMUX=" in Path(f"/proc/{first}/environ").read_bytes(), "the program of the pane")
    ring_in_terminal(session(pid=first, pid_start=None), "api", "wants to run ls")
    wait(lambda: said("list-windows", "-F", "#{window_bell_flag}").split() == ["1", "0"], "the mark of the window")
    assert said("capture-pane", "-p", "-t", ":0").strip() == ""


def test_where_nothing_can_be_rung_it_is_told_why() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        cases = {
            "it has no terminal": session(pid=process.pid, pid_start=None),
            "it has ended, or runs on another machine": session(pid=2**30),
            "runs on another machine": session(pid=process.pid, pid_start=None, host="elsewhere"),
            "it has ended": session(pid=process.pid, pid_start=1.5),
        }
        for why, one in cases.items():
            with pytest.raises(Failed, match=why):
                ring_in_terminal(one, "api", "")
        process.terminate()


HASTY = """#!{python}
import os, time
os.dup2(os.pipe()[1], 1)
os.set_blocking(1, False)
time.sleep(60)
"""


def test_a_client_that_may_write_half_a_sequence_is_not_disturbed(tmp_path: Path) -> None:
    program = tmp_path / "hasty"
    program.write_text(HASTY.format(python=sys.executable))
    program.chmod(0o755)
    with in_terminal("hasty", PATH=f"{tmp_path}:{os.environ['PATH']}") as (pid, _):
        flags = Path(f"/proc/{pid}/fdinfo/1")
        wait(lambda: int(flags.read_text().split()[3], 8) & os.O_NONBLOCK, "an output that does not wait")
        with pytest.raises(Failed, match="could break what its program is writing"):
            ring_in_terminal(session(pid=pid, pid_start=None), "api", "")


def test_a_terminal_that_takes_nothing_is_told_of() -> None:
    with in_terminal("sleep", "60") as (pid, path):
        Path(path).chmod(0)
        if os.getuid() == 0:
            os.chown(path, 12345, -1)
        with pytest.raises(Failed, match="takes no text now, or belongs to somebody else"):
            ring_in_terminal(session(pid=pid, pid_start=None), "api", "")
