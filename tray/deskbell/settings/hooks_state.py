"""How do the hooks and the start at login stand, and what came of changing them? For a menu that asks all the time."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from deskbell.errors import Problem
from deskbell.face.actions import HooksWish
from deskbell.face.facts import HooksState
from deskbell.files.stamp import Stamp, stamp
from deskbell.home import Home
from deskbell.settings import install
from deskbell.settings.setup import Setup, setup
from deskbell.settings.state import state_of
from deskbell.settings.targets import Target, known_targets, user_targets

# The worst of several files is what the menu speaks of.
WORST: tuple[HooksState, ...] = ("unreadable", "overwritten", "outdated", "partly", "missing", "installed")
DONE: dict[HooksWish, str] = {"install": "Installed", "uninstall": "Uninstalled", "repair": "Repaired"}

log = logging.getLogger(__name__)


class InstalledHooks:
    """Before it was examined nothing is claimed to be wrong: asking for the client and for a Python takes its time."""

    def __init__(self, home: Home, setup: Callable[[Home], Setup] = setup) -> None:
        self._home = home
        self._make_setup = setup
        self._setup: Setup | None = None
        self._stamps: list[Stamp | None] | None = None
        self._state: HooksState = "installed"
        self.happened = ""

    def examine(self) -> None:
        self._setup = self._make_setup(self._home)

    def hooks(self) -> HooksState:
        """Looks into the settings files only when they have changed."""
        if self._setup is None:
            return self._state
        targets = self.targets()
        if (stamps := [stamp(target.path) for target in targets]) != self._stamps:
            reports = [state_of(target, self._setup) for target in targets]
            worst = min(reports, key=lambda report: WORST.index(report.state))
            self._stamps, self._state = stamps, worst.state
        return self._state

    def folders(self) -> list[Path]:
        """Where the settings files are that say how it stands."""
        return [target.path.parent for target in self.targets()]

    def change(self, wish: HooksWish) -> str:
        """What happened, in one sentence, which the menu shows as well; also when it is a Problem."""
        try:
            self.happened = self._done(wish)
        except Problem as problem:
            self.happened = str(problem)
            raise
        finally:
            self._stamps = None
            log.info("asked to %s: %s", wish, self.happened)
        return self.happened

    def _done(self, wish: HooksWish) -> str:
        self._setup = self._make_setup(self._home)
        if wish == "uninstall":
            changes = install.uninstall(self.targets(), self._home)
        else:
            changes = install.install(self.targets(), self._setup)
        paths = [str(change.path) for change in changes if change.needed]
        return f"{DONE[wish]}: {', '.join(paths)}" if paths else "Nothing had to be changed"

    def targets(self) -> Sequence[Target]:
        return known_targets(self._home.config) or user_targets(())
