"""Test the law of hints: a look at what is named says the same as a look at everything."""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.changes import Changes
from deskbell.files.stamp import stamp
from deskbell.session import Session
from deskbell.sessions.examined import REPEATED_AFTER
from deskbell.sessions.processes import BELIEVED_FOR
from deskbell.sessions.world import EVERYTHING_EVERY, World
from tests.tray.sessions.test_world import Stage, T

SESSIONS = ("a", "b")
PIDS = (7, 8, 9)


class Hinting(Stage):
    """A stage with two Worlds: one looks at everything, the other one at what is named."""

    def __init__(self, root: Path) -> None:
        self.names: dict[Path, set[str]] = {}
        self.dead: set[int] = set()
        super().__init__(root)
        self.hinted = self.another_world()
        self.forget()

    def _put(self, path: Path, data: bytes) -> None:
        super()._put(path, data)
        self.names.setdefault(path.parent, set()).add(path.name)
        self.living -= self.dead  # its last hooks may come after its end

    def leaves(self, pid: int = 7) -> None:
        super().leaves(pid)
        self.names.setdefault(self.claude / "sessions", set()).add(f"{pid}.json")

    def dies(self, pid: int) -> None:
        self.killed(pid)
        self.dead.add(pid)
        for world in (self.world, self.hinted):
            world.died(pid)

    def another_world(self) -> World:
        return self.world_of(heard=lambda pid: True)

    def forget(self) -> None:
        self.names = {self.sessions: set(), self.claude / "sessions": set()}

    def changes(self) -> Changes:
        changes = {folder: frozenset(names) for folder, names in self.names.items()}
        self.forget()
        return changes

    def both(self, at: float) -> tuple[list[Session], list[Session]]:
        looks = self.world.read(T + at), self.hinted.read(T + at, self.changes())
        file = self.sessions.parent / "state" / "crashes.json"
        before = stamp(file)
        self.crashes.follow(looks[0], T + at)
        if stamp(file) != before:
            self.names[file.parent] = {file.name}
        return looks


