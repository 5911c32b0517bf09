"""Test that docs/answers.md names tests that exist, and at least one for everybody who could approve something."""

import ast
import re
import textwrap
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from deskbell.notices.policy import Policy

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")
THREATS = [
    tuple(cell.strip() for cell in row.strip("|").split(" | "))
    for row in PAGE.partition("\n## Who could")[2].splitlines()
    if re.match(r"\| (?!who )", row)
]
ASKED_FOR = (
    *("another local user", "another process of yours", "`deskbell answer`", "a notification daemon", "a click that"),
    *("a double click", "the same text", "the number of the client", "was replaced", "another host", "set back"),
    *("hostile bytes", "a full disk", "type in that terminal"),
)


def named() -> Iterator[tuple[str, str]]:
    yield from re.findall(r"`(tests/[^`:]*)::([^`]*)`", PAGE)


@pytest.mark.parametrize(("path", "name"), sorted(set(named())))
def test_a_test_that_the_page_names_exists(path: str, name: str) -> None:
    assert name in functions(ROOT / path)


@cache
def functions(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]


def test_every_threat_has_something_that_stops_it_and_a_test_that_tries_it() -> None:
    assert len(THREATS) > 15
    assert [cells for cells in THREATS if len(cells) != 3 or not all(cells)] == []
    assert [cells[0] for cells in THREATS if not re.fullmatch(r"(`tests/[\w/]+\.py::test_\w+` ?)+", cells[2])] == []


@pytest.mark.parametrize("words", ASKED_FOR)
def test_the_page_names_who_could_approve_something(words: str) -> None:
    assert any(words in cells[0] for cells in THREATS)


def test_the_settings_of_the_page_are_settings() -> None:
    block = re.search(r"\n\n((?:    .*\n|\n)+)", PAGE.partition("\n## Settings")[2])
    assert block
    answers = Policy.model_validate(tomllib.loads(textwrap.dedent(block[1]))).answers
    assert (answers.permission, answers.rules, answers.risk.careful) == (True, False, ("./deploy.sh",))
