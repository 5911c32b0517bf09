"""Test a whole afternoon of the real client: it rings at once, once, and only for what needs the person.

Deskbell runs as a process on a real desktop with a real notification daemon, while the test monitors the bus. At the
end it prints a table of the rings that were due and those that came.
"""

import os
import statistics
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.client.afternoon import ALONE, PASSAGES, SIDE_BY_SIDE
from tests.client.api import Api
from tests.client.claude import account
from tests.client.conftest import Report
from tests.client.hearing import Hearing
from tests.client.program import Program
from tests.client.scene import Due, Passage, Scene, play, reckon
from tests.client.watch import slowness
from tests.desktop.desktop import desktop, missing

AT_ONCE = 4
PICTURES = "DESKBELL_TEST_PICTURES"
"""The variable that names a folder for pictures of the screen."""
REMINDER = 6.0
"""Seconds after which the client's own Notification announces a request. The table has the measured time."""
Scenes = dict[str, Scene]


class Afternoon(NamedTuple):
    scenes: Scenes
    log: str
    """The log and the output of Deskbell."""


@pytest.fixture(scope="module")
def afternoon(
    client: Path, api: Api, report: Report, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Afternoon:
    if absent := missing():
        stop = pytest.fail if os.environ.get("CI") else pytest.skip
        stop(f"a desktop needs {', '.join(absent)}: see tests/system-packages.sh")
    pictures = os.environ.get(PICTURES)
    items = request.session.items
    chosen = [item.callspec.params.get("passage") for item in items if hasattr(item, "callspec")]
    with (
        desktop(tmp_path_factory.mktemp("desk"), "xfce4-notifyd") as one,
        Hearing(one.env["DBUS_SESSION_BUS_ADDRESS"]) as hearing,
        account(client, api.url) as claude,
    ):
        program = Program(claude, one, hearing, Path(pictures) if pictures else None)
        with program.running():
            scenes = played(program, [passage for passage in PASSAGES if passage in chosen] or PASSAGES)
        log = program.log() + program.output()
    report([*table(scenes), *figures(scenes)])
    return Afternoon(scenes, log)


def played(program: Program, chosen: Sequence[Passage]) -> Scenes:
    with ThreadPoolExecutor(AT_ONCE) as side_by_side:
        plays = {p.name: side_by_side.submit(play, p, program) for p in chosen if p in SIDE_BY_SIDE}
    scenes = {name: future.result() for name, future in plays.items()}
    scenes |= {passage.name: play(passage, program) for passage in chosen if passage in ALONE}
    reckon(program.hearing, scenes.values())
    return scenes


def table(scenes: Scenes) -> Iterator[str]:
    yield f"{'passage':<40} {'ring':<12} {'about':<24} hook → Notify  registry → Notify  answer → withdrawn"
    for name, scene in scenes.items():
        for number, due in enumerate(scene.due or [Due("-", "", "")]):
            times = "".join(f"{_ms(value):>18}" for value in (due.hook, due.registry, due.withdrawn))
            yield f"{'' if number else name:<40.40} {due.status:<12} {due.words:<20.20} {times}".rstrip()
        yield from (f"{'':<40} {trouble}" for trouble in scene.trouble)


def figures(scenes: Scenes) -> Iterator[str]:
    due = [one for scene in scenes.values() for one in scene.due]
    said = [trouble for scene in scenes.values() for trouble in scene.trouble]
    wrong = {kind: sum(trouble.startswith(kind) for trouble in said) for kind in ("missed", "false", "doubled")}
    were = len(due) + wrong["false"] + wrong["doubled"]
    counts = ", ".join(f"{number} {kind}" for kind, number in wrong.items())
    yield f"rings due: {len(due) + wrong['missed']}, rings that came: {were}: {counts}"
    for what in ("hook", "registry", "withdrawn"):
        for together in (False, True):
            values = [getattr(one, what) for one in due if one.together is together]
            if found := [value for value in values if value is not None]:
                name = f"{what}, {'all at once' if together else 'one at a time'}"
                yield f"{name:<26} p50 {_ms(statistics.median(found))}  p95 {_ms(_p95(found))}  of {len(found)}"


def _ms(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1000:.0f} ms"


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


@pytest.mark.timeout(900)
@pytest.mark.parametrize("passage", PASSAGES, ids=lambda passage: passage.name)
def test_it_rings_once_for_what_needs_the_person_and_for_nothing_else(passage: Passage, afternoon: Afternoon) -> None:
    assert afternoon.scenes[passage.name].trouble == []


@pytest.mark.timeout(900)
def test_it_rings_at_once(afternoon: Afternoon) -> None:
    found = [due.hook for scene in afternoon.scenes.values() for due in scene.due if due.hook is not None]
    assert found
    assert _p95(found) < REMINDER / 3 * slowness()


@pytest.mark.timeout(900)
def test_the_log_holds_no_error(afternoon: Afternoon) -> None:
    assert [line for line in afternoon.log.splitlines() if " ERROR deskbell" in line] == []
