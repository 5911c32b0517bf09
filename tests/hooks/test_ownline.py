"""Test that the person's own line gets the same stdin, that a slow one is ended, and that its last output is kept."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from deskbell_hooks.ownline import LARGEST, _end, own_line, run
from tests.hooks.neighbours import GONE, OWN
from tests.hooks.recorder import BARE_ENV, MAIN
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Deskbell chains no line on Windows")

LONG = 20.0
GIVEN: dict[str, Any] = {"session_id": OWN, "cost": {"total_cost_usd": 1, "total_duration_ms": 5}}


def line(state: Path, command: str, given: Any = GIVEN, seconds: float = LONG, sparing: bool = False) -> bytes:
    return own_line(str(state), command, b'{"x": 1}', given, seconds, sparing)


PRINTS = [
    ("cat", b'{"x": 1}'),
    ("printf 'a\\nb\\n\\n'", b"a\nb"),
    ("printf '\\033[31mred'", b"\x1b[31mred"),
    ("true", b""),
    ("echo shown; exit 3", b"shown"),
    ("nonsense-that-is-no-command 2>/dev/null || echo 'it''s'", b"its"),
    ("exec sh -c 'echo $PPID' | tr -d '0-9'", b""),
    ("echo quick; sleep 1 >/dev/null 2>&1 &", b"quick"),
]


@pytest.mark.parametrize(("command", "expected"), PRINTS)
def test_the_command_runs_in_a_shell_with_the_same_stdin(tmp_path: Path, command: str, expected: bytes) -> None:
    assert line(tmp_path, command) == expected


def test_a_long_stdin_is_given_whole_and_one_that_nobody_reads_stops_nothing() -> None:
    data = b"x" * 3_000_000
    assert run("wc -c | tr -d ' '", data, LONG) == b"3000000"
    assert run("echo unread", data, LONG) == b"unread"
    assert run("exec <&-; sleep 0.2; echo closed", data, LONG) == b"closed"


def test_the_end_of_the_shell_ends_the_line_although_something_holds_its_stdout(tmp_path: Path) -> None:
    begun = time.monotonic()
    left = int(line(tmp_path, "sleep 30 & echo $!"))
    os.kill(left, signal.SIGKILL)
    assert time.monotonic() - begun < LONG


@pytest.mark.long
def test_a_line_that_takes_too_long_is_ended_with_its_children_and_its_last_output_is_shown(tmp_path: Path) -> None:
    assert line(tmp_path, "echo before") == b"before"
    pids = tmp_path / "pids"
    assert line(tmp_path, f"echo $$ >{pids}; sleep 60 & echo $! >>{pids}; echo late; wait", seconds=1.0) == b"before"
    left = [int(pid) for pid in pids.read_text().split()]
    assert len(left) == 2
    wait(lambda: not any(_runs(pid) for pid in left), "the end of the group")


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_without_a_last_output_a_slow_line_shows_nothing(tmp_path: Path) -> None:
    assert line(tmp_path, "sleep 60", seconds=0.2) == b""


def test_endless_output_is_cut_and_ended(tmp_path: Path) -> None:
    assert line(tmp_path, "yes") == (b"y\n" * LARGEST)[:LARGEST].rstrip()


def test_the_last_output_is_private_and_kept_for_each_session(tmp_path: Path) -> None:
    line(tmp_path, "echo one")
    kept = tmp_path / "statusline" / f"own-{OWN}"
    assert kept.read_bytes().endswith(b"\none")
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert line(tmp_path, "sleep 9", {"session_id": "other"}, seconds=0.1) == b""


@pytest.mark.parametrize("given", [None, [], {}, {"session_id": "../x"}, {"session_id": 5, "cost": 5}])
def test_without_a_session_nothing_is_kept(tmp_path: Path, given: object) -> None:
    assert line(tmp_path, "echo one", given) == b"one"
    assert not (tmp_path / "statusline").exists()


def test_where_nothing_can_be_kept_the_line_is_shown(tmp_path: Path) -> None:
    state = tmp_path / "file"
    state.write_text("")
    assert line(state, "echo one") == b"one"


def test_a_sparing_line_runs_only_when_more_than_the_clock_has_changed(tmp_path: Path) -> None:
    count = f"echo x >>{tmp_path}/runs; wc -l <{tmp_path}/runs | tr -d ' '"
    later = {**GIVEN, "cost": {"total_cost_usd": 1, "total_duration_ms": 9_000}}
    dearer = {**GIVEN, "cost": {"total_cost_usd": 2, "total_duration_ms": 9_000}}
    shown = [line(tmp_path, count, given, sparing=True) for given in (GIVEN, later, dearer, dearer)]
    assert shown == [b"1", b"1", b"2", b"2"]
    assert line(tmp_path, count, dearer) == b"3"


def test_where_no_process_can_start_the_last_output_is_shown(tmp_path: Path) -> None:
    line(tmp_path, "echo before")
    assert line(tmp_path, "x" * 3_000_000) == b"before"


def test_a_signal_to_the_statusline_ends_the_own_line() -> None:
    """In a process without the threads of the tests, of which any could take the signal."""
    program = "import sys; sys.path.insert(0, sys.argv[1]); from deskbell_hooks.ownline import run; print(run(sys.argv[2], b'', 20))"
    words = [sys.executable, "-c", program, str(MAIN.parents[1]), "echo $$; kill -TERM $PPID; exec sleep 60"]
    begun = time.monotonic()
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip("b'\n").isdigit()
    assert time.monotonic() - begun < LONG


def test_when_claude_code_ends_the_statusline_the_own_line_ends_too(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    words = [
        sys.executable,
        "-I",
        "-S",
        str(MAIN),
        "statusline",
        str(tmp_path),
        "none",
        "first",
        f"echo $$ >{pid_file}; sleep 60",
        "",
    ]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=BARE_ENV) as process:
        assert process.stdin
        process.stdin.close()
        wait(lambda: pid_file.exists() and pid_file.read_text().strip(), "the own line")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    wait(lambda: not _runs(int(pid_file.read_text())), "the end of the own line")


def test_the_own_line_gets_a_signal_that_python_ignores(tmp_path: Path) -> None:
    assert line(tmp_path, "yes | head -n 1; echo end") == b"y\nend"


def test_to_end_a_group_that_is_gone_is_no_error() -> None:
    _end(GONE)
