"""Test that a person whose desktop shows no tray icon reads so once."""

import asyncio
from collections.abc import Sequence

import pytest

from deskbell.desktop.tray.host import Host, absent
from deskbell.program.boundary import Boundary


def complaints(hosted: Sequence[bool], grace: float = 0.0, wait: float = 0.02) -> list[str]:
    said: list[str] = []

    async def play() -> None:
        boundary = Boundary()
        host = Host(boundary, said.append, {}, grace)
        for there in hosted:
            host.hosted(there)
            await asyncio.sleep(wait)
        await boundary.stopped()

    asyncio.run(play())
    return said


@pytest.mark.parametrize("hosted", [[False], [False, False], [True, False], [False, True, False]])
def test_a_missing_panel_is_reported_once(hosted: list[bool]) -> None:
    assert complaints(hosted) == [absent({})]


@pytest.mark.parametrize("hosted", [[], [True], [True, True], [False, True], [False, False, True]])
def test_a_panel_that_comes_in_time_is_not_reported_as_missing(hosted: list[bool]) -> None:
    assert complaints(hosted, grace=60.0, wait=0.0) == []


@pytest.mark.parametrize("name", ["GNOME", "ubuntu:GNOME"])
def test_gnome_needs_an_extension(name: str) -> None:
    assert "extension/615" in absent({"XDG_CURRENT_DESKTOP": name})
    assert "extension" not in absent({"XDG_CURRENT_DESKTOP": "XFCE"})
