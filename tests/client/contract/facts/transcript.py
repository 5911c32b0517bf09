"""List the facts of the transcript: the shapes of its lines, and how soon they come."""

import re

from deskbell.sessions.course import BEGINS_WITHIN
from deskbell.sessions.turns import GRACE, UNREPORTED
from tests.client.contract.facts.looks import (
    ASSEMBLE,
    CONVERSATION,
    DIALOGS,
    NONE_MISSING,
    SHARED,
    SPENDING,
    TRUTH,
    TURNS,
    Look,
    fact,
    of_each,
    same,
)
from tests.client.contract.judge import Span, at_most
from tests.client.contract.seen import Json, Missing, Part, Run, blocks, stamp

CUTS = ("Escape in a tool", "Ctrl+C in a tool")
STREAMED = "Escape while it streams"
DENIED = ("a permission denied by Escape", "a permission denied by No", "a question put away")
REFUSED = ("a permission refused with words", "a question left by Chat about this")
CUT = "[Request interrupted by user"
QUEUED = "a prompt queued"
BEGUN = "Escape with a prompt queued"
TAKEN = "a queued prompt taken up by the turn"
ERRORS = ("an error 400", "an error 401", "an error 429", "an error 500", "an error 529", "an answer too long")


def place(run: Run) -> str:
    event = run["a plain turn"].event("UserPromptSubmit")
    folder = re.sub("[^A-Za-z0-9]", "-", str(event.get("cwd")))
    expected = f"/projects/{folder}/{event.get('session_id')}.jsonl"
    return "as computed" if str(event.get("transcript_path")).endswith(expected) else "elsewhere"


def prompt_line(run: Run) -> str:
    line = run["a plain turn"].line("user")
    return str(line.get("message", {}).get("content"))


def prompt_id(run: Run) -> str:
    """Whether the lines of the person name their prompt by the id that the hooks give it."""
    named = set()
    for name in ("a plain turn", "a tool", *CUTS, STREAMED, *DENIED):
        lines = [one["line"] for one in run[name].lines if one["line"].get("type") == "user"]
        ids = list({line.get("promptId") for line in lines})
        named.add(same([run[name].event("UserPromptSubmit").get("prompt_id")], ids))
    return ", ".join(sorted(named))


def prompted(run: Run) -> float:
    """Seconds from the hook of a prompt to the time of its line, the longest of all."""
    parts = [run[name] for name in ("a plain turn", "a tool", *CUTS, STREAMED)]
    return max(stamp(part.line("user")) - float(part.hook("UserPromptSubmit")["at"]) for part in parts)


def answer(run: Run) -> str:
    message = run["a plain turn"].line("assistant").get("message", {})
    lacks = [key for key in ("id", "model", "stop_reason", "usage") if not message.get(key)]
    return ", ".join(lacks) or NONE_MISSING


def usage(run: Run) -> str:
    used = run["a plain turn"].line("assistant").get("message", {}).get("usage") or {}
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return ", ".join(str(used.get(name)) for name in names)


def stop_reasons(name: str) -> Look:
    def look(run: Run) -> str:
        lines = [one["line"] for one in run[name].lines if one["line"].get("type") == "assistant"]
        return ", ".join(str(line.get("message", {}).get("stop_reason")) for line in lines) or "nothing"

    return look


def subtype(name: str, wanted: str) -> Look:
    return lambda run: str(run[name].line("system", subtype=wanted)["subtype"])


def result_of_call(run: Run) -> str:
    part = run["a tool"]
    results = [block.get("tool_use_id") for block in part.results()]
    return same([part.event("PreToolUse").get("tool_use_id")], results)


def cut(part: Part) -> str:
    return next((text for text, _ in part.texts("user") if text.startswith(CUT)), "nothing")


def refusal(part: Part) -> str:
    """The result of a call that was refused, and whether the turn was interrupted."""
    wrong = [block for block in part.results() if block.get("is_error") is True]
    return f"{'an error' if wrong else 'no error'}, {cut(part)}"


def arrived(run: Run) -> float:
    """Seconds from idle until the interrupt is in the transcript, the longest of all."""
    found = []
    for name in (*CUTS, STREAMED, *DENIED):
        part = run[name]
        times = [one["at"] for one in part.lines if any(b.get("text", "").startswith(CUT) for b in blocks(one["line"]))]
        if not times:
            raise Missing(f"no interrupt in the transcript after {name}")
        found.append(times[0] - part.since("idle"))
    return max(found)


def lines_after_prompt(run: Run) -> str:
    lines = [one["line"] for one in run["Escape before the first token"].lines]
    return ", ".join(str(line["type"]) for line in lines[1:]) or "nothing"


def operations(name: str) -> Look:
    def look(run: Run) -> str:
        lines = [one["line"] for one in run[name].lines if one["line"].get("type") == "queue-operation"]
        return ", ".join(f"{line.get('operation')} {line.get('content') or ''}".strip() for line in lines) or "nothing"

    return look


def texts_of_person(name: str) -> Look:
    return lambda run: ", ".join(text for text, _ in run[name].texts("user")) or "nothing"


def taken_up(run: Run) -> float:
    """Seconds from the line of a queued prompt to the interrupt that let it begin."""
    part = run[BEGUN]
    return stamp(part.said("user", CUT)) - stamp(part.said("user", "SCENARIO"))


def failed(part: Part) -> str:
    line = part.line("assistant", isApiErrorMessage=True)
    return f"{line.get('message', {}).get('model')}, {blocks(line)[0].get('text', '')[:9]}"


def failed_in_time(run: Run) -> float:
    part = run["an error 400"]
    return float(part.line("assistant", isApiErrorMessage=True)["arrived"]) - part.since("idle")


