"""Play one passage of the afternoon, and compare the rings that are due with those that came."""

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
    """A ring that must come."""

    status: str
    words: str
    project: str
    together: bool = False
    """Whether several clients asked at the same moment and so shared the processors."""
    letter: Letter | None = None
    """The notification that rang."""
    after: float = 0.0
    """When the last ring before it came, for the same client."""
    hook: float | None = None
    """Seconds from the start of the hook's process to the call of Notify."""
    registry: float | None = None
    """Seconds from the change in the client's registry to the call of Notify."""
    withdrawn: float | None = None
    """Seconds from the answer, as the client's registry dates it, until the notification was closed."""

    def fits(self, letter: Letter) -> bool:
        return letter.status == self.status and self.words in letter.title + letter.body


@dataclass
class Scene(Stage):
    """A passage that is being played."""

    project: str = ""
    program: Program = field(kw_only=True)
    due: list[Due] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    answered: float | None = None
    """When the client took the last answer, by its registry."""
    person_at: dict[str, float] = field(default_factory=dict)
    """When each client took its newest answer."""
    reckoned: dict[str, float] = field(default_factory=dict)
    """When the last turn that `over` has seen began, for each client."""

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
        """Return the rings for the current client that no step has waited for."""
        awaited = [due.letter for due in self.due]
        return [letter for letter in self.hearing.of(self.here) if letter.rings and letter not in awaited]

    @property
    def last_ring(self) -> float:
        """When the last ring for the current client came."""
        return max((due.letter.at for due in self.due if due.letter and due.project == self.here), default=0.0)

    def note(self, due: Due, letter: Letter) -> None:
        """Remember that LETTER is the ring that was due."""
        due.after, due.letter, self.answered = self.last_ring, letter, None
        self.due.append(due)

    def measure(self, due: Due) -> None:
        """Measure how soon the ring came. Call it once the hook has run, too: the registry may be faster."""
        assert due.letter
        if asked := [at for at in self.stamps(*ASKED) if due.after < at <= due.letter.at]:
            due.hook = due.letter.at - asked[-1]
        if self.tui.status == "waiting" and (changed := self.tui.changed):
            due.registry = due.letter.at - changed / 1000

    def surplus(self, letter: Letter) -> str:
        """Return the words for a ring that was not due."""
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
    """Play a passage. Its sessions stay open to the end of the afternoon, as a false ring may come late."""
    unseen = Watch((), program.claude.environment)
    scene = Scene(program.claude, unseen, project=one.project, program=program)
    try:
        for step in one.steps:
            step(scene)
    except (AssertionError, OSError, subprocess.SubprocessError) as failure:
        scene.trouble += [str(failure), program.say("why", "--last", "20")]
    return scene


def reckon(hearing: Hearing, scenes: Collection[Scene]) -> None:
    """Add a complaint to its scene for every ring that no step has waited for."""
    awaited = [due.letter for scene in scenes for due in scene.due]
    for letter in hearing.letters:
        if letter.rings and letter not in awaited:
            scene = next((one for one in scenes if any(map(letter.is_about, one.projects))), next(iter(scenes)))
            scene.trouble += [scene.surplus(letter), scene.program.say("why", scene.here, "--last", "20")]
