"""Open the person's terminal with a command in a folder.

Which terminal: that of the settings, else $TERMINAL, else that of the desktop, else the first known one that is
installed. No shell is given a text made of names: a terminal gets words, and on a Mac a script with strict quotes.
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
"""Seconds in which a terminal that ends with an error has not opened. One that asks a server ends well."""
STEP = "Name another one: `deskbell config set terminal.command NAME`."

Setting = tuple[str, ...]
"""The name of a terminal, or that and its options, which the command follows; empty for that of the desktop."""
_opened: "list[subprocess.Popen[bytes]]" = []
"""The terminals that run, so that those that have ended are collected."""

Which = Callable[[str], str | None]


class Start(NamedTuple):
    words: list[str]
    new_console: bool = False
    """Whether Windows itself opens a window for the command."""


def open_terminal(command: Sequence[str], folder: str, setting: Setting, scripts: Path) -> None:
    """Raise Problem if no terminal opens. It takes up to WATCHED seconds. SCRIPTS: where a Mac's script is written."""
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
    """An application is named in the settings as `open -a` knows it: "Terminal", "iTerm"."""
    if len(setting) > 1 or (setting and which(setting[0])):
        return _set(command, folder, setting, which)
    path = scripts / f"resume-{os.urandom(8).hex()}.command"
    write_private(path, script(command, folder).encode(errors="surrogateescape"), 0o700)
    return Start(["open", "-a", setting[0] if setting else "Terminal", str(path)])


def script(command: Sequence[str], folder: str) -> str:
    """Return a script that deletes itself, and becomes the command."""
    return f'#!/bin/sh\nrm -f -- "$0"\ncd -- {shlex.quote(folder)} || exit 1\nexec {shlex.join(command)}\n'


def for_windows(command: Sequence[str], folder: str, setting: Setting, which: Which) -> Start:
    if setting:
        return _set(command, folder, setting, which)
    if not which("wt.exe"):
        return Start(list(command), new_console=True)
    # A semicolon begins another command: https://learn.microsoft.com/windows/terminal/command-line-arguments
    given = [word.replace(";", "\\;") for word in ("-d", folder, *command)]
    return Start(["wt.exe", *given])


def run(start: Start, folder: str) -> None:
    """Start the terminal in FOLDER, and watch for a moment whether it ends with an error."""
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
        raise Problem(f"{program} could not be started: {reason(error)}.", STEP) from None
    _opened[:] = [one for one in (*_opened, process) if one.poll() is None]
    try:
        code = process.wait(WATCHED)
    except subprocess.TimeoutExpired:
        return
    if code:
        raise Problem(f"{program} ended at once with error {code}.", STEP)
