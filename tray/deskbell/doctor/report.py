"""Run every check and write down what they found. `deskbell doctor` and the menu both call this."""

from collections.abc import Iterable, Sequence

from deskbell.doctor import Check, Grade, desktop, hooks
from deskbell.errors import Problem
from deskbell.home import Home
from deskbell.settings.claude_code import ClaudeCode
from deskbell.settings.interpreter import Interpreter, stable_interpreter
from deskbell.settings.managed import managed_folder
from deskbell.settings.targets import Target

MARKS: dict[Grade, str] = {"ok": "✓", "warn": "!", "bad": "✗"}


def checks(home: Home, client: ClaudeCode | None, targets: Sequence[Target]) -> list[Check]:
    """Examine this machine. Start the hook a few times and wait for the desktop: do not call this in a running loop."""
    scene = hooks.Scene(home, client, _interpreter(), managed_folder(), tuple(targets))
    return [*hooks.examined(scene), *desktop.examined(home, desktop.Desktop())]


def text(found: Iterable[Check]) -> str:
    """Write one line for each check, and below it what to do."""
    lines = []
    for check in found:
        lines.append(f"{MARKS[check.verdict]} {check.name}: {check.sentence}")
        if check.mend:
            lines.append(f"    mend: {check.mend}")
    return "\n".join(lines) + "\n"


def _interpreter() -> Interpreter | None:
    try:
        return stable_interpreter()
    except Problem:
        return None
