"""Test what a whole day writes: private under every umask, through no link, into no file that a backup shares."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tray.installing import Machine
from tests.waiting import wait

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif("sys.platform == 'win32'", reason="modes, links and signals as POSIX has them"),
]

OURS = [
    *("config/claude.json", "config/config.toml", "data/running", "state/deskbell.log", "state/decisions.jsonl"),
    *("state/quiet.json", "state/sessions/5e55-10.json", "state/events/5e55-10.jsonl"),
]
"""Some of the files that a day writes, below DESKBELL_HOME."""
ELSEWHERE = {"config.toml", "settings.json", "deskbell.desktop"}
"""The files that people keep elsewhere: there a link stays a link."""
LOCKS = {"running", "install.lock"}
"""A lock that is a link is refused."""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    (tmp_path / "bin").mkdir()
    machine.has_client("2.1.326")
    return machine


def day(machine: Machine, sound: str) -> None:
    """Install, let a session ask for permission, run the program until it has decided, and set what can be set."""
    for words in (
        ("install", "--yes"),
        ("config", "set", "rings.idle.sound", sound),
        ("autostart", "on"),
        ("mute", "--project", f"web-{sound}"),
    ):
        done = machine.run(*words)
        assert (done.returncode, done.stderr) == (0, ""), words
    log, decisions = machine.home.state / "deskbell.log", machine.home.state / "decisions.jsonl"
    before = content(log), content(decisions)
    with subprocess.Popen(
        [sys.executable, "-m", "deskbell", "run", "--headless"],
        env=machine.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        try:
            wait(lambda: content(log) != before[0], "the start")
            for event in ("SessionStart", "PermissionRequest"):
                assert machine.fire(event).returncode == 0
            wait(lambda: content(decisions) != before[1], "a decision")
            program.send_signal(signal.SIGTERM)
            assert program.communicate(timeout=60) == (b"", b"")
        finally:
            program.kill()
    assert content(log).endswith(b"Deskbell ends\n")


def content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def written(machine: Machine) -> Iterator[Path]:
    """The files of a day, but not the code of the hook."""
    for folder in (".claude", ".config", "deskbell"):
        for path in sorted((machine.root / folder).rglob("*")):
            if path.is_file() and "deskbell_hooks" not in path.parts:
                yield path


def test_everything_that_a_day_writes_is_the_persons_alone(machine: Machine) -> None:
    before = os.umask(0)
    try:
        day(machine, "bell")
    finally:
        os.umask(before)

    assert [name for name in OURS if not (machine.root / "deskbell" / name).exists()] == []
    everything = [path for name in (".claude", ".config", "deskbell") for path in (machine.root / name).rglob("*")]
    wide = {path for path in everything if stat.S_IMODE(path.lstat().st_mode) & 0o077}
    assert [path.name for path in wide] == ["deskbell.desktop"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in wide] == [0o644]


def test_a_backup_of_links_is_not_touched_by_the_next_day(machine: Machine, tmp_path: Path) -> None:
    day(machine, "bell")
    shutil.copytree(tmp_path / "deskbell", tmp_path / "backup", copy_function=os.link)
    backup = [path for path in (tmp_path / "backup").rglob("*") if path.is_file()]
    before = {path: (path.read_bytes(), path.stat().st_mode) for path in backup}

    day(machine, "message")

    assert {path: (path.read_bytes(), path.stat().st_mode) for path in backup} == before


def test_a_link_is_not_written_through_but_where_people_keep_a_file_elsewhere(machine: Machine, tmp_path: Path) -> None:
    day(machine, "bell")
    targets: dict[Path, Path] = {}
    for path in written(machine):
        if path.name not in LOCKS:
            targets[path] = tmp_path / "elsewhere" / str(len(targets)) / path.name
            targets[path].parent.mkdir(parents=True)
            path.rename(targets[path])
            path.symlink_to(targets[path])
    before = {target: target.read_bytes() for target in targets.values() if target.name not in ELSEWHERE}

    day(machine, "message")

    assert {target: target.read_bytes() for target in before} == before
    assert all(path.is_symlink() for path in targets if path.name in ELSEWHERE)
    (config,) = [target for target in targets.values() if target.name == "config.toml"]
    assert 'sound = "message"' in config.read_text()
