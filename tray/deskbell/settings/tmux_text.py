"""Add one line to the content of a tmux.conf, and remove it again to the byte. Pure.

The marker at the end of the line says what to remove with it: the line break before it, if the file did not end with
one; or the whole file, if there was none.
"""

from deskbell.errors import Problem
from deskbell_hooks.panes import quoted

MARK = b"# deskbell tmux install"
FIRST, JOINED = b" (this file is new)", b" (and the line break before)"


def line(include: str) -> bytes:
    """Return the line without its marker."""
    return f"source-file -q {quoted(include)} ".encode()


def has_line(content: bytes | None) -> bool:
    return content is not None and any(_is_ours(one) for one in content.split(b"\n"))


def with_line(content: bytes | None, include: str) -> bytes:
    """Return CONTENT with our line at its end, and without an older line of ours."""
    before = without_line(content)
    if before is None:
        return line(include) + MARK + FIRST + b"\n"
    if before.rstrip(b"\n").endswith(b"\\"):
        raise Problem("Its last line ends with a backslash, which joins the next line to it.", "Remove that backslash.")
    if not before or before.endswith(b"\n"):
        return before + line(include) + MARK + b"\n"
    return before + b"\n" + line(include) + MARK + JOINED + b"\n"


def without_line(content: bytes | None) -> bytes | None:
    """Return CONTENT without our line; None if nothing is left of a file that was made for it."""
    if content is None:
        return None
    kept: list[bytes] = []
    is_new = False
    lines = content.split(b"\n")
    for at, one in enumerate(lines):
        if not _is_ours(one):
            kept.append(one)
            continue
        is_new = is_new or one.rstrip().endswith(FIRST)
        is_last = lines[at + 1 :] in ([], [b""])
        if one.rstrip().endswith(JOINED) and is_last:
            return b"\n".join(kept)
    left = b"\n".join(kept)
    return None if is_new and not left else left


def _is_ours(one: bytes) -> bool:
    """Return whether the line is ours, also with the blanks and the CR that an editor has put around it."""
    bare = one.strip()
    return bare.startswith(b"source-file -q ") and bare.endswith((MARK, MARK + FIRST, MARK + JOINED))
