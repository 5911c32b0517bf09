"""Test that no attack on the answers of the real program approves anything: by its socket, files or notifications."""

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from deskbell.answers import call
from deskbell.answers.desk import MOST, NOT_OPEN_YET, TAKES_TOO_LONG
from deskbell.answers.door import MOST as CONNECTIONS
from deskbell.answers.door import SAYS_WITHIN
from deskbell.answers.door import address as door
from deskbell.answers.request import request_of
from deskbell.answers.steps import Answer
from deskbell.errors import Problem
from deskbell.home import home
from deskbell.program.assembly import Program
from deskbell_hooks.codec import decode
from tests.fuzz.damage import damaged
from tests.hooks.said import e
from tests.small_disk import small_disk
from tests.tray.desktop.fake_daemon import Daemon, until
from tests.tray.program.test_answering import Client, answering, asked, click, offered, outcomes, said
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="a session bus"), pytest.mark.long]

ATTACKS = 100_000 if os.environ.get("DESKBELL_THOROUGH") else 1_000
AT_ONCE = 20
WRONG = "0" * 32
NEVER: list[Any] = [
    *("allow-sure", "rule:0", "rule:-1", "option:0", "approve", "approve-edits", "keep", "next", "ALLOW", "allow "),
    *("Allow", "allow\0", "а\u200bllow", "", "deny-all", "always", 1, True, None, ["allow"], {"id": "allow"}),
]
"""Choices that a plain command does not offer."""


def line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def ask(pid: int, command: str = "npm test", **event: Any) -> dict[str, Any]:
    """What the asker of the client PID would send for a command."""
    event = e("PermissionRequest", tool_name="Bash", tool_input={"command": command}, cwd="/srv/api") | event
    return {"v": 1, "ask": {"order": 1, "at": time.time(), "pid": pid, "start": None, "event": event}}


def order(code: object, choice: object, **more: Any) -> dict[str, Any]:
    return {"v": 1, "wish": "answer", "code": code, "choice": choice, "text": None, "confirmed": True, **more}


def hostile(rng: random.Random, code: str, pid: int) -> bytes:
    """Return what must approve nothing: noise, damaged messages, and orders that nothing was offered for."""
    damage = rng.randbytes(4 * rng.randint(1, 3))
    match rng.randrange(6):
        case 0:
            return rng.randbytes(rng.randint(0, 200)) + rng.choice([b"", b"\n", b"\n\n"])
        case 1:
            return damaged(line(order(WRONG, "allow")), damage)
        case 2:
            return damaged(line(ask(pid)), damage) if rng.randrange(4) else line(ask(pid, "rm -rf ~"))
        case 3:
            return line(order(rng.choice([WRONG, code[:-1], code.upper() + "0", "", None, 7, [code]]), "allow"))
        case 4:
            return line(order(code, rng.choice(NEVER), confirmed=rng.choice([True, False, 1, "yes", None])))
        case _:
            return line(order(code, "allow", **rng.choice([{"v": 2}, {"v": None}, {"wish": "allow"}, {"text": 1}])))


async def fired(data: bytes) -> bytes:
    """Return what the program says to DATA."""
    reader, writer = await asyncio.open_unix_connection(str(door(home().state)))
    heard = b""
    with suppress(ConnectionError):  # it was let go while it still wrote
        writer.write(data)
        writer.write_eof()
        heard = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return heard


def is_harmless(heard: bytes) -> bool:
    """Whether it is silence, a list or a refusal."""
    if not heard:
        return True
    told = json.loads(heard)
    return isinstance(told.get("requests"), list) or told.get("done") is False


async def one_open() -> dict[str, Any]:
    (found,) = await asked(call.requests)
    return dict(found)


async def is_healthy(program: Program, daemon: Daemon, asker: "subprocess.Popen[bytes]") -> None:
    """Nothing was decided or broken, and a click on Allow still reaches the client."""
    assert asker.poll() is None
    assert outcomes() == []
    assert "answers" not in program.boundary.broken
    await click(daemon, "Allow")
    assert await said(asker) == {"behavior": "allow"}


def test_the_attacks_are_of_every_kind() -> None:
    """Many are messages that the program understands: others are refused for their first byte."""
    rng, code = random.Random(16), "c0de" * 8
    shots = [hostile(rng, code, 100) for _ in range(1_000)]
    messages = [decode(shot) for shot in shots if shot.startswith(b"{") and is_json(shot)]
    orders = [one for one in messages if isinstance(one, dict) and one.get("wish") == "answer"]
    assert sum(request_of(one, WRONG) is not None for one in messages) > 40
    assert sum(one.get("code") == code for one in orders) > 100
    assert sum(one.get("code") == WRONG for one in orders) > 50
    assert len(shots) - len(messages) > 100


