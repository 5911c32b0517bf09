"""Test the statusline as Claude Code starts it: one clean line whatever it is given, and an exit with 0."""

import errno
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from deskbell_hooks import statusline
from deskbell_hooks.client import was_given
from deskbell_hooks.columns import columns
from deskbell_hooks.linesettings import resolved
from deskbell_hooks.statusline import FAILED, HANDLER, printed
from tests.faults.injector import failing
from tests.hooks.environment import set_variable
from tests.hooks.hostile import ESCAPES, NUMBERS
from tests.hooks.neighbours import OWN, Neighbours, asks, session
from tests.hooks.recorder import BARE_ENV, MAIN, THOROUGH
from tests.hooks.said import AGENT, e, prompt

SGR = re.compile(r"\x1b\[[0-9;]*m")
LINKS = re.compile(r"\x1b\]8;;[^\x1b\x07]*\x1b\\")
GIVEN: dict[str, Any] = {
    "session_id": OWN,
    "cwd": "/home/user/shop",
    "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
    "workspace": {"current_dir": "/home/user/shop", "project_dir": "/home/user/shop"},
    "cost": {"total_cost_usd": 1.234, "total_duration_ms": 7_000, "total_lines_added": 3, "total_lines_removed": 1},
    "context_window": {"used_percentage": 42, "total_input_tokens": 84_000, "context_window_size": 200_000},
    "rate_limits": {"five_hour": {"used_percentage": 12.5}},
}


