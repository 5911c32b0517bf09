"""`deskbell status`: show the state of the hooks in each settings file."""

import argparse

from deskbell.commands._settings import add_arguments, selected
from deskbell.errors import NotFound, Problem
from deskbell.home import home
from deskbell.settings.setup import Setup, setup
from deskbell.settings.state import Report, state_of
from deskbell.terminal.out import say, say_json

MARKS = {"installed": "✓", "missing": "-", "partly": "!", "outdated": "!", "overwritten": "!", "unreadable": "✗"}


def arguments(parser: argparse.ArgumentParser) -> None:
    add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object, as docs/json.md describes it")


def run(args: argparse.Namespace) -> int:
    ready = setup(home())
    reports = [state_of(target, ready) for target in selected(args, ready.home.config, ready.client)]
    if args.json:
        say_json(as_json(ready, reports), indent=2)
    else:
        say(*as_lines(ready, reports))
    return code(reports)


def code(reports: list[Report]) -> int:
    """Return the exit code: 1 if a file is unreadable, 3 if the hooks in one are not as they should be, else 0."""
    states = {report.state for report in reports}
    if "unreadable" in states:
        return Problem.code
    return NotFound.code if states - {"installed"} else 0


def as_lines(ready: Setup, reports: list[Report]) -> list[str]:
    client = ".".join(map(str, ready.client)) if ready.client else ready.found.missing
    lines = [f"Claude Code  {client}", f"hook         {_handler(ready)}", f"run by       {ready.interpreter.path}"]
    return [*lines, *(f"{_mark(ready, one)} {one.state:<11}{one.target.path}: {_words(one)}" for one in reports)]


def _mark(ready: Setup, report: Report) -> str:
    """Return the sign of the state. What is installed is not all that could be while the client is unknown."""
    return MARKS[report.state] if ready.client or report.state != "installed" else MARKS["partly"]


def _words(report: Report) -> str:
    return f"{report.sentence} {report.step}".rstrip()


def _handler(ready: Setup) -> str:
    return f"{ready.folder}" if ready.deployed else "not deployed; run `deskbell install`"


def as_json(ready: Setup, reports: list[Report]) -> dict[str, object]:
    return {
        "version": 1,
        "client": ".".join(map(str, ready.client)) if ready.client else None,
        "hook": {"folder": str(ready.folder), "deployed": ready.deployed, "interpreter": ready.interpreter.path},
        "files": [_file(report) for report in reports],
    }


def _file(report: Report) -> dict[str, object]:
    stand = report.standing
    return {
        "path": str(report.target.path),
        "scope": report.target.scope,
        "state": report.state,
        "sentence": _words(report),
        "events": list(stand.current),
        "missing": list(stand.missing),
        "outdated": list(stand.stale + stand.stray),
    }
