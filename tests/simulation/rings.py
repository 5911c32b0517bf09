"""Collect the rings of a story: what `news` shows at each moment, and which requests rang once, twice or not at all."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from deskbell.board import Board, board
from deskbell.notices.judge import ANSWER_OF_HOOK, Senses
from deskbell.notices.news import news
from deskbell.notices.notice import Notice
from deskbell.notices.policy import Policy
from deskbell.notices.wants import ASKS, Memory
from deskbell.session import Session
from tests.simulation.truths import AHEAD, GRACE, Truths

POLICY = Policy()
SENSES = Senses(patience=ANSWER_OF_HOOK)
"""The model has a hook of the person's own that approves."""
LATE = 2.5
"""Seconds after which a request must have rung, even if its hook was late."""


class Bell:
    """The rings of one run of the program."""

    def __init__(self) -> None:
        self._memory = Memory()
        self._board = Board()
        self.wake_at: float | None = None
        self.rung: list[tuple[float, Notice]] = []

    def follow(self, seen: Sequence[Session], now: float) -> None:
        after = board(seen, now)
        found = news(self._board, after, POLICY, now, self._memory, SENSES)
        self._memory, self._board, self.wake_at = found.memory, after, found.wake_at
        self.rung += [(now, notice) for notice in found.show]


def wrong_rings(client: Truths, rung: Sequence[tuple[float, Notice]], end: float) -> Iterator[tuple[float, str]]:
    """Yield each request until END that rang twice, or that stayed and did not ring."""
    begins = [truth.at for truth in client.truths]
    own = [now for now, notice in rung if client.key in notice.sessions and not notice.quiet and notice.status in ASKS]
    counted = Counter(bisect_right(begins, now + AHEAD) - 1 for now in own)
    for number, (truth, over) in enumerate(zip(client.truths, [*begins[1:], end], strict=True)):
        if truth.status in ASKS and counted[number] > 1:
            yield truth.at, f"{truth.status} {truth.asked} rings {counted[number]} times"
        if truth.status in ASKS and counted[number] == 0 and over - truth.at > LATE + GRACE:
            yield truth.at, f"{truth.status} {truth.asked} does not ring"
