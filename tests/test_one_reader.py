"""Test that every room reads files through `deskbell.files.read`, and that the hook opens them in one way."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.test_layers import modules, named, nodes

OPENERS = frozenset(("open", "fdopen", "read_text", "read_bytes"))
PARSERS = frozenset(("load", "loads", "model_validate_json", "validate_json"))

OPENS = {
    "tray/deskbell/files/read.py": "it is the one reader",
    "tray/deskbell/files/lock.py": "it makes a file of what `files.write` has opened",
    "tray/deskbell/files/trial.py": "it writes a new file",
    "tray/deskbell/files/write.py": "it is the one writer",
    "tray/deskbell/settings/settings_file.py": "it writes a new file, and syncs its folder",
    "tray/deskbell/terminal/out.py": "it opens /dev/null for what nobody reads any more",
    "tray/deskbell/desktop/mounts.py": "the kernel writes the table of mounts",
    "tray/deskbell/desktop/focus/processes.py": "the kernel shows the environment of a process",
    "tray/deskbell/desktop/jump/tty.py": "it writes to a terminal",
    "tray/deskbell/desktop/jump/ssh.py": "the kernel writes the table of connections",
    "tray/deskbell/demo/player.py": "the demo has just written it, into a temporary folder",
    "tray/deskbell/notices/channels/http.py": "it opens a URL",
    "tray/deskbell/program/assembly.py": "it opens a queue",
    "tray/deskbell/program/answering.py": "it opens a door",
    "hooks/deskbell_hooks/files.py": "it is the one reader of the hook",
    "hooks/deskbell_hooks/plainread.py": "it reads files of other programs for the statusline, and leaves their modes",
    "hooks/deskbell_hooks/wire.py": "it opens a pipe of the program, and reads what the asker may hold",
    "hooks/deskbell_hooks/paneoptions.py": "it opens /dev/null for a program that it becomes",
    "hooks/deskbell_hooks/client.py": "the kernel shows the state of a process",
    "hooks/deskbell_hooks/place.py": "the system says which machine it is",
    "tray/deskbell/sessions/processes.py": "the kernel shows the namespace and the children of a process",
    "icons/deskbell_icons/pixels.py": "it reads a file of its own package",
    "tray/deskbell/text/lookalikes.py": "it reads a file of its own package",
}
"""Modules that open something themselves, and the reason."""

PARSES = {
    "tray/deskbell/notices/policyfile.py": "it bounds TOML itself, also the text of `deskbell config set`",
    "hooks/deskbell_hooks/linesettings.py": "it bounds TOML itself, and imports nothing of the tray",
    "tray/deskbell/desktop/autostart/macos.py": "the entry is a property list",
    **dict.fromkeys(
        (
            "tray/deskbell/files/shape.py",
            "tray/deskbell/notices/channels/letters.py",
            "tray/deskbell/notices/decisions.py",
            "tray/deskbell/notices/quiet.py",
        ),
        "pydantic refuses what is nested more than 200 deep, and it gets what `read` returned",
    ),
    "tray/deskbell/settings/line_command.py": "it reads one string of a command that Deskbell wrote",
    "tray/deskbell/settings/jsonspans.py": "it reads one shallow value of a text whose places it has found",
    "tray/deskbell/settings/interpreter.py": "a Python that Deskbell started has answered",
    "tray/deskbell/desktop/focus/asked.py": "a program that Deskbell started has answered",
    "tray/deskbell/demo/player.py": "the demo has just written it, into a temporary folder",
}
"""Modules that parse without `json_value`, and the reason."""


def called(path: Path) -> Iterator[str]:
    """The last part of the name of everything that a module calls, but for the functions of `files.read`."""
    ours = {
        alias.asname or alias.name
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module == "deskbell.files.read"
        for alias in node.names
    }
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in ours:
            yield node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr


def callers(names: frozenset[str]) -> set[str]:
    packages = ("deskbell", "deskbell_hooks", "deskbell_icons")
    return {named(path) for package in packages for path in modules(package) if names & set(called(path))}


def test_nothing_opens_a_file_but_the_one_reader_and_what_has_a_reason() -> None:
    found = callers(OPENERS)
    assert sorted(found - OPENS.keys()) == [], "read it with deskbell.files.read, with a bound on its size"
    assert sorted(OPENS.keys() - found) == [], "these open nothing any more: delete their rows"


def test_nothing_parses_a_file_but_the_one_reader_and_what_has_a_reason() -> None:
    found = callers(PARSERS)
    assert sorted(found - PARSES.keys()) == [], (
        "parse it with deskbell.files.read.json_value or deskbell.files.shape, or a pydantic model"
    )
    assert sorted(PARSES.keys() - found) == [], "these parse nothing any more: delete their rows"
