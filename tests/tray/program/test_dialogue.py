"""Test what is shown after a click that answers a request."""

from dataclasses import replace

import pytest

from deskbell.answers.desk import TOO_SOON, UNHEARD_OF
from deskbell.answers.steps import Answer as Sent
from deskbell.answers.steps import Refusal
from deskbell.asking import Asking, Choice
from deskbell.face.actions import Answer, Jump
from deskbell.notices.notice import Button
from deskbell.program.dialogue import answer, nobody_asks, place
from deskbell_icons import Sign
from tests.tray.making import session

KEY = ("a1", 100)
CLICK = Answer(KEY, "c0de", "allow")
ALLOW, DENY = Choice("allow", "Allow…"), Choice("deny", "Deny")
FIRST = Asking("c0de", "Bash: rm -rf build", ("rm -rf build",), (ALLOW, DENY))
SURE = replace(FIRST, choices=(Choice("allow-sure", "Yes, allow it"), DENY), why_not="Sure? It deletes files.")
ASKING = session(status="permission", detail=FIRST.detail, asking=FIRST)


class Screen:
    """Records what is said."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, str, list[str], Sign]] = []

    def say(self, slot: str, title: str, text: str, *buttons: Button, sign: Sign = "plain") -> None:
        self.said.append((slot, title, text, [one.label for one in buttons], sign))
        self.buttons = buttons


def after(step: Asking | Sent | Refusal, asking: Asking | None = FIRST) -> Screen:
    screen = Screen()
    pressed = []

    def press(code: str, choice: str, text: str | None = None, on: int | None = None) -> Asking | Sent | Refusal:
        pressed.append((code, choice, text, on))
        return step

    answer(replace(ASKING, asking=asking), CLICK, press, screen.say)
    assert pressed == [("c0de", "allow", None, 0)]
    return screen


def test_a_text_that_was_refused_is_not_lost() -> None:
    for asking, slot in ((None, "failed"), (FIRST, place(*KEY))):
        screen = Screen()
        typed = replace(CLICK, choice="say", text="use staging")
        answer(replace(ASKING, asking=asking), typed, nobody_asks, screen.say)
        ((there, _, said, _, _),) = screen.said
        assert (there, said.endswith(f"{UNHEARD_OF.why}\nYou typed: use staging")) == (slot, True)


def test_a_secret_in_a_text_that_was_refused_is_not_shown() -> None:
    screen = Screen()
    secret = "ghp_" + "a1B2" * 9
    answer(ASKING, replace(CLICK, choice="say", text=f"use {secret} there"), nobody_asks, screen.say)
    assert secret not in screen.said[0][2]
    assert "You typed: use " in screen.said[0][2]


def test_nothing_is_said_of_an_answer_that_was_sent() -> None:
    assert after(Sent({}, "allowed", allows=True)).said == []


def test_the_next_step_is_shown_in_a_place_of_its_own() -> None:
    screen = after(SURE)
    assert screen.said == [
        (
            place(*KEY),
            "api wants to run rm -rf build",
            "rm -rf build\nSure? It deletes files.",
            ["Yes, allow it", "Deny", "Jump to it"],
            "permission",
        )
    ]
    assert [one.action for one in screen.buttons] == [
        Answer(KEY, "c0de", "allow-sure"),
        Answer(KEY, "c0de", "deny"),
        Jump(KEY),
    ]


def test_the_next_question_is_named() -> None:
    options = (Choice("option:0", "S"), Choice("option:1", "M"), Choice("say", "Own words", takes_text=True))
    screen = Screen()
    asked = Asking("c0de", "Which size?", (), options)
    answer(replace(ASKING, status="question"), CLICK, lambda *_: asked, screen.say)
    ((_, title, text, labels, sign),) = screen.said
    assert (title, text, labels, sign) == ("api asks: Which size?", "Which size?", ["S", "M", "Jump to it"], "question")


def test_a_click_that_does_not_count_leaves_the_question_on_the_screen() -> None:
    screen = after(TOO_SOON)
    ((slot, _, text, labels, _),) = screen.said
    assert (slot, labels) == (place(*KEY), ["Allow…", "Deny", "Jump to it"])
    assert text == f"rm -rf build\n{TOO_SOON.why}"


def test_a_click_that_does_not_count_leaves_the_reason_beside_the_button_that_confirms() -> None:
    ((_, _, text, labels, _),) = after(TOO_SOON, SURE).said
    assert labels[0] == "Yes, allow it"
    assert "Sure? It deletes files." in text
    assert TOO_SOON.why in text


@pytest.mark.parametrize("asking", [None, replace(FIRST, code="another")])
def test_an_answer_that_comes_too_late_is_told_so(asking: Asking | None) -> None:
    assert after(UNHEARD_OF, asking).said == [("failed", "Could not answer", UNHEARD_OF.why, [], "error")]


def test_without_a_desk_nothing_can_be_answered() -> None:
    assert nobody_asks("c0de", "allow") == UNHEARD_OF
