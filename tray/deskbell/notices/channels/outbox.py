"""Send messages through the configured channels, and try again what fails.

The loop calls `start`, `put`, `take_back`, `withdraw` and `stop`, which wait for no channel. Sending blocks, so threads
do it: one for each channel with something to send, at most AT_ONCE. Any error counts as a failed attempt: the letter
then waits, and is given up after as many attempts as its channel allows. An error outside an attempt ends its thread
and reaches the supervisor. After FIRST_PAUSE, `put` starts a thread in the place of one that ended or did not start.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from traceback import walk_tb

from deskbell.errors import Problem
from deskbell.notices.channels import Failed, Message, send
from deskbell.notices.channels.letters import MOST, Letter, Letters
from deskbell.notices.orders import Send
from deskbell.notices.policy import Channel, Policy
from deskbell.supervision import Supervisor

PART = "channels"
TOO_OLD = 3600.0
"""Seconds after which a message is no longer worth sending."""
FIRST_PAUSE = 5.0
"""Seconds between the first failure and the second attempt; each further pause is twice as long."""
LONGEST_PAUSE = 600.0
"""The most seconds of a pause."""
AT_ONCE = 8
"""The most threads at the same time."""
HUNG = 180.0
"""Seconds after which an attempt hangs. Its timeout is shorter; opening the keyring and looking up a name have none."""
UNLOCK = "Unlock the keyring if it asks for a password."
SHORTEST_WAIT = 0.05
"""The fewest seconds that a thread waits for a letter to be due."""

log = logging.getLogger(__name__)


@dataclass
class Outbox:
    folder: Path
    clock: Callable[[], float]
    """A clock that does not jump: it measures pauses and the age of messages."""
    failed: Callable[[str, str, str], None]
    """Called in the loop with the slot, the channel and the reason when a letter is given up."""
    supervisor: Supervisor
    send: Callable[[Message, Channel], None] = send
    policy: Policy = field(default_factory=Policy.usual)
    wall: Callable[[], float] | None = None
    """The clock of the machine, for the time in a message; None: the same as `clock`."""
    standing: Callable[[], Collection[tuple[str, float]]] | None = None
    """Returns the id of each session that waits for its person, and since when; None: everything may still be sent."""

    def __post_init__(self) -> None:
        self._disk = Letters(self.folder)
        self._changed = threading.Condition()
        # Everything below changes only while the condition is held.
        self._letters: dict[Path, Letter] = {}
        self._busy: dict[str, float] = {}
        """When each channel that is sending began its attempt."""
        self._threads = 0
        """The number of threads that run, or are about to."""
        self._failed_at = float("-inf")
        """When an unexpected error last ended a thread, or a thread could not be started."""
        self._left: list[Path] = []
        """The files of an earlier run that have not been read yet."""
        self._stands: Callable[[Letter], bool] | None = None
        """Whether a letter of an earlier run may still be sent; None until the first reading of the sessions."""
        self._withdrawn: set[str] = set()
        """The slots that were withdrawn before those files had been read."""
        self._resumed = False
        self._ended = False
        self._loop: asyncio.AbstractEventLoop

    def start(self, policy: Policy) -> None:
        """Find what an earlier run left. It is sent once `put` says that the sessions have been read.

        Call this in the loop: `failed` will be called there.
        """
        self.policy = policy
        self._loop = asyncio.get_running_loop()
        with self._changed:
            self._left = self._disk.files()

    def put(self, sends: Iterable[Send], policy: Policy) -> None:
        """Take SENDS, and check again what is due: the policy or the clock may have changed.

        The bell calls this at each reading of the sessions. At the first one, what an earlier run left is looked
        through: what was answered meanwhile is not sent.
        """
        self.policy = policy
        self._look_through()
        self._disk.tidy()
        now = self.clock()
        for channel, notice in sends:
            message = Message(notice.title, notice.body, notice.status, notice.urgency, now, notice.tag)
            about = tuple((request.session_id, request.since) for request in notice.about)
            self._take(Letter(channel, notice.slot, message, about=about))
        self._begin()

    def _look_through(self) -> None:
        if self._stands is None:
            standing = None if self.standing is None else self.standing()
            with self._changed:
                self._stands = lambda letter: standing is None or letter.stands(standing)
                self._resumed = not self._left

    def take_back(self, channel: str, tag: str) -> None:
        """Take back the message to CHANNEL that has TAG, after the attempt to send it that may be under way."""
        self._take(Letter(channel, f"back {tag}", Message("", "", "ended", "low", self.clock(), tag, gone=True)))
        self._begin()

    def check(self) -> None:
        """Raise Problem if a channel hangs. Its letters wait, and those of the others do not."""
        with self._changed:
            hung = sorted(name for name, began in self._busy.items() if self.clock() - began >= HUNG)
        if hung:
            raise Problem(f"{', '.join(hung)} has not ended an attempt for {HUNG:.0f} s.", UNLOCK)

    def _take(self, letter: Letter) -> None:
        file = self._disk.new_file(letter.message.at)
        self._disk.write(file, letter)
        with self._changed:
            self._letters[file] = letter
        self._give_up_the_oldest()

    def _begin(self) -> None:
        # The supervisor reports that no thread could start. The letters are sent at a later call.
        with contextlib.suppress(RuntimeError):
            self._begin_missing()

    def _give_up_the_oldest(self) -> None:
        with self._changed:
            if len(self._letters) <= MOST:
                return
            oldest = sorted(self._letters.items(), key=lambda one: one[1].message.at)[:-MOST]
            for file, _ in oldest:
                del self._letters[file]
        for file, letter in oldest:
            self._disk.remove(file)
            self._report(letter, f"more than {MOST} messages were waiting")

    def withdraw(self, slot: str) -> None:
        """Drop the letters about SLOT, whose session was answered."""
        with self._changed:
            files = [file for file, letter in self._letters.items() if letter.slot == slot]
            for file in files:
                del self._letters[file]
            if not self._resumed:
                self._withdrawn.add(slot)
        for file in files:
            self._disk.remove(file)

    def stop(self) -> None:
        """Start no further attempt. Daemon threads that are sending end with the program."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _begin_missing(self) -> None:
        with self._changed:
            self._changed.notify_all()
        while self._counts_one_more():
            if not self.supervisor.thread(PART, self._counted):
                self._count_back()

    def _counts_one_more(self) -> bool:
        """Return whether a thread is missing. If so, count it as one that runs."""
        with self._changed:
            channels = len({letter.channel for letter in self._letters.values()})
            wanted = min(max(channels, self._may_resume()), AT_ONCE)
            pausing = 0 <= self.clock() - self._failed_at < FIRST_PAUSE
            if self._ended or pausing or self._threads >= wanted:
                return False
            self._threads += 1
            return True

    def _counted(self) -> None:
        """Send in this thread, which has been counted. `_next` ends its count; after an error `_count_back` does."""
        try:
            self._serve()
        except BaseException:
            self._count_back()
            raise

    def _count_back(self) -> None:
        with self._changed:
            self._threads -= 1
            self._failed_at = self.clock()

    def _serve(self) -> None:
        self._resume()
        while taken := self._next():
            self._deliver(*taken)

    def _resume(self) -> None:
        """Read what an earlier run left and still stands, unless another thread has done so."""
        with self._changed:
            stands, left = self._stands, self._left
            if stands is None or not left:
                return
            self._left = []
        for file, letter in self._disk.read(left):
            is_set_back = letter.due > self.clock() + LONGEST_PAUSE  # the clock: no pause is so long
            with self._changed:
                waits = letter.slot not in self._withdrawn and stands(letter)
                if waits:
                    self._letters[file] = replace(letter, due=0.0) if is_set_back else letter
            if not waits:
                self._disk.remove(file)
        with self._changed:
            self._resumed = True
        self._begin_missing()

    def _may_resume(self) -> bool:
        return bool(self._left) and self._stands is not None

    def _next(self) -> tuple[Path, Letter] | None:
        """Wait until a letter is due and mark its channel as busy. Return None when this thread is not needed."""
        with self._changed:
            while not self._ended:
                free = [(one.due, file) for file, one in self._letters.items() if one.channel not in self._busy]
                if not free:
                    break
                due, file = min(free)
                letter, patience = self._letters[file], due - self.clock()
                if patience <= 0:
                    self._busy[letter.channel] = self.clock()
                    return file, letter
                self._changed.wait(max(SHORTEST_WAIT, patience))
            self._threads -= 1
            return None

    def _deliver(self, file: Path, letter: Letter) -> None:
        try:
            failure = self._attempt(letter)
            tried = _tried(letter, failure, self.clock()) if failure else letter
            over = failure is None or failure.for_good or tried.attempts >= self._allowed(letter)
        except BaseException as error:
            self._put_back(file, letter, _Unexpected(_described(error)))
            raise
        with self._changed:
            self._busy.pop(letter.channel, None)
            withdrawn = self._letters.pop(file, None) is None
            if again := not over and not withdrawn:
                self._letters[file] = tried
            self._changed.notify_all()
        if again:
            self._disk.write(file, tried)
        if file not in self._letters:  # it is over, or it was withdrawn while it was written
            self._disk.remove(file)
        if failure and over and not withdrawn:
            self._report(letter, str(failure))

    def _put_back(self, file: Path, letter: Letter, failure: Failed) -> None:
        """Let LETTER wait, unless it was withdrawn, and free its channel for other letters."""
        with self._changed:
            self._busy.pop(letter.channel, None)
            self._changed.notify_all()
            if file in self._letters:
                self._letters[file] = _tried(letter, failure, self.clock())

    def _attempt(self, letter: Letter) -> Failed | None:
        """Send LETTER. Return what went wrong; None if nothing did. Raise nothing."""
        channel = self._channel(letter.channel)
        if channel is None:
            return Failed("it is no longer configured", for_good=True)
        if self.clock() - letter.message.at > TOO_OLD:
            return Failed("it was more than an hour old", for_good=True)
        try:
            self.send(self._dated(letter.message), channel)
        except Failed as failed:
            failure, level = failed, logging.INFO
        except BaseException as error:  # noqa: BLE001  # HTTP, keyrings and processes fail in every way there is
            failure, level = _Unexpected(_described(error)), logging.DEBUG if letter.reported else logging.ERROR
        else:
            return None
        log.log(level, "%s: attempt %d: %s", letter.channel, letter.attempts + 1, failure)
        return failure

    def _dated(self, message: Message) -> Message:
        """Return MESSAGE with its time by the clock of the machine, as that is set now."""
        return replace(message, at=message.at + self.wall() - self.clock()) if self.wall else message

    def _channel(self, name: str) -> Channel | None:
        return next((channel for channel in self.policy.channels if channel.name == name), None)

    def _allowed(self, letter: Letter) -> int:
        channel = self._channel(letter.channel)
        return channel.attempts if channel else 1

    def _report(self, letter: Letter, reason: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the program has ended
            self._loop.call_soon_threadsafe(self.failed, letter.slot, letter.channel, reason)


class _Unexpected(Failed):
    """Something other than Failed was raised."""


def _tried(letter: Letter, failure: Failed, now: float) -> Letter:
    """Return LETTER after one more attempt that failed at NOW."""
    attempts = letter.attempts + 1
    pause = min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE)
    reported = letter.reported or isinstance(failure, _Unexpected)
    return replace(letter, attempts=attempts, due=now + pause, reported=reported)


def _described(error: BaseException) -> str:
    """Return the type of ERROR and where it was raised, without its text, which may hold the secret of a channel."""
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    file, line = frames[-1] if frames else ("?", 0)
    return f"unexpected {type(error).__name__} in {Path(file).name}, line {line}"
