"""The session bus: where it is, and a connection that survives being busy."""

import asyncio
from pathlib import Path

import pytest
from dbus_fast import Message, MessageType

from deskbell.desktop.bus import connect, serve, session_bus

MENU = "x" * 30_000


@pytest.mark.parametrize(
    ("env", "address"),
    [
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}, "unix:path=/x"),
        ({"XDG_RUNTIME_DIR": "/run/user/1"}, "unix:path=/run/user/1/bus"),
        ({}, None),
    ],
)
def test_where_the_bus_is(env: dict[str, str], address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert session_bus() == address


def test_more_than_a_socket_holds_at_once_is_sent_all_the_same(address: str) -> None:
    async def burst() -> list[MessageType]:
        one = await connect()
        sent = [
            one.send(
                Message(
                    path="/",
                    interface="org.example.Burst",
                    member="Big",
                    signature="s",
                    body=[MENU],
                    message_type=MessageType.SIGNAL,
                )
            )
            for _ in range(500)
        ]
        await asyncio.wait_for(asyncio.gather(*sent), 20)
        ping = Message(
            destination="org.freedesktop.DBus", path="/", interface="org.freedesktop.DBus.Peer", member="Ping"
        )
        reply = await asyncio.wait_for(one.call(ping), 20)
        one.disconnect()
        await one.wait_for_disconnect()
        assert reply
        return [reply.message_type]

    assert asyncio.run(burst()) == [MessageType.METHOD_RETURN]


def test_a_bus_that_is_not_there_is_an_error_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'nowhere'}")
    with pytest.raises(OSError, match="No such file"):
        asyncio.run(connect())


def test_a_bus_that_stays_away_is_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'nowhere'}")
    tries: list[int] = []

    async def twice() -> None:
        ended = asyncio.Event()

        def lost() -> None:
            tries.append(1)
            if len(tries) == 2:
                ended.set()

        async def connected(bus: object) -> None:
            raise AssertionError

        serving = asyncio.create_task(serve("the tray", connected, lost))
        await asyncio.wait_for(ended.wait(), 20)
        serving.cancel()

    with caplog.at_level("INFO"):
        asyncio.run(twice())
    assert [r.getMessage() for r in caplog.records] == [
        "no session bus for the tray: [Errno 2] No such file or directory"
    ]
