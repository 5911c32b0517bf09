"""Test that every setting is explained, and that a change leaves the rest of the file as it is."""

import re
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.errors import Misuse, Problem
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import parse
from deskbell.notices.policytext import changed, document, write
from deskbell.notices.wants import WANTING

HERE = Path("config.toml")
CHANNEL = '[[channels]]\nname = "p"\nkind = "webhook"\nurl = "https://x/y"\ntemplate = { a = ["{title}"] }\n'


def test_the_document_says_what_is_in_force() -> None:
    policy = parse(f"[burst]\nmore_than = 9\n{CHANNEL}", HERE)
    assert parse(document(policy), HERE) == policy
    assert "more_than = 9  # default: 3" in document(policy)


def test_the_document_to_fill_in_changes_nothing() -> None:
    assert parse(document(Policy(), commented=True), HERE) == Policy()


@pytest.mark.parametrize("commented", [True, False])
def test_every_setting_of_every_table_has_a_sentence_above_it(commented: bool) -> None:
    text = document(parse(CHANNEL, HERE), commented)
    before = ""
    for line in text.splitlines():
        if re.match(r"(# )?\w+ = ", line):
            assert re.match(r"# [A-Z].*\.$", before), line
        before = line
    assert len(re.findall(r"^(?:# )?urgency = ", text, re.MULTILINE)) == len(WANTING) + 1  # stalled


SET = {
    "a number": ("", "rings.idle.min_turn", "30", "[rings.idle]\nmin_turn = 30\n"),
    "text": ("", "rings.idle.urgency", "low", '[rings.idle]\nurgency = "low"\n'),
    "beside a comment": (
        "# mine\n[burst]\nwithin = 1.0 # s\n",
        "burst.within",
        "3.0",
        "# mine\n[burst]\nwithin = 3.0 # s\n",
    ),
    "a list": ("", "silence.projects", '["a*"]', '[silence]\nprojects = ["a*"]\n'),
    "at the top": ("", "version", "1", "version = 1\n"),
    "above the tables": (
        "[burst]\nwithin = 1.0\n",
        "ring_in_terminal",
        "true",
        "ring_in_terminal = true\n\n[burst]\nwithin = 1.0\n",
    ),
    "in an older table": ("[words]\nbranch = true\n", "words.branch", "false", "[words]\nbranch = false\n"),
}


@pytest.mark.parametrize(("text", "name", "value", "then"), SET.values(), ids=SET)
def test_a_setting_is_changed_in_place(text: str, name: str, value: str, then: str) -> None:
    assert changed(text, name, value).replace("[rings]\n", "") == then


LINES = ["# mine", "[burst]", "within = 1.0 # s", "", "[words]", "branch = true", "# the end", ""]
OTHERS = [("burst.within", "3.0"), ("burst.more_than", "5"), ("ring_in_terminal", "true"), ("rings.idle.sound", "x")]


@pytest.mark.parametrize(("name", "value"), OTHERS)
@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"], ids=ascii)
def test_a_change_keeps_the_ends_of_lines(name: str, value: str, end: str) -> None:
    after = changed(end.join(LINES), name, value)
    assert after == changed("\n".join(LINES), name, value).replace("\n", end)
    assert parse(after, HERE) == parse(after.replace(end, "\n"), HERE)


@pytest.mark.parametrize(("name", "value"), OTHERS)
@given(ends=st.lists(st.sampled_from(["\r\n", "\n"]), min_size=7, max_size=7), whole=st.booleans())
def test_a_change_keeps_each_end_where_they_differ(name: str, value: str, ends: list[str], whole: bool) -> None:
    """Every line that is not changed stays as it is, to the byte."""
    lines = LINES if whole else LINES[:-1]
    before = [line + end for line, end in zip_longest(lines, ends[: len(lines) - 1], fillvalue="")]
    after = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", changed("".join(before), name, value))
    left = [line for line in before if line and not line.startswith(name.rpartition(".")[2])]
    rest = iter(after)
    assert all(line in rest or line == left[-1] for line in left), after


def test_the_first_setting_of_an_empty_file_ends_with_lf() -> None:
    assert changed("# mine", "version", "1") == "# mine\nversion = 1\n"


def test_a_setting_that_would_break_the_file_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    with pytest.raises(Problem, match=r"burst\.more_than"):
        write(file, changed("", "burst.more_than", "none"))
    assert not file.exists()


def test_a_value_that_is_not_utf_8_is_a_misuse() -> None:
    with pytest.raises(Misuse, match=r"rings\.idle\.sound is not UTF-8 text\. Type it"):
        changed("", "rings.idle.sound", "a\udc80")
