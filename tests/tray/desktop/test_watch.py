"""Test the watcher on real folders: it misses no change, and does nothing while nothing happens."""

import asyncio
import logging
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from watchdog.observers.api import BaseObserver

from deskbell.desktop.watch import PAUSE, STRIDE, Watcher, watch
from deskbell.program.boundary import BACKGROUND, Boundary
from tests.waiting import new_threads
from tests.waiting import wait_in_loop as until

LONG = 20.0
"""No test waits so long unless it fails."""
SHORT = 2 * PAUSE


class Wakes:
    """Counts, and can be waited for."""

    def __init__(self) -> None:
        self.count = 0
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self.count += 1
        self._woken.set()

    async def after(self, change: Callable[[], object]) -> None:
        await self.silence()
        change()
        await asyncio.wait_for(self._woken.wait(), LONG)

    async def silence(self) -> None:
        """Wait until every earlier change has been reported."""
        count = -1
        while count != self.count:
            count = self.count
            await asyncio.sleep(SHORT)
        self._woken.clear()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(LONG):
            while not condition():
                await self._woken.wait()
                self._woken.clear()


@asynccontextmanager
async def watching(*folders: Path) -> AsyncIterator[tuple[Wakes, Watcher]]:
    wakes, boundary = Wakes(), Boundary()
    watcher = watch(folders, wakes.wake, boundary)
    try:
        yield wakes, watcher
    finally:
        watcher.close()
        await boundary.stopped()
        assert boundary.broken == {}


def replace(path: Path, text: str = "{}") -> None:
    path.with_suffix(".json.tmp").write_text(text)
    path.with_suffix(".json.tmp").replace(path)


def again(folder: Path) -> None:
    """Remove a folder and make it again: on many file systems it gets the same number."""
    shutil.rmtree(folder)
    folder.mkdir()


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(story)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "claude" / "sessions"
    path.mkdir(parents=True)
    replace(path / "old.json")
    return path


CHANGES: list[tuple[str, Callable[[Path], object]]] = [
    ("replaced", lambda f: replace(f / "old.json")),
    ("new", lambda f: replace(f / "new.json")),
    ("written in place", lambda f: (f / "old.json").write_text("[]")),
    ("deleted", lambda f: (f / "old.json").unlink()),
    ("moved in", lambda f: (f.parents[1] / "elsewhere.json").rename(f / "in.json")),
    ("moved out", lambda f: (f / "old.json").rename(f.parents[1] / "out.json")),
    ("folder deleted", shutil.rmtree),
    ("folder moved away", lambda f: f.rename(f.with_name("gone"))),
    ("folder made again", again),
    ("another folder moved there", lambda f: (f.rename(f.with_name("old")), f.with_name("old").rename(f))),
    ("parent deleted", lambda f: shutil.rmtree(f.parent)),
]


@pytest.mark.long
@pytest.mark.parametrize("change", [change for _, change in CHANGES], ids=[name for name, _ in CHANGES])
def test_a_change_wakes(folder: Path, change: Callable[[Path], object]) -> None:
    replace(folder.parents[1] / "elsewhere.json")

    async def story() -> None:
        async with watching(folder) as (wakes, _):
            await wakes.after(lambda: change(folder))

    run(story())


NO_CHANGES: list[tuple[str, Callable[[Path], object]]] = [
    ("nothing", lambda f: None),
    ("read", lambda f: (f / "old.json").read_text()),
    ("listed", lambda f: list(f.iterdir())),
    ("half written", lambda f: (f / "old.json.tmp").write_text("{")),
    ("a secret beside it", lambda f: (f / "old.key").write_text("secret")),
    ("a folder next to it", lambda f: f.with_name("projects").mkdir()),
    ("a folder in it", lambda f: (f / "x").mkdir()),
    ("a file next to the folder", lambda f: (f.parent / "settings.json").write_text("{}")),
]


@pytest.mark.parametrize("change", [change for _, change in NO_CHANGES], ids=[name for name, _ in NO_CHANGES])
def test_without_a_change_nothing_wakes(folder: Path, change: Callable[[Path], object]) -> None:
    async def story() -> None:
        async with watching(folder) as (wakes, _):
            await wakes.silence()
            before = wakes.count
            change(folder)
            await wakes.silence()
            quiet = wakes.count
            await wakes.after(lambda: replace(folder / "old.json"))  # changes are reported in their order
            assert (quiet, wakes.count) == (before, before + 1)

    run(story())


