"""Requests for tests: what is not said has an ordinary value."""

from typing import Any

from deskbell.answers.request import Request, request_of
from deskbell.answers.risk.kind import PLAIN, Risk
from deskbell.answers.shown import whole
from deskbell.answers.steps import Rules
from tests.tray.making import NOON

CODE = "c0de"
COLOURS = {"question": "Which colour?", "options": [{"label": "Blue"}, {"label": "Red"}]}
SIZES = {"question": "Which sizes?", "options": [{"label": "S"}, {"label": "M"}, {"label": "L"}], "multiSelect": True}


def message(tool: str = "Bash", tool_input: dict[str, Any] | None = None, **event: Any) -> dict[str, Any]:
    """What an asker sends."""
    given = {"command": "npm test", "description": "Run the tests"} if tool_input is None else tool_input
    said = {
        "session_id": "a1",
        "hook_event_name": "PermissionRequest",
        "cwd": "/srv/api",
        "tool_name": tool,
        "tool_input": given,
    }
    return {"v": 1, "ask": {"order": 1, "at": NOON, "pid": 100, "start": 1, "event": said | event}}


def request(tool: str = "Bash", tool_input: dict[str, Any] | None = None, **event: Any) -> Request:
    found = request_of(message(tool, tool_input, **event), CODE)
    assert found is not None
    return found


def asks(*questions: dict[str, Any]) -> Request:
    return request("AskUserQuestion", {"questions": list(questions or (COLOURS,))})


def alike(*labels: str) -> dict[str, Any]:
    """A question with these options."""
    return {"question": "Which?", "options": [{"label": label} for label in labels]}


def plans() -> Request:
    return request("ExitPlanMode", {"plan": "1. Look\n2. Leap", "planFilePath": "/srv/plan.md"})


def rules(one: Request, risk: Risk = PLAIN, **more: Any) -> Rules:
    return Rules(risk, whole(one), **more)
