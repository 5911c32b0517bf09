"""Model one Claude Code client: what its person does, which hooks and files follow, and what it truly does.

The times are those of recorded runs of the real client. Every move is a method of Client; `moves` names those that are
possible now. A move leaves Happenings, each with its time.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from deskbell_hooks.schema import Status
from tests.simulation.traces import REGISTRY, Traces

NOTICED = 6.0
"""Seconds from a dialog to its Notification."""

WAITING = {
    "permission": "permission prompt",
    "plan": "permission prompt",
    "question": "input needed",
    "input": "input needed",
}


class Ask(NamedTuple):
    kind: str
    subject: str
    use: str
    opened: float
    agent: str = ""


class Client(Traces):
    """One client. SOURCE says how it was started; one that resumes a session writes behind the line BEFORE."""

    def __init__(self, session_id: str, pid: int, now: float, source: str = "startup", before: str = "") -> None:
        super().__init__(session_id, pid, now, before)
        self.place = "prompt"
        """prompt, work, tool, asks, picker, compacts, command, gone."""
        self.rest: Status = "new" if source == "startup" else "idle"
        """Its status while it rests at the prompt."""
        self.ask: Ask | None = None
        self.behind: list[Ask] = []
        """Requests of the same answer that wait until the one before is answered."""
        self.call: tuple[str, str] | None = None
        """The tool call of the main loop that runs: its id and command."""
        self.shells: list[str] = []
        self.agents: dict[str, tuple[str, str] | None] = {}
        """Subagents that run, each with its tool call."""
        self.queued = ""
        """A prompt that was typed while the turn runs."""
        self.answered = False
        """The newest prompt has an answer that has begun."""
        self._hook("SessionStart", source=source)
        self._registry("idle", after=0.1)
        self._truth(self.rest)

    # What is possible

    def moves(self) -> list[str]:
        if self.place == "gone":
            return []
        alone = ["dies"]
        match self.place:
            case "prompt":
                inside = ["prompts", "prompts", "opens_picker", "compacts", "exits"]
                return [*inside, *alone, *self._alone(), *self._behind_the_prompt()]
            case "work":
                asks = ["asks_permission", "asks_question", "asks_plan", "asks_form", "asks_twice"]
                limits = [] if self.agents or self.shells else ["hits_limit"]
                goes = ["runs_tool", "stops", "stops", "fails", "approves_itself", *limits, *self._escapes()]
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
            case "command":
                return ["command_ends", *alone]
            case _:
                return ["compacted", *alone]

    def _types_ahead(self) -> list[str]:
        """One prompt at a time waits in the queue of this model."""
        return [] if self.queued else ["queues"]

    def _alone(self) -> list[str]:
        """Return the moves of a client without subagents and shells. Beside a subagent no file would show them."""
        waits = ["cancels_limit", "goes_on_after_limit"] if self.rest == "limit" else []
        return [] if self.agents or self.shells else ["runs_command", "clears", *waits]

    def _escapes(self) -> list[str]:
        """Escape before the first token leaves no line. If a subagent keeps the client busy, nothing shows it."""
        return ["interrupts"] if self.answered or self.queued or not self.agents else []

    def _behind_the_prompt(self) -> list[str]:
        return [*(["shell_ends"] if self.shells else []), *self._agents_moves()]

    def _agents_moves(self) -> list[str]:
        if not self.agents:
            return []
        busy = [name for name, call in self.agents.items() if call]
        return ["agent_tool_ends", "agent_stops"] if busy else ["agent_runs_tool", "agent_asks", "agent_stops"]

    def do(self, move: str) -> None:
        deed: Callable[[], None] = getattr(self, move)
        deed()

    # At the prompt

    def prompts(self) -> None:
        self._prompts(self._name("prompt"))

    def runs_command(self) -> None:
        """A command of the shell behind "!": its lines are a prompt, and what Claude says of it is a turn."""
        self._begins_prompt()
        self._registry("busy")
        self.place = "command"
        self._truth("working")

    def command_ends(self) -> None:
        """End the command. For a moment nothing distinguishes its answer from a dialog that the person closed."""
        self._truth(self.rest)
        self._says("<bash-input>make</bash-input>")
        self._says("<bash-stdout>done</bash-stdout><bash-stderr></bash-stderr>")
        self._answers([{"type": "text", "text": self._name("said")}], stop_reason="end_turn")
        self._hook("Stop", stop_hook_active=False, background_tasks=self._tasks())
        self._at_prompt("idle")

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
        self._begins_prompt()
        self.place = "compacts"
        self._hook("PreCompact", trigger="manual")
        self._registry("busy")
        self._truth("working")

    def compacted(self) -> None:
        self._hook("SubagentStop", agent_id="a-compact", agent_type="")
        self._hook("SessionStart", source="compact", after=0.06)
        self._hook("PostCompact", trigger="manual", after=0.08)
        self._notes("compact_boundary")
        self._at_prompt("idle", after=0.1)

    def exits(self) -> None:
        self._begins_prompt()
        self.place = "gone"
        self._hook("SessionEnd", reason="prompt_input_exit")
        self._leaves_registry(0.02)
        self._process_ends(0.1)
        self._truth("ended")

    def clears(self) -> None:
        """/clear: the client goes on with a new session. Its first hook there names no prompt."""
        self._begins_prompt()
        self._hook("SessionEnd", reason="clear")
        self._truth("ended")
        self.session_id = f"{self.session_id}{self.pid}"
        self.prompt, self.before = "", ""
        self._hook("SessionStart", source="clear", after=0.15)
        self._at_prompt("new", after=0.1)

    def dies(self) -> None:
        self.place = "gone"
        self._process_ends()
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
        self._answers([{"type": "text", "text": self._name("said")}], stop_reason="end_turn")
        self._hook("Stop", stop_hook_active=False, background_tasks=self._tasks())
        self._at_prompt("idle")

    def hits_limit(self) -> None:
        """End the turn at a usage limit. The client will go on by itself, long after the story."""
        self._forgets_queued()
        said, quota = "You've hit your 5-hour limit · resets 3:45am", {"resetsAt": int(self.now) + 36_000}
        self._answers([{"type": "text", "text": said}], failed=True, error="rate_limit", quotaLimits=quota)
        self._hook("StopFailure", error="rate_limit", last_assistant_message=said)
        self._announces("Usage limit reached · continuing automatically at 3:45am · esc to cancel")
        self._at_prompt("limit")

    def cancels_limit(self) -> None:
        self._announces("Automatic continue cancelled · /rate-limit-options to re-arm")
        self._at_prompt("interrupted")

    def goes_on_after_limit(self) -> None:
        self._announces("Usage limit available again · continuing now")
        self._hook("Notification", notification_type="quota_auto_resume_fired", message="Usage limit available")
        words = "Your claude.ai usage limit has reset. Continue the task you were working on when the limit was reached"
        self._prompts(words, isMeta=True, origin={"kind": "auto-continuation"})

    def fails(self) -> None:
        self._forgets_queued()
        self._answers([{"type": "text", "text": "API Error: 500"}], failed=True)
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

        If an answer was coming in, it holds the interruption first. The queued prompt gets an id of its own only now.
        """
        self._queue("dequeue")
        before = self.prompt
        self._begins_prompt()
        if self.answered and not self.call and self.place == "work":
            self._cut_off(use, before)
            self.now += 0.025
            self._says_queued()
        else:
            self._says_queued()
            self.now += 0.025
            self._cut_off(use)
        self.now += 0.025
        self.call, self.queued, self.answered = None, "", False
        self._work()

    def _says_queued(self) -> None:
        self._says(self.queued)
        self._written = None
        self._registry("busy")

    def _forgets_queued(self) -> None:
        """The turn has taken up the queued prompt, which gets no line of its own."""
        if self.queued:
            self._queue("remove", content=self.queued)
        self.queued = ""

    def starts_shell(self) -> None:
        use, command = self._use(), self._name("shell")
        self._tool("PreToolUse", use, command)
        self._tool("PostToolUse", use, command, after=0.1)
        self._has_result(use)
        self.shells.append(self._id("shell"))
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
        self._truth("permission", command, after=0.06)
        self._truth("working", after=0.2)
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
        self._has_result(ask.use)
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
        self._has_result(ask.use)
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
        self._registry("busy")
        if not ask.agent:
            self._has_result(ask.use, "The user said: not so", is_error=True)
        if ask.agent:
            self._truth("working")
            self._back_from_agent()
        else:
            self._work()
            self._asks_next()

    # Subagents

    def starts_agent(self) -> None:
        use, agent = self._use(), self._id("agent")
        given = {"description": agent, "subagent_type": "general-purpose"}
        self._hook("PreToolUse", tool_name="Agent", tool_input=given, tool_use_id=use)
        self._hook("SubagentStart", agent_id=agent, agent_type="general-purpose", after=0.1)
        self._hook("PostToolUse", tool_name="Agent", tool_input=given, tool_use_id=use, after=0.12)
        self._has_result(use)
        self.agents[agent] = None
        self.now += 0.15

    def agent_runs_tool(self) -> None:
        agent = next(iter(self.agents))
        self.agents[agent] = call = (self._use(in_main_loop=False), self._name("sub"))
        self._tool("PreToolUse", *call, agent=agent)

    def agent_tool_ends(self) -> None:
        agent = next(name for name, call in self.agents.items() if call)
        call = self.agents[agent]
        assert call
        self._tool("PostToolUse", *call, agent=agent)
        self.agents[agent] = None

    def agent_asks(self) -> None:
        agent = next(iter(self.agents))
        use, command = self._use(in_main_loop=False), self._name("sub-touch")
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

    def _prompts(self, said: str, **more: object) -> None:
        self._begins_prompt()
        self.answered = False
        self._says(said, **more)
        self._hook("UserPromptSubmit", prompt=said)
        self._registry("busy")
        self._work()

    def _work(self) -> None:
        self.place, self.rest = "work", "idle"
        self._truth("working")

    def _at_prompt(self, rest: Status, after: float = 0.0) -> None:
        self.place, self.rest = "prompt", rest
        status = "busy" if self.agents else "shell" if self.shells else "idle"
        self._registry(status, after=REGISTRY + after)
        behind = rest in ("idle", "new") and (self.agents or self.shells)
        self._truth("background" if behind else rest)

    def _back_from_agent(self) -> None:
        """The main loop goes on where it was while its subagent asked."""
        self.place = self._before
        if self.place == "prompt":
            self._truth("background" if self.rest in ("idle", "new") else self.rest)

    def _reports(self, task: str) -> None:
        notification = (
            f"<task-notification>\n<task-id>{task}</task-id>\n<status>completed</status>\n</task-notification>"
        )
        self._prompts(notification)

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
        self._has_result(self.call[0])
        self.call = None
        self._work()
        self._asks_next()

    def _cut_off(self, use: str | None = None, prompt: str | None = None) -> None:
        if call := use or (self.call[0] if self.call else None):
            self._has_result(call, "No", prompt, is_error=True)
        text = "[Request interrupted by user for tool use]" if call else "[Request interrupted by user]"
        self._says([{"type": "text", "text": text}], prompt)

    def _has_result(self, use: str, content: str = "done", prompt: str | None = None, **more: bool) -> None:
        self._says([{"type": "tool_result", "tool_use_id": use, "content": content, **more}], prompt)

    def _tasks(self) -> list[dict[str, str]]:
        shells = [{"id": s, "type": "shell", "status": "running", "description": s} for s in self.shells]
        return [*shells, *({"id": a, "type": "subagent", "status": "running", "description": a} for a in self.agents)]

    def _use(self, in_main_loop: bool = True) -> str:
        """A new tool call. The transcript holds those of the main loop, each in a line of its own."""
        use = self._id("use")
        if in_main_loop:
            self._answers([{"type": "tool_use", "id": use}], stop_reason="tool_use")
            self.answered = True
        return use
