"""Test that old sessions are cleared away, and that it is tried again until that works."""

import asyncio
import logging
import time

import pytest

from deskbell.board import Board
from deskbell.history.prune import DAY, SETTLING
from deskbell.home import home
from deskbell.notices.quiet import QuietFile, read
from deskbell.program.boundary import Boundary
from deskbell.program.tidying import Tidying
from tests.tray.commands.said import recorded
from tests.tray.virtual_time import play


def test_what_is_old_goes_and_that_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    recorded("dddd1111", "web")
    home().events.mkdir()
    record = home().sessions / "dddd1111.json"
    assert record.exists()
    for one in ("dddd1111", "another"):
        QuietFile(home().state, time.time).mute(one, True)
    caplog.set_level(logging.INFO)
    later = [0.0]
    tidying = Tidying(home(), Boundary(), lambda: time.time() + later[0], lambda: time.time() + later[0], Board)
    later[0] = 400 * DAY  # a clock is believed once the program has run for a day
    asyncio.run(tidying._tidy())
    assert not record.exists()
    assert list(read(home().state).sessions) == ["another"], "a mute goes with its session"
    assert "1 old sessions removed" in caplog.text


def test_it_is_done_again_every_day() -> None:
    rounds: list[float] = []

    class Counted(Tidying):
        async def _tidy(self) -> None:
            rounds.append(asyncio.get_running_loop().time())

    async def story() -> None:
        task = asyncio.create_task(Counted(home(), Boundary(), time.time, time.time, Board).run())
        await asyncio.sleep(2.5 * DAY + SETTLING)
        task.cancel()

    play(story())
    assert len(rounds) == 3
