"""Run the desk of open requests: accept askers and commands, judge requests, and report what came of answers."""

import asyncio
import os
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from deskbell.answers import origin
from deskbell.answers.desk import PASSED, Desk
from deskbell.answers.door import PART, Caller, Door
from deskbell.answers.outcome import Decision as Decided
from deskbell.answers.outcome import decision_in
from deskbell.answers.receipts import Receipt, Receipts
from deskbell.answers.request import VERSION, Request
from deskbell.answers.shown import whole
from deskbell.answers.steps import SURE, Answer, Refusal, Rules
from deskbell.answers.views import Views, view
from deskbell.answers.waiting import Seen
from deskbell.asking import Asking
from deskbell.desktop.typed import typing
from deskbell.files.read import opened, read
from deskbell.home import Home, own_home
from deskbell.notices import decisions
from deskbell.notices.decisions import Decision, Outcome
from deskbell.notices.notice import slot
from deskbell.notices.policy import Policy
from deskbell.program.away import Away
from deskbell.program.dialogue import place as dialogue
from deskbell.program.judging import Judging
from deskbell.session import Session
from deskbell.sessions.processes import is_alive
from deskbell.sessions.registry import LARGEST, Entry, entry_of
from deskbell.supervision import Supervisor
from deskbell.text.clean import READ_AT_MOST
from deskbell.text.wording import short, without_secrets_inside
from deskbell_hooks.codec import encode
from deskbell_hooks.trim import without_secrets

LOOK = 0.5
"""Seconds between two looks at the open requests if no change of a file wakes the desk."""
MENDS = 5.0
"""Seconds between two looks whether somebody has removed the socket, or its folder."""
PAUSE = 0.02
"""The shortest time between two looks, in seconds."""
LARGEST_LIST = 600_000
"""Bytes of the open requests that a command gets with all that they ask. A message has room for 1 MiB."""
ASKS = 1000
"""Characters of what a request is about."""
TOO_MANY = "Too much is asked at the same time to show this here. Answer something else first, or this in the terminal."
GROWS = 4 * 1024 * 1024
"""Bytes of a transcript, from the answer on, that are searched for what was decided."""
JUDGED_WITHIN = 1.0
"""Seconds for which a click waits at the most until a request is judged again."""
NO_STEP = -1
"""What was on the screen of a command is no step that is open."""
UNSHOWN = "It was not shown here before, as it is now."
FAILED = "answer failed"
"""The slot of the message about an answer that the client did not take."""


