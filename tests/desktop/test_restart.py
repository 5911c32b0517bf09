"""Test the start of the program beside real daemons: what waits is told once, and nothing dead is left."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from tests.client.hearing import Hearing, Letter
from tests.client.watch import slowness
from tests.desktop.desktop import Box, Desktop, desktop, difference, wait_until
from tests.desktop.test_notifications import DAEMONS
from tests.desktop.test_program_xfce import Deskbell

WITHIN = 1.0
"""Seconds from the first line in the log until what waits must be told. Before it Python imports the program, which
takes a second on a busy machine."""
LOUD = '[rings.permission]\nsound = "default"\n'
"""A sound marks what rings; `Letter.rings` is False where only a text has changed."""


class Restarted(Deskbell):
    """Deskbell without a panel, and with its hooks heard though it does not run."""

    def __init__(self, desk: Desktop, home: Path) -> None:
        self.desk = desk
        super().__init__(desk, home, "--headless")
        wait_until((self.state / "deskbell.log").exists, "a running program")
        config = home / "deskbell/config"
        config.mkdir(parents=True, exist_ok=True)
        (config / "greeted").touch()
        (config / "config.toml").write_text(LOUD)

    def start_again(self) -> None:
        self.process = self.start("--headless")

    def began(self) -> float:
        """When the last run wrote its first line."""
        lines = (self.state / "deskbell.log").read_text().splitlines()
        first = [line for line in lines if line.endswith(" starts")][-1]
        return datetime.strptime(first[:23], "%Y-%m-%d %H:%M:%S,%f").timestamp()

    def remembers(self, letter: Letter) -> None:
        """Wait until the file says that LETTER is on the screen."""
        file = self.state / "screen.json"
        wait_until(lambda: file.exists() and f'"number": {letter.number}' in file.read_text(), "it in the file")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=20)

    def why(self) -> str:
        command = [sys.executable, "-m", "deskbell", "why"]
        return subprocess.run(command, env=self.env, check=True, capture_output=True, text=True).stdout


@pytest.fixture(params=DAEMONS)
def desk(parts: None, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desktop]:
    with desktop(tmp_path / "desk", request.param, panel=False) as one:
        yield one


@pytest.fixture
def hearing(desk: Desktop) -> Iterator[Hearing]:
    with Hearing(desk.env["DBUS_SESSION_BUS_ADDRESS"]) as one:
        yield one


@pytest.fixture
def deskbell(desk: Desktop, tmp_path: Path) -> Iterator[Restarted]:
    one = Restarted(desk, tmp_path / "home")
    one.end()
    yield one
    if one.process.poll() is None:
        one.end()
    assert "Traceback" not in (one.state / "deskbell.log").read_text()


def one_on_screen(hearing: Hearing) -> Letter:
    wait_until(lambda: len(hearing.on_screen()) == 1 and hearing.on_screen()[0].number, "one notification")
    return hearing.on_screen()[0]


def box_of(desk: Desktop, empty: Image.Image) -> Box:
    """Where the notification is once the screen has stopped changing."""
    shots = [empty, desk.shot()]
    while difference(shots[0], shots[1]) or not difference(empty, shots[1]):
        time.sleep(0.15)
        shots = [shots[1], desk.shot()]
    return difference(empty, shots[1]) or (0, 0, 0, 0)


def test_three_sessions_that_wait_are_told_once_within_a_second(
    desk: Desktop, hearing: Hearing, deskbell: Restarted, tmp_path: Path
) -> None:
    for number in range(3):
        deskbell.ask_permission(f"{number}1111111-2222")
    deskbell.start_again()
    wait_until(lambda: hearing.letters, "the summary")
    letter = hearing.letters[0]
    assert letter.title.startswith("3 blocked, the longest since ")
    assert letter.body == "\n".join(["home wants to run `npm publish`"] * 3)
    assert letter.at - deskbell.began() < WITHIN * slowness()
    time.sleep(2.5)  # nothing else may come
    assert (len(hearing.letters), letter.rings, letter.gone) == (1, True, None)
    desk.shot(tmp_path / "summary.png")
    assert deskbell.why().count("shown as it was already waiting when Deskbell started, in a summary of 3") == 3


def test_a_request_on_the_screen_survives_a_kill_and_its_click_works(
    desk: Desktop, hearing: Hearing, deskbell: Restarted
) -> None:
    empty = desk.shot()
    deskbell.start_again()
    deskbell.ask_permission()
    first = one_on_screen(hearing)
    deskbell.remembers(first)
    deskbell.kill()
    assert hearing.on_screen() == [first]

    deskbell.start_again()
    wait_until(lambda: len(hearing.letters) == 2, "the adoption")
    letter = one_on_screen(hearing)
    assert (letter.instead_of, letter.number, letter.rings) == (first.number, first.number, False)
    assert "adopted from an earlier run" in deskbell.why()
    box = box_of(desk, empty)
    desk.click(box[0] + 60, box[3] - 30)  # the first button of xfce4-notifyd; anywhere on dunst
    wait_until(lambda: "clicked its notification to jump to it" in deskbell.why(), "the click")
    assert [one.title for one in hearing.letters[2:]] == ["home: ship it"], "the message that says where it runs"


def test_an_adopted_request_is_withdrawn_when_it_is_answered(
    desk: Desktop, hearing: Hearing, deskbell: Restarted
) -> None:
    deskbell.start_again()
    deskbell.ask_permission()
    first = one_on_screen(hearing)
    deskbell.remembers(first)
    deskbell.kill()
    deskbell.start_again()
    wait_until(lambda: len(hearing.letters) == 2, "the adoption")
    deskbell.hook("PostToolUse", tool_name="Bash", tool_input={"command": "npm publish"})
    wait_until(lambda: not hearing.on_screen(), "an empty screen")
    assert not any(letter.rings for letter in hearing.letters[1:])


def test_a_request_that_is_answered_after_a_kill_is_withdrawn_at_the_start(
    desk: Desktop, hearing: Hearing, deskbell: Restarted
) -> None:
    empty = desk.shot()
    deskbell.start_again()
    deskbell.ask_permission()
    first = one_on_screen(hearing)
    deskbell.remembers(first)
    deskbell.kill()
    deskbell.hook("PostToolUse", tool_name="Bash", tool_input={"command": "npm publish"})
    deskbell.start_again()
    wait_until(lambda: not hearing.on_screen(), "an empty screen")
    assert (first.gone or 0.0) - deskbell.began() < WITHIN * slowness()
    wait_until(lambda: difference(empty, desk.shot()) is None, "a screen without pixels of it")
    assert "withdrawn, it was answered while Deskbell was not running" in deskbell.why()
    assert len(hearing.letters) == 1


def test_an_end_in_order_withdraws_a_request_and_the_next_start_tells_it_again(
    desk: Desktop, hearing: Hearing, deskbell: Restarted
) -> None:
    deskbell.start_again()
    deskbell.ask_permission()
    one_on_screen(hearing)
    deskbell.end(signal.SIGTERM)
    assert hearing.on_screen() == []
    deskbell.start_again()
    letter = one_on_screen(hearing)
    assert (letter.rings, len(hearing.letters)) == (True, 2)
    assert (letter.title, "Waiting since " in letter.body) == ("home wants to run `npm publish`", True)
    assert letter.at - deskbell.began() < WITHIN * slowness()
