"""Read the git branch of a folder from the files of its repository, without starting git.

`plainread` limits the size of each file, because a repository may come from anybody.
"""

import sys

from deskbell_hooks.plainread import read

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

LARGEST = 4096
"""Bytes of HEAD, and of the file that a worktree has in place of `.git`."""
DEEPEST = 64
"""How many folders to search upwards for `.git`."""
BRANCHES = "refs/heads/"


def branch(folder: object) -> str:
    """Return the branch that is checked out; for a detached HEAD, the start of the commit; "" if neither is known."""
    if not isinstance(folder, str) or not is_absolute(folder):
        return ""
    path = folder.replace("\\", "/").rstrip("/")
    for _ in range(DEEPEST):
        found = _of(path)
        if found is not None:
            return found
        path, slash, _ = path.rpartition("/")
        if not slash:
            break
    return ""


def is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] in (":\\", ":/")


def _of(path: str) -> str | None:
    """Return the branch of the repository whose root is PATH; None if PATH is not the root of one."""
    for folder in (f"{path}/.git", _linked(path), path):
        if folder and (found := _head(folder)) is not None and (folder != path or _is_bare(path)):
            return found
    return None


def _is_bare(path: str) -> bool:
    """Return whether PATH is a repository without a work tree, and not a folder that only has a file HEAD."""
    try:
        return bool(system.stat(f"{path}/objects") and system.stat(f"{path}/refs"))
    except (OSError, ValueError):
        return False


def _linked(path: str) -> str:
    """Return the folder that a file `.git` names, as a worktree and a submodule have it; "" if there is none."""
    link = _text(f"{path}/.git")
    if not link.startswith("gitdir: "):
        return ""
    folder = link[8:].replace("\\", "/")
    return folder if is_absolute(folder) else f"{path}/{folder}"


def _head(folder: str) -> str | None:
    """Return what HEAD of a repository says; "" if the branch is kept elsewhere, None if this is no HEAD."""
    head = _text(f"{folder}/HEAD")
    if head.startswith("ref: "):
        name = head[5:].strip()
        return "" if name.endswith(".invalid") else name.removeprefix(BRANCHES)  # with reftable, HEAD names no branch
    if name := _target(f"{folder}/HEAD"):
        return name
    is_commit = len(head) in (40, 64) and all(digit in "0123456789abcdef" for digit in head)
    return head[:8] if is_commit else None


def _target(path: str) -> str:
    """Return the branch to which HEAD links, as in old versions of git; "" if HEAD is not a link to a branch."""
    try:
        link = system.readlink(path)
    except (OSError, ValueError):
        return ""
    return link.removeprefix(BRANCHES) if link.startswith(BRANCHES) else ""


def _text(path: str) -> str:
    try:
        return read(path, LARGEST).decode("utf-8", "replace").strip()
    except OSError:
        return ""
