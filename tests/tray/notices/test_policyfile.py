"""The person's settings: what is wrong is said to the line, and what was good goes on."""

from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import Reading, parse, reread
from deskbell.notices.policytext import changed, document, write

HERE = Path("config.toml")

GOOD = {
    "an empty file": "",
    "one setting of one ring": "[rings.idle]\nmin_turn = 30\n",
    "quiet hours over midnight": '[silence]\nhours = ["22:00-07:30", "12:00-13:00"]\n',
    "a channel": '[[channels]]\nname = "p"\nkind = "ntfy"\nurl = "https://ntfy.sh/x"\nsecret = "env:TOKEN"\n',
}
BAD = {
    "no TOML": ("[rings\n", ["line 1"]),
    "an unknown setting": ("[rings.idle]\n\nmin_trun = 3\n", ["line 3", "rings.idle.min_trun", "no setting"]),
    "an unknown table": ("version = 1\n[rnigs]\nx = 1\n", ["line 2", "rnigs"]),
    "a wrong kind of value": ('[burst]\nwithin = 2\nmore_than = "many"\n', ["line 3", "burst.more_than", "integer"]),
    "a dotted key": ("rings.idle.delay = -1\n", ["line 1", "rings.idle.delay", "greater than or equal to 0"]),
    "an unknown word": ('[rings.error]\nurgency = "loud"\n', ["line 2", "rings.error.urgency", "'critical'"]),
    "hours that are none": ('[silence]\nhours = ["10pm-7am"]\n', ["line 2", "silence.hours", "22:00-07:30"]),
    "the second of two channels": (
        '[[channels]]\nname = "a"\nkind = "command"\ncommand = ["x"]\n\n[[channels]]\nname = "b"\nkind = "ntfy"\n',
        ["line 6", "channels.1", "url"],
    ),
    "a secret in the file": (
        '[[channels]]\nname = "a"\nkind = "ntfy"\nurl = "https://x"\nsecret = "tk_123"\n',
        ["line 1", "secret", "env:NAME"],
    ),
    "a version from the future": ("version = 2\n", ["line 1", "version"]),
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_what_is_good_is_taken(text: str) -> None:
    parse(text, HERE)


@pytest.mark.parametrize(("text", "parts"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_said_with_its_line(text: str, parts: list[str]) -> None:
    with pytest.raises(Problem) as told:
        parse(text, HERE)
    assert [part for part in ["config.toml", *parts] if part not in str(told.value)] == []


def test_one_setting_leaves_the_others_of_its_table_as_they_were() -> None:
    assert parse("[rings.idle]\nmin_turn = 30\n", HERE).rings.idle.delay == Policy().rings.idle.delay


def test_a_broken_file_keeps_the_last_good_policy_and_a_mended_one_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[burst]\nmore_than = 9\n")
    good = reread(file, Reading())
    file.write_text("[burst]\nmore_than = nine\n")
    broken = reread(file, good)
    assert (broken.policy.burst.more_than, broken.problem is None) == (9, False)
    assert reread(file, broken) is broken
    file.write_text("[burst]\nmore_than = 10 # mended\n")
    assert reread(file, broken).policy.burst.more_than == 10
    assert reread(file, broken).problem is None


def test_no_file_is_every_default(tmp_path: Path) -> None:
    assert reread(tmp_path / "config.toml", Reading()) == Reading()


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00" * 99])
def test_a_file_of_garbage_is_a_problem_and_not_a_crash(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(content)
    assert reread(file, Reading()).problem


def test_the_documented_file_says_what_is_in_force() -> None:
    policy = parse('[burst]\nmore_than = 9\n[[channels]]\nname = "p"\nkind = "command"\ncommand = ["x"]\n', HERE)
    assert parse(document(policy), HERE) == policy
    assert "more_than = 9  # default: 3" in document(policy)


def test_the_file_to_fill_in_changes_nothing() -> None:
    assert parse(document(Policy(), commented=True), HERE) == Policy()


def test_every_setting_is_documented() -> None:
    text = document(Policy())
    words = [line for line in text.splitlines() if line.startswith("# ")]
    assert len(words) > 35
    for name in ("min_turn", "when_focused", "hours", "more_than", "minutes", "details", "secret", "template"):
        assert name in text


SET = {
    "a number": ("", "rings.idle.min_turn", "30", "[rings.idle]\nmin_turn = 30\n"),
    "a word": ("", "rings.idle.urgency", "low", '[rings.idle]\nurgency = "low"\n'),
    "beside a comment": (
        "# mine\n[burst]\nwithin = 1.0 # s\n",
        "burst.within",
        "3.0",
        "# mine\n[burst]\nwithin = 3.0 # s\n",
    ),
    "a list": ("", "silence.projects", '["a*"]', '[silence]\nprojects = ["a*"]\n'),
}


@pytest.mark.parametrize(("text", "name", "value", "then"), SET.values(), ids=SET)
def test_a_setting_is_changed_in_place(text: str, name: str, value: str, then: str) -> None:
    assert changed(text, name, value).replace("[rings]\n", "") == then


def test_a_setting_that_would_break_the_file_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    with pytest.raises(Problem, match=r"burst\.more_than"):
        write(file, changed("", "burst.more_than", "none"))
    assert not file.exists()
