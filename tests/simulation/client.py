"""A model of one Claude Code client: what its person does, what it then fires and writes, and what it truly does.

The times are those of recorded runs of the real client. Every move is a method of Client; `moves` names those that are
possible now. A move leaves Happenings, each with its time, and one line of the story that a person can read.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from deskbell_hooks.schema import Status

HOOK, REGISTRY, TRANSCRIPT, NOTICED = 0.03, 0.05, 0.15, 6.0
"""Seconds from a deed to its hook, to the registry's change and to the transcript's line; and from a dialog to its
Notification."""

TYPED = 1.5
"""Seconds that it takes to type the command that opens a picker."""

WAITING = {
    "permission": "permission prompt",
    "plan": "permission prompt",
    "question": "input needed",
    "input": "input needed",
}


class Hook(NamedTuple):
    at: float
    event: Mapping[str, Any]


class Registry(NamedTuple):
    """The client's own file as it now reads; None: it is gone."""

    at: float
    content: Mapping[str, Any] | None


class Transcript(NamedTuple):
    at: float
    line: Mapping[str, Any]


class Death(NamedTuple):
    at: float


class Truth(NamedTuple):
    """What the client does from now on. `asked` is the command or question that its dialog shows."""

    at: float
    status: Status
    asked: str = ""


Happening = Hook | Registry | Transcript | Death | Truth


class Ask(NamedTuple):
    kind: str
    subject: str
    use: str
    opened: float
    agent: str = ""


