"""Test what the person adds to the table of risks."""

import pytest

from deskbell.answers.risk import risk, table
from deskbell.answers.risk.kind import Verdict
from tests.tray.answers.risk.table import AT

OWN = table(
    plain=["just test", "rm -rf build", "ls $X", "tee .git/config", "mcp__docs__get", " spaced ", "git add ."],
    careful=["npm test", "./deploy.sh", "Read"],
    jump=["**/secrets/**", "*.sql", "deploy/**", "exact.txt"],
)
CASES: dict[str, Verdict] = {
    "just test": "plain",
    "rm -rf build": "plain",
    "git add .": "plain",
    "spaced": "plain",
    "just test x": "careful",
    "just  test": "careful",
    "just test; ls": "careful",
    "ls $X": "careful",
    "tee .git/config": "jump",
    "npm test": "careful",
    "npm test -- src": "careful",
    "ls && npm test": "careful",
    "time npm test": "careful",
    "CI=1 npm test": "careful",
    "/usr/bin/npm test": "careful",
    "npm run test": "plain",
    "./deploy.sh x": "careful",
    "cat secrets/a.txt": "jump",
    "cat a/secrets/b/c": "jump",
    "ls secrets": "jump",
    "cat SECRETS/a": "jump",
    "cat a/../secrets/b": "jump",
    "cat 'sec'rets/b": "jump",
    "python -c \"open('secrets/b')\"": "jump",
    "foo --to=secrets/b": "jump",
    "cat dump.sql": "jump",
    "cat a/dump.sql": "careful",
    "cat deploy/a/b": "jump",
    "cat exact.txt": "jump",
    "cat /tmp/exact.txt": "plain",
    "ls": "plain",
}


@pytest.mark.parametrize(("command", "verdict"), CASES.items())
def test_an_entry_of_the_person_counts_as_it_says(command: str, verdict: Verdict) -> None:
    assert risk("Bash", {"command": command}, AT, OWN).verdict == verdict


def test_empty_entries_match_nothing() -> None:
    assert table(["", " "], ["", " "], [""]) == table()


def test_a_glob_stays_in_its_folder_unless_it_has_two_stars() -> None:
    own = table(jump=["a/*.key", "b/**", "c?d", "***/e"])
    named = ["a/x.key", "a/b/x.key", "b/c/d", "b", "cxd", "c/d", "x/y/e", "e"]
    assert [own.guards(name, AT.cwd, AT) for name in named] == [True, False, True, True, True, False, True, True]


def test_a_tool_can_be_named() -> None:
    assert risk("mcp__docs__get", {"x": 1}, AT, OWN).verdict == "plain"
    assert risk("mcp__docs__get", {"x": ".git/config"}, AT, OWN).verdict == "jump"
    assert risk("mcp__docs__set", {}, AT, OWN).verdict == "careful"
    assert risk("Read", {"file_path": "a.py"}, AT, OWN).verdict == "careful"
