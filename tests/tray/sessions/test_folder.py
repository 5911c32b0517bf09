"""Test which files are read again, and what happens to a file that cannot be parsed."""

import errno
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.files.read import read
from deskbell.sessions.folder import FIRST_PAUSE, FULL_LOOK_EVERY, MOST_LENT, SETTLED_AFTER, Folder, Problems

OLD = 1_000_000.0


def put(path: Path, data: bytes, at: float = OLD) -> None:
    temporary = path.parent / "a.tmp"
    temporary.write_bytes(data)
    os.utime(temporary, (at, at))
    temporary.replace(path)


class Parsed:
    """Record what it is asked to parse."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def __call__(self, name: str, data: bytes) -> str:
        self.asked.append(data)
        if data.startswith(b"bad"):
            raise ValueError("is bad")
        return data.decode()


@pytest.fixture
def reported() -> list[str]:
    return []


def folder(path: Path, parse: Parsed, is_resting: Callable[[str], bool] = lambda value: False) -> Folder[str]:
    return Folder(path, lambda name: name.endswith(".json"), parse, 1000, is_resting)


def test_a_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    parse, problems = Parsed(), Problems()
    seen = folder(tmp_path, parse)
    put(tmp_path / "a.json", b"one")

    assert dict(seen.read(problems)) == dict(seen.read(problems)) == {"a.json": "one"}
    assert parse.asked == [b"one"]
    put(tmp_path / "a.json", b"two")
    assert seen.read(problems) == {"a.json": "two"}
    (tmp_path / "a.json").unlink()
    assert seen.read(problems) == {}


def test_a_missing_folder_is_empty_until_it_is_made(tmp_path: Path) -> None:
    parse, problems = Parsed(), Problems()
    seen = folder(tmp_path / "later", parse)

    assert seen.read(problems) == {}
    (tmp_path / "later").mkdir()
    put(tmp_path / "later" / "a.json", b"one")
    assert seen.read(problems) == {"a.json": "one"}


def test_a_folder_that_cannot_be_listed_is_a_problem_and_its_values_stay(tmp_path: Path, reported: list[str]) -> None:
    path = tmp_path / "sessions"
    path.mkdir()
    put(path / "a.json", b"one")
    seen, problems = folder(path, Parsed()), Problems(reported.append)
    assert (dict(seen.read(problems)), seen.problem) == ({"a.json": "one"}, None)
    path.rename(tmp_path / "elsewhere")
    put(path, b"a file")
    assert dict(seen.read(problems)) == dict(seen.read(problems)) == {"a.json": "one"}
    assert (seen.problem or "").endswith(f": {path}")
    assert len(reported) == 1
    path.unlink()
    assert (dict(seen.read(problems)), seen.problem) == ({}, None)


def test_a_resting_file_is_read_again_when_it_is_replaced(tmp_path: Path) -> None:
    parse, problems = Parsed(), Problems()
    seen = folder(tmp_path, parse, lambda value: True)
    put(tmp_path / "a.json", b"one")
    seen.read(problems)
    put(tmp_path / "a.json", b"two")

    assert seen.read(problems) == {"a.json": "two"}


def test_a_resting_file_that_was_changed_in_place_is_found_by_the_next_full_look(tmp_path: Path) -> None:
    now, problems = [0.0], Problems()
    seen = Folder(tmp_path, lambda name: True, Parsed(), 1000, lambda value: True, lambda: now[0])
    put(tmp_path / "a.json", b"one")
    seen.read(problems)
    (tmp_path / "a.json").write_bytes(b"changed")
    now[0] += FULL_LOOK_EVERY

    assert seen.read(problems) == {"a.json": "changed"}


def test_a_bad_file_is_reported_once_and_loses_its_last_good_value(tmp_path: Path, reported: list[str]) -> None:
    parse, problems = Parsed(), Problems(reported.append)
    seen = folder(tmp_path, parse)
    put(tmp_path / "a.json", b"one")
    seen.read(problems)
    put(tmp_path / "a.json", b"bad")

    assert seen.read(problems) == seen.read(problems) == {}
    assert (seen.get("a.json"), seen.patience) == (None, None)
    assert reported == [f"{tmp_path / 'a.json'} is bad. Deskbell goes on without it."]


def test_a_file_that_becomes_bad_again_is_reported_again(tmp_path: Path, reported: list[str]) -> None:
    problems = Problems(reported.append)
    seen = folder(tmp_path, Parsed())
    for data in (b"bad", b"good", b"bad again"):
        put(tmp_path / "a.json", data)
        seen.read(problems)

    assert len(reported) == 2


def test_a_half_written_file_is_not_reported_but_read_again(tmp_path: Path, reported: list[str]) -> None:
    parse, problems = Parsed(), Problems(reported.append)
    seen = folder(tmp_path, parse)
    put(tmp_path / "a.json", b"bad half", time.time())

    assert seen.read(problems) == {}
    (tmp_path / "a.json").write_bytes(b"whole")
    assert seen.read(problems) == {"a.json": "whole"}
    assert reported == []


def test_the_last_good_value_stays_until_a_half_written_file_has_settled(tmp_path: Path, reported: list[str]) -> None:
    problems = Problems(reported.append)
    seen = folder(tmp_path, Parsed())
    put(tmp_path / "a.json", b"one")
    seen.read(problems)
    put(tmp_path / "a.json", b"bad half", time.time() - SETTLED_AFTER / 2)

    assert seen.read(problems) == {"a.json": "one"}
    assert seen.patience is not None
    assert 0 < seen.patience <= SETTLED_AFTER / 2
    os.utime(tmp_path / "a.json", (OLD, OLD))
    assert seen.read(problems) == {}
    assert (len(reported), seen.patience) == (1, None)


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")
def test_links_pipes_folders_and_giants_are_reported_and_never_parsed(tmp_path: Path, reported: list[str]) -> None:
    parse, problems = Parsed(), Problems(reported.append)
    secret = tmp_path / "secret"
    secret.write_bytes(b"secret")
    os.utime(secret, (OLD, OLD))
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "link.json").symlink_to(secret)
    os.mkfifo(inside / "pipe.json")
    (inside / "folder.json").mkdir()
    (inside / "giant.json").write_bytes(b"x" * 2000)
    for name in ("link", "pipe", "folder", "giant"):
        os.utime(inside / f"{name}.json", (OLD, OLD), follow_symlinks=False)
    seen = folder(inside, parse)

    assert seen.read(problems) == seen.read(problems) == {}
    assert len(reported) == 4
    assert parse.asked == []


@pytest.mark.long
def test_a_thousand_bad_files_do_not_affect_a_good_one(tmp_path: Path, reported: list[str]) -> None:
    random.seed(1)
    for n in range(1000):
        put(tmp_path / f"{n}.json", b"bad" + random.randbytes(random.randrange(900)))
    put(tmp_path / "good.json", b"one")
    seen = folder(tmp_path, Parsed())
    problems = Problems(reported.append)

    assert seen.read(problems) == seen.read(problems) == {"good.json": "one"}
    assert len(reported) == 1000


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (RecursionError("too deep"), "cannot be read (RecursionError: too deep)"),
        (OverflowError(), "cannot be read (OverflowError)"),
        (KeyError("name"), "cannot be read (KeyError: 'name')"),
        (ValueError("is bad\nin two lines"), "is bad"),
        (ValueError(), "cannot be read"),
        (PermissionError(13, "Permission denied"), "cannot be read (Permission denied)"),
    ],
)
def test_whatever_a_parser_raises_costs_that_file_alone(
    tmp_path: Path, reported: list[str], error: Exception, sentence: str
) -> None:
    def parse(name: str, data: bytes) -> bytes:
        if name == "bad.json":
            raise error
        return data

    put(tmp_path / "bad.json", b"x")
    put(tmp_path / "good.json", b"y")
    seen, problems = Folder(tmp_path, lambda name: name.endswith(".json"), parse, 1000), Problems(reported.append)

    assert seen.read(problems) == seen.read(problems) == {"good.json": b"y"}
    assert reported == [f"{tmp_path / 'bad.json'} {sentence}. Deskbell goes on without it."]


def test_a_folder_whose_path_no_system_knows_is_a_problem(reported: list[str]) -> None:
    seen = folder(Path("/a\0b"), Parsed())
    assert seen.read(Problems(reported.append)) == {}
    assert seen.problem == "embedded null byte: /a\0b"
    assert len(reported) == 1


def test_a_folder_that_cannot_be_listed_again_is_reported_again(tmp_path: Path, reported: list[str]) -> None:
    path = tmp_path / "sessions"
    seen, problems = folder(path, Parsed()), Problems(reported.append)
    for _ in range(2):
        path.write_bytes(b"a file")
        seen.read(problems)
        path.unlink()
        path.mkdir()
        seen.read(problems)
        path.rmdir()
    assert len(reported) == 2


class Refused:
    """Read files, but raise what is to be raised first."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked = 0

    def __call__(self, path: str, largest: int, follow: bool) -> bytes:
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        return read(path, largest, follow)


