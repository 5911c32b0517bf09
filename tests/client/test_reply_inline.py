"""Test a reply to the real client from its notification: a daemon has a field for a text, as Plasma has."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client.api import Api
from tests.client.claude import Claude
from tests.client.test_reply import Stage
from tests.tray.desktop.fake_daemon import Daemon, Shown, play, private_bus
from tests.waiting import wait_in_loop

pytestmark = pytest.mark.timeout(120)
PLASMA = ("actions", "body", "body-markup", "inline-reply")
SETTINGS = "[answers]\nreply = true\n[rings.idle]\nmin_turn = 0\n"


def with_field(daemon: Daemon) -> Shown | None:
    return next((one for one in daemon.screen.values() if "inline-reply" in one.actions), None)


def test_a_text_that_is_typed_into_the_notification_is_the_next_prompt(
    claude: Claude, api: Api, tmp_path: Path
) -> None:
    api.requests.clear()
    stage = Stage(claude, api)
    (claude.home / "deskbell" / "config" / "config.toml").write_text(SETTINGS)
    env: dict[str, Any] = {**claude.environment, "PYTHONPATH": os.pathsep.join(sys.path)}

    async def story(address: str) -> None:
        daemon = await Daemon(address, name="Plasma", capabilities=PLASMA).up()
        command = [sys.executable, "-m", "deskbell", "run", "--headless"]
        with (claude.home / "output").open("wb") as output:
            running = subprocess.Popen(
                command,
                env={**env, "DBUS_SESSION_BUS_ADDRESS": address},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            # A turn that was over when the program started does not ring.
            await wait_in_loop((claude.home / "deskbell" / "state" / "deskbell.log").exists, "the program")
            tui = await asyncio.to_thread(stage.start)
            await asyncio.to_thread(tui.scenario, "plain")
            shown = await wait_in_loop(lambda: with_field(daemon), "a notification", seen=lambda: daemon.screen)
            assert shown.actions[shown.actions.index("inline-reply") + 1] == "Reply to Claude"
            daemon.reply(shown.id, "go on, 日本語 & <b>all</b>")
            await asyncio.to_thread(stage.hears, tui, "go on, 日本語 & <b>all</b>")
            log = claude.home / "deskbell" / "state" / "decisions.jsonl"
            await wait_in_loop(lambda: '"verdict": "replied"' in log.read_text(), "the receipt", seen=log.read_text)
            assert "to reply to it" in log.read_text()
            assert "日本語" not in log.read_text()
        finally:
            running.terminate()
            await asyncio.to_thread(running.wait, 20)

    with private_bus(tmp_path) as address:
        play(story(address))
