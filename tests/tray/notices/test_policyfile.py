"""Test that a mistake in the settings is named, and that the last good policy stays in force."""

import os
import sys
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import LARGEST, Reading, parse, reread, text
from tests.limits import no_descriptors

HERE = Path("config.toml")

GOOD = {
    "an empty file": "",
    "one setting of one ring": "[rings.idle]\nmin_turn = 30\n",
    "quiet hours over midnight": '[silence]\nhours = ["22:00-07:30", "12:00-13:00"]\n',
    "a channel": '[[channels]]\nname = "p"\nkind = "ntfy"\nurl = "https://ntfy.sh/x"\nsecret = "env:TOKEN"\n',
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_a_good_file_is_accepted(text: str) -> None:
    parse(text, HERE)


def test_one_setting_leaves_the_others_of_its_table_as_they_were() -> None:
    assert parse("[rings.idle]\nmin_turn = 30\n", HERE).rings.idle.delay == Policy().rings.idle.delay


# what the file holds: the end of the sentence
NOT_TOML = {
    "no TOML": ("[rings\n", "is not TOML: "),
    "lists in lists": ("a = " + "[" * 50_000, "is not TOML that can be read: it is nested too deep"),
    "lists that are closed": ("a = " + "[" * 50_000 + "]" * 50_000, "it is nested too deep"),
    "tables in tables": ("a = " + "{a = " * 30_000, "it is nested too deep"),
    "a number without end": ("a = " + "9" * 100_000, "it holds a number of too many digits"),
    "a name without end": (".".join("a" * 50_000) + " = 1", "it is nested too deep"),
    "a name without end in a table": ("a = { " + ".".join("a" * 50_000) + " = 1 }", "it is nested too deep"),
    "a table name without end": ("[" + " . ".join("a" * 50_000) + "]", "it is nested too deep"),
    "two mistakes": ("burst = 1\nrings = 2\n", "line 1: burst is a table: set burst.<setting>; config.toml, line 2: "),
}


@pytest.mark.parametrize(("content", "end"), NOT_TOML.values(), ids=NOT_TOML)
def test_a_wrong_file_is_one_sentence(content: str, end: str) -> None:
    with pytest.raises(Problem) as problem:
        parse(content, HERE)
    assert end in str(problem.value)
    assert len(str(problem.value)) < 300


@pytest.mark.parametrize(("content", "end"), NOT_TOML.values(), ids=NOT_TOML)
def test_a_wrong_file_keeps_the_last_good_policy(tmp_path: Path, content: str, end: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[burst]\nmore_than = 9\n")
    good = reread(file, Reading())
    file.write_text(content)
    assert file.stat().st_size < LARGEST
    wrong = reread(file, good)
    assert wrong.policy.burst.more_than == 9
    assert end in str(wrong.problem).replace(str(file), "config.toml")
    assert reread(file, wrong) is wrong, "an unchanged file is not read again"
    file.write_text("[burst]\nmore_than = 10 # right again\n")
    assert reread(file, wrong).policy.burst.more_than == 10
    assert reread(file, wrong).problem is None


def test_without_a_file_every_default_is_in_force(tmp_path: Path) -> None:
    assert reread(tmp_path / "config.toml", Reading()) == Reading()


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00" * 99])
def test_a_file_of_garbage_is_a_problem_and_not_a_crash(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(content)
    assert reread(file, Reading()).problem


def test_what_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"# \xff")
    with pytest.raises(Problem, match=r"is not UTF-8 text \(byte 2\)"):
        text(tmp_path / "config.toml")


def test_a_folder_in_place_of_the_file_is_a_problem(tmp_path: Path) -> None:
    assert "cannot be read: it is a folder. Move it away" in (reread(tmp_path, Reading()).problem or "")


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders there")
def test_a_named_pipe_in_place_of_the_file_is_a_problem_and_not_a_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.toml")
    assert "cannot be read: it is a named pipe. Move it" in (reread(tmp_path / "config.toml", Reading()).problem or "")


def test_a_file_of_many_megabytes_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"#" * (LARGEST + 1))
    assert "is larger than 200 kB" in (reread(tmp_path / "config.toml", Reading()).problem or "")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "config.toml").touch(0o000)
    assert "cannot be read" in (reread(tmp_path / "config.toml", Reading()).problem or "")


def test_a_file_below_a_file_does_not_exist(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert text(tmp_path / "a" / "config.toml") is None


def test_a_name_that_is_too_long_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(Problem):
        text(tmp_path / ("x" * 300))


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_file_that_cannot_be_read_for_the_moment_is_read_again_although_it_has_not_changed(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[rings.idle]\nmin_turn = 30\n")
    with no_descriptors():
        first = reread(file, Reading())
        assert "Too many open files" in (first.problem or "")
    second = reread(file, first)
    assert (second.problem, second.policy.rings.idle.min_turn) == (None, 30)
    assert reread(file, second) is second


def test_of_many_mistakes_the_first_are_told_and_the_others_are_counted() -> None:
    with pytest.raises(Problem) as problem:
        parse("".join(f"wrong_{n} = 1\n" for n in range(9)), Path("config.toml"))
    said = str(problem.value)
    assert said.startswith(
        "config.toml, line 1: wrong_0 is not a setting. Run `deskbell config show` to list them; config"
    )
    assert said.endswith(
        "line 3: wrong_2 is not a setting. Run `deskbell config show` to list them; and 6 more mistakes"
    )
