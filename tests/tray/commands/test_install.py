"""Test `deskbell install` as a person types it, and what all commands on settings files share."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deskbell.settings import deploy
from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")

pty = pytest.importorskip("pty", reason="a person at a terminal is played by a pseudo-terminal")

TUNED = '{\r\n\t"model": "opus"\r\n}'


@pytest.fixture
def bare(tmp_path: Path) -> Machine:
    """A machine on which Deskbell was never installed."""
    machine = Machine(tmp_path)
    machine.has_client("2.1.326")
    machine.write(TUNED)
    return machine


@pytest.fixture
def machine(bare: Machine, deployed: Path) -> Machine:
    bare.has_code(deployed)
    return bare


@pytest.mark.long
@pytest.mark.parametrize("name", ["back\\slash", 'it\'s a "home"', "$HOME `id`", "Zoë 日本"])
def test_in_a_home_folder_with_an_odd_name_it_installs_and_records(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    machine = Machine(tmp_path / name)
    machine.has_client("2.1.326")
    assert machine.run("install", "--yes").returncode == 0
    assert machine.fire("SessionStart").returncode == 0
    assert machine.fire("UserPromptSubmit").returncode == 0
    assert [path.name for path in machine.home.sessions.iterdir() if path.suffix == ".json"] == ["5e55-10.json"]
    assert machine.run("events", "5e55-10").stdout
    assert machine.run("uninstall", "--yes").returncode == 0


def test_install_and_uninstall_from_the_command_line(bare: Machine) -> None:
    installed = bare.started("install", "--yes")
    assert (installed.returncode, installed.stderr) == (0, "")
    assert installed.stdout == (
        f"Installed the hooks into {bare.settings}. Running sessions report within a second or two.\n"
    )
    assert bare.started("install", "--yes").stdout == f"The hooks are already installed in {bare.settings}.\n"
    uninstalled = bare.started("uninstall", "--yes")
    assert (uninstalled.returncode, uninstalled.stdout) == (0, f"Removed the hooks from {bare.settings}.\n")

    assert bare.settings.read_bytes() == TUNED.encode()


@pytest.mark.skipif(not shutil.which("patch"), reason="patch is not installed")
@pytest.mark.parametrize("text", [TUNED, '{"größe": 1}\n', "{}", "", None], ids=repr)
def test_the_change_that_is_shown_is_the_change_that_is_made(
    machine: Machine, text: str | None, tmp_path: Path
) -> None:
    if text is None:
        machine.settings.unlink()
    else:
        machine.write(text)
    shown = machine.run("install", "--dry-run").stdout
    assert machine.settings.exists() == (text is not None)
    copy = tmp_path / "copy.json"
    copy.write_bytes((text or "").encode())

    subprocess.run(["patch", "--binary", "--silent", copy], input=shown.encode(), check=True)

    machine.run("install", "--yes")
    assert copy.read_bytes() == machine.settings.read_bytes()


@pytest.mark.parametrize(
    ("answer", "installed"), [("y", True), ("yes", True), ("", False), ("n", False), ("\x04", False)]
)
def test_a_person_is_shown_the_change_and_asked(machine: Machine, answer: str, installed: bool) -> None:
    person, program = pty.openpty()
    os.write(person, answer.encode() + b"\n")
    with subprocess.Popen(
        [sys.executable, "-m", "deskbell", "install"],
        env=machine.environment,
        stdin=program,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as asking:
        said, wrong = asking.communicate()
    os.close(person)
    os.close(program)

    assert (asking.returncode, wrong) == ((0, b"") if installed else (1, b"deskbell: Nothing was changed.\n"))
    assert b'+\t"hooks": {' in said
    assert said.count(b"Make this change? [y/N]") == 1
    assert (machine.settings.read_bytes() != TUNED.encode()) == installed


def test_without_a_terminal_or_yes_nothing_is_changed(machine: Machine) -> None:
    refused = machine.run("install")

    assert (refused.returncode, refused.stderr) == (
        1,
        "deskbell: Cannot ask without a terminal. Nothing was changed. Use --yes to confirm.\n",
    )
    assert machine.settings.read_bytes() == TUNED.encode()


def test_a_dry_run_with_nothing_to_do_says_so(machine: Machine) -> None:
    assert machine.run("uninstall", "--dry-run").stdout == "Nothing to change.\n"


def test_a_problem_names_the_file_the_line_the_column_and_the_next_step(machine: Machine) -> None:
    machine.write('{\n  "model": "opus",\n}\n')

    refused = machine.run("install", "--yes")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        f'deskbell: {machine.settings} line 3 column 1: expected a key in "quotes". Nothing was changed. '
        "Mend the file, or put a copy back with `deskbell restore`.\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["install", "--scope", "everyone"],
        ["install", "--config-dir", "x", "--scope", "project"],
        ["install", "--project", ".", "--scope", "user"],
        ["restore", "three"],
    ],
    ids=" ".join,
)
def test_a_mistyped_command_exits_with_two(machine: Machine, words: list[str]) -> None:
    mistyped = machine.run(*words)

    assert mistyped.returncode == 2
    assert mistyped.stderr.startswith("usage: ")


def test_several_accounts_are_installed_and_then_known(machine: Machine) -> None:
    work, play = machine.root / "work", machine.root / "play"
    work.mkdir()
    play.mkdir()
    machine.run("install", "--yes", "--config-dir", str(work), "--config-dir", "play")
    assert machine.settings.read_bytes() == TUNED.encode()

    states = {file["path"]: file["state"] for file in machine.json("status")["files"]}

    assert states == {
        str(machine.settings): "missing",
        str(work / "settings.json"): "installed",
        str(play / "settings.json"): "installed",
    }
    machine.run("uninstall", "--yes")
    assert not (work / "settings.json").exists()


def test_a_moved_claude_folder_is_honoured(machine: Machine) -> None:
    machine.env["CLAUDE_CONFIG_DIR"] = str(machine.root / "elsewhere")

    machine.run("install", "--yes")

    assert (machine.root / "elsewhere" / "settings.json").exists()
    assert machine.settings.read_bytes() == TUNED.encode()


@pytest.mark.parametrize(
    ("version", "scope", "where"),
    [
        ("2.1.326", "project", "repo/deep/.claude/settings.json"),
        ("2.1.326", "local", "repo/.claude/settings.local.json"),
        ("2.1.210", "local", "repo/deep/.claude/settings.local.json"),
    ],
)
def test_a_project_has_settings_of_its_own(machine: Machine, version: str, scope: str, where: str) -> None:
    machine.has_client(version)
    deep = machine.root / "repo" / "deep"
    deep.mkdir(parents=True)
    (machine.root / "repo" / ".git").mkdir()

    said = machine.run("install", "--yes", "--scope", scope, cwd=deep).stdout

    assert (machine.root / where).exists()
    assert ("The repository shares this file" in said) == (scope == "project")
    machine.run("uninstall", "--yes", "--scope", scope, "--project", str(deep))
    assert not (machine.root / where).exists()


def test_a_project_that_does_not_exist_is_refused(machine: Machine) -> None:
    assert "is not a folder" in machine.run("install", "--yes", "--project", "nowhere").stderr


def test_an_account_whose_folder_does_not_exist_is_refused(machine: Machine) -> None:
    refused = machine.run("install", "--yes", "--config-dir", "typo")

    assert (refused.returncode, refused.stdout) == (3, "")
    assert refused.stderr == (
        f"deskbell: {machine.root / 'typo'} is not a folder. Name the folder that Claude Code uses for the account.\n"
    )
    assert not (machine.root / "typo").exists()


def test_claudes_own_folder_is_created_also_when_it_is_named(machine: Machine) -> None:
    shutil.rmtree(machine.settings.parent)

    assert machine.run("install", "--yes", "--config-dir", str(machine.settings.parent)).returncode == 0

    assert machine.settings.exists()


def test_an_unknown_client_gets_the_events_that_every_client_knows(machine: Machine) -> None:
    (machine.root / "bin" / "claude").unlink()
    said = "9 of 22 events are reported: Claude Code was not found"
    assert machine.run("install", "--yes").stdout.startswith(said)

    assert "PermissionRequest" not in json.loads(machine.settings.read_text())["hooks"]
    assert "! installed" in machine.run("status").stdout
    assert said in machine.run("status").stdout


@pytest.mark.long
@pytest.mark.parametrize("verb", ["install", "uninstall"])
@pytest.mark.parametrize("room", [0, 60, 300, 6_000, 20_000])
def test_a_full_disk_is_reported_in_a_sentence_and_the_file_stays_whole(machine: Machine, verb: str, room: int) -> None:
    """No file may become longer than ROOM bytes."""
    if verb == "uninstall":
        machine.run("install", "--yes")
    else:
        deploy.deploy(machine.home.data, machine.setup.interpreter)
    old = machine.settings.read_bytes()
    limited = machine.started(verb, "--yes", limit=room)

    assert limited.returncode == bool(limited.stderr)
    assert limited.stderr == "" or limited.stderr.startswith("deskbell: ")
    assert limited.stderr.count("\n") <= 1
    assert limited.returncode == 0 or machine.settings.read_bytes() == old
    assert machine.run(verb, "--yes").returncode == 0
    assert machine.json("status")["files"][0]["state"] == ("installed" if verb == "install" else "missing")
