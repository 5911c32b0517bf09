"""Play a situation step by step: what the person does (`say`, `press`, ...), what the board must show (`see`)."""

import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.client.claude import Claude, Tui
from tests.client.marks import Glances, installed, tray
from tests.client.watch import Check, Expected, Watch, slowness
from tests.waiting import wait


@dataclass
class Stage:
    """A situation that is being played: its account, its clients by name, its checks so far."""

    claude: Claude
    watch: Watch
    checks: list[Check] = field(default_factory=list)
    clients: dict[str, Tui] = field(default_factory=dict)
    conversations: dict[str, str] = field(default_factory=dict)
    on: str = ""
    moment: float = 0.0
    """When the clock of the next check started."""
    in_tmux: bool = False
    """Whether the panes of the clients are checked, too."""

    @property
    def tui(self) -> Tui:
        return self.clients[self.on]

    def now(self) -> None:
        self.moment = time.monotonic()

    def begin(self, name: str, tui: Tui) -> None:
        self.on, self.clients[name] = name, tui
        self.now()


Step = Callable[[Stage], None]


@dataclass(frozen=True)
class Situation:
    name: str
    steps: tuple[Step, ...]
    options: tuple[str, ...] = ()
    """The options of `deskbell list`."""
    has_tray: bool = True
    """Whether a tray runs beside the list and keeps the panes of tmux. It remembers crashes, which the list then reads."""


def situation(name: str, *steps: Step, options: tuple[str, ...] = (), has_tray: bool = True) -> Situation:
    return Situation(name, steps, options, has_tray)


def play(scene: Situation, claude: Claude) -> list[Check]:
    with ExitStack() as beside:
        if scene.has_tray:
            installed(claude)
            beside.enter_context(tray(claude))
        watch = beside.enter_context(Watch(scene.options, claude.environment))
        stage = Stage(claude, watch, in_tmux=scene.has_tray)
        for step in scene.steps:
            step(stage)
    return stage.checks


# What the person must see.


def see(status: str, detail: str = "", *, once: str = "", hold: float = 0.6, through: Sequence[str] = ()) -> Step:
    """The board must say so within a second of the last deed, or of the moment at which the terminal shows ONCE.

    Then a fresh look must say the same. The pane of the client must say so within a second, too."""
    expected = Expected(status, detail, hold, through)

    def step(stage: Stage) -> None:
        if once:
            shown(once)(stage)
        pane = Glances(stage.tui, stage.moment, expected) if stage.in_tmux else None
        check = stage.watch.looked_twice(stage.tui.pid, stage.moment, expected)
        holds = partial(stage.watch.holds, stage.tui.pid, expected)
        stage.checks.append(pane.checked(check, holds) if pane else check)

    return step


def suspended(is_suspended: bool) -> Step:
    """A fresh look must say at once whether the client is suspended; its status stays what it was.

    Nothing wakes the command that runs throughout: it says so the next time that it looks."""

    def step(stage: Stage) -> None:
        pid, since = stage.tui.pid, time.monotonic()
        before = stage.watch.newest(pid)["status"]
        row: Mapping[str, Any] = {}

        def says() -> bool:
            nonlocal row
            row = stage.watch.fresh(pid)
            return bool(row["suspended"]) is is_suspended and ("type fg" in row["reason"]) is is_suspended

        wait(says, f"suspended: {is_suspended}", seen=lambda: row)
        trouble = "" if row["status"] == before else f"it was {before}"
        what = f"{row['status']} {'suspended' if is_suspended else 'awake'}"
        stage.checks.append(Check(what, what, time.monotonic() - since, trouble))

    return step


def dated(patience: float = 30.0) -> Step:
    """Every look must say for PATIENCE seconds, with the same time, that the client crashed when it was killed."""

    def step(stage: Stage) -> None:
        pid, killed = stage.tui.pid, time.time() - (time.monotonic() - stage.moment)
        end, trouble, first = time.monotonic() + patience, "", stage.watch.fresh(pid)
        while not trouble and time.monotonic() < end:
            for row in (stage.watch.newest(pid), stage.watch.fresh(pid)):
                if not row or (row["group"], row["since"]) != ("crashed", first["since"]):
                    trouble = f"it was {first}, then {row}"
            time.sleep(1.0)
        if abs(first["since"] - killed) > slowness():
            trouble = trouble or f"it died at {killed:.1f}"
        stage.checks.append(Check(f"crashed for {patience:.0f} s", f"since {first['since']:.1f}", 0.0, trouble))

    return step


def shown(*texts: str) -> Step:
    """Wait until the terminal shows one of the texts, and start the clock of the next check."""

    def step(stage: Stage) -> None:
        stage.tui.pane.wait_for(*texts)
        stage.now()

    return step


# What the person does.


def start(*arguments: str, name: str = "", project: str = "proj", **environment: str) -> Step:
    def step(stage: Stage) -> None:
        stage.begin(name, stage.claude.start(*arguments, project=project, environment=environment))
        stage.conversations[name] = stage.tui.session_id

    return step


def start_with_subscription(**settings: object) -> Step:
    """Start a client of a person with a subscription, which has limits, instead of one with a key."""

    def step(stage: Stage) -> None:
        stage.claude.log_in()
        stage.claude.set_settings(**settings)
        start(ANTHROPIC_API_KEY="")(stage)

    return step


