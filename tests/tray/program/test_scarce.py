"""Test that the program rings and says what is scarce: without descriptors, threads or memory, or after a stop."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hooks import recorder
from tests.hooks.said import e
from tests.tray.desktop.fake_daemon import Daemon, play
from tests.tray.installing import Machine
from tests.waiting import wait_in_loop

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="limits and a session bus as Linux has them"),
]

FILES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from deskbell.__main__ import main
sys.exit(main(["run"]))
"""
THREADS = """
import sys, threading
threading.stack_size(2**46)
from deskbell.__main__ import main
sys.exit(main(["run"]))
"""
MEMORY = """
import resource, sys
import deskbell.commands.run, deskbell.program.log, deskbell.program.assembly
import deskbell.desktop.notify.linux, deskbell.desktop.tray.linux
from deskbell.__main__ import main
with open("/proc/self/statm") as file:
    limit = int(file.read().split()[0]) * resource.getpagesize() + 6 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
sys.exit(main(["run"]))
"""
"""What a session needs fits into the limit. The stack of a thread does not: it takes 8 MB."""
NO_THREAD = "The system starts no more threads."


class Scarce(NamedTuple):
    program: str
    sessions: int
    says: str
    """Part of what is in the log; empty: nothing may be wrong."""


TABLE = {
    "64 open files and 60 sessions": Scarce(FILES, 60, ""),
    "no threads": Scarce(THREADS, 6, NO_THREAD),
    "no memory for a thread": Scarce(MEMORY, 6, NO_THREAD),
}


@contextmanager
def clients(count: int) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Run COUNT processes in place of clients."""
    running = [subprocess.Popen(["sleep", "600"]) for _ in range(count)]
    try:
        yield running
    finally:
        for process in running:
            process.kill()
            process.wait()


@contextmanager
def deskbell(machine: Machine, program: str) -> Iterator["subprocess.Popen[bytes]"]:
    running = subprocess.Popen([sys.executable, "-c", program], env=machine.environment, stderr=subprocess.PIPE)
    with running:
        try:
            yield running
        finally:
            running.kill()


def prompt(machine: Machine, number: int, pid: int) -> None:
    event = e("UserPromptSubmit", prompt=f"task {number}", session_id=f"s{number}", cwd=f"/srv/p{number}")
    recorder.run(machine.home.state, event, env={"CLAUDE_PID": str(pid)})


def ask(machine: Machine, number: int, pid: int) -> None:
    event = e(
        "PermissionRequest",
        tool_name="Bash",
        tool_input={"command": f"publish {number}"},
        session_id=f"s{number}",
        cwd=f"/srv/p{number}",
    )
    recorder.run(machine.home.state, event, env={"CLAUDE_PID": str(pid)})


@pytest.mark.parametrize("scarce", TABLE.values(), ids=TABLE)
def test_it_rings_for_each_request_tells_a_crash_and_says_what_is_scarce(
    address: str, scarce: Scarce, tmp_path: Path
) -> None:
    machine = Machine(tmp_path, env={"DBUS_SESSION_BUS_ADDRESS": address})
    log = machine.home.state / "deskbell.log"

    def logged() -> str:
        return log.read_text() if log.exists() else ""

    async def story() -> None:
        daemon = await Daemon(address).up()

        def shown() -> str:
            return "\n".join(f"{one.title} {one.body}" for one in daemon.screen.values())

        with clients(scarce.sessions) as living:
            for number, client in enumerate(living):
                prompt(machine, number, client.pid)
            with deskbell(machine, scarce.program) as running:
                await wait_in_loop(lambda: "starts" in logged(), "the start")
                for number in (0, scarce.sessions // 2, scarce.sessions - 1):
                    await asyncio.to_thread(ask, machine, number, living[number].pid)
                    rung = f"publish {number}"
                    await wait_in_loop(lambda rung=rung: rung in shown(), rung, seen=logged)
                living[1].kill()
                living[1].wait()
                await wait_in_loop(lambda: " crashed" in shown(), "the crash", seen=logged)
                assert shown().count(" crashed") == 1, "the others live"
                await wait_in_loop(lambda: scarce.says in logged(), scarce.says, seen=logged)
                assert len(os.listdir(f"/proc/{running.pid}/fd")) < 48
                running.send_signal(signal.SIGTERM)
                said = await asyncio.to_thread(running.communicate, timeout=30)
                assert (running.returncode, said[1]) == (0, b"")

    play(story())
    assert ("ERROR" in logged()) == bool(scarce.says)


USUAL = "import sys; from deskbell.__main__ import main; sys.exit(main(['run']))"


def test_a_request_that_comes_while_the_program_is_stopped_rings_once_it_goes_on(address: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path, env={"DBUS_SESSION_BUS_ADDRESS": address})

    async def story() -> None:
        daemon = await Daemon(address).up()
        told: list[str] = []
        daemon.on_notify = lambda number: told.append(daemon.screen[number].title)

        def rung(number: int) -> int:
            return sum(f"publish {number}`" in one for one in told)

        with clients(2) as living:
            for number, client in enumerate(living):
                prompt(machine, number, client.pid)
            with deskbell(machine, USUAL) as running:
                await asyncio.to_thread(ask, machine, 0, living[0].pid)
                await wait_in_loop(lambda: rung(0), "the first ring")
                running.send_signal(signal.SIGSTOP)
                await asyncio.to_thread(ask, machine, 1, living[1].pid)
                living[0].kill()
                living[0].wait()
                running.send_signal(signal.SIGCONT)
                await wait_in_loop(lambda: rung(1), "the second ring")
                await wait_in_loop(lambda: any("crashed" in one for one in told), "the crash")
                running.send_signal(signal.SIGTERM)
                assert await asyncio.to_thread(running.wait, 30) == 0
                assert (rung(0), rung(1)) == (1, 1)

    play(story())
