"""Collect the files that the system reports as changed, so that the loop need not read the others.

A wake says that something may have changed; these reports are hints that say what. Lost and doubled wakes are harmless,
and so are lost and doubled hints:

1. A folder is in `Changes` only if every change in it since the last call was reported: it was watched all the time,
   nothing above it was moved, and no report was lost. Any other folder is read as a whole.
2. A hint only says which file to read. Only what the file holds counts.
3. The loop still reads everything: within two seconds after it has read only the named files, when a time comes that it
   waited for, and when the clock was set. A lost hint therefore costs two seconds at most.
"""

import os
from collections import defaultdict, deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

Changes = Mapping[Path, frozenset[str]]
"""The names of the files that changed, for each folder of which every change was reported."""

MOST = 64
"""The most reports that wait. With more, it is cheaper to read everything."""


class Reports:
    """The changes that were reported since the last `take`. Any thread may add one; only the loop takes them."""

    def __init__(self) -> None:
        self._paths: deque[str | None] = deque()
        """None stands for changes that were not reported."""
        self._sure: Mapping[Path, str] = {}

    def add(self, path: str) -> None:
        if len(self._paths) >= MOST:
            self.lose()
        self._paths.append(path)

    def lose(self) -> None:
        """Note that reports may be missing, in any folder, between the last `take` and the next one."""
        self._paths.clear()
        self._paths.append(None)

    def take(self, sure: Mapping[Path, str]) -> Changes:
        """Return what was reported since the last call.

        SURE: the folders whose changes are all reported at this moment, each with its path in the reports.
        """
        before, self._sure = self._sure, dict(sure)
        names: defaultdict[str, set[str]] = defaultdict(set)
        while self._paths:
            with suppress(IndexError):  # lost meanwhile, in another thread, which wakes the loop again
                folder, name = os.path.split(self._paths.popleft() or "")
                names[folder].add(name)
        if not names.keys() <= set(before.values()):  # reports were lost, or a path is in no watched folder
            return {}
        return {folder: frozenset(names[at]) for folder, at in before.items() if sure.get(folder) == at}
