"""Define the steps of a passage: what the person does, and what must then ring and be seen, once and in time."""

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

from tests.client import stage
from tests.client.claude import DEAF
from tests.client.hearing import Letter
from tests.client.scene import Due, Scene, Step
from tests.waiting import wait

LONG_TURN = 10.0
"""Seconds: the default of the policy. The end of a shorter turn does not ring."""
TRUSTED = (
    stage.shown("I trust this folder"),
    stage.later(DEAF),
    stage.press("Down"),
    stage.shown("❯ Yes"),
    stage.press("Enter"),
    stage.until("idle"),
)


# What the person must hear and see.


def ring(status: str, words: str = "", timed: bool = True) -> Step:
    """It must ring now, once, for the current client. A silent replacement may complete the text.

    TIMED: it rings because of what the client has just done.
    """

    def step(scene: Scene) -> None:
        due = Due(status, words, scene.here)
        letter = _rung(scene, due)

        def corrected() -> bool:
            since = scene.hearing.letters.index(letter)
            letters = [one for one in scene.hearing.letters[since:] if one.is_about(due.project)]
            return any(due.fits(one) and one.number for one in letters)

        wait(corrected, f"false: {letter} instead of {status} {words}")
        if timed:
            scene.measure(due)

    return step


def _rung(scene: Scene, due: Due) -> Letter:
    missed = f"missed: {due.status} {due.words} of {due.project}"
    letter = wait(lambda: next(iter(scene.rung()), None), missed, seen=scene.tui.pane.screen)
    scene.note(due, letter)
    return letter


def over(words: str = "") -> Step:
    """The turn must end. The end rings if the person was away from it for long. With WORDS they must have been."""

    def step(scene: Scene) -> None:
        scene.tui.wait_status("idle")
        least = LONG_TURN if words else 0.0
        begun, ended = wait(lambda: _last_turn(scene, least), f"a Stop after {least:g} s in the journal")
        scene.reckoned[scene.on] = begun
        if ended - max(begun, scene.person_at.get(scene.on, 0.0)) >= LONG_TURN:
            ring("idle", words)(scene)
            assert scene.last_ring > ended, f"false: {scene.due[-1].letter} before the turn was over"

    return step


def _last_turn(scene: Scene, least: float) -> tuple[float, float] | None:
    """Return the person's prompt and the last Stop of the last turn, or None if that turn was returned before."""
    begun = max((line["at"] for line in scene.journal() if _is_prompt(line)), default=0.0)
    ended = max(scene.stamps("Stop"), default=0.0)
    return (begun, ended) if scene.reckoned.get(scene.on, 0.0) < begun < ended - least else None


def _is_prompt(line: dict[str, Any]) -> bool:
    return line["event"] == "UserPromptSubmit" and "<task-notification>" not in str(line.get("facts"))


def gone() -> Step:
    """No notification about the current client may stay on the screen."""

    def step(scene: Scene) -> None:
        def left() -> list[Letter]:
            return [letter for letter in scene.hearing.on_screen() if letter.is_about(scene.here)]

        wait(lambda: not left(), f"the notification of {scene.here} to be withdrawn", seen=left)
        taken = max((letter.gone or 0.0 for letter in scene.hearing.of(scene.here)), default=0.0)
        if scene.answered and taken > scene.answered:
            scene.due[-1].withdrawn = taken - scene.answered
        scene.answered = None

    return step


def hush(seconds: float) -> Step:
    """Wait until something rings, for SECONDS at most. `reckon` finds what was not due."""

    def step(scene: Scene) -> None:
        before = len(scene.rung())
        end = time.monotonic() + seconds
        wait(lambda: time.monotonic() > end or len(scene.rung()) > before)

    return step


def heard(event: str, times: int = 1) -> Step:
    """Wait until the journal has EVENT so many TIMES."""

    def step(scene: Scene) -> None:
        wait(lambda: len(scene.stamps(event)) >= times, f"the hook of {event}", seen=scene.tui.pane.screen)

    return step


def explained(words: str) -> Step:
    """`deskbell why` must say WORDS about the current client."""

    def step(scene: Scene) -> None:
        session = scene.tui.session_id
        wait(
            lambda: words in scene.program.say("why", session),
            f"{words!r} in what deskbell why says",
            seen=lambda: scene.program.say("why", session),
        )

    return step


def one_on_screen(words: str) -> Step:
    """One notification must be on the screen, with WORDS in its title."""

    def step(scene: Scene) -> None:
        def alone() -> bool:
            left = [letter for letter in scene.hearing.on_screen() if any(map(letter.is_about, scene.projects))]
            return len(left) == 1 and words in left[0].title

        wait(alone, f"{words!r} alone on the screen", seen=lambda: [*map(str, scene.hearing.on_screen())])

    return step


