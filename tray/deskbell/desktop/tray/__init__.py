"""Draw a Face with pystray's icon, on Linux with Deskbell's own backend, and turn its clicks into Actions.

`tray` makes the icon of this system. `run` runs the program in the thread that this system allows.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from deskbell.desktop.tray.builder import Builder, Clicked, Separator, Signed
from deskbell.desktop.tray.library import PANEL, Icon, separator
from deskbell.desktop.tray.rowsigns import words
from deskbell.face import Face, Tray
from deskbell.face.actions import Action, with_token
from deskbell.face.item import Item, alike_but_for_words
from deskbell.face.look import Look
from deskbell.supervision import Supervisor
from deskbell.text.clean import visible_lines

MENU_AFTER = 0.02
"""Seconds from the drawing of the icon to that of the menu. The icon must not wait for a menu of hundreds of items."""
MENU_EVERY = 0.5
"""Seconds from one change of the menu to the next, and from its opening to the first. Nobody reads faster. GNOME's
AppIndicator extension misplaces rows that come while it still draws earlier ones.
"""
WORDS_EVERY = 2.0
"""Seconds from one change to the next if only words change and nobody reads them."""
READ_FOR = 30.0
"""Seconds for which somebody may be reading a menu after a panel has asked for what is new in it."""

Hosted = Callable[[bool], None]
P = ParamSpec("P")
T = TypeVar("T")


class SilentTray:
    """A Tray that draws nothing, for `deskbell run --headless` and for systems without a tray."""

    def start(self) -> None:
        """Start nothing."""

    def show(self, face: Face) -> None:
        """Show nothing."""

    def stop(self) -> None:
        """Stop nothing."""


class PystrayTray:
    """Draws the parts of the face that have changed. A part whose drawing raised is drawn again at the next call."""

    def __init__(
        self,
        supervisor: Supervisor,
        icon: Icon,
        picture: Callable[[Look], object],
        clicked: Clicked,
        separator: Separator = separator,
        signed: Signed = words,
        clock: Callable[[], float] = time.monotonic,
        words_every: float = MENU_EVERY,
    ) -> None:
        """WORDS_EVERY: seconds from one change of words to the next.

        Give more than MENU_EVERY only where the panel asks what is new before it shows the menu.
        """
        self._supervisor = supervisor
        self._icon = icon
        self._picture = picture
        self._clicked = clicked
        self._token: str | None = None
        """The activation token of the next click; None if the panel gives none."""
        self._builder = Builder(self._on_clicked, separator, signed)
        self._picture_drawn: tuple[str, int] | None = None
        self._title_drawn: str | None = None
        self._menu_drawn: tuple[Item, ...] | None = None
        self._menu: tuple[Item, ...] = ()
        """The wanted menu, which may be drawn a little later."""
        self._opened: Action | None = None
        """What to do when the person opens the wanted menu."""
        self._opened_drawn: Action | None = None
        """What to do when the person opens the menu that is drawn."""
        self._coming: asyncio.Task[None] | None = None
        self._coming_at = 0.0
        self._clock = clock
        self._words_every = words_every
        self._menu_due = self._words_due = self._read_until = float("-inf")
        icon.opened, icon.asked, icon.permitted = self._on_opened, self._on_asked, self._on_permitted

    def start(self) -> None:
        """Start the icon. Call this in the loop."""
        self._icon.guarded = self._supervisor.guarded(PANEL, _carry_out)
        self._icon.run_detached(setup=lambda _: None)  # the first face makes it visible

    def show(self, face: Face) -> None:
        look = face.look
        if self._picture_drawn != (look.state, look.count):
            self._picture_drawn = None
            self._icon.icon = self._picture(look)
            self._picture_drawn = look.state, look.count
        if self._title_drawn != look.tooltip:
            self._title_drawn = None
            self._icon.title = visible_lines(look.tooltip)
            self._title_drawn = look.tooltip
        self._icon.visible = True
        self._menu, self._opened = face.menu, face.opened
        if self._menu_drawn is None:
            self._draw_menu()
        elif self._menu_drawn != self._menu:
            self._draw_menu_by(self._menu_due if self._is_urgent(self._menu_drawn) else self._words_due)

    def stop(self) -> None:
        if self._coming:
            self._coming.cancel()
        self._icon.stop()

    def _is_urgent(self, drawn: tuple[Item, ...]) -> bool:
        return self._clock() < self._read_until or not alike_but_for_words(drawn, self._menu)

    def _draw_menu_by(self, due: float) -> None:
        due = max(due, self._clock() + MENU_AFTER)
        if self._coming and not self._coming.done():
            if self._coming_at <= due:
                return
            self._coming.cancel()
        self._coming_at = due
        self._coming = self._supervisor.once("tray", self._draw_menu_at(due))

    async def _draw_menu_at(self, due: float) -> None:
        await asyncio.sleep(due - self._clock())
        self._draw_menu()

    def _draw_menu(self) -> None:
        now = self._clock()
        self._menu_due, self._words_due = now + MENU_EVERY, now + self._words_every
        self._menu_drawn = None
        self._icon.menu = self._builder.menu(self._menu)
        self._menu_drawn, self._opened_drawn = self._menu, self._opened

    def _on_clicked(self, action: Action) -> None:
        token, self._token = self._token, None
        self._clicked(with_token(action, token))

    def _on_permitted(self, token: str) -> None:
        self._token = token or None

    def _on_asked(self) -> None:
        """Draw the words that wait: the person is about to read them."""
        self._read_until = self._clock() + READ_FOR
        drawn = self._menu_drawn
        if drawn is not None and drawn != self._menu and alike_but_for_words(drawn, self._menu):
            self._draw_menu()

    def _on_opened(self) -> None:
        """Report that the person opens the menu. Called in the thread in which the system reports clicks."""
        self._menu_due = self._clock() + MENU_EVERY
        if self._opened_drawn is not None:
            self._clicked(self._opened_drawn)


def _carry_out(effect: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    return effect(*args, **named)


def tray(supervisor: Supervisor, clicked: Clicked, hosted: Hosted) -> Tray:
    """Return the tray of this system.

    CLICKED is called in the thread in which the system reports clicks. HOSTED is called in the loop with whether a
    panel draws the icon.
    """
    if sys.platform == "linux":
        from deskbell.desktop.tray import linux as system
    elif sys.platform == "darwin":
        from deskbell.desktop.tray import macos as system
    elif sys.platform == "win32":
        from deskbell.desktop.tray import windows as system
    else:
        return SilentTray()
    icon, signed = system.icon(supervisor, hosted), system.signed()
    every = WORDS_EVERY if sys.platform == "linux" else MENU_EVERY
    return PystrayTray(supervisor, icon, system.picture, clicked, signed=signed, words_every=every)


def run(supervisor: Supervisor, program: Callable[[], None], leave: Callable[[], None]) -> None:
    """Run PROGRAM in this thread; on macOS in another one, because AppKit needs the main thread.

    LEAVE asks the program to end, from any thread.
    """
    if sys.platform == "darwin":
        from deskbell.desktop.tray import macos

        macos.run(supervisor, program, leave)
    else:
        program()