def is_json(data: bytes) -> bool:
    try:
        decode(data)
    except ValueError:
        return False
    return True


@pytest.mark.uncounted
def test_no_bytes_and_no_orders_approve_anything(address: str) -> None:
    rng = random.Random(int(os.environ.get("DESKBELL_SEED", "16")))

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        code = (await one_open())["code"]
        for _ in range(ATTACKS // AT_ONCE):
            shots = [hostile(rng, code, client.pid) for _ in range(AT_ONCE)]
            for shot, heard in zip(shots, await asyncio.gather(*map(fired, shots)), strict=True):
                assert is_harmless(heard), (shot, heard)
        assert asker.poll() is None
        await until(lambda: len(program._answering.made.desk.requests) == 1, "the end of the others")
        assert (await one_open())["code"] == code
        await is_healthy(program, daemon, asker)

    answering(address, scene)


def test_half_open_connections_hold_up_nobody_for_long(address: str) -> None:
    """As many as there may be keep the others out, for as long as a message may take."""

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        halves = []
        for _ in range(CONNECTIONS + 50):
            half = socket.socket(socket.AF_UNIX)
            half.setblocking(False)
            half.connect(str(door(home().state)))
            half.send(b'{"v":1,"wish":"ans')
            halves.append(half)
            await asyncio.sleep(0)
        with pytest.raises(Problem):
            await asked(call.requests)
        await asyncio.sleep(SAYS_WITHIN)
        assert len(await _with_patience()) == 1
        for half in halves:
            half.close()
        await is_healthy(program, daemon, asker)

    answering(address, scene)


async def _with_patience() -> list[dict[str, Any]]:
    """The open requests, once there is a place for one more connection."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return list(await asked(call.requests))
        except Problem:
            assert time.monotonic() < end
            await asyncio.sleep(0.05)


LATER = (NOT_OPEN_YET, TAKES_TOO_LONG)


@pytest.mark.uncounted  # a dialog has to open within three seconds, and coverage makes this ten times slower
def test_of_two_hundred_requests_at_once_only_the_chosen_one_is_answered(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        async def holds(number: int) -> bytes:
            reader, writer = await asyncio.open_unix_connection(str(door(home().state)))
            writer.write(line(ask(client.pid, f"npm test {number:03}")))
            heard = await reader.read()
            writer.close()
            return heard

        client.register("waiting")
        requests = [asyncio.create_task(holds(number)) for number in range(2 * MOST)]
        await until(lambda: len(program._answering.made.desk.requests) == MOST, "as many as are held")
        await until(lambda: sum(one.done() for one in requests) == MOST, "the end of the others")
        held = [number for number, one in enumerate(requests) if not one.done()]
        found = {one["whole"][0]: one["code"] for one in await asked(call.requests)}
        chosen = random.Random(16).choice(held)

        while (
            step := program._answering.made.desk.press(found[f"npm test {chosen:03}"], "allow", by_hand=False)
        ) in LATER:
            await asyncio.sleep(0.05)
        assert isinstance(step, Answer), step
        client.register("busy")
        heard = await asyncio.gather(*requests)
        decided = {number: json.loads(one) for number, one in enumerate(heard) if one}
        assert list(decided) == [chosen]
        assert decided[chosen]["hookSpecificOutput"]["decision"] == {"behavior": "allow"}
        assert "answers" not in program.boundary.broken

    answering(address, scene)


LEAVES = (
    "import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
    "s.sendall(sys.argv[2].encode() + b'\\n'); os._exit(0)"
)
"""Send an order and end, so that nobody can ask who it came from."""


def test_an_order_of_a_process_that_has_left_is_refused(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        code = (await one_open())["code"]
        command = [sys.executable, "-I", "-S", "-c", LEAVES, str(door(home().state)), json.dumps(order(code, "allow"))]
        subprocess.run(command, env={"CLAUDECODE": "1"}, check=True)  # it has ended before the loop goes on
        await asyncio.sleep(0.1)
        assert (await one_open())["code"] == code
        await is_healthy(program, daemon, asker)

    answering(address, scene)


STRANGER = (
    "import os, socket, sys; s = socket.socket(socket.AF_UNIX); os.chdir(os.path.dirname(sys.argv[1])); "
    "os.setuid(12345); s.connect('socket'); s.sendall(sys.argv[2].encode() + b'\\n'); print(s.recv(9))"
)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user")
def test_another_user_who_gets_to_the_socket_approves_nothing(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        code = (await one_open())["code"]
        for path in (door(home().state), door(home().state).parent):
            path.chmod(0o777)
        for message in (order(code, "allow"), {"v": 1, "wish": "list"}, ask(client.pid)):
            command = [sys.executable, "-c", STRANGER, str(door(home().state)), json.dumps(message)]
            done = await asyncio.to_thread(subprocess.run, command, capture_output=True, check=False)
            assert done.stdout in (b"b''\n", b"")
        await is_healthy(program, daemon, asker)

    answering(address, scene)


def test_a_request_that_waits_knows_no_socket_that_came_later(address: str) -> None:
    """Its connection leads to the program that it was made to."""

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        door(home().state).unlink()
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(door(home().state)))
            other.listen()
            other.setblocking(False)
            await is_healthy(program, daemon, asker)
            with pytest.raises(BlockingIOError):
                other.accept()

    answering(address, scene)


def test_a_daemon_that_repeats_or_invents_actions_allows_nothing(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks(tool_input={"command": "rm -rf build"})
        shown, key = await offered(daemon, "Allow…")
        code = (await one_open())["code"]
        invented = [f"allow-sure-{code[:8]}", "allow-sure", f"rule:0-{code[:8]}", f"allow-{WRONG[:8]}", code, "", "0"]
        for _ in range(5):
            for name in (*invented, key):
                daemon.click(shown.id, name)
                daemon.click(shown.id + 1, name)
                await asyncio.sleep(0)  # the bus drops a connection that fills it
        await offered(daemon, "Yes, allow it")  # the first click on Allow counted, and asks again
        for _ in range(5):
            daemon.click(shown.id, key)
        await asyncio.sleep(0.2)
        assert asker.poll() is None
        assert outcomes() == []
        await click(daemon, "Deny")
        assert (await said(asker))["behavior"] == "deny"

    answering(address, scene)


def test_a_click_on_the_request_before_does_not_answer_the_next_of_the_same_text(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        first = client.asks()
        shown, key = await offered(daemon, "Allow")
        client.register("busy")
        assert await said(first) is None
        second = client.asks()
        newer, other = await offered(daemon, "Allow")
        assert key != other
        for number in {shown.id, newer.id}:
            daemon.click(number, key)
        await asyncio.sleep(0.2)
        assert second.poll() is None
        assert outcomes() == []

    answering(address, scene)


def test_a_link_that_is_changed_between_two_clicks_is_not_followed(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        link = home().state.parent / "link"
        link.symlink_to("harmless")
        asker = client.asks("Edit", {"file_path": str(link.absolute()), "old_string": "a", "new_string": "b"})
        await click(daemon, "Allow…")
        shown, key = await offered(daemon, "Yes, allow it")
        link.unlink()
        link.symlink_to(Path.home() / ".bashrc")
        daemon.click(shown.id, key)
        await until(lambda: all("Yes, allow it" not in one.actions for one in daemon.screen.values()), "no button")
        assert all("Allow…" not in one.actions for one in daemon.screen.values())
        assert (asker.poll(), outcomes()) == (None, [])
        await click(daemon, "Deny")
        assert (await said(asker))["behavior"] == "deny"

    answering(address, scene)


def test_on_a_full_disk_nothing_is_approved_and_a_click_still_counts(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_disk(tmp_path / "s", size="1m") as disk:
        monkeypatch.setenv("DESKBELL_HOME", str(disk.path))

        async def scene(program: Program, daemon: Daemon, client: Client) -> None:
            asker = client.asks()
            await offered(daemon, "Allow")
            disk.fill()
            await asyncio.sleep(0.6)  # more than a look
            assert asker.poll() is None
            await click(daemon, "Allow")
            assert await said(asker) == {"behavior": "allow"}
            client.register("busy")
            await until(lambda: not program._answering.made.desk.waits, "the end of the answer")
            assert "answers" not in program.boundary.broken
            disk.free()

        answering(address, scene)


@pytest.mark.parametrize("there", ["a folder", "a link", "a file"])
def test_what_stands_in_the_place_of_the_socket_is_not_followed(there: str, address: str, tmp_path: Path) -> None:
    """A link is replaced, not followed. A folder keeps the socket away, and the asker leaves without a word."""
    path, mine = door(home().state), tmp_path / "mine"
    path.parent.mkdir(parents=True, mode=0o700)
    mine.write_text("mine")
    if there == "a folder":
        path.mkdir()
    elif there == "a link":
        path.symlink_to(mine)
    else:
        path.write_text("{}")

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        if there == "a folder":
            assert await said(asker) is None
            await until(lambda: "answers" in program.boundary.broken, "the problem")
            return
        await offered(daemon, "Allow")
        await is_healthy(program, daemon, asker)

    answering(address, scene)
    assert mine.read_text() == "mine"
