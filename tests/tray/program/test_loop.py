"""Test the loop, with every part of the system replaced by one that records."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deskbell.board import Board
from deskbell.changes import Changes
from deskbell.face import Face
from deskbell.face.actions import Action, Open, Quit, Seen
from deskbell.face.facts import Facts
from deskbell.program.loop import LONGEST_REST, STEP, App
from deskbell.session import Session
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session


@dataclass
class World:
    sessions: Sequence[Session] = ()
    facts: Facts = Facts()  # noqa: RUF009
    now: float = NOON
    reads: int = 0
    broken: set[str] = field(default_factory=set)
    faces: list[Face] = field(default_factory=list)
    rings: list[tuple[Board, Board]] = field(default_factory=list)
    done: list[Action] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    ring_again: float | None = None

    again: float | None = None
    problem: str | None = None
    pids: frozenset[int] = frozenset()
    watched: Sequence[Path] = ()
    changed: list[Changes | None] = field(default_factory=list)
    followed: list[frozenset[int]] = field(default_factory=list)
    patience: float | None = None
    wake: Callable[[], None] = print

    def read(self, now: float, changes: Changes | None) -> Sequence[Session]:
        self.reads += 1
        self.changed.append(changes)
        self._break("read")
        return self.sessions

    def start(self) -> None:
        self.events.append("starts")

    def listen(self, wake: Callable[[], None]) -> None:
        self._break("listen")
        self.events.append("listens")
        self.wake = wake

    def changes(self) -> Changes | None:
        self._break("changes")
        return {Path("/srv"): frozenset(("changed",))}

    def follow(self, pids: frozenset[int]) -> float | None:
        self.followed.append(pids)
        return self.patience

    def mend(self) -> None:
        self.events.append("mends")

    def close(self) -> None:
        self.events.append("closes")

    def show(self, face: Face) -> None:
        self._break("show")
        self.faces.append(face)

    def ring(self, before: Board, after: Board, now: float) -> float | None:
        self._break("ring")
        self.rings.append((before, after))
        return self.ring_again

    async def do(self, action: Action, board: Board) -> None:
        self.done.append(action)
        self._break("do")

    def stop(self) -> None:
        self.events.append("leaves")

    def _break(self, part: str) -> None:
        if part in self.broken:
            raise OSError(f"{part} is broken")


@dataclass
class Ringer:
    """The bell of a World."""

    world: "World"

    def start(self) -> None:
        self.world.start()

    def ring(self, before: Board, after: Board, now: float) -> float | None:
        return self.world.ring(before, after, now)

    async def stop(self) -> None:
        await asyncio.sleep(0)
        self.world.events.append("falls silent")


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.001)


def app_of(world: World, problems: Callable[[], Sequence[str]] = tuple) -> App:
    return App(
        world, lambda: world.facts, world, world, Ringer(world), world, clock=lambda: world.now, problems=problems
    )


def played(
    world: World, story: Callable[[App], Awaitable[None]], problems: Callable[[], Sequence[str]] = tuple
) -> World:
    async def play() -> None:
        app = app_of(world, problems)
        running = asyncio.create_task(app.run())
        await until(lambda: world.reads)
        await story(app)
        app.click(Quit())
        await asyncio.wait_for(running, 10)

    asyncio.run(play())
    return world


async def nothing(app: App) -> None:
    """Only a beginning and an end."""


def test_it_starts_shows_what_is_there_and_leaves_in_order() -> None:
    world = played(World([session()]), nothing)
    assert world.events == ["starts", "starts", "listens", "mends", "closes", "falls silent", "leaves"]
    assert world.faces[0].look.state == "working"


def test_the_first_reading_is_a_change_from_an_empty_board() -> None:
    ((before, after),) = played(World([session(status="permission")]), nothing).rings
    assert (before.sessions, [one.status for one in after.sessions]) == ((), ["permission"])


def test_a_second_start_opens_the_board_once() -> None:
    world = World([session()])
    asked = [True]

    async def start_again(app: App) -> None:
        app.is_asked_to_show = lambda now: asked.pop() if asked else False
        app.wake()
        await until(lambda: world.done)
        app.wake()
        await until(lambda: world.reads > 2)

    assert played(world, start_again).done == [Open("board")]


def test_a_wake_reads_again_and_the_change_is_news() -> None:
    world = World([session()])

    async def change(app: App) -> None:
        world.sessions = [session(status="permission")]
        app.wake()
        await until(lambda: len(world.rings) == 2)

    before, after = played(world, change).rings[1]
    assert (before.sessions[0].status, after.sessions[0].status) == ("working", "permission")


def test_what_is_heard_wakes() -> None:
    world = World()

    async def heard(_: App) -> None:
        world.wake()
        await until(lambda: world.reads == 2)

    played(world, heard)


@pytest.mark.long
@pytest.mark.parametrize("when", ["the world", "the bell", "the ears", "a snooze", "later"])
def test_it_looks_again_when_it_was_asked_to(when: str) -> None:
    world = World()
    match when:
        case "the world":
            world.again = NOON
        case "the bell":
            world.ring_again = NOON
        case "the ears":
            world.patience = 0.001
        case "a snooze":
            world.facts = Facts(snoozed_until=NOON)
        case "later":
            world.facts = Facts(later={"a1": NOON})
    played(world, lambda _: until(lambda: world.reads >= 3))


def test_the_ends_of_the_known_processes_are_listened_for() -> None:
    assert played(World(pids=frozenset({7})), nothing).followed == [frozenset({7})]


def test_many_wakes_at_once_are_one_reading() -> None:
    world = World()

    async def storm(app: App) -> None:
        for _ in range(500):
            app.wake()
        await until(lambda: world.reads >= 2)

    assert played(world, storm).reads <= 3


def test_a_look_is_told_what_changed_and_nothing_if_that_cannot_be_found_out() -> None:
    assert played(World(), nothing).changed[-1] == {Path("/srv"): frozenset(("changed",))}
    assert played(World(broken={"changes"}), nothing).changed[-1] is None


def test_nothing_is_known_to_have_changed_before_the_loop_listens() -> None:
    assert played(World(broken={"listen"}), nothing).changed[-1] is None


def test_the_steps_of_a_running_session_are_shown_together_a_moment_later() -> None:
    world = World([session(detail="step 0")])

    async def steps(app: App) -> None:
        for number in range(1, 9):
            seen, world.sessions = world.reads, [session(detail=f"step {number}")]
            app.wake()
            await until(lambda seen=seen: world.reads > seen)
        assert [one.sessions[0].detail for _, one in world.rings] == ["step 0"]
        await until(lambda: app.board.sessions[0].detail == "step 8")
        assert len(world.rings) == 2

    played(world, steps)


def test_a_step_after_a_moment_without_one_is_shown_at_once() -> None:
    world = World([session(detail="step 0")])

    async def step(app: App) -> None:
        world.now += STEP
        seen, world.sessions = world.reads, [session(detail="step 1")]
        app.wake()
        await until(lambda: world.reads > seen)
        assert app.board.sessions[0].detail == "step 1"

    played(world, step)


@pytest.mark.parametrize("status", ["permission", "idle", "crashed", "background"])
def test_what_concerns_the_person_is_shown_at_once(status: Status) -> None:
    world = World([session()])

    async def change(app: App) -> None:
        seen, world.sessions = world.reads, [session(status=status, kept_until=NOON + 60)]
        app.wake()
        await until(lambda: world.reads > seen)
        assert app.board.sessions[0].status == status

    played(world, change)


def test_a_clock_that_was_set_back_puts_no_step_off_for_long() -> None:
    world = World([session(detail="step 0")])

    async def step(app: App) -> None:
        world.now -= 3600
        seen, world.sessions = world.reads, [session(detail="step 1")]
        app.wake()
        await until(lambda: world.reads > seen)
        assert app.board.sessions[0].detail == "step 1"

    played(world, step)


@dataclass
class Slow(World):
    """It takes the processor for a while each time it is read."""

    def read(self, now: float, changes: Changes | None) -> Sequence[Session]:
        end = time.thread_time() + 0.01
        while time.thread_time() < end:
            pass
        return World.read(self, now, changes)


def seconds_for(changes: int) -> float:
    """Each change comes as soon as the one before was seen."""
    took = []

    async def one_by_one(app: App) -> None:
        begun = time.monotonic()
        for seen in range(world.reads, world.reads + changes):
            app.wake()
            await until(lambda seen=seen: world.reads > seen)
        took.append(time.monotonic() - begun)

    world = Slow()
    played(world, one_by_one)
    return took[0]


@pytest.mark.long
def test_what_one_session_does_in_a_moment_is_seen_at_once_and_an_endless_change_leaves_the_processor_to_others() -> (
    None
):
    assert seconds_for(4) < 4 * LONGEST_REST
    assert seconds_for(16) > 8 * LONGEST_REST


def test_an_ended_session_leaves_the_board_in_time() -> None:
    world = World([session(status="ended", since=NOON - 9.9)])

    async def later(app: App) -> None:
        world.now += 0.2
        await until(lambda: not app.board.sessions)

    played(world, later)


def test_a_click_is_done_and_then_looked_at() -> None:
    world = World()

    async def click(app: App) -> None:
        seen = world.reads
        app.click(Open("log"))
        await until(lambda: world.reads > seen)

    assert played(world, click).done == [Open("log")]


def test_every_reading_is_noted_and_notes_that_cannot_be_written_are_said() -> None:
    noted: list[tuple[Sequence[Session], float]] = []

    def note(sessions: Sequence[Session], now: float) -> None:
        noted.append((sessions, now))
        if len(noted) == 2:
            raise OSError("No space left on device")

    async def story(app: App) -> None:
        app.note = note
        for count in (1, 2):
            app.wake()
            await until(lambda count=count: len(noted) >= count)
        await until(lambda: "No space left" in world.faces[-1].look.tooltip)
        app.wake()
        await until(lambda: "crashes" not in app.boundary.broken)

    hidden = session(session_id="h", hidden=True)
    world = World([hidden, session()])
    played(world, story)
    assert noted[0] == ((session(), hidden), NOON)


def test_what_opening_the_menu_does_is_part_of_the_face() -> None:
    crashed = session(status="crashed", kept_until=NOON + 60)
    assert played(World([crashed]), nothing).faces[0].opened == Seen((crashed.key,))
    assert played(World([session()]), nothing).faces[0].opened is None


@pytest.mark.parametrize("part", ["read", "show", "ring", "do"])
def test_a_broken_part_stops_no_other_part(part: str) -> None:
    world = World([session()], broken={part})

    async def go_on(app: App) -> None:
        app.click(Open("log"))
        await until(lambda: world.done and world.reads >= 2)
        assert list(app.boundary.broken.values()) == [f"OSError: {part} is broken"]

    played(world, go_on)
    assert bool(world.faces) == (part != "show")
    assert bool(world.rings) == (part not in ("ring", "read"))


def test_sessions_that_cannot_be_read_stay_as_they_were() -> None:
    world = World([session()])

    async def unreadable(app: App) -> None:
        world.broken.add("read")
        app.wake()
        await until(lambda: len(world.faces) == 2)

    assert [face.look.state for face in played(world, unreadable).faces] == ["working", "problem"]
    assert "Running: 1" in [item.text for item in world.faces[1].menu]


def test_a_ring_that_failed_is_repeated() -> None:
    """The bell compares with the board that it last handled, not with the one before this turn."""
    world = World([session()])

    async def fail_and_mend(app: App) -> None:
        world.broken.add("ring")
        world.sessions = [session(status="permission")]
        app.wake()
        await until(lambda: "bell" in app.boundary.broken)
        world.broken.clear()
        app.wake()
        await until(lambda: len(world.rings) == 2)

    before, after = played(world, fail_and_mend).rings[1]
    assert (before.sessions[0].status, after.sessions[0].status) == ("working", "permission")


def test_a_first_ring_that_failed_is_still_the_first() -> None:
    world = World([session(status="permission")], broken={"ring"})

    async def mend(app: App) -> None:
        await until(lambda: "bell" in app.boundary.broken)
        world.broken.clear()
        app.wake()
        await until(lambda: world.rings)

    ((before, after),) = played(world, mend).rings
    assert (before.sessions, len(after.sessions)) == ((), 1)


def test_a_problem_of_the_world_is_shown() -> None:
    (face,) = played(World(problem="/srv/state/sessions cannot be listed"), nothing).faces
    assert face.look.state == "problem"
    assert "cannot be listed" in face.look.tooltip


def test_nothing_rings_before_the_sessions_were_read_for_the_first_time() -> None:
    world = World([session(status="permission")], broken={"read"})

    async def readable(app: App) -> None:
        world.broken.clear()
        app.wake()
        await until(lambda: world.rings)

    ((before, after),) = played(world, readable).rings
    assert (before.sessions, len(after.sessions)) == ((), 1)
    assert [face.look.state for face in world.faces] == ["problem", "blocked"]


def test_nothing_is_left_behind() -> None:
    async def count() -> int:
        world = World()
        app = app_of(world)
        running = asyncio.create_task(app.run())
        await until(lambda: world.reads)
        app.click(Open("log"))
        await until(lambda: world.done)
        app.quit()
        await running
        return len(asyncio.all_tasks())

    assert asyncio.run(count()) == 1


def test_a_session_that_cannot_be_drawn_stops_no_part() -> None:
    world = World([session(project=7)])  # no record says so; if one ever does, the bell rings all the same

    async def go_on(app: App) -> None:
        await until(lambda: world.rings)
        assert "menu" in app.boundary.broken

    face = played(world, go_on).faces[-1]
    assert face.look.state == "problem"
    assert [item.text for item in face.menu if item.text] == [face.look.tooltip, "Quit"]
    assert face.look.tooltip.startswith("Cannot make the menu: ")


def test_a_folder_that_a_session_names_is_watched_at_once(tmp_path: Path) -> None:
    async def another_account(app: App) -> None:
        world.watched = [tmp_path]
        app.wake()
        await until(lambda: world.events.count("mends") == 2)

    world = World()
    assert "mends" in played(world, another_account).events


def test_a_folder_that_a_step_of_a_running_session_names_is_watched_a_moment_later(tmp_path: Path) -> None:
    world = World([session(detail="step 0")])

    async def another_account(app: App) -> None:
        world.watched, world.sessions = [tmp_path], [session(detail="step 1")]
        app.wake()
        await until(lambda: world.events.count("mends") == 2)

    played(world, another_account)


def test_a_problem_that_the_bell_finds_is_shown_in_the_same_turn() -> None:
    found: list[str] = []

    class Finder(World):
        def ring(self, before: Board, after: Board, now: float) -> float | None:
            found[:] = ["config.toml, line 3: not a number."]
            return super().ring(before, after, now)

    async def look(app: App) -> None:
        await until(lambda: world.rings)
        assert world.reads == 1
        assert "line 3" in world.faces[-1].look.tooltip

    world = Finder([session()])
    played(world, look, problems=lambda: found)
