"""Find the problems of Deskbell that can be found in a moment. `deskbell doctor` checks everything."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from deskbell.doctor.each import each
from deskbell.doctor.hooks import Scene, disk_space, state_folder
from deskbell.errors import Problem
from deskbell.files.there import exists
from deskbell.home import Home, with_tilde
from deskbell.settings import file_text
from deskbell.settings.claude_code import NOT_FOUND
from deskbell.settings.hooks_text import hooks_disabled
from deskbell.settings.known import read_known
from deskbell.settings.managed import managed_folder
from deskbell.settings.registration import hook_of
from deskbell.settings.settings_file import read
from deskbell.settings.state import INSTALL
from deskbell.settings.targets import Target, known_targets, user_targets
from deskbell.text.wording import safe


def problems(home: Home) -> list[str]:
    """Return a sentence or two for each problem: what is wrong, and the next step."""
    return [safe(with_tilde(one)) for one in (*_hooks(home), *_storage(home), *_settings(home))]


def _hooks(home: Home) -> Iterator[str]:
    try:
        remembered = read_known(home.config).files
        targets = known_targets(home.config) or user_targets(())
    except Problem as problem:
        yield str(problem)
        return
    for target in targets:
        try:
            why = _hook(target, target.path in remembered)
        except Problem as problem:
            why = str(problem)
        if why:
            yield why


def _hook(target: Target, remembered: bool) -> str | None:
    """Return why the hooks in one settings file do not work; None if they do. Raise Problem if it cannot be read.

    REMEMBERED: whether Deskbell was installed into the file.
    """
    path, content = target.path, read(target.path)
    handlers = file_text.standing(path, content, {}).handlers
    if not handlers and remembered:
        return f"Another program removed Deskbell's hooks from {path}. {INSTALL}"
    if not handlers:
        return f"The hooks are not installed, so Deskbell cannot tell what a session asks. {INSTALL}"
    if content is not None and hooks_disabled(content.decode()) is not None:
        return f'"disableAllHooks" in {path} stops every hook. Set it to false.'
    started = [hook.main for handler in handlers if (hook := hook_of(handler))]
    gone = [main for main in started if not exists(Path(main), unknown=True)]
    return f"The hooks start a file that is gone: {gone[0]}. {INSTALL}" if gone else None


def _storage(home: Home) -> Iterator[str]:
    scene = Scene(home, NOT_FOUND, None, managed_folder(), ())
    checks = {"state folder": partial(state_folder, scene), "disk space": partial(disk_space, scene)}
    for check in each(checks):
        if check.verdict == "bad":
            yield f"{check.sentence} {check.mend}"


def _settings(home: Home) -> Iterator[str]:
    path = home.config / "config.toml"
    if not exists(path, unknown=True):
        return
    from deskbell.notices.policyfile import parse, text  # imported here, because many people have no such file

    try:
        parse(text(path) or "", path)
    except Problem as problem:
        yield str(problem) if problem.step else f"{problem} Correct it with `deskbell config edit`."
