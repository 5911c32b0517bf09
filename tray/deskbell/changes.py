"""Collect which files the system says have changed, so that a look need not read the others.

A wake says that something may have changed; what is collected here says what, as a hint. The rule that keeps lost and
doubled wakes harmless, and lost and doubled hints with them:

1. A folder is in `Changes` only if every change in it since the call before was reported: it was watched all the time,
   nothing on the way to it was moved, and no report was lost. A look reads any other folder as a whole.
2. A hint only says which file to read. Nothing is believed because a hint says so.
3. Whoever follows hints reads everything all the same: within two seconds of a look at what was named, whenever a time
   has come for which it waited, and when the clock was set. A lost hint thus costs two seconds at the most, and a lost
   wake what it costs without hints.
"""

import os
from collections import defaultdict, deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

Changes = Mapping[Path, frozenset[str]]
"""The names of the files that changed, for each folder of which every change was reported."""

MOST = 64
"""Reports that wait. With more, it is cheaper to read everything."""


class Reports:
    """The changes that were reported since they were last taken. Any thread may report; the loop takes."""

    def __init__(self) -> None:
        self._paths: deque[str | None] = deque()
        """None stands for changes that were not reported."""
        self._sure: Mapping[Path, str] = {}

    def add(self, path: str) -> None:
        if len(self._paths) >= MOST:
            self.lose()
        self._paths.append(path)

    def lose(self) -> None:
        """From the last `take` to the next one changes may have been missed, in any folder."""
        self._paths.clear()
        self._paths.append(None)

    def take(self, sure: Mapping[Path, str]) -> Changes:
        """Return what was reported since the call before.

        SURE: the folders of which every change is reported at this moment, each with its path in the reports.
        """
        before, self._sure = self._sure, dict(sure)
        names: defaultdict[str, set[str]] = defaultdict(set)
        while self._paths:
            with suppress(IndexError):  # lost meanwhile, in another thread, which wakes the loop again
                folder, name = os.path.split(self._paths.popleft() or "")
                names[folder].add(name)
        if not names.keys() <= set(before.values()):  # a loss, or a path that belongs to no folder that was listened to
            return {}
        return {folder: frozenset(names[at]) for folder, at in before.items() if sure.get(folder) == at}
