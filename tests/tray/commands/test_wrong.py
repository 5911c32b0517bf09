"""Test what is found wrong at once, and that nothing is where all is well."""

import errno
import json
from pathlib import Path

import pytest

from deskbell.commands._wrong import problems
from deskbell.home import home
from deskbell.settings.install import install
from deskbell.settings.known import KnownFile, remember
from tests.faults.injector import failing
from tests.small_disk import small_disk
from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the registered command is that of a POSIX shell")


@pytest.fixture
def machine(private_home: Path, deployed: Path) -> Machine:
    """A machine on which nothing is wrong."""
    machine = Machine(private_home)
    machine.has_code(deployed)
    install([machine.target], machine.setup)
    return machine


def test_where_all_is_well_nothing_is_said(machine: Machine) -> None:
    assert problems(home()) == []
    machine.write("[burst]\nwithin = 5\n", home().config / "config.toml")
    assert problems(home()) == []


def test_missing_hooks_are_told(private_home: Path) -> None:
    assert problems(home()) == [
        "The hooks are not installed, so Deskbell cannot tell what a session asks. Run `deskbell install`."
    ]


def overwritten(machine: Machine) -> str:
    machine.write("{}")
    return "Another program removed Deskbell's hooks from ~/.claude/settings.json. Run `deskbell install`."


def switched_off(machine: Machine) -> str:
    settings = json.loads(machine.settings.read_text())
    machine.write(json.dumps({**settings, "disableAllHooks": True}))
    return '"disableAllHooks" in ~/.claude/settings.json stops every hook. Set it to false.'


def broken(machine: Machine) -> str:
    machine.write('{"hooks": [')
    return "~/.claude/settings.json line 1 column 12: "


def without_code(machine: Machine) -> str:
    main = machine.setup.folder / "deskbell_hooks" / "__main__.py"
    main.unlink()
    return f"The hooks start a file that is gone: {str(main).replace(str(machine.root), '~')}. Run `deskbell install`."


def unknown(machine: Machine) -> str:
    machine.write("{", home().config / "claude.json")
    return "Cannot read ~/deskbell/config/claude.json: it is not what Deskbell wrote there."


def without_a_state_folder(machine: Machine) -> str:
    home().state.write_text("a file")
    return "~/deskbell/state is not a folder. Move it away; the next event creates one."


def mistaken(machine: Machine) -> str:
    machine.write("[burst]\nwithin = many\n", home().config / "config.toml")
    return "~/deskbell/config/config.toml is not TOML: "


def misnamed(machine: Machine) -> str:
    machine.write("[burst]\nwithn = 5\n", home().config / "config.toml")
    return "~/deskbell/config/config.toml, line 2: burst.withn is not a setting"


WRONG = (overwritten, switched_off, broken, without_code, unknown, without_a_state_folder, mistaken, misnamed)


@pytest.mark.parametrize("spoil", WRONG, ids=lambda spoil: spoil.__name__)
def test_what_is_wrong_is_said_with_the_next_step(machine: Machine, spoil: object) -> None:
    assert callable(spoil)
    expected = spoil(machine)
    (said,) = problems(home())
    assert said.startswith(expected)
    assert "`deskbell " in said or said.endswith(("false.", "one."))


def test_no_secret_of_a_file_is_told(machine: Machine) -> None:
    machine.write('[channels]\n"token=hunter2secret99" = 5\n', home().config / "config.toml")
    (said,) = problems(home())
    assert "hunter2secret99" not in said


def test_a_full_disk_is_told(tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_disk(tmp_path / "disk", "1m", 100) as disk:
        monkeypatch.setenv("DESKBELL_HOME", str(disk.path))
        home().state.mkdir()
        disk.fill()
        said = problems(home())
    assert any("is full. Free some space: events are lost." in one for one in said)


def test_a_settings_file_that_is_not_understood_hides_no_other(machine: Machine) -> None:
    broken(machine)
    other = machine.root / "work" / "settings.json"
    machine.write("{}", other)
    remember(home().config, other, KnownFile(), other.parent)
    assert [said.partition(": ")[0].partition(" line")[0] for said in problems(home())] == [
        "~/.claude/settings.json",
        "Another program removed Deskbell's hooks from ~/work/settings.json. Run `deskbell install`.",
    ]


def test_a_disk_that_cannot_be_asked_for_its_room_hides_nothing_else(machine: Machine) -> None:
    expected = mistaken(machine)
    with failing("os.statvfs", errno.EIO):
        unknown_room, settings = problems(home())
    assert unknown_room.startswith("Cannot check the disk space: Input/output error. ")
    assert settings.startswith(expected)
