"""Test the real parts, assembled without a screen and run for a moment on a private session bus."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from deskbell.desktop.notify import entry
from deskbell.desktop.tray import SilentTray
from deskbell.desktop.tray.xembed import Spared
from deskbell.face import Face, Tray
from deskbell.face.actions import CopyResume, Open, Quit, Snooze
from deskbell.home import claude_dir, home
from deskbell.notices import decisions
from deskbell.notices.judge import ANSWER_OF_HOOK
from deskbell.notices.quiet import read
from deskbell.program import assembly
from deskbell.program.assembly import Program
from deskbell.program.greeting import GREETED, TOLD_OF_THE_ICON
from deskbell.program.single import ask_to_show
from deskbell.settings.hooks_state import InstalledHooks
from tests.hooks import recorder
from tests.hooks.said import e
from tests.small_disk import small_disk
from tests.tray.desktop.fake_daemon import Daemon, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a session bus")


Story = Callable[[Program, Daemon], Awaitable[None]]


def lived(address: str, story: Story, greeted: bool = True) -> Program:
    """Run a headless program beside a notification daemon while STORY goes on, then have it quit."""
    home().config.mkdir(parents=True, exist_ok=True)
    if greeted:
        (home().config / GREETED).touch()

    async def live() -> Program:
        daemon = await Daemon(address).up()
        program = Program(home(), headless=True)
        running = asyncio.create_task(program.live())
        try:
            await until(lambda: program.app.facts().hooks != "unknown" or program.boundary.broken, "an examination")
            await story(program, daemon)
        finally:
            program.app.click(Quit())
            await asyncio.wait_for(running, 30)
            await daemon.down()
        return program

    return asyncio.run(live())


def ask_permission(start: str = "", now: str = "") -> None:
    """A client that was started in the folder START asks in the folder NOW."""
    environment = os.environ | {"CLAUDE_PID": str(os.getpid())}
    for event in (
        e("SessionStart", source="startup", cwd=start),
        e("UserPromptSubmit", prompt="ship it", cwd=start),
        e("PermissionRequest", tool_name="Bash", tool_input={"command": "npm publish"}, cwd=now),
    ):
        command = [*recorder.COMMAND, str(home().state)]
        subprocess.run(command, input=recorder.said(event), env=environment, check=True)


def titles(daemon: Daemon) -> list[str]:
    return [shown.title for shown in daemon.screen.values()]


def test_a_hook_reaches_the_notification_daemon(address: str) -> None:
    async def story(program: Program, daemon: Daemon) -> None:
        await asyncio.to_thread(ask_permission)
        await until(lambda: any("npm publish" in shown.title for shown in daemon.screen.values()), "the ring")
        assert [session.status for session in program.app.board.sessions] == ["permission"]
        assert program.boundary.broken == {}

    lived(address, story)


def test_gnome_on_wayland_comes_to_know_the_program(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"XDG_CURRENT_DESKTOP": "GNOME", "WAYLAND_DISPLAY": "x", "XDG_DATA_HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)

    async def story(program: Program, daemon: Daemon) -> None:
        await until((tmp_path / "applications" / entry.NAME).exists, "the entry")

    lived(address, story)


def test_the_terminal_is_told_how_the_program_runs(address: str) -> None:
    said: list[str] = []

    async def live() -> None:
        program = Program(home(), headless=True, tell=said.append)
        running = asyncio.create_task(program.live())
        await until(lambda: said, "the sentence")
        program.app.click(Quit())
        await asyncio.wait_for(running, 30)

    asyncio.run(live())
    assert said == ["Deskbell is running without an icon. Ctrl+C ends it."]


def test_a_second_start_is_answered_and_shows_the_board(address: str) -> None:
    async def story(program: Program, daemon: Daemon) -> None:
        assert await asyncio.to_thread(ask_to_show, home().state)
        await until(lambda: titles(daemon) == ["No session is running"], "the board")
        await asyncio.to_thread(ask_permission)
        await until(lambda: any("npm publish" in title for title in titles(daemon)), "the ring")
        assert "No session is running" not in titles(daemon), "that is no longer so"

    lived(address, story)


def test_a_ring_without_a_notification_daemon_is_not_said_to_be_shown(address: str) -> None:
    async def story(program: Program, daemon: Daemon) -> None:
        def verdicts() -> list[str]:
            return [one.verdict for one in decisions.read(home().state, 99) if one.project]

        await daemon.down()
        await asyncio.to_thread(ask_permission)
        await until(lambda: "not displayed" in verdicts(), "that nothing displays it")
        assert "shown" not in verdicts()
        daemon.screen.clear()
        await daemon.up()
        await until(lambda: verdicts()[-1] == "displayed", "that it is displayed")
        assert "shown" not in verdicts()
        (shown,) = daemon.screen.values()
        assert "npm publish" in shown.title

    lived(address, story)


APPROVING = {"matcher": "Bash", "hooks": [{"type": "command", "command": "approve"}]}
SETTINGS = json.dumps({"hooks": {"PermissionRequest": [APPROVING]}})


def test_a_request_waits_for_the_answer_of_another_hook_before_it_rings(address: str) -> None:
    claude_dir().mkdir(parents=True, exist_ok=True)

    async def story(program: Program, daemon: Daemon) -> None:
        patience = program.app.bell.patience  # type: ignore[attr-defined]  # it is a NewsBell
        assert patience(program.app.board) == 0
        (claude_dir() / "settings.json").write_text(SETTINGS)
        assert patience(program.app.board) == 0
        await asyncio.to_thread(ask_permission)
        await until(lambda: any("npm publish" in shown.title for shown in daemon.screen.values()), "the ring")
        assert patience(program.app.board) == ANSWER_OF_HOOK
        (asked,) = program.app.board.sessions
        (ring,) = [one for one in decisions.read(home().state, 99) if one.verdict == "shown"]
        assert ring.at - asked.since >= ANSWER_OF_HOOK

    lived(address, story)


def test_the_hooks_of_a_project_count_wherever_its_client_has_gone_since(address: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.json").write_text(SETTINGS)
    claude_dir().mkdir(parents=True, exist_ok=True)

    async def story(program: Program, _: Daemon) -> None:
        await asyncio.to_thread(ask_permission, str(project), str(project / "src"))
        await until(lambda: program.app.board.blocked, "the request")
        assert program.app.bell.patience(program.app.board) == ANSWER_OF_HOOK  # type: ignore[attr-defined]  # a NewsBell

    lived(address, story)


def test_the_welcome_is_shown_the_first_time(address: str) -> None:
    async def welcomed(_: Program, daemon: Daemon) -> None:
        await until(lambda: titles(daemon) == ["Deskbell is here"], "the welcome")

    lived(address, welcomed, greeted=False)
    assert (home().config / GREETED).exists()


def test_the_welcome_goes_once_the_hooks_are_installed_from_anywhere(address: str) -> None:
    async def installed(program: Program, daemon: Daemon) -> None:
        await until(lambda: titles(daemon) == ["Deskbell is here"], "the welcome")
        await asyncio.to_thread(InstalledHooks(home()).change, "install")
        program.app.wake()
        await until(lambda: titles(daemon) == [], "an empty screen")

    lived(address, installed, greeted=False)


def test_what_breaks_outside_every_part_is_on_the_icon(address: str) -> None:
    def fail() -> None:
        raise LookupError("boom")

    async def story(program: Program, _: Daemon) -> None:
        faces: list[Face] = []
        program.app.tray.show = faces.append  # type: ignore[method-assign]
        asyncio.get_running_loop().call_soon(fail)
        await until(lambda: faces and faces[-1].look.state == "problem", "the problem")
        assert faces[-1].menu[1].text == "Something in the background failed: LookupError: boom"

    lived(address, story)


def test_a_mistake_in_the_settings_is_on_the_icon_and_in_the_menu_until_it_is_corrected(address: str) -> None:
    """Its notification goes; the icon and the first row of the menu stay, also while a session is blocked."""

    async def story(program: Program, daemon: Daemon) -> None:
        faces: list[Face] = []
        program.app.tray.show = faces.append  # type: ignore[method-assign]
        (home().config / "config.toml").write_text("[burst]\nmore_than = 0\n")
        program.app.wake()
        await until(lambda: faces and faces[-1].look.state == "problem", "the problem")
        await until(lambda: titles(daemon) == ["Deskbell: a mistake in the settings"], "the notification")
        daemon.close(next(iter(daemon.screen)), 2)
        await asyncio.to_thread(ask_permission)
        await until(lambda: faces[-1].look.state == "blocked", "the request")
        row = faces[-1].menu[1]
        assert (row.key, row.action) == ("problem", Open("doctor"))
        assert "config.toml, line 2: burst.more_than" in row.text
        assert "config.toml, line 2" in faces[-1].look.tooltip
        (home().config / "config.toml").write_text("")
        program.app.wake()
        await until(lambda: faces[-1].menu[1].key != "problem", "the end of the problem")

    lived(address, story)


def test_clicks_are_carried_out_and_refused_with_a_reason(address: str) -> None:
    async def story(program: Program, daemon: Daemon) -> None:
        program.app.click(Snooze("1h"))
        await until(lambda: read(home().state).snoozed_until, "the snooze")
        await until(lambda: program.app.facts().snoozed_until, "the snooze in the menu")
        program.app.click(CopyResume(("gone", 1)))
        await until(lambda: titles(daemon) == ["Could not copy the resume command"], "the reason")

    lived(address, story)


def test_hooks_whose_settings_are_not_known_are_unknown_and_a_problem(address: str) -> None:
    home().config.mkdir(parents=True)
    (home().config / "claude.json").write_text("nonsense")

    async def story(program: Program, _: Daemon) -> None:
        await until(lambda: "hooks" in program.boundary.broken, "the problem")
        assert program.app.facts().hooks == "unknown"
        assert set(program.boundary.broken) == {"hooks", "folders of the settings"}
        assert all(str(home().config) in error for error in program.boundary.broken.values())
        (home().config / "claude.json").unlink()
        program.app.wake()
        await until(lambda: "hooks" not in program.boundary.broken, "the end of the problem")

    lived(address, story)


@pytest.mark.long
def test_a_full_disk_is_told_on_the_icon_and_in_the_menu_until_it_has_room(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No hook can record, no wake comes: the next turn of the loop tells."""
    with small_disk(tmp_path / "disk", "4m") as disk:
        monkeypatch.setenv("DESKBELL_HOME", str(disk.path / "deskbell"))

        async def story(program: Program, _: Daemon) -> None:
            faces: list[Face] = []
            program.app.tray.show = faces.append  # type: ignore[method-assign]
            await asyncio.to_thread(ask_permission)
            await until(lambda: program.app.board.blocked, "the request")
            disk.fill()
            program.app.wake()
            await until(lambda: faces and faces[-1].menu[1].key == "problem", "the problem")
            assert faces[-1].menu[1].text.startswith("Disk full, so events are lost: free space for …/")
            assert faces[-1].menu[1].text in faces[-1].look.tooltip
            await asyncio.to_thread(ask_permission)
            assert not [name for name in disk.files() if ".tmp" in name]
            disk.free()
            await until(lambda: faces[-1].menu[1].key != "problem", "the end of the problem")

        lived(address, story)


