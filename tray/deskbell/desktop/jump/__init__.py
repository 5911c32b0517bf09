"""Bring the workspace, the window, the tab and the pane of a session to the front, and check that they are there.

`jump` may block for some seconds: call it in a thread. Each way is a module, whose first sentence says what it
reaches and what proves it. The tables give the order in which they are tried. The tab is chosen before its window is
raised, because a window with many tabs is known only by the title of the active one.
"""

import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.jump import (
    editors,
    hints,
    kitty,
    screen,
    ssh,
    tmux,
    warp,
    wezterm,
    wlroots,
    zellij,
)
from deskbell.desktop.jump.arrival import BY_HAND, Arrival, Step, Taken, arrival
from deskbell.desktop.jump.attempt import attempted
from deskbell.desktop.jump.desk import LOOK, Desk, Inside, Tab
from deskbell.desktop.jump.spot import Spot, program, spot
from deskbell.desktop.own import this_host
from deskbell.errors import Problem
from deskbell.session import Session
from deskbell.text.wording import short
from deskbell_hooks.client import process_start

MULTIPLEXERS = (tmux, screen, zellij)
TabWay = Callable[[Spot, Desk], Tab | None]
TERMINALS: Sequence[TabWay] = (kitty.tab, wezterm.tab, warp.tab, editors.tab)
if sys.platform == "darwin":
    from deskbell.desktop.jump import macos

    TERMINALS = (*TERMINALS, macos.tab)
if sys.platform == "win32":
    from deskbell.desktop.jump import windows, windows_terminal

    TERMINALS = (*TERMINALS, windows_terminal.tab)