PASSING = [OSError(number, os.strerror(number)) for number in (errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EIO)]


@pytest.mark.parametrize("at", [OLD, None], ids=["settled", "just written"])
@pytest.mark.parametrize("error", [*PASSING, OSError(errno.ENOMEM, "no memory"), MemoryError()], ids=repr)
def test_a_file_that_cannot_be_read_for_the_moment_is_read_again_after_a_pause(
    tmp_path: Path, reported: list[str], error: Exception, at: float | None
) -> None:
    now, problems, refused = [0.0], Problems(reported.append), Refused(error)
    seen = Folder(tmp_path, lambda name: True, Parsed(), 1000, clock=lambda: now[0], read_file=refused)
    put(tmp_path / "a.json", b"one", at or time.time())

    assert (dict(seen.read(problems)), seen.patience) == ({}, FIRST_PAUSE)
    now[0] += FIRST_PAUSE / 2
    seen.read(problems)
    assert (refused.asked, seen.patience) == (1, FIRST_PAUSE / 2)
    now[0] += FIRST_PAUSE / 2
    assert (dict(seen.read(problems)), seen.patience) == ({"a.json": "one"}, None)
    assert len(reported) == (1 if at else 0)
    assert problems.reported == set()


def test_a_file_that_may_not_be_read_costs_one_attempt_for_each_pause_and_pauses_double(tmp_path: Path) -> None:
    now, problems, refused = [0.0], Problems(), Refused(*PASSING * 9)
    seen = Folder(tmp_path, lambda name: True, Parsed(), 1000, clock=lambda: now[0], read_file=refused)
    put(tmp_path / "a.json", b"one")
    while now[0] < 60:
        seen.read(problems)
        now[0] += 0.05
    assert refused.asked in range(9, 13)
    assert seen.patience
    assert seen.patience <= FULL_LOOK_EVERY


