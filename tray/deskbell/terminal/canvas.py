"""Draw lines of styled text on the whole terminal, only those that changed, and pass on keys and mouse events.

Nothing takes the focus, so a key always arrives: a mouse event outside of the screen takes the focus from a widget.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from textual import events
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from deskbell.terminal.strips import strip
from deskbell.text.rows import Line

WHEEL = 3
"""Lines by which a turn of the wheel scrolls."""


class Owner(Protocol):
    """The app that decides what is drawn, and that gets the keys and mouse events."""

    def guarded(self, effect: Callable[..., None], *given: object) -> None:
        """Call EFFECT with the arguments GIVEN. An exception in it ends the board."""

    def key(self, key: str, character: str | None) -> None: ...
    def paste(self, text: str) -> None: ...
    def click(self, x: int, y: int, times: int) -> None: ...
    def wheel(self, x: int, y: int, by: int) -> None: ...
    def sized(self) -> None:
        """Draw again, because the size has changed."""


class Canvas(Widget):
    """A widget that fills the screen with the lines that it is given."""

    DEFAULT_CSS = "Canvas { width: 100%; height: 100%; background: ansi_default; color: ansi_default; }"

    def __init__(self, owner: Owner) -> None:
        super().__init__()
        self._owner = owner
        self._lines: Sequence[Line] = ()

    def draw(self, new: Sequence[Line]) -> None:
        """Draw those of the NEW lines that differ from the last ones."""
        old, self._lines = self._lines, new
        if len(old) != len(new):
            self.refresh()
            return
        changed = [y for y, (one, other) in enumerate(zip(old, new, strict=True)) if one is not other and one != other]
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        return strip(self._lines[y]) if y < len(self._lines) else Strip.blank(self.size.width)

    def on_resize(self, event: events.Resize) -> None:
        self._owner.guarded(self._owner.sized)

    def on_click(self, event: events.Click) -> None:
        self._owner.guarded(self._owner.click, event.x, event.y, event.chain)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._owner.guarded(self._owner.wheel, event.x, event.y, WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._owner.guarded(self._owner.wheel, event.x, event.y, -WHEEL)


class Alone(Screen[None], inherit_bindings=False):
    """A Textual screen that binds no keys, and passes all of them on."""

    DEFAULT_CSS = "Alone { background: ansi_default; color: ansi_default; }"

    def __init__(self, owner: Owner) -> None:
        super().__init__(id="_default")
        self._owner = owner

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self._owner.guarded(self._owner.key, event.key, event.character)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._owner.guarded(self._owner.paste, event.text)
