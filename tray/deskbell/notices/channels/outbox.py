"""What is still to be sent by other ways? Kept on disk until it got through, was answered, or is too old to matter."""

import json
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from deskbell.files.write import write_private
from deskbell.notices.channels import Failed, Message, send
from deskbell.notices.news import Send
from deskbell.notices.policy import Channel, Policy

TOO_OLD = 3600.0
"""Seconds after which a notice is no news any more."""
FIRST_PAUSE = 5.0
LONGEST_PAUSE = 600.0
AT_ONCE = 8
"""So many are being sent at the same time."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    channel: str
    slot: str
    message: Message
    attempts: int = 0
    due: float = 0.0


_LETTER = TypeAdapter(Letter)
_numbers = count()


@dataclass
class Outbox:
    """Sending blocks, so it is done in threads that a program which ends need not wait for."""

    folder: Path
    clock: Callable[[], float]
    failed: Callable[[str, str, str], None]
    """Told the slot, the channel and the reason when a letter is given up."""
    send: Callable[[Message, Channel], None] = send
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        self._work = threading.Condition()
        self._flying: set[Path] = set()
        self._ended = False
        self._thread: threading.Thread | None = None

    def start(self, policy: Policy) -> None:
        """What an earlier run left is sent now."""
        self.policy = policy
        if any(self.folder.glob("*.json")):
            self._wake()

    def put(self, sends: Iterable[Send], policy: Policy) -> None:
        self.policy = policy
        for channel, notice in sends:
            message = Message(notice.title, notice.body, notice.status, notice.urgency, self.clock())
            self._write(self._new_file(), Letter(channel, notice.slot, message))
            self._wake()

    def withdraw(self, slot: str) -> None:
        """What was answered need not be sent any more."""
        for file, letter in self._letters():
            if letter.slot == slot:
                file.unlink(missing_ok=True)

    def stop(self) -> None:
        with self._work:
            self._ended = True
            self._work.notify_all()

    def _wake(self) -> None:
        with self._work:
            if self._thread is None and not self._ended:
                self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
                self._thread.start()
            self._work.notify_all()

    def _run(self) -> None:
        with self._work:
            while not self._ended:
                self._work.wait(self._pause())

    def _pause(self) -> float | None:
        """Sends what is due; how long until the next is."""
        now = self.clock()
        waiting = []
        for file, letter in self._letters():
            if file in self._flying:
                continue
            if letter.due <= now and len(self._flying) < AT_ONCE:
                self._flying.add(file)
                threading.Thread(target=self._fly, args=(file, letter), name="letter", daemon=True).start()
            else:
                waiting.append(letter.due)
        return max(0.05, min(waiting) - now) if waiting else None

    def _fly(self, file: Path, letter: Letter) -> None:
        try:
            self._try(file, letter)
        except Failed as failure:
            self._again(file, letter, failure)
        finally:
            with self._work:
                self._flying.discard(file)
                self._work.notify_all()

    def _try(self, file: Path, letter: Letter) -> None:
        channel = next((c for c in self.policy.channels if c.name == letter.channel), None)
        if channel is None:
            raise Failed("it is not configured any more", for_good=True)
        if self.clock() - letter.message.at > TOO_OLD:
            raise Failed("it was too old", for_good=True)
        self.send(letter.message, channel)
        file.unlink(missing_ok=True)

    def _again(self, file: Path, letter: Letter, failure: Failed) -> None:
        attempts = letter.attempts + 1
        allowed = next((c.attempts for c in self.policy.channels if c.name == letter.channel), 1)
        log.info("%s: attempt %d: %s", letter.channel, attempts, failure)
        if failure.for_good or attempts >= allowed:
            file.unlink(missing_ok=True)
            self.failed(letter.slot, letter.channel, str(failure))
        elif file.exists():  # else it was withdrawn meanwhile
            pause = min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE)
            self._write(file, replace(letter, attempts=attempts, due=self.clock() + pause))

    def _letters(self) -> Iterator[tuple[Path, Letter]]:
        for file in sorted(self.folder.glob("*.json")):
            try:
                yield file, _LETTER.validate_json(file.read_bytes())
            except FileNotFoundError:
                continue
            except (OSError, ValidationError) as error:
                log.warning("%s is no letter and is put aside: %s", file, error)
                file.replace(file.with_suffix(".bad"))

    def _new_file(self) -> Path:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.folder / f"{self.clock():.6f}-{os.getpid()}-{next(_numbers)}.json"

    def _write(self, file: Path, letter: Letter) -> None:
        write_private(file, json.dumps(asdict(letter), ensure_ascii=False).encode())
