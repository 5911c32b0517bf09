"""Test `deskbell answers` as a person types it."""

from pathlib import Path

import pytest

from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")

TUNED = '{\r\n\t"model": "opus"\r\n}'


@pytest.fixture
def machine(private_home: Path) -> Machine:
    """A machine with a short path: the program listens at a socket in it."""
    machine = Machine(private_home)
    machine.has_client("2.1.326")
    machine.write(TUNED)
    return machine


def kinds(machine: Machine) -> dict[str, str]:
    lines = machine.run("answers", "status").stdout.splitlines()[:4]
    return {line.split()[0]: line.split()[1] for line in lines}


def test_answers_are_switched_on_and_off(machine: Machine) -> None:
    assert machine.run("install", "--yes").returncode == 0
    before = machine.settings.read_bytes()
    assert kinds(machine) == dict.fromkeys(("permission", "question", "plan", "reply"), "off")

    on = machine.run("answers", "on", "--yes")
    assert (on.returncode, on.stderr) == (0, "")
    assert on.stdout.splitlines() == [
        f"Installed the hook for answers into {machine.settings}.",
        "Answers are switched on: permission, question, plan.",
        "They count for what is asked from now on. What is open already is answered in its terminal.",
    ]
    assert kinds(machine) == {"permission": "on", "question": "on", "plan": "on", "reply": "off"}

    off = machine.run("answers", "off", "--yes")
    assert off.stdout.splitlines() == [
        f"Removed the hook for answers from {machine.settings}.",
        "Answers are switched off: permission, question, plan, reply.",
    ]
    assert machine.settings.read_bytes() == before
    assert machine.run("uninstall", "--yes").returncode == 0
    assert machine.settings.read_bytes() == TUNED.encode()


def test_status_names_each_link_and_fails_if_one_is_broken(machine: Machine) -> None:
    assert machine.run("answers", "status").returncode == 0
    assert machine.run("answers", "on", "plan", "--yes").returncode == 0
    status = machine.run("answers", "status")
    assert status.returncode == 1
    assert status.stdout.splitlines()[4:] == [
        "✓ answers client: This version of Claude Code can be answered.",
        f"✓ answers {machine.settings}: The hook for answers is installed.",
        "✗ answers program: Deskbell does not run, or does not take requests.",
        "    fix: Start it with `deskbell run`.",
    ]


def test_a_dry_run_shows_both_changes_and_makes_none(machine: Machine) -> None:
    shown = machine.run("answers", "on", "permission", "--dry-run")
    assert shown.returncode == 0
    assert "+permission = true" in shown.stdout
    assert '"ask"' in shown.stdout
    assert machine.settings.read_bytes() == TUNED.encode()
    assert not (machine.home.config / "config.toml").exists()


def test_without_a_terminal_it_needs_a_yes(machine: Machine) -> None:
    refused = machine.run("answers", "on")
    assert (refused.returncode, "--yes" in refused.stderr) == (1, True)
    assert machine.settings.read_bytes() == TUNED.encode()


@pytest.mark.parametrize("words", [[], ["on", "permissions"], ["status", "plan"], ["of"]], ids=" ".join)
def test_a_wrong_word_is_refused(machine: Machine, words: list[str]) -> None:
    refused = machine.run("answers", *words)
    assert refused.returncode == 2
    assert machine.settings.read_bytes() == TUNED.encode()


def test_an_older_client_is_refused(machine: Machine) -> None:
    machine.has_client("2.1.138")
    refused = machine.run("answers", "on", "--yes")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Claude Code 2.1.138 cannot be answered" in refused.stderr
    assert "2.1.139" in refused.stderr
    assert machine.settings.read_bytes() == TUNED.encode()
