"""The display that a session has, and that ends with it."""

import os
import socket
from pathlib import Path

import pytest

from deskbell.desktop.logout import gone


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
