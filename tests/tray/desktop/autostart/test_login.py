"""Test the start at login as the menu shows and changes it."""

from pathlib import Path

from deskbell.desktop.autostart import Login


def test_it_is_unknown_until_it_is_examined(private_home: Path) -> None:
    assert Login().on is None


def test_it_is_switched_on_and_off(private_home: Path) -> None:
    for on in (True, False):
        Login().set(on)
        login = Login()
        login.examine()
        assert login.on is on
