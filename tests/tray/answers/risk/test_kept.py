"""Test which git commands show more of what git keeps than anybody named."""

import pytest

from deskbell.answers.risk.kept import ALL, BY_HASH, shows_all

EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
SHOWN: dict[str, str] = {
    "git log: -p": ALL,
    "git log: -p --all": ALL,
    "git log: -u --since=1.day": ALL,
    "git log: --patch origin/main": ALL,
    "git log: -p -500": ALL,
    "git log: -p -n 500": ALL,
    "git log: -p --max-count=100": ALL,
    "git log: -p v1.2": ALL,
    "git log: -p -1 -500": ALL,
    "git log: -p -500 -1": ALL,
    "git log: -p -n -1": ALL,
    "git log: -p --max-count=-1": ALL,
    "git log: -p -1 --max-count -1": ALL,
    "git log: -p ..": ALL,
    "git log: -p -- ../": ALL,
    "git log: -p ../..": ALL,
    "git log: -p -- .": ALL,
    "git log: -p -- src": ALL,
    "git log: -p -- a.py .": ALL,
    "git log: -p src/": ALL,
    "git log: -p -- *": ALL,
    "git log: --word-diff=color": ALL,
    "git log: -U5": ALL,
    f"git diff: {EMPTY}": BY_HASH,
    "git diff: 4b825dc HEAD": BY_HASH,
    "git diff: 4b825dc..HEAD": BY_HASH,
    "git diff: 4b825dc --stat -p": BY_HASH,
    f"git diff: {EMPTY} -- src": BY_HASH,
    f"git diff-tree: -p {EMPTY} HEAD": BY_HASH,
    "git cat-file: -p 3b18e51": BY_HASH,
    "git cat-file: blob 3b18e51": BY_HASH,
    "git cat-file: -p 3b18e51^{tree}": BY_HASH,
    "git diff: HEAD -- deploy_key": "reads what may be credentials",
    "git log: -p -1 -- deploy_key": "reads what may be credentials",
    "git show: HEAD -- a.py deploy_key": "reads what may be credentials",
}
NAMED = [
    "git log:",
    "git log: --oneline --all",
    "git log: -p -1",
    "git log: -p -20",
    "git log: -p -n 5",
    "git log: -p -n5",
    "git log: -p --max-count=3",
    "git log: -p --max-count 3",
    "git log: -p main..HEAD",
    "git log: -p main...feature/x",
    "git log: -p ..main",
    "git log: -p HEAD~3..",
    "git log: -p src/app.py",
    "git log: -p --follow -- src/app.py",
    "git log: -p main src/app.py",
    "git log: --stat",
    "git diff:",
    "git diff: HEAD~3",
    "git diff: main...HEAD",
    "git diff: 4b825dc --stat",
    "git diff: 4b825dc --name-only",
    "git diff: 4b825dc -- src/app.py",
    "git diff: feature",
    "git diff-tree: 4b825dc HEAD",
    "git cat-file: -t 3b18e51",
    "git cat-file: -s 3b18e51",
    "git cat-file: -p HEAD",
    "git cat-file: -p HEAD:src/app.py",
    "git cat-file: -p 3b18e51:src/app.py",
    "git show: 3b18e51",
    "git show: HEAD",
    "ls: -p",
    "ls: -- deploy_key",
]


def shown(text: str) -> str | None:
    key, _, words = text.partition(":")
    return shows_all(key, words.split())


@pytest.mark.parametrize(("text", "reason"), SHOWN.items())
def test_what_shows_all_or_what_nobody_named_is_careful(text: str, reason: str) -> None:
    assert shown(text) == reason


@pytest.mark.parametrize("text", NAMED)
def test_what_shows_few_commits_or_a_file_that_is_named_is_not(text: str) -> None:
    assert shown(text) is None
