"""Test the clipboard on a real X server: another program reads it, takes it over, or keeps it."""

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.protocol.event import SelectionNotify
from Xlib.xobject.drawable import Window

from deskbell.desktop.clipboard import PART, Clipboard
from deskbell.desktop.selection import LONGEST, Selection
from deskbell.errors import Problem
from deskbell.program.boundary import Boundary
from tests.desktop.desktop import Desktop, wait_until

COMMAND = "cd '/srv/Büro' && claude --resume 5e55-10"
FORMS = ("UTF8_STRING", "text/plain", "text/plain;charset=utf-8")
REFUSED = None


class Client:
    """Another program on the screen."""

    def __init__(self, display: str) -> None:
        self.display = Display(display)
        self.window: Window = self.display.screen().root.create_window(
            0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask
        )

    def close(self) -> None:
        self.display.close()

    def atom(self, name: str) -> int:
        return int(self.display.intern_atom(name))

    def asks(self, form: str, place: str = "PLACE", at: int = X.CurrentTime) -> None:
        self.window.convert_selection(self.atom("CLIPBOARD"), self.atom(form), self.atom(place), at)
        self.display.flush()

    def heard(self, kind: int = X.SelectionNotify) -> object:
        """The next event of KIND."""
        while (event := self.display.next_event()).type != kind:
            pass
        return event

    def reads(self, form: str, at: int = X.CurrentTime) -> object:
        """What it gets of the clipboard in FORM; REFUSED if there is no such form."""
        self.asks(form, at=at)
        if self.heard().property == X.NONE:  # type: ignore[attr-defined]  # an event of python-xlib
            return REFUSED
        found = self.window.get_full_property(self.atom("PLACE"), X.AnyPropertyType)
        return bytes(found.value).decode() if found.format == 8 else list(found.value)

    def copies(self) -> None:
        self.window.set_selection_owner(self.atom("CLIPBOARD"), X.CurrentTime)
        self.display.flush()


class Manager(Client):
    """A clipboard manager: takes over the text of a program that ends."""

    kept = ""

    def __init__(self, display: str) -> None:
        super().__init__(display)
        self.window.set_selection_owner(self.atom("CLIPBOARD_MANAGER"), X.CurrentTime)
        self.display.sync()

    def saves(self) -> None:
        asked = self.heard(X.SelectionRequest)
        forms = asked.requestor.get_full_property(asked.property, Xatom.ATOM).value  # type: ignore[attr-defined]
        assert self.display.get_atom_name(forms[0]) == "UTF8_STRING"
        self.kept = str(self.reads("UTF8_STRING"))
        self.copies()
        words = {name: getattr(asked, name) for name in ("time", "requestor", "selection", "target", "property")}
        words["requestor"].send_event(SelectionNotify(**words))
        self.display.flush()


class Desk:
    def __init__(self, one: Desktop) -> None:
        self.one, self.address = one, one.env["DISPLAY"]
        self.boundary = Boundary()
        self.clipboard = Clipboard(self.boundary, {"DISPLAY": self.address})

    def serving(self) -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == PART]


@pytest.fixture
def desk(fragile: Desktop) -> Iterator[Desk]:
    desk = Desk(fragile)
    yield desk
    desk.clipboard.close()
    wait_until(lambda: not desk.serving(), "the end of the clipboard")
    assert desk.boundary.broken == {}


