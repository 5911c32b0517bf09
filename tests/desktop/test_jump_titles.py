"""Test tabs with a title of their own, which no program in them changes: they are reached, and known when looked at."""

import os
import shutil
from collections.abc import Iterator

import pytest

from deskbell.desktop.focus import Eyes, screen
from deskbell.desktop.jump import accessibility, jump
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.spot import spot
from deskbell.session import Place
from tests.desktop.desktop import desktop
from tests.desktop.terminals import Terminals, missing
from tests.waiting import wait


@pytest.fixture(scope="module")
def office(parts: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminals]:
    if absent := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"terminals are missing: {', '.join(absent)}")
    with desktop(tmp_path_factory.mktemp("desk"), panel=False, accessible=True) as one:
        there = Terminals(one)
        there.xterm("xterm")
        there.open(
            "xfce4-terminal", "--disable-server", *tabs(there, "DATA", "xfce-1", "xfce-2"),
            "--window", *tabs(there, "DATA", "xfce-3", "xfce-4"), "--window", *tabs(there, "ALONE", "xfce-5"),
        )  # fmt: skip
        there.gnome_terminal([])
        there.run("gnome-terminal", "--window", *tabs(there, "DATA", "gnome-1", "gnome-2"))
        there.ready("gnome-terminal-server")
        if shutil.which("mate-terminal"):
            there.open("mate-terminal", "--disable-factory", "--window", *tabs(there, "DATA", "mate-1", "mate-2"))
        if shutil.which("tilix"):
            there.open("tilix", "--title=DATA", "-e", there.line("tilix-1"))
        if shutil.which("terminator"):
            there.terminator(
                [[["terminator-1", "terminator-2"], ["terminator-3"]]],
                "show_titlebar = False", own_title="DATA",
            )  # fmt: skip
        yield there
        there.close()


def tabs(there: Terminals, title: str, *names: str) -> list[str]:
    words = [word for name in names for word in ("--tab", f"--title={title}", "-e", there.line(name))]
    return words[1:]


def test_every_tab_is_jumped_to_and_typed_into(office: Terminals) -> None:
    for seat in [*office.seats, *reversed(office.seats)]:
        came = jump(seat.session, env=office.desktop.env)
        assert came.complete, f"{seat.name}: {came.sentence}"
        assert office.type_in() is seat, f"{seat.name}: {came.sentence}"


def test_the_tab_in_front_is_looked_at_and_no_other(office: Terminals, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.setenv(name, office.desktop.env[name])
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    eyes = Eyes(screen(office.desktop.env))
    told = [seat for seat in office.seats if seat.name not in ("xterm", "tilix-1")]

    def looked_at() -> list[str]:
        return [other.name for other in told if eyes.focused(Place(), other.pid)]

    try:
        for seat in told:
            assert jump(seat.session, env=office.desktop.env).complete
            wait(lambda s=seat: looked_at() == [s.name], f"a look at {seat.name}", within=5.0, seen=looked_at)  # type: ignore[misc]
    finally:
        eyes.screen.stop()


def test_the_tab_that_is_shown_in_its_place_is_named(office: Terminals) -> None:
    shown, hidden = (next(seat for seat in office.seats if seat.name == name) for name in ("xfce-1", "xfce-2"))
    assert jump(shown.session, env=office.desktop.env).complete
    named = {}
    for seat in (shown, hidden):
        there = spot(seat.pid or 0)
        assert there
        with Desk(office.desktop.env) as desk:
            tab = accessibility.tab(there, desk)
            assert tab
            named[seat.name] = (tab.step.there(), tab.step.instead())
    assert named == {"xfce-1": (True, ""), "xfce-2": (False, 'the tab "DATA"')}
