"""Look at the icon in the panel and click on it, as a person does."""

import re
import time

from PIL import Image

from deskbell.desktop.tray import MENU_EVERY
from deskbell_icons import IconState
from deskbell_icons.pixels import image
from tests.desktop.desktop import Box, Desktop, difference, wait_until

ICON = 22
BAR = 33
"""Height of the panel in pixels."""
PLAIN = 3
"""Colours of an empty panel, at most."""
ITEM = re.compile(r"org\.kde\.StatusNotifierItem-[0-9-]+")
"""The name of the icon on the bus."""
LEFT, MIDDLE, RIGHT = 1, 2, 3
"""The buttons of the pointer."""


class Panel:
    """The panel of a desktop. Make it before the icon appears: it knows the icon by the difference."""

    def __init__(self, xfce: Desktop) -> None:
        self._xfce = xfce
        xfce.xdotool("mousemove", 640, 400)  # the panel highlights what is below the pointer
        wait_until(lambda: len(self._bar().getcolors(1 << 20) or ()) <= PLAIN, "a panel without icons")
        self._empty = self._bar()

    def icon(self, state: IconState, count: int = 0) -> bool:
        """Return whether the panel shows exactly this icon."""
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
        """Return the tooltip that the item gives the panel, as dbus-send prints it."""
        words = "string:org.kde.StatusNotifierItem", "string:ToolTip"
        return self._xfce.call(self._item(), "/StatusNotifierItem", "org.freedesktop.DBus.Properties.Get", *words)

    def menu(self) -> str:
        """Return the menu that the item gives the panel, as dbus-send prints it."""
        words = "int32:0", "int32:-1", "array:string:label"
        return self._xfce.call(self._item(), "/MenuBar", "com.canonical.dbusmenu.GetLayout", *words)

    def open_menu(self, button: int = RIGHT) -> Box:
        """Open the menu with a click, once it follows the sessions no more, and return its box.

        GTK keeps the height of an open menu, and keys go to other rows if some come while it is open.
        """
        self._settled()
        closed = self._xfce.shot()
        self._xfce.click(*self.centre(), button)

        boxes: list[Box | None] = [None, None]

        def opened() -> bool:
            """Return whether the menu is on the screen and no longer changes."""
            whole = (0, BAR, *self._xfce.size)
            boxes.append(difference(closed.crop(whole), self._xfce.shot().crop(whole)))
            box = boxes[-1]
            return box is not None and box[3] - box[1] > 100 and box == boxes[-2] == boxes[-3]

        wait_until(opened, "an open menu")
        left, top, right, bottom = boxes[-1] or (0, 0, 0, 0)
        return left, top + BAR, right, bottom + BAR

    def _settled(self) -> None:
        """Wait until the menu has been the same for longer than there is between two changes of it."""
        wait_until(lambda: ITEM.search(self._xfce.items()), "the item in the list of the panel")
        seen: list[tuple[float, str]] = []

        def same() -> bool:
            seen.append((time.monotonic(), self.menu().partition("\n")[2]))  # the first line has numbers of its own
            since = next((at for at, shown in reversed(seen) if shown != seen[-1][1]), seen[0][0])
            return time.monotonic() - since > MENU_EVERY + 0.1

        wait_until(same, "a menu that stays as it is")

    def _item(self) -> str:
        return ITEM.findall(self._xfce.items())[0]

    def _bar(self) -> Image.Image:
        return self._xfce.shot(height=BAR)


def _places(box: Box) -> list[tuple[int, int]]:
    """Return where the corner of the icon may be: its edges are transparent."""
    left, top, right, bottom = box
    return [(x, y) for x in range(right - ICON, left + 1) for y in range(bottom - ICON, top + 1)]


def _same(bar: Image.Image, place: tuple[int, int], state: IconState, count: int) -> bool:
    x, y = place
    seen = bar.crop((x, y, x + ICON, y + ICON))
    wanted = Image.new("RGB", (ICON, ICON), bar.getpixel((x - 3, y)))
    picture = image(state, count, ICON)
    wanted.paste(picture, (0, 0), picture)
    return all(abs(a - b) <= 3 for a, b in zip(seen.tobytes(), wanted.tobytes(), strict=True))
