"""Make the tray icon of Linux: a StatusNotifierItem, drawn in every size that a panel may need."""

import os
from collections.abc import Callable
from functools import partial

from deskbell.desktop.tray.rowsigns import picture as sign_picture
from deskbell.desktop.tray.rowsigns import words
from deskbell.desktop.tray.sni import Drawing, Icon
from deskbell.desktop.tray.wish import Wish
from deskbell.face.look import Look
from deskbell.face.room import is_gnome
from deskbell.supervision import Supervisor
from deskbell_icons import Panel, Sign, pixels


def icon(supervisor: Supervisor, hosted: Callable[[bool], None]) -> Icon:
    return Icon("deskbell", title="Deskbell", supervisor=supervisor, hosted=hosted)


def picture(look: Look) -> Drawing:
    return partial(pictures, look)


def pictures(look: Look, wish: Wish) -> tuple[pixels.Pixels, ...]:
    """Return LOOK in the sizes and with the contrast of WISH."""
    panel: Panel = "contrast" if wish.contrast else "any"
    return tuple(pixels.icon(look.state, look.count, size, panel) for size in sizes(wish))


def sizes(wish: Wish) -> tuple[int, ...]:
    """Return the sizes to show: the wished one or the next larger, which the panel scales; without a wish, all."""
    if wish.size is None:
        return pixels.SIZES
    return (next((size for size in pixels.SIZES if size >= wish.size), pixels.SIZES[-1]),)


def signed() -> Callable[[Sign], str | bytes]:
    """Return what shows the sign of a row. GNOME draws no picture in a row with a submenu, so it gets words."""
    return words if is_gnome(os.environ) else sign_picture
