"""How are Deskbell's hooks put into settings files and taken out again, and how do they stand there?

The shell round `claude`: it deploys the code, edits the files, keeps copies of them and remembers which they are. The
command line and the tray's menu call the same functions.
"""

import contextlib
import datetime
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from deskbell.errors import Problem
from deskbell.face.facts import HooksState
from deskbell.files.lock import lock
from deskbell.home import Home
from deskbell.settings import deploy, hooks_text, settings_file
from deskbell.settings.backups import History
from deskbell.settings.claude_code import installed_client
from deskbell.settings.hooks_text import Standing
from deskbell.settings.interpreter import Interpreter, stable_interpreter
from deskbell.settings.jsonspans import Misshapen, place
from deskbell.settings.known import File, forget, known, remember
from deskbell.settings.managed import check_allowed, managed_folder
from deskbell.settings.registration import Handler, Hook, Version, hook_of, wanted
from deskbell.settings.settings_file import Change
from deskbell.settings.targets import Target, known_targets

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds to wait for another Deskbell that changes settings."""

_NEW_FILE = b"{}\n"


@dataclass(frozen=True)
class Setup:
    """What an installation depends on."""

    home: Home
    interpreter: Interpreter
    client: Version | None
    managed: Path = field(default_factory=managed_folder)
    windows: bool = os.name == "nt"

    @cached_property
    def folder(self) -> Path:
        return deploy.place(self.home.data, deploy.code())

    @property
    def deployed(self) -> bool:
        return deploy.is_whole(self.folder, deploy.code())

    @cached_property
    def wanted(self) -> dict[str, Handler]:
        hook = Hook(self.interpreter.path, str(deploy.main_file(self.folder)), str(self.home.state))
        return wanted(hook, self.client, self.windows)


@dataclass(frozen=True)
class Report:
    """How our hooks stand in one file."""

    target: Target
    state: HooksState
    sentence: str
    standing: Standing = field(default_factory=Standing)


def setup(home: Home) -> Setup:
    """As this machine is: asks the client and the interpreters, so it takes a moment."""
    client = installed_client(home.config)
    return Setup(home, stable_interpreter(), client.version if client else None)


def plan_install(targets: Iterable[Target], setup: Setup) -> list[Change]:
    check_allowed(setup.managed)
    return [settings_file.planned(target.path, _Install(target.path, setup.wanted)) for target in targets]


def plan_uninstall(targets: Iterable[Target], home: Home) -> list[Change]:
    return [settings_file.planned(target.path, _uninstall(target.path, home)) for target in targets]


def install(targets: Sequence[Target], setup: Setup) -> list[Change]:
    """All of them or, where one is refused, none."""
    with _alone(setup.home):
        plan_install(targets, setup)
        deploy.deploy(setup.home.data, setup.interpreter)
        try:
            return [_install_one(target, setup) for target in targets]
        finally:
            _prune(setup.home)


@contextlib.contextmanager
def _alone(home: Home) -> Iterator[None]:
    """No other Deskbell meanwhile; what the disk refuses is said in a sentence."""
    try:
        home.config.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (home.config / "install.lock").open("ab") as file:
            if not lock(file, PATIENCE):
                raise Problem("Another Deskbell has been changing settings for a minute. End it, then try again.")
            yield
    except OSError as error:
        raise Problem(
            f"{error.filename or home.config} cannot be written ({error.strerror}): make room, then try again"
        ) from None


def _install_one(target: Target, setup: Setup) -> Change:
    """Remembered first: killed in between, we still know that the file came with us."""
    _tidy(target.path, setup.home)
    new = target.path not in known(setup.home.config).files
    created, folder_created = not target.path.exists(), not target.path.parent.exists()
    file = File(scope=target.scope, created=created, folder_created=folder_created)
    remember(setup.home.config, target.path, file, target.config_dir)
    try:
        return _changed(target.path, _Install(target.path, setup.wanted), setup.home, "install")
    except Problem:
        if new:
            forget(setup.home.config, target.path, target.config_dir)
        raise


def uninstall(targets: Sequence[Target], home: Home) -> list[Change]:
    """Takes the code away, too, once no file that Deskbell knows of starts it."""
    with _alone(home):
        plan_uninstall(targets, home)
        changes = [_uninstall_one(target, home) for target in targets]
        _prune(home)
    return changes


def _uninstall_one(target: Target, home: Home) -> Change:
    _tidy(target.path, home)
    file = known(home.config).files.get(target.path)
    change = _changed(target.path, _uninstall(target.path, home), home, "uninstall")
    if file and file.folder_created and change.after is None:
        with contextlib.suppress(OSError):  # something else is in it by now
            target.path.parent.rmdir()
    forget(home.config, target.path, target.config_dir)
    return change


def restore(target: Target, content: bytes, home: Home) -> Change:
    """Puts an earlier text back; whether the file is one of ours follows from what it says."""
    with _alone(home):
        _tidy(target.path, home)
        change = _changed(target.path, lambda before: content, home, "restore")
        if _handlers(target.path):
            remember(home.config, target.path, File(scope=target.scope), target.config_dir)
        else:
            forget(home.config, target.path, target.config_dir)
    return change


def state_of(target: Target, setup: Setup) -> Report:
    try:
        text = _text(target.path, settings_file.read(target.path))
        stand = _located(target.path, text, lambda text: hooks_text.standing(text, setup.wanted))
    except Problem as problem:
        return Report(target, "unreadable", str(problem))
    remembered = target.path in known(setup.home.config).files
    state, sentence = _judged(stand, remembered, setup)
    return Report(target, state, sentence, stand)


def _judged(stand: Standing, remembered: bool, setup: Setup) -> tuple[HooksState, str]:
    count, all_ = len(stand.current), len(setup.wanted)
    if not stand.handlers:
        if remembered:
            return "overwritten", "the hooks that Deskbell had put here are gone: another program wrote the file"
        return "missing", "no hooks of Deskbell are here"
    if stand.stale or stand.stray:
        return "outdated", f"hooks of another version, or for another Python, are here ({count} of {all_} are right)"
    if stand.missing:
        return "partly", f"{count} of {all_} events are reported; not: {', '.join(stand.missing)}"
    return "installed", f"all {all_} events are reported"


@dataclass(frozen=True)
class _Install:
    path: Path
    wanted: dict[str, Handler]

    def __call__(self, before: bytes | None) -> bytes:
        text = _text(self.path, _NEW_FILE if before is None else before)
        new = _located(self.path, text, self._with_hooks)
        return new.encode()

    def _with_hooks(self, text: str) -> str:
        if (at := hooks_text.hooks_disabled(text)) is not None:
            raise Misshapen('"disableAllHooks" keeps every hook from running; set it to false first', at)
        return hooks_text.with_hooks(text, self.wanted)


def _uninstall(path: Path, home: Home) -> settings_file.Edit:
    file = known(home.config).files.get(path)

    def edit(before: bytes | None) -> bytes | None:
        if before is None:
            return None
        new = _located(path, _text(path, before), hooks_text.without_hooks).encode()
        return None if file and file.created and new == _NEW_FILE else new

    return edit


def _text(path: Path, content: bytes | None) -> str:
    try:
        return (content or b"").decode()
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(errors="replace")
        raise Problem(f"{path}, {place(before, len(before))}: this is not UTF-8 text; nothing was changed") from None


def _located(path: Path, text: str, read: Callable[[str], T]) -> T:
    try:
        return read(text)
    except Misshapen as wrong:
        raise Problem(f"{path}, {place(text, wrong.at)}: {wrong.what}; nothing was changed") from None


def _changed(path: Path, edit: settings_file.Edit, home: Home, reason: str) -> Change:
    history = History(home.config, path)

    def saved(before: bytes | None) -> None:
        if before is not None:
            history.save(before, reason, datetime.datetime.now(datetime.UTC))

    return settings_file.change(path, edit, saved)


def _tidy(path: Path, home: Home) -> None:
    """What a killed change left beside the file may be somebody's edit: it goes to the copies."""
    for left in settings_file.leftovers(path):
        if content := left.read_bytes():
            History(home.config, path).save(content, "interrupted", datetime.datetime.now(datetime.UTC))
        left.unlink(missing_ok=True)


def _prune(home: Home) -> None:
    """Not while a file that may name some of the code cannot be read."""
    with contextlib.suppress(Problem):
        deploy.prune(home.data, {Path(hook.main).parents[1] for hook in registered_hooks(home)})


def registered_hooks(home: Home) -> list[Hook]:
    """What the files that Deskbell knows start."""
    handlers = [handler for target in known_targets(home.config) for handler in _handlers(target.path)]
    return list(dict.fromkeys(hook for handler in handlers if (hook := hook_of(handler))))


def _handlers(path: Path) -> tuple[Handler, ...]:
    text = _text(path, settings_file.read(path))
    return _located(path, text, lambda text: hooks_text.standing(text, {})).handlers
