"""Test who may connect, and that nothing that comes through the door harms the program."""

import asyncio
import errno
import json
import os
import shutil
import socket
import stat
import struct
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.answers.door import LONGEST, MOST, SAYS_WITHIN, Caller, Door, address, own_peer, unfit
from deskbell.answers.request import LARGEST
from deskbell.errors import Problem
from deskbell.program.boundary import Boundary
from tests.waiting import wait_in_loop

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a named pipe takes its place")


@dataclass
class Room:
    """A door, and what came through it."""

    state: Path
    heard: list[tuple[Any, Caller]] = field(default_factory=list)
    hung_up: list[int] = field(default_factory=list)
    boundary: Boundary = field(default_factory=Boundary)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.door = Door(self.state, self.hear, self.boundary)

    def hear(self, message: Any, caller: Caller) -> None:
        number = len(self.heard)
        self.heard.append((message, caller))
        caller.gone = lambda: self.hung_up.append(number)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_unix_connection(str(address(self.state)))
        self.writers.append(writer)
        return reader, writer

    async def leave(self) -> None:
        for writer in self.writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def inside(state: Path, scene: Callable[[Room], Awaitable[None]]) -> Room:
    """Play SCENE in a loop with an open door."""
    room = Room(state)

    async def play() -> None:
        await room.door.open()
        try:
            await scene(room)
        finally:
            room.door.close()
            await room.leave()

    asyncio.run(play())
    return room


@pytest.fixture
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("d")


def test_a_message_comes_in_and_one_answer_goes_out(state: Path) -> None:
    async def scene(room: Room) -> None:
        reader, writer = await room.connect()
        writer.write(b'{"v":1}\n')
        await wait_in_loop(lambda: room.heard)
        message, caller = room.heard[0]
        assert message == {"v": 1}
        assert caller.pid == (os.getpid() if sys.platform == "linux" else None)
        caller.send(b"yes\n")
        assert await reader.read() == b"yes\n"

    inside(state, scene)


def test_a_caller_that_is_let_go_hears_nothing(state: Path) -> None:
    async def scene(room: Room) -> None:
        reader, writer = await room.connect()
        writer.write(b"{}\n")
        await wait_in_loop(lambda: room.heard)
        room.heard[0][1].close()
        assert await reader.read() == b""

    inside(state, scene)


def test_the_program_is_called_when_a_caller_hangs_up(state: Path) -> None:
    async def scene(room: Room) -> None:
        _, writer = await room.connect()
        writer.write(b"{}\n")
        await wait_in_loop(lambda: room.heard)
        writer.close()
        await wait_in_loop(lambda: room.hung_up)

    inside(state, scene)


def test_a_caller_that_is_killed_hangs_up(state: Path) -> None:
    program = (
        "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
        "s.sendall(b'{}\\n'); time.sleep(60)"
    )

    async def scene(room: Room) -> None:
        with subprocess.Popen([sys.executable, "-c", program, str(address(state))]) as process:
            await wait_in_loop(lambda: room.heard)
            process.kill()
            await wait_in_loop(lambda: room.hung_up)

    inside(state, scene)


def test_nobody_else_can_reach_the_socket(state: Path) -> None:
    async def scene(room: Room) -> None:
        path = address(state)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    inside(state, scene)


def test_a_folder_that_others_could_read_is_closed_to_them(state: Path) -> None:
    (state / "answers").mkdir(mode=0o777)
    (state / "answers").chmod(0o777)
    test_nobody_else_can_reach_the_socket(state)


def test_what_a_killed_program_left_is_replaced(state: Path) -> None:
    (state / "answers").mkdir()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(address(state)))
    test_a_message_comes_in_and_one_answer_goes_out(state)


def test_the_socket_goes_with_the_program(state: Path) -> None:
    async def scene(room: Room) -> None:
        reader, writer = await room.connect()
        writer.write(b"{}\n")
        await wait_in_loop(lambda: room.heard)
        room.door.close()
        room.door.close()
        assert not room.door.is_open
        assert await asyncio.wait_for(reader.read(), 10) == b""

    inside(state, scene)
    assert not address(state).exists()


def test_who_comes_after_the_door_was_closed_is_let_go(state: Path) -> None:
    """asyncio may have accepted the connection before."""
    room = Room(state)
    assert not room.door._enter(Caller(room.hear, lambda _: True, lambda _: None))


