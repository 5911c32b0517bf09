"""Ask in a thread whether the person looks at a session, because tmux, a compositor or an X server may hang.

The loop calls the public methods. They wait for an answer only for a moment; an answer that comes later wakes the loop.
"""

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from deskbell.desktop.focus import Eyes, asked
from deskbell.session import Place, Session
from deskbell.supervision import Supervisor

MOMENT = 0.02
"""Seconds that the loop may wait for answers in one turn. Most answers need less."""
PATIENCE = asked.AT_ONCE
"""Seconds after which a session rings although the focus is not known yet."""
FRESH = 1.0
"""Seconds for which a late answer is used."""
PART = "focused session"


class Helpers(Protocol):
    """The programs that are asked for the focus."""

    def hung(self) -> bool: ...
    def ask_again(self) -> None: ...


class _Question(NamedTuple):
    place: Place
    pid: int | None


@dataclass(slots=True)
class _Asked:
    since: float
    answered: float | None = None
    focused: bool | None = None
    wakes: bool = False
    """Whether the loop has gone on without the answer."""


class Looker:
    """Asks `Eyes` in a thread, one question after another. The thread ends when there are no more."""

    def __init__(
        self,
        supervisor: Supervisor,
        changed: Callable[[], None],
        eyes: Eyes,
        helpers: Helpers = asked,
        pause: float = asked.HUNG_FOR,
    ) -> None:
        """CHANGED is called in the loop when an answer comes late. PAUSE: seconds until helpers that hang are asked."""
        self._supervisor = supervisor
        self._changed = changed
        self._eyes = eyes
        self._helpers = helpers
        self._pause = pause
        self._answered = threading.Condition()
        # The following fields are used only while the condition is held.
        self._questions: deque[_Question] = deque()
        self._asked: dict[_Question, _Asked] = {}
        self._runs = False
        self._since: float | None = None
        """When the thread began its present question; None if it has none."""
        self._loop: asyncio.AbstractEventLoop | None = None
        # The following fields are used only in the loop.
        self._waited = 0.0
        """Seconds that the loop has waited in this turn."""
        self._again: asyncio.TimerHandle | None = None
        self._ended = False

    def focused(self, session: Session) -> bool | None:
        """Return whether the person looks at SESSION; None if that cannot be known, or not yet."""
        with contextlib.suppress(RuntimeError):  # without a loop nothing has to be woken
            self._loop = asyncio.get_running_loop()
        question = _Question(session.place, session.pid)
        with self._answered:
            self._forget_old()
            if question not in self._asked and not self._ask(question):
                return None
            one = self._asked[question]
            self._wait(one)
            if one.answered is None:
                one.wakes = True
                return None
            if not any(other.answered is None for other in self._asked.values()):
                del self._asked[question]  # kept until every question of this turn is answered
            return one.focused

    def awaits_focus(self, session: Session) -> bool:
        """Return whether the answer about SESSION may still come within PATIENCE."""
        with self._answered:
            found = self._asked.get(_Question(session.place, session.pid))
            return found is not None and found.answered is None and time.monotonic() - found.since < PATIENCE

    def stop(self) -> None:
        with self._answered:
            self._questions.clear()
        self._ended = True
        if self._again:
            self._again.cancel()

    def _forget_old(self) -> None:
        now = time.monotonic()
        for old in [q for q, one in self._asked.items() if one.answered is not None and now - one.answered > FRESH]:
            del self._asked[old]

    def _forget_questions(self) -> None:
        """Forget the questions that nobody will answer. The loop asks them again when it needs them."""
        self._questions.clear()
        self._runs = False
        for old in [question for question, one in self._asked.items() if one.answered is None]:
            del self._asked[old]

    def _ask(self, question: _Question) -> bool:
        """Put QUESTION to the thread. Return False if the thread hangs or cannot be started."""
        now = time.monotonic()
        if self._since is not None and now - self._since > PATIENCE:
            return False
        self._asked[question] = _Asked(now)
        self._questions.append(question)
        if not self._runs:
            self._runs = True
            if not self._supervisor.thread(PART, self._look):
                self._forget_questions()
                return False
        return True

    def _wait(self, one: _Asked) -> None:
        """Wait for the answer in its first turn only, and for at most MOMENT in one turn."""
        if one.answered is not None or one.wakes or self._waited >= MOMENT:
            return
        begun = time.monotonic()
        self._answered.wait_for(lambda: one.answered is not None, MOMENT - self._waited)
        self._waited += time.monotonic() - begun
        if self._loop:
            self._loop.call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._waited = 0.0

    def _look(self) -> None:
        try:
            while (question := self._next()) is not None:
                focused = None
                try:
                    focused = self._eyes.focused(question.place, question.pid)
                finally:
                    self._answer(question, focused)
        except BaseException:
            with self._answered:
                self._forget_questions()
            raise

    def _next(self) -> _Question | None:
        with self._answered:
            if not self._questions:
                self._runs = False
                return None
            self._since = time.monotonic()
            return self._questions.popleft()

    def _answer(self, question: _Question, focused: bool | None) -> None:
        with self._answered:
            self._since = None
            one = self._asked[question]
            one.answered, one.focused = time.monotonic(), focused
            self._answered.notify_all()
            loop, late = self._loop, one.wakes
        with contextlib.suppress(RuntimeError):  # the loop has ended
            if loop and late:
                loop.call_soon_threadsafe(self._changed)
            if loop and self._helpers.hung():
                loop.call_soon_threadsafe(self._mend_later)

    def _mend_later(self) -> None:
        if self._again is None and not self._ended:
            self._again = asyncio.get_running_loop().call_later(self._pause, self._mend)

    def _mend(self) -> None:
        """Ask the helpers that hang again. No ring waits for this."""
        self._again = None
        if not self._supervisor.thread("helpers of the focus", self._ask_again):
            self._mend_later()

    def _ask_again(self) -> None:
        self._helpers.ask_again()
        if self._helpers.hung() and self._loop:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._mend_later)