class Answering:
    """The desk, with its connections, receipts and phone. Everything but `_rules` runs in the loop.

    SAY shows a message, WITHDRAW removes one from the screen, WAKE starts a turn of the loop.
    """

    def __init__(
        self,
        home: Home,
        supervisor: Supervisor,
        policy: Callable[[], Policy],
        config_dirs: Callable[[], Iterable[Path]],
        focused: Callable[[Session], bool | None],
        say: Callable[[str, str, str], None],
        withdraw: Callable[[str], None],
        wake: Callable[[], None],
        clock: Callable[[], float],
        away: Away,
    ) -> None:
        self._home = home
        self._supervisor = supervisor
        self._policy = policy
        self._config_dirs = config_dirs
        self._say = say
        self._withdraw = withdraw
        self._clock = clock
        self._woken = asyncio.Event()
        self._door = Door(home.state, self._hear, supervisor)
        self._clients: frozenset[int] = frozenset()
        self._judging = Judging(self._rules, supervisor)
        self._turns = defaultdict[str, asyncio.Lock](asyncio.Lock)
        """Held by the choice that is to be pressed next, by the code of its request."""
        self._views = Views()
        self._callers: dict[str, Caller] = {}
        """The commands that wait for the receipts of their answers, by the code of the request."""
        self.desk = Desk(
            kinds=lambda: policy().answers,
            seen=self._seen,
            judge=self._start_judging,
            judge_again=self._judged_again,
            typing=lambda session: typing(session, focused(session), clock()),
            clock=clock,
            changed=wake,
            ended=self._ended,
            receipts=Receipts(self._seen, _decided, _length, self._tell),
        )
        self._away = away
        away.press, away.prepare = self.desk.press, self.prepare

    def start(self) -> None:
        self._supervisor.keep(PART, self._run)

    def nudge(self) -> None:
        """Look again soon: a file has changed or a process has ended. Call this in the loop."""
        if self.desk.waits:
            self._woken.set()

    def attached(self, sessions: Iterable[Session]) -> Sequence[Session]:
        """Return SESSIONS with their open requests. The loop calls this at every turn."""
        if self._is_wanted() != self._door.is_open:
            self._woken.set()
        found = self.desk.attached(sessions)
        self._away.see(found, {request.code for request, _ in self.desk.requests})
        self._clients = frozenset(session.pid for session in found if session.pid)
        return found

    def dismissed(self, closed: str) -> None:
        """End the requests whose notification, in the slot CLOSED, the person closed."""
        for request, _ in self.desk.requests:
            key = request.session_id, request.pid
            if closed in (slot(key), dialogue(*key)):
                self.desk.dismissed(key)

    def close(self) -> None:
        self.desk.close()
        self._door.close()

    def _is_wanted(self) -> bool:
        return self._policy().answers.needs_asker

    async def _run(self) -> None:
        try:
            while True:
                self._woken.clear()
                if self._is_wanted():
                    await self._door.open()
                else:
                    self._door.close()
                self.desk.look()
                await asyncio.sleep(PAUSE)
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._pause):
                        await self._woken.wait()
        finally:
            self.close()

    @property
    def _pause(self) -> float | None:
        if self.desk.waits:
            return LOOK
        return MENDS if self._is_wanted() else None

    def _hear(self, message: Any, caller: Caller) -> None:
        said = message if isinstance(message, dict) and message.get("v") == VERSION else {}
        match said.get("wish"):
            case None:
                self._take(message, caller)
            case "list":
                caller.send(encode({"v": VERSION, "requests": listed(self.desk.requests)}) + b"\n")
            case "shown":
                if not self._is_from_client(caller):
                    self._views.note(said.get("views"))
                caller.send(encode({"v": VERSION}) + b"\n")
            case "answer":
                self._answer(said, caller)
            case _:
                caller.close()

    def _take(self, message: Any, caller: Caller) -> None:
        if code := self.desk.take(message, caller):
            caller.gone = partial(self.desk.hung_up, code)
            self._woken.set()

    def _answer(self, said: dict[str, Any], caller: Caller) -> None:
        """Answer for a command. Its connection stays open until it is known what came of the answer."""
        code, choice, text = said.get("code"), said.get("choice"), said.get("text")
        if not isinstance(code, str) or not isinstance(choice, str) or not isinstance(text, str | None):
            _tell_caller(caller, False, "That is not an answer.")
        elif self._is_from_client(caller):
            _tell_caller(caller, False, "Claude Code started this command, and must not answer what it asks itself.")
        else:
            press = self._press(code, choice, text, said, caller)
            self._supervisor.once(PART, _answered(press, caller))

    def _is_from_client(self, caller: Caller) -> bool:
        return origin.is_from_client(caller.pid, self._clients, origin.parent_of, origin.environment_of)

    async def _press(self, code: str, choice: str, text: str | None, said: Mapping[str, Any], caller: Caller) -> None:
        """Press CHOICE, if what it answers was shown and is the same still after it was judged again."""
        await self.prepare(code, choice)
        asking = next((asking for request, asking in self.desk.requests if request.code == code), None)
        if not self._views.permits(asking, choice):
            _tell_caller(caller, False, UNSHOWN, unshown=True)
            return
        on = asking.step if asking and view(asking) == said.get("view") else NO_STEP
        step = self.desk.press(code, choice, text, on, by_hand=False)
        if isinstance(step, Asking) and said.get("confirmed") is True and any(one.id == SURE for one in step.choices):
            await self.prepare(code, SURE)
            step = self.desk.press(code, SURE, by_hand=False)
        if isinstance(step, Answer):
            self._callers[code] = caller
            caller.gone = partial(self._forget, code)
        elif isinstance(step, Refusal):
            _tell_caller(caller, False, step.why, **({"unshown": True} if step is PASSED else {}))
        else:
            _tell_caller(caller, False, step.why_not or f"Another choice is needed: {step.detail}", next=step.detail)

    def _forget(self, code: str) -> None:
        self._callers.pop(code, None)

    def _seen(self, request: Request) -> Seen:
        return Seen(self._entry(request.pid), is_alive(request.pid, request.start, request.at))

    def _entry(self, pid: int) -> Entry | None:
        """Return the newest entry for PID: another account may hold one of an earlier process with that number."""
        found = (_read_entry(folder, pid) for folder in self._config_dirs())
        return max((one for one in found if one), key=lambda one: one.status_since, default=None)

    def _start_judging(self, request: Request) -> None:
        self._supervisor.once(PART, self._judge(request))

    async def _judge(self, request: Request) -> None:
        """Judge REQUEST. Until then nothing is offered, and if it cannot be judged, nothing ever is."""
        if rules := await self._judging.of(request):
            self.desk.judged(request.code, rules)
            self._woken.set()

    async def prepare(self, code: str, choice: str) -> None:
        """Await this right before CHOICE of the request CODE is pressed: what it would allow is judged again.

        The choices of a request are pressed in the order in which they came.
        """
        async with self._turns[code]:
            if request := self.desk.allows(code, choice):
                await self._judging.again(request, JUDGED_WITHIN)
        if not self.desk.holds(code):
            self._turns.pop(code, None)

    def _judged_again(self, request: Request) -> Rules | None:
        rules = self._judging.take(request)
        if rules is None:  # for the next attempt
            self._supervisor.once(PART, self._judging.again(request, JUDGED_WITHIN))
        return rules

    def _rules(self, request: Request) -> Rules:
        # imported for a request only: most people have answers switched off
        from deskbell.answers.risk import Place, table
        from deskbell.answers.risk.links import linked

        answers, entry = self._policy().answers, self._entry(request.pid)
        place = Place(request.cwd, (entry.cwd if entry else None) or request.cwd, str(own_home() or ""))
        found = linked(request.tool, request.tool_input, place, table(**answers.risk.model_dump()))
        return Rules(found, whole(request), lasting=answers.rules)

    def _ended(self, request: Request) -> None:
        self._turns.pop(request.code, None)
        self._withdraw(dialogue(request.session_id, request.pid))
        self._away.ended(request.code)
        self._woken.set()

    def _tell(self, receipt: Receipt) -> None:
        request = receipt.request
        outcome: Outcome = "answered" if receipt.taken else "not answered"
        decision = Decision(
            self._clock(), request.session_id, request.pid, receipt.project, request.kind, outcome, receipt.said
        )
        with suppress(OSError):  # a full disk is on the icon already
            decisions.write(self._home.state, [decision])
        if caller := self._callers.pop(request.code, None):
            _tell_caller(caller, receipt.taken, f"It was {receipt.said}.")
        elif not receipt.taken:
            self._say(FAILED, f"{receipt.project}: the answer was not taken", f"It was {receipt.said}.")


