"""Which hooks are registered for which client, in which words, and which of those found are ours."""

import shlex
import subprocess
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.registration import EVENTS, Hook, hook_of, is_ours, wanted

PLAIN = Hook(
    "/usr/bin/python3",
    "/home/u/.local/share/deskbell/hooks/1/deskbell_hooks/__main__.py",
    "/home/u/.local/state/deskbell",
)
AWKWARD = Hook(
    '/opt/it\'s "mine"/py thon', "/home/zoë/日本 $HOME `x`/deskbell_hooks/__main__.py", "/tmp/\\back\\slash; rm -rf"
)
WINDOWS = Hook(
    r"C:\Program Files\Python\python.exe",
    r"C:\Users\Zoë O'Hara\deskbell_hooks\__main__.py",
    r"C:\Users\Zoë O'Hara\state",
)

BASE = {
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "Stop",
    "SubagentStop",
    "PreCompact",
}


@pytest.mark.parametrize(
    ("client", "events"),
    [
        (None, BASE),
        ((1, 0, 85), BASE),
        ((1, 0, 61), BASE - {"SessionStart", "SessionEnd"}),
        ((2, 0, 44), BASE | {"SubagentStart"}),
        ((2, 0, 45), BASE | {"SubagentStart", "PermissionRequest"}),
        ((2, 1, 326), set(EVENTS)),
        ((3, 0, 0), set(EVENTS)),
    ],
    ids=str,
)
def test_only_events_that_the_client_knows_are_registered(client: tuple[int, ...] | None, events: set[str]) -> None:
    assert set(wanted(PLAIN, client)) == events


@pytest.mark.parametrize("event", ["WorktreeCreate", "MessageDisplay"])
def test_what_would_harm_or_burden_the_person_is_never_registered(event: str) -> None:
    assert event not in wanted(PLAIN, (99,))


def test_every_handler_is_a_command_in_the_background() -> None:
    handlers = wanted(PLAIN, (2, 1, 326)).values()

    assert {(h["type"], h["async"]) for h in handlers} == {("command", True)}


def test_a_hook_at_the_end_of_a_session_leaves_the_shared_time_as_it_is() -> None:
    handlers = wanted(PLAIN, (2, 1, 326))

    assert [event for event, handler in handlers.items() if "timeout" not in handler] == ["SessionEnd"]


@pytest.mark.parametrize(("client", "form"), [((2, 1, 138), "shell"), ((2, 1, 139), "exec"), (None, "exec")], ids=str)
def test_windows_needs_no_shell_where_the_client_can_do_without(client: tuple[int, ...] | None, form: str) -> None:
    handler = wanted(WINDOWS, client, windows=True)["Stop"]

    assert ("args" in handler) == (form == "exec")


def test_a_shell_on_windows_gets_forward_slashes() -> None:
    command = wanted(WINDOWS, (2, 1, 0), windows=True)["Stop"]["command"]

    assert isinstance(command, str)
    assert shlex.split(command)[0] == "p=" + "C:/Program Files/Python/python.exe"


@pytest.mark.parametrize("hook", [PLAIN, AWKWARD], ids=["plain", "awkward"])
def test_our_own_words_are_recognised_and_read_back(hook: Hook) -> None:
    for handler in wanted(hook, (2, 1, 326)).values():
        assert is_ours(handler)
        assert hook_of(handler) == hook


def test_our_words_for_windows_are_recognised_and_read_back() -> None:
    assert hook_of(wanted(WINDOWS, None, windows=True)["Stop"]) == WINDOWS


OURS = str(wanted(PLAIN, None)["Stop"]["command"])
NOT_OURS = {
    "nothing at all": {},
    "no command": {"type": "command"},
    "a command that is not text": {"type": "command", "command": 1},
    "another type": {"type": "prompt", "command": OURS},
    "an http hook": {"type": "http", "url": "http://127.0.0.1/deskbell"},
    "a hook that mentions deskbell": {"type": "command", "command": "echo deskbell_hooks/__main__.py record"},
    "our command with something after it": {"type": "command", "command": OURS + "; notify-send done"},
    "our command with something before it": {"type": "command", "command": "nice " + OURS},
    "our command for another program": {"type": "command", "command": OURS.replace("deskbell_hooks", "my_hooks")},
    "our command without its guards": {"type": "command", "command": OURS.replace('[ ! -x "$p" ] || ', "")},
    "our command with words after it": {"type": "command", "command": OURS, "args": ["--more"]},
    "another program run without a shell": {
        "type": "command",
        "command": "python",
        "args": ["-I", "-S", "x.py", "record", "y"],
    },
    "words that are not text": {"type": "command", "command": "python", "args": ["-I", "-S", 1, "record", "y"]},
}


@pytest.mark.parametrize("handler", NOT_OURS.values(), ids=NOT_OURS)
def test_what_is_not_exactly_ours_is_the_persons(handler: dict[str, object]) -> None:
    assert not is_ours(handler)
    assert hook_of(handler) is None


@pytest.mark.parametrize("path", ["/home/\udcff/x", "/home/a\nb"])
def test_a_path_that_no_settings_file_can_hold_is_a_problem(path: str) -> None:
    with pytest.raises(Problem, match="DESKBELL_HOME"):
        wanted(Hook("/usr/bin/python3", path, "/s"), None)


FAKE_PYTHON = """#!/bin/sh
printf "%s\n" "$@" > "$(dirname "$0")/called"
cat >> "$(dirname "$0")/called"
echo noise
echo noise >&2
"""


def run(command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["/bin/sh", "-c", command], input=b"{}", capture_output=True, check=False)


def fake_hook(folder: Path) -> Hook:
    folder.mkdir()
    python, main = folder / "python", folder / "deskbell_hooks" / "__main__.py"
    main.parent.mkdir()
    main.touch()
    python.write_text(FAKE_PYTHON)
    python.chmod(0o700)
    return Hook(str(python), str(main), str(folder / "state"))


@pytest.mark.skipif("sys.platform == 'win32'", reason="the shell form is for POSIX shells")
@pytest.mark.parametrize("name", ["plain", "it's", 'a "b"', "$HOME `id` \\", "Zoë 日本", "-x ] || ["])
def test_the_shell_starts_the_hook_whatever_its_path_looks_like(tmp_path: Path, name: str) -> None:
    hook = fake_hook(tmp_path / name)

    ran = run(str(wanted(hook, None)["Stop"]["command"]))

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    called = Path(hook.python).with_name("called").read_text()
    assert called == f"-I\n-S\n{hook.main}\nrecord\n{hook.state}\n{{}}"


@pytest.mark.skipif("sys.platform == 'win32'", reason="the shell form is for POSIX shells")
@pytest.mark.parametrize("gone", ["python", "deskbell_hooks/__main__.py"])
def test_the_shell_is_silent_and_content_when_something_has_gone(tmp_path: Path, gone: str) -> None:
    hook = fake_hook(tmp_path / "here")
    (tmp_path / "here" / gone).unlink()

    ran = run(str(wanted(hook, None)["Stop"]["command"]))

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
