"""Define the hooks that Deskbell registers and their commands, and recognise these in a settings file. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from deskbell.errors import Problem

Version = tuple[int, ...]
Handler = dict[str, object]
"""One entry of a list "hooks" in a settings file."""
Verb = Literal["record", "ask"]
"""What a handler of ours starts: the recorder, or the asker. An event has at most one handler for each."""
Wanted = Mapping[str, Sequence[Handler]]
"""The handlers that each event should have."""

# Event: the first version of Claude Code that knows it. An older one drops an unknown event and warns at every start
# (before 2.1.101 it ignored the whole file), so only events that the installed version knows are registered.
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
# Never registered: WorktreeCreate (a hook there replaces git's own work), MessageDisplay (a process every few lines).
# Not worth a process: Setup, InstructionsLoaded, FileChanged, ConfigChange, DirectoryAdded, WorktreeRemove,
# PreModelSwitch, PostToolBatch and UserPromptExpansion, because other events say the same.

UNKNOWN_CLIENT: Version = (1, 0, 85)
"""Assumed when the version is unknown: hardly anybody runs an older one."""

EXEC_FORM_SINCE: Version = (2, 1, 139)
"""The first version that starts `command` with `args` directly, without a shell."""

PATIENCE = 5
"""Seconds until Claude Code ends a hook that hangs. The hook itself gives up a lock after two."""

ASKED = "PermissionRequest"
"""The event of the asker."""

DAY = 86_400
"""Seconds for which the asker may hold a request open. Claude Code ends it then, and the dialog stays."""

# All forms that any Deskbell has written into a settings file. The first is written; all are recognised, so that an
# update or an uninstall finds the entries of an older Deskbell. Never change a form: add a new one in front.
SHELL_FORMS = (
    'p={python} m={main}; [ ! -x "$p" ] || [ ! -r "$m" ] || exec "$p" -I -S "$m" record {state} >/dev/null 2>&1',
)
EXEC_FORMS = (("-I", "-S", "{main}", "record", "{state}"),)
"""The arguments; the command is the interpreter."""
ASKER_FORMS = (("-I", "-S", "{main}", "ask", "{state}"),)
"""The arguments of the asker, on every system: a shell would wait beside it for a day, and hold its output open."""

QUOTED = r"'(?:[^']|'\"'\"')*'"
_PARTS = {"python": QUOTED, "main": r"'(?:[^']|'\"'\"')*[/\\]deskbell_hooks[/\\]__main__\.py'", "state": QUOTED}
_MAIN = re.compile(r".*[/\\]deskbell_hooks[/\\]__main__\.py", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hook:
    """The parts of the command that Claude Code starts. All paths are absolute."""

    python: str
    main: str
    state: str
    verb: Verb = "record"


def wanted(
    hook: Hook, client: Version | None, windows: bool = False, answers: bool = False
) -> dict[str, tuple[Handler, ...]]:
    """Return the handlers to register for each event that CLIENT knows; None stands for an unknown version.

    ANSWERS: add the asker, if the client can start it.
    """
    exec_form = _exec_form(hook, EXEC_FORMS[0])
    handler = exec_form if windows and (client or EXEC_FORM_SINCE) >= EXEC_FORM_SINCE else _shell_form(hook)
    known = client or UNKNOWN_CLIENT
    found: dict[str, tuple[Handler, ...]] = {
        event: (_for_event(event, handler),) for event, since in EVENTS.items() if since <= known
    }
    if answers and can_ask(client):
        found[ASKED] = (*found[ASKED], asker(hook))
    return found


def can_ask(client: Version | None) -> bool:
    """Return whether CLIENT can start a hook without a shell; False for an unknown version."""
    return client is not None and client >= EXEC_FORM_SINCE


def asker(hook: Hook) -> Handler:
    """Return the handler of the asker, the only one that Claude Code waits for. The dialog is on the screen meanwhile.

    It has no "onFailure": any failure of the hook would then deny the request.
    """
    return {**_exec_form(hook, ASKER_FORMS[0]), "timeout": DAY}


def _for_event(event: str, handler: Handler) -> Handler:
    """Return HANDLER as it is registered for EVENT: in the background, so that the session never waits for it.

    At SessionEnd all hooks share 1.5 seconds unless one of them names a timeout. Ours names none there.
    """
    timeout: Handler = {} if event == "SessionEnd" else {"timeout": PATIENCE}
    return {**handler, **timeout, "async": True}


def _shell_form(hook: Hook) -> Handler:
    """Return the command for a shell, which becomes the interpreter. If that or the code is gone, it does nothing.

    The measurement "hook command" of `make bench` shows what the two checks cost, and what a second process would.
    """
    python, main, state = (
        quoted(path.replace("\\", "/") if has_drive(path) else path) for path in checked(*_paths(hook))
    )
    return {"type": "command", "command": SHELL_FORMS[0].format(python=python, main=main, state=state)}


def _exec_form(hook: Hook, form: Sequence[str]) -> Handler:
    """Return the command that starts the interpreter without a shell, as Windows and the asker need it."""
    python, main, state = checked(*_paths(hook))
    return {
        "type": "command",
        "command": python,
        "args": [word.format(main=main, state=state) for word in form],
    }


def _paths(hook: Hook) -> tuple[str, str, str]:
    return hook.python, hook.main, hook.state


def checked(*paths: str) -> tuple[str, ...]:
    """Return PATHS. Raise Problem if one is not UTF-8, or has a character that cannot be seen, such as a line break."""
    for path in paths:
        if not path.isprintable():
            raise Problem(f"A settings file cannot hold the path {path!r}. Set DESKBELL_HOME to another folder.")
    return paths


def has_drive(path: str) -> bool:
    return path[1:3] in (":\\", ":/")


def quoted(path: str) -> str:
    return "'" + path.replace("'", "'\"'\"'") + "'"


def unquoted(word: str) -> str:
    return word[1:-1].replace("'\"'\"'", "'")


def is_ours(handler: Mapping[str, object]) -> bool:
    """Return whether HANDLER has exactly a form of Deskbell: a hook that wraps our command is the person's own."""
    return hook_of(handler) is not None


