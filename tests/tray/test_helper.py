"""Test that a program of somebody else is bounded with everything that it starts."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.helper import LONGEST, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs of this test are shell scripts")

Script = Callable[[str], list[str]]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    def written(text: str) -> list[str]:
        file = tmp_path / "program"
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return [str(file)]

    return written


@pytest.fixture
def child(tmp_path: Path) -> Path:
    """The file into which a script writes the process id of its child."""
    return tmp_path / "child"


def ends(child: Path) -> bool:
    """Whether the process that CHILD names ends soon."""
    pid = int(child.read_text())
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path("/proc", str(pid), "stat").is_file() and " Z " in Path("/proc", str(pid), "stat").read_text():
            return True  # nobody has collected it
        time.sleep(0.01)
    return False


def test_a_program_gets_its_input_and_returns_its_output(script: Script) -> None:
    assert run(script("cat; exit 3"), 20, given=b"some text") == (3, "some text")


def test_either_output_can_be_read(script: Script) -> None:
    program = script("echo out; echo err >&2")
    assert (run(program, 20).said, run(program, 20, stream="stderr").said) == ("out\n", "err\n")


def test_a_large_input_and_a_large_output_do_not_wait_for_each_other(script: Script) -> None:
    assert len(run(script("cat"), 20, given=b"x" * 1_000_000).said) == 1_000_000


def test_only_the_end_of_an_endless_output_is_kept(script: Script) -> None:
    found = run(script("head -c 12000000 /dev/zero; echo end"), 20).said
    assert (found[-4:], len(found) <= 2 * LONGEST) == ("end\n", True)


def test_an_input_that_nobody_reads_is_no_failure(script: Script) -> None:
    assert run(script("exec 0<&-; exit 0"), 20, given=b"x" * 1_000_000).code == 0


def test_output_that_is_not_utf_8_is_no_failure(script: Script) -> None:
    assert run(script(r"printf '\377ok'"), 20) == (0, "\ufffdok")


def test_a_program_that_has_closed_its_output_is_waited_for(script: Script) -> None:
    assert run(script("exec >&- 2>&- 0<&-; sleep 0.1; exit 4"), 20).code == 4


def test_a_program_that_hangs_ends_at_the_deadline_with_its_children(script: Script, child: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        run(script(f"sleep 600 & echo $! > {child}; wait"), 0.5)
    assert (time.monotonic() - begun < 5, ends(child)) == (True, True)


def test_a_program_whose_child_keeps_its_output_open_is_over_when_it_ends(script: Script, child: Path) -> None:
    begun = time.monotonic()
    assert run(script(f"sleep 600 & echo $! > {child}; echo said; exit 0"), 20) == (0, "said\n")
    assert (time.monotonic() - begun < 10, ends(child)) == (True, True)


def test_a_program_whose_child_writes_for_ever_is_over_when_it_ends(script: Script) -> None:
    assert run(script("yes & exit 0"), 20).code == 0


@pytest.mark.long
def test_children_may_work_until_the_deadline(script: Script, child: Path, tmp_path: Path) -> None:
    work = f"(sleep 0.2; echo done > {tmp_path}/done; exec sleep 600) & echo $! > {child}"
    begun = time.monotonic()
    assert run(script(work), 1.0, children="wait").code == 0
    assert ((tmp_path / "done").exists(), 0.9 < time.monotonic() - begun < 5, ends(child)) == (True, True, True)


@pytest.mark.long
def test_children_that_end_are_not_waited_for_until_the_deadline(script: Script) -> None:
    begun = time.monotonic()
    assert run(script("sleep 0.1 &"), 20, children="wait").code == 0
    assert time.monotonic() - begun < 10


def test_children_may_be_left_behind_by_a_program_that_has_ended(script: Script, child: Path, tmp_path: Path) -> None:
    work = f"(until [ -e {tmp_path}/go ]; do sleep 0.01; done; echo done > {tmp_path}/done) & echo $! > {child}"
    assert run(script(work), 20, children="leave").code == 0
    (tmp_path / "go").touch()
    assert ends(child)
    assert (tmp_path / "done").exists()


def test_a_program_that_hangs_leaves_no_children_behind(script: Script, child: Path) -> None:
    with pytest.raises(TimeoutError):
        run(script(f"sleep 600 & echo $! > {child}; wait"), 0.5, children="leave")
    assert ends(child)


@pytest.mark.parametrize(("name", "error"), [("/nowhere/program", FileNotFoundError), ("a\0b", ValueError)])
def test_a_program_that_does_not_start_raises(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        run([name], 1)


def test_no_descriptor_is_left_open(script: Script) -> None:
    def opened() -> int:
        return len(os.listdir("/dev/fd"))

    run(script("true"), 20)
    before = opened()
    for _ in range(5):
        run(script("cat"), 20, given=b"x")
        with pytest.raises(TimeoutError):
            run(script("exec sleep 600"), 0.05)
    assert opened() == before
