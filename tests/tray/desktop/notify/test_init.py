"""Test which notifier this system gets, and what it loads."""

import asyncio
import subprocess
import sys

import pytest

from deskbell.desktop.notify import SilentNotifier, notifier
from deskbell.desktop.notify.delivery import LibraryNotifier
from deskbell.program.boundary import Boundary
from tests.tray.desktop.notify.notices import API, a_notice


def test_this_system_has_the_one_notifier() -> None:
    assert isinstance(notifier(print, Boundary()), LibraryNotifier)


def test_a_silent_notifier_takes_everything_and_shows_nothing() -> None:
    silent = SilentNotifier()
    silent.start()
    silent.show(a_notice("api"))
    silent.withdraw(API)
    asyncio.run(silent.stop())
    assert silent.daemon is None


@pytest.mark.skipif(sys.platform != "linux", reason="the other systems need the library's backends")
def test_on_linux_it_loads_the_base_of_the_library_and_neither_its_backends_nor_pillow() -> None:
    program = "import sys, deskbell.desktop.notify.linux; print(*sys.modules)"
    path = ":".join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONPATH": path}
    )
    loaded = set(done.stdout.split())
    assert "desktop_notifier.backends.base" in loaded
    assert loaded & {"PIL", "bidict", "desktop_notifier.backends.dbus"} == set()
