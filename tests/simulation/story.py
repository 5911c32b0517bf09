"""Hold a story: one or two modelled clients of one session, and their moves in the order of time."""

from tests.simulation.client import Client
from tests.simulation.traces import Happening, Transcript, readable

SESSION = "s"
PIDS = (7, 8)
"""The process of each client."""
TYPED = 1.5
"""Seconds that it takes to type the command that opens a picker, or that resumes a session in another terminal."""


class Story:
    def __init__(self, begun: float, terminals: int = 1) -> None:
        """TERMINALS: how many clients the session has by the end, one after the other or at the same time."""
        self.begun = self._now = begun
        self._terminals = terminals
        self.clients = [Client(SESSION, PIDS[0], begun)]
        self._moves: list[tuple[float, str]] = []

    @property
    def happenings(self) -> list[Happening]:
        every = (one for client in self.clients for one in client.happenings)
        return sorted(every, key=lambda one: one.at)

    def tell(self, choice: int, after: float) -> None:
        """Make one of the moves that are possible, AFTER seconds."""
        moves = [(client, move) for client in self.clients for move in client.moves()]
        if len(self.clients) < self._terminals:
            moves += [(None, "joins")] * 2  # type: ignore[list-item]  # a client that is not there yet
        if not moves:
            return
        client, move = moves[choice % len(moves)]
        self._now = max(client.now if client else 0.0, self._now)
        self._now += max(after, TYPED) if move in ("opens_picker", "joins") else after
        if move == "joins":
            self.clients.append(self._joined())
        else:
            client.now = self._now
            client.do(move)
        pid = client.pid if client else PIDS[1]
        self._moves.append((self._now - self.begun, f"{pid} {move.replace('_', ' ')}"))

    def _joined(self) -> Client:
        """A person resumes the session in another terminal, while its first client runs or after its end."""
        lines = [one for one in self.happenings if isinstance(one, Transcript) and one.key[0] == SESSION]
        last = [str(one.line["uuid"]) for one in lines if one.at <= self._now and "uuid" in one.line]
        return Client(SESSION, PIDS[1], self._now, "resume", (last or [""])[-1])

    def __str__(self) -> str:
        """The moves, with everything that the clients fired and wrote, and what they truly did."""
        lines = sorted([*self._moves, *readable(self.happenings, self.begun)], key=lambda line: line[0])
        return "\n".join(f"{at:7.2f}  {words}" for at, words in lines)
