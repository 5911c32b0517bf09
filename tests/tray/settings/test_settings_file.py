"""Test that the person's file is read, changed and removed, and that no edit of another program is lost."""

import errno
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.exchange import compare_and_replace, exchange
from deskbell.settings.settings_file import Swap, change, leftovers, planned
from tests.faults.injector import failing

posix = pytest.mark.skipif("sys.platform == 'win32'", reason="modes, links and owners are POSIX's")
not_root = pytest.mark.skipif("not hasattr(os, 'getuid') or os.getuid() == 0", reason="root may write everything")


def to(content: bytes | None) -> Callable[[bytes | None], bytes | None]:
    return lambda before: content


def forget(before: bytes | None) -> None:
    """Keep no copies."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "settings.json"
    path.write_bytes(b'{"a": 1}')
    return path


def test_a_file_is_replaced_and_its_former_text_is_saved(path: Path) -> None:
    saved: list[bytes | None] = []

    done = change(path, to(b"{}"), saved.append)

    assert (path.read_bytes(), saved, done) == (b"{}", [b'{"a": 1}'], (path, b'{"a": 1}', b"{}"))


def test_nothing_is_written_where_nothing_changes(path: Path) -> None:
    before = path.stat()
    saved: list[bytes | None] = []

    change(path, lambda text: text, saved.append)

    after = path.stat()  # reading it may change the time of the last access
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )
    assert saved == []


def test_a_missing_file_is_created_private_and_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "settings.json"

    change(path, to(b"{}"), forget)

    assert path.read_bytes() == b"{}"
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_can_be_removed(path: Path) -> None:
    change(path, to(None), forget)

    assert list(path.parent.iterdir()) == []


def test_a_plan_changes_nothing(path: Path) -> None:
    assert planned(path, to(b"{}")).needed
    assert path.read_bytes() == b'{"a": 1}'


@posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_is_kept(path: Path, mode: int) -> None:
    path.chmod(mode)

    change(path, to(b"{}"), forget)

    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
@pytest.mark.skipif("not hasattr(os, 'getuid') or os.getuid() != 0", reason="only root can give a file away")
def test_the_owner_is_kept(path: Path) -> None:
    os.chown(path, 1234, 5678)

    change(path, to(b"{}"), forget)

    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 5678)


@posix
@pytest.mark.skipif("not hasattr(os, 'getuid') or os.getuid() != 0", reason="only root can give a file away")
@pytest.mark.parametrize(
    ("mode", "then"), [(0o640, 0o600), (0o664, 0o644), (0o660, 0o600), (0o777, 0o777), (0o2750, 0o700)]
)
def test_a_group_that_cannot_be_kept_leaves_another_one_no_more_than_everybody(
    path: Path, mode: int, then: int
) -> None:
    os.chown(path, -1, 5678)
    path.chmod(mode)

    with failing("os.chown", errno.EPERM):
        change(path, to(b"{}"), forget)

    found = path.stat()
    assert (found.st_gid, stat.S_IMODE(found.st_mode)) == (os.getgid(), then)


@posix
@pytest.mark.skipif("not hasattr(os, 'getuid') or os.getuid() != 0", reason="only root can give a folder away")
def test_the_group_is_kept_in_a_folder_that_gives_its_own_to_new_files(path: Path) -> None:
    path.chmod(0o640)
    os.chown(path.parent, -1, 5678)
    path.parent.chmod(0o2700)

    change(path, to(b"{}"), forget)

    assert (path.stat().st_gid, stat.S_IMODE(path.stat().st_mode)) == (os.getgid(), 0o640)


@posix
@pytest.mark.skipif("not hasattr(os, 'getuid') or os.getuid() != 0", reason="only root can give a file away")
def test_a_file_of_another_user_that_would_change_hands_is_refused(path: Path) -> None:
    os.chown(path, 1234, -1)

    with failing("os.chown", errno.EPERM), pytest.raises(Problem, match=r"belongs to another user\. The file is as it"):
        change(path, to(b"{}"), forget)

    assert (path.stat().st_uid, path.read_bytes(), leftovers(path)) == (1234, b'{"a": 1}', [])


@pytest.mark.skipif("sys.platform != 'linux'", reason="extended attributes of Linux")
def test_extended_attributes_are_kept(path: Path) -> None:
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no extended attributes")

    change(path, to(b"{}"), forget)

    assert os.getxattr(path, "user.note") == b"mine"


@posix
@pytest.mark.parametrize("there", [True, False], ids=["to a file", "to a file that is not there yet"])
def test_a_link_stays_a_link(tmp_path: Path, there: bool) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    if there:
        (dotfiles / "settings.json").write_bytes(b'{"a": 1}')
    link = tmp_path / "settings.json"
    link.symlink_to("dotfiles/settings.json")

    change(link, to(b"{}"), forget)

    assert os.readlink(link) == "dotfiles/settings.json"
    assert (dotfiles / "settings.json").read_bytes() == b"{}"
    assert [entry.name for entry in dotfiles.iterdir()] == ["settings.json"]


@posix
@pytest.mark.parametrize("umask", [0o000, 0o377])
def test_a_new_file_and_its_folder_are_the_persons_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "new" / ".claude" / "settings.json"
    before = os.umask(umask)
    try:
        change(path, to(b"{}"), forget)
    finally:
        os.umask(before)

    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent, path.parents[1])] == [0o600, 0o700, 0o700]


@posix
def test_a_circle_of_links_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.symlink_to(path)

    with pytest.raises(Problem, match="Cannot read"):
        change(path, to(b"{}"), forget)


@posix
def test_a_read_only_file_is_refused(path: Path) -> None:
    path.chmod(0o444)

    with pytest.raises(Problem, match=r"is read-only\. Nothing was changed\. Make it"):
        change(path, to(b"{}"), forget)

    assert path.read_bytes() == b'{"a": 1}'


@posix
@not_root
def test_a_read_only_folder_is_refused(path: Path) -> None:
    path.parent.chmod(0o500)
    try:
        with pytest.raises(Problem, match=r"The folder .* is read-only"):
            change(path, to(b"{}"), forget)
    finally:
        path.parent.chmod(0o700)


@posix
@not_root
def test_a_file_is_not_created_in_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(Problem, match=rf"^The folder {tmp_path} is read-only\. Nothing was changed\. Make it"):
            planned(tmp_path / "new" / "settings.json", to(b"{}"))
    finally:
        tmp_path.chmod(0o700)


@posix
@not_root
def test_an_unreadable_file_is_refused(path: Path) -> None:
    path.chmod(0)

    with pytest.raises(Problem, match="Cannot read"):
        change(path, to(b"{}"), forget)


@posix
def test_a_file_with_hard_links_is_refused(path: Path) -> None:
    os.link(path, path.with_name("other.json"))

    with pytest.raises(Problem, match="has 2 hard links"):
        change(path, to(b"{}"), forget)


def test_a_folder_in_its_place_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()

    with pytest.raises(Problem, match="Cannot read"):
        change(tmp_path / "settings.json", to(b"{}"), forget)


def test_a_file_in_the_place_of_the_folder_is_a_problem(path: Path) -> None:
    with pytest.raises(Problem):
        change(path / "settings.json", to(b"{}"), forget)


class Rival:
    """Another program, which writes the file between our reading and our writing, once for each text."""

    def __init__(self, path: Path, *texts: bytes, in_place: bool = False) -> None:
        self.path, self.texts, self.in_place = path, list(texts), in_place

    def edit(self, before: bytes | None) -> bytes | None:
        """Let the rival write first, then add a word."""
        if self.texts:
            text = self.texts.pop(0)
            if self.in_place:
                self.path.write_bytes(text)
            else:
                beside = self.path.with_name("rival")
                beside.write_bytes(text)
                beside.replace(self.path)
        return (before or b"{}").replace(b"}", b"ours}")


@pytest.mark.parametrize("in_place", [False, True], ids=["replacing", "in place"])
@pytest.mark.parametrize("texts", [[b"{1}"], [b"{1}", b"{2}"], [b"{1}", b"{2}", b"{3}"]], ids=len)
def test_a_foreign_edit_in_between_is_not_lost(path: Path, texts: list[bytes], in_place: bool) -> None:
    rival = Rival(path, *texts, in_place=in_place)

    done = change(path, rival.edit, forget)

    assert path.read_bytes() == done.after == texts[-1].replace(b"}", b"ours}")
    assert leftovers(path) == []


def test_a_file_that_has_changed_is_not_exchanged_at_all(path: Path) -> None:
    """If ours were exchanged first, a reader would get the older text for a moment."""
    taken_out: list[bytes] = []

    def swap(one: Path, other: Path, expected: bytes | None) -> bool:
        done = exchange(one, other, expected)
        taken_out.append(one.read_bytes())
        return done

    change(path, Rival(path, b"{1}", b"{2}").edit, forget, swap)

    assert taken_out == [b"{2}"]


class Intruder:
    """Another program, which writes just before or just after the files change places."""

    def __init__(self, when: str, in_place: bool, real: Swap) -> None:
        self.when, self.in_place, self.real, self.wrote = when, in_place, real, False

    def swap(self, one: Path, other: Path, expected: bytes | None) -> bool:
        if self.when == "before":
            self.write(other)
        done = self.real(one, other, expected)
        if self.when == "after":
            self.write(other)
        return done

    def write(self, path: Path) -> None:
        if not self.wrote:
            self.wrote = True
            Rival(path, b"{theirs}", in_place=self.in_place).edit(None)


@pytest.mark.parametrize("real", [exchange, compare_and_replace])
@pytest.mark.parametrize("in_place", [False, True], ids=["replacing", "in place"])
@pytest.mark.parametrize(("when", "result"), [("before", b"{theirsours}"), ("after", b"{theirs}")])
def test_an_edit_at_the_last_moment_is_not_lost(
    path: Path, when: str, result: bytes, in_place: bool, real: Swap
) -> None:
    """An edit after ours was made without knowing of ours: it counts alone."""
    change(path, Rival(path).edit, forget, Intruder(when, in_place, real).swap)

    assert path.read_bytes() == result
    assert leftovers(path) == []


def test_an_edit_while_theirs_goes_back_is_not_lost(path: Path) -> None:
    texts = [b"{theirs}", b"{newer}"]

    def swap(one: Path, other: Path, expected: bytes | None) -> bool:
        if texts:
            other.write_bytes(texts.pop(0))
        return exchange(one, other, expected)

    change(path, Rival(path).edit, forget, swap)

    assert path.read_bytes() == b"{newerours}"


def test_a_file_created_in_between_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    rival = Rival(path, b"{theirs}")

    change(path, rival.edit, forget)

    assert path.read_bytes() == b"{theirsours}"


def test_a_file_edited_while_it_is_removed_stays(path: Path) -> None:
    rival = Rival(path, b"{theirs}")

    def unless_theirs(before: bytes | None) -> bytes | None:
        rival.edit(before)
        return before if before and b"theirs" in before else None

    change(path, unless_theirs, forget)

    assert path.read_bytes() == b"{theirs}"
    assert leftovers(path) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "number", "error"),
    [("os.open", 1, errno.EMFILE), ("os.read", 1, errno.EIO), ("os.unlink", 0, errno.EPERM)],
    ids=["it cannot be opened", "it cannot be read", "it cannot be deleted"],
)
def test_a_file_that_cannot_be_removed_is_in_its_place_again(path: Path, call: str, number: int, error: int) -> None:
    before = path.read_bytes()
    with failing(call, error, number), pytest.raises(Problem):
        change(path, lambda _: None, lambda _: None)
    assert path.read_bytes() == before
    assert leftovers(path) == []


def test_what_cannot_be_compared_after_the_exchange_goes_back(path: Path) -> None:
    with failing("os.read", errno.EIO, 2), pytest.raises(Problem, match="Cannot read"):
        change(path, to(b"{}"), forget)

    assert path.read_bytes() == b'{"a": 1}'
    assert leftovers(path) == []


@posix
def test_a_change_that_is_made_is_no_failure_although_its_folder_cannot_be_synced(path: Path) -> None:
    with failing("os.fsync", errno.EIO, 1):
        assert change(path, to(b"{}"), forget).needed

    assert path.read_bytes() == b"{}"


def test_a_file_that_cannot_be_written_is_said_to_be_as_it_was(path: Path) -> None:
    """Other files may have changed before this one."""
    with failing("os.write", errno.ENOSPC), pytest.raises(Problem, match=r"No space left .* The file is as it was\."):
        change(path, to(b"{}"), forget)

    assert path.read_bytes() == b'{"a": 1}'


def test_an_edit_that_cannot_be_understood_stays_in_place(path: Path) -> None:
    rival = Rival(path, b"broken")

    def careful(before: bytes | None) -> bytes | None:
        if before == b"broken":
            raise Problem("line 1")
        return rival.edit(before)

    with pytest.raises(Problem, match="line 1"):
        change(path, careful, forget)

    assert path.read_bytes() == b"broken"
    assert leftovers(path) == []


def test_a_file_that_another_program_is_writing_is_waited_for(path: Path) -> None:
    path.write_bytes(b"")
    writing = threading.Timer(0.2, path.write_bytes, [b'{"theirs": 1}'])
    writing.start()

    change(path, Rival(path).edit, forget)

    writing.join()
    assert path.read_bytes() == b'{"theirs": 1ours}'


def test_a_file_that_has_been_empty_for_long_is_empty(path: Path) -> None:
    path.write_bytes(b"")
    os.utime(path, (1, 1))

    assert planned(path, to(b"{}")).before == b""


@pytest.mark.long
def test_a_file_that_keeps_changing_is_refused_in_the_end(path: Path) -> None:
    texts = [b"{%d}" % number for number in range(100_000)]
    rival = Rival(path, *texts)

    with pytest.raises(Problem, match="keeps changing"):
        change(path, rival.edit, forget)

    assert path.read_bytes() == texts[-len(rival.texts) - 1]