def test_the_last_value_stays_while_the_next_cannot_be_read(tmp_path: Path) -> None:
    now, problems, refused = [0.0], Problems(), Refused()
    seen = Folder(tmp_path, lambda name: True, Parsed(), 1000, clock=lambda: now[0], read_file=refused)
    put(tmp_path / "a.json", b"one")
    seen.read(problems)
    refused.errors = PASSING[:1]
    put(tmp_path / "a.json", b"two")
    assert seen.read(problems) == {"a.json": "one"}
    now[0] += FIRST_PAUSE
    assert seen.read(problems) == {"a.json": "two"}


def test_a_folder_that_cannot_be_listed_is_listed_again_after_a_pause(tmp_path: Path) -> None:
    path = tmp_path / "sessions"
    path.write_bytes(b"a file")
    seen = folder(path, Parsed())
    seen.read(Problems())
    assert seen.patience == FIRST_PAUSE
    path.unlink()
    seen.read(Problems())
    assert seen.patience is None


def test_a_file_that_is_removed_before_it_is_read_is_no_problem(tmp_path: Path, reported: list[str]) -> None:
    refused = Refused(FileNotFoundError(errno.ENOENT, "gone"))
    seen = Folder(tmp_path, lambda name: True, Parsed(), 1000, read_file=refused)
    put(tmp_path / "a.json", b"one")
    assert (dict(seen.read(Problems(reported.append))), reported, seen.patience) == ({}, [], None)