def boundary(run: Run) -> str:
    tokens = run["/compact"].line("system", subtype="compact_boundary").get("compactMetadata", {}).get("postTokens")
    return "a number" if isinstance(tokens, int) and tokens > 0 else str(tokens)


def compact_lines(run: Run) -> str:
    """How the lines are marked that compaction writes as if the person had."""
    marks = []
    for text, line in run["/compact"].texts("user"):
        flags = [name for name in ("isMeta", "isCompactSummary") if line.get(name) is True]
        echo = next((start for start in ("<command-name>", "<local-command") if text.startswith(start)), None)
        marks.append(" ".join(flags) or echo or "a prompt")
    return ", ".join(dict.fromkeys(marks))


def title(run: Run) -> str:
    return str(run["a new name"].line("custom-title").get("customTitle"))


def tasks(run: Run) -> str:
    """The ids of the tasks that were made, and the change that was made to one."""
    part = run["tasks"]
    lines: list[Json] = [one["line"] for one in part.lines]
    results = [line.get("toolUseResult") for line in lines]
    made = [one["task"].get("id") for one in results if isinstance(one, dict) and isinstance(one.get("task"), dict)]
    calls = [block for line in lines for block in blocks(line) if block.get("name") == "TaskUpdate"]
    changed = [f"{call['input'].get('taskId')} {call['input'].get('status')}" for call in calls]
    return ", ".join([*map(str, made), *changed])


def sidechains(run: Run) -> str:
    """Whether lines of subagents stand in the transcript of the session."""
    lines = [one["line"] for name in ("a subagent", "the end of a subagent") for one in run[name].lines]
    if not lines:
        raise Missing("no line")
    return "some" if any(line.get("isSidechain") is True for line in lines) else "no line"


FACTS = (
    fact("The transcript lies where folder and session say.", "as computed", place, ASSEMBLE),
    fact("A prompt is a line of the type user with its words.", "SCENARIO:plain go", prompt_line, CONVERSATION),
    fact("The lines of the person name their prompt by the id of its hooks.", "the same", prompt_id, SHARED),
    fact("The line of a prompt is stamped with the time of its hook.", Span(-UNREPORTED, GRACE), prompted, TURNS),
    fact("An answer names message, model, stop reason and usage.", NONE_MISSING, answer, CONVERSATION, SPENDING),
    fact("The usage counts tokens of four kinds.", "1200, 40, 800, 0", usage, SPENDING, CONVERSATION),
    fact("The last answer of a turn stops with end_turn.", "tool_use, end_turn", stop_reasons("a tool"), CONVERSATION),
    fact(
        "A turn that is over gets a line turn_duration.",
        "turn_duration",
        subtype("a plain turn", "turn_duration"),
        CONVERSATION,
    ),
    fact("The result of a tool names its call.", "the same", result_of_call, CONVERSATION, DIALOGS),
    fact(
        "An interrupt in a tool is recorded in these words.",
        f"{CUT} for tool use]",
        of_each(CUTS, cut),
        CONVERSATION,
        TRUTH,
    ),
    fact(
        "An interrupt while it streams is recorded in these words.",
        f"{CUT}]",
        of_each((STREAMED,), cut),
        CONVERSATION,
        TRUTH,
    ),
    fact("An interrupt is soon in the transcript.", at_most(GRACE), arrived, TURNS, TRUTH),
    fact("Escape before the first token leaves no line.", "nothing", lines_after_prompt, TURNS),
    fact(
        "A denial is a result with an error, and an interrupt.",
        f"an error, {CUT} for tool use]",
        of_each(DENIED, refusal),
        *(CONVERSATION, DIALOGS),
    ),
    fact(
        "A refusal with words is a result with an error, and no interrupt.",
        "an error, nothing",
        of_each(REFUSED, refusal),
        *(CONVERSATION, DIALOGS),
    ),
    fact(
        "A queued prompt is enqueued with its words.",
        "enqueue SCENARIO:think=2 second",
        operations(QUEUED),
        CONVERSATION,
    ),
    fact("Escape dequeues a queued prompt.", "dequeue", operations(BEGUN), CONVERSATION),
    fact(
        "The line of the queued prompt comes just before the interrupt.",
        Span(0.0, BEGINS_WITHIN),
        taken_up,
        CONVERSATION,
    ),
    fact(
        "A queued prompt that the turn takes up is removed.",
        "enqueue SCENARIO:long=3 second, remove SCENARIO:long=3 second",
        operations(TAKEN),
        CONVERSATION,
    ),
    fact(
        "A prompt that the turn takes up gets no line of its own.",
        "SCENARIO:longbash=4 go",
        texts_of_person(TAKEN),
        CONVERSATION,
    ),
    fact(
        "An API error is a line of a synthetic model, marked isApiErrorMessage.",
        "<synthetic>, API Error",
        of_each(("an error 400", "an error 429", "an error 500", "an error 529", "an answer too long"), failed),
        *(CONVERSATION, SPENDING),
    ),
    fact("An API error is soon in the transcript.", at_most(GRACE), failed_in_time, TURNS, TRUTH),
    fact("/compact leaves a compact_boundary with the tokens that are left.", "a number", boundary, CONVERSATION),
    fact(
        "What /compact writes for the person is marked.",
        "isCompactSummary, isMeta, <command-name>, <local-command",
        compact_lines,
        CONVERSATION,
    ),
    fact("/rename writes a custom-title.", "my-own-name", title, CONVERSATION),
    fact("Tasks have ids, by which they are changed.", "1, 2, 1 completed", tasks, CONVERSATION),
    fact("Subagents write into files of their own.", "no line", sidechains, CONVERSATION),
)
