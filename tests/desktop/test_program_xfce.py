"""Test the whole program on a real desktop, from the hook to the pixels of the icon, and back by a click."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.desktop.conftest import PYTHONPATH, ROOT
from tests.desktop.desktop import Box, Desktop, difference, wait_until
from tests.desktop.panel import BAR, Panel
from tests.small_disk import small_disk

HOOK = ROOT / "hooks/deskbell_hooks/__main__.py"


class Deskbell:
    def __init__(self, xfce: Desktop, home: Path, *arguments: str) -> None:
        self.home = home
        self.settings = home / ".claude/settings.json"
        self.state = home / "deskbell/state"
        self.env = xfce.env | {
            "PATH": f"{home}/bin:{xfce.env['PATH']}",
            "PYTHONPATH": PYTHONPATH,
            "HOME": str(home),
            "DESKBELL_HOME": str(home / "deskbell"),
            "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        }
        (home / "bin").mkdir(parents=True)
        self.settings.parent.mkdir()
        self.settings.write_text('{\n  "model": "opus"\n}\n')
        self.process = self.start(*arguments)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "deskbell", "run", *arguments],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def hook(self, name: str, session: str = "11111111-2222", pid: int | None = None, **fields: object) -> None:
        """What Claude Code does; this test is the client that lives, unless PID is."""
        event = {"session_id": session, "cwd": str(self.home), "hook_event_name": name, **fields}
        subprocess.run(
            [sys.executable, "-I", "-S", HOOK, "record", self.state],
            input=json.dumps(event),
            env=self.env | {"CLAUDE_PID": str(pid or os.getpid()), "CLAUDE_CODE_SESSION_ATTENDED": "1"},
            text=True,
            check=True,
        )

    def ask_permission(self, session: str = "11111111-2222") -> None:
        self.hook("SessionStart", session, source="startup")
        self.hook("UserPromptSubmit", session, prompt="ship it")
        self.hook("PermissionRequest", session, tool_name="Bash", tool_input={"command": "npm publish"})

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Its exit code and what it said."""
        self.process.send_signal(how)
        output, _ = self.process.communicate(timeout=20)
        return self.process.returncode, output


def message(xfce: Desktop) -> Box | None:
    """Where a notification is, on a desktop that has nothing else on it."""
    right_half = (640, BAR, *xfce.size)
    desk = xfce.shot().crop(right_half)
    box = difference(Image.new("RGB", desk.size, desk.getpixel((5, 700))), desk)
    return box and (box[0] + 640, box[1] + BAR, box[2] + 640, box[3] + BAR)


@pytest.fixture
def panel(xfce: Desktop) -> Panel:
    return Panel(xfce)


@pytest.fixture
def deskbell(xfce: Desktop, panel: Panel, tmp_path: Path) -> Iterator[Deskbell]:
    one = Deskbell(xfce, tmp_path / "home")
    yield one
    assert one.end() == (0, "")
    wait_until(lambda: "StatusNotifierItem-" not in xfce.items(), "the icon to leave the panel")
    log = (one.state / "deskbell.log").read_text()
    assert "Traceback" not in log
    assert log.endswith("Deskbell ends\n")


@pytest.fixture
def installed(deskbell: Deskbell, panel: Panel) -> Deskbell:
    command = [sys.executable, "-m", "deskbell", "install", "--yes"]
    subprocess.run(command, env=deskbell.env, check=True, stdout=subprocess.DEVNULL)
    panel.wait_for("quiet")
    return deskbell


def test_the_menu_installs_the_hooks_and_takes_them_out_again(xfce: Desktop, deskbell: Deskbell, panel: Panel) -> None:
    before = deskbell.settings.read_bytes()
    panel.wait_for("uninstalled")
    panel.open_menu()
    xfce.xdotool("key", "Down", "Return")
    wait_until(lambda: b"deskbell_hooks" in deskbell.settings.read_bytes(), "the hooks in the settings")
    xfce.xdotool("mousemove", 640, 400)
    panel.wait_for("quiet")
    panel.open_menu()
    xfce.xdotool("key", "Up", "Up", "Right", "Up", "Return")  # the last line of the submenu "Deskbell"
    wait_until(lambda: deskbell.settings.read_bytes() == before, "the settings as they were, to the byte")


def test_the_first_start_offers_to_install_once(xfce: Desktop, deskbell: Deskbell, panel: Panel) -> None:
    panel.wait_for("uninstalled")
    wait_until(lambda: message(xfce), "the message on the screen")
    assert (deskbell.home / "deskbell/config/greeted").exists()
    assert b"deskbell" not in deskbell.settings.read_bytes()
    _, _, right, bottom = message(xfce) or (0, 0, 0, 0)
    xfce.click(right - 230, bottom - 30)  # the left one of its two buttons
    wait_until(lambda: b"deskbell_hooks" in deskbell.settings.read_bytes(), "the hooks in the settings")
    panel.wait_for("quiet")


