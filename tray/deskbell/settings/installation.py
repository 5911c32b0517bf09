"""How do the hooks and the start at login stand, and what came of changing them? For a menu that asks all the time."""

import argparse
import contextlib
import io
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from deskbell.actions import HooksWish
from deskbell.desktop import autostart
from deskbell.errors import Problem
from deskbell.facts import HooksState
from deskbell.home import Home
from deskbell.settings import install
from deskbell.settings.install import Setup
from deskbell.settings.targets import Target, known_targets, user_targets
from deskbell.stamp import Stamp, stamp

# The worst of several files is what the menu speaks of.
WORST: tuple[HooksState, ...] = ("unreadable", "overwritten", "outdated", "partly", "missing", "installed")
DONE: dict[HooksWish, str] = {"install": "Installed", "uninstall": "Uninstalled", "repair": "Repaired"}

log = logging.getLogger(__name__)


class Installation:
    """Before it was examined nothing is claimed to be wrong: asking for the client and for a Python takes its time."""

    def __init__(self, home: Home, setup: Callable[[], Setup] = install.setup) -> None:
        self._home = home
        self._make_setup = setup
        self._setup: Setup | None = None
        self._stamps: list[Stamp | None] | None = None
        self._state: HooksState = "installed"
        self.happened = ""
        self.at_login: bool | None = None

    def examine(self) -> None:
        entry, ours = autostart.entry(), autostart.ours()
        autostart.refresh(entry, ours)
        self.at_login = autostart.state(entry, ours) in ("on", "elsewhere")
        self._setup = self._make_setup()

    def hooks(self) -> HooksState:
        """Looks into the settings files only when they have changed."""
        if self._setup is None:
            return self._state
        targets = self._targets()
        if (stamps := [stamp(target.path) for target in targets]) != self._stamps:
            reports = [install.state_of(target, self._setup) for target in targets]
            worst = min(reports, key=lambda report: WORST.index(report.state))
            self._stamps, self._state = stamps, worst.state
        return self._state

    def folders(self) -> list[Path]:
        """Where the settings files are that say how it stands."""
        return [target.path.parent for target in self._targets()]

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

    def start_at_login(self, on: bool) -> None:
        entry = autostart.entry()
        if on:
            entry.write(autostart.ours())
        else:
            entry.remove()
        self.at_login = on

    def doctor(self) -> str:
        from deskbell.commands import doctor  # for this one click, and not for the rest of the day

        parser = argparse.ArgumentParser()
        doctor.arguments(parser)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            doctor.run(parser.parse_args([]))
        return said.getvalue()

    def _done(self, wish: HooksWish) -> str:
        self._setup = self._make_setup()
        if wish == "uninstall":
            changes = install.uninstall(self._targets(), self._home)
        else:
            changes = install.install(self._targets(), self._setup)
        paths = [str(change.path) for change in changes if change.needed]
        return f"{DONE[wish]}: {', '.join(paths)}" if paths else "Nothing had to be changed"

    def _targets(self) -> Sequence[Target]:
        return known_targets(self._home.config) or user_targets(())
