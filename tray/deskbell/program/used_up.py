"""Ring once for each limit of an account of which more was used than the person wants to hear of.

The loop calls this at every turn. What has rung is kept in a file, so that a restart rings for nothing again.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from deskbell.face.facts import Facts
from deskbell.files.read import json_value, read
from deskbell.files.write import write_private
from deskbell.notices.policy import Policy
from deskbell.text.usage import LABELS, in_words
from deskbell.usage import Usage, Window
from deskbell_hooks.codec import encode
from deskbell_hooks.usage import SAME

FILE = "limits-rung.json"
LARGEST = 16 * 1024
"""The most bytes of the file."""
MOST = 32
"""How many rings are remembered."""

Rung = tuple[str, str, float]
"""An account, the name of its window, and the end of that."""


def due(usages: Sequence[Usage], at: float, rung: Sequence[Rung]) -> Iterator[tuple[Usage, Window]]:
    """Return the windows of which AT percent or more are used, and which have not RUNG. AT 0: none."""
    for usage in usages if at else ():
        for window in usage.windows:
            is_known = any(
                one[:2] == (usage.account, window.name) and abs(one[2] - window.resets) <= SAME for one in rung
            )
            if window.used >= at and not is_known:
                yield usage, window


class UsedUp:
    def __init__(self, state: Path, say: Callable[[str, str, str], None], policy: Callable[[], Policy]) -> None:
        """SAY shows a message: its slot, title and text."""
        self._path = state / FILE
        self._say = say
        self._policy = policy
        self._rung: list[Rung] | None = None

    def ring(self, facts: Facts, now: float) -> None:
        """Ring for what is due, unless all rings are held back. Raise OSError if that cannot be remembered."""
        policy = self._policy()
        if facts.snoozed_until is not None or policy.silence.hours_end(now) is not None:
            return
        if self._rung is None and policy.limits.ring_at:
            self._rung = rung_in(self._path)
        if found := list(due(facts.usages, policy.limits.ring_at, self._rung or ())):
            for usage, window in found:
                self._show(usage, window, now)
            new = [(usage.account, window.name, window.resets) for usage, window in found]
            self._rung = [*(self._rung or ()), *new][-MOST:]
            write_private(self._path, encode(self._rung))

    def _show(self, usage: Usage, window: Window, now: float) -> None:
        (text,) = in_words([usage], now)
        title = f"{window.used:.0f} % of the {LABELS[window.name]} limit used"
        self._say(f"limit {window.name} {usage.account}", title, f"{usage.account}: {text}")


def rung_in(path: Path) -> list[Rung]:
    """Return what has rung, as the file says; nothing if it cannot be read."""
    try:
        value = json_value(read(path, LARGEST))
    except (OSError, ValueError):
        return []
    rows = value if isinstance(value, list) else []
    return [(row[0], row[1], row[2]) for row in rows if _is_rung(row)]


def _is_rung(row: object) -> bool:
    if not isinstance(row, list) or len(row) != 3:
        return False
    return isinstance(row[0], str) and isinstance(row[1], str) and isinstance(row[2], int | float)