def at_limit(seconds: int) -> Step:
    """Send a prompt that reaches the limit of the subscription, which ends after SECONDS."""
    return lambda stage: say("limit", int(time.time()) + seconds)(stage)


def start_in_shell(name: str = "") -> Step:
    def step(stage: Stage) -> None:
        stage.begin(name, stage.claude.start_in_shell())
        stage.conversations[name] = stage.tui.session_id

    return step


def printed(scenario: str, number: int) -> Step:
    """Start `claude -p`."""

    def step(stage: Stage) -> None:
        stage.begin("", stage.claude.start("-p", f"SCENARIO:{scenario}={number} go", settled=False))

    return step


def embedded(scenario: str, number: int, entrypoint: str, *arguments: str) -> Step:
    """Start a client as the SDK does."""
    said = f"SCENARIO:{scenario}={number} go"
    return lambda stage: stage.begin("", stage.claude.embedded(said, entrypoint, *arguments))


def start_apart() -> Step:
    """Start a client in a pid namespace of its own."""
    return lambda stage: stage.begin("", stage.claude.start_apart())


def repository() -> Step:
    """Make a git repository of the folder of all projects, which the client trusts."""

    return lambda stage: make_repository(stage.claude.home / "projects")


def make_repository(folder: Path) -> None:
    who = ("-c", "user.name=n", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), (*who, "commit", "-q", "--allow-empty", "-m", "first")):
        subprocess.run(["git", *words], cwd=folder, check=True)


def entry(text: str | None) -> Step:
    """Replace the client's own file in the registry by TEXT; None: remove it. The client writes it no more."""

    def change(tui: Tui) -> None:
        path = tui.claude.config / "sessions" / f"{tui.pid}.json"
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")

    return _deed(change)


def turn_to(name: str) -> Step:
    def step(stage: Stage) -> None:
        stage.on = name
        stage.now()

    return step


def _deed(do: Callable[[Tui], object]) -> Step:
    def step(stage: Stage) -> None:
        do(stage.tui)
        stage.now()

    return step


def say(scenario: str, number: int | None = None) -> Step:
    """Send a prompt and wait until the client takes it, which is no delay of Deskbell. A turn that is over at once may
    leave no trace in the client's file."""

    def ask(tui: Tui) -> None:
        before = tui.changed
        tui.scenario(scenario, number)
        with suppress(AssertionError):
            wait(lambda: tui.changed != before, "a reaction to the prompt", within=1.0)

    return _deed(ask)


def backgrounded(scenario: str) -> Step:
    """Start `claude --bg`: a session without a terminal, under the client's own daemon."""
    return lambda stage: stage.begin("", stage.claude.background(f"SCENARIO:{scenario} go"))


def prompt(text: str) -> Step:
    return _deed(lambda tui: tui.prompt(text))


def press(*keys: str) -> Step:
    return _deed(lambda tui: tui.pane.keys(*keys))


def choose(*keys: str) -> Step:
    return _deed(lambda tui: tui.choose(*keys))


def typed(text: str) -> Step:
    """Type into an open dialog, and wait until the screen shows it."""

    def step(stage: Stage) -> None:
        stage.tui.pane.type(text)
        stage.tui.pane.wait_for(text)

    return step


def answer(key: str) -> Step:
    return _deed(lambda tui: tui.answer(key))


def made(file: str) -> Step:
    """Wait until the command that makes FILE runs."""

    def step(stage: Stage) -> None:
        wait((stage.claude.project() / file).exists, file, seen=stage.tui.pane.screen)
        stage.now()

    return step


def until(status: str) -> Step:
    """Wait for the client's own status, where no text on the screen shows it."""
    return _deed(lambda tui: tui.wait_status(status))


def renewed() -> Step:
    """Wait until the client goes on with another conversation."""

    def step(stage: Stage) -> None:
        before = stage.conversations[stage.on]
        wait(lambda: stage.tui.session_id != before, "another conversation", seen=stage.tui.pane.screen)
        stage.conversations[stage.on] = stage.tui.session_id
        stage.now()

    return step


def later(seconds: float = 0.0) -> Step:
    """Wait SECONDS, then start the clock of the next check."""

    def step(stage: Stage) -> None:
        time.sleep(seconds)
        stage.now()

    return step


def own_hook(event: str, command: str) -> Step:
    """Add a hook of the person's own to the settings."""

    def step(stage: Stage) -> None:
        hooks = dict(stage.claude.standing["hooks"])
        hooks[event] = [*hooks.get(event, []), {"hooks": [{"type": "command", "command": command}]}]
        stage.claude.set_settings(hooks=hooks)

    return step


def send(number: signal.Signals) -> Step:
    return _deed(lambda tui: tui.kill(number))


def close_terminal() -> Step:
    return _deed(lambda tui: tui.pane.close())


def kill_tmux() -> Step:
    return _deed(lambda tui: tui.pane.terminal.kill())


def ended() -> Step:
    return _deed(lambda tui: tui.wait_gone())


def set_settings(**more: object) -> Step:
    def step(stage: Stage) -> None:
        stage.claude.set_settings(**more)

    return step


def resumed(*options: str, name: str = "") -> Step:
    """Start a client that resumes the conversation of the current one."""

    def step(stage: Stage) -> None:
        start("--resume", stage.conversations[stage.on], *options, name=name)(stage)

    return step
