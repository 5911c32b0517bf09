"""Test what `deskbell run` says where Deskbell is running already, with a first one that is another process."""

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from deskbell.commands.run import logged
from deskbell.home import home
from deskbell.program.single import REQUEST, place
from tests.tray.commands.said import Out, running, said

FIRST = """
import sys, threading, time
from pathlib import Path
from deskbell.program.single import claim, is_asked_to_show
held = claim(Path(sys.argv[1]))

def answer():
    while not is_asked_to_show(Path(sys.argv[2]), time.time()):
        time.sleep(0.01)
    print("shown", flush=True)

print("holds", flush=True)
if sys.argv[3:]:
    threading.Thread(target=answer, daemon=True).start()
input()
"""


@contextmanager
def first(*options: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that holds the lock, and with an option answers one request."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FIRST, str(place(home())), str(home().state), *options]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout
        assert process.stdout.readline() == "holds\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_start_has_the_first_one_show_itself_and_counts_the_sessions(
    capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    running("s-1", "/p/api", os.getpid(), monkeypatch)
    with first("answers") as process:
        answer = said(capsys, "run")
        assert process.stdout
        assert process.stdout.readline() == "shown\n"
    assert answer == f"Deskbell is already running (process {process.pid}) and shows its sessions now: 1 running.\n"


def test_without_a_session_it_says_so(capsys: Out) -> None:
    with first("answers"):
        assert said(capsys, "run").endswith("shows its sessions now: no session is running.\n")


@pytest.mark.long
def test_a_first_one_that_does_not_answer_is_named_with_the_next_step(capsys: Out) -> None:
    with first() as process:
        assert said(capsys, "run", code=1) == (
            f"deskbell: Deskbell is already running (process {process.pid}), but does not answer. "
            f"End process {process.pid}, then start Deskbell again.\n"
        )
    assert not (home().state / REQUEST).exists()


def test_a_request_that_cannot_be_written_is_a_problem(capsys: Out) -> None:
    with first() as process:
        home().state.write_text("a file, not a folder")
        answer = said(capsys, "run", code=1)
    assert answer.startswith(f"deskbell: Deskbell is already running (process {process.pid}), but cannot be asked")


def test_at_login_a_second_start_asks_for_nothing(capsys: Out) -> None:
    with first():
        assert said(capsys, "run", "--at-login") == ""
    assert not home().state.exists()


@pytest.mark.parametrize("error", [LookupError, asyncio.CancelledError, MemoryError])
def test_every_error_that_ends_the_program_is_in_the_log(
    error: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with pytest.raises(error), logged():
        raise error
    assert [one.getMessage() for one in caplog.records] == ["Deskbell cannot go on", "Deskbell ends"]
    assert caplog.records[0].exc_info


@pytest.mark.parametrize("wish", [KeyboardInterrupt, SystemExit])
def test_a_wish_to_end_is_no_error(wish: type[BaseException], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with pytest.raises(wish), logged():
        raise wish
    assert [one.getMessage() for one in caplog.records] == ["Deskbell ends"]
