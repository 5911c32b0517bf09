"""Test that commands show the requests that the running program holds open."""

import sys
from typing import Any

import pytest

from deskbell.asking import Asking, Choice
from deskbell.commands._requests import with_requests
from deskbell.home import home
from tests.tray.answers.desk_server import program, said
from tests.tray.making import session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a named pipe takes its place")

WAITS, WORKS = session(status="permission", detail="Bash: npm"), session(session_id="b2", status="working")
REQUEST: dict[str, Any] = {
    "code": "c0de",
    "session_id": "a1",
    "pid": 100,
    "asks": "Bash: npm test",
    "whole": ["npm test"],
    "choices": [{"id": "allow", "label": "Allow", "takes_text": False, "allows": True, "about": ""}],
    "why_not": "",
}
ASKING = Asking("c0de", "Bash: npm test", ("npm test",), (Choice("allow", "Allow", allows=True),))


def test_a_session_that_waits_gets_its_request() -> None:
    with program(home().state, lambda _: said(requests=[REQUEST])):
        first, second = with_requests(home().state, [WAITS, WORKS])
    assert (first.asking, first.detail) == (ASKING, "Bash: npm test")
    assert second == WORKS


OTHERS: dict[str, list[dict[str, Any]]] = {
    "none": [],
    "that of another client": [REQUEST | {"pid": 200}],
    "one of another version": [{name: value for name, value in REQUEST.items() if name != "whole"}],
    "one without choices": [REQUEST | {"choices": None}],
}


@pytest.mark.parametrize("requests", OTHERS.values(), ids=OTHERS)
def test_a_session_without_a_request_stays_as_it_is(requests: list[dict[str, Any]]) -> None:
    with program(home().state, lambda _: said(requests=requests)):
        assert with_requests(home().state, [WAITS]) == [WAITS]


def test_a_program_that_does_not_answer_costs_nothing_else() -> None:
    with program(home().state, lambda _: b""):
        assert with_requests(home().state, [WAITS]) == [WAITS]
    assert with_requests(home().state, [WAITS]) == [WAITS]


def test_nobody_is_asked_where_nobody_waits() -> None:
    with program(home().state, lambda _: said(requests=[])) as heard:
        assert with_requests(home().state, [WORKS]) == [WORKS]
    assert heard == []
