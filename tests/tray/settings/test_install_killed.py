"""Test that an install killed at any system call leaves the old file or the new one, and that the next completes it."""

import collections
import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.settings.install import install, uninstall
from deskbell.settings.settings_file import leftovers
from deskbell.settings.state import state_of
from tests.tray.installing import ROOT, Machine

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))
STEP = 1 if THOROUGH else 31
"""Only each STEPth system call is tried."""

TUNED = '{\n\t"model": "opus",\n\t"hooks": {"Stop": []}\n}\n'


class Installer:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.machine = Machine(root)
        os.mkfifo(root / "gate")
        self.gate = os.open(root / "gate", os.O_RDWR | os.O_NONBLOCK)
        paths = [ROOT / "tray", ROOT / "hooks", ROOT / "icons", ROOT]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.tray.installer_process"],
            cwd=root,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, verb: str, *injected: str) -> str:
        """Run VERB under strace, and return the trace."""
        seen = self.root / "trace"
        self._close_gate()
        pid = self._asked(f"{verb} {self.root}\n")
        words = ["strace", "-o", str(seen), *injected, "-p", pid]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as strace:
            assert strace.stderr
            assert "attached" in (said := strace.stderr.readline()), said
            os.write(self.gate, b"!")
            self._answer()
        return seen.read_text()

    def _close_gate(self) -> None:
        """Empty the pipe: a killed child may not have read it."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.gate, 1)

    def _asked(self, line: str) -> str:
        assert self.process.stdin
        self.process.stdin.write(line)
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        os.close(self.gate)
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


@pytest.fixture
def installer(tmp_path: Path) -> Iterator[Installer]:
    if not shutil.which("strace"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("strace is not installed: nothing can be killed exactly")
    installer = Installer(tmp_path)
    yield installer
    installer.end()


def moments(trace: str) -> list[tuple[str, int]]:
    """Return each system call of a run: its name, and its number among the calls of that name."""
    count: collections.Counter[str] = collections.Counter()
    found = []
    for name in re.findall(r"^(\w+)\(", trace, re.MULTILINE):
        count[name] += 1
        found.append((name, count[name]))
    return [moment for moment in found if moment[0] not in ("exit_group", "execve")]


def reset(machine: Machine, text: str | None, installed: bool) -> bytes | None:
    """Prepare a run without traces of an earlier one. Return the content of the file before it."""
    shutil.rmtree(machine.root / "deskbell", ignore_errors=True)
    shutil.rmtree(machine.settings.parent, ignore_errors=True)
    if text is not None:
        machine.write(text)
    if installed:
        install([machine.target], machine.setup)
    return content(machine)


def content(machine: Machine) -> bytes | None:
    return machine.settings.read_bytes() if machine.settings.exists() else None


@pytest.mark.long
@pytest.mark.skipif("sys.platform != 'linux'", reason="strace is Linux's")
@pytest.mark.timeout(1_800 if THOROUGH else 300)
@pytest.mark.parametrize("text", [TUNED, None], ids=["a tuned file", "no file"])
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_killed_at_a_system_call_the_file_is_the_old_or_the_new_one(
    installer: Installer, verb: str, text: str | None
) -> None:
    machine = installer.machine
    old = reset(machine, text, verb == "uninstall")
    all_moments = moments(installer.run(verb))
    new = content(machine)
    assert old != new
    killed = 0
    for name, number in all_moments[::STEP]:
        reset(machine, text, verb == "uninstall")
        trace = installer.run(verb, "-e", f"inject={name}:signal=SIGKILL:when={number}")
        killed += "killed by SIGKILL" in trace
        assert content(machine) in (old, new), f"killed at {name} {number}"
        if verb == "install":
            install([machine.target], machine.setup)
        else:
            uninstall([machine.target], machine.home)
        assert content(machine) == new, f"not completed after {name} {number}"
        assert leftovers(machine.settings) == []
        assert (state_of(machine.target, machine.setup).state == "installed") == (verb == "install")
        assert machine.home.data.exists() == (verb == "install")
    assert killed > len(all_moments[::STEP]) / 2  # calls for memory differ from run to run
