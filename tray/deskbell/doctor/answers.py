"""Check that requests can be answered from outside of the terminal: client, hook, socket and program."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from deskbell.doctor import Check
from deskbell.doctor.hooks import Scene
from deskbell.files.read import json_value
from deskbell.settings.setup import Setup
from deskbell.settings.state import ASKER, INSTALL, state_of
from deskbell.settings.switch import cannot_answer
from deskbell_hooks.wire import Wire

LONGEST = 103 if sys.platform == "darwin" else 107
"""Bytes of the path of a socket, as `sun_path` in sys/un.h holds them with a NUL."""
PATIENCE = 2.0
"""Seconds until a program that does not answer is passed over."""
START = "Start it with `deskbell run`."


def examined(scene: Scene) -> list[Check]:
    """Where answers are off, `settings` says if the hook is there all the same."""
    setup = scene.setup
    if setup is None or not setup.answers:
        return [Check("answers", "ok", "They are switched off. `deskbell answers on` switches them on.")]
    return [*_client(setup), *_files(scene, setup), *_program(scene.home.state)]


def _client(setup: Setup) -> Iterator[Check]:
    if setup.can_answer:
        yield Check("answers client", "ok", "This version of Claude Code can be answered.")
    else:
        problem = cannot_answer(setup.client)
        yield Check("answers client", "bad", problem.what.removesuffix(" Nothing was changed."), problem.step)


def _files(scene: Scene, setup: Setup) -> Iterator[Check]:
    if not setup.can_answer:
        return
    for target in scene.targets:
        report = state_of(target, setup)
        name = f"answers {target.path}"
        if report.state == "unreadable":
            yield Check(name, "bad", report.sentence, report.step)
        elif report.standing.asker == "current":
            yield Check(name, "ok", "The hook for answers is installed.")
        else:
            yield Check(name, "bad", ASKER[report.standing.asker], INSTALL)


def _program(state: Path) -> Iterator[Check]:
    socket = state / "answers" / "socket"
    length = len(os.fsencode(socket))
    if os.name != "nt" and length > LONGEST:
        what = f"The path {socket} has {length} bytes, and a socket can have {LONGEST}."
        yield Check("answers socket", "bad", what, "Set DESKBELL_HOME to a shorter path, then run `deskbell install`.")
    elif (waiting := requests(state)) is None:
        yield Check("answers program", "bad", "The program does not run, or does not take requests.", START)
    else:
        yield Check("answers program", "ok", f"The program takes requests; {waiting} wait for an answer now.")


def requests(state: Path) -> int | None:
    """Ask the program how many requests wait; None if it does not say."""
    try:
        wire = Wire(str(state))
        try:
            wire.send(b'{"v":1,"wish":"list"}\n')
            said = json_value(wire.receive(PATIENCE))
        finally:
            wire.close()
    except (OSError, ValueError, RecursionError):
        return None
    found = said.get("requests") if isinstance(said, dict) else None
    return len(found) if isinstance(found, list) else None