@pytest.fixture
def near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Neighbours:
    found = Neighbours(tmp_path / "state", tmp_path / "account")
    for name in ("SSH_CONNECTION", "XDG_DATA_HOME", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS", "TERM"):
        set_variable(monkeypatch, name, "")
    for name, value in {**found.env, statusline.DEBUG: "1", "COLUMNS": "160", "NO_COLOR": "1"}.items():
        set_variable(monkeypatch, name, value)
    return found


def shown(near: Neighbours, given: object = GIVEN, config: str = "none", *chain: str) -> str:
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    return printed([str(near.state), config, *chain], data).decode().removesuffix("\n")


def started(near: Neighbours, data: bytes, env: Mapping[str, str] | None = None, *chain: str) -> bytes:
    """Start it as Claude Code does. It must exit with 0 and say nothing on stderr."""
    words = [sys.executable, "-I", "-S", str(MAIN), "statusline", str(near.state), "none", *chain]
    done = subprocess.run(
        words, input=data, env={**BARE_ENV, **near.env, **(env or {})}, capture_output=True, timeout=60, check=True
    )
    assert done.stderr == b""
    return done.stdout


def test_it_shows_the_session_as_claude_code_gives_it(near: Neighbours) -> None:
    line = "Opus 5.5 │ shop │ ████░░░░░░ 42% 84k/200k │ $1.23 │ 5h 12%"
    assert shown(near) == line
    assert started(near, json.dumps(GIVEN).encode(), {"COLUMNS": "160", "NO_COLOR": "1"}).decode() == line + "\n"


def test_it_is_coloured_unless_the_person_or_the_terminal_has_no_colours(near: Neighbours) -> None:
    data = json.dumps(GIVEN).encode()
    assert b"\x1b[" in started(near, data, {"TERM": "xterm-256color", "NO_COLOR": ""})
    assert b"\x1b" not in started(near, data, {"NO_COLOR": "1"})
    assert b"\x1b" not in started(near, data, {"TERM": "dumb"})


def test_the_subagents_and_the_others_come_from_the_records(near: Neighbours) -> None:
    near.record(
        OWN, prompt(), e("SubagentStart", **AGENT), e("SubagentStart", agent_id="a2"), e("SubagentStop", **AGENT)
    )
    near.record(session(1), *asks(), folder="site")
    line = shown(near, {**GIVEN, "context_window": {}})
    assert line == (
        "● 1 blocked: site wants to run npm publish │ Opus 5.5 │ shop │ agents: 1 running, 1 done │ $1.23 │ 5h 12%"
    )


def test_a_subagent_that_only_the_tasks_name_runs(near: Neighbours) -> None:
    task = {"id": "a9", "type": "subagent", "status": "running", "description": "x"}
    near.record(OWN, prompt(), e("Stop", background_tasks=[task, {**task, "id": "b1", "type": "shell"}]))
    assert "agents: 1 running" in shown(near)


RECORDS = [b"", b"{", b"[]", b"null", b'{"agents": 5}', b'{"agents": [5]}', b'{"tasks": [{}]}', b"x" * 70_000]


@pytest.mark.parametrize("content", RECORDS, ids=range(len(RECORDS)))
def test_a_record_that_cannot_be_read_is_shown_as_such(near: Neighbours, content: bytes) -> None:
    near.write(OWN, content)
    assert "record unreadable" in shown(near)
    assert "Opus 5.5" in shown(near)


def test_a_session_that_is_not_known_has_a_line_too(near: Neighbours) -> None:
    assert shown(near, {**GIVEN, "session_id": "unknown"}) == shown(near)
    assert shown(near, {"model": {"display_name": "Opus"}}) == "Opus"


INPUTS = [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"{}{}", b"5"]


@pytest.mark.parametrize("data", INPUTS)
def test_input_that_cannot_be_read_is_named(near: Neighbours, data: bytes) -> None:
    assert shown(near, data) == "input unreadable"


def test_without_anything_to_show_there_is_a_line(near: Neighbours) -> None:
    assert shown(near, {}) == "Claude Code"


def test_a_mistake_in_the_settings_is_named_and_the_others_count(near: Neighbours, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[statusline]\nsegments = ["cost"]\nbar = "long"\n')
    assert shown(near, GIVEN, str(config)) == "$1.23 │ config.toml has a mistake"


def test_the_branch_is_looked_for_only_if_it_is_shown(near: Neighbours, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main")
    assert "⎇ main" in shown(near, {**GIVEN, "workspace": 5, "cwd": str(tmp_path)})
    config = tmp_path / "config.toml"
    config.write_text('[statusline]\nsegments = ["model"]\n')
    assert shown(near, {**GIVEN, "cwd": str(tmp_path)}, str(config)) == "Opus 5.5"


# The link


@pytest.fixture
def handler(near: Neighbours) -> Path:
    path = near.account / ".local" / "share" / HANDLER
    path.parent.mkdir(parents=True)
    path.write_text("[Desktop Entry]")
    near.record(session(1), *asks(), folder="site")
    return path


LINKED = f"\x1b]8;;deskbell://jump/{session(1)}\x1b\\● 1 blocked: site wants to run npm publish\x1b]8;;\x1b\\"


@pytest.mark.skipif(sys.platform != "linux", reason="only freedesktop.org systems have the handler")
class TestTheLink:
    def test_a_click_on_the_session_that_waits_jumps_to_it(self, near: Neighbours, handler: Path) -> None:
        assert shown(near).startswith(LINKED)

    def test_there_is_no_link_without_a_handler(self, near: Neighbours, handler: Path) -> None:
        handler.unlink()
        assert "\x1b" not in shown(near)

    def test_there_is_no_link_in_a_remote_session(
        self, near: Neighbours, handler: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_variable(monkeypatch, "SSH_CONNECTION", "1.2.3.4 5 6.7.8.9 22")
        assert "\x1b" not in shown(near)

    def test_the_handler_may_be_where_the_person_keeps_their_data(
        self, near: Neighbours, handler: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        moved = near.account / "data" / HANDLER
        moved.parent.mkdir(parents=True)
        handler.rename(moved)
        set_variable(monkeypatch, "XDG_DATA_HOME", str(near.account / "data"))
        assert shown(near).startswith(LINKED)
        set_variable(monkeypatch, "XDG_DATA_HOME", "data")
        assert "\x1b" not in shown(near)


# The terminal


WIDTHS = [("160", 60), ("44", 40), ("24", 20), ("5", 1), ("0", 1), ("", 76), ("wide", 76), ("²", 76), ("999999", 76)]


@pytest.mark.parametrize(("said", "room"), WIDTHS)
def test_the_line_fits_the_columns(near: Neighbours, monkeypatch: pytest.MonkeyPatch, said: str, room: int) -> None:
    set_variable(monkeypatch, "COLUMNS", said)
    assert 0 < columns(shown(near)) <= room


LOCALES = [
    ({}, False),
    ({"LANG": "en_US.UTF-8"}, False),
    ({"LANG": "C"}, True),
    ({"LANG": "de_DE.UTF-8", "LC_CTYPE": "de_DE"}, True),
    ({"LANG": "C", "LC_ALL": "C.utf8"}, False),
]


@pytest.mark.parametrize(("env", "ascii_only"), LOCALES)
def test_the_locale_says_whether_only_ascii_is_shown(
    near: Neighbours, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], ascii_only: bool
) -> None:
    for name, value in env.items():
        set_variable(monkeypatch, name, value)
    assert shown(near).isascii() is ascii_only


STARTS = [
    ({"LANG": "C"}, True),
    ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
    ({"LC_CTYPE": "C.UTF-8"}, False),
    ({}, False),
]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells with which variables a process began")
@pytest.mark.parametrize(("env", "ascii_only"), STARTS)
def test_the_locale_is_that_of_the_person_and_not_one_that_python_sets(
    near: Neighbours, env: dict[str, str], ascii_only: bool
) -> None:
    """Python sets LC_CTYPE to UTF-8 where the locale is C."""
    assert started(near, json.dumps(GIVEN).encode(), {"NO_COLOR": "1", **env}).isascii() is ascii_only


def test_a_locale_that_python_sets_counts_only_if_the_person_has_set_it(
    near: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variable(monkeypatch, "LANG", "C")
    set_variable(monkeypatch, "LC_CTYPE", "C.UTF-8")
    assert shown(near).isascii() is not was_given("LC_CTYPE")


def test_the_person_may_say_whether_only_ascii_is_shown(near: Neighbours, monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(monkeypatch, "LANG", "C")
    now = 1_795_000_000.0
    lines = [
        statusline.ours_for(GIVEN, str(near.state), resolved({"ascii": word})[0], "", now)
        for word in ("never", "always")
    ]
    assert [line.isascii() for line in lines] == [False, True]


# The person's own line


@pytest.mark.skipif(sys.platform == "win32", reason="Deskbell chains no line on Windows")
class TestTheOwnLine:
    def test_it_is_first_or_last_with_the_same_stdin(self, near: Neighbours) -> None:
        own = "printf '\\033[31m'; cat"
        ours, given = shown(near), json.dumps(GIVEN)
        assert shown(near, GIVEN, "none", "first", own, "") == f"\x1b[31m{given}\x1b[0m\n{ours}"
        assert shown(near, GIVEN, "none", "last", own, "") == f"{ours}\n\x1b[31m{given}"

    def test_one_that_prints_nothing_takes_no_line(self, near: Neighbours) -> None:
        assert shown(near, GIVEN, "none", "first", "true", "") == shown(near)

    def test_it_is_shown_although_the_input_is_not_understood(self, near: Neighbours) -> None:
        assert shown(near, b"{", "none", "last+refresh", "echo own", "") == "input unreadable\nown"

    def test_one_without_a_command_is_none(self, near: Neighbours) -> None:
        assert shown(near, GIVEN, "none", "first", "", "") == shown(near)


# Whatever happens


def test_a_mistake_of_deskbell_leaves_a_line(near: Neighbours, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(IndexError):
        printed([], b"{}")
    set_variable(monkeypatch, statusline.DEBUG, "")
    assert printed([], b"{}") == f"{FAILED}\n".encode()


@pytest.mark.skipif(sys.platform == "win32", reason="Deskbell chains no line on Windows")
def test_a_mistake_of_deskbell_does_not_hide_the_own_line(near: Neighbours, monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(monkeypatch, statusline.DEBUG, "")
    words: list[Any] = [str(near.state), None, "last", "echo own", ""]
    assert printed(words, b'{"cwd": "/a/shop"}') == b"shop\nown\n"


def test_a_reader_that_has_left_and_a_stdin_that_is_closed_are_no_errors(near: Neighbours) -> None:
    words = f"exec '{sys.executable}' -I -S '{MAIN}' statusline '{near.state}' none"
    for shell in (f"{words} <&-", f"{words} >&- <&-", f"{words} </dev/null | exec true"):
        done = subprocess.run(["/bin/sh", "-c", shell], env=BARE_ENV, capture_output=True, timeout=60, check=True)
        assert done.stderr == b""


def test_without_a_stdin_and_a_stdout_there_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert statusline.stdin() == b""
    if sys.platform != "win32":
        with failing("posix.write", errno.EPIPE):
            statusline.write(b"x")


BAD = [
    *ESCAPES,
    "\x1b[2J\x1b[H",
    "\x1b]8;;https://evil\x1b\\",
    "\x9b2J",
    "a\r\nb",
    "\u2028",
    "\ud800",
    "界" * 40,
    "e\u0301" * 99,
    "\x1b" * 50,
]
VALUES: list[Any] = [None, True, [], {}, [[]], {"a": 1}, -1, 0, 1e308, 10**30, "", *BAD]
LARGE = 5 * 1024 * 1024
HOSTILE = 100_000 if THOROUGH else 2_000


def hostile(count: int) -> Iterator[bytes]:
    """Inputs that no client gives on purpose: without fields, of wrong types, with escapes, damaged, and large ones."""
    chance = random.Random(7)
    yield b'{"session_id": "s", "model": {"display_name": "' + b"x\\u001b[31m" * (LARGE // 11) + b'"}}'
    yield b"[" * LARGE
    for n in range(count - 2):
        given: Any = json.loads(json.dumps(GIVEN))
        for _ in range(chance.randint(1, 5)):
            _spoil(given, chance)
        data = json.dumps(given).encode()
        if n % 5 == 0:
            at = chance.randrange(len(data))
            data = chance.choice([data[:at], data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]])
        if n % 7 == 0:
            data = data.replace(b"42", chance.choice(NUMBERS).encode())
        yield data


def _spoil(given: dict[str, Any], chance: random.Random) -> None:
    inner = [value for value in given.values() if isinstance(value, dict) and value]
    of = chance.choice([given, *inner])
    name = chance.choice(sorted(of))
    if chance.random() < 0.2:
        del of[name]
    else:
        of[name] = chance.choice(VALUES)


def is_clean(line: str) -> bool:
    text = LINKS.sub("", SGR.sub("", line))
    return text.isprintable() and bool(text.strip()) and columns(text) <= 156


@pytest.mark.uncounted
def test_thousands_of_hostile_inputs_give_one_clean_line_each(
    near: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    near.record(session(1), *asks("\x1b[31mrm\x1b[0m"), folder="evil\x1b]0;x\x07")
    set_variable(monkeypatch, "NO_COLOR", "")
    for data in hostile(HOSTILE):
        line = shown(near, data)
        assert is_clean(line), (data[:300], line)


def test_hostile_inputs_do_a_process_no_harm(near: Neighbours) -> None:
    for data in hostile(30):
        out = started(near, data, {"COLUMNS": "160"})
        assert is_clean(out.decode().removesuffix("\n")), (data[:300], out)


FEW = [
    ({"TERM": "linux"}, True),
    ({"TERM": "xterm"}, True),
    ({"TERM": "xterm", "COLORTERM": "truecolor"}, False),
    ({"TERM": "xterm-256color"}, False),
    ({"TERM": ""}, False),
]


@pytest.mark.parametrize(("env", "few"), FEW)
def test_on_a_terminal_of_few_colours_only_those_are_used(
    near: Neighbours, env: dict[str, str], few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"NO_COLOR": "", "COLORTERM": "", **env}.items():
        set_variable(monkeypatch, name, value)
    line = statusline.printed([str(near.state), ""], json.dumps(GIVEN).encode())
    assert (b"38;5;" in line) is not few
    assert b"\x1b[" in line
