"""Define how much of its limits an account has used.

The statusline keeps it (`deskbell_hooks.usage`), `deskbell.sessions.usages` reads it, and `deskbell.text.usage` puts
it into words.
"""

from typing import NamedTuple


class Window(NamedTuple):
    """One limit of an account: how much of it was used, and when it starts anew."""

    name: str
    """ "five_hour" or "seven_day"."""
    used: float
    """Percent."""
    resets: float
    """When it ends."""


class Usage(NamedTuple):
    """The windows of one account that have not ended."""

    account: str
    """Its folder of Claude Code."""
    windows: tuple[Window, ...]
