"""Test `deskbell doctor` as a person types it."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")

TUNED = '{\r\n\t"model": "opus"\r\n}'


@pytest.fixture
def machine(tmp_path: Path, deployed: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.has_client("2.1.326")
    machine.has_code(deployed)
    machine.write(TUNED)
    return machine


def test_a_whole_chain_is_whole(machine: Machine) -> None:
    machine.run("install", "--yes")
    machine.fire("SessionStart")
    machine.write(json.dumps({"pid": os.getpid()}), machine.settings.parent / "sessions" / "1.json")

    said = machine.run("doctor")

    assert said.returncode == 0, said.stdout
    links = ("client", "policy", "interpreter", "known files", "settings", "hook code", "state folder", "registry")
    assert {line[0] for line in said.stdout.splitlines() if line[2:].startswith(links)} == {"✓"}
    assert "15 test events were recorded" in said.stdout


def test_what_is_broken_is_named_with_its_remedy(machine: Machine) -> None:
    machine.run("install", "--yes")
    shutil.rmtree(machine.home.data)

    said = machine.run("doctor")

    assert said.returncode == 1
    bad = [line for line in said.stdout.splitlines() if line.startswith("✗")]
    assert [line.split(":")[0].split()[1] for line in bad] == ["hook", "hook"]
    assert said.stdout.count("fix: Run `deskbell install`.") == 2


def test_programs_get_a_versioned_object(machine: Machine) -> None:
    found = machine.json("doctor")

    assert found["version"] == 1
    assert {"name", "verdict", "sentence", "mend"} == found["checks"][0].keys()


@pytest.mark.parametrize(
    "option", [("--scope", "user"), ("--project", "."), ("--config-dir", ".")], ids=lambda it: it[0]
)
def test_a_trial_of_jumps_refuses_options_that_name_settings(machine: Machine, option: tuple[str, str]) -> None:
    refused = machine.run("doctor", "--jump", *option)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("deskbell: `deskbell doctor --jump` tries jumps and reads no settings. Leave out ")


def test_a_broken_memory_of_deskbells_own_is_one_check_of_many(machine: Machine) -> None:
    machine.run("install", "--yes")
    (machine.home.config / "claude.json").write_text("[")

    said = machine.run("doctor")

    assert (said.returncode, said.stderr) == (1, "")
    assert "✗ known files: Cannot read" in said.stdout
    assert "fix: Delete it, then run `deskbell install` again." in said.stdout


def test_a_folder_that_does_not_exist_is_refused(machine: Machine) -> None:
    assert "is not a folder" in machine.run("doctor", "--config-dir", "typo").stderr


def test_on_a_full_disk_the_report_still_comes(machine: Machine) -> None:
    machine.run("install", "--yes")
    machine.fire("SessionStart")

    said = machine.started("doctor", limit=0)

    assert (said.returncode, said.stderr) == (1, "")
    assert f"✗ state folder: Cannot write to {machine.home.state}: File too large." in said.stdout


NASTY = {
    "deep": "[" * 100_000 + "]" * 100_000,
    "deep object": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "huge": '{"version": 1' + "0" * 400 + ', "pid": 1e400}',
}


@pytest.mark.long
@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
@pytest.mark.parametrize("file", ["claude.json", "settings.json", "registry", "config.toml"])
def test_no_file_makes_a_traceback(machine: Machine, file: str, text: str) -> None:
    paths = {
        "claude.json": machine.home.config / "claude.json",
        "settings.json": machine.settings,
        "registry": machine.settings.parent / "sessions" / "1.json",
        "config.toml": machine.home.config / "config.toml",
    }
    machine.write(text, paths[file])

    said = machine.run("doctor")

    assert (said.returncode, said.stderr) == (1, "")
    assert str(paths[file].parent) in said.stdout
