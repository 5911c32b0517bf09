"""Test that GNOME on Wayland is given a desktop entry of Deskbell, that no other desktop is, and that it goes away."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from desktop_notifier import Notification

from deskbell.desktop.notify.daemons import Daemon, arguments
from deskbell.desktop.notify.entry import NAME, put, take_away
from deskbell.desktop.notify.notification import Extra

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="desktop entries")
COMMAND = ("/opt/a b/100%/deskbell", "run")


@pytest.fixture
def gnome(tmp_path: Path) -> dict[str, str]:
    return {
        "XDG_CURRENT_DESKTOP": "ubuntu:GNOME",
        "WAYLAND_DISPLAY": "wayland-0",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_DATA_DIRS": str(tmp_path / "share"),
    }


def place(env: dict[str, str]) -> Path:
    return Path(env["XDG_DATA_HOME"]) / "applications" / NAME


def test_the_entry_is_valid_hidden_and_starts_deskbell(gnome: dict[str, str]) -> None:
    put(gnome, COMMAND)
    lines = place(gnome).read_text().splitlines()
    assert "NoDisplay=true" in lines
    assert 'Exec="/opt/a b/100%%/deskbell" "run"' in lines
    if validate := shutil.which("desktop-file-validate"):
        done = subprocess.run([validate, place(gnome)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")


def test_its_name_is_the_one_that_notifications_give() -> None:
    made = arguments(Notification("t", "b"), Extra(), Daemon("gnome-shell", "48", frozenset()), 0)
    assert f"{made[6]['desktop-entry'].value}.desktop" == NAME  # type: ignore[index]


def test_an_entry_of_a_deskbell_that_moved_is_written_anew(gnome: dict[str, str]) -> None:
    put(gnome, COMMAND)
    put(gnome, ("/new/deskbell", "run"))
    assert 'Exec="/new/deskbell" "run"' in place(gnome).read_text()


@pytest.mark.parametrize(
    "elsewhere", [{"XDG_CURRENT_DESKTOP": "KDE"}, {"WAYLAND_DISPLAY": ""}, {"XDG_CURRENT_DESKTOP": "X-Cinnamon"}]
)
def test_another_desktop_gets_none(gnome: dict[str, str], elsewhere: dict[str, str]) -> None:
    put(gnome | elsewhere, COMMAND)
    assert not place(gnome).exists()


def test_the_entry_of_a_package_serves(gnome: dict[str, str]) -> None:
    theirs = Path(gnome["XDG_DATA_DIRS"]) / "applications" / NAME
    theirs.parent.mkdir(parents=True)
    theirs.touch()
    put(gnome, COMMAND)
    assert not place(gnome).exists()


def test_the_entry_of_the_person_stays_as_it_is(gnome: dict[str, str]) -> None:
    place(gnome).parent.mkdir(parents=True)
    place(gnome).write_text("[Desktop Entry]\nName=Mine\n")
    put(gnome, COMMAND)
    assert take_away(gnome) is None
    assert place(gnome).read_text() == "[Desktop Entry]\nName=Mine\n"


def test_it_is_taken_away_once(gnome: dict[str, str]) -> None:
    put(gnome, COMMAND)
    assert take_away(gnome) == place(gnome)
    assert (place(gnome).exists(), take_away(gnome)) == (False, None)


def test_a_folder_that_cannot_be_written_is_logged_and_nothing_more(
    gnome: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    Path(gnome["XDG_DATA_HOME"]).touch()
    put(gnome, COMMAND)
    assert "a click on a notification cannot raise a window" in caplog.text
