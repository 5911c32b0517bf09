"""Does the description of the JSON name every field that there is?"""

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from deskbell.history.summarise import summarise
from deskbell.session import Agent
from deskbell.sessions.contract import as_json
from deskbell_hooks.schema import Line
from tests.tray.journals import line, tool
from tests.tray.making import session

TEXT = (Path(__file__).parents[3] / "docs" / "json.md").read_text(encoding="utf-8")
STORY = [
    line("UserPromptSubmit", prompt="x"),
    tool("Read"),
    line("SubagentStart", agent_id="a", agent_type="b"),
    line("StopFailure", error="e", error_details="d"),
    line("Notification", message="m"),
]


def chapter(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def fields(value: Any) -> set[str]:
    """Every name in it, but not those that the person's own data give."""
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
    ],
)
def test_every_field_is_described(title: str, names: set[str]) -> None:
    described = set(re.findall(r'`"?(\w+)"?`|"(\w+)"', chapter(title)))
    assert names - {one or other for one, other in described} == set()
