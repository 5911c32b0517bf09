"""Bring a window of sway or Hyprland to the front from any workspace; the compositor's focused window proves it."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import SHOWS_WITHIN, Desk, Tab, until
from deskbell.desktop.jump.output import output, output_json
from deskbell.desktop.jump.spot import Spot, program
from deskbell.errors import Problem
from deskbell.home import environment


class Listed(NamedTuple):
    """A window, as the compositor lists it."""

    id: str
    pid: int
    title: str


def sway(spot: Spot, desk: Desk, _tab: Tab | None) -> Step | None:
    """Return the window of SPOT in sway; None if there is none."""
    env = _env(desk)

    def nodes() -> list[dict[str, Any]]:
        return list(sway_windows(output_json("swaymsg", "-t", "get_tree", "-r", env=env)))

    return _step(
        spot,
        desk,
        lambda: [_of_sway(node) for node in nodes()],
        lambda one: output("swaymsg", f"[con_id={int(one.id)}] focus", env=env),
        lambda: next((str(node["id"]) for node in nodes() if node.get("focused")), ""),
    )


def hyprland(spot: Spot, desk: Desk, _tab: Tab | None) -> Step | None:
    """Return the window of SPOT in Hyprland; None if there is none."""
    env = _env(desk)
    return _step(
        spot,
        desk,
        lambda: [one for one in map(_of_hyprland, output_json("hyprctl", "clients", "-j", env=env) or ()) if one],
        lambda one: output("hyprctl", "dispatch", "focuswindow", f"address:{one.id}", env=env),
        lambda: str((output_json("hyprctl", "activewindow", "-j", env=env) or {}).get("address", "")),
    )


def _env(desk: Desk) -> dict[str, str]:
    """Return the environment of the helper programs, with the compositor of this jump."""
    named = ("SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE", "XDG_RUNTIME_DIR")
    return environment(os.environ) | {name: desk.env[name] for name in named if name in desk.env}


def _step(
    spot: Spot,
    desk: Desk,
    windows: Callable[[], Sequence[Listed]],
    focus: Callable[[Listed], str | None],
    focused: Callable[[], str],
) -> Step | None:
    found = _find(spot, desk, windows)
    if found is None:
        return None

    def bring() -> None:
        if focus(found) is None:
            raise Problem("The compositor did not focus the window.", BY_HAND)

    name = program(found.pid) or "the terminal"

    def instead() -> str:
        number = focused()
        front = next((one for one in windows() if one.id == number), None)
        return f"the window of {program(front.pid) or 'another program'}" if front else ""

    return Step("window", f"the window of {name}", bring, lambda: focused() == found.id, instead)


def _find(spot: Spot, desk: Desk, windows: Callable[[], Sequence[Listed]]) -> Listed | None:
    """Return the window of SPOT. If its process has several, return the one whose title shows the mark."""
    known = windows()
    first = next((one for pid in spot.line for one in known if one.pid == pid), None)
    if first is None or sum(one.pid == first.pid for one in known) < 2:
        return first
    word = desk.mark(spot).word()

    def marked() -> Listed | None:
        return next((one for one in windows() if word and one.pid == first.pid and word in one.title), None)

    return until(marked, SHOWS_WITHIN) or first


def sway_windows(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield the windows in TREE; none if it is no tree."""
    if not isinstance(tree, dict):
        return
    if tree.get("pid"):
        yield tree
    for child in (*tree.get("nodes", ()), *tree.get("floating_nodes", ())):
        yield from sway_windows(child)


def _of_sway(node: dict[str, Any]) -> Listed:
    return Listed(str(node["id"]), int(node["pid"]), str(node.get("name") or ""))


def _of_hyprland(window: Any) -> Listed | None:
    """Return the window; None if its address is invalid, because the address goes into a command of Hyprland."""
    address = str(window.get("address", "")) if isinstance(window, dict) else ""
    if not address.startswith("0x") or not address[2:].isalnum():
        return None
    return Listed(address, int(window.get("pid", 0)), str(window.get("title", "")))
