"""Test that config.toml is parsed when it has changed, and that no mistake in it spoils the statusline."""

import json
from pathlib import Path
from typing import Any

import pytest

from deskbell_hooks import linesettings
from deskbell_hooks.linesettings import DEFAULTS, PRESETS, WRONG, resolved, settings


class Machine:
    def __init__(self, root: Path) -> None:
        self.state, self.config = root / "state", root / "config.toml"
        self.kept = self.state / "statusline" / "settings.json"

    def read(self) -> tuple[dict[str, Any], str]:
        return settings(str(self.state), str(self.config))

    def says(self, text: str) -> tuple[dict[str, Any], str]:
        beside = self.config.with_suffix(".new")
        beside.write_text(text)
        beside.replace(self.config)
        return self.read()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_a_file_the_defaults_count_and_nothing_is_written(machine: Machine) -> None:
    assert machine.read() == ({**PRESETS["plain"], **DEFAULTS}, "")
    assert not machine.state.exists()


def test_a_file_says_what_counts(machine: Machine) -> None:
    found, problem = machine.says('[statusline]\npreset = "minimal"\nseparator = " / "\ncolors = {model = "red"}\n')
    assert problem == ""
    assert (found["segments"], found["separator"]) == (PRESETS["minimal"]["segments"], " / ")
    assert found["colors"] == {**PRESETS["minimal"]["colors"], "model": "red"}


def test_a_file_that_has_not_changed_is_not_parsed_again(machine: Machine) -> None:
    machine.says("[statusline]\nbar = 4\n")
    kept = json.loads(machine.kept.read_bytes())
    machine.kept.write_text(json.dumps({**kept, "said": {"bar": 7}}))
    assert machine.read()[0]["bar"] == 7
    assert machine.says("[statusline]\nbar = 5\n")[0]["bar"] == 5
    assert machine.kept.stat().st_mode & 0o777 == 0o600


BROKEN = [
    "[statusline",
    "[statusline]\nbar = 1\nbar = 2\n",
    "statusline = 5\n",
    "a." * 300 + "b = 1\n",
    "x = " + "[" * 3000,
]


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_after_a_mistake_the_last_good_settings_stay_and_the_line_says_so(machine: Machine, text: str) -> None:
    machine.says("[statusline]\nbar = 4\n")
    for _ in range(2):
        found, problem = machine.says(text)
        assert (found["bar"], problem) == (4, WRONG)
    assert machine.says("[statusline]\nbar = 6\n")[1] == ""


def test_a_file_that_cannot_be_read_is_a_mistake(machine: Machine) -> None:
    machine.config.mkdir()
    assert machine.read() == ({**PRESETS["plain"], **DEFAULTS}, WRONG)


KEPT: list[bytes] = [
    b"",
    b"null",
    b"{}",
    b'{"v": 2}',
    b'{"v": 1, "stamp": 5, "said": 5, "problem": 5}',
    b'{"v": 1, "stamp": [], "said": {"bar": []}}',
]


@pytest.mark.parametrize("content", KEPT)
def test_what_was_kept_and_is_damaged_is_made_again(machine: Machine, content: bytes) -> None:
    machine.says("[statusline]\nbar = 4\n")
    machine.kept.write_bytes(content)
    found, problem = machine.read()
    assert (found["bar"], problem) == (4, "")


def test_a_kept_problem_of_a_wrong_type_counts_as_a_problem(machine: Machine) -> None:
    machine.says("[statusline]\nbar = 4\n")
    kept = json.loads(machine.kept.read_bytes())
    machine.kept.write_text(json.dumps({**kept, "problem": [1]}))
    assert machine.read()[1] == WRONG


def test_where_nothing_can_be_kept_the_file_is_parsed_each_time(machine: Machine) -> None:
    machine.state.write_text("a file")
    assert machine.says("[statusline]\nbar = 4\n")[0]["bar"] == 4


WRONG_VALUES: list[dict[str, Any]] = [
    {"preset": "fancy"},
    {"preset": 5},
    {"segments": "model"},
    {"segments": ["model", "moon"]},
    {"segments": [5]},
    {"separator": "\x1b[31m"},
    {"separator": "123456789"},
    {"colors": {"model": "reddish"}},
    {"colors": {"moon": "red"}},
    {"colors": {"model": 5}},
    {"colors": []},
    {"ascii": True},
    {"ascii": []},
    {"details": "no"},
    {"bar": 41},
    {"bar": True},
    {"own_timeout": 0},
    {"own_timeout": "1"},
    {"moon": 1},
]


@pytest.mark.parametrize("said", WRONG_VALUES, ids=str)
def test_a_wrong_value_counts_as_its_default_and_the_others_count(said: dict[str, Any]) -> None:
    usual = "powerline" if "bar" in said else "plain"
    found, problem = resolved({"preset": usual, **said} if "preset" not in said else {"bar": 3, **said})
    wanted = {**PRESETS[usual], **DEFAULTS, "preset": usual, **({"bar": 3} if "preset" in said else {})}
    assert (found, problem) == (wanted, WRONG)


RIGHT: list[dict[str, Any]] = [
    {"segments": ["cost", "model"]},
    {"separator": "\ue0b4"},
    {"colors": {"others": "bold #ff0000/16", "problem": "red", "warn": ""}},
    {"ascii": "always"},
    {"details": False},
    {"bar": 0},
    {"own_timeout": 0.5},
]


@pytest.mark.parametrize("said", RIGHT, ids=str)
def test_a_right_value_counts(said: dict[str, Any]) -> None:
    found, problem = resolved(said)
    assert problem == ""
    assert all(found[name] == value or value.items() <= found[name].items() for name, value in said.items())


@pytest.mark.parametrize("said", [{"segments": []}, {"separator": ""}])
def test_an_empty_value_leaves_it_to_the_preset(said: dict[str, Any]) -> None:
    assert resolved(said) == ({**PRESETS["plain"], **DEFAULTS}, "")


def test_every_setting_is_checked() -> None:
    assert set(linesettings.CHECKS) == {*DEFAULTS, *PRESETS["plain"]}
