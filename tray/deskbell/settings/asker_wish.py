"""Read from config.toml whether the person wants the asker in Claude Code's settings."""

from functools import lru_cache
from pathlib import Path

from deskbell.errors import Problem
from deskbell.files.stamp import Stamp, stamp


def wants_asker(config: Path) -> bool:
    """Return whether config.toml in the folder CONFIG switches on answers. A file with a mistake switches on none.

    The file is read only when it has changed: the loop asks at every turn.
    """
    path = config / "config.toml"
    seen = stamp(path)
    return seen is not None and _wants(path, seen)


@lru_cache(maxsize=4)
def _wants(path: Path, seen: Stamp) -> bool:
    from deskbell.notices.policyfile import parse, text  # imported here, because many people have no such file

    try:
        return parse(text(path) or "", path).answers.needs_asker
    except Problem:
        return False
