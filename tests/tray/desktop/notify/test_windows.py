"""Test which backend of the library Windows gets, with a stand-in for a module that loads only there."""

import sys
from types import ModuleType

import pytest

from deskbell.desktop.notify import windows
from tests.tray.desktop.notify.recorded import Recorded


def test_windows_gets_its_own_backend_with_the_name_that_may_never_change(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("desktop_notifier.backends.winrt")
    module.WinRTDesktopNotifier = Recorded  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, module.__name__, module)
    backend = windows.backend()
    assert isinstance(backend, Recorded)
    assert backend.app_name == "Deskbell"
    assert "\\" not in backend.app_name
