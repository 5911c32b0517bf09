"""Check the links between Claude Code and the records: the client, the settings, the code, the hook, the state folder.

A check is a function in CHECKS. It examines the Scene and yields what it found. A new link gets a function of its own.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from deskbell.doctor import Check, Grade
from deskbell.doctor.each import each
from deskbell.doctor.trial import RUNS, seconds_of_events
from deskbell.errors import Problem, reason
from deskbell.files.read import read_text
from deskbell.files.there import ending_in, exists, is_folder
from deskbell.files.trial import refusal
from deskbell.home import Home
from deskbell.settings import deploy
from deskbell.settings.asker_wish import wants_asker
from deskbell.settings.claude_code import ClaudeCode, registry_entry
from deskbell.settings.exchange import LARGEST
from deskbell.settings.hooks_text import hooks_disabled
from deskbell.settings.interpreter import Interpreter
from deskbell.settings.jsonspans import Misshapen
from deskbell.settings.known import read_known, remembered_config_dirs
from deskbell.settings.managed import check_allowed
from deskbell.settings.setup import Setup
from deskbell.settings.state import INSTALL, registered_hooks, state_of
from deskbell.settings.targets import Target

MB = 1_000_000
LITTLE, TOO_LITTLE = 50 * MB, 1 * MB
"""Bytes that are free on the disk of the state folder. Below the first number the doctor warns; below the second it
calls the disk full."""


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass(frozen=True, slots=True)
class Scene:
    """What the checks examine."""

    home: Home
    client: ClaudeCode
    interpreter: Interpreter | None
    managed: Path
    targets: tuple[Target, ...]
    slow: float = 1.0
    """Seconds. A hook that takes longer is slow."""
    runs: int = RUNS
    """Test events for each hook."""
    free: Callable[[Path], int] = free_bytes
    """Returns the free bytes on the disk of a folder."""

    @property
    def setup(self) -> Setup | None:
        if self.interpreter is None:
            return None
        answers = wants_asker(self.home.config)
        return Setup(self.home, self.interpreter, self.client.version, self.managed, answers=answers, found=self.client)


def examined(scene: Scene) -> list[Check]:
    return list(each({check.__name__.replace("_", " "): partial(check, scene) for check in CHECKS}))


def client(scene: Scene) -> Iterator[Check]:
    found = scene.client
    if found.version is None:
        what = f"{found.missing}; Deskbell uses only the hooks that every version supports."
        yield Check("client", "warn", what, f"{found.step}, then run `deskbell install`.")
    elif found.missing:
        what = f"{found.missing}; running sessions are of version {found.name}."
        yield Check("client", "warn", what, f"{found.step}{'' if found.silent else ' of your desktop session, too'}.")
    else:
        yield Check("client", "ok", f"Claude Code {found.name} at {found.path}.")


def policy(scene: Scene) -> Iterator[Check]:
    try:
        check_allowed(scene.managed)
    except Problem as problem:
        yield Check("policy", "bad", problem.what, problem.step)
    else:
        yield Check("policy", "ok", "Nothing forbids your own hooks on this machine.")


def interpreter(scene: Scene) -> Iterator[Check]:
    if scene.interpreter is None:
        what = "Found no Python outside virtual environments to run the hook."
        yield Check("interpreter", "bad", what, "Install Python 3.11 or newer from your system.")
    else:
        version = ".".join(map(str, scene.interpreter.version))
        yield Check("interpreter", "ok", f"Python {version} at {scene.interpreter.path} runs the hook.")


def known_files(scene: Scene) -> Iterator[Check]:
    try:
        count = len(read_known(scene.home.config).files)
    except Problem as problem:
        yield Check("known files", "bad", problem.what, problem.step)
    else:
        yield Check("known files", "ok", f"Deskbell was installed into {count} settings files.")


def settings(scene: Scene) -> Iterator[Check]:
    if (setup := scene.setup) is None:
        return
    for target in scene.targets:
        report = state_of(target, setup)
        name = f"settings {target.path}"
        if is_disabled(target.path):
            yield Check(name, "bad", '"disableAllHooks" stops every hook.', "Set it to false.")
        elif report.state == "installed":
            yield Check(name, "ok", report.sentence)
        else:
            verdict: Grade = "warn" if report.state in ("outdated", "partly") else "bad"
            yield Check(name, verdict, report.sentence, report.step)


def is_disabled(path: Path) -> bool:
    """Return whether the settings file PATH switches off all hooks, and with them the statusline."""
    try:
        return hooks_disabled(read_text(path, LARGEST)) is not None
    except (OSError, Misshapen):
        return False


def hook_code(scene: Scene) -> Iterator[Check]:
    if (setup := scene.setup) is None:
        return
    if not setup.deployed:
        yield Check("hook code", "bad", f"{setup.folder} is missing or damaged.", INSTALL)
    elif not deploy.is_compiled(setup.folder, setup.interpreter, deploy.code()):
        what = f"{setup.folder} is not compiled for {setup.interpreter.path}; the hook is slower."
        yield Check("hook code", "warn", what, INSTALL)
    else:
        yield Check("hook code", "ok", f"{setup.folder} is whole and compiled.")


def hook_run(scene: Scene) -> Iterator[Check]:
    """Run each registered hook, with a state folder of its own."""
    try:
        hooks = [hook for hook in registered_hooks(scene.home) if hook.verb == "record"]
    except Problem:
        return  # another check reports it
    for hook in hooks:
        name = f"hook {hook.main}"
        try:
            took = sorted(seconds_of_events(hook, runs=scene.runs))
        except OSError as error:
            what = f"Cannot try it in a temporary folder: {error.strerror}."
            yield Check(name, "bad", what, "Free some space, or set TMPDIR to another folder.")
            continue
        if len(took) < scene.runs:
            yield Check(name, "bad", "A test event was not recorded.", INSTALL)
            continue
        p50, p95 = took[len(took) // 2], took[int(len(took) * 0.95)]
        figures = f"{p50 * 1000:.0f} ms (p50), {p95 * 1000:.0f} ms (p95)"
        sentence = f"{scene.runs} test events were recorded, each in {figures}."
        slow = "Look for a busy machine or a slow disk." if p95 > scene.slow else ""
        yield Check(name, "warn" if slow else "ok", sentence, slow)


def state_folder(scene: Scene) -> Iterator[Check]:
    folder = scene.home.state
    if not exists(folder, unknown=True):
        yield Check("state folder", "ok", f"{folder} does not exist yet; the first event creates it.")
    elif not is_folder(folder, unknown=True):
        yield Check("state folder", "bad", f"{folder} is not a folder.", "Move it away; the next event creates one.")
    elif error := refusal(folder):
        mend = "Free some space on its disk, or make the folder yours and writable."
        yield Check("state folder", "bad", f"Cannot write to {folder}: {error.strerror or error}.", mend)
    elif os.name != "nt" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield Check("state folder", "warn", f"Others can read {folder}.", f"Run `chmod 700 {folder}`.")
    else:
        count = len(ending_in(scene.home.sessions, ".json"))
        yield Check("state folder", "ok", f"{folder} is writable and private, and records {count} sessions.")


def disk_space(scene: Scene) -> Iterator[Check]:
    folder = next(path for path in (scene.home.state, *scene.home.state.parents) if is_folder(path))
    free = scene.free(folder)
    what = f"{free / MB:,.0f} MB are free on the disk of {folder}."
    if free < TOO_LITTLE:
        yield Check("disk space", "bad", f"The disk of {folder} is full.", "Free some space: events are lost.")
    elif free < LITTLE:
        yield Check("disk space", "warn", f"Only {what}", "Free some space before events are lost.")
    else:
        yield Check("disk space", "ok", what)


def registry(scene: Scene) -> Iterator[Check]:
    for folder in remembered_config_dirs(scene.home.config):
        yield _registry_in(folder / "sessions")


def _registry_in(sessions: Path) -> Check:
    name = f"registry {sessions}"
    try:
        paths = [path for path in sessions.iterdir() if path.suffix == ".json"]
    except (FileNotFoundError, NotADirectoryError):
        what = "Claude Code has not written a session registry here yet. What hooks do not report is only inferred."
        return Check(name, "warn", what, "Start claude once. Older versions write no registry.")
    except OSError as error:
        what = f"Cannot list it: {reason(error)}. What hooks do not report is only inferred."
        return Check(name, "warn", what, "Make the folder readable.")
    entries = list(map(_is_entry, paths))
    if all(entries):
        return Check(name, "ok", f"{len(entries)} entries, all readable.")
    what = f"{entries.count(False)} of {len(entries)} entries cannot be read."
    return Check(name, "warn", what, "Update Deskbell: this Claude Code may be newer than Deskbell knows.")


def _is_entry(path: Path) -> bool:
    try:
        return isinstance(registry_entry(path).get("pid"), int)
    except FileNotFoundError:
        return True  # the session has just ended
    except (OSError, ValueError):
        return False


CHECKS: tuple[Callable[[Scene], Iterable[Check]], ...] = (
    client,
    policy,
    interpreter,
    known_files,
    settings,
    hook_code,
    hook_run,
    state_folder,
    disk_space,
    registry,
)