def test_it_runs_as_a_program_and_ends_on_a_signal(address: str) -> None:
    """The only test that goes the whole way; coverage counts it by `patch = ["subprocess"]`."""
    with subprocess.Popen(
        [sys.executable, "-m", "deskbell", "run", "--headless"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        log = home().state / "deskbell.log"

        async def started() -> None:
            await until(lambda: (home().config / GREETED).exists(), "the running program")

        asyncio.run(started())
        process.terminate()
        assert process.communicate(timeout=30) == ("", None)
        assert process.returncode == 0
        assert "Deskbell ends" in log.read_text()
        assert "Traceback" not in log.read_text()


def test_a_click_finds_a_session_that_ended_long_ago(private_home: Path) -> None:
    program = Program(home(), headless=True)
    for name in ("s1", "s2"):
        record = {"v": 1, "session_id": name, "status": "ended", "turn": "ended", "since": 5.0, "last_at": 5.0}
        home().sessions.mkdir(parents=True, exist_ok=True)
        (home().sessions / f"{name}.json").write_text(json.dumps({**record, "where": {"pid": 7, "start": 1}}))
    assert [session.key for session in program._recorded(("s1", 7))] == [("s1", 7)]


@pytest.mark.parametrize("at_the_start", [0.0, 365 * 86400.0])
def test_a_clock_that_is_a_year_ahead_removes_no_session(private_home: Path, at_the_start: float) -> None:
    ahead = [at_the_start]
    program = Program(home(), headless=True, clock=lambda: time.time() + ahead[0])
    ask_permission()
    ahead[0] = 365 * 86400.0
    assert program._tidying._prune().removed == []


def test_where_the_spare_tray_cannot_be_used_the_person_reads_that_there_is_no_icon() -> None:
    def fail() -> Tray:
        raise LookupError("no spare tray")

    said = list[str]()
    program = Program(home(), headless=True, tell=said.append)
    program._tray = Spared(SilentTray(), fail)
    with pytest.raises(LookupError):
        program._without_icon("No tray found.")
    assert [sentence.partition(".")[0] for sentence in said] == ["No tray found"]
    assert (home().config / TOLD_OF_THE_ICON).exists()


class Examined(InstalledHooks):
    """Hooks whose examination takes no time, and has failed if `problem` says so."""

    examinations = 0

    def examine(self) -> None:
        self.examinations += 1
        self.problem = None


def test_hooks_that_could_not_be_examined_for_a_click_are_examined_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "EXAMINE_AGAIN", 0.02)

    async def story() -> None:
        hooks = Examined(home())
        program = Program(home(), headless=True, hooks=hooks)
        running = asyncio.create_task(program.live())
        await until(lambda: hooks.examinations, "the first examination")
        await asyncio.sleep(0.1)
        assert hooks.examinations == 1
        hooks.problem = "The hooks cannot be examined: no Python."
        await until(lambda: hooks.problem is None, "another one")
        assert hooks.examinations == 2
        program.app.quit()
        await running

    asyncio.run(story())
