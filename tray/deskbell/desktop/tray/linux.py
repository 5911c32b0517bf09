"""The tray of Linux: a StatusNotifierItem, drawn for every size that a panel may want."""

from collections.abc import Callable

from PIL.Image import Image

from deskbell.desktop.tray.sni import Icon
from deskbell.look import Look
from deskbell_icons import draw

SIZES = (16, 22, 24, 32, 48, 64)


def icon(hosted: Callable[[bool], None]) -> Icon:
    return Icon("deskbell", title="Deskbell", hosted=hosted)


def picture(look: Look) -> tuple[Image, ...]:
    return tuple(draw(look.state, look.count, size) for size in SIZES)
