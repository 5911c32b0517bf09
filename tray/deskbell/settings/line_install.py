"""Add the statusline to settings files and remove it, with the same care as `install` takes for the hooks.

`deskbell statusline` calls these functions. Each holds the lock against other Deskbells, keeps a copy of each file
before it changes it, and remembers which files have our statusline.
"""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deskbell.errors import Problem
from deskbell.files.write import make_private
from deskbell.home import Home
from deskbell.settings import deploy, file_text, settings_file
from deskbell.settings.install import alone, changed, prune_code, tidy
from deskbell.settings.known import KnownFile, forget_line, read_known, remember_line
from deskbell.settings.line_command import Order, not_chained
from deskbell.settings.line_text import Taken
from deskbell.settings.managed import check_allowed
from deskbell.settings.settings_file import Change, Edit
from deskbell.settings.setup import Setup
from deskbell.settings.targets import Target

CHAIN = "Chain it with `--chain first`, which shows yours above Deskbell's, or `--chain last`."


class Removed(NamedTuple):
    change: Change
    edited: str
    """What the person had changed in the entry that was removed; empty for nothing."""


def is_taken(path: Path) -> bool:
    """Return whether the file has a statusline that is not ours. Raise Problem if it is not understood."""
    return file_text.line(path, settings_file.read(path)).kind == "theirs"


def plan_line(targets: Sequence[Target], setup: Setup, order: Order | None) -> list[Change]:
    """Return the changes that `install_line` would make. Raise Problem if it would refuse one of the files."""
    check_allowed(setup.managed)
    return [settings_file.planned(target.path, _installed(target.path, setup, order)) for target in targets]


def plan_without_line(targets: Sequence[Target], home: Home) -> list[Change]:
    """Return the changes that `uninstall_line` would make. Raise Problem if it would refuse one of the files."""
    return [settings_file.planned(target.path, _uninstalled(target.path, home, [])) for target in targets]


def install_line(targets: Sequence[Target], setup: Setup, order: Order | None) -> list[Change]:
    """Install into every target. If one of them is refused, raise Problem and change no file."""
    with alone(setup.home):
        plan_line(targets, setup, order)  # raises if a file is refused; the changes themselves are computed again
        deploy.deploy(setup.home.data, setup.interpreter)
        make_private(setup.home.statusline)
        try:
            return [_install_one(target, setup, order) for target in targets]
        finally:
            prune_code(setup.home)


def uninstall_line(targets: Sequence[Target], home: Home) -> list[Removed]:
    """Uninstall from every target. Once no known file has our statusline, remove what only a statusline needs.

    If one of the targets is refused, raise Problem and change no file.
    """
    with alone(home):
        plan_without_line(targets, home)  # raises if a file is refused; the changes themselves are computed again
        removed = [_uninstall_one(target, home) for target in targets]
        prune_code(home)
        if not read_known(home.config).lines:
            _sweep(home.statusline)
    return removed


def _sweep(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


def _install_one(target: Target, setup: Setup, order: Order | None) -> Change:
    """Install into one file. Remember it first, as `install` does."""
    tidy(target.path, setup.home)
    new = target.path not in read_known(setup.home.config).lines
    file = KnownFile(
        scope=target.scope, created=not target.path.exists(), folder_created=not target.path.parent.exists()
    )
    remember_line(setup.home.config, target.path, file)
    try:
        return changed(target.path, _installed(target.path, setup, order), setup.home, "install")
    except Problem:
        if new:
            forget_line(setup.home.config, target.path)
        raise


def _uninstall_one(target: Target, home: Home) -> Removed:
    tidy(target.path, home)
    file = read_known(home.config).lines.get(target.path)
    edited: list[str] = []
    change = changed(target.path, _uninstalled(target.path, home, edited), home, "uninstall")
    if file and file.folder_created and change.after is None:
        with contextlib.suppress(OSError):  # another program has put another file there
            target.path.parent.rmdir()
    forget_line(home.config, target.path)
    return Removed(change, edited[-1] if edited else "")


def _installed(path: Path, setup: Setup, order: Order | None) -> Edit:
    def edit(before: bytes | None) -> bytes | None:
        try:
            return file_text.with_line(path, before, setup.line, order, setup.windows)
        except Taken:
            if setup.windows:
                raise not_chained() from None
            raise Problem(f"{path} has a statusLine of your own. Nothing was changed.", CHAIN) from None

    return edit


def _uninstalled(path: Path, home: Home, edited: list[str]) -> Edit:
    """Return the edit that removes our line, and the file itself if we created it and nothing else is in it."""
    file = read_known(home.config).lines.get(path)

    def edit(before: bytes | None) -> bytes | None:
        after, changes = file_text.without_line(path, before)
        edited.append(changes)
        return None if file and file.created and after == file_text.NEW_FILE else after

    return edit
