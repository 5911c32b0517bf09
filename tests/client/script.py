"""Script the answers of the model. `SCENARIO:name` or `SCENARIO:name=number` in the newest user text chooses one. Pure.

A scenario is a list of steps: one answer for each request, until the model has nothing more to call. The settings of
the account allow commands that begin with python3: only a command that must ask for permission asks.
"""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Block = Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    blocks: tuple[Block, ...]
    stop_reason: str
    before: float = 0.0
    """Seconds until the first token."""
    pace: float = 0.0
    """Seconds between two pieces of text."""
    cut: bool = False
    """Whether the connection breaks in the middle of the text."""


@dataclass(frozen=True)
class Refusal:
    status: int
    kind: str
    message: str
    headers: tuple[tuple[str, str], ...] = ()


Answer = Reply | Refusal
_numbers = itertools.count(1)
_NAME = re.compile(r"SCENARIO:(\w+)(?:=(\d+))?")
_ASKS = {
    "questions": [
        {
            "question": "Which colour do you want?",
            "header": "Colour",
            "multiSelect": False,
            "options": [
                {"label": "Red", "description": "the warm one"},
                {"label": "Blue", "description": "the cold one"},
            ],
        }
    ]
}


def say(text: str, **how: Any) -> Reply:
    return Reply(({"type": "text", "text": text},), "end_turn", **how)


def call(name: str, **tool_input: Any) -> Block:
    return {"type": "tool_use", "id": f"toolu_{next(_numbers):024d}", "name": name, "input": tool_input}


def use(*calls: Block) -> Reply:
    return Reply(calls, "tool_use")


def bash(command: str, description: str, **more: Any) -> Block:
    return call("Bash", command=command, description=description, **more)


def rest(seconds: int) -> str:
    return f"python3 -c 'import time; time.sleep({seconds})'"


def agent(task: str, background: bool) -> Block:
    return call(
        "Agent",
        description="Small job",
        prompt=f"SCENARIO:{task} please",
        subagent_type="general-purpose",
        run_in_background=background,
    )


def _error(status: int, kind: str, message: str) -> Callable[[int], list[Answer]]:
    return lambda _: [Refusal(status, kind, message)]


def _at_limit(resets: int) -> list[Answer]:
    """Refuse because the five hours of a subscription are used up. RESETS: when they end, in seconds since 1970."""
    said = {
        "status": "rejected",
        "reset": f"{resets}",
        "representative-claim": "five_hour",
        "overage-status": "rejected",
    }
    more = {"overage-disabled-reason": "org_level_disabled", "5h-status": "rejected", "5h-reset": f"{resets}"}
    headers = tuple((f"anthropic-ratelimit-unified-{name}", value) for name, value in {**said, **more}.items())
    return [Refusal(429, "rate_limit_error", "This request would exceed your account's rate limit.", headers)]


def _text(*lines: str) -> str:
    return "\n".join(lines)


