"""Test each real part behind the loop with an unexpected error: what the person sees, and how often it is tried.

Together with the tables of `test_broken_parts` these name every part of the program.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from dbus_fast import DBusError

from deskbell.asking import Asking, Choice
from deskbell.board import Board
from deskbell.desktop.clipboard import Clipboard
from deskbell.desktop.dnd.linux import BusDnd
from deskbell.desktop.focus import Eyes, SilentScreen
from deskbell.desktop.focus.kwin import KWin
from deskbell.desktop.focus.looker import Looker
from deskbell.desktop.logout import Departure
from deskbell.desktop.notify.delivery import LibraryNotifier
from deskbell.desktop.notify.linux import BusBackend
from deskbell.desktop.notify.reasons import LIBRARY
from deskbell.desktop.notify.remembered import Entry, Remembered
from deskbell.desktop.terminal_rings import TerminalRings
from deskbell.desktop.tmux.panes import Panes
from deskbell.desktop.tray.host import Host
from deskbell.desktop.tray.item import StatusNotifierItem
from deskbell.desktop.tray.sni import Icon
from deskbell.desktop.tray.xembed import GtkTray
from deskbell.desktop.watch import watch
from deskbell.home import home
from deskbell.notices.channels.outbox import Outbox
from deskbell.notices.notice import Request
from deskbell.notices.orders import InTerminal, Send
from deskbell.notices.policy import Policy
from deskbell.program.answering import Answering
from deskbell.program.assembly import Program
from deskbell.program.away import Away
from deskbell.program.boundary import BACKGROUND, Boundary
from deskbell.program.problems import SENTENCES, sentence
from deskbell.session import Place
from deskbell_hooks.panes import ON
from tests.tray.desktop.fake_daemon import Daemon
from tests.tray.desktop.notify.notices import a_notice
from tests.tray.desktop.notify.recorded import Recorded
from tests.tray.desktop.notify.test_delivery import Plain
from tests.tray.making import NOON, session
from tests.tray.notices.channels.ntfy_server import ntfy
from tests.tray.notices.channels.receiver import channel
from tests.tray.program.parts import named_parts, named_parts_of
from tests.tray.program.test_broken_parts import HEALTHY, TABLE, Parts
from tests.tray.program.test_parts import TESTED_HERE
from tests.tray.virtual_time import play
from tests.waiting import wait_in_loop


def fail(*_: object) -> Any:
    raise LookupError("boom")


def nothing(*_: object) -> None:
    """Be called."""


@pytest.fixture(autouse=True)
def log_of_the_library() -> Iterator[None]:
    """A notifier that is never stopped leaves its filter there, and another test would find it."""
    yield
    LIBRARY.filters.clear()


class OnBus(NamedTuple):
    part: str
    says: str
    start: Callable[[Boundary], object]


def _notifier(boundary: Boundary) -> LibraryNotifier:
    one = LibraryNotifier(BusBackend(boundary), nothing, boundary)
    one.start()
    return one


def _icon(boundary: Boundary) -> None:
    icon: Any = Icon("deskbell", supervisor=boundary, hosted=nothing)
    icon.run_detached(setup=nothing)


ON_BUS = (
    OnBus("tray connection", "Cannot put the icon into the panel: ", _icon),
    OnBus("focus", "Cannot find the focused window: ", lambda boundary: KWin().start(boundary)),
    OnBus("do not disturb", "Cannot read do-not-disturb: ", lambda boundary: BusDnd(boundary, nothing).start()),
    OnBus("notification daemon", "Cannot reach the notification daemon: ", _notifier),
)


@pytest.mark.parametrize("row", ON_BUS, ids=[row.part for row in ON_BUS])
def test_a_part_on_a_bus_whose_address_nobody_expects_is_shown_tried_again_and_recovers(
    row: OnBus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        parts = Parts()
        app = parts.app()
        running = asyncio.create_task(app.run())
        await asyncio.sleep(1)
        assert parts.seen() == HEALTHY
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "tcp:host=127.0.0.1,port=9999999")
        started = row.start(app.boundary)
        await asyncio.sleep(0.3)
        for line in parts.seen()[1:]:
            assert line.startswith(f"{row.says}OverflowError: ")
        await asyncio.sleep(100)
        assert app.boundary.attempts == {row.part: 7}  # after 1, 2, 4, 8, 16 and 32 seconds
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'no bus'}")
        await asyncio.sleep(75)  # the pause, and a while in which it runs well
        assert parts.seen() == HEALTHY
        if isinstance(started, LibraryNotifier):  # else its filter stays in the library's log, for the next tests
            await started.stop()
        app.quit()
        await running

    play(story())


class Stage(NamedTuple):
    boundary: Boundary
    folder: Path
    environment: pytest.MonkeyPatch
    bus: str = ""


Life = Callable[[Stage], AbstractAsyncContextManager[Boundary]]


@asynccontextmanager
async def _watching(stage: Stage) -> AsyncIterator[Boundary]:
    watcher = watch([stage.folder], fail, stage.boundary)
    (stage.folder / "new.json").write_text("{}")
    yield stage.boundary
    watcher.close()


@asynccontextmanager
async def _logged_out(stage: Stage) -> AsyncIterator[Boundary]:
    stage.environment.setenv("WAYLAND_DISPLAY", str(stage.folder / "gone"))
    departure = Departure(stage.boundary, fail)
    departure.hosted(True)
    departure.hosted(False)
    yield stage.boundary


class BrokenHooks:
    problem: str | None = None
    happened = ""
    answers = False
    examine = hooks = folders = targets = others = fail


class BrokenLogin:
    on: bool | None = None
    examine = fail


@asynccontextmanager
async def _program(stage: Stage) -> AsyncIterator[Boundary]:
    program = Program(home(), headless=True, hooks=BrokenHooks(), login=BrokenLogin())  # type: ignore[arg-type]
    running = asyncio.create_task(program.live())
    yield program.boundary
    program.app.quit()
    await running


@asynccontextmanager
async def _tidying(stage: Stage) -> AsyncIterator[Boundary]:
    def clock() -> float:
        return time.time() if threading.current_thread() is threading.main_thread() else fail()

    program = Program(home(), headless=True, clock=clock)
    tidying = asyncio.create_task(program._tidying._tidy())
    yield program.boundary
    tidying.cancel()


@asynccontextmanager
async def _answering(stage: Stage) -> AsyncIterator[Boundary]:
    boundary = Boundary()

    def wanted() -> Policy:
        return fail()  # type: ignore[no-any-return]

    away = Away.over(stage.folder / "outbox", time.time, nothing, boundary, time.time)
    Answering(home(), boundary, wanted, list, fail, nothing, nothing, nothing, time.time, away).start()
    yield boundary


@asynccontextmanager
async def _displaying(stage: Stage) -> AsyncIterator[Boundary]:
    backend = Recorded()
    backend.broken = {"request_authorisation"}
    notifier = LibraryNotifier(Plain(backend), nothing, stage.boundary)
    notifier.start()
    notifier.show(a_notice("api"))
    yield stage.boundary
    await notifier.stop()


@asynccontextmanager
async def _delivering(stage: Stage) -> AsyncIterator[Boundary]:
    backend = Recorded()
    backend.allowed = False
    notifier = LibraryNotifier(Plain(backend), fail, stage.boundary)
    notifier.start()
    notifier.show(a_notice("api"))
    yield stage.boundary
    await notifier.stop()


@asynccontextmanager
async def _clicking(stage: Stage) -> AsyncIterator[Boundary]:
    def hear(event: Any) -> None:
        if event.what == "clicked":
            fail()

    backend, shown = Recorded(), a_notice("api")
    notifier = LibraryNotifier(Plain(backend), hear, stage.boundary)
    notifier.start()
    notifier.show(shown)
    await wait_in_loop(lambda: backend.screen)
    await asyncio.sleep(0)
    backend.click(shown.slot)
    yield stage.boundary
    await notifier.stop()


@asynccontextmanager
async def _playing(stage: Stage) -> AsyncIterator[Boundary]:
    daemon = await Daemon(stage.bus).up()
    notifier = LibraryNotifier(BusBackend(stage.boundary, fail), nothing, stage.boundary)
    notifier.start()
    notifier.show(a_notice("api", sound="bell"))
    yield stage.boundary
    await notifier.stop()
    await daemon.down()


@asynccontextmanager
async def _remembering(stage: Stage) -> AsyncIterator[Boundary]:
    remembered = Remembered(stage.boundary, stage.folder / "no\0name")
    remembered.note("life", [Entry(slot="settings", number=1)])
    yield stage.boundary


class Opaque:
    """A session that says only that it goes on."""

    over = False


@asynccontextmanager
async def _marking(stage: Stage) -> AsyncIterator[Boundary]:
    (stage.folder / ON).touch()
    Panes(stage.folder, stage.boundary).show(Board((Opaque(),)))  # type: ignore[arg-type]
    yield stage.boundary


class NoChannels:
    def __iter__(self) -> Iterator[object]:
        return fail()  # type: ignore[no-any-return]


@asynccontextmanager
async def _sending(stage: Stage) -> AsyncIterator[Boundary]:
    policy = Policy().model_copy(update={"channels": NoChannels()})
    box = Outbox(stage.folder / "outbox", time.time, nothing, stage.boundary)
    box.start(policy)
    box.put([Send("phone", a_notice("api"))], policy)
    yield stage.boundary
    box.stop()


def works_in_the_loop() -> float:
    return time.time() if threading.current_thread() is threading.main_thread() else fail()


@asynccontextmanager
async def _hearing(stage: Stage) -> AsyncIterator[Boundary]:
    with ntfy() as server:
        policy = Policy(channels=(channel("ntfy", url=f"{server.url}/desk", answers=True),))
        away = Away.over(stage.folder / "outbox", time.time, nothing, stage.boundary, works_in_the_loop)
        away.pause = 0.01
        away.start(policy)
        asking = Asking("c0de", "Bash: npm test", ("npm test",), (Choice("deny", "Deny"),))
        away.put(
            [Send("one", a_notice("api", away=asking, about=(Request("a1", 1, "api", "permission", NOON),)))], policy
        )
        yield stage.boundary
        away.stop()


@asynccontextmanager
async def _ringing(stage: Stage) -> AsyncIterator[Boundary]:
    TerminalRings(stage.boundary, nothing, fail)([InTerminal(session(), a_notice("api"))])
    yield stage.boundary


class BrokenHold:
    serve = fail


@asynccontextmanager
async def _copying(stage: Stage) -> AsyncIterator[Boundary]:
    clipboard = Clipboard(stage.boundary, {"DISPLAY": ":7"}, lambda *_: BrokenHold())  # type: ignore[arg-type, return-value]
    clipboard.copy("text")
    yield stage.boundary


class BrokenEyes(Eyes):
    def focused(self, place: Place, pid: int | None) -> bool | None:
        return fail()  # type: ignore[no-any-return]


class OpenEyes(Eyes):
    def focused(self, place: Place, pid: int | None) -> bool | None:
        return True


class Hung:
    def hung(self) -> bool:
        return True

    def ask_again(self) -> None:
        fail()


@asynccontextmanager
async def _looking(stage: Stage) -> AsyncIterator[Boundary]:
    looker = Looker(stage.boundary, nothing, BrokenEyes(SilentScreen()))
    looker.focused(session())
    yield stage.boundary
    looker.stop()


@asynccontextmanager
async def _asking_again(stage: Stage) -> AsyncIterator[Boundary]:
    looker = Looker(stage.boundary, nothing, OpenEyes(SilentScreen()), Hung(), pause=0)
    looker.focused(session())
    yield stage.boundary
    looker.stop()


@asynccontextmanager
async def _activating(stage: Stage) -> AsyncIterator[Boundary]:
    with suppress(DBusError):
        StatusNotifierItem(stage.boundary, "deskbell", fail).answer(fail)
    yield stage.boundary


class BrokenGtk:
    run = fail
    stop = nothing


@asynccontextmanager
async def _in_an_older_panel(stage: Stage) -> AsyncIterator[Boundary]:
    tray = GtkTray(stage.boundary, BrokenGtk(), fail, fail)  # type: ignore[arg-type]
    tray.pause = 0.01
    tray.start()
    yield stage.boundary
    tray.stop()


@asynccontextmanager
async def _without_host(stage: Stage) -> AsyncIterator[Boundary]:
    Host(stage.boundary, fail, {}, grace=0).hosted(False)
    yield stage.boundary


class Row(NamedTuple):
    part: str
    says: str
    life: Life
    tries: int = 1
    """How often it is tried within a few seconds in which nothing else happens; 2 stands for again and again."""
    bus: bool = False


REAL = (
    Row("file watcher", "Deskbell notices late when files change: LookupError: ", _watching, 2),
    Row("logout", "Deskbell does not notice a logout: LookupError: ", _logged_out, 2),
    Row("start at login", "Cannot check whether Deskbell starts at login: LookupError: ", _program, 2),
    Row("examination of the hooks", "Cannot examine the hooks: LookupError: ", _program, 2),
    Row("hooks", "Cannot read the state of the hooks: LookupError: ", _program, 2),
    Row("folders of the settings", "Deskbell notices late when Claude Code's settings change: Look", _program),
    Row("answers", "Cannot answer sessions from here: LookupError: ", _answering, 2),
    Row("history", "Cannot remove old sessions: LookupError: ", _tidying),
    Row("display of notifications", "Cannot display notifications: RuntimeError: ", _displaying, 2),
    Row("delivery of notifications", "Cannot deliver notifications: LookupError: ", _delivering),
    Row("clicks on notifications", "The last click on a notification did not work: LookupError: ", _clicking),
    Row("sound", "Cannot play the sound: LookupError: ", _playing, bus=True),
    Row("memory of the screen", "Cannot remember which notifications are on the screen: Value", _remembering),
    Row("panes of tmux", "Cannot show the sessions in the panes of tmux: AttributeError: ", _marking),
    Row("channels", "Cannot send messages through the channels: LookupError: ", _sending),
    Row("answers from away", "Cannot receive answers from your phone: LookupError: ", _hearing, 2),
    Row("rings in terminals", "Cannot ring in the terminals of sessions: LookupError: ", _ringing),
    Row("clipboard", "Cannot keep a text on the clipboard: LookupError: ", _copying),
    Row("focused session", "Cannot tell which session you look at: LookupError: ", _looking),
    Row("helpers of the focus", "Cannot ask again which window is focused: LookupError: ", _asking_again),
    Row("panel", "Cannot answer the panel, which draws the icon and its menu: LookupError: ", _activating),
    Row("spare tray", "The icon for older (XEmbed) panels does not work: LookupError: ", _in_an_older_panel, 2),
    Row("search for a tray", "Cannot look for another tray: LookupError: ", _without_host),
)


@pytest.mark.long
@pytest.mark.parametrize("row", REAL, ids=[row.part for row in REAL])
def test_a_real_part_that_raises_is_shown_and_tried_again_where_it_is_kept(
    row: Row, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with row.life(Stage(Boundary(), tmp_path, monkeypatch, address)) as boundary:
            await wait_in_loop(lambda: boundary.attempts.get(row.part, 0) >= row.tries, row.part)
            assert sentence(row.part, boundary.broken[row.part]).startswith(row.says)
        await boundary.stopped()

    address = request.getfixturevalue("address") if row.bus else ""
    asyncio.run(story())


CLICK = "clicks"
"""See test_a_click_that_raises_is_shown_until_the_next_one_works in `test_broken_parts`."""


def test_the_tables_name_every_part_of_the_program() -> None:
    tables = [row.part for row in (*TABLE, *ON_BUS, *REAL)]
    assert {*tables, CLICK, BACKGROUND, *TESTED_HERE} == named_parts() == SENTENCES.keys()


DRAWS_AGAIN = "tray"
"""A call of the loop draws again what a task could not draw."""
JUDGES = "answers"
"""Each of its tasks and threads judges a request."""


def test_no_part_has_two_different_jobs() -> None:
    """If one works, it takes the error of the other off the screen: a call of the loop even before it is drawn."""
    started = named_parts_of("keep", "once", "thread", "guarded", "listen")
    assert named_parts_of("call") & started == {DRAWS_AGAIN}
    assert named_parts_of("thread") & named_parts_of("once") == {JUDGES}
