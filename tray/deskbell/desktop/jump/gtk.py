"""Call the actions that a GTK program shows on the session bus (org.gtk.Actions)."""

from typing import Any, NamedTuple

from dbus_fast import Variant

from deskbell.desktop.jump.desk import Desk

ACTIONS = "org.gtk.Actions"


class Action(NamedTuple):
    """What Describe says of an action."""

    enabled: bool
    state: Any


def activate(desk: Desk, name: str, path: str, action: str, *given: Variant) -> bool:
    """Activate ACTION, with the token of the click. Return whether the program took it."""
    said = desk.wire.call(name, path, ACTIONS, "Activate", "sava{sv}", [action, list(given), platform(desk)])
    return said is not None


def set_state(desk: Desk, name: str, path: str, action: str, value: Variant) -> bool:
    said = desk.wire.call(name, path, ACTIONS, "SetState", "sva{sv}", [action, value, platform(desk)])
    return said is not None


def describe(desk: Desk, name: str, path: str, action: str) -> Action | None:
    said = desk.wire.call(name, path, ACTIONS, "Describe", "s", [action])
    if not said:
        return None
    enabled, _, state = said[0]
    return Action(bool(enabled), state[0].value if state else None)


def platform(desk: Desk) -> dict[str, Variant]:
    """GTK 3 reads the second name, GTK 4 the first."""
    token = desk.token
    return {name: Variant("s", token) for name in ("activation-token", "desktop-startup-id")} if token else {}
