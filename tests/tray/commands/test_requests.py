"""Test that the board gets the requests that the running program holds open."""

import sys
from dataclasses import replace
from typing import Any

import pytest

from deskbell.asking import Asking, Choice
from deskbell.commands._requests import open_requests, with_requests
from deskbell.home import home
from tests.tray.answers.desk_server import program, said
from tests.tray.making import session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a named pipe takes its place")

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


def test_each_request_is_that_of_its_client() -> None:
    with program(home().state, lambda _: said(requests=[REQUEST, REQUEST | {"pid": 200, "code": "other"}])):
        found = open_requests(home().state)
    assert found == {("a1", 100): ASKING, ("a1", 200): replace(ASKING, code="other")}


def test_a_session_that_waits_gets_its_request() -> None:
    waits, works = session(status="permission", detail="Bash: npm"), session(session_id="b2", status="working")
    with program(home().state, lambda _: said(requests=[REQUEST])) as heard:
        assert with_requests(home().state, [works]) == [works]
        assert with_requests(home().state, [waits, works]) == [
            replace(waits, asking=ASKING, detail="Bash: npm test"),
            works,
        ]
    assert len(heard) == 1


OTHERS: dict[str, list[dict[str, Any]]] = {
    "none": [],
    "one without a client": [{name: value for name, value in REQUEST.items() if name != "pid"}],
    "one of another version": [{name: value for name, value in REQUEST.items() if name != "whole"}],
    "one without choices": [REQUEST | {"choices": None}],
}


@pytest.mark.parametrize("requests", OTHERS.values(), ids=OTHERS)
def test_what_is_no_request_of_this_version_is_left_out(requests: list[dict[str, Any]]) -> None:
    with program(home().state, lambda _: said(requests=requests)):
        assert open_requests(home().state) == {}


def test_a_program_that_does_not_answer_costs_nothing_else() -> None:
    with program(home().state, lambda _: b""):
        assert open_requests(home().state) == {}
    assert open_requests(home().state) == {}
