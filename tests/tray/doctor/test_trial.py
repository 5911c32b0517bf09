"""Test how a hook is tried."""

import sys
from pathlib import Path

import pytest

from deskbell.doctor.trial import RUNS, seconds_of_events
from deskbell.settings.install import install
from deskbell.settings.registration import Hook
from deskbell.settings.state import registered_hooks
from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the hook is run by a POSIX shell here")


def test_a_hook_that_records_is_timed_at_each_run(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    install([machine.target], machine.setup)
    [hook] = registered_hooks(machine.home)

    took = list(seconds_of_events(hook))

    assert len(took) == RUNS
    assert all(0 < seconds < 60 for seconds in took)
    assert not machine.home.state.exists()


def test_a_hook_whose_interpreter_is_gone_is_tried_once(tmp_path: Path) -> None:
    hook = Hook("/nowhere/python", str(tmp_path / "deskbell_hooks" / "__main__.py"), str(tmp_path))

    assert list(seconds_of_events(hook)) == []


def test_a_current_folder_that_is_gone_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    assert list(seconds_of_events(Hook(sys.executable, "/x/deskbell_hooks/__main__.py", "/x"))) == []


def test_a_temporary_folder_that_cannot_be_made_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    hook = Hook(sys.executable, "/x/deskbell_hooks/__main__.py", "/x")

    with pytest.raises(OSError, match="Not a directory"):
        list(seconds_of_events(hook, tmp_path / "file"))
