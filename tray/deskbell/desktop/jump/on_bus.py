"""List the ways to the tabs of terminals on Linux, most of which are asked on D-Bus, in the order of their use."""

from collections.abc import Callable, Sequence

from deskbell.desktop.jump import (
    accessibility,
    editors,
    ghostty,
    gnome_terminal,
    kitty,
    konsole,
    ptyxis,
    terminator,
    tilix,
    warp,
    wezterm,
)
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot

WAYS: Sequence[Callable[[Spot, Desk], Tab | None]] = (
    kitty.tab,
    konsole.tab,
    gnome_terminal.tab,
    tilix.tab,
    ptyxis.tab,
    terminator.tab,
    wezterm.tab,
    ghostty.tab,
    warp.tab,
    editors.tab,
    accessibility.tab,
)
