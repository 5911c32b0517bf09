"""Test which options a pane gets for its session, and that no text of a session is more than text to tmux."""

import sys
from pathlib import Path

import pytest

from deskbell_hooks.panes import (
    DETAIL,
    ENDED,
    NAMES,
    PREFIX,
    SHOWN,
    STAMP,
    command,
    event_name,
    is_pane,
    is_terminal,
    literal,
    options,
    quoted,
    socket_of,
)
from tests.hooks.said import SESSION, Event, e, notification, prompt, recorded, tool
from tests.tmuxes import needs_tmux, tmux

HOSTILE = (
    "#(touch pwned)",
    "#{pane_id} #{E:status-left} #[fg=red]red ##[bold] #",
    'it\'s "quoted" `touch pwned` $(touch pwned) $HOME ~ \\',
    "a ; kill-server ;",
    "%if 1 } { %H %% ' ; ' '",
)


def seed(*events: Event) -> dict[str, str]:
    record = recorded(*events)
    found = options(record["session_id"], record["status"], record["detail"], record)
    return {name.removeprefix(PREFIX): value for name, value in found.items() if name.startswith(PREFIX)}


START = e("SessionStart", source="startup", cwd="/home/user/shop")
FOLLOWS: list[tuple[list[Event], dict[str, str]]] = [
    ([START], {"status": "stopped", "latest_hook_event": "SessionStart", "session_id_set_on": "SessionStart"}),
    ([START, prompt()], {"status": "running", "session_id_set_on": "UserPromptSubmit", "deskbell_status": "working"}),
    ([START, prompt(), tool("PreToolUse")], {"status": "running", "latest_hook_event": "PreToolUse"}),
    (
        [START, prompt(), tool("PermissionRequest"), notification("permission_prompt")],
        {"status": "stopped", "latest_hook_event": "Notification-permission_prompt", "deskbell_status": "permission"},
    ),
    ([START, prompt(), notification("auth_success")], {"status": "running"}),
    ([START, prompt(), e("Stop")], {"status": "stopped", "session_id_set_on": "Stop", "deskbell_status": "idle"}),
    ([START, prompt(), e("SubagentStop", agent_id="a")], {"status": "running", "session_id_set_on": "SubagentStop"}),
    ([START, prompt(), e("PreCompact", trigger="auto")], {"latest_hook_event": "PreCompact", "detail": "Compacting"}),
]


@pytest.mark.parametrize(("events", "expected"), FOLLOWS)
def test_the_options_follow_the_events(events: list[Event], expected: dict[str, str]) -> None:
    found = seed(*events)
    assert {name: found.get(name) for name in expected} == expected
    assert found["session_id"] == SESSION
    assert found["session_dir"] == "/home/user/shop"
    assert found["latest_hook_time"].isdigit()


def test_the_folder_comes_from_the_start_of_the_session_alone() -> None:
    assert "session_dir" not in seed(prompt(cwd="/home/user/elsewhere"))
    moved = seed(START, prompt(cwd="/home/user/elsewhere"), e("SessionStart", source="compact", cwd="/home/user/x"))
    assert moved["session_dir"] == "/home/user/shop"


def test_a_session_that_is_over_leaves_its_id_and_nothing_else() -> None:
    assert seed(START, e("SessionEnd", reason="exit")) == {}
    assert options("s1", "ended", "", {}) == options("s1", "crashed", "Bash: x", {}) == {ENDED: "s1"}


def test_a_session_that_no_hook_reported_has_what_is_known() -> None:
    found = options("s1", "working", "Thinking", {})
    assert found == {
        f"{PREFIX}session_id": "s1",
        f"{PREFIX}status": "running",
        f"{PREFIX}deskbell_status": "working",
        DETAIL: "Thinking",
        SHOWN: "Thinking",
    }


ODD = [{"last_event": 7, "notified": [], "last_at": "x"}, {"last_event": None, "last_at": -1.0}, {"last_at": 1e300}]


@pytest.mark.parametrize("run", ODD)
def test_wrong_values_of_a_record_are_left_out(run: dict[str, object]) -> None:
    assert event_name(run) == ""
    assert set(options("s1", "idle", "", run)) == {
        f"{PREFIX}{name}" for name in ("session_id", "status", "deskbell_status")
    }


