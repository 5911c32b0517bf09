"""Read from config.toml whether the person wants the asker in Claude Code's settings.

A mistake in the file says nothing of that. Until it is corrected, the last good settings hold: those that this process
has read, else those by which the asker was installed.
"""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from deskbell.errors import Problem
from deskbell.files.stamp import Stamp, stamp
from deskbell.settings import file_text, settings_file
from deskbell.settings.registration import hook_of
from deskbell.settings.targets import known_targets


def wants_asker(config: Path) -> bool:
    """Return whether config.toml in the folder CONFIG switches on answers.

    The file is read only when it has changed: the loop asks at every turn.
    """
    path = config / "config.toml"
    seen = stamp(path)
    found = False if seen is None else _wants(path, seen)
    if found is None:
        return _LAST[path] if path in _LAST else _is_installed(config)
    _LAST[path] = found
    return found


_LAST: dict[Path, bool] = {}
"""What the last file without a mistake said."""


@lru_cache(maxsize=4)
def _wants(path: Path, seen: Stamp) -> bool | None:
    from deskbell.notices.policyfile import parse, text  # imported here, because many people have no such file

    try:
        return parse(text(path) or "", path).answers.needs_asker
    except Problem:
        return None


def _is_installed(config: Path) -> bool:
    """Return whether a settings file that Deskbell knows starts the asker."""
    for target in known_targets(config):
        with suppress(Problem):
            if has_asker(target.path):
                return True
    return False


def has_asker(path: Path) -> bool:
    """Return whether the settings file PATH starts the asker. Raise Problem if it cannot be read or understood."""
    handlers = file_text.standing(path, settings_file.read(path), {}).handlers
    return any(hook.verb == "ask" for handler in handlers if (hook := hook_of(handler)))
