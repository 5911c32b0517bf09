"""Test each part of the loop with an unexpected error: what the person sees, how often it is tried, that it recovers.

The clock jumps from timer to timer, so the minutes of this table pass at once.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from deskbell.board import Board
from deskbell.changes import Changes
from deskbell.face import Face
from deskbell.face.actions import Action, Open
from deskbell.face.facts import Facts
from deskbell.program.boundary import Boundary
from deskbell.program.loop import App
from deskbell.session import Session
from tests.tray.making import NOON, session
from tests.tray.virtual_time import play

TOKEN = "ghp_" + "a1B2" * 9


class Parts:
    """Every adapter of the loop. What is in `broken` raises at every call."""

    def __init__(self, *broken: str, kind: type[BaseException] = LookupError) -> None:
        self.broken = set(broken)
        self.kind = kind
        self.calls: Counter[str] = Counter()
        self.face: Face | None = None
        self.rung = Board()
        self.snoozed: float | None = None
        self.later: dict[str, float] = {}
        self.full: str | None = None

    def call(self, name: str) -> None:
        self.calls[name] += 1
        if name in self.broken:
            raise self.kind(f"{name} with {TOKEN}\nand a second line")

    def facts(self) -> Facts:
        self.call("facts")
        return Facts(hooks=Worded(self), snoozed_until=self.snoozed, later=self.later)  # type: ignore[arg-type]

    def attach(self, sessions: Sequence[Session]) -> Sequence[Session]:
        self.call("attach")
        return Unordered(self, sessions)

    def note(self, sessions: Sequence[Session], now: float) -> None:
        self.call("note")

    def publish(self, board: Board | None, now: float) -> None:
        self.call("publish")

    def used_up(self, facts: Facts, now: float) -> None:
        self.call("used_up")

    def mark(self, board: Board | None) -> None:
        self.call("mark")

    def is_asked_to_show(self, now: float) -> bool:
        self.call("is_asked_to_show")
        return False

    def problems(self) -> Sequence[str]:
        self.call("problems")
        return ()

    def app(self) -> App:
        loop = asyncio.get_running_loop()
        return App(
            Sessions(self),
            self.facts,
            Ears(self),
            Tray(self),
            Bell(self),
            Hands(self),
            clock=lambda: NOON + loop.time(),
            storage=Disk(self),
            problems=self.problems,
            is_asked_to_show=self.is_asked_to_show,
            attach=self.attach,
            note=self.note,
            publish=self.publish,
            used_up=self.used_up,
            mark=self.mark,
        )

    def seen(self) -> tuple[str, str, str]:
        """The state of the icon, its tooltip, and the first line of the menu."""
        assert self.face
        first = next(item.text for item in self.face.menu if item.text and not item.hidden)
        return self.face.look.state, self.face.look.tooltip, first


class Unordered(tuple[Session, ...]):
    """Sessions that only the board goes through."""

    def __new__(cls, parts: Parts, sessions: Sequence[Session]) -> "Unordered":
        made = super().__new__(cls, sessions)
        made.parts = parts
        return made

    parts: Parts

    def __iter__(self) -> Iterator[Session]:
        self.parts.call("order")
        return super().__iter__()


class Worded(str):
    """The state of the hooks. Only the menu puts it into words: it compares it with those that it knows."""

    def __new__(cls, parts: Parts) -> "Worded":
        made = super().__new__(cls, "installed")
        made.parts = parts
        return made

    parts: Parts
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        self.parts.call("menu")
        return str.__eq__(self, other)


class Part:
    def __init__(self, parts: Parts) -> None:
        self.parts = parts


class Sessions(Part):
    again: float | None = None
    problem: str | None = None
    pids: frozenset[int] = frozenset({7})
    watched: tuple[Path, ...] = ()

    def read(self, now: float, changes: Changes | None) -> Sequence[Session]:
        self.parts.call("sessions.read")
        return [session()]


class Disk(Part):
    """Where the records are. While it is full, it is looked at every five seconds."""

    @property
    def problem(self) -> str | None:
        return self.parts.full

    @property
    def again(self) -> float | None:
        return NOON + asyncio.get_running_loop().time() + 5 if self.parts.full else None

    def look(self, now: float) -> None:
        self.parts.call("storage.look")


class Ears(Part):
    def listen(self, wake: Callable[[], None]) -> None:
        self.parts.call("ears.listen")

    def changes(self) -> Changes | None:
        self.parts.call("ears.changes")
        return None

    def follow(self, pids: frozenset[int]) -> float | None:
        self.parts.call("ears.follow")
        return None

    def mend(self) -> None:
        self.parts.call("ears.mend")

    def close(self) -> None:
        self.parts.call("ears.close")


class Tray(Part):
    def start(self) -> None:
        self.parts.call("tray.start")

    def show(self, face: Face) -> None:
        self.parts.call("tray.show")
        self.parts.face = face

    def stop(self) -> None:
        self.parts.call("tray.stop")


class Bell(Part):
    def start(self) -> None:
        self.parts.call("bell.start")

    def ring(self, before: Board, after: Board, now: float) -> float | None:
        self.parts.call("bell.ring")
        self.parts.rung = after
        return None

    async def stop(self) -> None:
        self.parts.call("bell.stop")


class Hands(Part):
    async def do(self, action: Action, board: Board) -> None:
        self.parts.call("hands.do")


CALLS = frozenset(
    (
        *("sessions.read", "storage.look", "facts", "problems", "tray.start", "tray.show", "tray.stop"),
        *("bell.start", "bell.ring", "bell.stop"),
        *("ears.listen", "ears.follow", "ears.mend", "ears.changes", "ears.close"),
        *("attach", "order", "note", "publish", "mark", "used_up", "is_asked_to_show"),
    )
)
HEALTHY = ("working", "1 running", "Running: 1")


class Row(NamedTuple):
    part: str
    call: str
    says: str
    """The beginning of the sentence on the icon and in the menu. Empty: no icon is there to say it."""
    tries: int
    """Within 100 seconds in which nothing else happens."""
    unreachable: frozenset[str] = frozenset()
    """The calls that cannot be made before this part works."""


AFTER_THE_TRAY = frozenset(("tray.show", "tray.stop"))
AFTER_THE_BELL = frozenset(("bell.ring", "bell.stop", "used_up"))
AFTER_THE_EARS = frozenset(("ears.changes", "ears.follow", "ears.mend", "ears.close"))

TABLE = (
    Row(
        "sessions",
        "sessions.read",
        "Cannot read the sessions: LookupError: ",
        4,
        frozenset(("bell.ring", "attach", "order", "note", "publish", "mark")),
    ),
    Row(
        "order",
        "order",
        "Cannot put the sessions in order: LookupError: ",
        4,
        frozenset(("bell.ring", "note", "publish", "mark")),
    ),
    Row("storage", "storage.look", "Cannot check whether the disk has room for events: LookupError: ", 4),
    Row("second start", "is_asked_to_show", "Cannot notice that Deskbell was started again: LookupError: ", 4),
    Row("facts", "facts", "Cannot read Deskbell's own state: LookupError: ", 4),
    Row("problems", "problems", "Cannot list the problems: LookupError: ", 4),
    Row("tray", "tray.start", "", 4, AFTER_THE_TRAY),
    Row("tray", "tray.show", "", 4),
    Row("bell", "bell.start", "Cannot ring the bell: LookupError: bell.start", 4, AFTER_THE_BELL),
    Row("bell", "bell.ring", "Cannot ring the bell: LookupError: bell.ring", 4),
    Row("files", "ears.listen", "Deskbell does not notice when files change: LookupError: ", 4, AFTER_THE_EARS),
    Row("files", "ears.mend", "Deskbell does not notice when files change: LookupError: ", 4),
    Row("changed files", "ears.changes", "Cannot find out which files have changed: LookupError: ", 4),
    Row("menu", "menu", "Cannot make the menu: LookupError: ", 4),
    Row(
        "open requests",
        "attach",
        "Cannot show which requests can be answered from here: Look",
        4,
        frozenset(("order",)),
    ),
    Row("crashes", "note", "Cannot remember crashes: LookupError: ", 4),
    Row("statusline", "publish", "Cannot tell the statusline which sessions wait: LookupError: ", 4),
    Row("limits", "used_up", "Cannot ring for the limits of an account: LookupError: ", 4),
    Row("tmux", "mark", "Cannot show the sessions in tmux: LookupError: ", 4),
    Row("processes", "ears.follow", "Deskbell notices late when a process ends: LookupError: ", 100),
)


@pytest.mark.parametrize("row", TABLE, ids=[row.call for row in TABLE])
def test_a_broken_part_is_on_the_icon_and_in_the_menu_is_tried_again_and_recovers(row: Row) -> None:
    async def story() -> None:
        parts = Parts(row.call)
        app = parts.app()
        running = asyncio.create_task(app.run())
        await asyncio.sleep(100.5)
        if row.says:
            state, tooltip, first = parts.seen()
            assert state == "problem"
            assert tooltip.startswith(row.says)
            assert first.startswith(row.says)
        assert TOKEN not in str(parts.face)
        assert parts.calls[row.call] in range(row.tries, 2 * row.tries + 2)
        ends = frozenset(("ears.close", "bell.stop", "tray.stop"))
        assert parts.calls.keys() >= CALLS - row.unreachable - ends

        parts.broken.clear()
        await asyncio.sleep(31)
        assert parts.seen() == HEALTHY
        assert parts.rung.sessions == (session(),)
        assert app.boundary.broken == {}
        app.quit()
        await running
        assert parts.calls.keys() >= CALLS

    play(story())


KINDS = (OSError, MemoryError, RecursionError, StopIteration, StopAsyncIteration, asyncio.CancelledError, GeneratorExit)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_a_part_raises_the_loop_goes_on_shows_it_and_recovers(kind: type[BaseException]) -> None:
    async def story() -> None:
        parts = Parts(kind=kind)
        app = parts.app()
        running = asyncio.create_task(app.run())
        await asyncio.sleep(1)
        for row in TABLE:
            parts.broken = {row.call}
            app.wake()
            await asyncio.sleep(35)
            if not row.call.endswith((".start", ".listen")):  # they work, and are not called again
                assert app.boundary.broken[row.part].startswith(kind.__name__), row.call
        parts.broken = {"hands.do"}
        app.click(Open("log"))
        await asyncio.sleep(1)
        assert parts.seen()[1].startswith("The last click did not work: ")
        parts.broken.clear()
        app.click(Open("log"))
        await asyncio.sleep(31)
        assert parts.seen() == HEALTHY
        parts.broken = {"ears.close", "bell.stop", "tray.stop"}
        app.quit()
        await running
        assert parts.calls.keys() >= CALLS

    play(story())


@pytest.mark.parametrize("call", ["ears.close", "bell.stop", "tray.stop"])
def test_a_part_that_cannot_be_stopped_keeps_nothing_else_from_stopping(
    call: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        parts = Parts(call)
        app = parts.app()
        running = asyncio.create_task(app.run())
        await asyncio.sleep(1)
        app.quit()
        await running
        assert parts.calls.keys() >= CALLS

    play(story())
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_bell_that_does_not_stop_does_not_keep_the_program_from_ending() -> None:
    class Endless(Bell):
        async def stop(self) -> None:
            await asyncio.Event().wait()

    async def story() -> None:
        parts = Parts()
        app = parts.app()
        app.bell = Endless(parts)
        running = asyncio.create_task(app.run())
        await asyncio.sleep(1)
        app.quit()
        await asyncio.wait_for(running, 10)
        assert parts.calls["tray.stop"] == 1

    play(story())


def test_a_click_that_raises_is_shown_until_the_next_one_works() -> None:
    async def story() -> None:
        parts = Parts("hands.do")
        app = parts.app()
        running = asyncio.create_task(app.run())
        await asyncio.sleep(1)
        app.click(Open("log"))
        await asyncio.sleep(1)
        assert parts.seen()[1].startswith("The last click did not work: LookupError: ")
        assert parts.calls["hands.do"] == 1
        parts.broken.clear()
        app.click(Open("log"))
        await asyncio.sleep(1)
        assert parts.seen() == HEALTHY
        app.quit()
        await running

    play(story())


async def _running(parts: Parts, story: Callable[[App], Awaitable[None]]) -> None:
    app = parts.app()
    running = asyncio.create_task(app.run())
    await asyncio.sleep(1)
    await story(app)
    app.quit()
    await running


def test_of_several_broken_parts_the_first_is_named_and_the_others_are_counted() -> None:
    async def look(app: App) -> None:
        for line in parts.seen()[1:]:
            assert line.startswith("Cannot ring the bell: Look")
            assert "… and 1 more problem" in line
        parts.broken.add("sessions.read")
        app.wake()
        await asyncio.sleep(1)
        assert parts.seen()[2].endswith("… and 2 more problems")

    parts = Parts("bell.ring", "ears.follow")
    play(_running(parts, look))


def test_a_full_disk_is_named_before_what_it_breaks_and_goes_when_it_is_over() -> None:
    async def look(app: App) -> None:
        asked = parts.calls["storage.look"]
        await asyncio.sleep(60)
        assert parts.calls["storage.look"] <= asked + 3  # nothing wakes for it while all is well
        parts.broken.add("ears.mend")
        parts.full = "Disk full, so events are lost: free space for ~/.local/state/deskbell."
        await asyncio.sleep(31)
        for line in parts.seen()[1:]:
            assert line.startswith("Disk full, so events are lost: free space for …/")
            assert " and 1 more problem" in line
        parts.broken.clear()
        parts.full = None
        await asyncio.sleep(5.2)
        assert parts.seen()[0] == "problem"  # the part that it broke is tried again later
        await asyncio.sleep(31)
        assert parts.seen() == HEALTHY

    parts = Parts()
    play(_running(parts, look))


def test_where_the_facts_cannot_be_gathered_nothing_is_claimed() -> None:
    async def look(app: App) -> None:
        assert parts.face
        texts = [row.text for item in parts.face.menu for row in (item, *item.children)]
        assert "Hooks: installed" not in texts
        assert any(text.startswith("Hooks: ") for text in texts)

    parts = Parts("facts")
    play(_running(parts, look))


def test_a_snooze_that_was_read_holds_while_the_facts_cannot_be_gathered() -> None:
    async def look(app: App) -> None:
        parts.broken.add("facts")
        app.wake()
        await asyncio.sleep(1)
        state, tooltip, _ = parts.seen()
        assert (state, "Snoozed until" in tooltip) == ("problem", True)
        assert "Cannot read Deskbell's own state" in tooltip
        await asyncio.sleep(120)
        assert "Snoozed until" not in parts.seen()[1]

    parts = Parts()
    parts.snoozed = NOON + 60
    play(_running(parts, look))


def test_a_later_that_is_over_does_not_keep_the_loop_awake_while_the_facts_cannot_be_gathered() -> None:
    async def look(app: App) -> None:
        parts.broken.add("facts")
        app.wake()
        await asyncio.sleep(120)
        before = parts.calls["facts"]
        await asyncio.sleep(60)
        assert parts.calls["facts"] - before < 100

    parts = Parts()
    parts.later = {"a1": NOON + 60}
    play(_running(parts, look))


def test_an_error_that_differs_each_time_does_not_keep_the_loop_awake() -> None:
    class Talkative(Bell):
        def ring(self, before: Board, after: Board, now: float) -> float | None:
            self.parts.calls["ring"] += 1
            raise LookupError(self.parts.calls["ring"])

    async def story() -> None:
        parts = Parts()
        app = parts.app()
        app.bell = Talkative(parts)
        running = asyncio.create_task(app.run())
        await asyncio.sleep(100)
        assert parts.calls["ring"] <= 5
        app.quit()
        await running

    play(story())


def test_the_boundary_of_the_loop_is_the_one_that_was_given() -> None:
    boundary = Boundary()

    async def story() -> None:
        app = Parts().app()
        other = App(app.world, app.facts, app.ears, app.tray, app.bell, app.hands, boundary=boundary)
        assert other.boundary is boundary
        assert boundary.changed is other.wake

    play(story())
