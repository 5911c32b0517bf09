"""Test a click on the button of a real notification that allows what a session asks: the asker prints it."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.answers import call
from tests.client.hearing import Hearing
from tests.desktop.desktop import Desktop, desktop, difference, wait_until
from tests.desktop.test_restart import Restarted, box_of
from tests.tray.program.test_answering import ON, Client, said
from tests.waiting import wait

READS = 1.0
"""Seconds in which a person reads what a notification asks: an earlier click does not count."""


@pytest.fixture
def hearing(desk: Desktop) -> Iterator[Hearing]:
    with Hearing(desk.env["DBUS_SESSION_BUS_ADDRESS"]) as one:
        yield one


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short path: that of a socket has a hundred characters at most."""
    return tmp_path_factory.mktemp("d")


@pytest.fixture
def desk(parts: None, tmp_path: Path) -> Iterator[Desktop]:
    with desktop(tmp_path / "desk", "xfce4-notifyd", panel=False) as one:
        yield one


def test_a_click_on_allow_reaches_the_asker(
    desk: Desktop, hearing: Hearing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deskbell = Restarted(desk, tmp_path / "h")
    for name in ("HOME", "DESKBELL_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.setenv(name, deskbell.env[name])
    deskbell.end()
    with (tmp_path / "h/deskbell/config/config.toml").open("a") as config:
        config.write(ON)
    deskbell.start_again()
    wait_until((tmp_path / "h/deskbell/state/answers/socket").exists, "the socket")
    empty, state = desk.shot(), tmp_path / "h/deskbell/state"
    client = Client()
    try:
        asker = client.asks()
        wait(lambda: call.requests(state), "a request", seen=deskbell.why)
        wait(lambda: any("npm test" in one.title for one in hearing.on_screen()), "the notification", seen=deskbell.why)
        asked = box_of(desk, empty)
        desk.shot(Path(os.environ.get("DESKBELL_PICTURES", tmp_path)) / "allow.png")
        wait_until(lambda: box_of(desk, empty) == asked, "a still picture")
        asyncio.run(asyncio.sleep(READS))
        left, _, right, bottom = asked
        desk.click((left + right) // 2, bottom - 30)  # beside it are "Jump to it" and "Deny"
        assert asyncio.run(said(asker)) == {"behavior": "allow"}
        client.takes("allow")
        wait(lambda: "answered, allowed" in deskbell.why(), "the receipt")
        wait_until(lambda: difference(empty, desk.shot()) is None, "an empty screen")
    finally:
        client.end()
        deskbell.end()