Step = tuple[str, str, int, float]
steps = st.lists(
    st.tuples(
        st.sampled_from(
            (
                *("UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "SessionEnd"),
                *("busy", "idle", "waiting", "leaves", "dies", "nothing"),
            )
        ),
        st.sampled_from(SESSIONS),
        st.sampled_from(PIDS),
        st.sampled_from((0.0, 0.01, 0.1, 0.3, 0.6, 1.5, 30.0)),
    ),
    max_size=30,
)


def take(stage: Hinting, what: str, session: str, pid: int, at: float) -> None:
    if what in ("busy", "idle", "waiting"):
        stage.client(what, at, session, pid)
    elif what == "leaves":
        stage.leaves(pid)
    elif what == "dies":
        stage.dies(pid)
    elif what != "nothing":
        facts: Mapping[str, Any] = {"tool": "Bash", "subject": f"make {at}", "use": "u"} if "o" in what else {}
        stage.hook(what, at, session, pid, **facts)


def status_of_a(sessions: list[Session]) -> str:
    """Sessions come in the order of their files, which is another one on every disk."""
    return next(one.status for one in sessions if one.session_id == "a")


@pytest.mark.uncounted
@given(steps)
def test_whatever_happens_a_look_at_what_is_named_says_the_same_as_a_look_at_everything(happened: list[Step]) -> None:
    with TemporaryDirectory() as root:
        stage, at = Hinting(Path(root)), 1.0
        for what, session, pid, later in happened:
            at += later
            take(stage, what, session, pid, at)
            everything, named = stage.both(at)
            assert named == everything


@pytest.fixture
def stage(tmp_path: Path) -> Hinting:
    stage = Hinting(tmp_path)
    for pid, session in zip(PIDS, "abc", strict=True):
        stage.client("busy", 1.0, session, pid)
        stage.hook("UserPromptSubmit", 1.0, session, pid)
    stage.both(2.0)
    return stage


def test_a_file_that_is_not_named_is_not_read_until_everything_is(stage: Hinting) -> None:
    stage.hook("Stop", 2.1, "a", 7)
    stage.client("idle", 2.1, "a", 7)
    stage.forget()
    stage.hook("PreToolUse", 2.2, "b", 8, tool="Bash", subject="make", use="u")
    details = {one.session_id: (one.status, one.detail) for one in stage.both(2.2)[1]}
    assert details == {"a": ("working", "Thinking"), "b": ("working", "Bash: make"), "c": ("working", "Thinking")}
    everything, named = stage.both(2.0 + EVERYTHING_EVERY)
    assert named == everything
    assert status_of_a(named) == "idle"


def test_after_a_look_at_what_is_named_everything_is_read_soon_though_nothing_wakes(stage: Hinting) -> None:
    stage.world.read(T + 2.0)
    waits = stage.world.again
    stage.hook("Stop", 2.1, "a", 7)
    stage.client("idle", 2.1, "a", 7)
    stage.forget()
    assert status_of_a(stage.hinted.read(T + 2.1, stage.changes())) == "working"
    assert stage.hinted.again == T + 2.0 + REPEATED_AFTER
    assert status_of_a(stage.hinted.read(stage.hinted.again, stage.changes())) == "idle"
    assert waits == T + 2.0 + REPEATED_AFTER
    assert stage.hinted.again == T + 2.0 + 2 * REPEATED_AFTER


LOST: dict[str, Callable[[World, Stage], object]] = {
    "one client died": lambda world, stage: world.died(7),
    "nothing is known": lambda world, stage: world.read(T + 2.05),
}


@pytest.mark.parametrize("event", LOST.values(), ids=LOST)
def test_what_is_not_named_is_read_at_once_after(stage: Hinting, event: Callable[[World, Stage], object]) -> None:
    stage.hook("Stop", 2.01, "a", 7)
    stage.client("idle", 2.01, "a", 7)
    stage.forget()
    event(stage.hinted, stage)
    assert status_of_a(stage.both(2.1)[1]) == "idle"


UNCOVERED: dict[str, Callable[[Changes, Path], Changes]] = {
    "no folder": lambda changes, other: {},
    "one folder": lambda changes, other: dict(list(changes.items())[:1]),
    "a file in another folder": lambda changes, other: {**changes, other: frozenset(("crashes.json",))},
}


@pytest.mark.parametrize("of", UNCOVERED.values(), ids=UNCOVERED)
def test_everything_is_read_if_the_hints_are_not_of_all_folders_or_are_of_others(
    stage: Hinting, of: Callable[[Changes, Path], Changes]
) -> None:
    stage.hook("Stop", 2.01, "a", 7)
    stage.client("idle", 2.01, "a", 7)
    stage.forget()
    assert status_of_a(stage.hinted.read(T + 2.1, of(stage.changes(), stage.sessions.parent))) == "idle"


def test_a_clock_that_is_set_back_makes_no_hint_suffice(stage: Hinting) -> None:
    stage.hook("Stop", 1.5, "a", 7)
    stage.client("idle", 1.5, "a", 7)
    stage.forget()
    assert status_of_a(stage.hinted.read(T + 1.9, stage.changes())) == "idle"


def test_a_time_for_which_a_session_waits_is_kept_though_nothing_is_named(stage: Hinting) -> None:
    stage.client("idle", 2.1, "a", 7)
    everything, named = stage.both(2.1)
    assert named == everything
    assert stage.hinted.again is not None
    again = stage.hinted.again - T
    everything, named = stage.both(again)
    assert named == everything


def test_where_the_end_of_a_process_may_be_missed_hints_suffice_for_a_moment_only(stage: Hinting) -> None:
    world = stage.world_of()
    world.read(T + 2.0)
    stage.killed(7)
    stage.forget()
    assert world.read(T + 2.4, stage.changes())[0].status == "working"
    world.read(T + 2.0 + BELIEVED_FOR, stage.changes())
    assert 7 not in world.pids