def _parent_made_anew(folder: Path) -> None:
    shutil.rmtree(folder.parent)
    folder.mkdir(parents=True)


def _grandparent_made_anew(folder: Path) -> None:
    shutil.rmtree(folder.parents[1])
    folder.mkdir(parents=True)


def _swapped(folder: Path) -> None:
    shutil.rmtree(folder.with_name("old"), ignore_errors=True)
    folder.rename(folder.with_name("old"))
    folder.mkdir()


def _slowly_made_anew(folder: Path) -> None:
    shutil.rmtree(folder.parent)
    folder.parent.mkdir()


@pytest.mark.long
@pytest.mark.parametrize(
    "change",
    [again, _parent_made_anew, _grandparent_made_anew, _swapped, _slowly_made_anew],
    ids=lambda change: change.__name__,
)
def test_a_folder_that_came_back_is_watched_again(folder: Path, change: Callable[[Path], None]) -> None:
    async def story() -> None:
        async with watching(folder) as (wakes, _):
            for _ in range(3):
                await wakes.after(lambda: change(folder))
                folder.mkdir(exist_ok=True)
                await wakes.after(lambda: replace(folder / "new.json"))

    run(story())


def test_a_folder_that_does_not_exist_yet_is_watched_once_it_is_made(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c" / "sessions"

    async def story() -> None:
        async with watching(deep) as (wakes, _):
            await wakes.after(lambda: deep.parent.mkdir(parents=True))
            await wakes.after(deep.mkdir)
            await wakes.after(lambda: replace(deep / "first.json"))

    run(story())


def test_a_record_written_together_with_its_folder_wakes(tmp_path: Path) -> None:
    sessions = tmp_path / "state" / "sessions"

    async def story() -> None:
        async with watching(sessions) as (wakes, _):
            sessions.mkdir(parents=True)
            replace(sessions / "first.json")
            await wakes.until((sessions / "first.json").exists)
            await wakes.after(lambda: replace(sessions / "second.json"))

    run(story())


def test_mending_finds_a_change_that_was_not_reported(folder: Path) -> None:
    """A folder further up was renamed: the system says nothing of that."""
    top = folder.parents[1]

    async def story() -> None:
        async with watching(folder) as (wakes, watcher):
            top.rename(top.with_name("renamed"))
            folder.mkdir(parents=True)
            watcher.mend()
            await wakes.after(lambda: replace(folder / "new.json"))

    try:
        run(story())
    finally:
        shutil.rmtree(top)
        top.with_name("renamed").rename(top)


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a right there")
def test_a_linked_folder_is_watched_where_it_is(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder.parent)

    async def story() -> None:
        async with watching(tmp_path / "link" / "sessions") as (wakes, _):
            await wakes.after(lambda: replace(folder / "new.json"))

    run(story())


def test_two_folders_below_one_parent(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()

    async def story() -> None:
        async with watching(one, two) as (wakes, _):
            await wakes.after(lambda: replace(one / "a.json"))
            await wakes.after(two.mkdir)
            await wakes.after(lambda: replace(two / "b.json"))
            await wakes.after(lambda: shutil.rmtree(one))
            await wakes.after(lambda: replace(two / "b.json"))

    run(story())


@pytest.mark.long
def test_a_burst_wakes_a_few_times_and_once_after_the_last(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    def burst() -> None:
        for number in range(5000):
            replace(folder / f"{number % 100}.json", str(number))

    async def story() -> None:
        last = ""

        def read() -> bool:
            nonlocal last
            last = (folder / "99.json").read_text() if (folder / "99.json").exists() else ""
            return last == "4999"

        async with watching(folder) as (wakes, _):
            started = asyncio.get_running_loop().time()
            await asyncio.to_thread(burst)
            await wakes.until(read)
            await wakes.silence()
            took = asyncio.get_running_loop().time() - started
            assert wakes.count <= took / STRIDE + 4

    run(story())
    assert caplog.records == []


def storm(folder: Path) -> None:
    for number in range(200):
        replace(folder / f"{number}.json")


GOING: list[tuple[str, Callable[[Path], object]]] = [
    ("deleted", shutil.rmtree),
    ("its parent deleted", lambda f: shutil.rmtree(f.parent)),
    ("a file in its place", lambda f: (shutil.rmtree(f), f.write_text("no folder"))),
]


@pytest.mark.long
@pytest.mark.parametrize("change", [change for _, change in GOING], ids=[name for name, _ in GOING])
def test_a_folder_that_goes_in_a_storm_is_watched_again_when_it_is_back(
    folder: Path, change: Callable[[Path], object]
) -> None:
    async def story() -> None:
        async with watching(folder) as (wakes, _):
            await wakes.after(lambda: storm(folder))
            change(folder)
            await wakes.silence()
            if folder.is_file():
                folder.unlink()
            folder.mkdir(parents=True, exist_ok=True)
            await wakes.after(lambda: replace(folder / "new.json"))

    run(story())


class Flaky(Sequence[Path]):
    """Folders that cannot be listed as often as is asked for."""

    def __init__(self, *folders: Path) -> None:
        self.folders, self.failures = folders, 0

    def __len__(self) -> int:
        return len(self.folders)

    def __getitem__(self, index: Any) -> Any:
        if self.failures and index == 0:
            self.failures -= 1
            raise LookupError("no folders now")
        return self.folders[index]


@pytest.mark.long
@pytest.mark.parametrize("failures", [1, 2])
def test_a_watcher_that_met_an_unexpected_error_in_a_storm_is_shown_and_listens_again(
    folder: Path, failures: int
) -> None:
    async def story() -> None:
        wakes, boundary, folders = Wakes(), Boundary(), Flaky(folder)
        watcher = watch(folders, wakes.wake, boundary)
        await wakes.silence()
        folders.failures = failures
        storm(folder)
        async with asyncio.timeout(LONG):
            while "file watcher" not in boundary.broken:
                await asyncio.sleep(PAUSE)
            while folders.failures or not watcher.listening:
                await asyncio.sleep(PAUSE)
        await wakes.after(lambda: replace(folder / "new.json"))
        watcher.close()
        await boundary.stopped()

    run(story())


@pytest.mark.long
def test_a_wake_that_raises_is_not_the_last_one(folder: Path) -> None:
    async def story() -> None:
        wakes, boundary = Wakes(), Boundary()

        def wake() -> None:
            wakes.wake()
            if wakes.count == 1:
                raise LookupError("once")

        watcher = watch([folder], wake, boundary)
        await wakes.after(lambda: replace(folder / "new.json"))
        await wakes.until(lambda: wakes.count >= 2)  # for what may have changed meanwhile
        await wakes.after(lambda: replace(folder / "newer.json"))
        watcher.close()
        await boundary.stopped()

    run(story())


def observer() -> BaseObserver:
    (found,) = [thread for thread in threading.enumerate() if isinstance(thread, BaseObserver)]
    return found


def kill_the_emitters() -> threading.Thread:
    """End the threads that report changes, one for each place."""

    def fail(timeout: float) -> None:
        raise ValueError

    for one in observer().emitters:
        one.queue_events = fail  # type: ignore[method-assign, assignment]
        Path(os.fsdecode(one.watch.path), "wakes its thread").mkdir()
        one.join(LONG)
    return one


def kill_the_reader() -> threading.Thread:
    (reader,) = [thread for thread in threading.enumerate() if type(thread).__name__ == "InotifyFD"]
    one: Any = reader
    root = os.open("/", os.O_RDONLY)
    os.dup2(root, one._inotify_fd)  # a folder cannot be read like a file
    os.close(root)
    os.write(one._kill_w, b"!")  # ends its wait for what it read before
    return reader


KILLS = [kill_the_emitters] + [kill_the_reader] * (sys.platform == "linux" and int(version("watchdog")[0]) >= 7)


@pytest.mark.long
@pytest.mark.parametrize("kill", KILLS)
def test_a_watcher_whose_thread_has_died_is_shown_and_hears_again_after_it_is_mended(
    folder: Path, kill: Callable[[], threading.Thread]
) -> None:
    async def story() -> None:
        wakes, boundary = Wakes(), Boundary()
        with boundary.strays():
            watcher = watch([folder], wakes.wake, boundary)
            await wakes.silence()
            kill().join(LONG)
            assert not watcher.listening
            before = wakes.count
            replace(folder / "unheard.json")
            await wakes.silence()
            assert wakes.count == before
            assert BACKGROUND in boundary.broken
            watcher.mend()
            assert watcher.listening
            await until(lambda: "file watcher" in boundary.broken)
            await wakes.until(lambda: wakes.count > before)  # for what nobody heard
            await wakes.after(lambda: replace(folder / "new.json"))
            watcher.close()
            await boundary.stopped()

    run(story())


def test_an_event_that_raises_is_shown_and_the_next_one_is_heard(folder: Path) -> None:
    async def story() -> None:
        wakes, boundary = Wakes(), Boundary()
        watcher = watch([folder], wakes.wake, boundary)
        await wakes.silence()
        for emitter in observer().emitters:
            observer().event_queue.put((object(), emitter.watch))  # type: ignore[arg-type]
        await until(lambda: "file watcher" in boundary.broken)
        assert watcher.listening
        await wakes.after(lambda: replace(folder / "new.json"))
        watcher.close()
        await boundary.stopped()

    run(story())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_no_error(folder: Path) -> None:
    async def story() -> None:
        async with watching(folder) as (wakes, watcher):
            await wakes.after(lambda: storm(folder))
            folder.parent.chmod(0)
            try:
                watcher.mend()
                await wakes.silence()
            finally:
                folder.parent.chmod(0o700)
            watcher.mend()
            await wakes.after(lambda: replace(folder / "new.json"))

    run(story())


def test_after_closing_nothing_wakes_and_nothing_is_watched(folder: Path) -> None:
    async def story() -> None:
        async with watching(folder) as (wakes, watcher):
            for number in range(100):
                replace(folder / f"{number}.json")
            again(folder)
        told = wakes.count
        await wakes.silence()
        assert (wakes.count, watcher.polled) == (told, frozenset())

    run(story())


def test_closing_ends_every_thread(folder: Path) -> None:
    threads = new_threads()

    async def story() -> None:
        for _ in range(5):
            async with watching(folder, folder.parent / "missing"):
                assert threads()

    run(story())
    assert not threads()


STARVED = """
import asyncio, sys
from pathlib import Path
from deskbell.desktop.watch import watch
from deskbell.program.boundary import Boundary

async def main(folder):
    woken = asyncio.Event()
    watcher = watch([folder], woken.set, Boundary())
    print(*watcher.polled)
    await asyncio.sleep(1.5)
    woken.clear()
    (folder / "x.tmp").write_text("{}")
    (folder / "x.tmp").replace(folder / "old.json")
    await asyncio.wait_for(woken.wait(), 20)
    print("woken")
    Path("/proc/sys/user", sys.argv[2]).write_text("64")
    watcher.mend()
    print("polled:", len(watcher.polled))
    await asyncio.wait_for(woken.wait(), 20)  # for what nobody saw in between
    woken.clear()
    (folder / "new.json").write_text("{}")
    await asyncio.wait_for(woken.wait(), 20)
    print("heard")
    watcher.close()

asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="inotify's own limits")
@pytest.mark.parametrize("limit", ["max_inotify_instances", "max_inotify_watches"])
def test_without_inotify_the_folder_is_looked_at_instead_until_there_is_enough_of_it_again(
    folder: Path, limit: str
) -> None:
    """In a user namespace of its own, in which the system grants none at all."""
    starve = f'echo 0 > /proc/sys/user/{limit} || exit 77; exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", starve, "sh", sys.executable, "-c", STARVED]
    result = _namespaced([*command, str(folder), limit])
    assert result.stdout.split() == [str(folder), "woken", "polled:", "0", "heard"]
    assert result.stderr.count("it is polled every second instead") == 2  # the folder and its parent


def _namespaced(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError:
        result = subprocess.CompletedProcess(command, 77, "", "no unshare here")
    if result.returncode == 77 or "unshare" in result.stderr:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no user namespace: {result.stderr}")
    assert result.returncode == 0, result.stderr
    return result


def test_nothing_is_logged_when_all_is_well(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with watching(folder, folder.parent / "missing") as (_, watcher):
            assert watcher.polled == frozenset()

    with caplog.at_level(logging.INFO, "deskbell"):
        run(story())
    assert caplog.records == []


@pytest.mark.parametrize("name", ["loop", "nul\0", "surrogate\ud800"])
def test_a_folder_that_cannot_be_one_keeps_no_other_from_being_watched_and_is_logged_once(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    bad, good = tmp_path / name / "sessions", tmp_path / "good"
    good.mkdir()

    async def story() -> None:
        async with watching(bad, good) as (wakes, watcher):
            for _ in range(3):
                watcher.mend()
            await wakes.after(lambda: replace(good / "a.json"))
            watcher._stamps()  # what it does in a storm

    run(story())
    assert len([record for record in caplog.records if "cannot be watched" in record.getMessage()]) == 1
