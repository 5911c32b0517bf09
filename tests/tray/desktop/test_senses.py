"""Test what is known of the person and of the desktop."""

from deskbell.desktop.focus import Eyes, SilentScreen
from deskbell.desktop.senses import Person
from deskbell.program.boundary import Boundary
from tests.tray.making import session


class Held:
    started = 0
    known = False

    def start(self) -> None:
        self.started += 1

    def now(self) -> str | None:
        return "dunst is paused"

    def stop(self) -> None:
        self.started -= 1


def test_focus_and_do_not_disturb_are_both_known() -> None:
    held = Held()
    person = Person(Boundary(), lambda: None, Eyes(SilentScreen()), held)
    person.start()
    assert (person.focused(session()), person.dnd(), held.started) == (None, "dunst is paused", 1)
    assert person.awaits_focus(session()) is False
    assert person.known is False
    held.known = True
    assert person.known is True
    person.stop()
    assert held.started == 0
