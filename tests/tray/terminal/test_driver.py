"""Test that whatever a terminal sends reaches Textual as its own events."""

import sys

import pytest
from textual import events, messages

from deskbell.terminal.input import DrawsAtOnce, Key, Mouse, Paste

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is the driver of POSIX")


def test_every_event_becomes_one_of_textual() -> None:
    from deskbell.terminal.driver import message

    key, paste, wheel = message(Key("a", "a")), message(Paste("x\ny")), message(Mouse("wheel down", 3, 4, 0))
    assert isinstance(key, events.Key)
    assert (key.key, key.character) == ("a", "a")
    assert isinstance(paste, events.Paste)
    assert paste.text == "x\ny"
    assert isinstance(wheel, events.MouseScrollDown)
    assert (wheel.x, wheel.y) == (3, 4)
    assert isinstance(message(DrawsAtOnce()), messages.TerminalSupportsSynchronizedOutput)


@pytest.mark.parametrize("does", ["down", "up", "move", "wheel up", "wheel down"])
def test_a_mouse_event_has_its_place_and_its_button(does: object) -> None:
    from deskbell.terminal.driver import MOUSE, message

    made = message(Mouse(does, 3, 4, 1))  # type: ignore[arg-type]  # the parameters of a test have no Literal
    assert isinstance(made, MOUSE[does])  # type: ignore[index]  # as above
    assert isinstance(made, events.MouseEvent)
    assert (made.screen_x, made.screen_y, made.button) == (3, 4, 1)
