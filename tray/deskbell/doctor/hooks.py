"""Does every link between Claude Code and Deskbell hold, and if not, how is it mended?

A check is a function in CHECKS: it looks at the scene and yields what it found. Whoever builds another link adds
another function.
"""

import json
import os
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from deskbell.doctor import Check
from deskbell.errors import Problem
from deskbell.home import Home, environment
from deskbell.settings import deploy
from deskbell.settings.claude_code import ClaudeCode
from deskbell.settings.hooks_text import hooks_disabled
from deskbell.settings.interpreter import Interpreter
from deskbell.settings.jsonspans import Misshapen
from deskbell.settings.known import remembered_config_dirs
from deskbell.settings.managed import check_allowed
from deskbell.settings.registration import Hook, wanted
from deskbell.settings.setup import Setup
from deskbell.settings.state import registered_hooks, state_of
from deskbell.settings.targets import Target

INSTALL = "deskbell install"
RUNS = 15
SESSION = "deskbell-doctor"


@dataclass(frozen=True, slots=True)
class Scene:
    home: Home
    client: ClaudeCode | None
    interpreter: Interpreter | None
    managed: Path
    targets: tuple[Target, ...]
    slow: float = 1.0
    """Seconds from which on a hook is called slow."""

    @property
    def setup(self) -> Setup | None:
        if self.interpreter is None:
            return None
        return Setup(self.home, self.interpreter, self.client.version if self.client else None, self.managed)


def examined(scene: Scene) -> list[Check]:
    return [found for check in CHECKS for found in check(scene)]


def client(scene: Scene) -> Iterator[Check]:
    if scene.client is None:
        what = "Claude Code was not found, so only its oldest events are registered"
        yield Check("client", "warn", what, "put claude on the PATH, then: deskbell install")
    elif scene.client.path is None:
        what = f"Claude Code was not found, but its sessions are of {scene.client.name}"
        yield Check("client", "warn", what, "put claude on the PATH of your desktop, too")
    else:
        yield Check("client", "ok", f"Claude Code {scene.client.name} at {scene.client.path}")


def policy(scene: Scene) -> Iterator[Check]:
    try:
        check_allowed(scene.managed)
    except Problem as problem:
        yield Check("policy", "bad", str(problem), "ask who administers this machine")
    else:
        yield Check("policy", "ok", "nothing forbids your own hooks on this machine")


def interpreter(scene: Scene) -> Iterator[Check]:
    if scene.interpreter is None:
        mend = "install Python 3.11 or newer from your system"
        yield Check("interpreter", "bad", "no Python outside of virtual environments was found for the hook", mend)
    else:
        version = ".".join(map(str, scene.interpreter.version))
        yield Check("interpreter", "ok", f"Python {version} at {scene.interpreter.path} runs the hook")


def settings(scene: Scene) -> Iterator[Check]:
    if (setup := scene.setup) is None:
        return
    for target in scene.targets:
        report = state_of(target, setup)
        name = f"settings {target.path}"
        if _disabled(target.path):
            yield Check(name, "bad", '"disableAllHooks" keeps every hook from running', "set it to false")
        elif report.state == "installed":
            yield Check(name, "ok", report.sentence)
        elif report.state == "unreadable":
            yield Check(name, "bad", report.sentence, "mend the file, or put a copy back: deskbell restore")
        elif report.state == "overwritten":
            yield Check(name, "bad", report.sentence, f"{INSTALL}, or put a copy back: deskbell restore")
        else:
            yield Check(name, "bad" if report.state == "missing" else "warn", report.sentence, INSTALL)


def _disabled(path: Path) -> bool:
    try:
        return hooks_disabled(path.read_text(encoding="utf-8")) is not None
    except (OSError, ValueError, Misshapen):
        return False


