"""What Deskbell remembers of where it was installed, and the copies it keeps."""

import datetime
import os
import stat
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.home import home
from deskbell.settings.backups import KEPT, History
from deskbell.settings.known import File, forget, known, remember, remembered_config_dirs

NOW = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)


def test_the_folder_of_this_environment_comes_first(private_home: Path) -> None:
    other = private_home / "other"
    remember(home().config, other / "settings.json", File(), other)
    remember(home().config, private_home / ".claude" / "settings.json", File(), private_home / ".claude")

    assert remembered_config_dirs(home().config) == [private_home / ".claude", other]


def test_a_broken_memory_still_tells_of_this_environment(private_home: Path) -> None:
    home().config.mkdir(parents=True)
    (home().config / "claude.json").write_text("{")

    assert remembered_config_dirs(home().config) == [private_home / ".claude"]
    with pytest.raises(Problem, match=r"claude\.json cannot be read"):
        known(home().config)


def test_what_came_with_us_is_not_forgotten_by_a_second_install(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    remember(tmp_path, path, File(created=True), None)
    remember(tmp_path, path, File(created=False), None)

    assert known(tmp_path).files[path].created
    forget(tmp_path, path, None)
    assert known(tmp_path).files == {}


def test_what_a_newer_deskbell_wrote_is_kept(tmp_path: Path) -> None:
    (tmp_path / "claude.json").write_text(
        '{"version": 2, "more": {"a": 1}, "files": {"/x": {"scope": "user", "b": 2}}}'
    )

    remember(tmp_path, tmp_path / "settings.json", File(), None)

    text = (tmp_path / "claude.json").read_text()
    assert '"more"' in text
    assert '"b": 2' in text


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


def test_copies_are_for_nobody_else_to_read_and_foreign_files_among_them_are_passed_over(tmp_path: Path) -> None:
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
