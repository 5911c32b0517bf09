"""Test on a real desktop what clicks open and copy: the welcome and its buttons, pages, the clipboard."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.desktop.desktop import Box, Desktop, wait_until
from tests.desktop.panel import Panel
from tests.desktop.test_clipboard import Client
from tests.desktop.test_program_xfce import Deskbell, message
from tests.waiting import wait

SHOW = 60, 30
"""How far the right button of the welcome is from its right and its lower edge."""
MIDDLE = 2
"""The button of the mouse."""
ROW = re.compile(r'int32 (\d+)\s+array \[\s+dict entry\(\s+string "label"\s+variant\s+string "([^"]*)"')


class Person(Deskbell):
    """Deskbell, a browser that notes the pages that it is given, and a hand that chooses rows of the menu."""

    def __init__(self, xfce: Desktop, home: Path) -> None:
        super().__init__(xfce, home)
        self.xfce, self.opened = xfce, home.parent / "opened"
        self._script("xdg-open", f'echo "$1" >> "{self.opened}"')
        self._script("xdg-mime", "echo firefox.desktop")

    def _script(self, name: str, text: str) -> None:
        path = self.home / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def page(self, name: str) -> str:
        """The page that was opened last, once it is the one with that name."""

        def opened() -> Path | None:
            pages = self.opened.read_text().splitlines() if self.opened.exists() else []
            return Path(pages[-1]) if pages and Path(pages[-1]).name.startswith(name) else None

        return wait(opened, f"the page {name}").read_text()

    def set(self, **settings: str) -> None:
        config = self.home / "deskbell/config/config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))

    def choose(self, label: str) -> None:
        """Choose the first row with LABEL, wherever it is in the menu."""
        (item,) = re.findall(r"org\.kde\.StatusNotifierItem-[0-9-]+", self.xfce.items())
        menu = item, "/MenuBar", "com.canonical.dbusmenu"
        wanted = "int32:0", "int32:-1", "array:string:label"

        def found() -> str | None:  # the menu follows the icon within half a second
            layout = self.xfce.call(*menu[:2], f"{menu[2]}.GetLayout", *wanted)
            return next((number for number, text in ROW.findall(layout) if text == label), None)

        number = wait(found, f"the row {label}")
        self.xfce.call(
            *menu[:2], f"{menu[2]}.Event", f"int32:{number}", "string:clicked", "variant:int32:0", "uint32:0"
        )


@pytest.fixture
def panel(xfce: Desktop) -> Panel:
    return Panel(xfce)


@pytest.fixture
def person(xfce: Desktop, panel: Panel, tmp_path: Path) -> Iterator[Person]:
    one = Person(xfce, tmp_path / "home")
    panel.wait_for("uninstalled")
    yield one
    assert one.end() == (0, "")
    wait_until(lambda: "StatusNotifierItem-" not in xfce.items(), "the icon to leave the panel")
    assert "Traceback" not in (one.state / "deskbell.log").read_text()


def welcome(xfce: Desktop) -> Box:
    """Where the welcome is, once it no longer moves."""
    seen: list[Box | None] = []

    def still() -> Box | None:
        seen.append(message(xfce))
        return seen[-1] if len(seen) > 2 and seen[-1] == seen[-2] == seen[-3] else None

    return wait(still, "the welcome")


def test_the_welcome_edits_nothing_before_its_button_is_clicked(xfce: Desktop, person: Person, panel: Panel) -> None:
    person.set(show_in='"browser"')
    before = person.settings.read_bytes()
    _, _, right, bottom = welcome(xfce)
    xfce.click(*panel.centre(), MIDDLE)  # with no session there is a message, below the welcome
    wait_until(lambda: (message(xfce) or (0, 0, 0, 0))[3] > bottom + 20, "a message below the welcome")
    xfce.click(right - SHOW[0], bottom - SHOW[1])
    assert "deskbell_hooks/__main__.py" in person.page("changes")
    wait_until(lambda: message(xfce), "the offer, made again")
    assert person.settings.read_bytes() == before
    subprocess.run(
        [sys.executable, "-m", "deskbell", "install", "--yes"], env=person.env, check=True, stdout=subprocess.DEVNULL
    )
    panel.wait_for("quiet")
    wait_until(lambda: not message(xfce), "a screen without the offer")


def test_the_board_and_details_open_in_the_terminal_of_the_person(
    xfce: Desktop, person: Person, panel: Panel, tmp_path: Path
) -> None:
    tmux = ["tmux", "-S", str(tmp_path / "socket"), "-f", "/dev/null"]
    person.set(**{"[terminal]\ncommand": str(["xterm", "-geometry", "100x30", "-e", *tmux, "new-session", "--"])})
    person.choose("Install the hooks")
    panel.wait_for("quiet")
    person.ask_permission()
    panel.wait_for("blocked", 1)

    def shows(*texts: str) -> None:
        def screen() -> str:
            return subprocess.run([*tmux, "capture-pane", "-p"], capture_output=True, text=True, check=False).stdout

        wait(lambda: all(text in screen() for text in texts), f"{texts} in the terminal", seen=screen)

    def keys(*names: str) -> None:
        wait_until(lambda: xfce.xdotool("getactivewindow", "getwindowname").strip(), "the terminal in front")
        xfce.xdotool("key", *names)

    def closed() -> None:
        wait_until(
            lambda: subprocess.run([*tmux, "has-session"], capture_output=True, check=False).returncode, "an end"
        )
        wait_until(lambda: not xfce.xdotool("search", "--class", "xterm").strip(), "the window to close")

    panel.open_menu()
    xfce.xdotool("key", "Down", "Right", "Up", "Return")  # the last line of the first session: "Details"
    shows("Esc back", "wants to run npm publish", "Why it rang, or did not", "11111111-2222")
    keys("q")
    shows("Needs You 1", "█● home")
    keys("q")
    closed()
    panel.open_menu()
    xfce.xdotool("key", "Up", "Up", "Right", "Down", "Return")  # below "Start at login" in the submenu "Deskbell"
    shows("Needs You 1", "wants to run npm publish")
    keys("q")
    closed()
    assert not person.opened.exists()


def test_every_surface_is_a_page(xfce: Desktop, person: Person, panel: Panel) -> None:
    person.set(show_in='"browser"')
    person.choose("Install the hooks")
    panel.wait_for("quiet")
    person.ask_permission()
    panel.wait_for("blocked", 1)
    wait_until(lambda: message(xfce), "the ring, which Details tells of")
    person.choose("Details")
    details = person.page("details-")
    assert "wants to run npm publish" in details
    assert "Why it rang, or did not" in details
    person.choose("Doctor")
    assert "<h2>Works" in person.page("doctor")
    person.choose("About Deskbell")
    assert "deskbell why ID" in person.page("about")
    person.set(**{"[terminal]\ncommand": '"no-such-terminal"'})
    person.choose("Board")
    assert "npm publish" in person.page("board")


def test_only_copy_changes_the_clipboard_and_the_text_stays_until_another_program_copies(
    xfce: Desktop, person: Person, panel: Panel
) -> None:
    person.set(show_in='"browser"')
    person.choose("Install the hooks")
    panel.wait_for("quiet")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        person.hook("UserPromptSubmit", pid=client.pid, prompt="ship it")
        panel.wait_for("working")
        client.kill()
    with closing(Client(xfce.env["DISPLAY"])) as other:
        other.copies()
        wait_until(lambda: "1 crashed" in panel.tooltip(), "the crash")
        person.choose("Details")
        assert "claude --resume 11111111-2222" in person.page("details-")
        assert other.display.get_selection_owner(other.atom("CLIPBOARD")) == other.window
        person.choose("Copy resume command")
        wait_until(lambda: other.display.get_selection_owner(other.atom("CLIPBOARD")) != other.window, "the copy")
        assert str(other.reads("UTF8_STRING")).endswith("claude --resume 11111111-2222")
