"""Test which way a text takes to the clipboard, and what a failure says."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deskbell.desktop.clipboard import Clipboard, held, way
from deskbell.errors import Problem
from deskbell.supervision import Supervisor
from tests.waiting import wait

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the clipboards of X11 and Wayland")

X11 = {"DISPLAY": ":7"}


@dataclass
class Held:
    """A clipboard of X11."""

    is_kept: bool = True
    """Whether a clipboard manager takes the text over at the end."""
    did: list[str] = field(default_factory=list)

    def serve(self) -> None:
        self.did.append("serve")

    def end(self) -> bool:
        self.did.append("end")
        return self.is_kept

    def close(self) -> None:
        self.did.append("close")


@dataclass
class Threads:
    """Runs each thread at once; or starts none."""

    few: bool = False
    parts: list[str] = field(default_factory=list)

    def thread(self, part: str, work: Callable[[], None]) -> bool:
        self.parts.append(part)
        if not self.few:
            work()
        return not self.few


@dataclass
class Screen:
    """A desktop of ENV, with a program that fills its clipboard where PROGRAM names one."""

    env: dict[str, str]
    folder: Path
    threads: Threads = field(default_factory=Threads)
    taken: list[tuple[str, str]] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.env["PATH"] = f"{self.folder}:/usr/bin:/bin"
        supervisor: Supervisor = self.threads  # type: ignore[assignment]  # it starts threads only
        self.clipboard = Clipboard(supervisor, self.env, self._take)

    def _take(self, display: str, text: str) -> Held:
        self.taken.append((display, text))
        self.held.append(Held())
        return self.held[-1]

    def has(self, name: str, script: str) -> None:
        (self.folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.folder / name).chmod(0o755)


def test_on_x11_deskbell_holds_the_text_itself(tmp_path: Path) -> None:
    screen = Screen(dict(X11), tmp_path)
    screen.has("xclip", "exit 1")
    assert screen.clipboard.copy("cd /srv/api && claude --resume a1") == ""
    assert screen.taken == [(":7", "cd /srv/api && claude --resume a1")]
    assert (screen.threads.parts, screen.held[0].did) == (["clipboard"], ["serve"])


def test_at_the_end_the_newest_text_is_left_to_the_desktop(tmp_path: Path) -> None:
    screen = Screen(dict(X11), tmp_path)
    assert screen.clipboard.close(), "nothing is lost"
    screen.clipboard.copy("one")
    screen.clipboard.copy("two")
    assert screen.clipboard.close()
    screen.held[-1].is_kept = False
    assert not screen.clipboard.close()
    assert [one.did for one in screen.held] == [["serve"], ["serve", "end", "end"]]


def test_without_a_thread_the_clipboard_is_let_go(tmp_path: Path) -> None:
    screen = Screen(dict(X11), tmp_path, threads=Threads(few=True))
    with pytest.raises(Problem, match="starts no more threads"):
        screen.clipboard.copy("text")
    assert screen.held[0].did == ["close"]


def test_on_wayland_wl_copy_gets_the_text(tmp_path: Path) -> None:
    screen = Screen(X11 | {"WAYLAND_DISPLAY": "wayland-0"}, tmp_path)
    screen.has("wl-copy", f"cat > {tmp_path}/held")
    assert screen.clipboard.copy("text") == ""
    assert ((tmp_path / "held").read_text(), screen.taken) == ("text", [])


def test_wl_copy_stays_to_serve_the_text(tmp_path: Path) -> None:
    screen = Screen({"WAYLAND_DISPLAY": "wayland-0"}, tmp_path)
    go, served = tmp_path / "go", tmp_path / "served"
    screen.has("wl-copy", f"(until [ -e {go} ]; do sleep 0.01; done; touch {served}) &")
    screen.clipboard.copy("text")
    go.touch()
    wait(served.exists)


def test_a_program_that_fails_is_a_problem(tmp_path: Path) -> None:
    screen = Screen({"WAYLAND_DISPLAY": "wayland-0"}, tmp_path)
    screen.has("wl-copy", "exit 1")
    with pytest.raises(Problem, match=r"^wl-copy could not fill the clipboard: it ended with 1\. Select the text"):
        screen.clipboard.copy("text")


def test_a_program_that_cannot_be_started_is_a_problem(tmp_path: Path) -> None:
    screen = Screen({"WAYLAND_DISPLAY": "wayland-0"}, tmp_path)
    screen.has("wl-copy", "")
    (tmp_path / "wl-copy").write_bytes(b"\x7fELF nonsense")
    screen.env["PATH"] = str(tmp_path)
    with pytest.raises(Problem, match="wl-copy could not fill the clipboard: Exec format error"):
        screen.clipboard.copy("text")


def test_a_text_that_wayland_gets_through_x11_may_not_have_arrived(tmp_path: Path) -> None:
    screen = Screen(X11 | {"WAYLAND_DISPLAY": "wayland-0"}, tmp_path)
    screen.env["PATH"] = str(tmp_path)
    assert screen.clipboard.copy("text") == (
        "It went through X11, and not every Wayland desktop takes it from there. Install wl-clipboard."
    )
    assert screen.taken == [(":7", "text")]


@pytest.mark.parametrize(
    ("env", "why"), [({}, "there is no screen"), ({"WAYLAND_DISPLAY": "wayland-0"}, "wl-copy is not installed")]
)
def test_where_nothing_fills_the_clipboard_one_sentence_says_so(env: dict[str, str], why: str, tmp_path: Path) -> None:
    screen = Screen(dict(env), tmp_path)
    screen.env["PATH"] = str(tmp_path)
    with pytest.raises(Problem, match=rf"^Nothing can fill the clipboard: {why}\. Select the text and copy it"):
        screen.clipboard.copy("text")


def test_a_text_that_acts_where_it_is_pasted_is_not_copied(tmp_path: Path) -> None:
    screen = Screen(dict(X11), tmp_path)
    with pytest.raises(
        Problem, match=r"^The text has control characters, which act on a terminal\. It is not copied\.$"
    ):
        screen.clipboard.copy("cd '/srv/\x1b[201~\n'")
    assert screen.taken == []


def test_lines_that_the_person_has_typed_are_copied_and_nothing_else_that_acts(tmp_path: Path) -> None:
    screen = Screen(dict(X11), tmp_path)
    screen.clipboard.copy("one\ntwo", lines=True)
    with pytest.raises(Problem, match="control characters"):
        screen.clipboard.copy("one\r\x1b[201~two", lines=True)
    assert [text for _, text in screen.taken] == ["one\ntwo"]


def test_a_server_that_has_gone_is_a_problem() -> None:
    with pytest.raises(Problem, match="The X server does not answer"):
        held("nowhere", "text")


def test_the_way_is_known_without_a_copy(tmp_path: Path) -> None:
    wayland = {"WAYLAND_DISPLAY": "wayland-0", "PATH": str(tmp_path)}
    assert (way({}), way(X11), way(wayland), way(wayland | X11)) == (None, "X11", None, "XWayland")
    (tmp_path / "wl-copy").touch()
    (tmp_path / "wl-copy").chmod(0o755)
    assert way(wayland) == "wl-copy"