def code(scene: Scene) -> Iterator[Check]:
    if (setup := scene.setup) is None:
        return
    if not setup.deployed:
        yield Check("hook code", "bad", f"{setup.folder} is missing or damaged", INSTALL)
    elif not deploy.is_compiled(setup.folder, setup.interpreter, deploy.code()):
        yield Check(
            "hook code", "warn", f"{setup.folder} is not compiled for {setup.interpreter.path}: slower", INSTALL
        )
    else:
        yield Check("hook code", "ok", f"whole and compiled in {setup.folder}")


def hook_run(scene: Scene) -> Iterator[Check]:
    """As it is registered, but into a state folder of its own."""
    try:
        hooks = registered_hooks(scene.home)
    except Problem:
        return  # the check of the settings has told
    for hook in hooks:
        name = f"hook {hook.main}"
        took = sorted(_test_events(hook))
        if len(took) < RUNS:
            yield Check(name, "bad", "a test event was not recorded", INSTALL)
            continue
        p50, p95 = took[len(took) // 2], took[int(len(took) * 0.95)]
        sentence = f"{RUNS} test events were recorded, each in {p50 * 1000:.0f} ms (p50), {p95 * 1000:.0f} ms (p95)"
        slow = "the machine is busy, or the disk of the state folder is slow" if p95 > scene.slow else ""
        yield Check(name, "warn" if slow else "ok", sentence, slow)


def _test_events(hook: Hook) -> Iterator[float]:
    """The seconds of each event that left its record."""
    event = json.dumps({"session_id": SESSION, "hook_event_name": "Stop", "cwd": os.getcwd()}).encode()  # noqa: PTH109
    with tempfile.TemporaryDirectory(prefix="deskbell-doctor-", ignore_cleanup_errors=True) as scratch:
        handler = wanted(replace(hook, state=scratch), None, windows=os.name == "nt")["Stop"]
        record = Path(scratch, "sessions", f"{SESSION}.json")
        for _ in range(RUNS):
            record.unlink(missing_ok=True)
            start = time.perf_counter()
            subprocess.run(
                _command(handler), input=event, capture_output=True, check=False, env=environment(os.environ)
            )
            took = time.perf_counter() - start
            if record.exists():
                yield took


def _command(handler: dict[str, object]) -> list[str]:
    command, args = str(handler["command"]), handler.get("args")
    return [command, *map(str, args)] if isinstance(args, list) else ["/bin/sh", "-c", command]


def state_folder(scene: Scene) -> Iterator[Check]:
    folder = scene.home.state
    if not folder.exists():
        yield Check("state folder", "ok", f"{folder} comes with the first event")
    elif not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        yield Check("state folder", "bad", f"{folder} cannot be written", "make it yours and writable, or remove it")
    elif os.name != "nt" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield Check("state folder", "warn", f"others may look into {folder}", f"chmod 700 {folder}")
    else:
        count = sum(1 for _ in scene.home.sessions.glob("*.json"))
        yield Check("state folder", "ok", f"{folder} is writable and private, with {count} recorded sessions")


def registry(scene: Scene) -> Iterator[Check]:
    for folder in remembered_config_dirs(scene.home.config):
        sessions = folder / "sessions"
        name = f"registry {sessions}"
        if not sessions.is_dir():
            what = "Claude Code keeps no list of its running sessions here (yet): what hooks do not tell is guessed"
            yield Check(name, "warn", what, "start claude once; it needs a recent version")
            continue
        entries = [_is_entry(path) for path in sessions.glob("*.json")]
        if all(entries):
            yield Check(name, "ok", f"{len(entries)} entries, all readable")
        else:
            what = f"{entries.count(False)} of {len(entries)} entries cannot be read"
            yield Check(name, "warn", what, "this Claude Code may be newer than Deskbell knows: update Deskbell")


def _is_entry(path: Path) -> bool:
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return True  # it has just ended
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and isinstance(content.get("pid"), int)


CHECKS: tuple[Callable[[Scene], Iterable[Check]], ...] = (
    client,
    policy,
    interpreter,
    settings,
    code,
    hook_run,
    state_folder,
    registry,
)
