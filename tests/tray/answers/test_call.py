"""Test how a command asks the running program."""

import sys
from pathlib import Path

import pytest

from deskbell.answers.call import NOT_RUNNING, answer, requests, sentence, shown
from deskbell.errors import Problem
from tests.tray.answers.desk_server import program, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a named pipe takes its place")


@pytest.fixture
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("s")


def test_the_program_is_asked_what_is_open(state: Path) -> None:
    with program(state, lambda _: said(requests=[{"code": "c"}])) as heard:
        assert requests(state) == [{"code": "c"}]
    assert heard == [{"v": 1, "wish": "list"}]


def test_the_program_is_asked_to_answer(state: Path) -> None:
    with program(state, lambda _: said(done=True, said="It was allowed.")) as heard:
        assert answer(state, "c", "allow", None, True) == {"v": 1, "done": True, "said": "It was allowed."}
    wish = {"v": 1, "wish": "answer", "code": "c", "choice": "allow", "text": None, "confirmed": True, "view": ""}
    assert heard == [wish]


def test_a_report_without_a_sentence_gets_one() -> None:
    assert sentence({"said": "It was allowed."}) == "It was allowed."
    for report in ({}, {"said": None}, {"said": ""}):
        assert sentence(report) == "Deskbell did not say what came of it."


def test_a_report_repeats_no_secret_that_was_typed() -> None:
    secret = "abcdefghijklmnop" + "1234QRST"
    said = sentence({"said": f"It was answered: Authorization: Bearer {secret}."})
    assert (said[:16], secret in said) == ("It was answered:", False)


def test_what_was_shown_is_told_and_nobody_has_to_hear_it(state: Path) -> None:
    with program(state, lambda _: said()) as heard:
        shown(state, ["f1", "f2"])
    assert heard == [{"v": 1, "wish": "shown", "views": ["f1", "f2"]}]
    shown(state, ["f1"])


ODD = {"no list": said(requests="none"), "no requests": said()}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_a_program_that_names_none_has_none_open(state: Path, data: bytes) -> None:
    with program(state, lambda _: data):
        assert requests(state) == []


def test_what_is_no_request_is_left_out(state: Path) -> None:
    with program(state, lambda _: said(requests=[1, {"code": "c"}])):
        assert requests(state) == [{"code": "c"}]


WRONG = {"nothing": b"", "no JSON": b"yes\n", "a list": b"[]\n", "half of it": b'{"v":'}


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
def test_a_program_that_does_not_answer_is_named(state: Path, data: bytes) -> None:
    with program(state, lambda _: data), pytest.raises(Problem) as caught:
        requests(state)
    assert str(caught.value) == str(NOT_RUNNING)


def test_without_the_program_the_next_step_is_named(state: Path) -> None:
    with pytest.raises(Problem, match="deskbell run"):
        requests(state)