def test_a_bad_file_from_the_future_is_reported_and_parsed_once(tmp_path: Path, reported: list[str]) -> None:
    parse, problems = Parsed(), Problems(reported.append)
    seen = folder(tmp_path, parse)
    put(tmp_path / "a.json", b"bad", time.time() + 86400)
    for _ in range(3):
        seen.read(problems)
    assert (len(parse.asked), len(reported)) == (1, 1)


def lean(path: Path, parse: Parsed) -> Folder[str]:
    """A folder that keeps no value that begins with "over"."""
    return Folder(path, lambda name: True, parse, 1000, is_kept=lambda value: not value.startswith("over"))


def test_a_value_that_is_not_kept_is_not_listed_and_its_file_is_not_read_again(tmp_path: Path) -> None:
    parse, problems = Parsed(), Problems()
    seen = lean(tmp_path, parse)
    put(tmp_path / "a.json", b"over")
    put(tmp_path / "b.json", b"runs")
    assert dict(seen.read(problems)) == dict(seen.read(problems)) == {"b.json": "runs"}
    assert sorted(parse.asked) == [b"over", b"runs"]

    put(tmp_path / "a.json", b"goes on")
    assert seen.read(problems) == {"a.json": "goes on", "b.json": "runs"}
    put(tmp_path / "b.json", b"over")
    assert seen.read(problems) == {"a.json": "goes on"}


def test_a_value_is_dropped_when_it_need_not_be_kept_any_more(tmp_path: Path) -> None:
    kept = [True]
    parse = Parsed()
    seen = Folder(tmp_path, lambda name: True, parse, 1000, is_kept=lambda value: kept[0])
    put(tmp_path / "a.json", b"one")
    assert seen.read(Problems()) == {"a.json": "one"}
    kept[0] = False
    assert seen.read(Problems()) == {}
    assert (seen.get("a.json"), len(parse.asked)) == ("one", 2)


def test_what_is_not_kept_can_be_asked_for_and_is_the_same_object_until_the_file_changes(tmp_path: Path) -> None:
    parse, problems = Parsed(), Problems()
    seen = lean(tmp_path, parse)
    put(tmp_path / "a.json", b"over 1")
    put(tmp_path / "b.json", b"runs")
    assert seen.get("a.json") is None, "it has not been looked at yet"
    seen.read(problems)
    assert (seen.get("a.json"), seen.get("b.json"), seen.get("c.json")) == ("over 1", "runs", None)
    assert seen.get("a.json") is seen.get("a.json")
    put(tmp_path / "a.json", b"over 2")
    seen.read(problems)
    assert seen.get("a.json") == "over 2"
    (tmp_path / "a.json").unlink()
    seen.read(problems)
    assert seen.get("a.json") is None


def test_what_cannot_be_read_when_it_is_asked_for_is_not_known(tmp_path: Path) -> None:
    seen = lean(tmp_path, Parsed())
    put(tmp_path / "a.json", b"over")
    seen.read(Problems())
    (tmp_path / "a.json").write_bytes(b"bad")
    assert seen.get("a.json") is None


