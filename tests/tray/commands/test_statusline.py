"""Test `deskbell statusline` as a person types it, and as Claude Code starts it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tray.installing import Machine
from tests.waiting import wait

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")
OWN = '{"statusLine": {"type": "command", "command": "echo own"}}'


@pytest.fixture
def machine(tmp_path: Path, deployed: Path) -> Machine:
    machine = Machine(tmp_path, env={"COLUMNS": "100"})
    machine.has_client("2.1.326")
    machine.has_code(deployed)
    return machine


def given(machine: Machine, data: bytes) -> "subprocess.CompletedProcess[bytes]":
    words = [sys.executable, "-m", "deskbell", "statusline"]
    return subprocess.run(words, input=data, env=machine.environment, capture_output=True, check=False)


def test_it_shows_a_session_that_it_is_given(machine: Machine) -> None:
    done = given(machine, b'{"model": {"display_name": "Opus"}}')
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Opus" in done.stdout
    assert given(machine, b"{").returncode == 0


def typed(machine: Machine, *words: str, answer: str = "") -> tuple[int, str]:
    """Run `deskbell statusline WORDS` in a terminal, and type ANSWER."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(machine.root)
        os.execve(sys.executable, [sys.executable, "-m", "deskbell", "statusline", *words], machine.environment)
    said = b""
    asked = [part for part in answer.split("|") if part]
    try:
        while part := os.read(fd, 4096):
            said += part
            if asked and said.rstrip().endswith(b"]"):
                os.write(fd, asked.pop(0).encode() + b"\n")
                said += b"\n"
    except OSError:  # it has ended
        pass
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode()


def test_a_person_who_types_it_learns_what_to_type(machine: Machine) -> None:
    code, said = typed(machine)
    assert code == 2
    assert "`deskbell statusline preview`" in said


def test_install_and_uninstall_from_the_command_line(machine: Machine) -> None:
    installed = machine.started("statusline", "install", "--yes")
    assert (installed.returncode, installed.stderr) == (0, "")
    assert installed.stdout.startswith(f"Installed the statusline into {machine.settings}.\n")
    assert "already installed" in machine.started("statusline", "install", "--yes").stdout
    entry = machine.root / ".local" / "share" / "applications" / "deskbell-link.desktop"
    assert ("jumps to it" in installed.stdout) == entry.exists()
    removed = machine.started("statusline", "uninstall", "--yes")
    assert removed.stdout == f"Removed the statusline from {machine.settings}.\n"
    assert not machine.settings.exists()
    assert not entry.exists()
    again = machine.started("statusline", "uninstall", "--yes")
    assert again.stdout == f"{machine.settings} has no statusline of Deskbell's.\n"


def test_an_own_line_is_refused_without_a_terminal_and_chained_if_asked(machine: Machine) -> None:
    machine.write(OWN)
    refused = machine.run("statusline", "install", "--yes")
    assert refused.returncode == 1
    assert "--chain first" in refused.stderr
    assert machine.settings.read_text() == OWN
    assert machine.run("statusline", "install", "--yes", "--chain", "first").returncode == 0
    assert json.loads(machine.settings.read_text())["statusLine"]["command"].startswith("o='echo own' p=")
    machine.run("statusline", "uninstall", "--yes")
    assert machine.settings.read_text() == OWN


def test_at_a_terminal_a_person_with_an_own_line_is_asked(machine: Machine) -> None:
    machine.write(OWN)
    code, said = typed(machine, "install", answer="no")
    assert (code, machine.settings.read_text()) == (1, OWN)
    assert "Nothing was changed." in said
    code, said = typed(machine, "install", answer="last|y")
    assert code == 0, said
    assert "Installed the statusline" in said
    assert " last+refresh " in json.loads(machine.settings.read_text())["statusLine"]["command"]


