"""Test `deskbell why` as a person types it."""

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.home import home
from deskbell.notices import decisions
from deskbell.notices.decisions import Decision
from deskbell.program.single import Claim, claim, place
from deskbell_hooks.record import record_event
from tests.tray.commands.said import Out, recorded, running, said

ONE = Decision(0.0, "abc", 1, "api", "idle", "not shown", "its pane was focused")


def write(*made: Decision) -> Path:
    decisions.write(home().state, made)
    return home().state / "decisions.jsonl"


def test_it_explains_in_sentences(capsys: Out) -> None:
    write(Decision(time.time(), "abc", 1, "api", "idle", "not shown", "its pane was focused"))
    assert said(capsys, "why").splitlines()[0].endswith("  idle         api: not shown, its pane was focused")


def test_it_prints_one_json_object_a_line(capsys: Out) -> None:
    write(ONE, ONE)
    for line in said(capsys, "why", "--json").splitlines():
        assert json.loads(line) == {
            "version": 1,
            "at": 0.0,
            "session_id": "abc",
            "pid": 1,
            "project": "api",
            "status": "idle",
            "verdict": "not shown",
            "reason": "its pane was focused",
        }


def test_it_prints_the_latest_decisions_about_one_project_or_session(capsys: Out) -> None:
    write(*(Decision(float(n), f"{n}", 1, "api" if n % 2 else "web", None, "shown", f"{n}") for n in range(40)))
    assert len(said(capsys, "why").splitlines()) == 20 + 1
    assert [line[-7:] for line in said(capsys, "why", "api", "--last", "2").splitlines()[:2]] == ["own, 37", "own, 39"]
    assert said(capsys, "why", "38").splitlines()[0].endswith("web: shown, 38")


OFF = "Deskbell is not running, so nothing rings. Run `deskbell run`.\n"


@pytest.fixture
def deskbell() -> Iterator[None]:
    """A Deskbell that runs, as far as the others can see."""
    one = claim(place(home()))
    assert isinstance(one, Claim)
    yield
    one.release()


def test_where_deskbell_does_not_run_it_says_so(capsys: Out) -> None:
    assert said(capsys, "why") == f"No decision is recorded.\n{OFF}"
    write(ONE)
    assert said(capsys, "why").splitlines(keepends=True)[1:] == [OFF]
    assert said(capsys, "why", "--json").count("\n") == 1


@pytest.mark.usefixtures("deskbell")
def test_it_says_that_no_decision_is_recorded(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(capsys, "why") == "No decision is recorded.\n"
    running("a1b2c3d4", "/p/web", os.getpid(), monkeypatch)
    assert said(capsys, "why", "web") == "No decision about web is recorded.\n"
    assert said(capsys, "why", "web", "--json") == ""


RINGS = "Deskbell rings for what happens while it runs, and once at its start for what is blocked then."


@pytest.mark.usefixtures("deskbell")
def test_where_sessions_wait_and_nothing_was_decided_it_says_which(
    capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7):
        running(f"s-{number}", "/p/api", os.getpid() if number % 2 else os.getppid(), monkeypatch)
        asked = {"tool_name": "Bash", "tool_input": {"command": "npm publish"}, "cwd": "/p/api"}
        event = {"hook_event_name": "PermissionRequest", "session_id": f"s-{number}", **asked}
        record_event(str(home().state), json.dumps(event).encode())
    first, *named, more, last = said(capsys, "why").splitlines()
    assert first == "No decision is recorded."
    assert len(named) == 5
    assert all(re.fullmatch(r"  api wants to run npm publish, for \d+ s", line) for line in named)
    assert (more, last) == ("  and 2 more: 7 blocked", RINGS)
    assert said(capsys, "why", "API").splitlines()[0] == "No decision about API is recorded."
    assert len(said(capsys, "why", "s-1").splitlines()) == 3


def test_a_project_or_a_title_finds_its_decisions_whatever_the_case(
    capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    running("abc", "/p/api", os.getpid(), monkeypatch)
    write(ONE)
    for name in ("api", "API", "abc", "ap", "go"):
        assert "api: not shown, its pane was focused" in said(capsys, "why", name)


@pytest.mark.usefixtures("deskbell")
def test_a_project_of_which_all_sessions_have_ended_is_known(capsys: Out) -> None:
    recorded("cccc3333", "web")
    recorded("cccc4444", "web")
    assert said(capsys, "why", "Web") == "No decision about Web is recorded.\n"


def test_a_name_that_nothing_has_is_refused_with_the_nearest_one(capsys: Out) -> None:
    recorded("cccc3333", "storefront")
    assert said(capsys, "why", "storefrnt", code=3) == (
        'deskbell: No session matches "storefrnt". Did you mean "storefront"?\n'
    )


@pytest.mark.parametrize("at", ["1e300", "-1e300", "1e18", "NaN", "Infinity"])
def test_a_time_that_no_clock_shows_is_a_question_mark(capsys: Out, at: str) -> None:
    write(ONE).write_text(
        f'{{"at": {at}, "session_id": "abc", "pid": 1, "project": "api", "status": null, '
        '"verdict": "shown", "reason": "at once"}\n'
    )
    assert said(capsys, "why").splitlines()[0] == "?                             api: shown at once"


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["sentences", "json"])
def test_it_shows_no_secret(capsys: Out, options: tuple[str, ...]) -> None:
    write(replace(ONE, project="API_TOKEN=hunter2secret99", reason="https://me:hunter2secret99@host"))
    shown = said(capsys, "why", *options)
    assert "[redacted]" in shown
    assert "hunter2" not in shown
