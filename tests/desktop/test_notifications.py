"""Test notifications on real daemons, as pixels and with a real pointer, and what the person looks at."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PIL import Image

from deskbell.desktop.dnd.linux import BusDnd
from deskbell.desktop.focus import Eyes, screen
from deskbell.desktop.notify import notifier
from deskbell.face.actions import Details, Jump, Reply
from deskbell.notices.notice import Button, Inline, Notice, notice, summary
from deskbell.notices.policy import Policy
from deskbell.notices.screen import Notifier, ScreenEvent
from deskbell.program.boundary import Boundary
from deskbell.session import Place
from tests.client.hearing import Hearing
from tests.desktop.desktop import Box, Daemon, Desktop, desktop, difference
from tests.tray.story import NOON, session

DAEMONS: tuple[Daemon, ...] = ("xfce4-notifyd", "dunst")
HOSTILE = (
    "<b>bold</b> <a href='http://x'>go</a> & \x1b[31mred \u202egnp.exe Z"
    + "\u0335" * 50
    + " 🇫🇷👨‍👩‍👧 "
    + "x" * 1_000_000
)


def stop_for(absent: list[str]) -> None:
    if absent:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            f"missing {', '.join(absent)}: see tests/system-packages.sh"
        )


@pytest.fixture(scope="module", params=DAEMONS)
def real(parts: None, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    with desktop(tmp_path_factory.mktemp("desk"), request.param, panel=False) as one:
        yield one


def a(project: str, detail: str = "Bash: make", status: str = "permission") -> Notice:
    return notice(session(project, status, detail=detail), Policy(), "at once", NOON)  # type: ignore[arg-type]  # a status


@dataclass
class Scene:
    desk: Desktop
    notifier: Notifier
    told: list[ScreenEvent] = field(default_factory=list)

    def where(self, before: Image.Image) -> Box | None:
        return difference(before, self.desk.shot())

    async def displayed(self, times: int) -> None:
        await until(lambda: [t.what for t in self.told].count("displayed") >= times, f"{times} to be displayed")

    async def still(self) -> Image.Image:
        """Return the screen once it has stopped changing."""
        before = self.desk.shot()
        while True:
            await asyncio.sleep(0.15)
            after = self.desk.shot()
            if difference(before, after) is None:
                return after
            before = after


async def until(condition: Callable[[], object], what: str, patience: float = 20.0) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    while not condition():
        assert loop.time() < end, f"waited in vain for {what}"
        await asyncio.sleep(0.02)


@asynccontextmanager
async def scene(desk: Desktop) -> AsyncIterator[Scene]:
    told: list[ScreenEvent] = []
    supervisor = Boundary()
    one = Scene(desk, notifier(told.append, supervisor), told)
    one.notifier.start()
    try:
        yield one
    finally:
        await one.notifier.stop()
        await supervisor.stopped()
    assert supervisor.broken == {}


def play(desk: Desktop, story: Callable[[Scene], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desk.env["DBUS_SESSION_BUS_ADDRESS"])

    async def within() -> None:
        async with scene(desk) as one, asyncio.timeout(60):
            await story(one)  # type: ignore[misc]  # a coroutine function

    asyncio.run(within())


def test_a_notice_is_seen_replaced_in_place_and_taken_away(real: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(on: Scene) -> None:
        empty = await on.still()
        on.notifier.show(a("api"))
        await until(lambda: on.where(empty), "pixels")
        first = await on.still()
        on.notifier.show(a("api", "Bash: make install"))
        await until(lambda: on.where(first), "other pixels")
        one, two = difference(empty, first), difference(empty, await on.still())
        assert one
        assert two
        assert abs(one[3] - two[3]) < 8, "nothing is stacked below"
        on.notifier.withdraw(a("api").slot)
        await until(lambda: on.where(empty) is None, "an empty screen")

    play(real, story, monkeypatch)


def test_a_field_for_a_text_changes_nothing_where_the_daemon_has_none(
    real: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(on: Scene) -> None:
        empty = await on.still()
        on.notifier.show(a("api"))
        await until(lambda: on.where(empty), "pixels")
        without = await on.still()
        assert not on.notifier.takes_text
        on.notifier.show(replace(a("api"), inline=Inline("Reply to Claude", Reply(("api-id", 1)))))
        await on.displayed(2)
        assert difference(without, await on.still()) is None

    play(real, story, monkeypatch)


def test_two_sessions_are_two_and_a_summary_is_one(real: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(on: Scene) -> None:
        empty = await on.still()
        on.notifier.show(a("api"))
        await on.displayed(1)
        one = difference(empty, await on.still())
        on.notifier.show(a("web"))
        await on.displayed(2)
        two = difference(empty, await on.still())
        assert one
        assert two
        assert two[3] - two[1] > 1.5 * (one[3] - one[1])
        for name in ("api", "web"):
            on.notifier.withdraw(a(name).slot)
        on.notifier.show(summary([session(f"p{n}", "permission") for n in range(7)], Policy(), "many"))
        await on.displayed(3)
        await until(lambda: on.where(empty), "pixels")

    play(real, story, monkeypatch)


def test_hostile_text_is_shown_and_does_no_harm(real: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(on: Scene) -> None:
        empty = await on.still()
        on.notifier.show(
            notice(session(HOSTILE, "permission", detail=HOSTILE, title=HOSTILE), Policy(), "at once", NOON)
        )
        await on.displayed(1)
        await until(lambda: on.where(empty), "pixels")
        shown = difference(empty, await on.still())
        assert shown
        assert shown[3] - shown[1] < 260, "it stays a small thing"
        on.notifier.show(a("after"))
        await on.displayed(2)

    play(real, story, monkeypatch)


def test_a_real_click_comes_back_as_a_jump_to_the_session(real: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(on: Scene) -> None:
        empty = await on.still()
        on.notifier.show(a("api"))
        await until(lambda: on.where(empty), "pixels")
        box = difference(empty, await on.still())
        assert box
        # the first button of xfce4-notifyd; anywhere on dunst
        real.click(box[0] + 60, box[3] - 30)
        await until(lambda: any(t.what == "clicked" for t in on.told), f"the click {on.told}")
        (click,) = (t for t in on.told if t.what == "clicked")
        assert click.action == Jump(("api-id", 414))
        real.xdotool("mousemove", 5, 700)
        await until(lambda: on.where(empty) is None, "an empty screen")

    play(real, story, monkeypatch)


def test_a_request_whose_details_are_looked_at_comes_back_and_rings_once(
    real: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(on: Scene) -> None:
        empty = await on.still()
        details = Button("details", "Show details", Details(("api-id", 414)))
        asked = a("api")
        asked = replace(asked, sound="bell", click=details.action, buttons=(details, *asked.buttons[1:]))
        with Hearing(real.env["DBUS_SESSION_BUS_ADDRESS"]) as hearing:
            on.notifier.show(asked)
            await on.displayed(1)
            for times in (1, 2):
                await until(lambda: on.where(empty), "pixels")
                before = await on.still()
                left, _, _, bottom = on.where(empty) or (0, 0, 0, 0)
                real.click(left + 60, bottom - 30)  # the button of xfce4-notifyd; anywhere on dunst
                await on.displayed(times + 1)
                await until(lambda before=before: on.where(before) is None, "the same picture again")  # type: ignore[misc]  # a default
            clicks = [told for told in on.told if told.what == "clicked"]
            assert [(told.action, told.stays) for told in clicks] == [(details.action, True)] * 2
            assert [told.what for told in on.told if told.what == "closed"] == []
            assert [letter.rings for letter in hearing.letters] == [True, False, False]
            on.notifier.withdraw(asked.slot)
            real.xdotool("mousemove", 5, 700)
            await until(lambda: on.where(empty) is None, "an empty screen")

    play(real, story, monkeypatch)


def test_what_expires_was_not_dismissed(real: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(on: Scene) -> None:
        real.xdotool("mousemove", 5, 700)  # a notification under the pointer stays
        on.notifier.show(replace(a("api"), urgency="low"))
        await on.displayed(1)
        await until(lambda: any(told.what == "closed" for told in on.told), "its end", patience=40.0)
        assert [told.by_person for told in on.told if told.what == "closed"] == [False]

    play(real, story, monkeypatch)


def test_a_daemon_that_is_restarted_rings_nothing_again(fragile: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(on: Scene) -> None:
        with Hearing(on.desk.env["DBUS_SESSION_BUS_ADDRESS"]) as hearing:
            for turn, daemon in enumerate((*DAEMONS, *DAEMONS), 1):
                on.desk.notifications_up(daemon)
                on.notifier.show(replace(a(f"p{turn}"), sound="bell"))
                await on.displayed(sum(range(turn + 1)))
                on.desk.stop(daemon)
            rung = [letter.title.partition(" ")[0] for letter in hearing.letters if letter.rings]
            assert rung == ["p1", "p2", "p3", "p4"]
            assert len(hearing.letters) == 1 + 2 + 3 + 4

    play(fragile, story, monkeypatch)


def test_another_daemon_takes_over_what_is_still_wanted(fragile: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(on: Scene) -> None:
        empty = await on.still()
        on.notifier.show(a("api"))
        await until(lambda: any(t.what == "lost" for t in on.told), "lost, because there is no daemon")
        for turn, daemon in enumerate((*DAEMONS, *DAEMONS), 1):
            on.desk.notifications_up(daemon)
            await on.displayed(turn)
            await until(lambda: on.where(empty), "pixels")
            on.desk.stop(daemon)
            await until(lambda: on.where(empty) is None, "the screen of a dead daemon")
        changes = [t.what for t in on.told if t.what in ("lost", "back")]
        assert changes == (["lost", "back"] * 9)[: len(changes)]

    play(fragile, story, monkeypatch)


def test_a_paused_dunst_is_do_not_disturb(fragile: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(on: Scene) -> None:
        boundary = Boundary()
        dnd = BusDnd(boundary, lambda: None)
        dnd.start()
        for paused, said in (("true", "dunst is paused"), ("false", None)):
            subprocess.run(["dunstctl", "set-paused", paused], env=on.desk.env, check=True)
            await until(lambda said=said: dnd.now() == said, str(said))  # type: ignore[misc]  # a default
        dnd.stop()
        await boundary.stopped()

    fragile.notifications_up("dunst")
    play(fragile, story, monkeypatch)


def xterm(desk: Desktop, out: Path, *command: str) -> subprocess.Popen[bytes]:
    """Start a terminal whose program writes its own pid and window into OUT, then waits."""
    script = f'echo "$$ $WINDOWID" > {out}.new; mv {out}.new {out}; {" ".join(command) or "sleep 600"}'
    return subprocess.Popen(["xterm", "-e", "sh", "-c", script], env=desk.env)


def written(file: Path) -> tuple[int, Place]:
    pid, window = file.read_text().split()
    return int(pid), Place(None, (("WINDOWID", window),))


def test_the_terminal_and_the_pane_with_the_focus_are_the_ones_the_person_looks_at(
    fragile: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_for([name for name in ("xterm", "tmux") if not shutil.which(name)])

    async def story(on: Scene) -> None:
        eyes = Eyes(screen({"DISPLAY": on.desk.env["DISPLAY"]}))
        socket, first, second = (tmp_path / name for name in ("tmux", "first", "second"))
        tmux = ["tmux", "-S", str(socket)]

        def ask(*words: str) -> str:
            return subprocess.run([*tmux, *words], check=False, capture_output=True, text=True).stdout.strip()

        terminals = [
            xterm(on.desk, first),
            xterm(on.desk, second, f"tmux -S {socket} -f /dev/null new-session -s one cat"),
        ]
        await until(lambda: first.exists() and second.exists() and ask("list-clients"), "both terminals")
        (pid, place), (_, other) = written(first), written(second)
        pane, inside_pid = ask("display-message", "-p", "#{pane_id} #{pane_pid}").split()
        # the WINDOWID of a pane is that of the terminal in which its server was first started
        stale = (("TMUX", f"{socket},1,0"), ("TMUX_PANE", pane), ("WINDOWID", place.handle("WINDOWID") or ""))
        inside = Place(None, stale)

        on.desk.xdotool("windowactivate", "--sync", place.handle("WINDOWID") or "")
        await until(lambda: eyes.focused(place, pid) is True, "the first terminal to be looked at")
        assert eyes.focused(inside, int(inside_pid)) is False
        on.desk.xdotool("windowactivate", "--sync", other.handle("WINDOWID") or "")
        await until(lambda: eyes.focused(inside, int(inside_pid)) is True, "the pane to be looked at")
        assert eyes.focused(place, pid) is False
        ask("split-window", "-t", "one", "cat")
        assert eyes.focused(inside, int(inside_pid)) is False
        ask("select-pane", "-t", pane)
        assert eyes.focused(inside, int(inside_pid)) is True
        ask("new-window", "-t", "one", "cat")
        assert eyes.focused(inside, int(inside_pid)) is False
        ask("kill-server")
        for terminal in terminals:
            terminal.terminate()
            terminal.wait(10)
        eyes.screen.stop()

    play(fragile, story, monkeypatch)