OFF_BUS = frozenset(
    ("xterm", "urxvt", "urxvtd", "rxvt", "st", "mlterm", "zutty", "alacritty", "foot", "kitty", "wezterm-gui")
)
"""Terminals that no way on D-Bus reaches. For them D-Bus is not imported, which takes a third of a jump's start."""
WindowWay = Callable[[Spot, Desk, Tab | None], Step | None]
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE")
"""Variables that name a screen."""
OF_SCREENS = ("XAUTHORITY", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS")
"""Variables that belong to a screen."""
_SHORT_ID = re.compile(r"[0-9a-f]{8}(?=-)")
SETTLES = 0.03
"""Seconds after which a window must still be in front on a desktop that does not tell when it is at rest."""
DEEPEST = 4
"""Nested multiplexers that are followed."""


class Route(NamedTuple):
    """The way to a session: the terminal that shows it, and the panes in it, the outermost first."""

    outer: Spot | None
    panes: tuple[Step, ...] = ()
    obstacle: str = ""
    offer: tuple[str, ...] = ()


def jump(session: Session, token: str | None = None, env: Mapping[str, str] = os.environ) -> Arrival:
    """Bring SESSION to the front. TOKEN: the activation token of the click, which lets a window be raised."""
    name = short(session.name, 60)
    if session.over:
        return Arrival(None, False, f"{name} has ended.", over=True)
    if session.host and session.host != this_host():
        return _jump_to_connection(session, name, token, env)
    if session.pid is None:
        return Arrival(None, False, f"It is not known which process runs {name}.")
    there = client(session)
    if there is None:
        return Arrival(None, False, f"{name} has ended meanwhile.", over=True)
    if there.tty is None and session.kind == "background" and (short_id := _SHORT_ID.match(session.session_id)):
        attach = ("claude", "attach", short_id[0])
        return Arrival(None, False, f"{name} runs in the background, without a terminal.", attach)
    return jump_to(there, token, env)


def _jump_to_connection(session: Session, name: str, token: str | None, env: Mapping[str, str]) -> Arrival:
    """Bring to the front the terminal here whose ssh is connected to the machine of SESSION."""
    found = ssh.holder(session.place.handle("SSH_CONNECTION") or "")
    if found is None:
        host = short(session.host or "", 60)
        return Arrival(None, False, f"{name} runs on {host}, and it is not known which terminal is connected to it.")
    return jump_to(found, token, env)


def client(session: Session) -> Spot | None:
    """Return the spot of the client that runs SESSION; None if it has ended, or runs on another machine."""
    elsewhere = session.host and session.host != this_host()
    if session.over or session.pid is None or elsewhere or _is_another(session):
        return None
    return spot(session.pid, dict(session.place.handles))


def whereabouts(session: Session, env: Mapping[str, str] = os.environ) -> str:
    """Say where SESSION is, and touch nothing."""
    if session.over:
        return "it has ended."
    if session.host and session.host != this_host():
        return f"on {short(session.host, 60)}."
    there = client(session)
    if there is None:
        return "it is not known where." if session.pid is None else "it has ended meanwhile."
    with Desk(env) as desk:
        route = _route(there, desk)
    panes = [pane.what for pane in route.panes]
    terminal = _where(route.outer) if route.outer else route.obstacle
    return ", ".join(part for part in (terminal or "a process without a terminal", *panes) if part)


def jump_to(there: Spot, token: str | None = None, env: Mapping[str, str] = os.environ) -> Arrival:
    """Bring the terminal of the process THERE to the front."""
    with Desk(env, token) as desk:
        route = _route(there, desk)
        desk.env = with_screen(env, route.outer or there)
        looked, obstacle = _terminal(route.outer, desk) if route.outer else ([], "")
        looked += [(pane, _looked(pane, _brought(pane))) for pane in route.panes]
        taken = _settled(looked)
        return arrival(taken, _where(there), " ".join(filter(None, (obstacle, route.obstacle))), route.offer)


def way_back(env: Mapping[str, str] = os.environ) -> Callable[[], None]:
    """Remember the window in front. Return a function that brings back this process' tab and pane, and that window."""
    here = spot(os.getpid())
    front: int | None = None
    if sys.platform == "linux" and env.get("DISPLAY"):
        from deskbell.desktop.jump import x11

        with Desk(env) as desk:
            front = x11.front(desk)

    def back() -> None:
        if here and here.tty:
            jump_to(here, env=env)
        if sys.platform == "linux" and front is not None:
            from deskbell.desktop.jump import x11

            with Desk(env) as desk:
                x11.raise_again(front, desk)

    return back


def _is_another(session: Session) -> bool:
    """Return whether another process has got the number of the one that ran SESSION."""
    if sys.platform != "linux" or session.pid is None or session.pid_start is None:
        return False
    return process_start(session.pid) != session.pid_start


def with_screen(env: Mapping[str, str], there: Spot) -> Mapping[str, str]:
    """Return ENV with the screen of the terminal THERE, if ENV has none or another one.

    A command over ssh or from cron has no screen. In a pane of tmux it may have that of the terminal in which the
    server was started, which may be gone. A screen that ssh forwards is none of this machine.
    """
    theirs = {name: text for name in (*SCREENS, *OF_SCREENS) if (text := there.handle(name))}
    is_here = theirs.get("DISPLAY", ":").startswith((":", "unix:")) and theirs.keys() & set(SCREENS)
    if not is_here or any(env.get(name) == theirs.get(name) for name in SCREENS if name in theirs):
        return env
    return {name: text for name, text in env.items() if name not in {*SCREENS, *OF_SCREENS}} | theirs


def _route(there: Spot, desk: Desk) -> Route:
    panes: list[Step] = []
    for _ in range(DEEPEST):
        try:
            found = attempted(_inside, there, desk)
        except Problem as problem:
            return Route(None, (), str(problem))
        if found is None:
            break
        if found.step:
            panes.insert(0, found.step)
        if found.outer is None:
            return Route(None, tuple(panes), found.obstacle, found.offer)
        there = found.outer
    return Route(there, tuple(panes))


def _inside(there: Spot, desk: Desk) -> Inside | None:
    """Return the pane of the nearest multiplexer: a screen that was started in tmux is below both servers."""
    servers = [(there.line.index(pid), way.inside) for way in MULTIPLEXERS if (pid := way.server_of(there))]
    return min(servers, key=lambda one: one[0])[1](there, desk) if servers else None


def _terminal(there: Spot, desk: Desk) -> tuple[list[tuple[Step, Taken]], str]:
    """Choose the tab, raise the window, then check both: Konsole knows its tab only once it has the focus.

    Return the steps with what came of them, and what was in the way.
    """
    tab, *obstacles = _tab(there, desk)
    why = _brought(tab.step) if tab else ""
    window: Step | None = None
    try:
        window = attempted(_window_way(desk.env), there, desk, tab)
    except Problem as problem:
        obstacles.append(str(problem))
    else:
        if not window and not (tab and tab.raises):
            obstacles.append("No window of its terminal was found.")
    if not tab and not any(obstacles) and (better := hints.hint(there, desk)):
        obstacles.append(better)
    taken = [(window, _looked(window, _brought(window)))] if window else []
    taken += [(tab.step, _looked(tab.step, why))] if tab else []
    return taken, " ".join(filter(None, obstacles))


def _tab(there: Spot, desk: Desk) -> tuple[Tab | None, str]:
    """Return the tab, or why the terminal cannot be asked for it."""
    for way in _ways(there):
        try:
            if found := attempted(way, there, desk):
                return found, ""
        except Problem as problem:
            return None, str(problem)
    return None, ""


def _ways(there: Spot) -> Sequence[TabWay]:
    """Return the ways to tabs, in the order in which they are tried."""
    if sys.platform != "linux" or there.terminal in OFF_BUS:
        return TERMINALS
    from deskbell.desktop.jump.on_bus import WAYS

    return WAYS


def _brought(step: Step) -> str:
    """Ask for STEP. Return why that failed, else nothing."""
    try:
        attempted(step.bring)
    except Problem as problem:
        return str(problem)
    return ""


def _looked(step: Step, why: str) -> Taken:
    """Wait until STEP is in front. If something else takes its place before all is at rest, ask for it once more.

    WHY: why it was not asked for; empty if it was.
    """
    end = time.monotonic() + (0 if why else AT_ONCE)
    there, problem = _seen(step, end)
    if there is False and step.rest and not problem and time.monotonic() < end:
        problem = _brought(step)
        there, problem = (False, problem) if problem else _seen(step, end)
    return _taken(step, False if why else there, why or problem)


def _seen(step: Step, end: float) -> tuple[bool | None, str]:
    """Wait for STEP until END at the latest. Return whether it is in front, and why that cannot be told."""
    there: bool | None = False
    try:
        if step.rest:
            attempted(step.rest, end - time.monotonic())
        while (there := attempted(step.there)) is False and not step.rest and time.monotonic() < end:
            time.sleep(LOOK)
    except Problem as problem:
        return False, str(problem)
    return there, ""


def _taken(step: Step, there: bool | None, why: str = "") -> Taken:
    return Taken(step.precision, step.what, there, why, "" if why or there is not False else _instead(step))


def _settled(looked: Sequence[tuple[Step, Taken]]) -> list[Taken]:
    """Return what came of each step, as it is once all of them were taken."""
    if any(one.there and one.precision == "window" and not step.rest for step, one in looked):
        time.sleep(SETTLES)
    return [_taken(step, *_seen(step, 0)) if one.there else one for step, one in looked]


def _instead(step: Step) -> str:
    with suppress(Problem):
        return attempted(step.instead)
    return ""


def _window_way(env: Mapping[str, str]) -> WindowWay:
    """Return the way to windows of this desktop. Raise Problem if there is none."""
    if sys.platform == "darwin":
        return macos.window
    if sys.platform == "win32":
        return windows.window
    return _free_desktop(env)


def _free_desktop(env: Mapping[str, str]) -> WindowWay:
    if env.get("SWAYSOCK"):
        return wlroots.sway
    if env.get("HYPRLAND_INSTANCE_SIGNATURE"):
        return wlroots.hyprland
    if sys.platform == "linux":
        return _linux_desktop(env)
    raise _no_display()


def _linux_desktop(env: Mapping[str, str]) -> WindowWay:
    """Import only the way that is taken: D-Bus and X11 are installed on Linux alone, and take long to import."""
    if env.get("WAYLAND_DISPLAY"):
        if "KDE" not in env.get("XDG_CURRENT_DESKTOP", "").split(":"):
            return _closed
        from deskbell.desktop.jump import kwin

        return kwin.window
    if env.get("DISPLAY"):
        from deskbell.desktop.jump import x11

        return x11.window
    raise _no_display()


def _no_display() -> Problem:
    return Problem("There is no display here.", "Run this in your desktop session.")


def _closed(_: Spot, _desk: Desk, tab: Tab | None) -> Step | None:
    """Return None if the terminal raises its window itself. Raise Problem otherwise.

    GNOME on Wayland, and others, let no program raise the window of another.
    """
    if tab and tab.raises:
        return None
    raise Problem("This desktop lets no program bring the window of another to the front.", BY_HAND)


def _where(there: Spot) -> str:
    """Return the program and the tty of THERE, for a person who has to find the terminal."""
    above = program(there.holder).removesuffix(": server") if there.holder and there.tty else ""
    return short(", ".join(part for part in (above, there.tty) if part), 80)
