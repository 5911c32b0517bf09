"""Add Deskbell's hooks to settings files, remove them, and restore a former text.

The commands and the menu call these functions. Each holds a lock against other Deskbells, keeps a copy of each file
before it changes it, and remembers which files have hooks. `settings_file` makes the change itself.
"""

import contextlib
import datetime
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from deskbell.errors import NOT_WRITTEN, Problem
from deskbell.files.lock import lock, lock_file
from deskbell.files.write import make_private
from deskbell.home import Home
from deskbell.settings import deploy, file_text, settings_file
from deskbell.settings.backups import History
from deskbell.settings.known import KnownFile, forget, read_known, remember
from deskbell.settings.managed import check_allowed
from deskbell.settings.settings_file import Change, Edit
from deskbell.settings.setup import Setup
from deskbell.settings.state import registered_hooks, registered_lines
from deskbell.settings.targets import Target

PATIENCE = 60.0
"""Seconds to wait for another Deskbell that changes settings."""


def plan_install(targets: Iterable[Target], setup: Setup) -> list[Change]:
    """Return the changes that `install` would make. Raise Problem if it would refuse one of the files."""
    check_allowed(setup.managed)
    return [settings_file.planned(target.path, _installed(target.path, setup)) for target in targets]


def plan_uninstall(targets: Iterable[Target], home: Home) -> list[Change]:
    """Return the changes that `uninstall` would make. Raise Problem if it would refuse one of the files."""
    return [settings_file.planned(target.path, _uninstalled(target.path, home)) for target in targets]


def install(targets: Sequence[Target], setup: Setup) -> list[Change]:
    """Install into every target. If one of them is refused, raise Problem and change no file."""
    with alone(setup.home):
        plan_install(targets, setup)  # raises if a file is refused; the changes themselves are computed again
        deploy.deploy(setup.home.data, setup.interpreter)
        try:
            return [_install_one(target, setup) for target in targets]
        finally:
            prune_code(setup.home)


def uninstall(targets: Sequence[Target], home: Home) -> list[Change]:
    """Uninstall from every target, and remove code that no known file starts.

    If one of the targets is refused, raise Problem and change no file.
    """
    with alone(home):
        plan_uninstall(targets, home)  # raises if a file is refused; the changes themselves are computed again
        changes = [_uninstall_one(target, home) for target in targets]
        prune_code(home)
    return changes


def restore(target: Target, content: bytes, home: Home) -> Change:
    """Restore a former text. Then remember the file if that text has our hooks; else forget it."""
    with alone(home):
        tidy(target.path, home)
        change = changed(target.path, lambda before: content, home, "restore")
        has_hooks = _has_hooks(target.path, content)
        if has_hooks:
            remember(home.config, target.path, KnownFile(scope=target.scope), target.config_dir)
        elif has_hooks is not None:
            forget(home.config, target.path, target.config_dir)
    return change


def _has_hooks(path: Path, content: bytes) -> bool | None:
    """Return whether the text has our hooks; None if it is not understood."""
    try:
        return bool(file_text.standing(path, content, {}).handlers)
    except Problem:
        return None


@contextlib.contextmanager
def alone(home: Home) -> Iterator[None]:
    """Hold the lock against other Deskbells. Turn an OSError into a Problem."""
    try:
        make_private(home.config)
        with lock_file(home.config / "install.lock") as file:
            if not lock(file, PATIENCE):
                raise Problem("Another Deskbell has been changing settings for a minute. End it, then try again.")
            yield
    except OSError as error:
        raise Problem(f"Cannot write {error.filename or home.config}: {error.strerror}.", NOT_WRITTEN) from None


def _install_one(target: Target, setup: Setup) -> Change:
    """Install into one file. Remember it first: after a kill, uninstall then still removes a file that we created."""
    tidy(target.path, setup.home)
    new = target.path not in read_known(setup.home.config).files
    file = KnownFile(
        scope=target.scope, created=not target.path.exists(), folder_created=not target.path.parent.exists()
    )
    remember(setup.home.config, target.path, file, target.config_dir)
    try:
        return changed(target.path, _installed(target.path, setup), setup.home, "install")
    except Problem:
        if new:
            forget(setup.home.config, target.path, target.config_dir)
        raise


def _uninstall_one(target: Target, home: Home) -> Change:
    tidy(target.path, home)
    file = read_known(home.config).files.get(target.path)
    change = changed(target.path, _uninstalled(target.path, home), home, "uninstall")
    if file and file.folder_created and change.after is None:
        with contextlib.suppress(OSError):  # it holds another file by now
            target.path.parent.rmdir()
    forget(home.config, target.path, target.config_dir)
    return change


def _installed(path: Path, setup: Setup) -> Edit:
    """Return the edit that adds our hooks, and corrects our statusline if there is one."""

    def edit(before: bytes | None) -> bytes | None:
        after = file_text.with_hooks(path, before, setup.wanted)
        return file_text.refreshed_line(path, after, setup.line, setup.windows)

    return edit


def _uninstalled(path: Path, home: Home) -> Edit:
    """Return the edit that removes our hooks, and the file itself if we created it and nothing else is in it."""
    file = read_known(home.config).files.get(path)

    def edit(before: bytes | None) -> bytes | None:
        after = file_text.without_hooks(path, before)
        return None if file and file.created and after == file_text.NEW_FILE else after

    return edit


def changed(path: Path, edit: Edit, home: Home, reason: str) -> Change:
    """Change a settings file by EDIT, after a copy of it was saved under REASON."""
    history = History(home.config, path)

    def saved(before: bytes | None) -> None:
        if before is not None:
            history.save(before, reason, _now())

    return settings_file.change(path, edit, saved)


def tidy(path: Path, home: Home) -> None:
    """Move what a killed change left beside the file to the copies: it may hold an edit of another program."""
    for left in settings_file.leftovers(path):
        if content := settings_file.read(left):
            History(home.config, path).save(content, "interrupted", _now())
        left.unlink(missing_ok=True)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def prune_code(home: Home) -> None:
    """Remove unused code of the hook. Remove none if a known file cannot be read: it may start it."""
    with contextlib.suppress(Problem):
        started = [hook.main for hook in registered_hooks(home)] + [line.main for line in registered_lines(home)]
        deploy.prune(home.data, {Path(main).parents[1] for main in started})
