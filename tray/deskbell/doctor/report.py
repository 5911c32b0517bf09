"""Run every check, and format what they found for a terminal. `deskbell doctor` and the menu both run them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from deskbell.doctor import MARKS, Check, answers, desktop, hooks, statusline, tmux
from deskbell.doctor.each import each
from deskbell.errors import Problem
from deskbell.home import Home
from deskbell.settings.claude_code import ClaudeCode
from deskbell.settings.interpreter import Interpreter, stable_interpreter
from deskbell.settings.managed import managed_folder
from deskbell.settings.targets import Target


def checks(home: Home, client: ClaudeCode, targets: Sequence[Target]) -> list[Check]:
    """Examine this machine. This starts the hook and asks the desktop, so do not call it in a running loop."""
    scene = hooks.Scene(home, client, _interpreter(), managed_folder(), tuple(targets))
    rooms: dict[str, Callable[[], Iterable[Check]]] = {
        "answers": partial(answers.examined, scene),
        "statusline": partial(statusline.examined, scene),
        "tmux": partial(tmux.checked, home),
    }
    return [*hooks.examined(scene), *each(rooms), *desktop.examined(home, desktop.Desktop())]


def lines(found: Iterable[Check]) -> Iterator[str]:
    """Yield one line for each check, and a second one with what to do if there is anything."""
    for check in found:
        yield f"{MARKS[check.verdict]} {check.name}: {check.sentence}"
        if check.mend:
            yield f"    fix: {check.mend}"


def _interpreter() -> Interpreter | None:
    try:
        return stable_interpreter()
    except Problem:
        return None