# The number is the seconds that the scenario takes, if it takes time.
SCENARIOS: dict[str, Callable[[int], list[Answer]]] = {
    "plain": lambda _: [say(_text("Hello from the scripted model.", "Second line.", "Third line."))],
    "long": lambda n: [say(" ".join(f"word{i}" for i in range(n or 400)))],
    "stream": lambda n: [say(" ".join(f"word{i}" for i in range((n or 20) * 4)), pace=0.25)],
    "think": lambda n: [say("Thought about it.", before=n or 20)],
    "ls": lambda _: [use(bash("ls", "List"))],
    "permission": lambda n: [use(bash(f"touch made.txt && {rest(n)}" if n else "touch made.txt", "Create a file"))],
    "risky": lambda _: [use(bash("curl --silent http://127.0.0.1:1/ --output page.html", "Fetch a page"))],
    "asks": lambda _: [use(bash("touch one.txt", "Create one"), bash("touch two.txt", "Create two"))],
    "many": lambda n: [use(bash(f"touch {number}.txt", f"Number {number}")) for number in range(1, n + 1)],
    "right": lambda _: [use(bash("touch right.txt", "The right one"))],
    "other": lambda _: [use(bash("touch wrong.txt", "The wrong one")), use(bash("touch right.txt", "The right one"))],
    "otherlong": lambda _: [use(bash("touch wrong.txt", "The wrong one")), use(bash(rest(40), "Long run"))],
    "chat": lambda _: [use(call("AskUserQuestion", **_ASKS)), use(bash("touch right.txt", "The right one"))],
    "longbash": lambda n: [use(bash(rest(n or 40), "Long run"))],
    "worktree": lambda _: [
        use(
            {
                "type": "tool_use",
                "id": f"toolu_{next(_numbers):024d}",
                "name": "EnterWorktree",
                "input": {"name": "side"},
            }
        ),
        say("In it."),
    ],
    "bgbash": lambda n: [use(bash(rest(n or 8), "Background run", run_in_background=True)), say("Started it.")],
    "batch": lambda _: [use(bash("pwd", "Where"), bash("ls", "List"))],
    "toolfail": lambda _: [use(bash("python3 -c 'import sys; print(\"boom\"); sys.exit(3)'", "Fails"))],
    "ask": lambda _: [use(call("AskUserQuestion", **_ASKS))],
    "plan": lambda _: [use(call("ExitPlanMode", plan="# Plan\n1. Do one thing\n2. Do another"))],
    "elicit": lambda _: [use(call("mcp__elic__ask"))],
    "task": lambda _: [use(agent("ls", background=False))],
    "taskbg": lambda n: [use(agent(f"longbash={n or 6}", background=True)), say("It runs in the background.")],
    "taskperm": lambda n: [
        use(agent(f"permission={n}", background=True)),
        say("It runs in the background."),
    ],
    "twoagents": lambda n: [use(agent(f"permission={n}", background=True), agent("right", background=True))],
    "write": lambda _: [use(call("Write", file_path="notes.txt", content="one\ntwo\n"))],
    "edit": lambda _: [
        use(bash('python3 -c \'open("edited.txt", "w").write("old")\'', "Prepare")),
        use(call("Read", file_path="edited.txt")),
        use(call("Edit", file_path="edited.txt", old_string="old", new_string="new")),
    ],
    "todo": lambda _: [  # the older list, with CLAUDE_CODE_ENABLE_TASKS=0
        use(call("TodoWrite", todos=[{"content": "Do it", "activeForm": "Doing it", "status": "in_progress"}])),
        use(call("TodoWrite", todos=[{"content": "Do it", "activeForm": "Doing it", "status": "completed"}])),
    ],
    "tasks": lambda _: [
        use(call("TaskCreate", subject="Do it", description="Do the thing", activeForm="Doing it")),
        use(call("TaskCreate", subject="Check it", description="Check the thing", activeForm="Checking it")),
        use(call("TaskUpdate", taskId="1", status="completed")),
    ],
    "cd": lambda _: [use(bash("mkdir -p sub && cd sub", "Change dir")), use(bash("pwd", "Where"))],
    "maxtok": lambda _: [Reply(({"type": "text", "text": "Cut off by the token"},), "max_tokens")],
    "cut": lambda _: [say("A partial answer that is never finished because the line breaks", cut=True)],
    "err400": _error(400, "invalid_request_error", "bad request for the test"),
    "err401": _error(401, "authentication_error", "invalid x-api-key"),
    "err429": _error(429, "rate_limit_error", "Rate limited"),
    "limit": _at_limit,
    "err500": _error(500, "api_error", "Internal server error"),
    "err529": _error(529, "overloaded_error", "Overloaded"),
    "toolerr": lambda _: [use(bash("ls", "List")), Refusal(400, "invalid_request_error", "bad after tool")],
}


def answer(messages: Sequence[Mapping[str, Any]]) -> Answer:
    """Return the next step of the scenario that the person named last. Compaction asks for a summary and gets one."""
    for position in range(len(messages) - 1, -1, -1):
        found = _NAME.findall(_user_text(messages[position]))
        if found:
            name, number = found[-1]
            return _step(name, int(number or 0), _tool_turns(messages[position + 1 :]))
    return say("<analysis>ok</analysis>\n<summary>Nothing was asked by name.</summary>")


def _step(name: str, number: int, done: int) -> Answer:
    scenario = SCENARIOS.get(name)
    if scenario is None:
        return say(f"No scenario is called {name}.")
    steps = scenario(number)
    return steps[done] if done < len(steps) else say(f"Finished scenario {name}.")


def _tool_turns(messages: Sequence[Mapping[str, Any]]) -> int:
    return sum(
        any(block.get("type") == "tool_use" for block in _blocks(m)) for m in messages if m["role"] == "assistant"
    )


def _user_text(message: Mapping[str, Any]) -> str:
    if message["role"] != "user":
        return ""
    return "\n".join(str(block.get("text", "")) for block in _blocks(message) if block.get("type") == "text")


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
