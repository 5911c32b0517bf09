"""Test which events are registered for each version of Claude Code, the commands, and which commands are ours."""

import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.registration import EVENTS, Handler, Hook, asker, can_ask, hook_of, is_ours, wanted

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
)
def test_only_events_that_the_client_knows_are_registered(client: tuple[int, ...] | None, events: set[str]) -> None:
    assert set(wanted(PLAIN, client)) == events


@pytest.mark.parametrize("event", ["WorktreeCreate", "MessageDisplay"])
def test_an_event_whose_hook_would_harm_is_never_registered(event: str) -> None:
    assert event not in wanted(PLAIN, (99,))


def test_every_handler_is_a_command_in_the_background() -> None:
    handlers = [handler for (handler,) in wanted(PLAIN, (2, 1, 326)).values()]

    assert {(h["type"], h["async"]) for h in handlers} == {("command", True)}


def test_only_the_hook_at_the_end_of_a_session_names_no_timeout() -> None:
    handlers = wanted(PLAIN, (2, 1, 326))

    assert [event for event, (handler,) in handlers.items() if "timeout" not in handler] == ["SessionEnd"]


@pytest.mark.parametrize(("client", "form"), [((2, 1, 138), "shell"), ((2, 1, 139), "exec"), (None, "exec")], ids=str)
def test_on_windows_a_client_that_can_starts_the_hook_without_a_shell(
    client: tuple[int, ...] | None, form: str
) -> None:
    handler = wanted(WINDOWS, client, windows=True)["Stop"][0]

    assert ("args" in handler) == (form == "exec")


def test_a_shell_on_windows_gets_forward_slashes() -> None:
    command = wanted(WINDOWS, (2, 1, 0), windows=True)["Stop"][0]["command"]

    assert isinstance(command, str)
    assert shlex.split(command)[0] == "p=" + "C:/Program Files/Python/python.exe"


@pytest.mark.parametrize("hook", [PLAIN, AWKWARD], ids=["plain", "awkward"])
def test_our_own_shell_command_is_recognised_and_read_back(hook: Hook) -> None:
    for (handler,) in wanted(hook, (2, 1, 326)).values():
        assert is_ours(handler)
        assert hook_of(handler) == hook


def test_our_own_arguments_are_recognised_and_read_back() -> None:
    assert hook_of(wanted(WINDOWS, None, windows=True)["Stop"][0]) == WINDOWS


# The handlers that released Deskbells wrote for PLAIN and WINDOWS, letter by letter. When you change what is written, add
# the new handler as the last of its list. Never remove or change one: people have these in their settings.
RELEASED_SHELL: list[Handler] = [
    {
        "type": "command",
        "command": "p='/usr/bin/python3' m='/home/u/.local/share/deskbell/hooks/1/deskbell_hooks/__main__.py'; "
        '[ ! -x "$p" ] || [ ! -r "$m" ] || exec "$p" -I -S "$m" record '
        "'/home/u/.local/state/deskbell' >/dev/null 2>&1",
        "timeout": 5,
        "async": True,
    },
]
RELEASED_EXEC: list[Handler] = [
    {
        "type": "command",
        "command": r"C:\Program Files\Python\python.exe",
        "args": [
            "-I",
            "-S",
            r"C:\Users\Zoë O'Hara\deskbell_hooks\__main__.py",
            "record",
            r"C:\Users\Zoë O'Hara\state",
        ],
        "timeout": 5,
        "async": True,
    },
]


def test_what_is_written_now_is_the_last_of_the_released_forms() -> None:
    """If this fails, a form was changed: add the new handler to the list above, and the new form to registration.py."""
    assert wanted(PLAIN, (2, 1, 326))["Stop"][0] == RELEASED_SHELL[-1]
    assert wanted(WINDOWS, None, windows=True)["Stop"][0] == RELEASED_EXEC[-1]


@pytest.mark.parametrize("handler", RELEASED_SHELL)
def test_every_released_shell_form_is_recognised(handler: Handler) -> None:
    """If this fails, an older form was removed from SHELL_FORMS: people's entries would be left behind."""
    assert hook_of(handler) == PLAIN


@pytest.mark.parametrize("handler", RELEASED_EXEC)
def test_every_released_exec_form_is_recognised(handler: Handler) -> None:
    """If this fails, an older form was removed from EXEC_FORMS: people's entries would be left behind."""
    assert hook_of(handler) == WINDOWS


ASKS = [
    ((2, 1, 138), False),
    ((2, 1, 139), True),
    ((2, 1, 326), True),
    (None, False),
]


@pytest.mark.parametrize(("client", "asks"), ASKS, ids=str)
@pytest.mark.parametrize("windows", [False, True])
def test_a_client_that_can_start_it_without_a_shell_gets_the_asker(
    client: tuple[int, ...] | None, asks: bool, windows: bool
) -> None:
    recorder, both = wanted(PLAIN, client, windows), wanted(PLAIN, client, windows, answers=True)

    assert can_ask(client) is asks
    assert {event: handlers[:1] for event, handlers in both.items()} == recorder
    assert [event for event, handlers in both.items() if len(handlers) > 1] == (["PermissionRequest"] if asks else [])


