"""Test the page about Deskbell."""

from deskbell.pages.about import page
from tests.tray.pages.test_markup import Read


def test_it_has_the_version_the_folders_and_the_commands() -> None:
    words = " ".join(Read(page("1.2.3", [("state", "/home/me/state")]).body).texts)
    assert words.startswith("Deskbell 1.2.3")
    assert "State /home/me/state" in words
    assert "deskbell why ID" in words
