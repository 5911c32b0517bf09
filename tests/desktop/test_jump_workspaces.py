"""Test jumps between workspaces on which programs take the focus by themselves: every word arrives at its session."""

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from deskbell.desktop.jump import jump
from tests.desktop.desktop import Desktop, desktop, wait_until
from tests.desktop.terminals import Seat, Terminals, missing

JUMPS = 60
LATE = 0.15
"""Seconds after which a busy program comes to the message that gives it the focus."""


@pytest.fixture(scope="module", params=["switch", "bring"])
def office(
    request: pytest.FixtureRequest, parts: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Terminals]:
    """Three workspaces. On each, a terminal that takes the focus by itself is beside one that is given it."""
    if absent := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"terminals are missing: {', '.join(absent)}")
    folder: Path = tmp_path_factory.mktemp("desk")
    with desktop(folder, panel=False, accessible=True, activate=request.param) as one:
        there = Terminals(one)
        for workspace in range(3):
            names = f"xterm-{workspace}", f"xfce-{workspace}"
            there.xterm(names[0])
            there.open(f"xfce4-terminal {workspace}", "--disable-server", "-e", there.line(names[1]))
            for program in (f"xterm {names[0]}", f"xfce4-terminal {workspace}"):
                send(one, program, workspace)
        yield there
        there.close()


def send(one: Desktop, program: str, workspace: int) -> None:
    for window in one.xdotool("search", "--onlyvisible", "--pid", one.pid(program)).split():
        one.xdotool("set_desktop_for_window", window, workspace)
        wait_until(lambda w=window: one.xdotool("get_desktop_for_window", w).strip() == str(workspace), "its move")  # type: ignore[misc]


def goes_to(office: Terminals, seat: Seat) -> None:
    came = jump(seat.session, env=office.desktop.env)
    assert came.complete, f"{seat.name}: {came.sentence}"
    assert office.type_in() is seat, f"{seat.name}: {came.sentence}"


def named(office: Terminals, name: str) -> Seat:
    return next(seat for seat in office.seats if seat.name == name)


def test_no_word_arrives_where_the_focus_was_before_on_that_workspace(office: Terminals) -> None:
    for here, there in ((0, 1), (1, 2), (2, 0), (0, 2), (2, 1), (1, 0)):
        for name in (f"xfce-{there}", f"xfce-{here}", f"xterm-{there}"):
            goes_to(office, named(office, name))


def test_random_jumps_between_workspaces_all_arrive(office: Terminals) -> None:
    chance = random.Random(5)
    for _ in range(JUMPS):
        goes_to(office, chance.choice(office.seats))


def test_a_busy_program_that_takes_the_focus_late_does_not_keep_it(office: Terminals) -> None:
    for there, here in ((1, 0), (2, 1)):
        for name in (f"xfce-{there}", f"xfce-{here}"):
            goes_to(office, named(office, name))
        busy = office.desktop.pid(f"xfce4-terminal {there}")
        os.kill(busy, signal.SIGSTOP)
        Timer(LATE, os.kill, (busy, signal.SIGCONT)).start()
        goes_to(office, named(office, f"xterm-{there}"))


def test_a_program_that_insists_on_the_focus_keeps_it_and_is_named(office: Terminals) -> None:
    one = office.desktop
    goes_to(office, named(office, "xfce-1"))
    window = one.xdotool("search", "--onlyvisible", "--pid", one.pid("xfce4-terminal 1")).split()[-1]
    one.start("insisting", "-c", f"while :; do xdotool windowfocus {window}; done", program="sh")
    try:
        came = jump(named(office, "xterm-1").session, env=one.env)
    finally:
        one.stop("insisting")
    assert (came.reached, came.complete) == (None, False), came.sentence
    assert came.sentence.startswith("The window of xterm is not in front: the window of xfce4-terminal is.")
