"""Test that the branch is read from what git writes, and from nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deskbell_hooks.branch import DEEPEST, branch

COMMIT = "0123456789abcdef" * 2 + "01234567"


def git(folder: Path, *words: str) -> None:
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_GLOBAL": os.devnull, **who}
    subprocess.run(["git", *words], cwd=folder, env=env, check=True, capture_output=True)


def repository(folder: Path, head: str) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(head)
    return folder


HEADS = [
    ("ref: refs/heads/main\n", "main"),
    ("ref: refs/heads/feature/a b\n", "feature/a b"),
    ("ref: refs/remotes/origin/x\n", "refs/remotes/origin/x"),
    (COMMIT + "\n", "01234567"),
    ("ref: refs/heads/.invalid\n", ""),
    ("", ""),
    ("nonsense", ""),
    (COMMIT[:-1] + "Z", ""),
    ("x" * 5000, ""),
]


@pytest.mark.parametrize(("head", "expected"), HEADS)
def test_the_branch_is_what_head_says(tmp_path: Path, head: str, expected: str) -> None:
    assert branch(str(repository(tmp_path, head))) == expected


def test_the_branch_is_that_of_a_folder_above(tmp_path: Path) -> None:
    repository(tmp_path, "ref: refs/heads/main")
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert branch(f"{deep}/") == "main"


def test_real_repositories_worktrees_and_submodules_are_read(tmp_path: Path) -> None:
    first, second, inner = tmp_path / "first", tmp_path / "second", tmp_path / "inner"
    for folder in (first, inner):
        folder.mkdir()
        git(folder, "init", "--initial-branch", "trunk")
        git(folder, "commit", "--allow-empty", "--message", "x")
    git(first, "worktree", "add", str(second), "-b", "topic/one")
    git(first, "-c", "protocol.file.allow=always", "submodule", "add", str(inner), "module")
    assert [branch(str(folder)) for folder in (first, second, first / "module")] == ["trunk", "topic/one", "trunk"]
    git(first, "checkout", "--detach")
    assert len(branch(str(first))) == 8


def test_a_bare_repository_and_the_folders_in_it_have_its_branch(tmp_path: Path) -> None:
    git(tmp_path, "init", "--bare", "--initial-branch", "trunk", "bare.git")
    assert [branch(str(tmp_path / "bare.git" / name)) for name in ("", "refs")] == ["trunk", "trunk"]
    (tmp_path / "HEAD").write_text("ref: refs/heads/no")
    assert branch(str(tmp_path)) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="a link needs a privilege on Windows")
@pytest.mark.parametrize("commit", [COMMIT, None])
def test_a_head_that_is_a_link_names_its_branch(tmp_path: Path, commit: str | None) -> None:
    """Old versions of git made such a link. It leads nowhere once the references are packed."""
    heads = tmp_path / ".git" / "refs" / "heads"
    heads.mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").symlink_to("refs/heads/topic/one")
    if commit:
        (heads / "topic").mkdir()
        (heads / "topic" / "one").write_text(commit)
    assert branch(str(tmp_path)) == "topic/one"


@pytest.mark.skipif(sys.platform == "win32", reason="a link needs a privilege on Windows")
def test_a_head_that_is_a_link_to_elsewhere_names_no_branch(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").symlink_to("/etc/hostname")
    assert branch(str(tmp_path)) == ""


def test_a_repository_whose_branch_is_kept_elsewhere_hides_the_one_around_it(tmp_path: Path) -> None:
    repository(tmp_path, "ref: refs/heads/outer")
    assert branch(str(repository(tmp_path / "inner", "ref: refs/heads/.invalid"))) == ""


NO_FOLDERS: list[object] = [
    None,
    5,
    "",
    "relative/path",
    "/no/such/folder",
    "a\0b",
    "/a\0b",
    "/" * 100,
    "/a" * (DEEPEST + 5),
]


@pytest.mark.parametrize("folder", NO_FOLDERS, ids=repr)
def test_what_is_no_folder_of_a_repository_has_no_branch(folder: object) -> None:
    assert branch(folder) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_a_repository_cannot_make_the_statusline_wait_or_look_elsewhere(tmp_path: Path) -> None:
    for name in ("pipe", "text", "far"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe" / ".git")
    (tmp_path / "text" / ".git").write_text("no link")
    (tmp_path / "far" / ".git").write_text("gitdir: /etc")
    assert [branch(str(tmp_path / name)) for name in ("pipe", "text", "far")] == ["", "", ""]
