"""Test how pages are kept."""

import os
import stat
import time
from pathlib import Path

import pytest

from deskbell.home import home
from deskbell.program.shelf import DAY, KEPT, put


def test_a_page_takes_the_place_of_the_one_with_its_name() -> None:
    path = put(home().pages, "board", "old")
    assert put(home().pages, "board", "new ü") == path == home().pages / "board.html"
    assert path.read_text(encoding="utf-8") == "new ü"
    assert os.listdir(home().pages) == ["board.html"]


@pytest.mark.skipif(os.name == "nt", reason="modes as POSIX has them")
def test_a_page_is_the_persons_alone() -> None:
    before = os.umask(0)
    try:
        path = put(home().pages, "board", "private")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent)] == [0o600, 0o700]


def test_the_newest_pages_stay() -> None:
    for number in range(KEPT + 5):
        path = put(home().pages, f"details-{number}", "x")
        os.utime(path, (time.time() - DAY / 2 + number,) * 2)
    put(home().pages, "board", "x")
    kept = {path.stem for path in home().pages.iterdir()}
    assert kept == {"board", *(f"details-{number}" for number in range(6, KEPT + 5))}


def test_a_page_of_yesterday_goes_with_the_next_one() -> None:
    for name, age in (("old", DAY + 60), ("new", DAY - 60)):
        os.utime(put(home().pages, name, "x"), (time.time() - age,) * 2)
    put(home().pages, "board", "x")
    assert {path.stem for path in home().pages.iterdir()} == {"board", "new"}


def test_a_link_in_the_place_of_a_page_is_not_followed(tmp_path: Path) -> None:
    home().pages.mkdir(parents=True)
    (home().pages / "board.html").symlink_to(tmp_path / "elsewhere")
    put(home().pages, "board", "x")
    assert not (tmp_path / "elsewhere").exists()


def test_a_page_is_shown_though_an_old_one_cannot_be_removed() -> None:
    for number in range(KEPT + 1):
        (home().pages / f"{number}.html").mkdir(parents=True)
    assert put(home().pages, "board", "x").read_text() == "x"


def test_a_page_that_cannot_be_written_is_an_error() -> None:
    home().state.parent.mkdir(parents=True)
    home().state.write_text("a file where the folder belongs")
    with pytest.raises(OSError, match="Not a directory"):
        put(home().pages, "board", "x")
