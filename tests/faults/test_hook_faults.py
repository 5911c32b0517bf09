"""Test that any one fault in the hook loses at most that event: the next one finds all that was written down."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from deskbell_hooks.schema import Event
from tests.faults.calls import Fault, calls_of_hook
from tests.faults.hook import Ran, run
from tests.faults.injector import Injector
from tests.faults.sampling import faults
from tests.hooks import recorder
from tests.hooks.environment import set_variable
from tests.hooks.said import SESSION, e, prompt, tool

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fails calls of Linux")

BEFORE = (e("SessionStart", cwd="/a"), prompt("one"))
STRUCK, NEXT = tool("PreToolUse"), e("Stop")


@pytest.fixture(autouse=True)
def client(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(monkeypatch, "CLAUDE_PID", str(os.getpid()))
    set_variable(monkeypatch, "DESKBELL_HOOK_DEBUG", "")


def _state(*, linked: bool, before: tuple[Event, ...] = BEFORE) -> Path:
    """A state folder with a session. LINKED: a backup has given its journal a second name."""
    state = Path(tempfile.mkdtemp())
    for event in before:
        run(state, event, Injector())
    if linked:
        os.link(state / "events" / f"{SESSION}.jsonl", state / "backup.jsonl")
    return state


@pytest.fixture(params=["a session", "a journal with two names", "a first event"])
def case(request: pytest.FixtureRequest) -> tuple[bool, tuple[Event, ...]]:
    return request.param == "a journal with two names", () if request.param == "a first event" else BEFORE


@pytest.mark.long
def test_each_fault_in_the_hook_loses_no_event_but_its_own(case: tuple[bool, tuple[Event, ...]]) -> None:
    linked, before = case
    usual = _struck(linked, before, None)[0]
    possible = faults(calls_of_hook(), usual.counted)
    assert len(possible) > 100
    failures, lost = {}, set()
    for fault in possible:
        ran, wrong, is_lost = _struck(linked, before, fault)
        if wrong:
            failures[f"{fault} in {ran.failed}"] = wrong
        if is_lost:
            lost.add(fault.call)
    assert failures == {}
    assert lost <= NEEDED


NEEDED = {f"posix.{name}" for name in ("open", "write", "fstat", "lstat", "stat", "mkdir")}
"""Without these there is no journal: its folder is made and looked at, it is opened and looked at, and written."""


def _struck(linked: bool, before: tuple[Event, ...], fault: Fault | None) -> tuple[Ran, list[str], bool]:
    """Record an event in which FAULT happens, then another one. Return what is wrong, and whether the event is lost."""
    state = _state(linked=linked, before=before)
    try:
        ran = run(state, STRUCK, Injector(fault))
        wrong = [f"left {path.name}" for path in state.rglob("*.tmp")]
        after = run(state, NEXT, Injector())
        wrong += [f"left {path.name}" for path in state.rglob("*.tmp")]
        wrong += [f"printed {one.printed!r}" for one in (ran, after) if one.printed]
        wrong += [f"ended {one.exits} times" for one in (ran, after) if one.exits != 1]
        events = [line["event"] for line in recorder.journal(state, SESSION)]
        record = recorder.read(state, SESSION)
        is_lost = STRUCK["hook_event_name"] not in events
        # A journal that takes no line does not keep the record from being written.
        if record["counters"]["events"] - len(events) not in ((0, 1) if is_lost else (0,)):
            wrong.append(f"the record has {record['counters']['events']} events, the journal {events}")
        if events[-1] != "Stop" or record["status"] != "idle":
            wrong.append(f"the next event is not recorded: {events}, {record['status']}")
        return ran, wrong, is_lost
    finally:
        shutil.rmtree(state)
