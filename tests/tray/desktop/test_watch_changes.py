"""Test on real folders what the watcher says of changes: who reads only what it names knows the folder."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.desktop.observers import Losses
from deskbell.desktop.watch import Watcher, watch
from deskbell.program.boundary import Boundary
from tests.tray.desktop.test_watch import CHANGES, again, kill_the_emitters, replace, run, storm, watching
from tests.waiting import wait_in_loop as until

NAMES = ("a.json", "b.json", "c.json")


class Follower:
    """Knows the folder by reading what is named, and all of it only if nothing is known of what changed."""

    def __init__(self, watcher: Watcher, folder: Path) -> None:
        self._watcher = watcher
        self._folder = folder
        self.known: dict[str, str] = {}
        self.named = 0
        """How often it was told what changed."""

    def look(self) -> None:
        changes = self._watcher.changes()
        if self._folder in changes:
            self.named += bool(changes[self._folder])
            names = set(changes[self._folder])
        else:
            names, self.known = {path.name for path in self._files()}, {}
        for name in names:
            try:
                self.known[name] = (self._folder / name).read_text()
            except FileNotFoundError:
                self.known.pop(name, None)

    def is_right(self) -> bool:
        self.look()
        return self.known == {path.name: path.read_text() for path in self._files()}

    def _files(self) -> list[Path]:
        return list(self._folder.glob("*.json"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "claude" / "sessions"
    path.mkdir(parents=True)
    replace(path / "old.json")
    return path


@pytest.mark.parametrize("change", [change for _, change in CHANGES], ids=[name for name, _ in CHANGES])
def test_who_reads_only_what_is_named_learns_of_every_change(folder: Path, change: Callable[[Path], object]) -> None:
    replace(folder.parents[1] / "elsewhere.json", "in")

    async def story() -> None:
        async with watching(folder) as (_, watcher):
            follower = Follower(watcher, folder)
            await until(follower.is_right)
            change(folder)
            await until(follower.is_right)
            folder.mkdir(parents=True, exist_ok=True)
            replace(folder / "later.json", "later")
            await until(follower.is_right)

    run(story())


def written(path: Path, text: str) -> None:
    if path.parent.is_dir():
        replace(path, text)


def moved(path: Path, to: Path) -> None:
    if path.exists() and to.parent.exists():
        path.rename(to)


def made_anew(folder: Path, text: str) -> None:
    if folder.exists():
        again(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.json").write_text(text)


DEEDS: tuple[Callable[[Path, str, str], object], ...] = (
    *[lambda folder, name, text: written(folder / name, text)] * 6,
    lambda folder, name, text: (folder / name).write_text(text) if folder.exists() else None,
    lambda folder, name, text: (folder / name).unlink(missing_ok=True),
    lambda folder, name, text: moved(folder / name, folder / "a.json"),
    lambda folder, name, text: moved(folder / name, folder / "aside"),
    lambda folder, name, text: moved(folder / "aside", folder / name),
    lambda folder, name, text: made_anew(folder, text),
    lambda folder, name, text: shutil.rmtree(folder.parent),
)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_after_any_changes_of_files_and_folders_who_reads_what_is_named_knows_all(folder: Path, seed: int) -> None:
    dice = random.Random(seed)

    async def story() -> None:
        async with watching(folder) as (wakes, watcher):
            follower = Follower(watcher, folder)
            for number in range(40):
                await wakes.silence()  # many changes at once are a storm, of which nothing is told
                for _ in range(dice.choice((1, 1, 3))):
                    dice.choice(DEEDS)(folder, dice.choice(NAMES), f"{seed} {number}")
                    folder.mkdir(parents=True, exist_ok=True)
                await until(follower.is_right)
            assert follower.named > 10

    run(story())


def test_a_missing_folder_has_not_changed_until_it_is_made(tmp_path: Path) -> None:
    missing = tmp_path / "not" / "there"

    async def story() -> None:
        async with watching(missing) as (wakes, watcher):
            watcher.changes()
            assert watcher.changes() == {missing: frozenset()}
            await wakes.after(lambda: missing.mkdir(parents=True))
            assert watcher.changes() == {}
            replace(missing / "a.json", "a")
            follower = Follower(watcher, missing)
            await until(follower.is_right)

    run(story())


def test_in_a_storm_nothing_is_known_of_what_changes(folder: Path) -> None:
    async def story() -> None:
        async with watching(folder) as (wakes, watcher):
            watcher.changes()
            assert watcher.changes() == {folder: frozenset()}
            await wakes.after(lambda: storm(folder))
            await until(lambda: not watcher.listening)
            assert watcher.changes() == {}
            await until(lambda: watcher.listening)
            follower = Follower(watcher, folder)
            assert follower.is_right()

    run(story())


def test_what_a_dead_thread_should_have_told_is_not_taken_to_be_unchanged(folder: Path) -> None:
    async def story() -> None:
        boundary = Boundary()
        with boundary.strays():
            watcher = watch([folder], lambda: None, boundary)
            watcher.changes()
            assert watcher.changes() == {folder: frozenset()}
            kill_the_emitters().join(20)
            replace(folder / "old.json", "unheard")
            assert watcher.changes() == {}
            watcher.mend()
            assert watcher.changes() == {}
            assert watcher.changes() == {folder: frozenset()}
            watcher.close()
            await boundary.stopped()

    run(story())


def test_events_that_the_system_drops_wake_and_leave_nothing_known(folder: Path) -> None:
    async def story() -> None:
        async with watching(folder) as (wakes, watcher):
            watcher.changes()
            await wakes.after(lambda: Losses.LOGGER.warning("Inotify queue overflowed; filesystem events were lost"))
            assert watcher.changes() == {}
            assert watcher.changes() == {folder: frozenset()}

    run(story())