def test_settings_that_another_tool_overwrites_are_seen_at_once(installed: Deskbell, panel: Panel) -> None:
    installed.settings.write_text("{}\n")
    panel.wait_for("uninstalled")


def test_a_hook_reaches_the_icon(installed: Deskbell, panel: Panel) -> None:
    installed.ask_permission()
    panel.wait_for("blocked", 1)
    installed.ask_permission("33333333-4444")
    panel.wait_for("blocked", 2)
    installed.hook("PostToolUse", tool_name="Bash", tool_input={"command": "npm publish"})
    panel.wait_for("blocked", 1)


def test_a_click_on_a_running_session_shows_where_it_runs_and_copies_nothing(
    xfce: Desktop, installed: Deskbell, panel: Panel
) -> None:
    clipboard = installed.home / "clipboard"
    xclip = installed.home / "bin/xclip"
    xclip.write_text(f'#!/bin/sh\nexec cat > "{clipboard}"\n')
    xclip.chmod(0o755)
    installed.ask_permission()
    panel.wait_for("blocked", 1)
    wait_until(lambda: message(xfce), "the notification of the permission")
    before = message(xfce)
    panel.open_menu()
    xfce.xdotool("key", "Down", "Right", "Return")
    wait_until(lambda: message(xfce) not in (None, before), "the message that says where")
    assert not clipboard.exists()


def test_a_problem_is_on_the_icon_and_in_the_menu_until_it_is_mended(
    xfce: Desktop, installed: Deskbell, panel: Panel
) -> None:
    known = installed.home / "deskbell/config/claude.json"
    good = known.read_bytes()
    known.write_text("nonsense")
    panel.wait_for("problem")
    assert "Cannot read the state of the hooks: " in panel.tooltip()
    panel.open_menu()
    xfce.xdotool("key", "Escape")
    xfce.xdotool("mousemove", 640, 400)
    known.write_bytes(good)
    panel.wait_for("quiet")


def test_a_snooze_from_the_menu_is_seen_and_ended_there(xfce: Desktop, installed: Deskbell, panel: Panel) -> None:
    installed.ask_permission()
    panel.wait_for("blocked", 1)
    first_of_snooze = ("key", "Down", "Down", "Right", "Return")
    for state, count in (("snoozed", 1), ("blocked", 1)):
        panel.open_menu()
        xfce.xdotool(*first_of_snooze)
        xfce.xdotool("mousemove", 640, 400)
        panel.wait_for(state, count)


def test_the_start_at_login_is_ticked_in_the_menu(xfce: Desktop, installed: Deskbell, panel: Panel) -> None:
    entries = Path(installed.env["XDG_CONFIG_HOME"], "autostart")
    for wanted in (True, False):
        panel.open_menu()
        xfce.xdotool("key", "Up", "Up", "Right", "Return")  # the first line of the submenu "Deskbell"
        wait_until(lambda now=wanted: bool(list(entries.glob("*deskbell*"))) is now, f"at login: {wanted}")
        xfce.xdotool("mousemove", 640, 400)
        panel.wait_for("quiet")


def test_the_state_folder_may_be_deleted_at_any_time(installed: Deskbell, panel: Panel) -> None:
    installed.ask_permission()
    panel.wait_for("blocked", 1)
    shutil.rmtree(installed.state)
    panel.wait_for("quiet")
    installed.ask_permission("33333333-4444")
    panel.wait_for("blocked", 1)


def test_a_crash_stays_in_the_menu_and_over_a_restart_until_it_is_dismissed(
    xfce: Desktop, installed: Deskbell, panel: Panel
) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        installed.hook("UserPromptSubmit", pid=client.pid, prompt="ship it")
        installed.hook("PreToolUse", pid=client.pid, tool_name="Bash", tool_input={"command": "make"}, tool_use_id="u")
        panel.wait_for("working")
        client.kill()
    wait_until(lambda: "1 crashed" in panel.tooltip(), "the crash in the tooltip")
    wait_until(lambda: message(xfce), "the notification of the crash")
    noted = installed.state / "crashes.json"
    (before,) = json.loads(noted.read_bytes())["crashes"]

    assert installed.end() == (0, "")
    wait_until(lambda: "StatusNotifierItem-" not in xfce.items() and not message(xfce), "an empty desktop")
    installed.process = installed.start()
    panel.wait_for("quiet")
    wait_until(lambda: "1 crashed" in panel.tooltip(), "the crash in the tooltip of the next tray")
    assert not message(xfce), "a crash that is found at the start does not ring"
    panel.open_menu()
    wait_until(lambda: json.loads(noted.read_bytes())["crashes"][0]["until"] < before["until"], "that it was seen")
    assert json.loads(noted.read_bytes())["crashes"][0]["died"] == before["died"]
    xfce.xdotool("key", "Down", "Right", "Down", "Down", "Return")
    wait_until(lambda: "crashed" not in panel.tooltip(), "a tooltip without the crash")
    xfce.xdotool("mousemove", 640, 400)


