"""Test which clients a person attends."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.sessions.assemble import assemble
from deskbell.sessions.attended import ATTENDED, is_hidden, kind_of
from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Verdict
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Run

ENTRY = Entry(7, "s", "/claude", kind="interactive")
VERDICT = Verdict("working", "", "", 1.0)


def heard(**where: Any) -> Run:
    return {"where": {"pid": 7, **where}}


def listed(**fields: Any) -> Entry:
    return replace(ENTRY, **fields)


SHOWN: list[tuple[Run | None, Entry | None, str | None]] = [
    (None, None, None),
    (heard(), None, "interactive"),
    (heard(attended=True), None, "interactive"),
    (heard(attended=True, entrypoint="cli"), listed(entrypoint="cli"), "interactive"),
    (heard(entrypoint="sdk-cli"), listed(entrypoint="cli"), "interactive"),
    (None, listed(), "interactive"),
    (None, listed(entrypoint="cli"), "interactive"),
    (heard(attended=False), listed(kind="bg"), "background"),
    (None, listed(kind="bg", entrypoint="cli"), "background"),
    (None, listed(entrypoint="sdk-cli", remote_control=True), "interactive"),
    (heard(attended=False, entrypoint="sdk-cli"), listed(remote_control=True), "interactive"),
    *((None, listed(entrypoint=one), "interactive") for one in sorted(ATTENDED)),
    *((heard(attended=True, entrypoint=one), None, "interactive") for one in sorted(ATTENDED)),
]
HIDDEN: list[tuple[Run | None, Entry | None, str | None]] = [
    (heard(attended=False), None, "print"),
    (heard(attended=False, entrypoint="claude-vscode"), listed(entrypoint="claude-vscode"), "print"),
    *((None, listed(entrypoint=one), "print") for one in ("sdk-cli", "sdk-py", "sdk-ts", "mcp", "a-new-one")),
    *((heard(entrypoint=one), None, "print") for one in ("sdk-cli", "sdk-py", "sdk-ts")),
    (None, listed(kind="daemon"), "print"),
    (None, listed(kind="daemon-worker", remote_control=True), "print"),
    (heard(attended=True), listed(kind="bg", entrypoint="cli", spare=True), "background"),
]


@pytest.mark.parametrize(("run", "entry", "kind"), SHOWN)
def test_a_client_that_a_person_attends_is_shown(run: Run | None, entry: Entry | None, kind: str | None) -> None:
    assert (is_hidden(run, entry), kind_of(run, entry)) == (False, kind)


@pytest.mark.parametrize(("run", "entry", "kind"), HIDDEN)
def test_a_client_that_nobody_attends_is_hidden(run: Run | None, entry: Entry | None, kind: str | None) -> None:
    assert (is_hidden(run, entry), kind_of(run, entry)) == (True, kind)


def test_a_session_says_so() -> None:
    one = assemble("s", None, None, listed(entrypoint="sdk-py"), Tail(), VERDICT, 1.0)
    assert (one.hidden, one.kind) == (True, "print")
