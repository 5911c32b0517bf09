"""Test the login entry of each system: it is read back as it was written, and is not written again."""

import os
import plistlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.desktop import autostart
from deskbell.desktop.autostart import Command, LoginEntry, linux, windows
from deskbell.desktop.autostart.linux import DesktopEntry
from deskbell.desktop.autostart.macos import LaunchAgent
from deskbell.desktop.autostart.windows import APPROVED, NAME, RUN, RunValue
from deskbell.errors import Problem

NASTY = ('/opt/a b/100%/$HOME/`x`/"q"/back\\slash/deskbell', "run")


class Hive:
    """A registry in memory that remembers what was done to it."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], object] = {}
        self.done: list[str] = []

    def get(self, key: str, name: str) -> object:
        return self.values.get((key, name))

    def set(self, key: str, name: str, text: str) -> None:
        self.done.append("set")
        self.values[key, name] = text

    def delete(self, key: str, name: str) -> None:
        self.done.append("delete")
        del self.values[key, name]


ENTRIES: dict[str, Callable[[Path], LoginEntry]] = {
    "linux": lambda folder: DesktopEntry(folder / "autostart"),
    "macos": lambda folder: LaunchAgent(folder / "LaunchAgents"),
    "windows": lambda folder: RunValue(Hive()),
}


@pytest.fixture(params=ENTRIES)
def entry(request: pytest.FixtureRequest, tmp_path: Path) -> LoginEntry:
    return ENTRIES[request.param](tmp_path / "not there yet")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "my programs" / "deskbell"
    path.parent.mkdir()
    path.write_text("")
    return path


def test_it_is_switched_on_and_off_again(entry: LoginEntry, program: Path) -> None:
    ours = (str(program), "run")
    said = [autostart.state(entry, ours), entry.write(ours), autostart.state(entry, ours), entry.remove()]
    assert said == ["off", True, "on", True]
    assert autostart.state(entry, ours) == "off"


def test_a_second_time_nothing_is_done(entry: LoginEntry) -> None:
    assert [entry.write(NASTY), entry.write(NASTY)] == [True, False]
    assert [entry.remove(), entry.remove()] == [True, False]


@pytest.mark.parametrize("make", [ENTRIES["linux"], ENTRIES["macos"]])
def test_a_file_that_is_right_is_not_touched(make: Callable[[Path], LoginEntry], tmp_path: Path) -> None:
    entry = make(tmp_path)
    entry.write(NASTY)
    before = os.stat(entry.where)
    entry.write(NASTY)
    after = os.stat(entry.where)
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert os.listdir(Path(entry.where).parent) == [Path(entry.where).name]


def test_another_deskbell_is_recognised(entry: LoginEntry, program: Path) -> None:
    entry.write((str(program), "run"))
    assert autostart.state(entry, ("/elsewhere/deskbell", "run")) == "elsewhere"
    assert autostart.state(entry, (str(program), "autostart", "start", "--home", "/x")) == "elsewhere"


def test_after_a_move_the_entry_points_nowhere_until_it_is_refreshed(entry: LoginEntry, program: Path) -> None:
    entry.write((str(program), "run"))
    moved = program.rename(program.with_name("moved"))
    ours = (str(moved), "run")
    assert autostart.state(entry, ours) == "gone"
    assert autostart.refresh(entry, ours)
    assert autostart.state(entry, ours) == "on"


def test_a_program_on_the_path_is_found(entry: LoginEntry) -> None:
    entry.write(("cmd" if os.name == "nt" else "sh", "-c", "sleep 9; deskbell run"))
    assert autostart.state(entry, ("/here/deskbell", "run")) == "elsewhere"
    assert not autostart.refresh(entry, ("/here/deskbell", "run"))


def test_an_entry_that_is_off_stays_off(entry: LoginEntry, program: Path) -> None:
    assert not autostart.refresh(entry, (str(program), "run"))
    assert entry.read() is None


@pytest.mark.parametrize("more", [(), ("--home", "/x")])
def test_the_entry_of_a_deskbell_that_exists_is_left_alone(entry: LoginEntry, program: Path, more: Command) -> None:
    entry.write((str(program), "run"))
    assert not autostart.refresh(entry, ("/elsewhere/deskbell", *more))
    assert entry.read() == (str(program), "run")


def test_the_entry_of_another_home_is_left_alone(entry: LoginEntry) -> None:
    entry.write(("/gone/deskbell", "autostart", "start", "--home", "/mine"))
    assert not autostart.refresh(entry, ("/here/deskbell", "autostart", "start", "--home", "/yours"))
    assert autostart.refresh(entry, ("/here/deskbell", "autostart", "start", "--home", "/mine"))


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)


@given(st.lists(WORDS, min_size=1).map(tuple))
def test_any_command_survives_a_desktop_entry(command: Command) -> None:
    assert linux.split(linux.joined(command)) == command


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters='\0"\\'), min_size=1), min_size=1).map(tuple))
def test_any_command_survives_a_run_value(command: Command) -> None:
    assert windows.split(windows.joined(command)) == command


@pytest.mark.parametrize("command", [NASTY, ("/usr/bin/deskbell", "run"), ("/a\tb/%u/deskbell", "run")])
def test_the_desktop_entry_is_valid(command: Command, tmp_path: Path) -> None:
    if not shutil.which("desktop-file-validate"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no desktop-file-validate here")
    entry = DesktopEntry(tmp_path)
    entry.write(command)
    checked = subprocess.run(["desktop-file-validate", entry.where], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")
    assert entry.read() == command


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_the_person_switched_off_in_the_desktops_settings_is_off(line: str, tmp_path: Path) -> None:
    entry = DesktopEntry(tmp_path)
    entry.write(NASTY)
    entry.path.write_text(entry.path.read_text().replace("X-GNOME-Autostart-enabled=true\n", "") + line + "\n")
    assert entry.read() is None
    assert entry.write(NASTY)
    assert entry.read() == NASTY


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[Desktop Entry]\n", b"Exec=x\n[Other]\nExec=x\n"])
def test_a_desktop_entry_of_somebody_else_is_no_entry(content: bytes, tmp_path: Path) -> None:
    entry = DesktopEntry(tmp_path)
    entry.path.write_bytes(content)
    assert entry.read() is None


def test_actions_in_a_desktop_entry_are_not_its_command(tmp_path: Path) -> None:
    entry = DesktopEntry(tmp_path)
    entry.path.write_text("# mine\n[Desktop Entry]\nExec=one two\n[Desktop Action x]\nExec=other\n")
    assert entry.read() == ("one", "two")


def test_the_launch_agent_is_restarted_after_a_crash_only(tmp_path: Path) -> None:
    agent = LaunchAgent(tmp_path)
    agent.write(NASTY)
    assert plistlib.loads(agent.path.read_bytes()) == {
        "Label": "io.deskbell.tray",
        "ProgramArguments": list(NASTY),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "LimitLoadToSessionType": "Aqua",
        "ProcessType": "Interactive",
    }


XML = b'<?xml version="1.0"?><plist version="1.0">%s</plist>'
BROKEN = [
    *(b"", b"<plist>", b"bplist00", plistlib.dumps([1]), plistlib.dumps({})),
    *(XML % b"<key>a</key>", XML % b"<date>soon</date>"),
]


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_launch_agent_is_none(content: bytes, tmp_path: Path) -> None:
    agent = LaunchAgent(tmp_path)
    agent.path.write_bytes(content)
    assert agent.read() is None
    assert agent.write(NASTY)


def test_the_run_value_quotes_every_word() -> None:
    hive = Hive()
    RunValue(hive).write((r"C:\Program Files\Deskbell\deskbell.exe", "run"))
    assert hive.values == {(RUN, NAME): r'"C:\Program Files\Deskbell\deskbell.exe" "run"'}


@pytest.mark.parametrize(("said", "on"), [(b"\x02" + bytes(11), True), (b"\x03" + bytes(11), False), (b"", True)])
def test_what_was_switched_off_in_task_manager_is_off(said: bytes, on: bool) -> None:
    hive = Hive()
    entry = RunValue(hive)
    entry.write(NASTY)
    hive.values[APPROVED, NAME] = said
    assert (entry.read() is not None) == on
    assert entry.write(NASTY) != on
    assert entry.read() is not None


def test_an_entry_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("a file, not a folder")
    with pytest.raises(Problem, match=r"Cannot write .* Not a directory"):
        DesktopEntry(tmp_path / "autostart").write(NASTY)
    with pytest.raises(Problem, match=r"Cannot remove .* Not a directory"):
        DesktopEntry(tmp_path / "autostart").remove()


@pytest.mark.parametrize("make", [ENTRIES["linux"], ENTRIES["macos"]], ids=["linux", "macos"])
def test_an_entry_that_cannot_be_replaced_leaves_no_file_beside_it(
    make: Callable[[Path], LoginEntry], tmp_path: Path
) -> None:
    entry = make(tmp_path)
    Path(entry.where).mkdir(parents=True)
    with pytest.raises(Problem, match="Cannot write"):
        entry.write(NASTY)
    assert os.listdir(Path(entry.where).parent) == [Path(entry.where).name]
