"""Test that the board is right about the real client in every situation, within a second.

Several situations play at a time. One in which something is wrong is played a second time, which counts: the clients of
the others may have kept it from being in time. At the end a table shows what the board said, how soon, and what was
wrong in a first time.
"""

import os
import statistics
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

import deskbell_hooks
from deskbell.settings.registration import Hook, wanted
from tests.client import fetch
from tests.client.api import Api
from tests.client.claude import Claude, account
from tests.client.conftest import Report
from tests.client.situations import SITUATIONS
from tests.client.stage import Situation, play
from tests.client.watch import Check

AT_ONCE = 5


class Played(NamedTuple):
    checks: list[Check]
    before: str = ""
    """What was wrong in the first time; empty if there was only one."""

    @property
    def trouble(self) -> list[Check]:
        return [check for check in self.checks if check.trouble]


Playing = dict[str, Future[Played]]


def register(claude: Claude) -> None:
    """Register the hooks as install does for this version of the client."""
    main = Path(deskbell_hooks.__file__).with_name("__main__.py")
    state = claude.home / "deskbell" / "state"
    handlers = wanted(Hook(sys.executable, str(main), str(state)), tuple(map(int, fetch.version().split("."))))
    claude.extra = {"DESKBELL_HOME": str(state.parent)}
    claude.standing["hooks"] = {event: [{"hooks": list(every)}] for event, every in handlers.items()}
    claude.set_settings()


@pytest.fixture(scope="module")
def playing(client: Path, api: Api, report: Report, request: pytest.FixtureRequest) -> Iterator[Playing]:
    def act(scene: Situation) -> Played:
        with account(client, api.url) as claude:
            register(claude)
            return Played(play(scene, claude))

    def act_twice(scene: Situation) -> Played:
        try:
            played = act(scene)
        except AssertionError as error:
            return act(scene)._replace(before=str(error))
        return act(scene)._replace(before=str(played.trouble)) if played.trouble else played

    chosen = [item.callspec.params.get("scene") for item in request.session.items if hasattr(item, "callspec")]
    with ThreadPoolExecutor(AT_ONCE) as stages:
        plays = {scene.name: stages.submit(act_twice, scene) for scene in chosen if isinstance(scene, Situation)}
        yield plays
    report(table(plays))


def table(plays: Playing) -> Iterator[str]:
    yield f"{'situation':<46} {'expected':<30} {'seen':<46} delay"
    for name, future in plays.items():
        for number, check in enumerate(_checks(future)):
            delay = "never" if check.delay is None else f"{check.delay:.2f} s"
            words = f"{check.expected:<30.30} {check.seen:<46.46} {delay} {check.trouble}"
            yield f"{'' if number else name:<46.46} {words}".rstrip()
        if before := _before(future):
            yield f"{'':<46} wrong in the first time: {before}"
    delays = sorted(check.delay for future in plays.values() for check in _checks(future) if check.delay is not None)
    if delays:
        p95 = delays[int(0.95 * (len(delays) - 1))]
        yield f"{len(delays)} right: after {statistics.median(delays):.2f} s, p95 {p95:.2f} s, at most {delays[-1]:.2f} s"
    yield f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def _checks(future: Future[Played]) -> list[Check]:
    return [] if future.exception() else future.result().checks


def _before(future: Future[Played]) -> str:
    return "" if future.exception() else future.result().before


@pytest.mark.timeout(900)
@pytest.mark.parametrize("scene", SITUATIONS, ids=lambda scene: scene.name)
def test_the_board_says_what_a_person_at_the_terminal_would_say(scene: Situation, playing: Playing) -> None:
    assert playing[scene.name].result().trouble == []
