"""Test that the entry for the start at login names the command that starts this very Deskbell again."""

import sys
from pathlib import Path

import pytest

from deskbell.desktop.autostart import command, config_home, program_of

MODULE = Path("/src/deskbell/__main__.py")
BUNDLE = Path("/opt/deskbell/deskbell")


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    for name in ("venv/bin/python", "venv/bin/deskbell", "local/bin/deskbell", "bare/bin/python"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o755)
    return tmp_path


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names and rights as on Unix")


def test_the_command_keeps_the_name_that_was_called(venv: Path) -> None:
    called, python = venv / "local/bin/deskbell", venv / "venv/bin/python"
    assert program_of(called, python, {}, frozen=False) == (str(called),)


def test_where_the_module_runs_the_script_beside_its_python_is_named(venv: Path) -> None:
    python = venv / "venv/bin/python"
    assert program_of(MODULE, python, {}, frozen=False) == (str(venv / "venv/bin/deskbell"),)


def test_without_a_script_the_command_runs_the_module(venv: Path) -> None:
    python = venv / "bare/bin/python"
    assert program_of(MODULE, python, {}, frozen=False) == (str(python), "-m", "deskbell")


def test_a_bundle_is_its_own_program() -> None:
    assert program_of(Path("deskbell"), BUNDLE, {}, frozen=True) == (str(BUNDLE),)


def test_an_appimage_is_started_where_it_lies_and_not_where_it_was_mounted() -> None:
    image = "/home/me/Deskbell.AppImage"
    assert program_of(Path("deskbell"), Path("/tmp/.mount_x/deskbell"), {"APPIMAGE": image}, frozen=True) == (image,)


def test_the_command_names_a_moved_home() -> None:
    assert command(("deskbell",), None) == ("deskbell", "run")
    assert command(("deskbell",), "/mnt/bell") == ("deskbell", "autostart", "start", "--home", "/mnt/bell")


@pytest.mark.parametrize(("given", "said"), [("/etc/me", "/etc/me"), ("", None), ("relative", None)])
def test_the_folder_of_the_configuration(given: str, said: str | None) -> None:
    assert config_home({"XDG_CONFIG_HOME": given}) == (Path(said) if said else Path.home() / ".config")
    assert config_home({}) == Path.home() / ".config"
