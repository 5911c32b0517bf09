"""Call the actions that a GTK program offers on the session bus (org.gtk.Actions), and choose a terminal with one."""

from typing import Any, NamedTuple

from dbus_fast import Variant

from deskbell.desktop.jump import accessibility, x11
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

ACTIONS = "org.gtk.Actions"
TITLED_WITHIN = 0.06
"""Seconds that a title has to show the mark before accessibility is asked: a tab may have a title of its own."""


class Action(NamedTuple):
    """What Describe returns about an action."""

    enabled: bool
    state: Any


class Program(NamedTuple):
    """A terminal program that has an action to bring one of its terminals to the front."""

    title: str
    name: str
    """Its name on the bus."""
    path: str
    action: str


def activate(desk: Desk, name: str, path: str, action: str, *given: Variant) -> bool:
    """Activate ACTION, with the token of the click. Return whether the program took it."""
    said = desk.wire.call(name, path, ACTIONS, "Activate", "sava{sv}", [action, list(given), platform(desk)])
    return said is not None


def set_state(desk: Desk, name: str, path: str, action: str, value: Variant) -> bool:
    """Set the state of ACTION, with the token of the click. Return whether the program took it."""
    said = desk.wire.call(name, path, ACTIONS, "SetState", "sva{sv}", [action, value, platform(desk)])
    return said is not None


def describe(desk: Desk, name: str, path: str, action: str) -> Action | None:
    """Return the state of ACTION; None if the program does not tell."""
    said = desk.wire.call(name, path, ACTIONS, "Describe", "s", [action])
    if not said:
        return None
    enabled, _, state = said[0]
    return Action(bool(enabled), state[0].value if state else None)


def platform(desk: Desk) -> dict[str, Variant]:
    """Return the token of the click as platform data: GTK 4 reads the first name, GTK 3 the second."""
    token = desk.token
    return {name: Variant("s", token) for name in ("activation-token", "desktop-startup-id")} if token else {}


def terminal(program: Program, given: Variant, spot: Spot, desk: Desk) -> Tab | None:
    """Return the terminal of PROGRAM that GIVEN names; None if PROGRAM does not run the process of SPOT."""
    if desk.wire.owner(program.name) not in spot.line:
        return None

    def bring() -> None:
        if not activate(desk, program.name, program.path, program.action, given):
            raise Problem(f"{program.title} did not choose the terminal.", BY_HAND)

    return Tab(Step("tab", f"its terminal in {program.title}", bring, lambda: is_shown(spot, desk)), raises=True)


def is_shown(spot: Spot, desk: Desk) -> bool | None:
    """Return whether the title of a window shows the mark, or accessibility tells that the terminal is shown.

    None if neither tells.
    """
    titled = x11.marked(spot, desk, TITLED_WITHIN) if desk.env.get("DISPLAY") else None
    return titled or (titled if (told := accessibility.shows(spot, desk)) is None else told)