@dataclass
class Client:
    session_id: str
    pid: int
    now: float
    happenings: list[Happening] = field(default_factory=list)
    story: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.place = "prompt"
        """prompt, work, tool, asks, picker, compacts, gone."""
        self.rest: Status = "idle"
        """What it is while it rests at its prompt."""
        self.ask: Ask | None = None
        self.behind: list[Ask] = []
        """Requests of the same answer that wait for their turn."""
        self.call: tuple[str, str] | None = None
        """The tool call of the main loop that runs: its id and command."""
        self.shells: list[str] = []
        self.agents: dict[str, tuple[str, str] | None] = {}
        """Subagents that run, each with its tool call."""
        self.queued = ""
        """A prompt that was typed while the turn runs."""
        self.answered = False
        """The newest prompt has an answer that has begun."""
        self.begun = self.now
        self._written: tuple[str, str] | None = None
        """What the registry says: its status and what it waits for."""
        self._made = 0
        self._hook("SessionStart", source="startup")
        self._registry("idle", after=0.1)
        self._truth("idle")

    # What is possible

    def moves(self) -> list[str]:
        if self.place == "gone":
            return []
        alone = ["dies"]
        match self.place:
            case "prompt":
                inside = ["prompts", "prompts", "opens_picker", "compacts", "exits"]
                return [*inside, *alone, *self._behind_the_prompt()]
            case "work":
                asks = ["asks_permission", "asks_question", "asks_plan", "asks_form", "asks_twice"]
                goes = ["runs_tool", "stops", "stops", "fails", "approves_itself", *self._escapes()]
                return [
                    *goes,
                    *asks,
                    "starts_shell",
                    "starts_agent",
                    *self._types_ahead(),
                    *alone,
                    *self._agents_moves(),
                ]
            case "tool":
                return ["tool_ends", "tool_fails", "interrupts", *self._types_ahead(), *alone, *self._agents_moves()]
            case "asks":
                words = ["refuses_with_words"] if self.ask and self.ask.kind != "input" else []
                return ["allows", "allows", "denies", *words, *alone]
            case "picker":
                return ["closes_picker", "closes_picker", *alone]
            case _:
                return ["compacted", *alone]

    def _types_ahead(self) -> list[str]:
        """One prompt at a time waits in the queue of this model."""
        return [] if self.queued else ["queues"]

    def _escapes(self) -> list[str]:
        """Escape before the first token leaves no line. If a subagent keeps the client busy, nothing tells of it."""
        return ["interrupts"] if self.answered or self.queued or not self.agents else []

    def _behind_the_prompt(self) -> list[str]:
        return [*(["shell_ends"] if self.shells else []), *self._agents_moves()]

    def _agents_moves(self) -> list[str]:
        if not self.agents:
            return []
        busy = [name for name, call in self.agents.items() if call]
        return ["agent_tool_ends", "agent_stops"] if busy else ["agent_runs_tool", "agent_asks", "agent_stops"]

    def do(self, move: str, after: float) -> None:
        """Do MOVE AFTER seconds; to type the name of a picker takes a moment."""
        self.now += max(after, TYPED) if move == "opens_picker" else after
        self.story.append(f"{self.now - self.begun:7.2f}  {move.replace('_', ' ')}")
        deed: Callable[[], None] = getattr(self, move)
        deed()

    # At the prompt

    def prompts(self) -> None:
        self.answered = False
        self._say("user", content=self._name("prompt"))
        self._hook("UserPromptSubmit", prompt=f"prompt {self._made}")
        self._registry("busy")
        self._work()

    def queues(self) -> None:
        self.queued = self._name("queued")
        self._hook("UserPromptSubmit", prompt=self.queued)
        self._queue("enqueue", content=self.queued)

    def opens_picker(self) -> None:
        """While a subagent runs, the registry stays busy whatever the person opens."""
        self.place = "picker"
        if not self.agents:
            self._registry("waiting", waitingFor="dialog open")

    def closes_picker(self) -> None:
        self._at_prompt(self.rest)

    def compacts(self) -> None:
        self.place = "compacts"
        self._hook("PreCompact", trigger="manual")
        self._registry("busy")
        self._truth("working")

    def compacted(self) -> None:
        self._hook("SubagentStop", agent_id="a-compact", agent_type="")
        self._hook("SessionStart", source="compact", after=0.06)
        self._hook("PostCompact", trigger="manual", after=0.08)
        stamp = _stamp(self.now + 0.05)
        boundary = {"type": "system", "subtype": "compact_boundary", "timestamp": stamp}
        self.happenings.append(Transcript(self.now + 0.15, boundary))
        self._at_prompt("idle", after=0.1)

    def exits(self) -> None:
        self.place = "gone"
        self._hook("SessionEnd", reason="prompt_input_exit")
        self.happenings.append(Registry(self.now + 0.02, None))
        self.happenings.append(Death(self.now + 0.1))
        self._truth("ended")

    def dies(self) -> None:
        self.place = "gone"
        self.happenings.append(Death(self.now))
        self._truth("crashed")

    # At work

    def runs_tool(self) -> None:
        self.call = (self._use(), self._name("run"))
        self._tool("PreToolUse", *self.call)
        self.place = "tool"

    def tool_ends(self) -> None:
        self._over("PostToolUse")

    def tool_fails(self) -> None:
        self._over("PostToolUseFailure", error="Exit code 3", is_interrupt=False)

    def stops(self) -> None:
        self._forgets_queued()
        self._say("assistant", stop_reason="end_turn", content=[{"type": "text", "text": self._name("said")}])
        self._hook("Stop", stop_hook_active=False, background_tasks=self._tasks())
        self._at_prompt("idle")

    def fails(self) -> None:
        self._forgets_queued()
        self._say("assistant", content=[{"type": "text", "text": "API Error: 500"}], failed=True)
        self._hook("StopFailure", error="server_error", last_assistant_message="API Error: 500")
        self._at_prompt("error")

    def interrupts(self) -> None:
        if self.queued:
            return self._takes_up()
        if self.answered:
            self._cut_off()  # Escape before the first token leaves no line
        self.call = None
        return self._at_prompt("interrupted")

    def _takes_up(self, use: str | None = None) -> None:
        """Escape lets the queued prompt begin. The transcript holds the prompt first, then the interruption.

        If an answer was coming in, it holds the interruption first.
        """
        self._queue("dequeue")
        streams = self.answered and not self.call and self.place == "work"
        cut_off = partial(self._cut_off, use)
        for write in (cut_off, self._says_queued) if streams else (self._says_queued, cut_off):
            write()
            self.now += 0.025
        self.call, self.queued, self.answered = None, "", False
        self._work()

    def _says_queued(self) -> None:
        self._say("user", content=self.queued)
        self._written = None
        self._registry("busy")

    def _forgets_queued(self) -> None:
        """The turn has taken up the queued prompt, which gets no line of its own."""
        if self.queued:
            self._queue("remove", content=self.queued)
        self.queued = ""

    def _queue(self, operation: str, **more: str) -> None:
        line = {"type": "queue-operation", "operation": operation, "timestamp": _stamp(self.now), **more}
        self.happenings.append(Transcript(self.now + TRANSCRIPT, line))

    def starts_shell(self) -> None:
        use, command = self._use(), self._name("shell")
        self._tool("PreToolUse", use, command)
        self._tool("PostToolUse", use, command, after=0.1)
        self.shells.append(f"b{self._made}")
        self.now += 0.1

    def shell_ends(self) -> None:
        self._reports(self.shells.pop(0))

    # Asking

    def asks_permission(self) -> None:
        self._asks("permission", "Bash", command=self._name("touch"))

    def asks_question(self) -> None:
        question = self._name("which")
        self._asks("question", "AskUserQuestion", questions=[{"question": question}])

    def asks_plan(self) -> None:
        self._asks("plan", "ExitPlanMode")

    def asks_form(self) -> None:
        use, message = self._use(), self._name("form")
        self._hook("PreToolUse", tool_name="mcp__x__ask", tool_input={}, tool_use_id=use)
        self._hook("Elicitation", mcp_server_name="x", mode="form", message=message, after=0.05)
        self._opens(Ask("input", message, use, self.now))

    def asks_twice(self) -> None:
        """Two calls of one answer: they are asked one after the other."""
        self.asks_permission()
        self.behind.append(Ask("permission", self._name("touch"), self._use(), 0.0))

    def approves_itself(self) -> None:
        """A PermissionRequest hook of the person's own approves: the dialog is there for a moment."""
        use, command = self._use(), self._name("auto")
        self._tool("PreToolUse", use, command)
        self._tool("PermissionRequest", None, command, after=0.05)
        self._registry("waiting", waitingFor="permission prompt", after=0.06)
        self._registry("busy", after=0.2)
        self.happenings.append(Truth(self.now + 0.06, "permission", command))
        self.happenings.append(Truth(self.now + 0.2, "working"))
        self.call = (use, command)
        self.place = "tool"
        self.now += 0.2

    def allows(self) -> None:
        ask = self._answered()
        if ask.kind == "permission":
            self._registry("busy")
            self._truth("working")
            if ask.agent:
                self.agents[ask.agent] = (ask.use, ask.subject)
                self._back_from_agent()
            else:
                self.call, self.place = (ask.use, ask.subject), "tool"
            return
        if ask.kind == "input":
            self._hook("ElicitationResult", mcp_server_name="x", mode="form", action="accept")
        self._say("user", content=[{"type": "tool_result", "tool_use_id": ask.use, "content": "done"}])
        tool = {"question": "AskUserQuestion", "plan": "ExitPlanMode"}.get(ask.kind, "mcp__x__ask")
        given = {"questions": [{"question": ask.subject}]} if ask.kind == "question" else {}
        self._hook("PostToolUse", tool_name=tool, tool_input=given, tool_use_id=ask.use, after=0.04)
        self._registry("busy")
        self._work()

    def denies(self) -> None:
        """Escape, or a plain No: the turn is over, and no hook says so."""
        ask = self._answered()
        if ask.kind == "input":
            return self._declines(ask)
        if ask.agent:
            return self._ends_agent(ask)
        self.behind.clear()
        if self.queued:
            return self._takes_up(ask.use)
        self._cut_off(ask.use)
        return self._at_prompt("interrupted")

    def _declines(self, ask: Ask) -> None:
        self._hook("ElicitationResult", mcp_server_name="x", mode="form", action="cancel")
        self._hook("PostToolUse", tool_name="mcp__x__ask", tool_input={}, tool_use_id=ask.use, after=0.08)
        self._registry("busy", after=0.1)
        self._work()

    def _ends_agent(self, ask: Ask) -> None:
        """A subagent that was denied is over; the main loop goes on."""
        self._registry("busy")
        self._hook("SubagentStop", agent_id=ask.agent, agent_type="general-purpose", after=0.1)
        del self.agents[ask.agent]
        self._truth("working")
        self.now += 0.15
        self._back_from_agent()
        if self.place == "prompt":
            self._reports(ask.agent)

    def refuses_with_words(self) -> None:
        """ "No, and tell Claude what to do", or "Chat about this": no hook says so, and the turn goes on."""
        ask = self._answered()
        refusal = {"type": "tool_result", "tool_use_id": ask.use, "is_error": True, "content": "The user said: not so"}
        self._registry("busy")
        if not ask.agent:
            self._say("user", content=[refusal])
        if ask.agent:
            self._truth("working")
            self._back_from_agent()
        else:
            self._work()
            self._asks_next()

    # Subagents

    def starts_agent(self) -> None:
        use, agent = self._use(), f"agent{self._made}"
        given = {"description": agent, "subagent_type": "general-purpose"}
        self._hook("PreToolUse", tool_name="Agent", tool_input=given, tool_use_id=use)
        self._hook("SubagentStart", agent_id=agent, agent_type="general-purpose", after=0.1)
        self._hook("PostToolUse", tool_name="Agent", tool_input=given, tool_use_id=use, after=0.12)
        self.agents[agent] = None
        self.now += 0.15

    def agent_runs_tool(self) -> None:
        agent = next(iter(self.agents))
        self.agents[agent] = call = (self._use(), self._name("sub"))
        self._tool("PreToolUse", *call, agent=agent)

    def agent_tool_ends(self) -> None:
        agent = next(name for name, call in self.agents.items() if call)
        call = self.agents[agent]
        assert call
        self._tool("PostToolUse", *call, agent=agent)
        self.agents[agent] = None

    def agent_asks(self) -> None:
        agent = next(iter(self.agents))
        use, command = self._use(), self._name("sub-touch")
        self._tool("PreToolUse", use, command, agent=agent)
        self._tool("PermissionRequest", None, command, agent=agent, after=0.05)
        self._opens(Ask("permission", command, use, self.now, agent))

    def agent_stops(self) -> None:
        agent = next(iter(self.agents))
        if call := self.agents.pop(agent):
            self._tool("PostToolUse", *call, agent=agent)
        self._hook("SubagentStop", agent_id=agent, agent_type="general-purpose", after=0.05)
        if self.place == "prompt":
            self.now += 0.1
            self._reports(agent)

    # What the moves have in common

    def _work(self) -> None:
        self.place, self.rest = "work", "idle"
        self._truth("working")

    def _at_prompt(self, rest: Status, after: float = 0.0) -> None:
        self.place, self.rest = "prompt", rest
        status = "busy" if self.agents else "shell" if self.shells else "idle"
        self._registry(status, after=REGISTRY + after)
        behind = rest == "idle" and (self.agents or self.shells)
        self._truth("background" if behind else rest)

    def _back_from_agent(self) -> None:
        """The main loop goes on where it was while its subagent asked."""
        self.place = self._before
        if self.place == "prompt":
            self._truth("background" if self.rest == "idle" else self.rest)

    def _reports(self, task: str) -> None:
        notification = (
            f"<task-notification>\n<task-id>{task}</task-id>\n<status>completed</status>\n</task-notification>"
        )
        self._say("user", content=notification)
        self._hook("UserPromptSubmit", prompt=notification)
        self.answered = False
        self._registry("busy")
        self._work()

    def _asks(self, kind: str, tool: str, **given: Any) -> None:
        use = self._use()
        self._hook("PreToolUse", tool_name=tool, tool_input=given, tool_use_id=use)
        self._hook("PermissionRequest", tool_name=tool, tool_input=given, after=0.08)
        subject = given.get("command") or (given["questions"][0]["question"] if "questions" in given else "")
        self._opens(Ask(kind, subject, use, self.now))

    def _opens(self, ask: Ask) -> None:
        self.now += 0.1
        self.ask = ask._replace(opened=self.now)
        self._before, self.place = self.place, "asks"
        self._registry("waiting", waitingFor=WAITING[ask.kind], after=0.02)
        self._truth(ask.kind, ask.subject)  # type: ignore[arg-type]  # the four kinds are statuses

    def _answered(self) -> Ask:
        ask = self.ask
        assert ask
        self.ask = None
        if self.now > ask.opened + NOTICED:
            message = (
                "Claude Code needs your approval for the plan" if ask.kind == "plan" else "Claude needs your permission"
            )
            kind = "elicitation_dialog" if ask.kind == "input" else "permission_prompt"
            late = ask.opened + NOTICED - self.now
            self._hook("Notification", notification_type=kind, message=message, after=late)
        return ask

    def _asks_next(self) -> None:
        if self.behind:
            ask = self.behind.pop(0)
            self.now += 0.3
            self._tool("PreToolUse", ask.use, ask.subject)
            self._tool("PermissionRequest", None, ask.subject, after=0.08)
            self._opens(ask)

    def _over(self, event: str, **more: Any) -> None:
        assert self.call
        self._tool(event, *self.call, **more)
        self._say("user", content=[{"type": "tool_result", "tool_use_id": self.call[0], "content": "done"}])
        self.call = None
        self._work()
        self._asks_next()

    def _cut_off(self, use: str | None = None) -> None:
        if call := use or (self.call[0] if self.call else None):
            self._say("user", content=[{"type": "tool_result", "tool_use_id": call, "is_error": True, "content": "No"}])
        text = "[Request interrupted by user for tool use]" if call else "[Request interrupted by user]"
        self._say("user", content=[{"type": "text", "text": text}])

    def _tasks(self) -> list[dict[str, str]]:
        shells = [{"id": s, "type": "shell", "status": "running", "description": s} for s in self.shells]
        return [*shells, *({"id": a, "type": "subagent", "status": "running", "description": a} for a in self.agents)]

    # What the client writes

    def _tool(
        self, event: str, use: str | None, command: str, agent: str = "", after: float = 0.0, **more: Any
    ) -> None:
        named = {"agent_id": agent, "agent_type": "general-purpose"} if agent else {}
        known = {"tool_use_id": use} if use else {}
        self._hook(event, tool_name="Bash", tool_input={"command": command}, after=after, **known, **named, **more)

    def _hook(self, name: str, after: float = 0.0, **fields: Any) -> None:
        event = {"session_id": self.session_id, "hook_event_name": name, "cwd": "/home/person/proj", **fields}
        self.happenings.append(Hook(self.now + HOOK + after, event))

    def _registry(self, status: str, after: float = REGISTRY, **more: Any) -> None:
        """Written where it changes."""
        at = self.now + after
        if (written := (status, str(more.get("waitingFor")))) == self._written:
            return
        self._written = written
        known = {
            "pid": self.pid,
            "sessionId": self.session_id,
            "cwd": "/home/person/proj",
            "startedAt": self.begun * 1000,
        }
        content = {**known, "kind": "interactive", "entrypoint": "cli", "status": status, "statusUpdatedAt": at * 1000}
        self.happenings.append(Registry(at, {**content, **more}))

    def _say(self, role: str, content: object, stop_reason: str | None = None, failed: bool = False) -> None:
        at = self.now + TRANSCRIPT
        message = {"role": role, "content": content, "model": "claude-opus-5-5", "stop_reason": stop_reason}
        if failed:
            message["model"] = "<synthetic>"
        stamp = _stamp(at)
        line = {"type": role, "timestamp": stamp, "isSidechain": False, "message": message}
        self.happenings.append(Transcript(at, {**line, **({"isApiErrorMessage": True} if failed else {})}))

    def _truth(self, status: Status, asked: str = "") -> None:
        self.happenings.append(Truth(self.now, status, asked))

    def _use(self) -> str:
        """A new tool call, which the answer to the prompt holds."""
        if not self.answered and self.place == "work":
            self._say("assistant", content=[{"type": "tool_use", "id": "toolu"}], stop_reason="tool_use")
            self.answered = True
        self._made += 1
        return f"toolu_{self._made}"

    def _name(self, word: str) -> str:
        self._made += 1
        return f"{word} {self._made}"


def _stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()


def readable(client: Client) -> str:
    """The story of a client with everything that it fired and wrote."""
    lines = [*client.story]
    for one in sorted(client.happenings, key=lambda one: one.at):
        at = one.at - client.begun
        match one:
            case Hook(_, event):
                lines.append(
                    f"{at:7.2f}      hook {event['hook_event_name']} {event.get('agent_id', '')} {event.get('tool_input', '')}"
                )
            case Registry(_, content):
                lines.append(
                    f"{at:7.2f}      registry {json.dumps({k: content[k] for k in ('status', 'waitingFor') if k in content}) if content else 'gone'}"
                )
            case Truth(_, status, asked):
                lines.append(f"{at:7.2f}    = {status} {asked}")
            case Death():
                lines.append(f"{at:7.2f}      process gone")
            case Transcript(_, line):
                lines.append(f"{at:7.2f}      transcript {line['type']}")
    return "\n".join(lines)