def test_only_some_of_what_is_asked_for_stays_in_memory(tmp_path: Path) -> None:
    parse = Parsed()
    seen = lean(tmp_path, parse)
    for number in range(MOST_LENT + 1):
        put(tmp_path / f"{number}.json", b"over")
    seen.read(Problems())
    parse.asked.clear()
    for _ in range(2):
        for number in range(MOST_LENT + 1):
            assert seen.get(f"{number}.json") == "over"
    assert len(parse.asked) > MOST_LENT + 1


def test_a_file_that_goes_while_another_comes_is_noticed(tmp_path: Path) -> None:
    seen = lean(tmp_path, Parsed())
    put(tmp_path / "a.json", b"one")
    seen.read(Problems())
    put(tmp_path / "b.json", b"two")
    (tmp_path / "a.json").unlink()
    assert seen.read(Problems()) == {"b.json": "two"}


def test_a_sentence_about_an_item_of_any_length_is_short_enough_to_read() -> None:
    reported: list[str] = []
    Problems(reported.append).add(f"transcript /{'9' * 5000}", f"cannot be read ({'x' * 5000})")
    assert [sentence.endswith("…. Deskbell goes on without it.") for sentence in reported] == [True]
    assert len(reported[0]) < 1000


def test_only_the_files_that_are_named_are_read_again(tmp_path: Path) -> None:
    parse, problems = Parsed(), Problems()
    seen = folder(tmp_path, parse)
    for name in ("a.json", "b.json"):
        put(tmp_path / name, b"one")
    seen.read(problems)
    for name in ("a.json", "b.json", "a.txt"):
        put(tmp_path / name, b"two")
    assert seen.read_named(["a.json", "a.txt"]) == ["two"]
    assert seen.values == {"a.json": "two", "b.json": "one"}
    assert seen.read(problems) == {"a.json": "two", "b.json": "two"}
    assert parse.asked == [b"one", b"one", b"two", b"two"]
    assert seen.read_named([]) == []


UNTOLD: dict[str, tuple[Callable[[Path], object], list[str] | None]] = {
    "nothing is known": (lambda f: None, None),
    "a new file": (lambda f: put(f / "b.json", b"two"), ["b.json"]),
    "a file that went": (lambda f: (f / "a.json").unlink(), ["a.json"]),
    "a file that cannot be parsed": (lambda f: put(f / "a.json", b"bad"), ["a.json"]),
    "a link": (lambda f: ((f / "a.json").rename(f / "b"), (f / "a.json").symlink_to(f / "b")), ["a.json"]),
    "a file that rests now": (lambda f: put(f / "a.json", b"rest"), ["a.json"]),
    "a file that is no longer kept": (lambda f: put(f / "a.json", b"drop"), ["a.json"]),
    "a file that rested": (lambda f: put(f / "r.json", b"two"), ["r.json"]),
}


@pytest.mark.parametrize(("change", "names"), UNTOLD.values(), ids=UNTOLD)
def test_only_a_reading_of_the_whole_folder_says_what_became_of_other_files(
    tmp_path: Path, change: Callable[[Path], object], names: list[str] | None
) -> None:
    problems = Problems()
    seen = Folder(tmp_path, lambda name: True, Parsed(), 1000, "rest".__eq__, is_kept="drop".__ne__)
    put(tmp_path / "a.json", b"one")
    put(tmp_path / "r.json", b"rest")
    before = dict(seen.read(problems))
    change(tmp_path)
    assert seen.read_named(names) is None
    assert seen.values == before


def test_while_a_file_could_not_be_read_for_the_moment_no_hint_suffices(tmp_path: Path) -> None:
    def refused(*_: object, **__: object) -> bytes:
        raise OSError(errno.EMFILE, "Too many open files")

    seen, problems = Folder(tmp_path, lambda name: True, Parsed(), 1000, read_file=refused), Problems()
    put(tmp_path / "a.json", b"one")
    seen.read(problems)
    assert seen.patience is not None
    assert seen.read_named([]) is None
