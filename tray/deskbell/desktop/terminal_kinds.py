"""List the known terminals, and make for each the command that runs a command in a folder. Pure.

Each takes the command as words, which no shell reads. Rows without a source were tried on the program itself.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

FOLDER = "{folder}"
URI = "{uri}"
"""Stands for the URI of the folder."""


class Kind(NamedTuple):
    """How a terminal takes a command."""

    words: tuple[str, ...]
    """The words between the program and the command."""
    changes: str = ""
    """Characters that the terminal would change in the command."""


KINDS: dict[str, Kind] = {
    # Uses the current folder: https://github.com/Vladimir-csp/xdg-terminal-exec. Older versions do not know --dir.
    "xdg-terminal-exec": Kind(()),
    "gnome-terminal": Kind(("--working-directory={folder}", "--")),
    # ptyxis-application.c makes a URI of a path without quoting it, so "100%" or "c#" would be another folder.
    "ptyxis": Kind(("--new-window", "--working-directory={uri}", "--")),
    "kgx": Kind(("--working-directory={folder}", "--")),  # kgx-utils.c: after -e it splits a command of one word
    "konsole": Kind(("--workdir", FOLDER, "-e"), "$"),
    "xfce4-terminal": Kind(("--working-directory={folder}", "-x")),
    "mate-terminal": Kind(("--working-directory={folder}", "-x")),
    "tilix": Kind(("--working-directory={folder}", "-e"), "$ '\"\\`&;|<>()*?#~"),
    "terminator": Kind(("--working-directory={folder}", "-x")),
    "lxterminal": Kind(("--working-directory={folder}", "-e")),
    "qterminal": Kind(("--workdir", FOLDER, "-e")),
    "kitty": Kind(("--directory", FOLDER)),
    "ghostty": Kind(("--working-directory={folder}", "-e")),  # Config.zig
    "wezterm": Kind(("start", "--cwd", FOLDER, "--")),  # https://wezterm.org/cli/start.html
    "alacritty": Kind(("--working-directory", FOLDER, "-e")),
    "foot": Kind(("--working-directory={folder}",)),  # foot(1)
    "xterm": Kind(("-e",)),
}
ANY = Kind(("-e",))
"""For an unknown terminal. Debian requires that every x-terminal-emulator understands it."""
OF_DESKTOPS: dict[str, tuple[str, ...]] = {
    "GNOME": ("ptyxis", "kgx", "gnome-terminal"),
    "KDE": ("konsole",),
    "XFCE": ("xfce4-terminal",),
    "MATE": ("mate-terminal",),
    "X-CINNAMON": ("gnome-terminal",),
    "LXDE": ("lxterminal",),
    "LXQT": ("qterminal",),
}
"""A name in XDG_CURRENT_DESKTOP -> the terminals of that desktop."""


def candidates(env: Mapping[str, str]) -> list[str]:
    """Return the terminals to look for, the person's own choice first."""
    desktops = env.get("XDG_CURRENT_DESKTOP", "").upper().split(":")
    of_desktop = [name for desktop in desktops for name in OF_DESKTOPS.get(desktop, ())]
    named = [env["TERMINAL"]] if env.get("TERMINAL") else []
    return list(dict.fromkeys([*named, "xdg-terminal-exec", *of_desktop, "x-terminal-emulator", *KINDS]))


def is_kept(program: str, command: Sequence[str]) -> bool:
    """Return whether the terminal runs COMMAND unchanged."""
    return not set(_kind(program).changes) & set("".join(command))


def words(program: str, command: Sequence[str], folder: str) -> list[str]:
    """Return the words that start COMMAND in FOLDER in the terminal PROGRAM, a name or a path."""
    return [program, *(_filled(word, folder) for word in _kind(program).words), *command]


def _filled(word: str, folder: str) -> str:
    if URI in word:
        return word.replace(URI, f"file://{quote(folder.encode(errors='surrogateescape'))}")
    return word.replace(FOLDER, folder)


def _kind(program: str) -> Kind:
    return KINDS.get(program.rpartition("/")[2], ANY)
