"""Which hooks does Deskbell register, in which words, and which of those in a settings file are its own? Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from deskbell.errors import Problem

Version = tuple[int, ...]
Handler = dict[str, object]

# Event: the first version of Claude Code that knows it. An older one drops an unknown event and warns at every start
# (before 2.1.101 it ignored the whole file), so none is registered that the installed one does not know.
EVENTS: dict[str, Version] = {
    "SessionStart": (1, 0, 62),
    "UserPromptSubmit": (1, 0, 54),
    "PreToolUse": (1, 0, 38),
    "PermissionRequest": (2, 0, 45),
    "PermissionDenied": (2, 1, 89),
    "PostToolUse": (1, 0, 38),
    "PostToolUseFailure": (2, 1, 119),
    "Elicitation": (2, 1, 76),
    "ElicitationResult": (2, 1, 76),
    "Notification": (1, 0, 38),
    "SubagentStart": (2, 0, 43),
    "SubagentStop": (1, 0, 41),
    "TaskCreated": (2, 1, 84),
    "TaskCompleted": (2, 1, 33),
    "TeammateIdle": (2, 1, 33),
    "PreCompact": (1, 0, 48),
    "PostCompact": (2, 1, 76),
    "CwdChanged": (2, 1, 83),
    "PostModelSwitch": (2, 1, 326),
    "Stop": (1, 0, 38),
    "StopFailure": (2, 1, 78),
    "SessionEnd": (1, 0, 85),
}
# Never: WorktreeCreate (a hook there replaces git's own work), MessageDisplay (a process for every few lines).
# Not worth a process: Setup, InstructionsLoaded, FileChanged, ConfigChange, DirectoryAdded, WorktreeRemove,
# PreModelSwitch, PostToolBatch and UserPromptExpansion, which tell nothing that the others do not.

UNKNOWN_CLIENT: Version = (1, 0, 85)
"""What a client whose version nobody could tell is taken for: hardly anyone runs an older one."""

EXEC_FORM_SINCE: Version = (2, 1, 139)
"""The first version that starts `command` with `args` directly, without a shell."""

PATIENCE = 5
"""Seconds until the client ends a hook that hangs. The hook itself gives up a lock after two."""

_QUOTED = r"'(?:[^']|'\"'\"')*'"
_MAIN = r"'(?:[^']|'\"'\"')*[/\\]deskbell_hooks[/\\]__main__\.py'"
# Every command line that a Deskbell ever wrote into a settings file; one is added whenever the words below change.
_SHELL_FORMS = (
    re.compile(
        rf"p={_QUOTED} m={_MAIN}; "
        rf'\[ ! -x "\$p" \] \|\| \[ ! -r "\$m" \] \|\| exec "\$p" -I -S "\$m" record {_QUOTED} >/dev/null 2>&1'
    ),
)
_EXEC_MAIN = re.compile(r".*[/\\]deskbell_hooks[/\\]__main__\.py", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hook:
    """What Claude Code is to start: absolute paths."""

    python: str
    main: str
    state: str


def wanted(hook: Hook, client: Version | None, windows: bool = False) -> dict[str, Handler]:
    """Event: the handler to register, for this version of the client (None: unknown)."""
    handler = _exec_form(hook) if windows and (client or EXEC_FORM_SINCE) >= EXEC_FORM_SINCE else _shell_form(hook)
    known = client or UNKNOWN_CLIENT
    return {event: _for_event(event, handler) for event, since in EVENTS.items() if since <= known}


def _for_event(event: str, handler: Handler) -> Handler:
    """At SessionEnd all hooks share 1.5 seconds unless one names a timeout: ours must not change what others get.

    In the background: no cost to the session, and failures without a word.
    """
    timeout: Handler = {} if event == "SessionEnd" else {"timeout": PATIENCE}
    return {**handler, **timeout, "async": True}


def _shell_form(hook: Hook) -> Handler:
    """Silent and successful when the interpreter or the code has gone; otherwise the shell becomes the interpreter.

    What the guards cost, and what a second process instead would: `make bench`, hook command.
    """
    python, main, state = (_quoted(path.replace("\\", "/") if _drive(path) else path) for path in _texts(hook))
    guards = '[ ! -x "$p" ] || [ ! -r "$m" ]'
    command = f'p={python} m={main}; {guards} || exec "$p" -I -S "$m" record {state} >/dev/null 2>&1'
    return {"type": "command", "command": command}


def _exec_form(hook: Hook) -> Handler:
    """Windows may have Git Bash, PowerShell or both: no shell, no quoting, no window."""
    python, main, state = _texts(hook)
    return {"type": "command", "command": python, "args": ["-I", "-S", main, "record", state]}


def _texts(hook: Hook) -> tuple[str, str, str]:
    for path in (hook.python, hook.main, hook.state):
        if not path.isprintable():  # line breaks, and bytes that are not UTF-8
            raise Problem(f"{path!r} cannot be written into a settings file: set DESKBELL_HOME to another folder")
    return hook.python, hook.main, hook.state


def _drive(path: str) -> bool:
    return path[1:3] in (":\\", ":/")


def _quoted(path: str) -> str:
    return "'" + path.replace("'", "'\"'\"'") + "'"


def is_ours(handler: Mapping[str, object]) -> bool:
    """Exactly a form that Deskbell wrote. A hook that mentions Deskbell, or wraps its command, is the person's."""
    command, args = handler.get("command"), handler.get("args")
    if handler.get("type") != "command" or not isinstance(command, str):
        return False
    if args is None:
        return any(form.fullmatch(command) for form in _SHELL_FORMS)
    if not isinstance(args, list) or not all(isinstance(word, str) for word in args):
        return False
    return len(args) == 5 and args[:2] == ["-I", "-S"] and args[3] == "record" and bool(_EXEC_MAIN.fullmatch(args[2]))


def hook_of(handler: Mapping[str, object]) -> Hook | None:
    """What one of our handlers starts."""
    command, args = handler.get("command"), handler.get("args")
    if not is_ours(handler) or not isinstance(command, str):
        return None
    if isinstance(args, list):
        return Hook(command, args[2], args[4])
    quoted = [word[1:-1].replace("'\"'\"'", "'") for word in re.findall(_QUOTED, command)]
    python, main, state = quoted
    return Hook(python, main, state)
