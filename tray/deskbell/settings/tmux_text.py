"""Add one line to a tmux.conf, and take it out again to the byte. Pure.

The marker at its end says what has to be taken out with it: the line break before it, where the file ended without
one, and the whole file, where there was none.
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
    """Return CONTENT with the line at its end. A line of ours that was there before is taken out."""
    before = without_line(content)
    if before is None:
        return line(include) + MARK + FIRST + b"\n"
    if before.rstrip(b"\n").endswith(b"\\"):
        raise Problem("Its last line ends with a backslash, so that the next one would belong to it.", "End that line.")
    if not before or before.endswith(b"\n"):
        return before + line(include) + MARK + b"\n"
    return before + b"\n" + line(include) + MARK + JOINED + b"\n"


def without_line(content: bytes | None) -> bytes | None:
    """Return CONTENT without the line; None if nothing is left of a file that was made for it."""
    if content is None:
        return None
    kept: list[bytes] = []
    is_new = False
    lines = content.split(b"\n")
    for at, one in enumerate(lines):
        if not _is_ours(one):
            kept.append(one)
            continue
        is_new = is_new or one.endswith(FIRST)
        is_last = lines[at + 1 :] in ([], [b""])
        if one.endswith(JOINED) and is_last:
            return b"\n".join(kept)
    left = b"\n".join(kept)
    return None if is_new and not left else left


def _is_ours(one: bytes) -> bool:
    return one.startswith(b"source-file -q ") and one.endswith((MARK, MARK + FIRST, MARK + JOINED))
