"""Test what `deskbell` says without a command: the sessions, what is wrong, and what to do next."""

import json
import os

import pytest

from deskbell.home import claude_dir, home
from deskbell.program.single import Claim, claim, place
from tests.tray.commands.said import Out, running, said
from tests.tray.commands.test_around import limited

HELP = "`deskbell --help` lists all commands."


@pytest.fixture(autouse=True)
def pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing bounds a line, also where the tests were started in a terminal."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def installed() -> None:
    """A settings file that Deskbell finds nothing wrong with."""
    main = home().data / "hooks" / "deskbell_hooks" / "__main__.py"
    main.parent.mkdir(parents=True)
    main.write_text("")
    command = (
        f"p='/usr/bin/python3' m='{main}'; "
        '[ ! -x "$p" ] || [ ! -r "$m" ] || exec "$p" -I -S "$m" record ' + f"'{home().state}' >/dev/null 2>&1"
    )
    handler = {"type": "command", "command": command}
    claude_dir().mkdir(parents=True)
    (claude_dir() / "settings.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": [handler]}]}}))


@pytest.mark.usefixtures("installed")
def test_without_a_session_it_says_how_to_see_one(capsys: Out) -> None:
    assert said(capsys).splitlines() == [
        "No session is running",
        "",
        "Deskbell is not running, so nothing rings. Run `deskbell run`.",
        "Start `claude` in a terminal: its session appears here. `deskbell demo` plays an afternoon without",
        "it.",
        HELP,
    ]


@pytest.mark.usefixtures("installed")
def test_it_says_how_much_of_the_limits_is_used(capsys: Out) -> None:
    limited()
    shown = said(capsys).splitlines()
    assert shown[:2] == ["No session is running", ""]
    assert shown[2].startswith("Limits: 5 h 42 % until ")


@pytest.mark.usefixtures("installed")
def test_with_a_session_and_a_running_deskbell_it_shows_the_list_and_how_to_learn_more(
    capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    running("a1b2c3d4", "/p/api", os.getpid(), monkeypatch)
    one = claim(place(home()))
    assert isinstance(one, Claim)
    shown = said(capsys).splitlines()
    one.release()
    assert shown[1] == "Running"
    assert shown[2].startswith("▶ a1b2c3d4 ")
    assert shown[-4:] == [
        "1 running",
        "",
        "`deskbell show ID` tells more about a session. `deskbell why` explains what rang and what did not.",
        HELP,
    ]


@pytest.mark.usefixtures("installed")
def test_a_snooze_is_told_while_deskbell_runs(capsys: Out) -> None:
    said(capsys, "snooze", "17:30")
    assert "Snoozed" not in said(capsys)
    one = claim(place(home()))
    assert isinstance(one, Claim)
    shown = said(capsys)
    one.release()
    assert "Snoozed until " in shown
    assert "17:30. `deskbell unsnooze` ends it.\n" in shown


def test_what_is_wrong_comes_before_what_to_do(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert said(capsys).splitlines()[2:5] == [
        "! The hooks are not installed, so Deskbell cannot tell what a session asks. Run",
        "  `deskbell install`.",
        "Deskbell is not running, so nothing rings. Run `deskbell run`.",
    ]


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_no_line_is_wider_than_the_terminal(capsys: Out, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    running("a1b2c3d4", "/p/api", os.getpid(), monkeypatch)
    assert max(map(len, said(capsys).splitlines())) <= min(int(columns), 100)