def _read_entry(folder: Path, pid: int) -> Entry | None:
    try:
        return entry_of(read(folder / "sessions" / f"{pid}.json", LARGEST), pid, str(folder))
    except (OSError, ValueError):
        return None


def listed(requests: Sequence[tuple[Request, Asking]]) -> list[dict[str, Any]]:
    """Return the open requests for a command, as many of them whole as fit into one message."""
    left, found = LARGEST_LIST, []
    for request, asking in requests:
        one = _described(request, asking)
        left -= (size := len(encode(one)))
        if left < 0:
            one, left = _described(request, replace(asking.where(False, TOO_MANY), whole=())), left + size
        found.append(one)
    return found


def _described(request: Request, asking: Asking) -> dict[str, Any]:
    """Return an open request for a command, without secrets. `whole` holds none."""
    return {
        "code": request.code,
        "session_id": request.session_id,
        "pid": request.pid,
        "kind": request.kind,
        "tool": short(request.tool, ASKS),
        "asks": without_secrets(asking.detail[:READ_AT_MOST])[:ASKS],
        "whole": list(asking.whole),
        "choices": without_secrets_inside([asdict(one) for one in asking.choices]),
        "why_not": without_secrets(asking.why_not),
        "view": view(asking),
        "since": request.at,
    }


async def _answered(press: Awaitable[None], caller: Caller) -> None:
    """Await PRESS. After an error nobody would answer CALLER, so let it go."""
    try:
        await press
    except BaseException:
        caller.close()
        raise


def _tell_caller(caller: Caller, done: bool, said: str, **more: object) -> None:
    caller.send(encode({"v": VERSION, "done": done, "said": said, **more}) + b"\n")


def _length(request: Request) -> int:
    try:
        return Path(_transcript(request)).stat().st_size
    except (OSError, ValueError):
        return 0


def _decided(request: Request, begun: int) -> Decided | None:
    try:
        with opened(_transcript(request)) as (fd, _):
            os.lseek(fd, begun, os.SEEK_SET)
            return decision_in(os.read(fd, GROWS).split(b"\n"))
    except (OSError, ValueError):
        return None


def _transcript(request: Request) -> str:
    path = request.event.get("transcript_path")
    return path if isinstance(path, str) else ""
