"""Test that a file is shown by the person's own program, and that a failure is noticed."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from deskbell.desktop import launch
from deskbell.errors import Problem
from tests.waiting import wait

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the system itself opens files there")
left_running = pytest.mark.filterwarnings("ignore:.*Popen.__del__:pytest.PytestUnraisableExceptionWarning")


@pytest.fixture
def opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The script that opens files here; each test writes it. What still runs after the test is ended."""
    script = tmp_path / launch.opener()
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    yield script
    for pid in (tmp_path / "pids").read_text().split() if (tmp_path / "pids").exists() else ():
        with suppress(ProcessLookupError):
            os.killpg(int(pid), signal.SIGKILL)


def does(script: Path, body: str) -> None:
    script.write_text(f'#!/bin/sh\necho $$ >> "{script.parent}/pids"\n{body}\n')
    script.chmod(0o755)


def test_a_started_program_is_no_child_of_claude_code() -> None:
    inherited = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli", "AI_AGENT": "x", "HOME": "/home/me"}
    assert launch.environment(inherited) == {"HOME": "/home/me"}


def test_a_file_is_given_to_the_opener(opens: Path) -> None:
    does(opens, f'echo "$@" > {opens.parent}/opened')
    launch.show(Path("/srv/page one.html"))
    assert (opens.parent / "opened").read_text() == "/srv/page one.html\n"


@pytest.mark.parametrize(
    ("code", "why"), [(1, "it ended with 1"), (3, "it found no program"), (4, "the program for the file failed")]
)
def test_an_opener_that_fails_is_a_problem(code: int, why: str, opens: Path) -> None:
    does(opens, f"exit {code}")
    with pytest.raises(Problem, match=rf"could not open log: {why}.*Open /srv/log yourself\."):
        launch.show(Path("/srv/log"))


def test_an_opener_that_fails_late_is_a_problem(opens: Path) -> None:
    does(opens, "sleep 0.3; exit 3")
    with pytest.raises(Problem, match="it found no program"):
        launch.show(Path("/srv/log"))


@left_running
def test_an_opener_that_hangs_is_a_problem_and_is_left_alone(opens: Path) -> None:
    does(opens, f"(sleep 600) & exec sleep 600 > {opens.parent}/runs")
    with pytest.raises(Problem, match=r"has opened nothing for 0\.2 seconds\. Open /srv/log yourself\."):
        launch.show(Path("/srv/log"), patience=0.2)
    os.kill(int((opens.parent / "pids").read_text()), 0)


@left_running
@pytest.mark.skipif(sys.platform != "linux", reason="other openers end at once")
def test_an_opener_that_waits_for_the_program_that_it_has_started_has_opened_the_file(opens: Path) -> None:
    browser = opens.parent / "browser"
    browser.symlink_to("/bin/sleep")
    does(opens, f"{browser} 600")
    launch.show(Path("/srv/log"), patience=0.2)
    wait(lambda: (opens.parent / "pids").exists())


def test_a_missing_opener_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Problem, match=r"is not installed\. Open /srv/log yourself\."):
        launch.show(Path("/srv/log"))
