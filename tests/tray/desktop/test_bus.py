"""Test the session bus: where it is, a connection that stays when the bus is busy, and one that is made again."""

import asyncio
from pathlib import Path

import pytest
from dbus_fast import Message, MessageType

from deskbell.desktop.bus import call, close, connect, listen, make_patient, new_owner, serve, session_bus
from deskbell.program.boundary import Boundary

MENU = "x" * 30_000


@pytest.mark.parametrize(
    ("env", "address"),
    [
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}, "unix:path=/x"),
        ({"XDG_RUNTIME_DIR": "/run/user/1"}, "unix:path=/run/user/1/bus"),
        ({}, None),
    ],
)
def test_the_address_of_the_bus(env: dict[str, str], address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.long
def test_a_bus_that_stays_away_is_logged_once(
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


class Other:
    """A connection of a dbus-fast that keeps its socket elsewhere."""

    class _Writer:
        __slots__ = ("stream",)

    def __init__(self, writer: bool) -> None:
        if writer:
            self._writer = Other._Writer()


@pytest.mark.parametrize("writer", [True, False], ids=["no socket", "no writer"])
def test_another_dbus_fast_is_used_as_it_is_and_that_is_logged_once(
    writer: bool, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        make_patient(Other(writer))
    assert ["dbus-fast has changed" in record.getMessage() for record in caplog.records] == [True]


def message(member: str, signature: str, *body: object) -> Message:
    return Message.new_signal("/x", "org.freedesktop.DBus", member, signature, list(body))


@pytest.mark.parametrize(
    ("signal", "owner"),
    [
        (message("NameOwnerChanged", "sss", "org.x", ":1.1", ":1.2"), ":1.2"),
        (message("NameOwnerChanged", "sss", "org.x", ":1.1", ""), ""),
        (message("NameOwnerChanged", "sss", "org.y", ":1.1", ":1.2"), None),
        (message("NameOwnerChanged", "s", "org.x"), None),
        (message("NameOwnerChanged", "ss", "org.x", ""), None),
        (message("NameOwnerChanged", "sis", "org.x", 1, ":1.2"), None),
        (message("NameOwnerChanged", ""), None),
        (message("NameLost", "sss", "org.x", "", ""), None),
    ],
)
def test_the_new_owner_of_a_name_whatever_body_arrives(signal: Message, owner: str | None) -> None:
    assert new_owner(signal, "org.x") == owner


def test_a_message_that_raises_breaks_its_part_and_the_next_one_is_heard(address: str) -> None:
    heard: list[str] = []

    def hear(message: Message) -> Message | None:
        if message.interface != "org.example":
            return None
        heard.append(message.member or "")
        if message.member == "Bad":
            raise LookupError("boom")
        return Message.new_method_return(message, "s", ["fine"])

    async def story() -> None:
        boundary, one, other = Boundary(), await connect(), await connect()
        listen("focus", one, hear, boundary)
        for member in ("Bad", "Good"):
            reply = await call(other, one.unique_name or "", "/", member, interface="org.example")
        assert reply.body == ["fine"]
        assert heard == ["Bad", "Good"]
        assert boundary.broken == {"focus": "LookupError: boom"}
        await close(one)
        await close(other)

    asyncio.run(story())


@pytest.mark.long
def test_an_unexpected_error_of_a_part_is_shown_and_the_part_connects_again(address: str) -> None:
    """Only a lost bus is ordinary. Anything else ended the part for good."""
    told: list[str] = []

    async def story() -> None:
        boundary, working = Boundary(), asyncio.Event()

        async def connected(bus: object) -> None:
            told.append("connected")
            if told.count("connected") == 1:
                raise KeyError("a reply without what was expected")
            working.set()

        boundary.keep("tray", lambda: serve("the tray", connected, lambda: told.append("lost")))
        async with asyncio.timeout(20):
            while not boundary.broken:
                await asyncio.sleep(0.01)
            assert boundary.broken == {"tray": "KeyError: 'a reply without what was expected'"}
            await working.wait()
        await boundary.stopped()

    asyncio.run(story())
    assert told == ["connected", "lost", "connected"]


def test_a_task_that_is_cancelled_when_its_reply_arrives_ends(address: str) -> None:
    """asyncio.wait_for loses such a cancellation on Python 3.11."""

    async def story() -> None:
        one = await connect()
        ended = 0
        for turns in range(40):

            async def ask_for_ever() -> None:
                while True:
                    await call(one, "org.freedesktop.DBus", "/", "Ping", interface="org.freedesktop.DBus.Peer")
                    await asyncio.Event().wait()

            task = asyncio.create_task(ask_for_ever())
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            done, _ = await asyncio.wait([task], timeout=2)
            ended += len(done)
        assert ended == 40
        await close(one)

    asyncio.run(story())
