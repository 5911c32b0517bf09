"""Test when the folder of the records is tried, what is said if it takes no files, and when that is taken back."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.home import Home
from deskbell.program.storage import EVERY, SOON, Storage, sentence
from tests.small_disk import Disk, small_disk
from tests.tray.making import NOON

HOME = Home(Path("/home/me/.local/state/deskbell"), Path("/data"), Path("/config"))


class Folders:
    """Folders that take files, or do not. Records each trial."""

    def __init__(self) -> None:
        self.error: OSError | None = None
        self.looks_good = True
        self.silent: frozenset[str] = frozenset()
        self.trials: list[float] = []
        self.now = NOON

    def refused(self, folder: Path) -> OSError | None:
        if folder == HOME.events:
            self.trials.append(self.now - NOON)
        return self.error

    def storage(self) -> Storage:
        return Storage(HOME, lambda: self.silent, self.refused, lambda _: self.looks_good)


def looks(folders: Folders, storage: Storage, seconds: int) -> None:
    """Look once in each second, as a busy loop does."""
    for _ in range(seconds):
        storage.look(folders.now)
        folders.now += 1


def full() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_while_all_is_well_a_file_is_written_at_the_start_and_every_ten_minutes_and_nothing_wakes_for_it() -> None:
    folders = Folders()
    storage = folders.storage()
    looks(folders, storage, 2 * int(EVERY))
    assert folders.trials == [0, EVERY]
    assert (storage.problem, storage.again) == (None, None)


def test_a_disk_that_looks_full_is_tried_at_once_and_soon_again_and_its_problem_goes_with_it() -> None:
    folders = Folders()
    storage = folders.storage()
    looks(folders, storage, 3)
    folders.looks_good, folders.error = False, full()
    storage.look(folders.now)
    assert storage.problem == "Disk full, so events are lost: free space for /home/me/.local/state/deskbell."
    assert storage.again == folders.now + SOON
    looks(folders, storage, 11)
    assert folders.trials == [0, 3, 8, 13]
    folders.looks_good, folders.error = True, None
    storage.look(folders.now)
    assert (storage.problem, storage.again) == (None, None)


def test_a_disk_that_is_nearly_full_is_no_problem_while_a_trial_fits() -> None:
    folders = Folders()
    storage = folders.storage()
    folders.looks_good = False
    looks(folders, storage, 11)
    assert folders.trials == [0, 5, 10]
    assert (storage.problem, storage.again) == (None, None)


def test_a_client_whose_hooks_fall_silent_is_a_reason_to_try_at_once_but_not_for_ever() -> None:
    """A quota shows in nothing but a trial."""
    folders = Folders()
    storage = folders.storage()
    looks(folders, storage, 3)
    folders.silent, folders.error = frozenset(("a",)), OSError(errno.EDQUOT, "Disk quota exceeded")
    storage.look(folders.now)
    assert (storage.problem or "").startswith("Disk quota used up, so events are lost: ")
    folders.error = None
    looks(folders, storage, 100)
    assert storage.problem is None
    assert len(folders.trials) == 3  # the first, the one for the silence, and the one that found it over
    folders.silent = frozenset(("a", "b"))
    looks(folders, storage, 5)
    assert len(folders.trials) == 4


def test_a_clock_that_was_set_back_stops_no_trial() -> None:
    folders = Folders()
    storage = folders.storage()
    storage.look(folders.now)
    folders.now -= 100_000
    storage.look(folders.now)
    assert len(folders.trials) == 2


PLACE = Path("~/state")
SENTENCES = [
    (errno.ENOSPC, "Disk full, so events are lost: free space for ~/state."),
    (errno.EROFS, "Disk read-only, so events are lost: make ~/state writable."),
    (errno.EACCES, "Folder not writable, so events are lost: make ~/state yours and writable."),
    (errno.EPERM, "Folder not writable, so events are lost: make ~/state yours and writable."),
    (errno.ENOTDIR, "Folder missing, so events are lost: move the file ~/state away."),
    (errno.EIO, "Disk error, so events are lost: check the disk of ~/state."),
    (errno.ELOOP, f"{os.strerror(errno.ELOOP)}, so events are lost: check ~/state."),
]


@pytest.mark.parametrize(("number", "said"), SENTENCES)
def test_the_cause_comes_first_then_the_place_and_the_next_step(number: int, said: str) -> None:
    assert sentence(OSError(number, os.strerror(number)), PLACE) == said


def test_a_disk_without_inodes_is_not_called_full() -> None:
    assert sentence(full(), PLACE, True) == "No inodes left, so events are lost: delete files on the disk of ~/state."


def test_what_one_folder_refuses_names_that_folder(tmp_path: Path) -> None:
    home = Home(tmp_path / "state", tmp_path, tmp_path)
    for folder in (home.events, home.sessions):
        folder.mkdir(parents=True)
    denied = PermissionError(errno.EACCES, "Permission denied")
    storage = Storage(home, refused=lambda folder: denied if folder == home.sessions else None)
    storage.look(NOON)
    assert f" make {home.sessions} yours and writable." in (storage.problem or "")


SPOILT: list[tuple[Callable[[Disk], None], Callable[[Disk], None], str]] = [
    (Disk.fill, Disk.free, "Disk full, "),
    (Disk.take_inodes, Disk.free, "No inodes left, "),
    (Disk.read_only, lambda disk: disk.read_only(False), "Disk read-only, "),
]


@pytest.mark.parametrize(("spoil", "mend", "says"), SPOILT, ids=[row[2] for row in SPOILT])
def test_a_real_disk_that_is_spoilt_is_told_at_the_next_look_until_it_is_mended(
    tmp_path: Path, spoil: Callable[[Disk], None], mend: Callable[[Disk], None], says: str
) -> None:
    with small_disk(tmp_path / "disk", "2m") as disk:
        home = Home(disk.path / "state", disk.path, disk.path)
        for folder in (home.events, home.sessions):
            folder.mkdir(parents=True)
        storage = Storage(home)
        storage.look(NOON)
        assert storage.problem is None
        spoil(disk)
        storage.look(NOON + 1)
        assert (storage.problem or "").startswith(says)
        mend(disk)
        storage.look(NOON + 2)
        assert storage.problem is None
        assert disk.files() == set()