def test_a_door_that_is_open_stays_as_it_is(state: Path) -> None:
    async def scene(room: Room) -> None:
        before = address(state).stat().st_ino
        await room.door.open()
        assert address(state).stat().st_ino == before

    inside(state, scene)


def _unlink(socket_path: Path) -> None:
    socket_path.unlink()


def _remove_the_folder(socket_path: Path) -> None:
    shutil.rmtree(socket_path.parent)


def _remove_the_state(socket_path: Path) -> None:
    shutil.rmtree(socket_path.parent.parent)


def _replace(socket_path: Path) -> None:
    socket_path.unlink()
    socket_path.write_text("not a socket")


@pytest.mark.parametrize("remove", [_unlink, _remove_the_folder, _remove_the_state, _replace])
def test_a_socket_that_somebody_removed_is_made_again_and_who_is_inside_stays(
    state: Path, remove: Callable[[Path], None]
) -> None:
    async def scene(room: Room) -> None:
        reader, writer = await room.connect()
        writer.write(b'{"first": 1}\n')
        await wait_in_loop(lambda: room.heard)
        remove(address(state))
        assert not room.door.is_open
        await room.door.open()
        assert room.door.is_open
        _, other = await room.connect()
        other.write(b'{"second": 2}\n')
        await wait_in_loop(lambda: len(room.heard) == 2)
        room.heard[0][1].send(b"still here\n")
        assert await asyncio.wait_for(reader.read(), 10) == b"still here\n"
        assert stat.S_IMODE(address(state).parent.stat().st_mode) == 0o700

    inside(state, scene)


def test_a_path_that_is_too_long_is_named(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * LONGEST)
    assert "too long for a socket" in str(unfit(deep))
    with pytest.raises(Problem, match="DESKBELL_HOME"):
        inside(deep, lambda room: asyncio.sleep(0))
    assert not deep.exists()


def test_a_path_that_fits_is_fit(state: Path) -> None:
    assert unfit(Path("/s")) is None


