"""Test the copies of a settings file: they are dated and private, and the first one stays."""

import datetime
import os
import stat
from pathlib import Path

import pytest

from deskbell.settings.backups import KEPT, History

NOW = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)


def test_the_first_copy_and_the_latest_few_are_kept(tmp_path: Path) -> None:
    history = History(tmp_path, Path("/home/u/.claude/settings.json"))
    for number in range(KEPT * 2):
        history.save(b"%d" % number, "install", NOW + datetime.timedelta(seconds=number))

    kept = [copy.content() for copy in history.all()]

    assert len(kept) == KEPT
    assert (kept[0], kept[1], kept[-1]) == (b"0", b"%d" % (KEPT + 1), b"%d" % (KEPT * 2 - 1))


def test_the_same_text_is_not_copied_twice_in_a_row(tmp_path: Path) -> None:
    history = History(tmp_path, Path("/home/u/.claude/settings.json"))
    for second, text in enumerate([b"a", b"a", b"b", b"a"]):
        history.save(text, "install", NOW + datetime.timedelta(seconds=second))

    assert [copy.content() for copy in history.all()] == [b"a", b"b", b"a"]


def test_copies_are_private_and_foreign_files_among_them_are_passed_over(tmp_path: Path) -> None:
    history = History(tmp_path, Path("/home/u/.claude/settings.json"))
    history.save(b"{}", "uninstall", NOW)
    (history.folder / "note.json").write_text("mine")

    [copy] = history.all()

    assert (copy.when, copy.reason) == (NOW, "uninstall")
    if os.name == "posix":
        assert stat.S_IMODE(copy.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(history.folder.stat().st_mode) == 0o700


def test_files_of_the_same_name_have_copies_of_their_own(tmp_path: Path) -> None:
    one, other = (History(tmp_path, Path(f"/home/{name}/.claude/settings.json")) for name in ("a", "b"))

    assert one.folder != other.folder


def test_a_copy_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    """Settings hold tokens: half of one may not stay under another name."""
    history = History(tmp_path, Path("/home/u/.claude/settings.json"))
    taken = history.folder / "20260102T030405.000000Z-install.json"
    taken.mkdir(parents=True)

    with pytest.raises(OSError, match="directory"):
        history.save(b"secret", "install", NOW)

    assert os.listdir(history.folder) == [taken.name]


def test_a_file_at_the_root_has_copies_too(tmp_path: Path) -> None:
    assert History(tmp_path, Path("/settings.json")).folder.name.startswith("settings-")
