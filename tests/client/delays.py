"""Measure with the real client how soon an answer takes effect, and how soon a request goes away."""

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from deskbell.answers import call
from deskbell.answers.door import address
from tests.client.answering import Answering
from tests.client.claude import Tui
from tests.waiting import PATIENCE, wait

READ = 1.2
"""Seconds from a dialog to its answer: one that is younger may ignore keys."""
STEP = 0.002
"""Seconds between two looks."""


class Clicked(NamedTuple):
    """Seconds from the order to each of these."""

    asker: float
    """The asker has printed the decision and ended."""
    tool: float
    """The tool has run."""


class Typed(NamedTuple):
    """Seconds from the call of tmux that presses the key to each of these."""

    registry: float
    """The client has changed its status."""
    asker: float
    """The asker has ended."""
    withdrawn: float
    """The program offers nothing any more."""


def clicked(person: Answering, tui: Tui, file: Path) -> Clicked:
    """Allow a command that makes FILE."""
    file.unlink(missing_ok=True)
    code, asker = _asked(person, tui)
    message = {"v": 1, "wish": "answer", "code": code, "choice": "allow", "text": None}
    view = next(one["view"] for one in call.requests(person.state) if one["code"] == code)
    call.shown(person.state, [view])
    message |= {"confirmed": True, "view": view}
    with socket.socket(socket.AF_UNIX) as button:
        button.settimeout(PATIENCE)
        button.connect(str(address(person.state)))
        begun = time.monotonic()
        button.sendall(json.dumps(message).encode() + b"\n")
        came = _moments(begun, lambda: not _lives(asker), file.exists)
        said = json.loads(button.makefile().readline())
    assert said["done"], said
    tui.wait_status("idle")
    return Clicked(*came)


def typed(person: Answering, tui: Tui) -> Typed:
    """Say Yes at the keyboard."""
    code, asker = _asked(person, tui)
    opened = tui.changed

    def withdrawn() -> bool:
        return not _lives(asker) and code not in [one["code"] for one in call.requests(person.state)]

    begun = time.monotonic()
    tui.pane.keys("1")
    came = _moments(begun, lambda: tui.changed != opened, lambda: not _lives(asker), withdrawn)
    tui.wait_status("idle")
    return Typed(*came)


def p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def _asked(person: Answering, tui: Tui) -> tuple[str, int]:
    """The code and the asker of a new request, once a person may answer it at both ends."""
    tui.scenario("permission")
    code = person.asked(tui)["code"]
    (asker,) = wait(lambda: person.askers(tui), "the asker")
    wait(lambda: time.time() > (tui.changed or 0) / 1000 + READ, "a moment to read")
    return code, asker


def _moments(begun: float, *conditions: Callable[[], bool]) -> list[float]:
    """When each condition became true, in seconds since BEGUN."""
    came: dict[int, float] = {}

    def all_came() -> bool:
        for number, condition in enumerate(conditions):
            if number not in came and condition():
                came[number] = time.monotonic() - begun
        return len(came) == len(conditions)

    wait(all_came, "the end of the request", step=STEP)
    return [came[number] for number in range(len(conditions))]


def _lives(pid: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False


def shown(name: str, values: list[float], target: float) -> tuple[str, str, str, str]:
    """A row of a table: the median, the 95th of a hundred, and whether that meets TARGET, all in milliseconds."""
    middle, late = sorted(values)[len(values) // 2], p95(values)
    met = "met" if late < target else "NOT MET"
    return name, f"{middle * 1000:.0f} ms", f"{late * 1000:.0f} ms", f"< {target * 1000:.0f} ms {met}"


HEADS = ("", "median", "p95", "target")
TOOL, GONE = 0.120, 0.150
"""Seconds within which 95 of 100 tools run after a click, and notices go away after a key."""


def rows(person: Answering, tui: Tui, file: Path, rounds: int) -> list[tuple[str, str, str, str]]:
    """Measure both, in turn, so that a load of the machine slows them alike."""
    clicks, keys = [], []
    for _ in range(rounds):
        clicks.append(clicked(person, tui, file))
        file.unlink()
        keys.append(typed(person, tui))
    return [
        shown("click -> the asker has printed it", [one.asker for one in clicks], TOOL),
        shown("click -> the tool has run", [one.tool for one in clicks], TOOL),
        shown("Yes at the keyboard -> the client's status", [one.registry for one in keys], GONE),
        shown("the client's status -> the asker is gone", [max(0, one.asker - one.registry) for one in keys], GONE),
        shown("Yes at the keyboard -> nothing is offered", [one.withdrawn for one in keys], GONE),
    ]
