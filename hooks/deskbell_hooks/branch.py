"""Read the git branch of a folder from the files of its repository, without starting git.

`plainread` limits the size of each file, because a repository may come from anybody.
"""

from deskbell_hooks.plainread import read

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
        if name := _of(path):
            return name
        path, slash, _ = path.rpartition("/")
        if not slash:
            break
    return ""


def is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] in (":\\", ":/")


def _of(path: str) -> str:
    """Return the branch of the repository whose root is PATH; "" if PATH is not the root of one."""
    head = _text(f"{path}/.git/HEAD")
    if not head:
        link = _text(f"{path}/.git")  # a worktree and a submodule have a file
        if not link.startswith("gitdir: "):
            return ""
        folder = link[8:].replace("\\", "/")
        head = _text(f"{folder if is_absolute(folder) else f'{path}/{folder}'}/HEAD")
    if head.startswith("ref: "):
        name = head[5:].strip()
        return "" if name.endswith(".invalid") else name.removeprefix(BRANCHES)  # with reftable, HEAD names no branch
    is_commit = len(head) in (40, 64) and all(digit in "0123456789abcdef" for digit in head)
    return head[:8] if is_commit else ""


def _text(path: str) -> str:
    try:
        return read(path, LARGEST).decode("utf-8", "replace").strip()
    except OSError:
        return ""
