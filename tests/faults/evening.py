"""Play the afternoon once, with or without a fault, and return all its results."""

import asyncio
import io
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from deskbell.program import log
from tests.faults.afternoon import Afternoon
from tests.faults.calls import calls_of_program
from tests.faults.injector import Injector
from tests.faults.machine import SECRET, Client, client
from tests.tray.notices.channels.receiver import Receiver


class Told(NamedTuple):
    """All that came of one afternoon."""

    rings: list[str]
    """What rang on the screen."""
    sent: list[str]
    """What the phone and the script got."""
    said: list[str]
    """What the person could read about faults: problems in the menu, messages, and warnings in the log."""
    files: list[str]
    """The files that are left in Deskbell's own folder."""
    outputs: dict[str, str]
    """Everything that was shown, written or sent, by its place."""
    leaks: list[str]
    after: dict[str, object]
    """What the program knows at the end."""


class _Warnings(logging.Handler):
    def __init__(self, said: list[str]) -> None:
        super().__init__()
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        """Keep warnings. A failed attempt to send is only information, because there will be another one."""
        if record.levelno >= logging.WARNING or "attempt" in record.getMessage():
            self._said.append(record.getMessage())


def play(root: Path, receiver: Receiver, clients: dict[str, Client], injector: Injector) -> Told:
    """Play the afternoon below ROOT with two clients of sessions; the third is killed in it."""
    before = len(os.listdir("/proc/self/fd")), set(threading.enumerate())
    receiver.got.clear()
    stream = io.StringIO()
    calls = calls_of_program()
    with client() as docs:
        one = Afternoon(root, receiver, {**clients, "docs": docs}, injector)
        with _logged(one), redirect_stdout(stream), redirect_stderr(stream), injector.installed(calls):
            asyncio.run(one.play())
    files = sorted(str(path.relative_to(root)) for path in one.home.state.rglob("*") if path.is_file())
    rings = [f"{notice.status}: {notice.title}\n{notice.body}" for notice in one.screen.shown if not notice.quiet]
    sent = [body.decode() for _, _, body in receiver.got if body]
    sent += one.script.read_text().splitlines() if one.script.exists() else []
    return Told(
        rings=[ring.replace(str(root), "ROOT") for ring in rings],
        sent=sent,
        said=[*one.said, *_on_the_screen(one)],
        files=files,
        outputs={**_shown(one), "streams": stream.getvalue(), "sent": str(sent), **_written(root, files)},
        leaks=_leaks(*before),
        after=one.after,
    )


def _on_the_screen(one: Afternoon) -> Iterator[str]:
    """Return what the icon, the menu and messages say about faults."""
    yield from (item.text for face in one.panel.faces for item in face.menu if item.key == "problem")
    yield from (notice.title for notice in one.screen.shown if notice.status == "error")


def _shown(one: Afternoon) -> dict[str, str]:
    return {"screen": str(one.screen.shown), "panel": str(one.panel.faces), "clipboard": str(one.others.copied)}


def _written(root: Path, files: list[str]) -> dict[str, str]:
    """What is in the files that the program has written. The records are the hook's."""
    return {name: (root / name).read_text() for name in files if not name.startswith("state/sessions")}


@contextmanager
def _logged(one: Afternoon) -> Iterator[None]:
    """Write the log, and put the token of the phone into the environment."""
    root, warnings = logging.getLogger(), _Warnings(one.said)
    level = root.level
    handler = log.start(one.home.state)
    root.addHandler(warnings)
    os.environ["DESKBELL_TEST_TOKEN"] = SECRET
    try:
        yield
    finally:
        del os.environ["DESKBELL_TEST_TOKEN"]
        root.removeHandler(handler)
        root.removeHandler(warnings)
        root.setLevel(level)


def _leaks(descriptors: int, threads: set[threading.Thread]) -> list[str]:
    """Return the descriptors and threads that were not there before. A thread has a moment to end."""
    until = time.monotonic() + 10
    while (left := set(threading.enumerate()) - threads) and time.monotonic() < until:
        for thread in left:
            thread.join(1)
    found = [f"thread {thread.name}" for thread in left if thread.is_alive()]
    now = len(os.listdir("/proc/self/fd"))
    return found + ([f"{now - descriptors} descriptors"] if now > descriptors else [])
