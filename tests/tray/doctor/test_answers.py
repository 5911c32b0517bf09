"""Test what the doctor says of answers: nothing to mend where they are off, else which link is broken."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deskbell.answers.door import LONGEST
from deskbell.doctor import Check
from deskbell.doctor.answers import examined, requests
from deskbell.doctor.hooks import Scene
from deskbell.home import Home
from deskbell.settings.claude_code import ClaudeCode
from deskbell.settings.install import install
from tests.hooks.program import listening
from tests.tray.installing import Machine
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the program listens at a pipe there")


@pytest.fixture
def machine(private_home: Path) -> Machine:
    """A machine with a short path: the program listens at a socket in it."""
    machine = Machine(private_home)
    machine.write("{}")
    machine.answers(True)
    return machine


def scene(machine: Machine) -> Scene:
    return Scene(
        machine.home,
        ClaudeCode(None, machine.client),
        machine.setup.interpreter,
        machine.root / "managed",
        (machine.target,),
    )


def bad(found: list[Check]) -> list[str]:
    return [check.name.partition(" /")[0] for check in found if check.verdict != "ok"]


@pytest.fixture
def program(request: pytest.FixtureRequest, machine: Machine) -> Iterator[list[Any]]:
    """A program that answers each line with the text of the parameter, and lists what it was asked."""
    asked: list[Any] = []
    with listening(machine.home.state) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.settimeout(PATIENCE)
                asked.append(json.loads(client.recv(65536)))
                client.sendall(request.param)

        thread = threading.Thread(target=serve)
        thread.start()
        yield asked
        thread.join(PATIENCE)


LISTS = b'{"v":1,"requests":[{},{}]}\n'


@pytest.mark.parametrize("program", [LISTS], indirect=True)
def test_every_link_holds(machine: Machine, program: list[Any]) -> None:
    install([machine.target], machine.setup)
    found = examined(scene(machine))
    assert bad(found) == []
    assert [check.name.partition(" /")[0] for check in found] == ["answers client", "answers", "answers program"]
    assert found[-1].sentence.endswith("Open now: 2.")
    assert program == [{"v": 1, "wish": "list"}]


@pytest.mark.parametrize("program", [b"", b"x\n", b"[]\n", b'{"v":1}\n', b'{"requests": 3}\n'], indirect=True)
def test_a_program_that_does_not_say_what_waits_takes_no_requests(machine: Machine, program: list[Any]) -> None:
    assert requests(machine.home.state) is None
    assert len(program) == 1


def test_where_answers_are_off_nothing_is_to_mend(machine: Machine) -> None:
    machine.answers(False)
    (check,) = examined(scene(machine))
    assert (check.verdict, "switched off" in check.sentence) == ("ok", True)
    (check,) = examined(replace(scene(machine), interpreter=None))
    assert check.verdict == "ok"


def test_without_the_hook_and_the_program_both_are_named(machine: Machine) -> None:
    found = examined(scene(machine))
    assert bad(found) == ["answers", "answers program"]
    assert [check.mend for check in found if check.verdict == "bad"] == [
        "Run `deskbell install`.",
        "Start it with `deskbell run`.",
    ]


def test_a_settings_file_that_cannot_be_read_is_named(machine: Machine) -> None:
    machine.write("{")
    assert bad(examined(scene(machine))) == ["answers", "answers program"]


@pytest.mark.parametrize("client", [(2, 1, 138), None])
def test_a_client_that_cannot_be_answered_is_named(machine: Machine, client: tuple[int, ...] | None) -> None:
    machine.client = client
    assert bad(examined(scene(machine))) == ["answers client", "answers program"]


@pytest.mark.parametrize(("length", "what"), [(LONGEST, "answers program"), (LONGEST + 1, "answers socket")])
def test_a_path_that_is_too_long_for_a_socket_is_named(machine: Machine, length: int, what: str) -> None:
    install([machine.target], machine.setup)
    state = machine.root / "s"
    state = machine.root / ("s" * (length - len(str(machine.root / "x" / "answers" / "socket")) + 1))
    home = Home(state, machine.home.data, machine.home.config)
    assert len(str(state / "answers" / "socket")) == length
    found = examined(replace(scene(machine), home=home))
    assert bad(found)[-1] == what
