"""Read how much of its limits each account has used, from the files that the statusline keeps."""

from pathlib import Path

from deskbell.files.read import json_value, read
from deskbell.home import with_tilde
from deskbell.usage import Usage, Window
from deskbell_hooks.usage import LARGEST, NAMES, windows

MOST = 8
"""The most accounts."""


def usages(folder: Path, now: float) -> tuple[Usage, ...]:
    """Return the accounts with files in FOLDER, and their windows that have not ended. Leave out what is unreadable."""
    found = (_usage(path, now) for path in sorted(folder.glob("limits-*.json"))[:MOST])
    return tuple(one for one in found if one and one.windows)


def _usage(path: Path, now: float) -> Usage | None:
    try:
        value = json_value(read(path, LARGEST))
    except (OSError, ValueError):
        return None
    account = value.get("account") if isinstance(value, dict) else None
    if not isinstance(account, str):
        return None
    pairs = {name: value[name] for name in NAMES if isinstance(value.get(name), list) and len(value[name]) == 2}
    known = windows({name: {"used_percentage": one[0], "resets_at": one[1]} for name, one in pairs.items()})
    left = (Window(name, *one) for name, one in known.items())
    return Usage(with_tilde(account), tuple(one for one in left if one.resets > now))
