"""`deskbell doctor` as a person types it."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")

TUNED = '{\r\n\t"model": "opus"\r\n}'


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.has_client("2.1.326")
    machine.write(TUNED)
    return machine


def test_the_doctor_finds_a_whole_chain_whole(machine: Machine) -> None:
    machine.run("install", "--yes")
    machine.fire("SessionStart")
    machine.write(json.dumps({"pid": os.getpid()}), machine.settings.parent / "sessions" / "1.json")

    said = machine.run("doctor")

    assert said.returncode == 0, said.stdout
    links = ("client", "policy", "interpreter", "settings", "hook code", "state folder", "registry")
    assert {line[0] for line in said.stdout.splitlines() if line[2:].startswith(links)} == {"✓"}
    assert "15 test events were recorded" in said.stdout


def test_the_doctor_names_what_is_broken_and_how_to_mend_it(machine: Machine) -> None:
    machine.run("install", "--yes")
    shutil.rmtree(machine.home.data)

    said = machine.run("doctor")

    assert said.returncode == 1
    bad = [line for line in said.stdout.splitlines() if line.startswith("✗")]
    assert [line.split(":")[0].split()[1] for line in bad] == ["hook", "hook"]
    assert said.stdout.count("mend: deskbell install") == 2
