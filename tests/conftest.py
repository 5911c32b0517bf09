"""No test ever sees the person's own Claude, Deskbell, bus or screen: every one gets a private home."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine breaks no law.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# What CI finds today it must not find by luck: new cases are found on a developer's machine.
settings.register_profile("steady", parent=settings.get_profile("patient"), derandomize=True)
settings.load_profile("steady" if os.environ.get("CI") else "patient")


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(root))
    monkeypatch.setenv("DESKBELL_HOME", str(root / "deskbell"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root / ".claude"))
    for name in (
        "DBUS_SESSION_BUS_ADDRESS",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "TMUX",
        "TMUX_PANE",
        "XDG_RUNTIME_DIR",
    ):
        monkeypatch.delenv(name, raising=False)
    return root
