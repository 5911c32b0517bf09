"""More steps for the scenes of the contract, beside those in `tests.client.stage`."""

import json
import re
import time
from contextlib import suppress

from tests.client.contract.seen import Json
from tests.client.contract.watched import Witness
from tests.client.stage import Stage, Step
from tests.waiting import Late, wait

REMINDED = 12.0
"""Seconds within which a Notification comes that comes at all."""
WARNINGS = ("Settings Warning", "Settings Error")
"""Titles of the dialogs with which a client complains of its settings."""


def witness(stage: Stage) -> Witness:
    assert isinstance(stage, Witness)
    return stage


def heard(event: str) -> Step:
    """Wait for a hook of this part. If it does not come, the facts say so."""

    def step(stage: Stage) -> None:
        with suppress(Late):
            wait(lambda: witness(stage).heard(event), f"the {event} hook", within=REMINDED, step=0.1)

    return step


def chosen(words: str) -> Step:
    """Press the number of the row of the open dialog that begins with WORDS. The rows vary with tool and version."""
    return lambda stage: stage.tui.answer(str(_row(stage, words)))


def reached(words: str, *keys: str) -> Step:
    """Go down to that row and press keys there."""
    return lambda stage: stage.tui.choose(*["Down"] * (_row(stage, words) - 1), *keys)


def _row(stage: Stage, words: str) -> int:
    found = wait(
        lambda: re.search(rf"(\d+)\. {words}", stage.tui.pane.screen()), f"a row {words!r}", seen=stage.tui.pane.screen
    )
    return int(found[1])


def passed(seconds: float) -> Step:
    """Wait for a time within which the client must have noticed something."""

    def step(stage: Stage) -> None:
        end = time.monotonic() + seconds
        wait(lambda: time.monotonic() >= end, f"{seconds} s", within=seconds + 30)

    return step


def now(name: str) -> Step:
    """Note the time."""

    def step(stage: Stage) -> None:
        witness(stage).notes[name] = round(time.time(), 3)

    return step


def client_noted() -> Step:
    """Note what the system says of the client's process."""

    def step(stage: Stage) -> None:
        pid = stage.tui.pid
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(") ")[2].split()
        home = str(stage.claude.home)
        where = {"tmux": stage.tui.pane.id, "socket": str(stage.tui.pane.terminal.socket).replace(home, "~")}
        witness(stage).notes["client"] = {"pid": pid, "start": fields[19], "terminal": int(fields[4]), **where}

    return step


def file_noted(name: str) -> Step:
    """Note whether the client's registry file is there."""

    def step(stage: Stage) -> None:
        witness(stage).notes[name] = "there" if stage.tui.registry else "gone"

    return step


def conversation_noted(name: str = "session") -> Step:
    """Note the id of the client's conversation."""

    def step(stage: Stage) -> None:
        witness(stage).notes[name] = stage.tui.session_id

    return step


def started_with(**more: object) -> Step:
    """Start a client with more settings, and note whether it complains of them or is ready."""

    def step(stage: Stage) -> None:
        stage.claude.set_settings(**more)
        stage.begin("", stage.claude.start(settled=False))

        def shown() -> str | None:
            screen = stage.tui.pane.screen()
            found = next((title for title in WARNINGS if title in screen), None)
            return found or ("a prompt" if stage.tui.status == "idle" else None)

        witness(stage).notes["dialog"] = wait(shown, "a start", seen=stage.tui.pane.screen)

    return step


def unknown_event() -> Step:
    """Register a hook for an event that no client knows, and start a client."""

    def step(stage: Stage) -> None:
        hooks: Json = {**stage.claude.standing["hooks"], "NeverHeardOf": stage.claude.standing["hooks"]["Stop"]}
        started_with(hooks=hooks)(stage)

    return step


def settings_text(text: str) -> Step:
    """Write TEXT as settings.json, as a person's editor does."""

    def step(stage: Stage) -> None:
        stage.claude.settings.write_text(text, encoding="utf-8")

    return step


HOLD = "trap 'echo stopped >held; exit' TERM; sleep 5 >/dev/null & wait; echo ran on >held"
"""A hook that waits, and says how it ended."""


def held_noted() -> Step:
    """Note how the hook HOLD ended."""

    def step(stage: Stage) -> None:
        held = stage.claude.project("proj") / "held"
        wait(lambda: held.exists() and held.read_text().strip(), "the end of the hook")
        witness(stage).notes["hook"] = held.read_text().strip()
        held.unlink()

    return step


def known_to_client(**more: object) -> Step:
    """Add to ~/.claude.json, before the first start."""

    def step(stage: Stage) -> None:
        path = stage.claude.home / ".claude.json"
        known = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(known | more), encoding="utf-8")

    return step
