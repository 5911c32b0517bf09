"""Test jumps on a real desktop between many terminals: what is typed arrives at the session, and nowhere else."""

import os
import random
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from deskbell.desktop.focus import Eyes, screen
from deskbell.desktop.jump import jump
from deskbell.doctor.jump import examined
from deskbell.session import Place
from tests.desktop.desktop import Desktop, desktop
from tests.desktop.terminals import Seat, Terminals, missing, thorough
from tests.waiting import wait

JUMPS = 200 if thorough() else 30
PRECISION = {"xterm": "window", "minimised": "window", "elsewhere": "window", "tmux": "pane"}


@pytest.fixture(scope="module")
def accessible(parts: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    if absent := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"terminals are missing: {', '.join(absent)}")
    with desktop(tmp_path_factory.mktemp("desk"), panel=False, accessible=True) as one:
        yield one


@pytest.fixture(scope="module")
def office(accessible: Desktop) -> Iterator[Terminals]:
    """Every terminal that is installed. One window is minimised, one is on the second workspace."""
    there = Terminals(accessible)
    there.xterm("xterm")
    for name in ("minimised", "elsewhere"):
        there.xterm(name)
        window = accessible.xdotool("search", "--pid", str(parent(there.seats[-1].pid))).split()[-1]
        words = ("windowminimize", window) if name == "minimised" else ("set_desktop_for_window", window, "1")
        accessible.xdotool(*words)
    there.gnome_terminal([["gnome-1"], ["gnome-2", "gnome-3", "gnome-4"]])
    there.kitty(["kitty-1", "kitty-2"], ["kitty-3"])
    attach = there.tmux("tmux", [["tmux-1", "tmux-2"], ["tmux-3", "tmux-4"]])
    there.open("xterm attached", "-e", *attach)
    there.attached(attach, 1)
    inner = there.tmux("inner", [["tmux-5", "tmux-6"]])
    tabs = ["-e", " ".join(inner), "--tab", "-e", there.line("xfce-1"), "--tab", "-e", there.line("xfce-2")]
    there.open("xfce4-terminal", "--disable-server", *tabs)
    there.attached(inner, 1)
    if shutil.which("mate-terminal"):
        there.mate_terminal("mate-1", "mate-2", "mate-3")
    if shutil.which("konsole"):
        there.konsole("konsole-1", "konsole-2")
    if shutil.which("tilix"):
        there.tilix("tilix-1")
    if shutil.which("terminator"):
        there.terminator(
            [[["terminator-1", "terminator-2"], ["terminator-3", "terminator-4"]], [["terminator-5", "terminator-6"]]]
        )
    yield there
    there.close()


def parent(pid: int | None) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])


def precision(seat: Seat) -> str:
    return PRECISION.get(seat.name.split("-")[0], "tab")


def test_every_session_is_jumped_to_and_typed_into(office: Terminals) -> None:
    for seat in office.seats:
        came = jump(seat.session, env=office.desktop.env)
        assert (came.reached, came.complete) == (precision(seat), True), f"{seat.name}: {came.sentence}"
        assert office.type_in() is seat, seat.name
        wait(lambda: "deskbell-" not in office.title(), f"{seat.name} without the mark", within=5.0)


def test_random_jumps_all_arrive(office: Terminals) -> None:
    """Meanwhile the person minimises windows and goes to other workspaces."""
    chance = random.Random(14)
    for _ in range(JUMPS):
        seat = chance.choice(office.seats)
        if chance.random() < 0.2:
            office.desktop.xdotool("windowminimize", office.active())
        elif chance.random() < 0.2:
            office.desktop.xdotool("set_desktop", str(chance.randrange(2)))
        came = jump(seat.session, env=office.desktop.env)
        assert (came.reached, came.complete) == (precision(seat), True), f"{seat.name}: {came.sentence}"
        assert office.type_in() is seat, seat.name


def test_the_doctor_tries_every_terminal_and_comes_back(office: Terminals) -> None:
    assert jump(office.seats[0].session, env=office.desktop.env).complete
    before = office.active()
    checks = list(examined([seat.session for seat in office.seats], partial(jump, env=office.desktop.env), office.back))
    assert {check.verdict for check in checks} == {"ok"}, [check.sentence for check in checks]
    assert checks[-1].sentence.startswith(f"Of {len(office.seats)}: ")
    assert office.active() == before


def test_the_tab_in_front_is_looked_at_and_no_other(office: Terminals, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quiet rule: what the person looks at does not ring."""
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.setenv(name, office.desktop.env[name])
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    eyes = Eyes(screen(office.desktop.env))
    told = [seat for seat in office.seats if seat.name.split("-")[0] in ("gnome", "xfce", "mate", "konsole")]
    try:
        for seat in told:
            assert jump(seat.session, env=office.desktop.env).complete
            _wait_for_the_look(eyes, seat, told)
    finally:
        eyes.screen.stop()


def _wait_for_the_look(eyes: Eyes, seat: Seat, told: list[Seat]) -> None:
    """Wait until SEAT is looked at and no other: the X server tells of the focus a little later."""

    def looked_at() -> list[str]:
        return [other.name for other in told if eyes.focused(Place(), other.pid)]

    wait(lambda: looked_at() == [seat.name], f"a look at {seat.name}", within=5.0, seen=looked_at)
