"""Test that after any one fault the ring works, nothing has leaked, and no more was lost than Deskbell has said."""

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.calls import Fault, calls_of_program
from tests.faults.evening import Told, play
from tests.faults.injector import Injector
from tests.faults.machine import SECRET, Client, client
from tests.faults.sampling import THOROUGH, faults, part, spread
from tests.tray.notices.channels.receiver import Receiver, receiver

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors below /proc")

ONCE, LASTING, PARTS = 600, 200, 40
"""Faults of one call, and of a call and all later ones, that `make test` tries. With DESKBELL_THOROUGH=1 it tries all."""
FEW = 5
"""Faults of each kind in `make quick`."""


@dataclass
class Stage:
    """Where afternoons are played: with two clients and a receiver for all of them."""

    receiver: Receiver
    clients: dict[str, Client]

    def play(self, fault: Fault | None = None) -> tuple[Told, Injector]:
        root, injector = Path(tempfile.mkdtemp()), Injector(fault)
        try:
            return play(root, self.receiver, self.clients, injector), injector
        finally:
            shutil.rmtree(root)


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with receiver() as got, client() as api, client() as web:
        yield Stage(got, {"api": api, "web": web})


@pytest.fixture(scope="module")
def usual(stage: Stage) -> tuple[Told, Injector]:
    """The afternoon without a fault. The first one imports what later ones find imported."""
    stage.play()
    return stage.play()


def wrong(told: Told, usual: Told, lasting: bool = False, failed: str | None = None) -> list[str]:
    """What is wrong after a fault in the place FAILED."""
    found = [
        *told.leaks,
        *(f"left {name}" for name in sorted(set(told.files) - set(usual.files)) if _is_leak(name, told)),
    ]
    if not told.said:
        found += [*_changes("rang", told.rings, usual.rings), *_changes("sent", told.sent, usual.sent)]
    if not lasting:  # as long as a fault lasts, no answer is seen: what was answered may ring again after a snooze
        found += [f"rang twice: {ring}" for ring in _doubles(told.rings) if not ring.startswith("error")]
        # A server may have taken what it gave no answer to.
        found += [f"sent twice: {sent}" for sent in _doubles(told.sent) if not (failed or "").startswith("http.py")]
    found += [f"{name} is {told.after[name]}" for name in usual.after if told.after[name] != usual.after[name]]
    found += [f"a secret in {place}" for place, text in told.outputs.items() if SECRET in text]
    return found + ([f"printed {told.outputs['streams']}"] if told.outputs["streams"] else [])


def _is_leak(name: str, told: Told) -> bool:
    """Return whether a file should not be there. A letter may be, once the program has said that something failed."""
    return not ("outbox" in name and told.said)


def _changes(what: str, now: list[str], before: list[str]) -> list[str]:
    more, less = Counter(now) - Counter(before), Counter(before) - Counter(now)
    return [
        *(f"said nothing, but {what} {one}" for one in more),
        *(f"said nothing, but not {what} {one}" for one in less),
    ]


def _doubles(found: list[str]) -> list[str]:
    return [one for one, times in Counter(found).items() if times > 1]


def test_the_afternoon_without_a_fault_rings_and_sends_and_says_nothing_of_faults(
    usual: tuple[Told, Injector],
) -> None:
    told, injector = usual
    assert wrong(told, told) == []
    assert told.said == []
    assert [ring.partition(":")[0] for ring in told.rings] == EXPECTED
    assert (len(told.sent), told.after["sessions"]) == (6, [("api", "permission"), ("web", "permission")])
    assert {"os.open", "os.replace", "fork", "connect", "thread start", "os.pidfd_open"} <= injector.counted.keys()


EXPECTED = ["permission", "input", "idle", "crashed", "idle", "permission", "permission"]
"""What rings; the second `idle` is the message that the resume command was copied. The transcripts are stamped ahead of the
clock, which hides no ring."""


DAMAGES: dict[str, Callable[[Told], Told]] = {
    "1 descriptors": lambda told: told._replace(leaks=["1 descriptors"]),
    "left state/.a.tmp": lambda told: told._replace(files=[*told.files, "state/.a.tmp"]),
    "said nothing, but not rang": lambda told: told._replace(rings=told.rings[:-1]),
    "rang twice": lambda told: told._replace(rings=[*told.rings, told.rings[0]], said=["a warning"]),
    "sent twice": lambda told: told._replace(sent=[*told.sent, told.sent[0]], said=["a warning"]),
    "broken is": lambda told: told._replace(after={**told.after, "broken": {"bell": "it raised"}}),
    "a secret in screen": lambda told: told._replace(outputs={**told.outputs, "screen": f"use {SECRET}"}),
    "printed a traceback": lambda told: told._replace(outputs={**told.outputs, "streams": "a traceback"}),
}


@pytest.mark.parametrize("found", DAMAGES)
def test_each_kind_of_damage_is_found(usual: tuple[Told, Injector], found: str) -> None:
    told, _ = usual
    (one,) = wrong(DAMAGES[found](told), told)
    assert one.startswith(found)


def test_a_part_of_the_faults_has_every_error_of_every_call(usual: tuple[Told, Injector]) -> None:
    found = possible(usual, lasting=False)
    for many in (ONCE, LASTING):
        chosen = spread(found, many)
        assert len(chosen) == len(set(chosen)) == many
        assert {(one.call, one.error) for one in chosen} == {(one.call, one.error) for one in found}
    assert spread(found, FEW) == [found[at * len(found) // FEW] for at in range(FEW)]
    assert spread(found, len(found) + 1) == found


def tried(stage: Stage, usual: Told, chosen: Sequence[Fault]) -> None:
    failures = {}
    for fault in chosen:
        try:
            told, injector = stage.play(fault)
        except Exception as error:  # noqa: BLE001  # whatever escapes is a finding like others
            failures[str(fault)] = [f"{type(error).__name__} escaped: {error}"]
            continue
        if injector.failed and (found := wrong(told, usual, fault.lasting, injector.failed)):
            failures[f"{fault} in {injector.failed}"] = found
    assert failures == {}


def possible(usual: tuple[Told, Injector], lasting: bool) -> list[Fault]:
    return faults(calls_of_program(), usual[1].counted, lasting)


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
def test_a_few_faults_cost_no_more_than_is_said(stage: Stage, usual: tuple[Told, Injector], lasting: bool) -> None:
    tried(stage, usual[0], spread(possible(usual, lasting), FEW))


@pytest.mark.long
@pytest.mark.parametrize("number", range(PARTS))
@pytest.mark.parametrize(("lasting", "many"), [(False, ONCE), (True, LASTING)], ids=["once", "lasting"])
def test_each_fault_costs_no_more_than_is_said(
    stage: Stage, usual: tuple[Told, Injector], lasting: bool, many: int, number: int
) -> None:
    found = possible(usual, lasting)
    tried(stage, usual[0], part(found if THOROUGH else spread(found, many), number, PARTS))