@pytest.mark.parametrize("option", ["--dry-run", "--yes"])
def test_what_does_not_ask_names_the_option_for_an_own_line_instead(machine: Machine, option: str) -> None:
    machine.write(OWN)
    code, said = typed(machine, "install", option, answer="first|y")
    assert (code, machine.settings.read_text()) == (1, OWN)
    assert "--chain first" in said
    assert "[first/last/N]" not in said


def test_a_dry_run_shows_the_change_and_makes_none(machine: Machine) -> None:
    machine.write(OWN)
    shown = machine.run("statusline", "install", "--chain", "last", "--dry-run")
    assert "+" in shown.stdout
    assert "statusline" in shown.stdout
    assert machine.settings.read_text() == OWN
    machine.run("statusline", "install", "--yes", "--chain", "last")
    assert machine.run("statusline", "uninstall", "--dry-run").stdout.count("echo own") > 0
    assert machine.settings.read_text() != OWN


def test_an_uninstall_of_the_hooks_says_that_the_line_stays(machine: Machine) -> None:
    machine.run("statusline", "install", "--yes")
    machine.run("install", "--yes")
    assert "The statusline stays." in machine.run("uninstall", "--yes").stdout
    assert "statusLine" in machine.settings.read_text()


def test_what_was_changed_in_the_line_is_told(machine: Machine) -> None:
    machine.run("statusline", "install", "--yes")
    machine.write(machine.settings.read_text().replace('"refreshInterval": 10', '"refreshInterval": 1'))
    assert 'removed, too: "refreshInterval": 1.' in machine.run("statusline", "uninstall", "--yes").stdout


def test_a_project_that_shows_another_line_is_named(machine: Machine, tmp_path: Path) -> None:
    path = machine.write(OWN, tmp_path / "proj" / ".claude" / "settings.json")
    for words in (("install", "--yes"), ("preview",)):
        assert f"{path} has a statusLine" in machine.run("statusline", *words, cwd=tmp_path / "proj").stdout


def test_a_folder_that_does_not_exist_is_not_found(machine: Machine) -> None:
    done = machine.run("statusline", "install", "--config-dir", str(machine.root / "none"))
    assert done.returncode == 3
    assert "is not a folder" in done.stderr


def test_another_account_gets_its_own_line(machine: Machine) -> None:
    other = machine.root / "other"
    other.mkdir()
    machine.run("statusline", "install", "--yes", "--config-dir", str(other))
    assert "statusLine" in (other / "settings.json").read_text()
    assert not machine.settings.exists()
    machine.run("statusline", "uninstall", "--yes")
    assert not (other / "settings.json").exists()


def test_the_preview_shows_every_preset_and_every_segment(machine: Machine) -> None:
    shown = machine.run("statusline", "preview").stdout
    for title in ("plain", "powerline", "minimal", "as config.toml says", "limits:", "duration:", "(an example)"):
        assert title in shown
    assert "\x1b" not in shown


def test_the_preview_shows_this_machine(machine: Machine) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        repository = machine.root / "shop"
        (repository / ".git").mkdir(parents=True)
        (repository / ".git" / "HEAD").write_text("ref: refs/heads/feature/cart")
        machine.run("install", "--yes")
        machine.env |= {"CLAUDE_PID": str(client.pid), "CLAUDE_CODE_SESSION_ATTENDED": "1"}
        handler = json.loads(machine.settings.read_bytes())["hooks"]["SessionStart"][-1]["hooks"][-1]["command"]
        event = {
            "session_id": "5e55-10",
            "hook_event_name": "SessionStart",
            "cwd": str(repository),
            "model": "claude-opus-4-8",
        }
        subprocess.run(
            ["/bin/sh", "-c", handler], input=json.dumps(event).encode(), env=machine.environment, check=True
        )
        shown = wait(lambda: machine.run("statusline", "preview").stdout, "a preview")
        client.kill()
    assert "branch:   ⎇ feature/cart" in shown
    assert "project:  shop\n" in shown
