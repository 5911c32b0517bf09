"""Hold the state of the hooks for a menu that asks at every turn, and change them when the person clicks."""

import contextlib
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

# The menu shows the worst state of several settings files.
WORST: tuple[HooksState, ...] = ("unreadable", "overwritten", "outdated", "partly", "missing", "installed")
DONE: dict[HooksWish, str] = {"install": "Installed", "uninstall": "Uninstalled", "repair": "Repaired"}

log = logging.getLogger(__name__)


class InstalledHooks:
    """The state is "unknown" until `examine`, which takes a second or more, has found Claude Code and a Python."""

    def __init__(self, home: Home, setup: Callable[[Home], Setup] = setup) -> None:
        self._home = home
        self._make_setup = setup
        self._setup: Setup | None = None
        self._stamps: list[Stamp | None] | None = None
        self._state: HooksState = "unknown"
        self.happened = ""
        """The result of the last change, in one sentence."""
        self.problem: str | None = None
        """Why the last examination failed, in one sentence; None if it did not."""

    def examine(self) -> None:
        """Find out what hooks this machine needs. Blocks for a second or more. Note a failure in `problem`."""
        with contextlib.suppress(Problem, OSError):
            self._examined()

    def hooks(self) -> HooksState:
        """Return the state. Read the settings files only when they have changed."""
        if self._setup is None:
            return "unknown"
        targets = self.targets()
        if (stamps := [stamp(target.path) for target in targets]) != self._stamps:
            reports = [state_of(target, self._setup) for target in targets]
            worst = min(reports, key=lambda report: WORST.index(report.state))
            self._stamps, self._state = stamps, worst.state
        return self._state

    def folders(self) -> list[Path]:
        """Return the folders of the settings files."""
        return [target.path.parent for target in self.targets()]

    def change(self, wish: HooksWish) -> str:
        """Carry out WISH and return what happened in one sentence. Raise Problem or OSError if it failed."""
        try:
            self.happened = self._done(wish)
        except (Problem, OSError) as problem:
            self.happened = str(problem)
            raise
        finally:
            self._stamps = None
            log.info("asked to %s: %s", wish, self.happened)
        return self.happened

    def _done(self, wish: HooksWish) -> str:
        if wish == "uninstall":
            self.examine()  # to take the hooks out needs no Python that runs them
            changes = install.uninstall(self.targets(), self._home)
        else:
            changes = install.install(self.targets(), self._examined())
        paths = [str(change.path) for change in changes if change.needed]
        return f"{DONE[wish]}: {', '.join(paths)}" if paths else "Nothing had to be changed"

    def _examined(self) -> Setup:
        try:
            self._setup = self._make_setup(self._home)
        except (Problem, OSError) as error:
            self._setup = None
            self._note(f"The hooks cannot be examined: {error}")
            raise
        self._note(None)
        return self._setup

    def _note(self, problem: str | None) -> None:
        if problem and problem != self.problem:
            log.warning(problem)
        self.problem = problem

    def targets(self) -> Sequence[Target]:
        return known_targets(self._home.config) or user_targets(())