def test_another_program_reads_what_was_copied_in_every_form(desk: Desk) -> None:
    desk.clipboard.copy(COMMAND)
    with closing(Client(desk.address)) as other:
        assert [other.reads(form) for form in FORMS] == [COMMAND] * 3
        other.asks("STRING")
        other.heard()
        assert other.window.get_full_property(other.atom("PLACE"), Xatom.STRING).value == COMMAND.encode("latin-1")
        (taken_at,) = other.reads("TIMESTAMP")  # type: ignore[misc]  # a list of one number
        names = {other.display.get_atom_name(form) for form in other.reads("TARGETS")}  # type: ignore[attr-defined]
        assert names == {"TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "STRING", *FORMS}
        assert other.reads("UTF8_STRING", taken_at) == COMMAND
        assert other.reads("UTF8_STRING", taken_at - 1) is REFUSED
        assert other.reads("image/png") is REFUSED


def test_a_text_beyond_latin_1_has_no_form_of_latin_1(desk: Desk) -> None:
    desk.clipboard.copy("日本")
    with closing(Client(desk.address)) as other:
        assert (other.reads("STRING"), other.reads("UTF8_STRING")) == (REFUSED, "日本")


def test_many_forms_are_given_at_once(desk: Desk) -> None:
    desk.clipboard.copy(COMMAND)
    with closing(Client(desk.address)) as other:
        pairs = [other.atom(word) for word in ("UTF8_STRING", "A", "image/png", "B", "TEXT", "C", "text/plain", "D")]
        other.window.change_property(other.atom("PLACE"), other.atom("ATOM_PAIR"), 32, pairs)
        done = other.reads("MULTIPLE")
        assert done == [*pairs[:3], X.NONE, pairs[4], X.NONE, *pairs[6:]]
        for place in ("A", "D"):
            found = other.window.get_full_property(other.atom(place), X.AnyPropertyType)
            assert found.value == COMMAND.encode()
        other.window.delete_property(other.atom("PLACE"))
        assert other.reads("MULTIPLE") is REFUSED


@pytest.mark.skipif(not shutil.which("xclip"), reason="needs xclip")
def test_xclip_reads_it_and_takes_it_over(desk: Desk) -> None:
    desk.clipboard.copy(COMMAND)
    read = subprocess.run(
        ["xclip", "-selection", "clipboard", "-o"], env=desk.one.env, capture_output=True, timeout=10, check=True
    )
    assert read.stdout.decode() == COMMAND
    write = ["xclip", "-selection", "clipboard"]
    subprocess.run(write, input=b"other", env=desk.one.env, stdout=subprocess.DEVNULL, timeout=10, check=True)
    wait_until(lambda: not desk.serving(), "the end of serving")


def test_what_another_program_copies_ends_it(desk: Desk) -> None:
    desk.clipboard.copy(COMMAND)
    assert len(desk.serving()) == 1
    with closing(Client(desk.address)) as other:
        other.copies()
        wait_until(lambda: not desk.serving(), "the end of serving")


def test_the_next_text_takes_the_place_of_the_one_before(desk: Desk) -> None:
    desk.clipboard.copy("one")
    desk.clipboard.copy("two")
    with closing(Client(desk.address)) as other:
        assert other.reads("UTF8_STRING") == "two"
    wait_until(lambda: len(desk.serving()) == 1, "the end of the first")


def test_a_program_that_asks_and_goes_disturbs_nothing(desk: Desk) -> None:
    desk.clipboard.copy(COMMAND)
    for form in ("UTF8_STRING", "MULTIPLE", "TARGETS"):
        with closing(Client(desk.address)) as hasty:
            hasty.asks(form)
    with closing(Client(desk.address)) as other:
        assert other.reads("UTF8_STRING") == COMMAND


def test_a_clipboard_manager_keeps_the_text_after_the_end(desk: Desk) -> None:
    desk.clipboard.copy(COMMAND)
    with closing(Manager(desk.address)) as manager:
        keeping = threading.Thread(target=manager.saves)
        keeping.start()
        assert desk.clipboard.close(), "it is kept"
        keeping.join(10)
        assert manager.kept == COMMAND
    assert desk.serving() == []


def test_a_clipboard_manager_that_hangs_does_not_keep_it_from_ending(desk: Desk) -> None:
    desk.clipboard.copy(COMMAND)
    with closing(Manager(desk.address)):
        begun = time.monotonic()
        assert not desk.clipboard.close(), "it is lost"
        assert time.monotonic() - begun < 3
    wait_until(lambda: not desk.serving(), "the end of serving")


def test_it_ends_with_the_server(fragile: Desktop) -> None:
    desk = Desk(fragile)
    desk.clipboard.copy(COMMAND)
    fragile.stop("Xvfb")
    wait_until(lambda: not desk.serving(), "the end of serving")
    desk.clipboard.close()
    assert desk.boundary.broken == {}


def test_a_held_text_costs_nothing_while_nobody_asks(desk: Desk) -> None:
    desk.clipboard.copy(COMMAND)
    with closing(Client(desk.address)) as other:
        assert other.reads("UTF8_STRING") == COMMAND
    (thread,) = desk.serving()
    status = Path(f"/proc/{os.getpid()}/task/{thread.native_id}/status")

    def switches() -> list[str]:
        return [line for line in status.read_text().splitlines() if "ctxt_switches" in line]

    wait_until(lambda: "S (sleeping)" in status.read_text(), "a thread that sleeps")
    before = switches()
    time.sleep(0.5)  # the time in which it must not wake
    assert switches() == before


def test_a_text_that_is_too_long_is_refused(fragile: Desktop) -> None:
    with pytest.raises(Problem, match="longer than 200 kB"):
        Selection(fragile.env["DISPLAY"], "ü" * (LONGEST // 2 + 1))
    held = Selection(fragile.env["DISPLAY"], "x" * LONGEST)
    serving = threading.Thread(target=held.serve)
    serving.start()
    with closing(Client(fragile.env["DISPLAY"])) as other:
        assert other.reads("UTF8_STRING") == "x" * LONGEST
    held.end()
    serving.join(10)