# As RELEASED_SHELL.
RELEASED_ASKERS: list[Handler] = [
    {
        "type": "command",
        "command": "/usr/bin/python3",
        "args": [
            "-I",
            "-S",
            "/home/u/.local/share/deskbell/hooks/1/deskbell_hooks/__main__.py",
            "ask",
            "/home/u/.local/state/deskbell",
        ],
        "timeout": 86_400,
    },
]


def test_the_asker_that_is_written_now_is_the_last_of_the_released_forms() -> None:
    """The client waits for it: so it says neither "async" nor "onFailure", which would deny what a failure meets."""
    assert wanted(PLAIN, (2, 1, 326), answers=True)["PermissionRequest"][1] == RELEASED_ASKERS[-1]


@pytest.mark.parametrize("handler", RELEASED_ASKERS)
def test_every_released_asker_is_recognised(handler: Handler) -> None:
    assert hook_of(handler) == replace(PLAIN, verb="ask")


@pytest.mark.parametrize("hook", [PLAIN, AWKWARD, WINDOWS], ids=["plain", "awkward", "windows"])
def test_our_own_asker_is_recognised_and_read_back(hook: Hook) -> None:
    assert hook_of(asker(hook)) == replace(hook, verb="ask")


def test_the_asker_starts_without_a_shell_whatever_its_paths_hold(tmp_path: Path) -> None:
    hook = fake_hook(tmp_path / "it's $HOME `x`")
    handler = asker(hook)

    assert isinstance(handler["args"], list)
    subprocess.run([hook.python, *map(str, handler["args"])], input=b"{}", capture_output=True, check=True)

    called = Path(hook.python).with_name("called").read_text()
    assert called == f"-I\n-S\n{hook.main}\nask\n{hook.state}\n{{}}"


OURS = str(wanted(PLAIN, None)["Stop"][0]["command"])
EXEC_ARGS = ["-I", "-S", WINDOWS.main, "record", WINDOWS.state]
ASK_ARGS = ["-I", "-S", PLAIN.main, "ask", PLAIN.state]
NOT_OURS: dict[str, Handler] = {
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
    "one argument too few": {"type": "command", "command": "python", "args": EXEC_ARGS[:-1]},
    "one argument too many": {"type": "command", "command": "python", "args": [*EXEC_ARGS, "x"]},
    "another first argument": {"type": "command", "command": "python", "args": ["-E", *EXEC_ARGS[1:]]},
    "the asker with something after it": {"type": "command", "command": "python", "args": [*ASK_ARGS, "--log"]},
    "the asker with something before it": {"type": "command", "command": "nice", "args": ["python", *ASK_ARGS]},
    "the asker in a shell": {"type": "command", "command": f"python {' '.join(ASK_ARGS)}"},
    "the asker of another program": {
        "type": "command",
        "command": "python",
        "args": ["-I", "-S", "/x/ask/__main__.py", "ask", "/s"],
    },
    "another verb": {"type": "command", "command": "python", "args": [*EXEC_ARGS[:3], "statusline", EXEC_ARGS[4]]},
    "arguments that are not a list": {"type": "command", "command": OURS, "args": "x"},
    "arguments that are not text": {"type": "command", "command": "python", "args": ["-I", "-S", 1, "record", "y"]},
}


@pytest.mark.parametrize("handler", NOT_OURS.values(), ids=NOT_OURS)
def test_a_handler_that_differs_from_our_forms_is_not_ours(handler: dict[str, object]) -> None:
    assert not is_ours(handler)
    assert hook_of(handler) is None


@pytest.mark.parametrize("path", ["/home/\udcff/x", "/home/a\nb"])
def test_a_path_that_a_settings_file_cannot_hold_is_refused(path: str) -> None:
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
def test_the_shell_starts_a_hook_with_any_path(tmp_path: Path, name: str) -> None:
    hook = fake_hook(tmp_path / name)

    ran = run(str(wanted(hook, None)["Stop"][0]["command"]))

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    called = Path(hook.python).with_name("called").read_text()
    assert called == f"-I\n-S\n{hook.main}\nrecord\n{hook.state}\n{{}}"


@pytest.mark.skipif("sys.platform == 'win32'", reason="the shell form is for POSIX shells")
@pytest.mark.parametrize("gone", ["python", "deskbell_hooks/__main__.py"])
def test_the_shell_succeeds_silently_without_the_interpreter_or_the_code(tmp_path: Path, gone: str) -> None:
    hook = fake_hook(tmp_path / "here")
    (tmp_path / "here" / gone).unlink()

    ran = run(str(wanted(hook, None)["Stop"][0]["command"]))

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
