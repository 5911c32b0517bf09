"""What a person sees and clicks in the panel: the icon, and its menu."""

import re

from PIL import Image

from deskbell_icons import IconState, draw
from tests.desktop.desktop import Box, Desktop, difference, wait_until

ICON = 22
BAR = 33
"""Height of the panel."""
PLAIN = 3
"""Colours of a panel that shows nothing."""
RIGHT = 3


class Panel:
    """To be made while there is no icon: it knows one by what came."""

    def __init__(self, xfce: Desktop) -> None:
        self._xfce = xfce
        xfce.xdotool("mousemove", 640, 400)  # what is below the pointer is drawn otherwise
        wait_until(lambda: len(self._bar().getcolors(1 << 20) or ()) <= PLAIN, "a panel without icons")
        self._empty = self._bar()

    def icon(self, state: IconState, count: int = 0) -> bool:
        """Whether the panel shows that very picture."""
        now = self._bar()
        box = difference(self._empty, now)
        return bool(box) and any(_same(now, place, state, count) for place in _places(box or (0, 0, 0, 0)))

    def wait_for(self, state: IconState, count: int = 0) -> None:
        wait_until(lambda: self.icon(state, count), f"the icon {state} {count}")

    def centre(self) -> tuple[int, int]:
        wait_until(lambda: difference(self._empty, self._bar()), "an icon in the panel")
        left, top, right, bottom = difference(self._empty, self._bar()) or (0, 0, 0, 0)
        return (left + right) // 2, (top + bottom) // 2

    def tooltip(self) -> str:
        """As the item tells it to the panel, in the words of dbus-send."""
        name = re.findall(r"org\.kde\.StatusNotifierItem-[0-9-]+", self._xfce.items())[0]
        words = "string:org.kde.StatusNotifierItem", "string:ToolTip"
        return self._xfce.call(name, "/StatusNotifierItem", "org.freedesktop.DBus.Properties.Get", *words)

    def open_menu(self) -> Box:
        """Where the menu is."""
        closed = self._xfce.shot()
        self._xfce.click(*self.centre(), RIGHT)

        boxes: list[Box | None] = [None, None]

        def opened() -> bool:
            """It is there, and stays as it is."""
            whole = (0, BAR, *self._xfce.size)
            boxes.append(difference(closed.crop(whole), self._xfce.shot().crop(whole)))
            box = boxes[-1]
            return box is not None and box[3] - box[1] > 100 and box == boxes[-2] == boxes[-3]

        wait_until(opened, "an open menu")
        left, top, right, bottom = boxes[-1] or (0, 0, 0, 0)
        return left, top + BAR, right, bottom + BAR

    def _bar(self) -> Image.Image:
        return self._xfce.shot().crop((0, 0, self._xfce.size[0], BAR))


def _places(box: Box) -> list[tuple[int, int]]:
    """Where the picture's corner may be: its own edges are transparent."""
    left, top, right, bottom = box
    return [(x, y) for x in range(right - ICON, left + 1) for y in range(bottom - ICON, top + 1)]


def _same(bar: Image.Image, place: tuple[int, int], state: IconState, count: int) -> bool:
    x, y = place
    seen = bar.crop((x, y, x + ICON, y + ICON))
    wanted = Image.new("RGB", (ICON, ICON), bar.getpixel((x - 3, y)))
    picture = draw(state, count, ICON)
    wanted.paste(picture, (0, 0), picture)
    return all(abs(a - b) <= 3 for a, b in zip(seen.tobytes(), wanted.tobytes(), strict=True))
