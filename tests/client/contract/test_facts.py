"""Test that every fact holds in a recorded run, and that each one notices a client that does something else.

The run is tests/fixtures/contract.jsonl: what `make contract` kept of the version that the suites drive.
"""

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.client.contract.facts import FACTS
from tests.client.contract.judge import FAILS, HOLDS, Fact, judged
from tests.client.contract.scenes import SCENES
from tests.client.contract.seen import Part, Run, parsed

ROOT = Path(__file__).parents[3]
RECORDED = (ROOT / "tests" / "fixtures" / "contract.jsonl").read_text(encoding="utf-8")
RUN = parsed(RECORDED)
LATER = 30.0
"""Seconds that are added to a time in the recorded run."""


def verdict(fact: Fact, run: Run) -> str:
    return judged([fact], run)[0].verdict


def altered(value: Any) -> Any:
    """VALUE with another text in place of each text, and another number in place of each number."""
    if isinstance(value, dict):
        return {name: altered(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [altered(one) for one in value]
    if isinstance(value, bool):
        return not value
    return f"other {value}" if isinstance(value, str) else value + 1 if isinstance(value, int | float) else "other"


def with_session(part: Part, session: str) -> Part:
    """A client that keeps the id of another conversation."""
    named = hooks_with(part, lambda event: {**event, "session_id": session})
    changes = tuple({**one, "content": {**(one["content"] or {}), "sessionId": session}} for one in part.changes)
    return replace(named, changes=changes, notes={**part.notes, "session": session})


def with_stop(part: Part) -> Part:
    """A client that fires one event more."""
    more = {**copy.deepcopy(RUN.parts["a plain turn"].hooks[-1]), "at": part.began + 60}
    return replace(part, hooks=(*part.hooks, more))


def with_answer(part: Part) -> Part:
    """A client that writes one line more."""
    return replace(part, lines=(*part.lines, *RUN.parts["a subagent"].lines[-1:]))


def hooks_with(part: Part, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Part:
    return replace(part, hooks=tuple({**one, "hook": change(one["hook"])} for one in part.hooks))


def others(part: Part) -> Iterator[Part]:
    """What a client might have done otherwise in a part."""
    yield replace(part, hooks=())
    yield replace(part, changes=())
    yield replace(part, lines=())
    yield replace(part, notes={})
    yield replace(part, notes=altered(part.notes))
    yield with_stop(part)
    yield with_answer(part)
    yield replace(part, hooks=tuple({**one, "at": one["at"] + LATER} for one in part.hooks))
    yield replace(part, changes=tuple({**one, "at": one["at"] + LATER} for one in part.changes))
    yield replace(part, lines=tuple({**one, "at": one["at"] + LATER} for one in part.lines))
    yield replace(part, lines=tuple({**one, "line": altered(one["line"])} for one in part.lines))
    yield replace(part, changes=tuple({**one, "content": altered(one["content"])} for one in part.changes))
    yield replace(part, hooks=tuple({**one, "env": altered(one["env"])} for one in part.hooks))
    yield replace(part, hooks=tuple({**one, "process": altered(one["process"])} for one in part.hooks))
    yield hooks_with(part, lambda event: {"hook_event_name": event["hook_event_name"]})
    yield hooks_with(part, lambda event: {**altered(event), "hook_event_name": event["hook_event_name"]})


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.says)
def test_a_fact_holds_in_the_recorded_run(fact: Fact) -> None:
    [found] = judged([fact], RUN)
    assert (found.verdict, found.seen) == (HOLDS, found.seen)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.says)
def test_a_fact_notices_a_client_that_does_something_else(fact: Fact) -> None:
    [found] = judged([fact], RUN)
    parts = [RUN.parts[name] for name in found.parts] or [RUN.parts["a start"]]
    for part in parts:
        sessions = [other.notes["session"] for other in parts if "session" in other.notes]
        does = [*others(part), *(with_session(part, session) for session in sessions)]
        verdicts = [verdict(fact, Run([*RUN.parts.values(), other])) for other in does]
        assert FAILS in verdicts, f"nothing that the client does in {part.name!r} matters"


def test_no_two_facts_say_the_same() -> None:
    assert len({fact.says for fact in FACTS}) == len(FACTS)
    assert all(fact.says.endswith(".") for fact in FACTS)


def test_every_module_that_rests_on_a_fact_is_there() -> None:
    named = {module for fact in FACTS for module in fact.rests}
    assert all(fact.rests for fact in FACTS)
    assert [module for module in sorted(named) if not (ROOT / module).is_file()] == []


def test_every_part_of_a_scene_has_its_own_name_and_a_fact() -> None:
    names = [act.name for scene in SCENES for act in scene.acts if act.name]
    asked = {name for found in judged(FACTS, RUN) for name in found.parts}
    assert len(set(names)) == len(names)
    assert asked == set(names) == set(RUN.parts)


def test_the_recorded_run_holds_no_name_of_a_machine() -> None:
    assert not re.search(r"MESSAGING_TOKEN|(?<!user)/tmp/|/root|messagingSocket", RECORDED)
    assert all(json.loads(line)["trouble"] == "" for line in RECORDED.splitlines())
