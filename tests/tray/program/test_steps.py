"""Test which changes of sessions are no more than steps of sessions that run."""

from dataclasses import replace

import pytest

from deskbell.program.steps import only_run_on
from deskbell.session import Session
from tests.tray.making import session

RUNS, OTHER = session(detail="Bash: make"), session(session_id="b2", status="idle")
STEPS = {
    "another tool": replace(RUNS, detail="Bash: make test"),
    "another prompt": replace(RUNS, prompt="Now test it", turns=RUNS.turns + 1),
    "a subagent less": replace(RUNS, agents=()),
    "the same again": replace(RUNS),
}
MORE = {
    "it asks": replace(RUNS, status="permission"),
    "its turn is over": replace(RUNS, status="idle"),
    "it runs in the background": replace(RUNS, status="background"),
    "it crashed": replace(RUNS, status="crashed"),
    "it is hidden now": replace(RUNS, hidden=True),
    "another client runs it": replace(RUNS, pid=99),
}


@pytest.mark.parametrize("after", STEPS.values(), ids=STEPS)
def test_a_step_of_a_running_session_is_no_more_than_that(after: Session) -> None:
    assert only_run_on([RUNS, OTHER], [after, OTHER])


@pytest.mark.parametrize("after", MORE.values(), ids=MORE)
def test_what_concerns_the_person_is_more_than_a_step(after: Session) -> None:
    assert not only_run_on([RUNS, OTHER], [after, OTHER])


def test_a_session_that_waits_takes_no_steps() -> None:
    assert not only_run_on([RUNS, OTHER], [RUNS, replace(OTHER, title="Another")])


def test_a_session_that_begins_to_run_is_more_than_a_step() -> None:
    assert not only_run_on([RUNS, OTHER], [STEPS["another tool"], replace(OTHER, status="working")])


def test_sessions_that_come_and_go_are_more_than_steps() -> None:
    assert not only_run_on([RUNS], [RUNS, OTHER])
    assert not only_run_on([RUNS, OTHER], [replace(RUNS)])
    assert not only_run_on([RUNS, OTHER], [OTHER, RUNS])


def test_without_a_change_nothing_runs_on() -> None:
    assert not only_run_on([RUNS, OTHER], [RUNS, OTHER])