def hook_of(handler: Mapping[str, object]) -> Hook | None:
    """Return what HANDLER starts if it has a form of Deskbell; else None."""
    command, args = handler.get("command"), handler.get("args")
    if handler.get("type") != "command" or not isinstance(command, str):
        return None
    if args is None:
        return _hook_of_shell(command)
    return _hook_of_words(command, args) if isinstance(args, list) else None


def _hook_of_shell(command: str) -> Hook | None:
    found = next(filter(None, (one.fullmatch(command) for one in _PATTERNS)), None)
    if found is None:
        return None
    return Hook(unquoted(found["python"]), unquoted(found["main"]), unquoted(found["state"]))


def _hook_of_words(command: str, args: list[object]) -> Hook | None:
    for verb, form in _WORDS:
        if len(args) != len(form) or not all(isinstance(word, str) for word in args):
            continue
        words = dict(zip(form, map(str, args), strict=True))
        main, state = words["{main}"], words["{state}"]
        if all(word == said for word, said in words.items() if not word.startswith("{")) and _MAIN.fullmatch(main):
            return Hook(command, main, state, verb)
    return None


def pattern(form: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    """Return the regular expression for every command of FORM, with a group for each of its names.

    PARTS: the regular expression of each name.
    """
    texts_and_names = re.split(r"\{(\w+)\}", form)
    texts, names = texts_and_names[::2], texts_and_names[1::2]
    groups = [*(f"(?P<{name}>{parts[name]})" for name in names), ""]
    return re.compile("".join(re.escape(text) + group for text, group in zip(texts, groups, strict=True)))


_WORDS: tuple[tuple[Verb, tuple[str, ...]], ...] = (
    *(("record", form) for form in EXEC_FORMS),
    *(("ask", form) for form in ASKER_FORMS),
)
_PATTERNS = tuple(pattern(form, _PARTS) for form in SHELL_FORMS)
