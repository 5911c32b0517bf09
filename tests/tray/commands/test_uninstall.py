"""Test `deskbell uninstall` as a person types it."""

from pathlib import Path

import pytest

from deskbell.desktop.notify.entry import put
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


def test_the_file_is_as_it_was(machine: Machine) -> None:
    machine.run("install", "--yes")

    done = machine.run("uninstall", "--yes")

    assert (done.returncode, done.stdout) == (0, f"Removed the hooks from {machine.settings}.\n")
    assert machine.settings.read_bytes() == TUNED.encode()


def test_a_file_without_hooks_is_named(machine: Machine) -> None:
    done = machine.run("uninstall")

    assert (done.returncode, done.stdout) == (0, f"The hooks are not installed in {machine.settings}.\n")


def test_without_a_terminal_or_yes_the_hooks_stay(machine: Machine) -> None:
    machine.run("install", "--yes")

    assert "Use --yes to confirm." in machine.run("uninstall").stderr
    assert b"deskbell_hooks" in machine.settings.read_bytes()


def test_what_gnome_knew_deskbell_by_goes_with_the_last_hooks(machine: Machine) -> None:
    entry = machine.root / ".local/share/applications/deskbell.desktop"
    put({"XDG_CURRENT_DESKTOP": "GNOME", "WAYLAND_DISPLAY": "x", "XDG_DATA_HOME": str(entry.parents[1])}, ("deskbell",))
    machine.run("install", "--yes")

    assert "deskbell.desktop" not in machine.run("uninstall", "--yes", "--scope", "user").stdout
    done = machine.run("uninstall", "--yes")

    assert done.stdout.endswith(f"Removed {entry}, the entry for jumps on GNOME.\n")
    assert not entry.exists()
