"""Test that every room writes files through `deskbell.files.write`, and the hook through its own writer."""

import ast
from pathlib import Path

import pytest

from tests.test_layers import modules, named, nodes

WRITERS = frozenset(
    (
        *("write_text", "write_bytes", "touch", "mkdir", "makedirs", "rename", "renames", "truncate", "ftruncate"),
        *("symlink_to", "symlink", "hardlink_to", "link", "mkstemp", "mkfifo", "NamedTemporaryFile", "copyfile"),
        *("copy2", "copytree", "move", "chmod", "fchmod", "chown", "setxattr"),
    )
)
OPENERS = frozenset(("open", "fdopen"))
FLAGS = ("O_CREAT", "O_WRONLY", "O_RDWR", "O_TRUNC", "O_APPEND")

WRITES = {
    "tray/deskbell/files/write.py": "it is the one writer",
    "tray/deskbell/files/lock.py": "it makes a file of what `files.write` has opened",
    "tray/deskbell/files/trial.py": "it finds out whether a new file can be written, and removes it",
    "tray/deskbell/settings/settings_file.py": "it writes a new file, and exchanges it with the person's",
    "tray/deskbell/settings/exchange.py": "it exchanges two files of the person",
    "tray/deskbell/settings/deploy.py": "it gives a whole folder its name in one step",
    "tray/deskbell/history/prune.py": "it cuts the journal whose lock it holds, and that no backup shares",
    "tray/deskbell/notices/channels/letters.py": "it renames what is no letter",
    "tray/deskbell/answers/door.py": "it closes its socket and the folder of it to others",
    "tray/deskbell/program/single.py": "it empties its own lock before it writes its number, unless a backup shares it",
    "tray/deskbell/desktop/focus/kwin.py": "it writes into its own temporary folder, which is private",
    "tray/deskbell/desktop/jump/kwin.py": "it writes into its own temporary folder, which is private",
    "tray/deskbell/desktop/jump/tty.py": "it writes to a terminal of the person",
    "tray/deskbell/demo/player.py": "it writes into its own temporary folder, which is private",
    "tray/deskbell/terminal/out.py": "it opens /dev/null for what nobody reads any more",
    "hooks/deskbell_hooks/files.py": "it is the one writer of the hook",
    "hooks/deskbell_hooks/wire.py": "it writes to the program",
    "hooks/deskbell_hooks/paneoptions.py": "it opens /dev/null for a program that it becomes",
}
"""Modules that write something themselves, and the reason."""


def writes(call: ast.Call) -> bool:
    """Return whether a call writes a file or a folder, or changes one, by its name and its arguments."""
    owner, name = "", call.func.id if isinstance(call.func, ast.Name) else ""
    if isinstance(call.func, ast.Attribute):
        owner, name = ast.unparse(call.func.value), call.func.attr
    if name == "replace":  # of a path: a text is given two words, a dataclass and a date are given keywords
        return owner in ("os", "system") or (bool(owner) and len(call.args) == 1 and not call.keywords)
    if name in OPENERS:
        given = [*call.args, *(one.value for one in call.keywords)]
        modes = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        asked = ast.unparse(call)
        return any(set(mode) <= set("rwxabt+") and set(mode) & set("wxa+") for mode in modes) or any(
            flag in asked for flag in FLAGS
        )
    return name in WRITERS


def is_writer(path: Path) -> bool:
    return any(isinstance(node, ast.Call) and writes(node) for node in nodes(path))


def test_nothing_writes_a_file_but_the_one_writer_and_what_has_a_reason() -> None:
    packages = ("deskbell", "deskbell_hooks", "deskbell_icons")
    found = {named(path) for package in packages for path in modules(package) if is_writer(path)}
    assert sorted(found - WRITES.keys()) == [], "write it with deskbell.files.write"
    assert sorted(WRITES.keys() - found) == [], "these write nothing any more: delete their rows"


WRITING = [
    *("path.write_text(text)", "path.open('w')", "open(path, mode='ab')", "open(path, 'r+')", "path.touch()"),
    *("os.open(path, os.O_RDONLY | os.O_CREAT)", "old.replace(new)", "os.replace(old, new)", "system.mkdir(path, 0)"),
]
READING = [
    *("path.read_text()", "path.open()", "open(path, 'rb')", "os.open(path, os.O_RDONLY)", "replace(session, at=1)"),
    *("text.replace('a', 'b')", "at.replace(tzinfo=None)", "opened(path)", "json.dumps('w')"),
]


@pytest.mark.parametrize("code", WRITING)
def test_a_call_that_writes_is_noticed(code: str) -> None:
    (call,) = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    assert writes(call)


@pytest.mark.parametrize("code", READING)
def test_a_call_that_only_reads_is_not_taken_for_one_that_writes(code: str) -> None:
    (call,) = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    assert not writes(call)
