"""Open the person's terminal with a command in a folder.

The terminal is that of the settings, else $TERMINAL, else that of the desktop, else the first known one that is
installed. No name becomes part of a text for a shell: a terminal gets words, and on a Mac a script with strict quotes.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deskbell.desktop.terminal_kinds import candidates, is_kept, words
from deskbell.errors import Problem, reason
from deskbell.files.write import write_private
from deskbell.home import environment

WATCHED = 1.0
"""Seconds. A terminal that ends with an error within this time has not opened. One that hands the command to its server
ends early, too, but without an error."""
STEP = "Name another one: `deskbell config set terminal.command NAME`."

Setting = tuple[str, ...]
"""The name of a terminal, perhaps followed by all its options; empty for the terminal of the desktop."""
_opened: "list[subprocess.Popen[bytes]]" = []
"""The terminals that run. They are kept so that those that end leave no zombies."""

Which = Callable[[str], str | None]


class Start(NamedTuple):
    """The words that start a terminal with its command."""

    words: list[str]
    new_console: bool = False
    """Whether Windows itself opens a window for the command."""


def open_terminal(command: Sequence[str], folder: str, setting: Setting, scripts: Path) -> None:
    """Run COMMAND in a terminal. Block for up to WATCHED seconds. Raise Problem if no terminal opens.

    SCRIPTS: the folder for the script on a Mac.
    """
    if sys.platform == "darwin":
        start = for_mac(command, folder, setting, shutil.which, scripts)
    elif sys.platform == "win32":
        start = for_windows(command, folder, setting, shutil.which)
    else:
        start = for_linux(command, folder, setting, os.environ, shutil.which)
    run(start, folder)


def opens(setting: Setting) -> str:
    """Return the program that opens a terminal. Raise Problem if none is found."""
    if sys.platform == "darwin":
        return setting[0] if setting else "Terminal"
    if sys.platform == "win32":
        return for_windows(("deskbell",), "", setting, shutil.which).words[0]
    return for_linux(("deskbell",), "", setting, os.environ, shutil.which).words[0]


def for_linux(command: Sequence[str], folder: str, setting: Setting, env: Mapping[str, str], which: Which) -> Start:
    """Return the start on Linux. Raise Problem if no terminal fits."""
    if setting:
        return _set(command, folder, setting, which)
    for name in candidates(env):
        if which(name) and is_kept(name, command):
            return Start(words(name, command, folder))
    raise Problem("No terminal was found.", STEP)


def _set(command: Sequence[str], folder: str, setting: Setting, which: Which) -> Start:
    program, *options = setting
    if not which(program):
        raise Problem(f"The terminal of your settings, {program}, is not installed.", STEP)
    if options:
        return Start([*setting, *command])
    if not is_kept(program, command):
        raise Problem(f"{program} would change the command: {shlex.join(command)}.", STEP)
    return Start(words(program, command, folder))


def for_mac(command: Sequence[str], folder: str, setting: Setting, which: Which, scripts: Path) -> Start:
    """Return the start on a Mac. SETTING may be the name of an application for `open -a`: "Terminal", "iTerm"."""
    if len(setting) > 1 or (setting and which(setting[0])):
        return _set(command, folder, setting, which)
    path = scripts / f"resume-{os.urandom(8).hex()}.command"
    write_private(path, script(command, folder).encode(errors="surrogateescape"), 0o700)
    return Start(["open", "-a", setting[0] if setting else "Terminal", str(path)])


def script(command: Sequence[str], folder: str) -> str:
    """Return a script that deletes itself and then runs the command in its own place."""
    return f'#!/bin/sh\nrm -f -- "$0"\ncd -- {shlex.quote(folder)} || exit 1\nexec {shlex.join(command)}\n'


def for_windows(command: Sequence[str], folder: str, setting: Setting, which: Which) -> Start:
    """Return the start on Windows. Raise Problem if the terminal of SETTING does not fit."""
    if setting:
        return _set(command, folder, setting, which)
    if not which("wt.exe"):
        return Start(list(command), new_console=True)
    # A semicolon begins another command: https://learn.microsoft.com/windows/terminal/command-line-arguments
    given = [word.replace(";", "\\;") for word in ("-d", folder, *command)]
    return Start(["wt.exe", *given])


def run(start: Start, folder: str) -> None:
    """Start the terminal in FOLDER. Raise Problem if it ends with an error within WATCHED seconds."""
    program, nothing = start.words[0], subprocess.DEVNULL
    flags = getattr(subprocess, "CREATE_NEW_CONSOLE", 0) if start.new_console else 0
    given = None if start.new_console else nothing
    try:
        process = subprocess.Popen(
            start.words,
            cwd=folder,
            env=environment(os.environ),
            stdin=given,
            stdout=given,
            stderr=given,
            start_new_session=True,
            creationflags=flags,
        )
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.filename == folder:
            why = "no longer exists" if isinstance(error, FileNotFoundError) else f"cannot be used: {error.strerror}"
            raise Problem(f"The folder {folder} {why}.", "Make it again, or run the command elsewhere.") from None
        raise Problem(f"{program} could not be started: {reason(error)}.", STEP) from None
    _opened[:] = [one for one in (*_opened, process) if one.poll() is None]
    try:
        code = process.wait(WATCHED)
    except subprocess.TimeoutExpired:
        return
    if code:
        raise Problem(f"{program} ended at once with error {code}.", STEP)
