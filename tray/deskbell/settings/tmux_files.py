"""Write and remove the files of `deskbell tmux install`: one for tmux, a line in tmux.conf, and a mark for the hook.

The code that prints the status line is deployed to a folder of its own, so that the installation of the hooks never
removes it.
"""

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from deskbell.errors import NOT_WRITTEN, Problem
from deskbell.files.read import read
from deskbell.files.there import exists
from deskbell.files.write import make_private, write_changed
from deskbell.home import Home, expanded
from deskbell.settings import deploy, tmux_text
from deskbell.settings.interpreter import Interpreter
from deskbell.settings.settings_file import Kind, change, check_writable
from deskbell.settings.tmux_include import Wish, bound_keys, text
from deskbell_hooks.panes import ASKED, ON

State = Literal["installed", "outdated", "missing"]
SAYS: dict[State, str] = {
    "installed": "tmux shows the sessions.",
    "outdated": "What tmux shows was installed by another version. Run `deskbell tmux install`.",
    "missing": "tmux does not show the sessions. Run `deskbell tmux install`.",
}
LARGEST = 1_000_000
"""The most bytes of a tmux.conf."""
CONF = Kind(bool, 0o644)
"""A tmux.conf. An editor may be about to fill an empty one."""


@dataclass(frozen=True, slots=True)
class Files:
    home: Home
    conf: Path
    """The person's own file."""

    @property
    def folder(self) -> Path:
        return self.home.data / "tmux"

    @property
    def include(self) -> Path:
        return self.folder / "deskbell.conf"

    @property
    def mark(self) -> Path:
        """The file that makes the hook and the tray write the options of panes, if it exists."""
        return self.home.state / ON


def files(home: Home, env: Mapping[str, str] = os.environ) -> Files:
    return Files(home, conf(env))


def conf(env: Mapping[str, str]) -> Path:
    """Return the tmux.conf to edit: one that has our line, else the first that exists, else ~/.tmux.conf."""
    places = candidates(env)
    ours = [path for path in places if has_line(path)]
    return next(iter([*ours, *(path for path in places if os.path.lexists(path))]), places[0])


def candidates(env: Mapping[str, str]) -> list[Path]:
    """Return the paths at which tmux searches for its file. Before 3.1 it knows only the first."""
    given = Path(env.get("XDG_CONFIG_HOME", ""))
    folders = [*([given] if given.is_absolute() else []), expanded("~/.config")]
    return [expanded("~/.tmux.conf"), *dict.fromkeys(folder / "tmux" / "tmux.conf" for folder in folders)]


def has_line(path: Path) -> bool:
    try:
        return tmux_text.has_line(_read(path))
    except Problem:
        return False


def install(places: Files, interpreter: Interpreter, deskbell: tuple[str, ...], keys: tuple[str, str]) -> bool:
    """Write all files except tmux.conf. Return whether that changed anything."""
    code = deploy.deploy(places.folder, interpreter)
    line = (interpreter.path, "-I", "-S", str(deploy.main_file(code)), "tmuxline", str(places.home.state))
    wanted = text(Wish(deskbell, line, *keys)).encode()
    try:
        changed = write_changed(places.include, wanted)
        changed = write_changed(places.mark, b"") or changed
        make_private(places.home.statusline)  # the tray writes the waiting sessions into this folder
    except OSError as error:
        raise Problem(f"Cannot write {error.filename}: {error.strerror}.", NOT_WRITTEN) from None
    deploy.prune(places.folder, {code})
    return changed


def with_line(places: Files) -> tuple[bytes | None, bytes | None]:
    """Return tmux.conf as it is, and with our line at its end. Raise Problem if it cannot be edited."""
    before = _read(places.conf)
    if tmux_text.has_line(before) and before is not None and tmux_text.line(str(places.include)) in before:
        return before, before
    try:
        after = tmux_text.with_line(before, str(places.include))
    except Problem as problem:
        raise Problem(f"{places.conf}: {problem.what} Nothing was changed.", problem.step) from None
    return _checked(places.conf, before, after)


def without_line(places: Files) -> tuple[bytes | None, bytes | None]:
    """Return tmux.conf as it is, and without our line. Raise Problem if it cannot be edited."""
    before = _read(places.conf)
    after = tmux_text.without_line(before)
    if after is None and places.conf.is_symlink():
        after = b""  # the person keeps the file elsewhere: a link must not lead nowhere
    return _checked(places.conf, before, after)


def _checked(path: Path, before: bytes | None, after: bytes | None) -> tuple[bytes | None, bytes | None]:
    """Return BEFORE and AFTER. Raise Problem if the file has to change, and cannot without a loss."""
    if after != before:
        check_writable(path)
    return before, after


def put(path: Path, before: bytes | None, after: bytes | None) -> None:
    """Replace BEFORE by AFTER in the file. A link stays a link, and owner, mode and attributes stay.

    Raise Problem if that fails, or if the file no longer holds BEFORE.
    """

    def edit(found: bytes | None) -> bytes | None:
        if found != before:
            raise Problem(f"{path} has changed meanwhile, so Deskbell has not changed it.", "Try again.")
        return after

    if after != before:
        change(path, edit, lambda _: None, kind=CONF)


def uninstall(places: Files) -> bool:
    """Remove what `install` wrote. Return whether there was anything to remove."""
    there = exists(places.include) or exists(places.mark)
    try:
        places.mark.unlink(missing_ok=True)
        places.include.unlink(missing_ok=True)
        (places.home.state / ASKED).unlink(missing_ok=True)
    except OSError as error:
        raise Problem(f"Cannot remove {error.filename}: {error.strerror}.", NOT_WRITTEN) from None
    deploy.prune(places.folder, ())
    with contextlib.suppress(OSError):
        places.home.data.rmdir()
    return there


def state(places: Files) -> State:
    if not exists(places.include) or not exists(places.mark):
        return "missing"
    return "installed" if is_current(places) else "outdated"


def keys(places: Files) -> list[str]:
    """Return the keys that the installed file binds."""
    try:
        content = read(places.include, LARGEST).decode(errors="replace")
    except OSError:
        return []
    return bound_keys(content)


def is_current(places: Files) -> bool:
    """Return whether the installed file starts the code of this version."""
    try:
        content = read(places.include, LARGEST)
    except OSError:
        return False
    code = deploy.place(places.folder, deploy.code())
    return str(deploy.main_file(code)).encode() in content and deploy.is_whole(code, deploy.code())


def _read(path: Path) -> bytes | None:
    """Return the content of a tmux.conf; None if there is none. Raise Problem if it cannot be read."""
    try:
        return read(path, LARGEST, follow=True)
    except FileNotFoundError:
        if path.is_symlink():
            raise Problem(f"{path} is a link that leads nowhere.", "Make its target, or remove the link.") from None
        return None
    except OSError as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Problem(f"Cannot read {path}: {why}. Nothing was changed.", "Make it a file that you can read.") from None
