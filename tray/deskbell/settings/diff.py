"""Show the change of a settings file as a difference. Pure."""

import difflib
import re

from deskbell.settings.settings_file import Change


def diff(change: Change) -> str:
    """Return the change in the format of `patch`, exact to the byte for valid UTF-8."""
    name = str(change.path)
    before = "/dev/null" if change.before is None else name
    after = "/dev/null" if change.after is None else name
    lines = difflib.unified_diff(_lines(change.before), _lines(change.after), before, after)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _lines(content: bytes | None) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", (content or b"").decode(errors="replace"))
