"""Make sessions for tests: every field that is not given has an ordinary value."""

from dataclasses import replace
from typing import Any

from deskbell.session import Session

NOON = 1_790_000_000.0

ORDINARY = Session(
    session_id="a1",
    pid=100,
    pid_start=1,
    status="working",
    detail="Thinking",
    reason="",
    since=NOON,
    heard=NOON,
    project="api",
    title="Ship it",
)


def session(**said: Any) -> Session:
    return replace(ORDINARY, **said)