HOSTILE: dict[str, bytes] = {
    "no JSON": b"allow\n",
    "nothing": b"\n",
    "half of a message": b'{"v":1,\n',
    "two messages": b'{"v":1}\n{"v":1}\n',
    "more after it": b'{"v":1}\nx',
    "no text": b"\xff\xfe\n",
    "too deep": b"[" * 100_000 + b"\n",
    "too long": b"x" * (LARGEST + 2),
    "too long, with an end": b"x" * (LARGEST + 2) + b"\n",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_message_is_let_go(state: Path, data: bytes) -> None:
    async def scene(room: Room) -> None:
        reader, writer = await room.connect()
        writer.write(data)
        with suppress(ConnectionResetError):  # it was let go while it still wrote
            assert await asyncio.wait_for(reader.read(), SAYS_WITHIN + 5) == b""

    assert inside(state, scene).heard == []


class Connection(asyncio.Transport):
    """A connection that only says whether it was closed. It has no socket, so its other end is not known."""

    closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("more", [b"x", b"x\n"])
def test_a_caller_whose_message_has_no_end_is_let_go_before_more_is_kept(more: bytes) -> None:
    connection, heard = Connection(), []

    async def play() -> None:
        caller = Caller(lambda message, _: heard.append(message), lambda _: True, lambda _: None)
        caller._transport = connection
        for _ in range(LARGEST // 1024):
            caller.data_received(b" " * 1024)
        assert not connection.closed
        caller.data_received(more)

    asyncio.run(play())
    assert connection.closed
    assert heard == []


def test_a_caller_that_goes_on_after_its_message_is_let_go(state: Path) -> None:
    async def scene(room: Room) -> None:
        reader, writer = await room.connect()
        writer.write(b"{}\n")
        await wait_in_loop(lambda: room.heard)
        writer.write(b"{}\n")
        assert await reader.read() == b""
        writer.close()
        await wait_in_loop(lambda: room.hung_up)

    assert len(inside(state, scene).heard) == 1


@pytest.mark.long
def test_a_caller_that_says_nothing_is_let_go_in_time(state: Path) -> None:
    async def scene(room: Room) -> None:
        reader, writer = await room.connect()
        writer.write(b'{"v"')
        assert await asyncio.wait_for(reader.read(), SAYS_WITHIN + 10) == b""

    assert inside(state, scene).heard == []


def test_a_message_may_come_in_parts(state: Path) -> None:
    async def scene(room: Room) -> None:
        _, writer = await room.connect()
        for part in (b'{"v', b'":', b"1}", b"\n"):
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0)
        await wait_in_loop(lambda: room.heard)
        assert room.heard[0][0] == {"v": 1}

    inside(state, scene)


def test_a_message_as_large_as_allowed_comes_in(state: Path) -> None:
    line = json.dumps({"v": "x" * (LARGEST - 10)}).encode()

    async def scene(room: Room) -> None:
        _, writer = await room.connect()
        writer.write(line + b"\n")
        await wait_in_loop(lambda: room.heard)

    inside(state, scene)


def test_two_hundred_callers_at_once_are_heard(state: Path) -> None:
    async def scene(room: Room) -> None:
        callers = await asyncio.gather(*(room.connect() for _ in range(200)))
        for _, writer in callers:
            writer.write(b"{}\n")
        await wait_in_loop(lambda: len(room.heard) == 200)
        for _, writer in callers:
            writer.close()
        await wait_in_loop(lambda: len(room.hung_up) == 200)

    inside(state, scene)


def test_no_more_than_so_many_stay(state: Path) -> None:
    async def scene(room: Room) -> None:
        for _ in range(MOST):
            await room.connect()
        reader, _ = await room.connect()
        with suppress(ConnectionResetError):
            assert await asyncio.wait_for(reader.read(), 10) == b""

    inside(state, scene)


def test_a_handler_that_breaks_is_shown_and_lets_nobody_wait_for_ever(state: Path) -> None:
    room = Room(state)

    def breaks(message: Any, caller: Caller) -> None:
        raise RuntimeError("no such desk")

    room.door = Door(state, breaks, room.boundary)

    async def scene() -> None:
        await room.door.open()
        reader, writer = await room.connect()
        writer.write(b"{}\n")
        assert await asyncio.wait_for(reader.read(), SAYS_WITHIN / 2) == b""
        writer.close()
        room.door.close()
        await room.boundary.stopped()

    asyncio.run(scene())
    assert "no such desk" in room.boundary.broken["answers"]


class Socket:
    """A connection as the system describes it."""

    def __init__(self, said: bytes) -> None:
        self._said = said

    def getsockopt(self, level: int, name: int, size: int) -> bytes:
        return self._said[:size]


@pytest.mark.skipif(sys.platform != "linux", reason="SO_PEERCRED is Linux's")
def test_another_user_is_refused() -> None:
    own, other = os.getuid(), os.getuid() + 1
    assert own_peer(Socket(struct.pack("3i", 42, own, 0))) == 42
    assert own_peer(Socket(struct.pack("3i", 42, other, 0))) is None


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="other systems do not tell the user at all")
def test_a_caller_whose_user_the_system_does_not_tell_is_refused() -> None:
    class Gone:
        def getsockopt(self, *_: object) -> bytes:
            raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")

    assert own_peer(Gone()) is None
    assert own_peer(Socket(b"")) is None


def test_a_pipe_names_no_process() -> None:
    assert own_peer(None) == 0


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user")
def test_another_user_who_gets_to_the_socket_is_not_heard(state: Path) -> None:
    program = (
        "import os, socket, sys; s = socket.socket(socket.AF_UNIX); os.chdir(os.path.dirname(sys.argv[1])); "
        "os.setuid(12345); s.connect('socket'); s.sendall(b'{}\\n'); print(s.recv(9))"
    )

    async def scene(room: Room) -> None:
        for path in (address(state), *address(state).parents):
            if state.parent.parent in path.parents or path == address(state):
                path.chmod(0o777)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", program, str(address(state)), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        said, _ = await process.communicate()
        assert said in (b"b''\n", b"")

    assert inside(state, scene).heard == []


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_no_bytes_do_harm(parts: list[bytes]) -> None:
    """Played without a socket, thousands of times."""
    heard: list[Any] = []

    class Transport:
        closed = 0

        def get_extra_info(self, name: str) -> None:
            return None

        def close(self) -> None:
            self.closed += 1

        abort = close

    async def play() -> Transport:
        transport = Transport()
        caller = Caller(lambda message, caller: heard.append(message), lambda _: True, lambda _: None)
        caller.connection_made(transport)  # type: ignore[arg-type]  # what is asked of it
        for part in parts:
            caller.data_received(part)
        caller.connection_lost(None)
        return transport

    transport = asyncio.run(play())
    text = b"".join(parts)
    if b"\n" not in text:
        assert (heard, transport.closed) == ([], 0)
    assert len(heard) <= 1
