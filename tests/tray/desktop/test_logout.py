"""Test that the end of the session's display counts as a logout."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from deskbell.desktop.logout import Departure, gone
from deskbell.program.boundary import Boundary


def test_a_session_without_a_display_never_ends() -> None:
    assert not gone({})


@pytest.mark.skipif(os.name == "nt", reason="sockets with a path")
def test_a_wayland_session_ends_with_its_compositor(tmp_path: Path) -> None:
    env = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": ":4711"}
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-7"))
        compositor.listen()
        assert not gone(env)
    assert gone(env)
    assert gone(env | {"WAYLAND_DISPLAY": str(tmp_path / "another")})


def leaves(*hosted: bool) -> int:
    """How often the program is asked to leave, on a display that has gone, when its icon has got and lost its host."""
    left: list[None] = []

    async def story() -> None:
        boundary = Boundary()
        departure = Departure(boundary, lambda: left.append(None))
        for there in hosted:
            departure.hosted(there)
        async with asyncio.timeout(20):
            while not left and len(asyncio.all_tasks()) > 1:
                await asyncio.sleep(0.01)
        await boundary.stopped()

    asyncio.run(story())
    return len(left)


@pytest.mark.skipif(os.name == "nt", reason="sockets with a path")
def test_a_lost_host_on_a_display_that_has_gone_is_a_logout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", str(tmp_path / "gone"))
    assert leaves(True, False) == 1
    assert leaves(False) == 0  # it never had a host
    assert leaves(True, False, True) == 0  # the panel was only started again