def test_garbage_beside_the_records_disturbs_nothing(installed: Deskbell, panel: Panel) -> None:
    sessions = installed.state / "sessions"
    sessions.mkdir(parents=True, exist_ok=True)
    for number in range(300):
        (sessions / f"garbage{number}.json").write_bytes([b"", b"{", b"[]", b"\xff\x00", b'{"v": 99}'][number % 5])
    installed.ask_permission()
    panel.wait_for("blocked", 1)


def test_a_full_disk_is_on_the_icon_and_in_the_menu_until_it_has_room(
    xfce: Desktop, panel: Panel, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk", "8m", 2000) as disk:
        one = Deskbell(xfce, disk.path / "home", "--install")
        wait_until(lambda: b"deskbell_hooks" in one.settings.read_bytes(), "the hooks in the settings")
        panel.wait_for("quiet")
        disk.fill()
        one.ask_permission()  # no hook can record it, but its attempt wakes the loop
        panel.wait_for("problem")
        assert "Disk full, so events are lost: free space for ~/deskbell/state." in panel.tooltip()
        assert not panel.icon("blocked", 1)
        panel.open_menu()
        xfce.xdotool("key", "Escape")
        xfce.xdotool("mousemove", 640, 400)
        disk.free()
        panel.wait_for("quiet")
        one.ask_permission()
        panel.wait_for("blocked", 1)
        # The program may just be writing a file.
        wait_until(lambda: not any(name.endswith(".tmp") for name in disk.files()), "an end of temporary files")
        assert one.end()[0] == 0
        wait_until(lambda: "StatusNotifierItem-" not in xfce.items(), "the icon to leave the panel")


def test_a_second_start_has_the_first_one_show_what_it_sees(
    xfce: Desktop, installed: Deskbell, panel: Panel, tmp_path: Path
) -> None:
    (tmp_path / "home/deskbell/config/config.toml").write_text('[terminal]\ncommand = "xterm"\n')
    installed.ask_permission()
    panel.wait_for("blocked", 1)
    second = installed.start()
    output, _ = second.communicate(timeout=20)
    assert second.returncode == 0
    number = installed.process.pid
    assert output == f"Deskbell is already running (process {number}) and shows its sessions now: 1 blocked.\n"
    wait_until(lambda: xfce.xdotool("search", "--class", "xterm").strip(), "the board in a terminal")
    xfce.xdotool("search", "--class", "xterm", "windowkill", "%@")
    wait_until(lambda: not xfce.xdotool("search", "--class", "xterm").strip(), "the window to close")


def test_it_ends_with_the_session_so_that_the_next_one_gets_an_icon(fragile: Desktop, tmp_path: Path) -> None:
    fragile.panel_up()
    one = Deskbell(fragile, tmp_path / "home")
    wait_until(lambda: "StatusNotifierItem-" in fragile.items(), "the icon")
    fragile.panel_down()
    fragile.panel_up()
    wait_until(lambda: "StatusNotifierItem-" in fragile.items(), "the icon in the new panel")
    assert one.process.poll() is None
    fragile.panel_down()
    time.sleep(1.5)  # as at a logout: the display goes later
    fragile.stop("Xvfb")
    try:
        output, _ = one.process.communicate(timeout=20)
    finally:
        one.process.kill()
    assert (one.process.returncode, output) == (0, "")


def test_without_an_icon_it_runs_headless(xfce: Desktop, panel: Panel, tmp_path: Path) -> None:
    one = Deskbell(xfce, tmp_path / "home", "--headless", "--install")
    wait_until(lambda: b"deskbell_hooks" in one.settings.read_bytes(), "the hooks in the settings")
    wait_until((one.state / "deskbell.log").exists, "a running program")
    assert "StatusNotifierItem-" not in xfce.items()
    one.ask_permission()
    wait_until(lambda: message(xfce), "the notification on the screen")
    code, said = one.end(signal.SIGINT)
    assert code == 0
    assert re.fullmatch(rf"Installed: {re.escape(str(one.settings))}\. .*events are reported.*\n", said)
    wait_until(lambda: not message(xfce), "a screen without notifications")
