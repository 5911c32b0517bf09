"""Test which backend of the library macOS gets, with stand-ins for modules that load only there."""

import sys
from types import ModuleType

import pytest
from desktop_notifier.backends.dummy import DummyNotificationCenter

from deskbell.desktop.notify import macos
from tests.tray.desktop.notify.recorded import Recorded


@pytest.fixture
def support(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    support, center = (ModuleType(f"desktop_notifier.backends.{name}") for name in ("macos_support", "macos"))
    center.CocoaNotificationCenter = Recorded  # type: ignore[attr-defined]  # a module made here
    for module in (support, center):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return support


def test_a_program_in_a_bundle_gets_the_notification_centre(support: ModuleType) -> None:
    support.is_bundle = lambda: True  # type: ignore[attr-defined]  # a module made here
    backend = macos.backend()
    assert isinstance(backend, Recorded)
    assert backend.app_name == "Deskbell"


def test_a_program_outside_a_bundle_gets_the_dummy(support: ModuleType) -> None:
    support.is_bundle = lambda: False  # type: ignore[attr-defined]  # a module made here
    assert isinstance(macos.backend(), DummyNotificationCenter)
