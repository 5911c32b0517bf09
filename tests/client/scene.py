"""A passage of the afternoon: which rings should be, which were, and how soon."""

import json
import subprocess
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from tests.client.hearing import Hearing, Letter
from tests.client.program import Program
from tests.client.stage import Stage
from tests.client.watch import Watch

ASKED = ("PermissionRequest", "Elicitation")


@dataclass
class Due:
    """A ring that should be."""

    status: str
    words: str
    project: str
    together: bool = False
    """Several asked at the same moment, and their clients and hooks shared the processors."""
    letter: Letter | None = None
    """What rang."""
    after: float = 0.0
    """When it rang for that client before."""
    hook: float | None = None
    """Seconds from the start of the hook process that told of it to the call of Notify."""
    registry: float | None = None
    """Seconds from the change that the client wrote into its registry."""
    withdrawn: float | None = None
    """Seconds from the answer, as the client wrote it into its registry, until it was off the screen."""

    def fits(self, letter: Letter) -> bool:
        return letter.status == self.status and self.words in letter.title + letter.body


@dataclass
class Scene(Stage):
    """One passage being played."""

    project: str = ""
    program: Program = field(kw_only=True)
    due: list[Due] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    answered: float | None = None
    """When the client took the last answer, in its own reckoning."""
    reckoned: dict[str, float] = field(default_factory=dict)
    """When the last turn of each client began that was reckoned with."""

    @property
    def hearing(self) -> Hearing:
        return self.program.hearing

    def project_of(self, name: str) -> str:
        return f"{self.project}-{name}" if name else self.project

    @property
    def here(self) -> str:
        """The project of the current client."""
        return self.project_of(self.on)

    @property
    def projects(self) -> list[str]:
        return [self.project_of(name) for name in self.clients]

    def journal(self) -> list[dict[str, Any]]:
        path = self.program.state / "events" / f"{self.tui.session_id}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def stamps(self, *events: str) -> list[float]:
        return [line["at"] for line in self.journal() if line["event"] in events]

    def rung(self) -> list[Letter]:
        """What rang for the current client and was not waited for yet."""
        awaited = [due.letter for due in self.due]
        return [letter for letter in self.hearing.of(self.here) if letter.rings and letter not in awaited]

    @property
    def last_ring(self) -> float:
        """When it last rang for the current client."""
        return max((due.letter.at for due in self.due if due.letter and due.project == self.here), default=0.0)

    def note(self, due: Due, letter: Letter) -> None:
        """It rang."""
        due.after, due.letter, self.answered = self.last_ring, letter, None
        self.due.append(due)

    def measure(self, due: Due) -> None:
        """How soon; once the hook has told as well, which may be later than the client's own word."""
        assert due.letter
        if asked := [at for at in self.stamps(*ASKED) if due.after < at <= due.letter.at]:
            due.hook = due.letter.at - asked[-1]
        if self.tui.status == "waiting" and (changed := self.tui.changed):
            due.registry = due.letter.at - changed / 1000

    def surplus(self, letter: Letter) -> str:
        """How to call a ring that should not have been."""
        rung = [due.letter for due in self.due if due.letter]
        twice = any((letter.status, letter.body) == (one.status, one.body) for one in rung)
        return f"{'doubled' if twice else 'false'}: {letter}"


Step = Callable[[Scene], None]


@dataclass(frozen=True)
class Passage:
    name: str
    steps: tuple[Step, ...]

    @property
    def project(self) -> str:
        return "".join(letter if letter.isalnum() else "-" for letter in self.name.lower())


def passage(name: str, *steps: Step) -> Passage:
    return Passage(name, steps)


def play(one: Passage, program: Program) -> Scene:
    """The sessions stay open to the end of the afternoon: a false ring may come late."""
    unseen = Watch((), program.claude.environment)
    scene = Scene(program.claude, unseen, project=one.project, program=program)
    try:
        for step in one.steps:
            step(scene)
    except (AssertionError, OSError, subprocess.SubprocessError) as failure:
        scene.trouble += [str(failure), program.say("why", "--last", "20")]
    return scene


def reckon(hearing: Hearing, scenes: Collection[Scene]) -> None:
    """Every ring must have been waited for in its passage."""
    awaited = [due.letter for scene in scenes for due in scene.due]
    for letter in hearing.letters:
        if letter.rings and letter not in awaited:
            scene = next((one for one in scenes if any(map(letter.is_about, one.projects))), next(iter(scenes)))
            scene.trouble += [scene.surplus(letter), scene.program.say("why", scene.here, "--last", "20")]
