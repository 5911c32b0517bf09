"""Show a file to the person, and put a text on their clipboard, with the programs of their desktop."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from deskbell.errors import Problem, reason
from deskbell.helper import run
from deskbell.home import environment
from deskbell.text.clean import is_harmless

PATIENCE = 5.0
"""Seconds that a clipboard program has."""
BY_HAND = "Select the text and copy it yourself."


def start(command: Sequence[str]) -> None:
    """Start COMMAND in a session of its own, without input and output, and do not wait for it."""
    nothing = subprocess.DEVNULL
    subprocess.Popen(  # the callers give fixed programs
        command, env=environment(os.environ), stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    )


def show(path: Path) -> None:
    """Open PATH with the program that the person has chosen for such files. Raise Problem if there is none."""
    if sys.platform == "win32":
        os.startfile(path)
        return
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    if not shutil.which(opener):
        raise Problem(f"{opener} is not installed. Open {path} yourself.")
    start([opener, str(path)])


def copy(text: str) -> None:
    """Put TEXT on the clipboard. Raise Problem if no program here can, or if TEXT would act where it is pasted."""
    if not is_harmless(text):
        raise Problem("The text has control characters, which act on a terminal.", "It is not copied.")
    command = _clipboard(os.environ)
    if command is None:
        raise Problem("No clipboard program found. Install xclip, xsel or wl-clipboard.")
    given, env = text.encode("utf-16-le" if sys.platform == "win32" else "utf-8"), environment(os.environ)
    try:
        # xclip and its kind leave a child that serves the text.
        done = run(command, PATIENCE, given=given, env=env, children="leave")
    except TimeoutError:
        why = f"it took longer than {PATIENCE:g} seconds"
    except OSError as error:
        why = reason(error)
    else:
        why = f"it ended with {done.code}" if done.code else ""
    if why:
        raise Problem(f"{command[0]} could not fill the clipboard: {why}.", BY_HAND)


def _clipboard(env: Mapping[str, str]) -> Sequence[str] | None:
    if sys.platform == "darwin":
        return ("pbcopy",)
    if sys.platform == "win32":
        return ("clip.exe",)
    wayland = [("wl-copy",)] if env.get("WAYLAND_DISPLAY") else []
    candidates = [*wayland, ("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    return next((command for command in candidates if shutil.which(command[0])), None)


def clipboard_program() -> str | None:
    """The name of the program that fills the clipboard, None if there is none."""
    command = _clipboard(os.environ)
    return command[0] if command else None
