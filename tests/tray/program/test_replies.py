"""Test a reply that was typed into a notification: one that does not arrive is told of, with the way to the session."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from deskbell.errors import Misuse, Problem
from deskbell.face.actions import Jump, Resume
from deskbell.home import Home
from deskbell.notices.notice import Button
from deskbell.program.replies import reply_to
from deskbell.session import Session
from tests.tray.making import session

Said = list[tuple[str, str, str, tuple[Button, ...]]]


def done(about: Session, typed: str | None, root: Path, on: bool = True) -> tuple[Said, list[str]]:
    """Return what was said, and what is on the clipboard."""
    home = Home(root / "state", root / "data", root / "config")
    home.config.mkdir()
    (home.config / "config.toml").write_text(f"[answers]\nreply = {str(on).lower()}\n")
    said: Said = []
    copied: list[str] = []

    def copy(text: str) -> str:
        copied.append(text)
        return ""

    def say(slot: str, title: str, text: str, *buttons: Button, **_: Any) -> None:
        said.append((slot, title, text, buttons))

    asyncio.run(reply_to(about, typed, home, copy, say))
    return said, copied


def test_what_does_not_arrive_is_told_and_kept(tmp_path: Path) -> None:
    about = session(status="idle", pid=2**30)
    ((slot, title, text, (button,)),), copied = done(about, "go on", tmp_path)
    assert (slot, title) == ("reply", "api: Ship it")
    assert text == (
        "Not delivered: it is not known which process on this machine runs the session. Jump to it and type there. "
        "The text is on the clipboard."
    )
    assert button.action == Jump(about.key)
    assert copied == ["go on"]


def test_what_the_clipboard_does_not_take_is_in_the_message(tmp_path: Path) -> None:
    said: list[str] = []

    def refuse(text: str) -> str:
        raise Problem("There is no clipboard.")

    (tmp_path / "config.toml").write_text("[answers]\nreply = true\n")
    home = Home(tmp_path, tmp_path, tmp_path)
    asyncio.run(reply_to(session(status="ended"), "go on", home, refuse, lambda *a, **_: said.append(a[2])))
    assert said[0].endswith("The text is not on the clipboard either: There is no clipboard.\nYou typed: go on")


def test_a_session_that_has_ended_is_offered_to_be_resumed(tmp_path: Path) -> None:
    about = session(status="ended")
    ((_, _, text, (button,)),), _ = done(about, "go on", tmp_path)
    assert text.startswith("Not delivered: the session has ended.")
    assert button.action == Resume(about.key)


@pytest.mark.parametrize(("typed", "error"), [(None, Problem), (" ", Misuse)])
def test_nothing_typed_is_a_problem(typed: str | None, error: type[Problem], tmp_path: Path) -> None:
    with pytest.raises(error):
        done(session(status="idle"), typed, tmp_path)


def test_a_reply_is_refused_once_the_person_has_switched_them_off(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="switched off"):
        done(session(status="idle"), "go on", tmp_path, on=False)
