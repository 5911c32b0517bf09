"""Test which folders are taken for Claude Code's folder of an account."""

import sys
from pathlib import Path
from typing import Any

import pytest

from deskbell.sessions.accounts import MOST, account_of, accounts


def record(config_dir: str, last_at: float = 1.0) -> Any:
    return {"config_dir": config_dir, "last_at": last_at}


@pytest.mark.parametrize(
    ("known", "account"),
    [
        ({"config_dir": "/c"}, "/c"),
        ({"config_dir": "/c", "transcript": "/d/projects/p/s.jsonl"}, "/c"),
        ({"transcript": "/d/projects/p/s.jsonl"}, "/d"),
        ({"transcript": "/d/elsewhere/s.jsonl"}, None),
        ({}, None),
    ],
)
def test_the_account_of_a_record(known: Any, account: str | None) -> None:
    assert account_of(known) == account


def test_known_accounts_come_first_and_each_is_listed_once(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    found = accounts([two], [record(str(three)), record(str(two)), record(str(one)), record(str(three), 2.0)])
    assert found == (two, one, three)


def test_the_order_does_not_depend_on_the_times_of_the_records() -> None:
    assert accounts([], [record("/a", 1), record("/b", 2)]) == accounts([], [record("/b", 1), record("/a", 2)])


@pytest.mark.parametrize("name", ["/a\0b", "/\ud800", "/" + "a" * 5000])
def test_what_no_system_takes_for_a_folder_is_left_out_and_the_others_are_not(tmp_path: Path, name: str) -> None:
    assert accounts([Path(name)], [record(name), record(str(tmp_path))]) == (tmp_path,)


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_a_circle_of_links_is_left_out_until_a_folder_replaces_it(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert accounts([], [record(str(loop))]) == ()
    loop.unlink()
    loop.mkdir()
    assert accounts([], [record(str(loop))]) == (loop,)


def test_of_thousands_of_accounts_those_with_the_newest_records_are_taken() -> None:
    found = accounts([Path("/known")], [record(f"/{number:05}", number) for number in range(10_000)])
    assert found == (Path("/known"), *(Path(f"/{number:05}") for number in range(10_000 - MOST, 10_000)))
