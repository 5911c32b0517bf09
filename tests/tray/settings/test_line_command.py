"""Test the words of the statusline's command, and that Deskbell recognises its own and no other."""

import pytest

from deskbell.errors import Problem
from deskbell.settings.line_command import REFRESHED, Line, Own, Registered, command, registered
from deskbell_hooks.statusline import SPARING

LINE = Line("/usr/bin/python3", "/h/it's/deskbell_hooks/__main__.py", "/state", "/config.toml")
WINDOWS = Line(r"C:\py\python.exe", r"C:\d\deskbell_hooks\__main__.py", r"C:\d\state", r"C:\d\config.toml")
SLASHED = Line("C:/py/python.exe", "C:/d/deskbell_hooks/__main__.py", "C:/d/state", "C:/d/config.toml")
OWNS = [
    Own('"~/x.sh"', "first"),
    Own('"a\\nb"', "last", refreshed=True),
    Own('"\\u00e9 \\/"', "first", refreshed=True),
    Own('"it\'s \\"quoted\\" $(x) `y` \\\\\\\\"', "last"),
]


def test_the_statusline_knows_the_word_for_a_refresh_that_install_added() -> None:
    assert REFRESHED == SPARING


@pytest.mark.parametrize("own", [None, *OWNS])
def test_a_command_tells_what_it_starts_and_what_it_is_chained_to(own: Own | None) -> None:
    assert registered(command(LINE, own)) == Registered(LINE, own)


def test_on_windows_the_words_mean_the_same_to_both_shells() -> None:
    words = command(WINDOWS, None, windows=True)
    assert words == "C:/py/python.exe -I -S C:/d/deskbell_hooks/__main__.py statusline C:/d/state C:/d/config.toml"
    assert registered(words) == Registered(SLASHED)


REFUSED = [
    (Line("/a\nb", "/m", "/s", "/c"), None, False, "cannot hold the path"),
    (LINE, Own('"a\\u0000b"', "first"), False, "no shell can take. Nothing was changed. Remove it, then try again."),
    (LINE, Own('"a\\ud800b"', "first"), False, "no shell can take. Nothing was changed. Remove it, then try again."),
    (WINDOWS, OWNS[0], True, "in Git Bash or in PowerShell"),
    (
        Line(r"C:\Program Files\python.exe", "m", "s", "c"),
        None,
        True,
        "has spaces or signs: C:/Program Files/python.exe",
    ),
]


@pytest.mark.parametrize(("line", "own", "windows", "said"), REFUSED)
def test_what_no_settings_file_or_shell_can_hold_is_refused(
    line: Line, own: Own | None, windows: bool, said: str
) -> None:
    with pytest.raises(Problem, match=said):
        command(line, own, windows)


ALONE = command(LINE, None)
FOREIGN: list[object] = [
    None,
    5,
    "",
    "~/statusline.sh",
    f"{ALONE} | cat",
    f"nice {ALONE}",
    ALONE.replace("deskbell_hooks", "other"),
    ALONE.replace("statusline '", "record '"),
    command(LINE, OWNS[0]).replace(" first ", " middle "),
]


@pytest.mark.parametrize("words", FOREIGN)
def test_a_command_that_deskbell_did_not_write_is_not_its_own(words: object) -> None:
    assert registered(words) is None


def test_an_own_command_that_was_edited_within_ours_counts_as_it_is_now() -> None:
    words = command(LINE, Own('"\\u00e9"', "first"))
    for edited in (words.replace("o='é'", "o='new'"), words.replace("\\u00e9", "nonsense\\")):
        there = registered(edited)
        assert there is not None
        assert there.own is not None
        assert there.own.command in ("new", "é")
        assert there.own.text in ('"new"', '"é"')
