"""Test the JSON object of a session, and that docs/json.md describes every field that a command prints."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from deskbell.doctor import Check
from deskbell.history.summarise import summarise
from deskbell.notices.decisions import Decision
from deskbell.session import Agent, Place
from deskbell.sessions.contract import INTERNAL, as_json
from deskbell_hooks.schema import Line
from tests.tray.journals import line, tool
from tests.tray.making import session

TEXT = (Path(__file__).parents[3] / "docs" / "json.md").read_text(encoding="utf-8")
FILE = {"path", "scope", "state", "sentence", "events", "missing", "outdated"}
STORY = [
    line("UserPromptSubmit", prompt="x"),
    tool("Read"),
    line("SubagentStart", agent_id="a", agent_type="b"),
    line("StopFailure", error="e", error_details="d"),
    line("Notification", message="m"),
]


def chapter(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def described(title: str) -> set[str]:
    return {one or other for one, other in re.findall(r'`"?(\w+)"?`|"(\w+)"', chapter(title))}


def in_table(title: str) -> set[str]:
    """Every name in the first column of the table."""
    rows = re.findall(r"^\| (`.*?`) \|", chapter(title), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def fields(value: Any) -> set[str]:
    """Every name in VALUE, without those that come from the person's own data."""
    if isinstance(value, dict):
        inner = {name for key, part in value.items() if key not in ("events", "tools") for name in fields(part)}
        return set(value) | inner | fields(next(iter(value.get("tools", {}).values()), None))
    return {name for part in value for name in fields(part)} if isinstance(value, (list, tuple)) else set()


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("list", fields(as_json(session(agents=(Agent("a", "b", "running", "", None, None),), todo=(1, 2))))),
        ("show", fields(asdict(summarise([STORY])))),
        ("events", set(get_type_hints(Line)) - {"v"}),
        ("why", set(get_type_hints(Decision))),
        ("status", {"version", "client", "hook", "files", "folder", "deployed", "interpreter"} | FILE),
        ("doctor", set(get_type_hints(Check))),
    ],
)
def test_every_field_is_described(title: str, names: set[str]) -> None:
    assert names - described(title) == set()


def test_a_session_as_json() -> None:
    one = session(
        todo=(1, 2), place=Place("/dev/pts/1", (("TMUX", "x"),)), agents=(Agent("a", "b", "done", "", 1.0, 2.0),)
    )
    shown = as_json(one)
    assert (shown["session_id"], shown["pid"], shown["group"], shown["status"]) == ("a1", 100, "running", "working")
    assert shown["todo"] == {"done": 1, "all": 2}
    assert shown["place"] == {"tty": "/dev/pts/1", "handles": {"TMUX": "x"}}
    assert shown["agents"] == ({"id": "a", "type": "b", "status": "done", "detail": "", "started": 1.0, "ended": 2.0},)
    assert json.loads(json.dumps(shown)).keys() == shown.keys()


def test_what_is_for_deskbell_alone_is_not_shown() -> None:
    one = session()
    assert set(asdict(one)) - set(as_json(one)) == set(INTERNAL)


def test_no_text_of_a_session_shows_a_secret() -> None:
    said = "password=hunter2-Zq9"
    texts = dict.fromkeys(("detail", "reason", "project", "branch", "title", "prompt", "last_line", "last_error"), said)
    agent = Agent("a", "b", "running", said, None, None)
    shown = as_json(session(agents=(agent,), tasks=(said,), cwd="/srv/token=abc1", **texts))
    assert "hunter2" not in json.dumps(shown)
    assert shown["cwd"] == "/srv/token=abc1"


def test_what_is_not_known_is_null() -> None:
    shown = as_json(session(pid=None, pid_start=None))
    assert shown["todo"] is None
    assert all(shown[name] is None for name in ("pid", "pid_start", "branch", "model", "cost_usd", "host"))
