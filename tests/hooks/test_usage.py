"""Test what the statusline keeps of the limits of an account."""

import json
from pathlib import Path
from typing import Any

import pytest

from deskbell_hooks import usage
from deskbell_hooks.statusline import keep_limits
from tests.hooks.environment import set_variable

NOW = 1_795_000_000.0
RESETS = NOW + 3600


def said(five: Any = None, seven: Any = None) -> bytes:
    return json.dumps({"session_id": "s", "rate_limits": {"five_hour": five, "seven_day": seven}}).encode()


def used(percent: object, resets: object = RESETS) -> dict[str, object]:
    return {"used_percentage": percent, "resets_at": resets}


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    set_variable(monkeypatch, "CLAUDE_CONFIG_DIR", "/home/user/.claude")
    (tmp_path / "statusline").mkdir()
    return tmp_path


def kept(state: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_bytes()) for path in sorted((state / "statusline").glob("limits-*.json"))]


def test_each_account_has_a_file_with_what_it_has_used(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage.keep(str(state), said(used(42.5), used(12, RESETS + 9)), NOW)
    set_variable(monkeypatch, "CLAUDE_CONFIG_DIR", "")
    set_variable(monkeypatch, "HOME", "/home/other")
    usage.keep(str(state), said(used(7)), NOW)
    found = {one["account"]: one for one in kept(state)}
    assert found == {
        "/home/user/.claude": {
            "v": 1,
            "at": NOW,
            "account": "/home/user/.claude",
            "five_hour": [42.5, RESETS],
            "seven_day": [12, RESETS + 9],
        },
        "/home/other/.claude": {"v": 1, "at": NOW, "account": "/home/other/.claude", "five_hour": [7, RESETS]},
    }


@pytest.mark.parametrize(
    ("later", "five"),
    [
        (used(50), [50, RESETS]),
        (used(30), [42, RESETS]),
        (used(50, RESETS + 60), [50, RESETS + 60]),
        (used(3, RESETS + 18_000), [3, RESETS + 18_000]),
        (used(99, RESETS - 18_000), [42, RESETS]),
        (None, [42, RESETS]),
    ],
)
def test_an_idle_session_that_repeats_an_older_figure_does_not_replace_a_newer_one(
    state: Path, later: object, five: list[float]
) -> None:
    usage.keep(str(state), said(used(42), used(12)), NOW)
    usage.keep(str(state), said(later), NOW + 60)
    (found,) = kept(state)
    assert (found["five_hour"], found["seven_day"]) == (five, [12, RESETS])


def test_nothing_is_written_if_nothing_is_new(state: Path) -> None:
    for at in (NOW, NOW + 60):
        usage.keep(str(state), said(used(42)), at)
    assert [one["at"] for one in kept(state)] == [NOW]


@pytest.mark.parametrize(
    "data",
    [
        said(),
        said(5, "x"),
        said(used("a lot"), used(True)),
        said(used(-1), used(5000)),
        said(used(5, None), used(5, 1e30)),
        b'{"rate_limits": 5}',
        b'["rate_limits"]',
        b"{}",
    ],
)
def test_what_is_not_understood_is_not_kept(state: Path, data: bytes) -> None:
    keep_limits(str(state), data)
    assert kept(state) == []


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"five_hour": [1]}', b'{"five_hour": {"a": 1}}', b"x" * 5000])
def test_a_file_that_is_damaged_is_replaced(state: Path, damage: bytes) -> None:
    keep_limits(str(state), said(used(42)))
    (path,) = (state / "statusline").glob("limits-*.json")
    path.write_bytes(damage)
    keep_limits(str(state), said(used(42)))
    assert [one["five_hour"] for one in kept(state)] == [[42, RESETS]]
