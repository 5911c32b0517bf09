"""Test fifty installations at once beside an editor that keeps writing the file: no edit is lost, no text is torn."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.settings.install import install, uninstall
from deskbell.settings.state import state_of
from tests.tray.installing import Machine

AT_ONCE = 50 if os.environ.get("DESKBELL_THOROUGH") else 12
EVERY = 0.02
"""Seconds from one edit to the next. To write a file safely may take that long: a quicker editor keeps all others out."""
pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")


def replace(path: Path, text: str) -> None:
    beside = path.with_name("editor.tmp")
    beside.write_text(text)
    beside.replace(path)


def write_in_place(path: Path, text: str) -> None:
    path.write_text(text)


class Editor(threading.Thread):
    """An editor that reads the file, checks that its last number is in it, and writes the next."""

    def __init__(self, path: Path, write: Callable[[Path, str], None]) -> None:
        super().__init__()
        self.path, self.write = path, write
        self.over = threading.Event()
        self.edits = 0
        self.lost: list[str] = []

    def run(self) -> None:
        while not self.over.wait(EVERY):
            text = self.path.read_text()
            try:
                settings = json.loads(text)
            except ValueError:
                self.lost.append(f"not JSON: {text!r}")
                return
            if settings.get("edits") != self.edits:
                self.lost.append(f"{settings.get('edits')} instead of {self.edits}")
                return
            self.edits += 1
            settings["edits"] = self.edits
            self.write(self.path, json.dumps(settings, indent=2))


def together(machine: Machine, count: int) -> list[int]:
    """Start COUNT processes that install and uninstall by turns. Return their exit codes."""
    verbs = ["install", "uninstall"]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "deskbell", verbs[number % 2], "--yes"],
            env=machine.environment,
            cwd=machine.root,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for number in range(count)
    ]
    for process in running:
        assert process.stderr
        said = process.stderr.read().decode()
        process.stderr.close()
        assert said == "" or "keeps changing" in said, said
    return [process.wait() for process in running]


@pytest.mark.long
@pytest.mark.parametrize("write", [replace, write_in_place])
def test_an_editor_loses_no_edit_to_fifty_installations(tmp_path: Path, write: Callable[[Path, str], None]) -> None:
    machine = Machine(tmp_path)
    machine.has_client("2.1.326")
    machine.write('{"edits": 0}')
    editor = Editor(machine.settings, write)
    editor.start()
    ends = together(machine, AT_ONCE)
    editor.over.set()
    editor.join()

    assert editor.lost == []
    assert editor.edits > AT_ONCE
    assert set(ends) <= {0, 1}
    assert ends.count(0) > AT_ONCE / 2
    install([machine.target], machine.setup)
    assert state_of(machine.target, machine.setup).state == "installed"
    uninstall([machine.target], machine.home)
    assert json.loads(machine.settings.read_text()) == {"edits": editor.edits}
    assert sorted(os.listdir(machine.settings.parent)) == ["settings.json"]


@pytest.mark.long
def test_fifty_installations_without_an_editor_all_succeed(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.has_client("2.1.326")
    tuned = '{"model" : "opus"}\r\n'
    machine.write(tuned)

    assert set(together(machine, AT_ONCE)) == {0}
    uninstall([machine.target], machine.home)

    assert machine.settings.read_bytes() == tuned.encode()
