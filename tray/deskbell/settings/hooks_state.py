"""Hold the state of the hooks for the menu, which asks at every turn of the loop, and change them at a click."""

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from deskbell.errors import Problem, reason
from deskbell.face.actions import HooksWish
from deskbell.face.facts import HooksState
from deskbell.files.read import read_text
from deskbell.files.stamp import Stamp, stamp
from deskbell.home import Home
from deskbell.settings.asker_wish import wants_asker
from deskbell.settings.deploy import main_file
from deskbell.settings.exchange import LARGEST
from deskbell.settings.hooks_text import has_other_hooks
from deskbell.settings.jsonspans import Misshapen
from deskbell.settings.known import remembered_config_dirs
from deskbell.settings.managed import managed_files, managed_folder
from deskbell.settings.settings_file import Change
from deskbell.settings.setup import Setup, setup
from deskbell.settings.state import ASKER, state_of
from deskbell.settings.targets import Target, known_targets, project_files, user_targets

# The menu shows the worst state of several settings files.
WORST: tuple[HooksState, ...] = ("unreadable", "overwritten", "outdated", "partly", "missing", "installed")
NO_CODE = "Somebody has removed the program that the hooks start. Repair the hooks."
DONE: dict[HooksWish, str] = {"install": "Installed", "uninstall": "Uninstalled", "repair": "Repaired"}

log = logging.getLogger(__name__)


