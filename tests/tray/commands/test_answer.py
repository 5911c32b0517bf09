"""Test `deskbell answer`: what a person reads, and the exit code."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from deskbell.__main__ import main
from deskbell.commands.answer import AGAIN, ELSEWHERE
from deskbell.home import home
from deskbell_hooks.record import record_event
from tests.tray.answers.desk_server import program
from tests.tray.answers.desk_server import said as answered
from tests.tray.commands.said import Out, registered, running, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a named pipe takes its place")

CHOICES = [
    {"id": "allow", "label": "Allow…", "takes_text": False, "allows": True, "about": ""},
    {"id": "deny", "label": "Deny", "takes_text": False, "allows": False, "about": ""},
    {"id": "say", "label": "Tell Claude what to do instead", "takes_text": True, "allows": False, "about": ""},
]
SURE = {"id": "allow-sure", "label": "Yes, allow it", "takes_text": False, "allows": True, "about": ""}
REQUEST: dict[str, Any] = {
    "code": "c0de",
    "session_id": "aaaa1111",
    "pid": os.getpid(),
    "kind": "permission",
    "tool": "Bash",
    "asks": "Bash: rm -rf build",
    "whole": ["cd web", "rm -rf build"],
    "choices": CHOICES,
    "why_not": "Allow asks again: it deletes files.",
    "view": "f1f1",
}
OPTIONS = [CHOICES[0] | {"id": f"option:{at}", "label": label} for at, label in enumerate(("Blue", "Dark red"))]
QUESTION = REQUEST | {
    "kind": "question",
    "asks": "Which colour?",
    "whole": ["Which colour?", "• Blue", "• Dark red: like wine"],
    "choices": [*OPTIONS, CHOICES[2]],
    "why_not": "",
    "view": "f2f2",
}
PLAN = REQUEST | {"kind": "plan", "asks": "Plan approval", "whole": [f"{at}. Look" for at in range(9)], "why_not": ""}


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    running("aaaa1111", "/tmp/web", os.getpid(), monkeypatch)


class Desk:
    """What is open, and what the program says to an answer."""

    def __init__(self) -> None:
        self.open = [REQUEST]
        self.says: dict[str, Any] = {"done": True, "said": "It was allowed."}
        self.heard: list[Any] = []
        self.shown: set[str] = set()
        self.reply: Callable[[Any], bytes] | None = None
        self.strict = False
        """Whether it takes only answers to what was shown."""

    def answer(self, message: Any) -> bytes:
        if self.reply:
            return self.reply(message)
        if message["wish"] == "list":
            return answered(requests=self.open)
        self.shown |= set(message.get("views", ()))
        if message["wish"] == "answer" and self.strict and self.open[0]["view"] not in self.shown:
            return answered(done=False, said="It was not shown here before, as it is now.", unshown=True)
        return answered(**self.says)

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
    desk.open = [REQUEST | {"whole": ["rm -rf build"]}]
    assert said(capsys, "answer").splitlines() == [
        "aaaa1111  Bash: rm -rf build",
        "  allow, deny",
        "  Allow asks again: it deletes files.",
    ]
    desk.open = [REQUEST]
    assert said(capsys, "answer").splitlines() == [
        "aaaa1111  Bash: rm -rf build",
        "    cd web",
        "    rm -rf build",
        "  allow, deny",
        "  Allow asks again: it deletes files.",
    ]
    desk.open = [QUESTION]
    assert said(capsys, "answer").splitlines()[-1] == "  Blue, Dark red"
    assert desk.shown == {"f1f1", "f2f2"}


def test_it_lists_nothing_that_allows_what_it_does_not_show(desk: Desk, capsys: Out) -> None:
    desk.open = [PLAN]
    assert said(capsys, "answer").splitlines() == [
        "aaaa1111  Plan approval",
        "  deny",
        "  It has 9 lines: `deskbell answer aaaa1111` shows them, and what allows it.",
    ]
    assert desk.shown == set()


def test_it_lists_why_a_request_asks_again_and_what_a_rule_would_allow(desk: Desk, capsys: Out) -> None:
    rule = {"id": "rule:0", "label": "Allow, and always in this project: Bash(npm:*)", "takes_text": False}
    choices = [REQUEST["choices"][0], rule | {"allows": True, "about": ""}]
    desk.open = [REQUEST | {"whole": ["rm -rf build"], "choices": choices, "why_not": "It deletes files."}]
    assert said(capsys, "answer").splitlines() == [
        "aaaa1111  Bash: rm -rf build",
        "  allow, rule:0 (Allow, and always in this project: Bash(npm:*))",
        "  It deletes files.",
    ]


def test_what_has_become_another_step_is_shown_and_not_asked_for(desk: Desk, capsys: Out) -> None:
    def reply(message: Any) -> bytes:
        if message["wish"] == "answer":
            desk.open = [QUESTION | {"whole": ["Which shade?", "• Dark"], "view": "f3f3"}]
            return answered(done=False, said="It asks something else now.", unshown=True)
        return answered(requests=desk.open)

    desk.open, desk.reply = [QUESTION], reply
    assert main(["answer", "web", "Blue"]) == 1
    shown = capsys.readouterr()
    assert "Which shade?" in shown.out
    assert "Which colour?" not in shown.out
    assert "Read it above, and run the command again" in shown.err


def test_a_request_that_leads_elsewhere_is_not_called_noted(desk: Desk, capsys: Out) -> None:
    desk.says = {"done": False, "said": "What it names leads elsewhere than when it was shown.", "next": "Bash: x"}
    assert main(["answer", "web", "allow"]) == 1
    text = capsys.readouterr().out
    assert "What it names leads elsewhere" in text
    assert "That is noted" not in text


def test_it_says_that_nothing_is_asked(desk: Desk, capsys: Out) -> None:
    desk.open = []
    assert said(capsys, "answer") == "Nothing is asked.\n"


def test_it_says_what_is_asked_in_a_terminal_only(desk: Desk, capsys: Out) -> None:
    event = {"hook_event_name": "PermissionRequest", "session_id": "aaaa1111", "tool_name": "Bash", "tool_input": {}}
    record_event(str(home().state), json.dumps(event).encode())
    assert "terminals only" not in said(capsys, "answer")
    desk.open = []
    assert said(capsys, "answer") == f"In their terminals only: web. {ELSEWHERE}\n"
    text = said(capsys, "answer", "web", "allow", code=3)
    assert f"What session aaaa1111 asks cannot be answered from here. {ELSEWHERE}" in text
    assert "deskbell jump aaaa1111" in text


def test_ids_that_begin_alike_are_listed_with_more_of_them(desk: Desk, capsys: Out) -> None:
    desk.open = [REQUEST | {"session_id": one, "whole": ["rm -rf build"]} for one in ("aaaa1111-2", "aaaa1111-3", "b")]
    names = [line.split()[0] for line in said(capsys, "answer").splitlines()[::3]]
    assert names == ["aaaa1111-2", "aaaa1111-3", "b"]
    desk.open = [REQUEST | {"pid": pid, "whole": ["rm -rf build"]} for pid in (7, 8)]
    assert [line.split()[0] for line in said(capsys, "answer").splitlines()[::3]] == ["aaaa1111:7", "aaaa1111:8"]


def test_it_lists_json(desk: Desk, capsys: Out) -> None:
    assert json.loads(said(capsys, "answer", "--json")) == {"version": 1, "requests": [REQUEST]}
    assert json.loads(said(capsys, "answer", "web", "--json")) == {"version": 1, **REQUEST}
    assert desk.shown == {"f1f1"}


def test_it_shows_a_request_whole(desk: Desk, capsys: Out) -> None:
    assert said(capsys, "answer", "web").splitlines() == [
        "Bash:",
        "cd web",
        "rm -rf build",
        "",
        "  allow          Allow…",
        "  deny           Deny",
        "  --reason TEXT  Tell Claude what to do instead",
        "Allow asks again: it deletes files.",
    ]
    desk.open = [QUESTION]
    assert said(capsys, "answer", "aaaa").splitlines() == [
        "Question:",
        *QUESTION["whole"],
        "",
        "  Blue",
        "  'Dark red'",
        "  --reason TEXT  Tell Claude what to do instead",
    ]
    assert desk.shown == {"f1f1", "f2f2"}


def test_what_was_not_shown_is_shown_and_not_answered(desk: Desk, capsys: Out) -> None:
    desk.strict, desk.open = True, [PLAN]
    assert main(["answer", "web", "allow"]) == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines()[:10] == ["Plan:", *PLAN["whole"]]
    assert shown.err == f"deskbell: It was not shown here before, as it is now. {AGAIN}\n"
    assert said(capsys, "answer", "web", "allow") == "It was allowed.\n"


def test_what_was_not_shown_is_json_too(desk: Desk, capsys: Out) -> None:
    desk.strict = True
    assert main(["answer", "web", "allow", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["done"], found["request"]) == (False, REQUEST)
    assert said(capsys, "answer", "web", "allow") == "It was allowed.\n"


class Keyboard(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "code", "answers"), [("y\n", 0, 2), ("\n", 1, 1), ("", 1, 1)])
def test_at_a_terminal_the_person_is_asked(
    typed: str, code: int, answers: int, desk: Desk, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.strict = True
    monkeypatch.setattr(sys, "stdin", Keyboard(typed))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["answer", "web", "allow"]) == code
    assert "rm -rf build\n" in capsys.readouterr().out
    assert len(desk.chosen) == answers


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


def test_an_option_that_is_chosen_already_is_named_by_its_label(desk: Desk, capsys: Out) -> None:
    more = [CHOICES[0] | {"id": "next", "label": "Send 1 chosen"}]
    desk.open = [QUESTION | {"choices": [OPTIONS[0] | {"label": "✓ Blue"}, OPTIONS[1], *more]}]
    said(capsys, "answer", "web", "blue")
    said(capsys, "answer", "web", "send")
    assert [choice for choice, *_ in desk.chosen] == ["option:0", "next"]


def test_a_word_that_names_two_choices_is_refused(desk: Desk, capsys: Out) -> None:
    desk.open = [QUESTION | {"choices": [OPTIONS[0] | {"label": "option:1"}, OPTIONS[1]]}]
    assert "'option:1' names two choices" in said(capsys, "answer", "web", "option:1", code=2)
    assert desk.chosen == []


def test_what_waits_for_its_second_step_is_confirmed_by_name(desk: Desk, capsys: Out) -> None:
    desk.open = [REQUEST | {"choices": [SURE, *CHOICES[1:]], "why_not": "Sure? It deletes files."}]
    assert "Sure? It deletes files. Add --confirm" in said(capsys, "answer", "web", "allow", code=1)
    assert desk.chosen == []
    said(capsys, "answer", "web", "allow", "--confirm")
    assert desk.chosen == [("allow-sure", None, True)]


def test_an_unknown_choice_is_an_error_with_a_suggestion(desk: Desk, capsys: Out) -> None:
    desk.open = [QUESTION]
    text = said(capsys, "answer", "web", "dark blood", code=2)
    assert "'dark blood' is not a choice of this request." in text
    assert 'Did you mean "Dark red"?' in text
    assert desk.chosen == []


def test_it_says_why_a_choice_is_missing(desk: Desk, capsys: Out) -> None:
    desk.open = [REQUEST | {"choices": CHOICES[1:], "why_not": "Allow it in the terminal only: it writes into .git."}]
    text = said(capsys, "answer", "web", "approve", code=2)
    assert "Allow it in the terminal only: it writes into .git. Choose: deny." in text


def test_what_is_refused_is_an_error(desk: Desk, capsys: Out) -> None:
    desk.says = {"done": False, "said": "This request is over: it was answered at the keyboard."}
    assert "it was answered at the keyboard." in said(capsys, "answer", "web", "allow", code=1)


def test_what_asks_again_names_the_way_to_confirm(desk: Desk, capsys: Out) -> None:
    desk.says = {"done": False, "said": "Sure? It deletes files."}
    assert "Sure? It deletes files. Add --confirm if you are sure." in said(capsys, "answer", "web", "allow", code=1)


def test_what_has_another_step_shows_it(desk: Desk, capsys: Out) -> None:
    desk.open = [QUESTION]
    desk.says = {"done": False, "said": "Another choice is needed: Which size?", "next": "Which size?"}
    assert main(["answer", "web", "blue"]) == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines()[:3] == ["That is noted. Nothing is sent before the last answer.", "", "Question:"]
    assert shown.err == ""


def test_a_step_that_is_over_meanwhile_is_an_error(desk: Desk, capsys: Out) -> None:
    def over(message: Any) -> bytes:
        found = answered(requests=desk.open)
        desk.open = []
        return found if message["wish"] == "list" else answered(done=False, said="Another choice is needed.", next="x")

    desk.reply = over
    assert "Another choice is needed." in said(capsys, "answer", "web", "deny", code=1)


@pytest.mark.parametrize(("done", "code"), [(True, 0), (False, 1)])
def test_what_came_of_it_is_json_too(done: bool, code: int, desk: Desk, capsys: Out) -> None:
    desk.says = {"done": done, "said": "So it is."}
    assert main(["answer", "web", "allow", "--json"]) == code
    assert json.loads(capsys.readouterr().out) == {"version": 1, "done": done, "said": "So it is."}


def test_a_session_that_asks_nothing_is_named(desk: Desk, capsys: Out) -> None:
    desk.open = []
    text = said(capsys, "answer", "web", "allow", code=3)
    assert "Session aaaa1111 asks nothing now." in text


def test_of_two_clients_none_is_guessed(desk: Desk, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        running("aaaa1111", "/tmp/web", other.pid, monkeypatch)
        registered("aaaa1111", os.getpid())
        desk.open = [REQUEST | {"code": "0ther", "pid": other.pid}, REQUEST]
        text = said(capsys, "answer", "web", "deny", code=2)
        assert "Session aaaa1111 runs in several terminals: aaaa1111:" in text
        assert f"aaaa1111:{os.getpid()} (working)" in text
        assert desk.chosen == []
        said(capsys, "answer", f"aaaa1111:{os.getpid()}", "deny")
        said(capsys, "answer", f"web:{os.getpid()}", "deny")
        assert "No session matches" in said(capsys, "answer", "web:1", "deny", code=3)
        other.communicate()
    assert [choice for choice, *_ in desk.chosen] == ["deny", "deny"]


def test_an_unknown_session_is_not_found(desk: Desk, capsys: Out) -> None:
    said(capsys, "answer", "nobody", "allow", code=3)
    assert desk.chosen == []


def test_without_the_program_it_says_how_to_start_it(capsys: Out) -> None:
    assert "Start it with `deskbell run`" in said(capsys, "answer", code=1)
