"""Which command line starts this very Deskbell again?"""

import sys
from pathlib import Path

import pytest

from deskbell.desktop.autostart import command, config_home


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    for name in ("venv/bin/python", "venv/bin/deskbell", "local/bin/deskbell", "bare/bin/python"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o755)
    return tmp_path


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names and rights as on Unix")


def test_the_name_that_was_called(venv: Path) -> None:
    called, python = venv / "local/bin/deskbell", venv / "venv/bin/python"
    assert command(str(called), python, {}, frozen=False) == (str(called), "run")


def test_the_script_beside_the_python_that_runs_the_module(venv: Path) -> None:
    python = venv / "venv/bin/python"
    assert command("/src/deskbell/__main__.py", python, {}, frozen=False) == (str(venv / "venv/bin/deskbell"), "run")


def test_the_module_where_there_is_no_script(venv: Path) -> None:
    python = venv / "bare/bin/python"
    assert command("/src/deskbell/__main__.py", python, {}, frozen=False) == (str(python), "-m", "deskbell", "run")


def test_a_bundle_is_its_own_program() -> None:
    bundle = Path("/opt/deskbell/deskbell")
    assert command("deskbell", bundle, {}, frozen=True) == (str(bundle), "run")


def test_an_appimage_is_started_where_it_lies_and_not_where_it_was_mounted() -> None:
    where = {"APPIMAGE": "/home/me/Deskbell.AppImage"}
    assert command("deskbell", Path("/tmp/.mount_x/deskbell"), where, frozen=True) == (where["APPIMAGE"], "run")


def test_a_moved_home_goes_with_it() -> None:
    bundle = Path("/opt/deskbell/deskbell")
    written = command("deskbell", bundle, {"DESKBELL_HOME": "/mnt/bell"}, frozen=True)
    assert written == (str(bundle), "autostart", "start", "--home", "/mnt/bell")


@pytest.mark.parametrize(("given", "said"), [("/etc/me", "/etc/me"), ("", None), ("relative", None)])
def test_where_configuration_lives(given: str, said: str | None) -> None:
    assert config_home({"XDG_CONFIG_HOME": given}) == (Path(said) if said else Path.home() / ".config")
    assert config_home({}) == Path.home() / ".config"