def seen(name: str) -> Step:
    """Take a picture of the screen, if somebody wants to see it, once the daemon has drawn."""

    def step(scene: Scene) -> None:
        if scene.program.pictures:
            hush(0.5)(scene)
            scene.program.desktop.shot(scene.program.pictures / f"{name}.png")

    return step


# What the person does.


def opened(*arguments: str, name: str = "", **environment: str) -> Step:
    def step(scene: Scene) -> None:
        stage.start(*arguments, name=name, project=scene.project_of(name), **environment)(scene)

    return step


def hooked(event: str, command: str) -> Step:
    """Register a hook of the person's own in the settings of the project: the other projects do not have it."""

    def step(scene: Scene) -> None:
        settings = scene.claude.project(scene.here) / ".claude" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}}))

    return step


def opened_in_repository() -> Step:
    """Make a git repository of the project, and open a client there. A repository is not trusted with its folder."""

    def step(scene: Scene) -> None:
        stage.make_repository(scene.claude.project(scene.here))
        scene.begin("", scene.claude.start(project=scene.here, settled=False))
        for one in TRUSTED:
            one(scene)

    return step


def subscribed() -> Step:
    """Open a client of a person with a subscription. Every client that starts later knows of it."""

    def step(scene: Scene) -> None:
        scene.claude.log_in()
        opened(ANTHROPIC_API_KEY="")(scene)

    return step


def embedded(scenario: str, *arguments: str) -> Step:
    """Run `claude -p` as the SDK for Python does."""
    options = ("-p", "--permission-prompt-tool", "stdio", *arguments)

    def step(scene: Scene) -> None:
        said = f"SCENARIO:{scenario} go"
        scene.begin("", scene.claude.embedded(said, "sdk-py", *options, project=scene.project))

    return step


def say(scenario: str, number: int | None = None) -> Step:
    """Send a prompt and wait for its hook. The client's own status does not show an answer that comes at once."""

    def step(scene: Scene) -> None:
        before = len(scene.stamps("UserPromptSubmit"))
        scene.tui.scenario(scenario, number)
        wait(lambda: len(scene.stamps("UserPromptSubmit")) > before, "the prompt", seen=scene.tui.pane.screen)

    return step


def answer(key: str) -> Step:
    def step(scene: Scene) -> None:
        scene.tui.wait_status("waiting")
        stage.answer(key)(scene)
        scene.answered = scene.person_at[scene.on] = (scene.tui.changed or 0) / 1000

    return step


def each(names: Iterable[str], *steps: Step) -> Step:
    """Take the steps with several clients, one after the other."""

    def step(scene: Scene) -> None:
        for name in names:
            stage.turn_to(name)(scene)
            for one in steps:
                one(scene)

    return step


def looking(*steps: Step) -> Step:
    """Take the steps while the pane of the current client is in the window that has the focus."""

    def step(scene: Scene) -> None:
        with scene.program.window_on(scene.tui):
            for one in steps:
                one(scene)

    return step


def resumed() -> Step:
    """Start a client that resumes the conversation of the current one."""

    def step(scene: Scene) -> None:
        opened("--resume", scene.conversations[scene.on], name=scene.on)(scene)

    return step


def restarted() -> Step:
    """Stop Deskbell and start it again."""

    def step(scene: Scene) -> None:
        scene.program.stop()
        scene.program.start()

    return step


def killed() -> Step:
    """Kill Deskbell and start it again."""

    def step(scene: Scene) -> None:
        scene.program.kill()
        scene.program.start()

    return step


def printed(scenario: str) -> Step:
    """Run `claude -p` to its end."""

    def step(scene: Scene) -> None:
        done = scene.claude.print(f"SCENARIO:{scenario} go", project=scene.project)
        assert done.returncode == 0, done.stderr

    return step


def asking_together(names: Sequence[str]) -> Step:
    """Have all clients ask at once. Each must ring: the first few alone, the others in one summary."""

    def step(scene: Scene) -> None:
        for name in names:
            scene.clients[name].pane.type("SCENARIO:permission go")
        for name in names:
            scene.clients[name].pane.wait_for("SCENARIO:permission")
        for name in names:
            scene.clients[name].pane.keys("Enter")
        for name in names:
            stage.turn_to(name)(scene)
            _called(scene)

    return step


def _called(scene: Scene) -> None:
    """The current client must ring alone, or be named in the ring of several."""
    due = Due("permission", "", scene.here, together=True)

    def calling() -> Letter | None:
        return next((letter for letter in scene.hearing.of(due.project) if letter.rings), None)

    scene.note(due, wait(calling, f"missed: a permission of {due.project}"))
    heard("PermissionRequest")(scene)
    scene.measure(due)
