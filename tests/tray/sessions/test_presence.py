"""Test when the person was last at a session, as its hooks, its registry entry and its transcript tell."""

from typing import Any

import pytest

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import NO_TAIL, Verdict
from deskbell.sessions.presence import person_at
from deskbell.sessions.turns import GRACE
from deskbell_hooks.requests import BY_ITSELF
from tests.tray.sessions.evidence import ASK, BASH, CALL, PROMPT, STOP, T, entry, run

Event = tuple[float, str, dict[str, Any]]
BEGUN, ASKED = PROMPT[0], ASK[0]
WORKS = Verdict("working", "", "a test", T)
AGENT = {"agent": "a", "agent_type": "Explore"}
AGENT_ASKS = (30.0, "PermissionRequest", {**BASH, **AGENT})
RAN = (40.0, "PostToolUse", {**BASH, "ms": 5_000})
REPORTS = (20.0, "UserPromptSubmit", {"facts": {"prompt": "<task-notification>"}})


def found(*events: Event, status: str | None = "busy", since: float = 0.0, **more: Any) -> float | None:
    """The seconds after T of the newest sign of the person, for a client with this STATUS in the registry."""
    known = {"tail": NO_TAIL, "verdict": WORKS, "left_dialog": None, "silent": False, **more}
    at = person_at(run(*events) if events else None, status and entry(status, since), **known)  # type: ignore[arg-type]
    return None if at is None else round(at - T, 3)


# the events of the hooks, the registry's status and when it began: when the person was there
SIGNS: dict[str, tuple[tuple[Event, ...], str | None, float, float | None]] = {
    "a prompt": ((PROMPT,), "busy", BEGUN, BEGUN),
    "a prompt without a registry": ((PROMPT,), None, 0.0, BEGUN),
    "the turn of a task that reports": ((PROMPT, STOP, REPORTS), "busy", 20.05, BEGUN),
    "a command that was approved, by its hook": ((PROMPT, CALL, ASK, RAN), "idle", 41.0, 35.0),
    "a command that was approved, by the registry": ((PROMPT, CALL, ASK), "busy", 30.0, 30.0),
    "a request that no hook reported": ((PROMPT, CALL), "busy", 30.0, 30.0),
    "a turn that the registry shows late": ((PROMPT,), "busy", BEGUN + GRACE, BEGUN),
    "a hook approved": ((PROMPT, CALL, ASK), "busy", ASKED + BY_ITSELF - 0.01, BEGUN),
    "a person who is as fast as can be": ((PROMPT, CALL, ASK), "busy", ASKED + BY_ITSELF, ASKED + BY_ITSELF),
    "a second request that needed no answer": ((PROMPT, CALL, (31.0, *ASK[1:])), "busy", 30.0, BEGUN),
    "the dialog is open": ((PROMPT, CALL, ASK), "waiting", 30.0, BEGUN),
    "a subagent's request behind the turn": ((PROMPT, STOP, AGENT_ASKS), "busy", 35.0, 35.0),
    "a turn that no hook has reported yet": ((PROMPT, CALL, ASK, STOP), "busy", 35.0, BEGUN),
    "the turn is over, and a hook of it took long": ((PROMPT, STOP), "idle", 15.0, BEGUN),
    "nothing": ((), "busy", 30.0, None),
    "nothing, without a registry": ((), None, 0.0, None),
}  # fmt: skip


@pytest.mark.parametrize(("events", "status", "since", "at"), SIGNS.values(), ids=SIGNS)
def test_when_the_person_was_there_by_hooks_and_registry(
    events: tuple[Event, ...], status: str | None, since: float, at: float | None
) -> None:
    assert found(*events, status=status, since=since) == at


# what else is known: when the person was there, who prompted BEGUN seconds after T
MORE: dict[str, tuple[dict[str, Any], float]] = {
    "a prompt of the transcript": ({"tail": Tail(prompted=T + 9)}, 9.0),
    "a task that reports": ({"tail": Tail(prompted=T + 1, prompts=(T + 1, T + 9))}, BEGUN),
    "a dialog that was left": ({"left_dialog": T + 9}, 9.0),
    "an earlier dialog": ({"left_dialog": T + 0.5}, BEGUN),
    "an interrupt": ({"verdict": Verdict("interrupted", "", "a test", T + 9)}, 9.0),
    "an error": ({"verdict": Verdict("error", "", "a test", T + 9)}, BEGUN),
}


@pytest.mark.parametrize(("more", "at"), MORE.values(), ids=MORE)
def test_when_the_person_was_there_by_what_else_is_known(more: dict[str, Any], at: float) -> None:
    assert found(PROMPT, **more) == at


def test_hooks_that_have_fallen_silent_do_not_explain_why_the_client_became_busy() -> None:
    assert found(PROMPT, since=30.0) == 30.0
    assert found(PROMPT, since=30.0, silent=True) == BEGUN