class InstalledHooks:
    """The hooks in all known settings files.

    Their state is "unknown" until `examine`, which takes a second or more, has found Claude Code and a Python.
    """

    def __init__(
        self, home: Home, setup: Callable[[Home], Setup] = setup, managed: Callable[[], Path] = managed_folder
    ) -> None:
        self._home = home
        self._make_setup = setup
        self._managed = managed
        self._others: dict[tuple[Path, str], tuple[Stamp | None, bool]] = {}
        """For each settings file and event: its stamp when it was read, and whether it registers other hooks."""
        self._setup: Setup | None = None
        self._looked: tuple[Setup, bool, list[Stamp | None]] | None = None
        """The setup by which the settings files were last looked at, whether answers were wanted, and their stamps."""
        self._state: HooksState = "unknown"
        self._silent: str | None = None
        """Why nothing can be answered, in one sentence; None if it can, or need not be."""
        self._lacks_code = False
        self.happened = ""
        """The result of the last change, in one sentence."""
        self.problem: str | None = None
        """Why the last examination failed, in one sentence; None if it did not."""

    def examine(self) -> None:
        """Find out which hooks this machine needs. Block for a second or more. Note a failure in `problem`."""
        with contextlib.suppress(Problem, OSError):
            self._examined()

    def hooks(self) -> HooksState:
        """Return the state. Read the settings files only when they have changed."""
        setup = self._setup  # an examination in a thread may replace it meanwhile
        if setup is None:
            return "unknown"
        targets, answers = self.targets(), wants_asker(self._home.config)
        stamps, looked = [stamp(target.path) for target in targets], self._looked
        if looked is None or looked[0] is not setup or looked[1:] != (answers, stamps):
            now = replace(setup, answers=answers)  # the person may have edited config.toml
            reports = [state_of(target, now) for target in targets]
            self._state = min((report.state for report in reports), key=WORST.index)
            lacks = any(one.state in ("outdated", "partly") and one.standing.asker == "missing" for one in reports)
            self._silent = f"{ASKER['missing']} Repair the hooks." if lacks else None
            self._looked = setup, answers, stamps
        self._lacks_code = self._state == "installed" and not main_file(setup.folder).exists()
        return "outdated" if self._lacks_code else self._state

    @property
    def removed(self) -> str | None:
        """What somebody has removed, so that sessions report nothing or cannot be answered, in one sentence."""
        return NO_CODE if self._lacks_code else self._silent

    @property
    def answers(self) -> bool:
        """Whether config.toml switches on answers for which the asker is needed."""
        return wants_asker(self._home.config)

    def folders(self) -> list[Path]:
        """Return the folders of the settings files."""
        return [target.path.parent for target in self.targets()]

    def others(self, event: str, config_dirs: Iterable[Path], projects: Iterable[Path]) -> bool:
        """Return whether a settings file registers another hook than ours for EVENT. Never raise.

        The files are those of all known accounts, of CONFIG_DIRS, of the administrator and of PROJECTS. Each is read
        only when it has changed. One that cannot be read or understood registers nothing. The hooks of plugins and of
        `claude --settings` are not considered.
        """
        return any(self._registers_others(path, event) for path in self._settings(config_dirs, projects))

    def _settings(self, config_dirs: Iterable[Path], projects: Iterable[Path]) -> Iterable[Path]:
        known: list[Path] = []
        with contextlib.suppress(Problem, OSError):
            known = [target.path for target in self.targets()]
        accounts = [folder / "settings.json" for folder in (*remembered_config_dirs(self._home.config), *config_dirs)]
        return dict.fromkeys([*known, *accounts, *managed_files(self._managed()), *project_files(projects)])

    def _registers_others(self, path: Path, event: str) -> bool:
        now, (before, found) = stamp(path), self._others.get((path, event), (None, False))
        if now != before:
            found = False
            with contextlib.suppress(OSError, Misshapen):
                found = has_other_hooks(read_text(path, LARGEST), event)
            self._others[path, event] = now, found
        return found

    def change(self, wish: HooksWish) -> str:
        """Carry out WISH and return what happened. Raise Problem or OSError if it failed."""
        try:
            self.happened = self._done(wish)
        except (Problem, OSError) as problem:
            self.happened = reason(problem)
            raise
        finally:
            self._looked = None
            log.info("asked to %s: %s", wish, self.happened)
        return self.happened if wish == "uninstall" or not self._setup else f"{self.happened}. {self._setup.reach}"

    def answer(self, on: bool) -> str:
        """Switch answers on or off as `deskbell answers` does, and return what happened. Raise Problem or OSError."""
        from deskbell.settings.switch import USUAL, carry_out, plan  # imported for this click only

        try:
            changes = carry_out(plan(USUAL, on, self._examined()))
        finally:
            self._looked = None
        log.info("asked to switch answers %s", "on" if on else "off")
        paths = [str(change.path) for change in changes if change.needed]
        done = f"Changed: {', '.join(paths)}." if paths else "No settings file had to be changed."
        return (
            f"Requests, questions and plans can {'now' if on else 'no longer'} be answered from notifications. {done}"
        )

    def planned(self) -> Sequence[Change]:
        """Return what an install would change. Raise Problem or OSError if it would be refused."""
        from deskbell.settings import install  # imported for this click only: most runs change no settings

        return install.plan_install(self.targets(), self._examined())

    def _done(self, wish: HooksWish) -> str:
        from deskbell.settings import install  # imported for this click only: most runs change no settings

        if wish == "uninstall":
            self.examine()  # a failure does not matter: removing the hooks needs no Python that runs them
            changes = install.uninstall(self.targets(), self._home)
        else:
            changes = install.install(self.targets(), self._examined())
        paths = [str(change.path) for change in changes if change.needed]
        return f"{DONE[wish]}: {', '.join(paths)}" if paths else "Nothing had to be changed"

    def _examined(self) -> Setup:
        try:
            found = self._make_setup(self._home)
        except BaseException as error:
            self._setup = None
            self._note(f"The hooks cannot be examined: {reason(error)}")
            raise
        self._setup = found
        self._note(None)
        return found

    def _note(self, problem: str | None) -> None:
        if problem and problem != self.problem:
            log.warning(problem)
        self.problem = problem

    def targets(self) -> Sequence[Target]:
        return known_targets(self._home.config) or user_targets(())
