"""Test `deskbell status` as a person types it."""

import json
from pathlib import Path

import pytest

from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")

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


def test_status_shows_the_hook_and_each_file(bare: Machine) -> None:
    assert "not deployed" in bare.run("status").stdout
    assert bare.run("status").returncode == 3
    bare.run("install", "--yes")
    assert bare.run("status").returncode == 0

    status = bare.json("status")

    assert status["version"] == 1
    assert status["client"] == "2.1.326"
    assert status["hook"]["deployed"]
    assert status["files"][0]["state"] == "installed"
    assert "Stop" in status["files"][0]["events"]


def test_a_person_reads_the_client_the_hook_the_interpreter_and_each_file(machine: Machine) -> None:
    machine.run("install", "--yes")

    client, hook, interpreter, file = machine.run("status").stdout.splitlines()

    assert client == "Claude Code  2.1.326"
    assert hook == f"hook         {machine.setup.folder}"
    assert interpreter == f"run by       {machine.setup.interpreter.path}"
    count = len(machine.setup.wanted)
    assert file == f"✓ installed  {machine.settings}: All {count} events are reported."


@pytest.mark.parametrize(("text", "code"), [("{}", 3), ('{"model":', 1), ("[", 1)])
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["text", "json"])
def test_a_file_that_cannot_be_read_makes_status_fail(
    machine: Machine, text: str, code: int, more: tuple[str, ...]
) -> None:
    machine.write(text)

    done = machine.run("status", *more)

    assert (done.returncode, done.stderr) == (code, "")
    assert ("unreadable" in done.stdout) == (code == 1)


NASTY = {
    "deep": "[" * 100_000 + "]" * 100_000,
    "huge": '{"version": 1' + "0" * 400 + ', "pid": 1e400}',
    "a long version": json.dumps({"version": "9" * 5000 + ".1.1"}),
}


@pytest.mark.long
@pytest.mark.parametrize("verb", ["status", "install", "uninstall", "restore"])
@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_no_registry_file_and_no_settings_make_a_traceback(machine: Machine, verb: str, text: str) -> None:
    (machine.root / "bin" / "claude").unlink()
    machine.write(text, machine.settings.parent / "sessions" / "1.json")
    machine.write(text)

    done = machine.run(verb, *([] if verb in ("status", "restore") else ["--yes"]))

    assert done.stderr == "" or done.stderr.startswith("deskbell: ")
    assert done.stderr.count("\n") <= 1


def test_a_name_in_the_settings_cannot_clear_the_screen(machine: Machine) -> None:
    machine.write('{"hooks": {"\\u001b[2J\\ud800": {}}}')

    said = machine.run("install", "--yes")

    assert said.returncode == 1
    assert r'"\u001b[2J\ud800" under "hooks" is not a list.' in said.stderr
