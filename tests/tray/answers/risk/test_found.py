"""Test what a search hands to another program, and that no more than counting and searching is taken for harmless."""

import pytest

from deskbell.answers.risk import risk
from tests.tray.answers.risk.table import AT

HARMLESS = [
    "find src -name '*.py' | xargs wc -l",
    "find . -name '*.py' | xargs wc -l | tail -1",
    "find . -name '*.py' -print0 | xargs -0 wc -l",
    "find src | sort | head -50 | xargs ls -la",
    "find src | grep -v test | xargs wc -l",
    "find src tests -name '*.ts' | xargs grep -l createUser",
    "find src -name '*.ts' | xargs -n 10 -P 2 grep -n createUser",
    "find src -name '*.ts' | xargs -n1 basename",
    "find . -name '*.py' -exec wc -l {} +",
    "find . -name '*.ts' -exec ls -la {} \\;",
    "cd src && find . -name '*.py' | xargs wc -l",
]
HARMFUL = [
    "find src | xargs cat",
    "find src | xargs rm",
    "find src | xargs",
    "find src | xargs sh -c id",
    "find src | xargs -I{} wc {}",
    "find src | xargs -a .env wc",
    "find src | xargs -n x wc",
    "find src | xargs wc --files0-from=.env",
    "find src | xargs wc .env",
    "find src | xargs 'wc' -l",
    "find src | xargs grep -l ''",
    "find src | xargs grep -f .env",
    "find src | xargs grep password",
    "find ~/other | xargs grep createUser",
    "find ~/other | xargs wc -l",
    "find src ~/.aws | xargs wc -l",
    "find -name x | xargs wc -l",
    "'find' src | xargs wc -l",
    "find . -name .env | xargs wc -l",
    "find . -name .env | xargs grep createUser",
    "find src || xargs wc -l",
    "find src; xargs wc -l",
    "echo .env | xargs wc -l",
    "git ls-files | xargs wc -l",
    "find src | sed s/a/b/ | xargs wc -l",
    "find src | grep -o x | xargs wc -l",
    "find src | head -c 9 | xargs wc -l",
    "find src | uniq -c | xargs wc -l",
    "find src | cat | xargs wc -l",
    "find src -exec grep -l createUser {} +",
    "find src -exec {} +",
    "find src -exec cat {} +",
    "find src -exec rm {} \\;",
    "find src -exec wc -l {}",
    "find src -exec wc -l x +",
    "find src -exec wc {} {} +",
    "find src -exec",
    "find src -exec wc {} ';' -exec rm {} ';'",
    "find src -delete -exec wc -l {} +",
    "find src -execdir wc -l {} +",
    "find ~/other -name '*.txt' -exec grep createUser {} +",
    "find . -name .env -exec grep createUser {} +",
    "find . -name x -exec 'wc' {} +",
    "| xargs wc",
]


@pytest.mark.parametrize("command", HARMLESS)
def test_counting_and_searching_what_was_found_takes_one_click(command: str) -> None:
    assert risk("Bash", {"command": command}, AT).verdict == "plain"


@pytest.mark.parametrize("command", HARMFUL)
def test_everything_else_takes_two(command: str) -> None:
    assert risk("Bash", {"command": command}, AT).verdict != "plain"
