"""Compute how large Xfce's panel shows an icon, from the settings of the panel. Pure.

Xfce takes the largest picture that it gets. It scales a larger one down, but before version 4.20 it does not scale a
smaller one up. So it gets only one picture, in the right size. The rules are those of plugins/systray/sn-config.c and
libxfce4panel/xfce-panel-plugin.c in https://gitlab.xfce.org/xfce/xfce4-panel.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

ICON = 22
"""Pixels of an icon, unless the person has set another size. The setting 0 means that it follows the panel."""
ROW, HIGHEST = 48, 128
"""Pixels of a row of the panel: the default, and the most."""
TRAYS = ("systray", "statusnotifier")
PADDING = 4
STEPS = ((16, 12), (24, 16), (32, 24), (38, 32))
"""A row of fewer pixels than the first number, without the padding, has icons of the second number of pixels."""

Settings = Mapping[str, object]


class _Panel(NamedTuple):
    row: int = ROW
    icon: int = 0


def icon_size(settings: Settings, scale: int = 1) -> int:
    """Return the size in pixels. SETTINGS: the properties of the channel `xfce4-panel`. SCALE: that of all windows."""
    tray = next((name for name in sorted(settings) if _is_tray(name, settings[name])), "")
    panel = _panel(settings, tray)
    wanted = _number(settings, f"{tray}/icon-size", ICON) or panel.icon or _by_height(panel.row)
    return min(wanted, panel.row) // 2 * 2 * scale


def _is_tray(name: str, value: object) -> bool:
    return value in TRAYS and re.fullmatch(r"/plugins/plugin-\d+", name) is not None


def _panel(settings: Settings, tray: str) -> _Panel:
    """Return the panel that holds the plugin TRAY."""
    number = int(tray.rpartition("-")[2]) if tray else None
    for name, plugins in sorted(settings.items()):
        if name.endswith("/plugin-ids") and isinstance(plugins, list) and number in plugins:
            path = name.removesuffix("/plugin-ids")
            row = _number(settings, f"{path}/size", ROW) or ROW
            return _Panel(min(row, HIGHEST), _number(settings, f"{path}/icon-size", 0))
    return _Panel()


def _by_height(row: int) -> int:
    return next((icon for below, icon in STEPS if row < below + PADDING), row - PADDING)


def _number(settings: Settings, name: str, otherwise: int) -> int:
    value = settings.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else otherwise
