"""Test `deskbell restore` as a person types it."""

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


def test_copies_are_listed_compared_and_put_back(machine: Machine) -> None:
    assert "no copies" in machine.run("restore").stdout
    machine.run("install", "--yes")
    machine.write('{"wiped": true}')

    assert machine.run("restore").stdout.splitlines()[1].endswith("before install, the original")
    assert '-{"wiped": true}' in machine.run("restore", "1", "--diff").stdout
    assert machine.settings.read_text() == '{"wiped": true}'
    assert machine.run("restore", "1", "--yes").stdout == (
        f"Restored {machine.settings}. The replaced version was saved as copy 1.\n"
    )
    assert '+{"wiped": true}' in machine.run("restore", "1", "--diff").stdout
    assert machine.settings.read_bytes() == TUNED.encode()
    assert machine.run("restore", "2", "--diff").stdout == f"{machine.settings} already matches that copy.\n"
    assert "has no copy 9. Run `deskbell restore`" in machine.run("restore", "9").stderr


def test_of_several_files_one_must_be_named_to_be_put_back(machine: Machine) -> None:
    (machine.root / "work").mkdir()
    machine.run("install", "--yes", "--config-dir", "work")
    machine.run("install", "--yes")
    assert "Name one with --config-dir" in machine.run("restore", "1", "--yes").stderr

    machine.run("restore", "1", "--yes", "--scope", "user")

    assert machine.settings.read_bytes() == TUNED.encode()
    assert (machine.root / "work" / "settings.json").exists()


def test_where_no_file_was_replaced_no_copy_is_promised(machine: Machine) -> None:
    machine.run("install", "--yes")
    machine.settings.unlink()

    assert machine.run("restore", "1", "--yes").stdout == f"Restored {machine.settings}.\n"
