"""Make the tray icon of Linux: a StatusNotifierItem, drawn in every size that a panel may want."""

import os
from collections.abc import Callable, Mapping

from deskbell.desktop.tray.sni import Icon
from deskbell.face.look import Look
from deskbell.supervision import Supervisor
from deskbell_icons import pixels

SIZES = (16, 22, 24, 32, 48, 64)
XFCE_SIZE = 22
"""Pixels of an icon in Xfce's tray by default. Xfce takes the largest picture it is given and scales it down."""


def icon(supervisor: Supervisor, hosted: Callable[[bool], None]) -> Icon:
    return Icon("deskbell", title="Deskbell", supervisor=supervisor, hosted=hosted)


def picture(look: Look) -> tuple[pixels.Pixels, ...]:
    return tuple(pixels.icon(look.state, look.count, size) for size in sizes(os.environ))


def sizes(env: Mapping[str, str]) -> tuple[int, ...]:
    if "XFCE" not in env.get("XDG_CURRENT_DESKTOP", "").upper():
        return SIZES
    scale = env.get("GDK_SCALE", "1")
    return (XFCE_SIZE * (int(scale) if scale.isdigit() and scale != "0" else 1),)
