"""Test `deskbell answer`: what a person reads, and the exit code."""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from deskbell.__main__ import main
from deskbell.home import home
from tests.tray.answers.desk_server import program
from tests.tray.answers.desk_server import said as answered
from tests.tray.commands.said import Out, running, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a named pipe takes its place")

CHOICES = [
    {"id": "allow", "label": "Allow…", "takes_text": False},
    {"id": "deny", "label": "Deny", "takes_text": False},
    {"id": "say", "label": "Tell Claude what to do instead", "takes_text": True},
]
REQUEST: dict[str, Any] = {
    "code": "c0de",
    "session_id": "aaaa1111",
    "asks": "Bash: rm -rf build",
    "whole": ["cd web", "rm -rf build"],
    "choices": CHOICES,
    "why_not": "Allow asks again: it deletes files.",
}
OPTIONS = [{"id": f"option:{at}", "label": label, "takes_text": False} for at, label in enumerate(("Blue", "Dark red"))]
QUESTION = REQUEST | {
    "asks": "Which colour?",
    "whole": ["Which colour?", "• Blue", "• Dark red"],
    "choices": [*OPTIONS, CHOICES[2]],
    "why_not": "",
}


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    running("aaaa1111", "/tmp/web", os.getpid(), monkeypatch)


class Desk:
    """What is open, and what the program says to an answer."""

    def __init__(self) -> None:
        self.open = [REQUEST]
        self.says: dict[str, Any] = {"done": True, "said": "It was allowed."}
        self.heard: list[Any] = []

    def answer(self, message: Any) -> bytes:
        return answered(requests=self.open) if message["wish"] == "list" else answered(**self.says)

    @property
    def chosen(self) -> list[tuple[str, str | None, bool]]:
        found = [one for one in self.heard if one["wish"] == "answer"]
        assert all(one["code"] == "c0de" for one in found)
        return [(one["choice"], one["text"], one["confirmed"]) for one in found]


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    with program(home().state, desk.answer) as desk.heard:
        yield desk


def test_it_lists_what_can_be_answered(desk: Desk, capsys: Out) -> None:
    assert said(capsys, "answer") == "aaaa1111  Bash: rm -rf build  (allow, deny)\n"


def test_it_says_that_nothing_is_open(desk: Desk, capsys: Out) -> None:
    desk.open = []
    assert said(capsys, "answer") == "No request is open that can be answered from here.\n"


def test_it_lists_json(desk: Desk, capsys: Out) -> None:
    assert json.loads(said(capsys, "answer", "--json")) == {"version": 1, "requests": [REQUEST]}
    assert json.loads(said(capsys, "answer", "web", "--json")) == {"version": 1, **REQUEST}


def test_it_shows_a_request_whole(desk: Desk, capsys: Out) -> None:
    assert said(capsys, "answer", "web").splitlines() == [
        "cd web",
        "rm -rf build",
        "  allow          Allow…",
        "  deny           Deny",
        "  say            Tell Claude what to do instead",
        "Allow asks again: it deletes files.",
    ]
    desk.open = [QUESTION]
    assert said(capsys, "answer", "aaaa").splitlines()[0] == "Which colour?"


CHOSEN: dict[str, tuple[list[str], tuple[str, str | None, bool]]] = {
    "by its id": (["allow"], ("allow", None, False)),
    "by its label": (["Deny"], ("deny", None, False)),
    "by a label with more to come": (["ALLOW"], ("allow", None, False)),
    "confirmed": (["allow", "--confirm"], ("allow", None, True)),
    "with a reason": (["deny", "--reason", "Not now"], ("deny", "Not now", False)),
    "a reason alone": (["--reason", "Not now"], ("say", "Not now", False)),
}


@pytest.mark.parametrize(("words", "chosen"), CHOSEN.values(), ids=CHOSEN)
def test_a_choice_is_passed_on(words: list[str], chosen: tuple[str, str | None, bool], desk: Desk, capsys: Out) -> None:
    assert said(capsys, "answer", "web", *words) == "It was allowed.\n"
    assert desk.chosen == [chosen]


def test_an_option_is_chosen_by_its_label(desk: Desk, capsys: Out) -> None:
    desk.open = [QUESTION]
    said(capsys, "answer", "web", "dark red")
    assert desk.chosen == [("option:1", None, False)]


def test_an_unknown_choice_is_an_error_with_a_suggestion(desk: Desk, capsys: Out) -> None:
    desk.open = [QUESTION]
    text = said(capsys, "answer", "web", "dark blood", code=2)
    assert "'dark blood' is not a choice of this request." in text
    assert 'Did you mean "Dark red"?' in text
    assert desk.chosen == []


def test_it_says_why_a_choice_is_missing(desk: Desk, capsys: Out) -> None:
    desk.open = [REQUEST | {"choices": CHOICES[1:], "why_not": "Allow it in the terminal only: it writes into .git."}]
    text = said(capsys, "answer", "web", "approve", code=2)
    assert "Allow it in the terminal only: it writes into .git. Choose: deny, say." in text


def test_what_is_refused_is_an_error(desk: Desk, capsys: Out) -> None:
    desk.says = {"done": False, "said": "This request is over: it was answered at the keyboard."}
    assert "it was answered at the keyboard." in said(capsys, "answer", "web", "allow", code=1)


def test_what_asks_again_names_the_way_to_confirm(desk: Desk, capsys: Out) -> None:
    desk.says = {"done": False, "said": "Sure? It deletes files."}
    assert "Sure? It deletes files. Add --confirm if you are sure." in said(capsys, "answer", "web", "allow", code=1)


def test_what_has_another_step_names_the_way_to_its_choices(desk: Desk, capsys: Out) -> None:
    desk.says = {"done": False, "said": "Another choice is needed: Which size?", "next": "Which size?"}
    text = said(capsys, "answer", "web", "allow", code=1)
    assert "Another choice is needed: Which size? Run `deskbell answer aaaa1111` to see its choices." in text


@pytest.mark.parametrize(("done", "code"), [(True, 0), (False, 1)])
def test_what_came_of_it_is_json_too(done: bool, code: int, desk: Desk, capsys: Out) -> None:
    desk.says = {"done": done, "said": "So it is."}
    assert main(["answer", "web", "allow", "--json"]) == code
    assert json.loads(capsys.readouterr().out) == {"version": 1, "done": done, "said": "So it is."}


def test_a_session_that_asks_nothing_is_named(desk: Desk, capsys: Out) -> None:
    desk.open = []
    text = said(capsys, "answer", "web", "allow", code=3)
    assert "Session aaaa1111 asks nothing that can be answered from here." in text
    assert "deskbell jump aaaa1111" in text


def test_an_unknown_session_is_not_found(desk: Desk, capsys: Out) -> None:
    said(capsys, "answer", "nobody", "allow", code=3)
    assert desk.chosen == []


def test_without_the_program_it_says_how_to_start_it(capsys: Out) -> None:
    assert "Start it with `deskbell run`" in said(capsys, "answer", code=1)
