"""Test what an installation depends on."""

from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.home import home
from deskbell.settings import deploy
from deskbell.settings.registration import Version, hook_of
from deskbell.settings.setup import setup
from tests.tray.installing import NEWEST, Machine


def test_the_wanted_hooks_start_the_deployed_code_and_record_into_the_state_folder(tmp_path: Path) -> None:
    ready = Machine(tmp_path).setup

    hook = hook_of(ready.wanted["Stop"][0])

    assert hook is not None
    assert (hook.python, hook.state) == (ready.interpreter.path, str(ready.home.state))
    assert Path(hook.main).is_relative_to(ready.folder)


def test_the_code_is_deployed_once_it_is_whole(tmp_path: Path) -> None:
    ready = Machine(tmp_path).setup
    assert not ready.deployed

    deploy.deploy(ready.home.data, ready.interpreter)

    assert ready.deployed
    (ready.folder / deploy.PACKAGE / "fold.py").unlink()
    assert not ready.deployed


@pytest.mark.parametrize(
    ("client", "said"),
    [
        (NEWEST, "All 22 events are reported."),
        ((2, 1, 0), "11 of 22 events are reported: Claude Code 2.1.0 knows no others."),
        (
            None,
            "9 of 22 events are reported: Claude Code was not found, and these are those that every version "
            "knows. Put claude on the PATH, then run `deskbell install`.",
        ),
    ],
)
def test_it_says_how_many_events_are_reported_and_why_not_all(
    client: Version | None, said: str, tmp_path: Path
) -> None:
    machine = Machine(tmp_path)
    machine.client = client
    assert machine.setup.reach == said


def test_on_windows_the_hook_needs_no_shell(tmp_path: Path) -> None:
    ready = replace(Machine(tmp_path).setup, windows=True)

    assert "args" in ready.wanted["Stop"][0]


@pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")
def test_this_machine_is_asked_for_its_client_and_its_interpreter(private_home: Path) -> None:
    machine = Machine(private_home)
    (private_home / ".local" / "bin").mkdir(parents=True)
    machine.has_client("2.1.7")
    (private_home / "bin" / "claude").rename(private_home / ".local" / "bin" / "claude")

    ready = setup(home())

    assert ready.client is not None
    assert Path(ready.interpreter.path).exists()
    assert ready.home == home()