def test_a_notification_without_a_type_is_named_without_one() -> None:
    assert event_name({"last_event": "Notification"}) == "Notification"
    assert event_name({"last_event": "Stop", "notified": "idle_prompt"}) == "Stop"


def test_a_detail_is_one_line_without_escapes_and_not_endless() -> None:
    found = options("s1", "permission", "Bash: a\nb \x1b[31mc\x07 " + "x" * 999, {})
    assert found[DETAIL].startswith("Bash: a b c x")
    assert (len(found[DETAIL]), len(found[SHOWN])) == (200, 48)


def test_nothing_follows_a_sign_that_could_begin_a_style() -> None:
    shown = literal("#[fg=red] ##[x] #(y) #")
    assert shown.replace("\u2060", "") == "#[fg=red] ##[x] #(y) #"
    assert all(part.startswith("\u2060") for part in shown.split("#")[1:])


PANES = [("%0", True), ("%12", True), ("", False), ("%", False), ("0", False), ("%1;x", False), ("%٣", False)]
TERMINALS = [("/dev/pts/3", True), ("/dev/ttys004", True), ("/dev/pts/3,x", False), ("/dev/", False), (None, False)]
SOCKETS = [
    ("/tmp/tmux-1000/default,12,0", "/tmp/tmux-1000/default"),
    ("/tmp/a,b,12,0", "/tmp/a,b"),
    ("relative,1,0", ""),
    ("/tmp/x", ""),
    ("", ""),
    (f"/{'x' * 200},1,0", ""),
]


@pytest.mark.parametrize(("text", "is_one"), PANES)
def test_a_pane_is_known_by_its_number(text: str, is_one: bool) -> None:
    assert is_pane(text) is is_one


@pytest.mark.parametrize(("text", "is_one"), TERMINALS)
def test_a_terminal_has_a_plain_name(text: object, is_one: bool) -> None:
    assert is_terminal(text) is is_one


@pytest.mark.parametrize(("text", "path"), SOCKETS)
def test_the_socket_is_the_first_part_of_the_variable(text: str, path: str) -> None:
    assert socket_of(text) == path


def test_every_option_is_set_or_taken() -> None:
    words = command("%3", "/dev/pts/3", 5, {DETAIL: "x"})
    assert words[:4] == ["if-shell", "-F", "-t", "%3"]
    assert all(name in words[-1] for name in (*NAMES, STAMP))
    assert words[-1].count("set-option -pt") == 2


@needs_tmux
@pytest.mark.skipif(sys.platform == "win32", reason="tmux does not run on Windows")
@pytest.mark.parametrize("text", HOSTILE)
def test_a_real_tmux_keeps_and_shows_a_text_as_it_is(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with tmux(tmp_path) as server:
        tty = server.value("#{pane_tty}")
        server.run(*command("%0", tty, 1, options("s1", "permission", text, {})))
        assert server.options()[DETAIL] == text.strip()
        assert text.startswith(server.value(f"#{{{SHOWN}}}").replace("\u2060", "").removesuffix("…"))
        assert server.value(f"#{{E:@x}}#{{{DETAIL}}}") == text.strip()
    assert not (tmp_path / "pwned").exists()


@needs_tmux
def test_a_real_tmux_refuses_what_is_older_or_of_another_terminal(tmp_path: Path) -> None:
    with tmux(tmp_path) as server:
        tty = server.value("#{pane_tty}")
        server.run(*command("%0", tty, 20, options("new", "working", "", {})))
        server.run(*command("%0", tty, 9, options("old", "working", "", {})))
        server.run(*command("%0", "/dev/pts/99999", 30, options("elsewhere", "working", "", {})))
        server.run(*command("%9", tty, 30, options("gone", "working", "", {})))
        assert server.options()[f"{PREFIX}session_id"] == "new"
        server.run(*command("%0", tty, 21, options("new", "ended", "", {})))
        assert server.options() == {ENDED: "new"}


def test_a_quote_ends_no_word() -> None:
    assert quoted("it's") == "'it'\\''s'"
