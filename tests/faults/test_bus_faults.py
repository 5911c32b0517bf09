"""Test that after any one failed call on the bus icon, menu and notifications work, and that nothing has leaked."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.faults.desktop import BusFault, Injector, Told, faults, play
from tests.faults.sampling import THOROUGH
from tests.tray.desktop.fake_daemon import private_bus

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no such bus")

TRIED, PARTS = 36, 12
"""Faults that `make test` tries. With DESKBELL_THOROUGH=1 it tries all."""


def played(folder: Path, fault: BusFault | None = None) -> tuple[Told, Injector]:
    injector = Injector(fault)
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch, private_bus(folder) as address:
        patch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        return asyncio.run(asyncio.wait_for(play(address, folder, injector), 90)), injector


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> tuple[Told, Injector]:
    """The story without a fault. The first one imports what later ones find imported."""
    folder = tmp_path_factory.mktemp("usual")
    played(folder / "first")
    return played(folder / "second")


def wrong(told: Told) -> list[str]:
    """What is wrong in the end. A notice that a fault has lost is not shown again, but what comes later is."""
    found = [*told.leaks, *told.tracebacks, *(f"{part} is broken" for part in told.broken)]
    if not any("last" in title for title in told.shown):
        found.append(f"the last notice is not shown: {told.shown}")
    if told.menu != ["two", "Quit"]:
        found.append(f"the menu is {told.menu}")
    return found


@pytest.mark.long
def test_the_story_without_a_fault_shows_everything(usual: tuple[Told, Injector]) -> None:
    told, injector = usual
    assert wrong(told) == []
    assert (len(told.shown), told.clicks) == (2, 1)
    assert {"made", "Notify, sent", "CloseNotification", "RegisterStatusNotifierItem", "AddMatch"} <= set(
        injector.counted
    )


@pytest.mark.long
@pytest.mark.parametrize("number", range(PARTS))
def test_each_fault_on_the_bus_costs_itself_alone(usual: tuple[Told, Injector], tmp_path: Path, number: int) -> None:
    found = faults(usual[1].counted)
    chosen = found if THOROUGH else [found[at * len(found) // TRIED] for at in range(min(TRIED, len(found)))]
    failures = {}
    for at, fault in enumerate(chosen[number::PARTS]):
        told, injector = played(tmp_path / str(at), fault)
        if injector.failed and (said := wrong(told)):
            failures[f"{fault} in {injector.failed}"] = said
    assert failures == {}
