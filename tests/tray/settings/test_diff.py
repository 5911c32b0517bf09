"""Test that a change of a settings file is shown to the byte."""

from pathlib import Path

import pytest

from deskbell.settings.diff import diff
from deskbell.settings.settings_file import Change

PATH = Path("/home/zoë/settings.json")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Change(PATH, b"a\n", b"a\n"), ""),
        (Change(PATH, None, b"a\n"), f"--- /dev/null\n+++ {PATH}\n@@ -0,0 +1 @@\n+a\n"),
        (Change(PATH, b"a", None), f"--- {PATH}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n"),
        (Change(PATH, b"a\r\n", b"b\r\n"), f"--- {PATH}\n+++ {PATH}\n@@ -1 +1 @@\n-a\r\n+b\r\n"),
    ],
    ids=["nothing", "a new file", "a removed file", "other line ends"],
)
def test_a_change_is_shown_as_patch_takes_it(change: Change, text: str) -> None:
    assert diff(change) == text
