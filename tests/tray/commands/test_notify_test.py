"""Test `deskbell notify-test` with and without a daemon."""

import asyncio

import pytest

from deskbell.__main__ import main
from deskbell.commands.notify_test import not_displayed
from tests.tray.desktop.fake_daemon import Daemon, play, until

Out = pytest.CaptureFixture[str]


def test_without_a_daemon_it_says_so_and_what_to_do(capsys: Out, address: str) -> None:
    assert main(["notify-test", "--wait", "0"]) == 1
    assert "No notification daemon answers. Start one" in capsys.readouterr().err


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_a_system_without_daemons_is_not_asked_to_start_one(platform: str) -> None:
    assert str(not_displayed(platform)) == "This system does not display it. Allow Deskbell to notify in its settings."


def test_it_says_who_displayed_it_and_that_it_was_clicked(capsys: Out, address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address, "Fake").up()
        command = asyncio.create_task(asyncio.to_thread(main, ["notify-test", "plan", "--wait", "20"]))
        await until(lambda: daemon.screen, "the notification")
        (shown,) = daemon.screen.values()
        assert " has a plan" in shown.title
        assert "A test of Deskbell" in f"{shown.title}\n{shown.body}"
        daemon.click(next(iter(daemon.screen)), token="tok")  # an activation token
        assert await command == 0
        await until(lambda: not daemon.screen, "an empty screen")

    play(story())
    out = capsys.readouterr().out
    assert "Displayed by Fake 1.0." in out
    assert "Clicked: jump, with an activation token." in out


def test_it_says_that_it_was_closed(capsys: Out, address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        command = asyncio.create_task(asyncio.to_thread(main, ["notify-test", "--wait", "20"]))
        await until(lambda: daemon.screen, "the notification")
        daemon.close(next(iter(daemon.screen)), 2)
        assert await command == 0

    play(story())
    assert "It was dismissed or it expired." in capsys.readouterr().out


def test_it_says_that_it_was_not_clicked_and_takes_it_off_the_screen(capsys: Out, address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        assert await asyncio.to_thread(main, ["notify-test", "--wait", "0.1"]) == 0
        assert (daemon.screen, daemon.calls.count("Notify")) == ({}, 1)

    play(story())
    assert "It was not clicked." in capsys.readouterr().out


def test_it_says_why_a_daemon_does_not_display_it(capsys: Out, address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address, "Fake").up()
        daemon.refuses = True
        assert await asyncio.to_thread(main, ["notify-test", "--wait", "0"]) == 1

    play(story())
    said = capsys.readouterr().err
    assert "The notification is not displayed: Refused: Fake 1.0 refused it: tests.Full" in said
    assert "No notification daemon" not in said
