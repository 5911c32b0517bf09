"""Ask sway and Hyprland which window has the focus."""

from collections.abc import Iterator
from typing import Any

from deskbell.desktop.focus import NOBODY, Active, AskedScreen, asked


class Sway(AskedScreen):
    name = "sway"

    def active(self) -> Active | None:
        return sway(asked.answer("swaymsg", "-t", "get_tree", "-r"))


class Hyprland(AskedScreen):
    name = "Hyprland"

    def active(self) -> Active | None:
        return hyprland(asked.answer("hyprctl", "activewindow", "-j"))


def sway(tree: Any) -> Active | None:
    """Return the focused window in the TREE of sway; NOBODY if an empty workspace has the focus."""
    if not isinstance(tree, dict):
        return None
    found = next((node for node in _nodes(tree) if node.get("focused")), {})
    return Active(found["pid"], found.get("window")) if found.get("pid") else NOBODY


def hyprland(window: Any) -> Active | None:
    if not isinstance(window, dict):
        return None
    return Active(window["pid"]) if window.get("pid") else NOBODY


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in (*node.get("nodes", ()), *node.get("floating_nodes", ())):
        yield from _nodes(child)
