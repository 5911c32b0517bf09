"""Test how the words of a command are matched against the shape that the table gives."""

import pytest

from deskbell.answers.risk.checks import CHECKS
from deskbell.answers.risk.kinds import KINDS, Around
from deskbell.answers.risk.reads import READS
from deskbell.answers.risk.shapes import matched, shape
from deskbell.answers.risk.shell import script
from tests.tray.answers.risk.table import AT

LINE = "search path* -a -b -n=number --all --long=number --color~word -# --exact"
FITS = ["x", "x a b", "-a x", "-ab x", "-n5 x", "-n 5 x", "-abn5 x", "--long=5 x", "--long 5 x", "--color x", "--color=red x",
        "-20 x", "x -a", "--exact -- x", "-- x", "-- x -a", "x -"]  # fmt: skip
FITS_NOT = ["", "-a", "-c x", "-ac x", "--al x", "--all=x x", "--exact=1 x", "--long", "-n", "-n x x", "-n -a x", "--long -a x",
            "--color=1 x", "-a=1 x", "-n=5 x", "--colour x", "-x- x", "‐a x", "-\xe4 x", "*x y", "x *y", "-[a] x", "x ?y", "--n=5 x"]  # fmt: skip


def verdict(line: str, text: str) -> str:
    (command,) = script(f"program {text}").commands
    return matched(line, command.words[1:], Around(AT.cwd, AT)).verdict


@pytest.mark.parametrize("text", FITS)
def test_words_that_fit_are_plain(text: str) -> None:
    assert verdict(LINE, text) == "plain"


@pytest.mark.parametrize("text", FITS_NOT)
def test_words_that_do_not_fit_are_careful(text: str) -> None:
    assert verdict(LINE, text) == "careful"


NUMBERS = {
    "any": ["x"],
    "any?": ["", "x"],
    "any+": ["x", "x x", "x x x"],
    "any*": ["", "x", "x x"],
    "any any?": ["x", "x x"],
    "": [""],
}


@pytest.mark.parametrize(("line", "fits"), NUMBERS.items())
def test_a_shape_says_how_many_words_there_are(line: str, fits: list[str]) -> None:
    tried = ["", "x", "x x", "x x x"]
    enough = [
        text for text in tried if text in fits or (fits[-1].count("x") > 1 and line[-1] in "*+" and len(text) > 3)
    ]
    assert [text for text in tried if verdict(line, text) == "plain"] == enough


def test_a_pattern_in_front_is_allowed_where_no_option_does_harm() -> None:
    assert verdict("path*", "*.py") == "careful"
    assert verdict("path*", "./*.py") == "plain"
    assert verdict("path*", "-- *.py") == "plain"
    assert verdict("path* safe", "*.py") == "plain"


NEEDED = {"--check x": "plain", "x -c": "plain", "-qc x": "plain", "x": "careful", "-q x": "careful", "--": "careful"}


@pytest.mark.parametrize(("text", "expected"), NEEDED.items())
def test_without_the_options_that_are_needed_it_does_more(text: str, expected: str) -> None:
    assert verdict("inside* !--check !-c -q", text) == expected


def test_a_program_that_prints_its_words_prints_unknown_options_too() -> None:
    assert verdict("any* -n free", "-n --- '--- x' --foo") == "plain"
    assert verdict("any* -n", "---") == "careful"


def test_a_quoted_pattern_in_an_option_is_no_disguise() -> None:
    assert verdict("path* --include=any", "--include='*.py' x") == "plain"
    assert verdict("path* --include=any", "--include=$x x") == "careful"


def kinds(line: str) -> set[str]:
    of = shape(line)
    return {kind.rstrip("*?+") for kind in of.operands} | {*of.valued.values()} | {*of.attached.values()}


def test_every_shape_of_the_table_names_kinds_that_exist() -> None:
    unknown = {name: kinds(line) - KINDS.keys() for name, line in {**READS, **CHECKS}.items()}
    assert {name: missing for name, missing in unknown.items() if missing} == {}
