"""Test which terminals are looked for, and the words with which each starts a command in a folder."""

import pytest

from deskbell.desktop.terminal_kinds import KINDS, OF_DESKTOPS, candidates, is_kept, words

COMMAND = ["/usr/bin/deskbell", "resume", "a1"]
HOSTILE = "/srv/it's; $(id) {folder} -x"
SAYS = {
    "xterm": ["-e"],
    "xfce4-terminal": [f"--working-directory={HOSTILE}", "-x"],
    "gnome-terminal": [f"--working-directory={HOSTILE}", "--"],
    "konsole": ["--workdir", HOSTILE, "-e"],
    "kitty": ["--directory", HOSTILE],
    "/opt/bin/alacritty": ["--working-directory", HOSTILE, "-e"],
    "wezterm": ["start", "--cwd", HOSTILE, "--"],
    "ghostty": [f"--working-directory={HOSTILE}", "-e"],
    "kgx": [f"--working-directory={HOSTILE}", "--"],
    "foot": [f"--working-directory={HOSTILE}"],
    "ptyxis": ["--new-window", "--working-directory=file:///srv/it%27s%3B%20%24%28id%29%20%7Bfolder%7D%20-x", "--"],
    "xdg-terminal-exec": [],
    "/usr/bin/x-terminal-emulator": ["-e"],
    "one-that-nobody-knows": ["-e"],
}


@pytest.mark.parametrize(("program", "between"), SAYS.items())
def test_a_terminal_gets_the_command_and_the_folder_as_words(program: str, between: list[str]) -> None:
    assert words(program, COMMAND, HOSTILE) == [program, *between, *COMMAND]


def test_a_folder_that_is_no_text_has_its_uri() -> None:
    assert (
        words("ptyxis", COMMAND, "/srv/100%/c#/\udcff{uri}")[2]
        == "--working-directory=file:///srv/100%25/c%23/%FF%7Buri%7D"
    )
    assert words("kitty", COMMAND, "/srv/{uri}")[2] == "/srv/{uri}"


@pytest.mark.parametrize("program", KINDS)
def test_every_known_terminal_ends_with_the_command(program: str) -> None:
    assert words(program, COMMAND, "/srv")[-3:] == COMMAND


def test_a_terminal_that_changes_words_is_known_by_the_characters() -> None:
    """Konsole puts variables in (25.04), Tilix splits the words again (1.9.5)."""
    assert not is_kept("/usr/bin/konsole", ["a", "$HOME"])
    assert is_kept("konsole", ["a b"])
    assert not is_kept("tilix", ["a b"])
    assert is_kept("tilix", COMMAND)
    assert is_kept("xterm", ["$HOME", "a b"])


def test_the_choice_of_the_person_comes_first_then_that_of_the_desktop() -> None:
    assert candidates({"TERMINAL": "st", "XDG_CURRENT_DESKTOP": "ubuntu:GNOME"})[:6] == [
        "st",
        "xdg-terminal-exec",
        *OF_DESKTOPS["GNOME"],
        "x-terminal-emulator",
    ]
    assert candidates({"XDG_CURRENT_DESKTOP": "X-Cinnamon"})[1] == "gnome-terminal"
    assert candidates({})[:2] == ["xdg-terminal-exec", "x-terminal-emulator"]


def test_every_known_terminal_is_looked_for_once() -> None:
    found = candidates({"TERMINAL": "kitty", "XDG_CURRENT_DESKTOP": "KDE"})
    assert sorted(found) == sorted({*KINDS, "x-terminal-emulator"})
