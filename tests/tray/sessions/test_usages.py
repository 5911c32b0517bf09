"""Test what is read of the limits of accounts."""

import json
from pathlib import Path

import pytest

from deskbell.sessions.usages import MOST, usages
from deskbell.usage import Usage, Window
from deskbell_hooks.usage import keep
from tests.hooks.environment import set_variable

NOW = 1_795_000_000.0


def put(folder: Path, name: str, value: object) -> None:
    (folder / f"limits-{name}.json").write_text(json.dumps(value), encoding="utf-8")


def test_what_the_statusline_kept_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "statusline").mkdir()
    set_variable(monkeypatch, "CLAUDE_CONFIG_DIR", f"{Path.home()}/.claude")
    five, seven = {"used_percentage": 42, "resets_at": NOW + 9}, {"used_percentage": 1, "resets_at": NOW + 99}
    keep(str(tmp_path), json.dumps({"rate_limits": {"five_hour": five, "seven_day": seven}}).encode(), NOW)
    windows = Window("five_hour", 42, NOW + 9), Window("seven_day", 1, NOW + 99)
    assert usages(tmp_path / "statusline", NOW) == (Usage("~/.claude", windows),)
    assert usages(tmp_path / "statusline", NOW + 9) == (Usage("~/.claude", windows[1:]),)
    assert usages(tmp_path / "statusline", NOW + 99) == ()


@pytest.mark.parametrize(
    "value",
    [
        5,
        [],
        {},
        {"account": 5, "five_hour": [1, NOW + 9]},
        {"account": "/a"},
        {"account": "/a", "five_hour": 5},
        {"account": "/a", "five_hour": [1]},
        {"account": "/a", "five_hour": ["1", NOW + 9]},
        {"account": "/a", "six_hour": [1, NOW + 9]},
    ],
)
def test_what_is_not_understood_is_left_out(tmp_path: Path, value: object) -> None:
    put(tmp_path, "1", value)
    (tmp_path / "limits-2.json").write_bytes(b"{")
    (tmp_path / "limits-3.json").mkdir()
    (tmp_path / "other.json").write_text("{}")
    assert usages(tmp_path, NOW) == ()


def test_the_number_of_accounts_has_a_bound(tmp_path: Path) -> None:
    for number in range(MOST + 3):
        put(tmp_path, str(number), {"account": f"/{number}", "five_hour": [1, NOW + 9]})
    assert len(usages(tmp_path, NOW)) == MOST
    assert usages(tmp_path / "missing", NOW) == ()
