"""Check that requests can be answered from outside of the terminal: client, hook, socket and program."""

from collections.abc import Iterator
from pathlib import Path

from deskbell.answers.call import listed
from deskbell.answers.door import unfit
from deskbell.doctor import Check
from deskbell.doctor.hooks import Scene
from deskbell.errors import Problem
from deskbell.settings.setup import Setup
from deskbell.settings.state import ASKER, INSTALL, state_of
from deskbell.settings.switch import cannot_answer

PATIENCE = 2.0
"""Seconds that the program has to answer."""
START = "Start it with `deskbell run`."


def examined(scene: Scene) -> list[Check]:
    """Check each link if answers are on. While they are off, the check `settings` reports a hook that is left over."""
    setup = scene.setup
    if setup is None or not setup.answers:
        return [Check("answers", "ok", "They are switched off. `deskbell answers on` switches them on.")]
    return [*_client(setup), *_files(scene, setup), *_program(scene.home.state)]


def _client(setup: Setup) -> Iterator[Check]:
    if setup.can_answer:
        yield Check("answers client", "ok", "This version of Claude Code can be answered.")
    else:
        problem = cannot_answer(setup)
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
    if problem := unfit(state):
        yield Check("answers socket", "bad", problem.what, problem.step)
    elif (waiting := requests(state)) is None:
        yield Check("answers program", "bad", "Deskbell does not run, or does not take requests.", START)
    else:
        yield Check("answers program", "ok", f"Deskbell takes requests. Open now: {waiting}.")


def requests(state: Path) -> int | None:
    """Return how many requests are open; None if the program does not answer."""
    try:
        found = listed(state, PATIENCE)
    except Problem:
        return None
    return len(found) if isinstance(found, list) else None
