"""List the facts of a turn: which events it fires, with which fields, and which ends fire nothing."""

from tests.client.contract.facts.looks import (
    FOLD,
    NONE_MISSING,
    NOTES,
    RECORD,
    REQUESTS,
    TRIM,
    TRUTH,
    TURNS,
    WORK,
    Look,
    fact,
    fired,
    fired_by,
    lacking,
    of_each,
    same,
    value,
)
from tests.client.contract.seen import Part, Run

ERRORS = ("an error 400", "an error 401", "an error 429", "an error 500", "an error 529", "an answer too long")
KINDS = "unknown / authentication_failed / rate_limit / server_error / max_output_tokens"
CUTS = ("Escape in a tool", "Ctrl+C in a tool")
MACHINE = "<task-notification>"
REPORT = "UserPromptSubmit, Stop"


def lacking_everywhere(run: Run) -> str:
    keys = ("session_id", "transcript_path", "cwd", "hook_event_name")
    events = [event for part in run.whole for event in part.events]
    missing = {f"{key} of {event.get('hook_event_name')}" for event in events for key in keys if not event.get(key)}
    return ", ".join(sorted(missing)) or (NONE_MISSING if events else "no event")


def same_call(run: Run) -> str:
    part = run["a tool"]
    return same(part.event("PreToolUse").get("tool_use_id"), part.event("PostToolUse").get("tool_use_id"))


def last_words(run: Run) -> str:
    stop = run["a plain turn"].event("Stop")
    return f"{str(stop.get('last_assistant_message')).rpartition(chr(10))[2]} {stop.get('background_tasks')}"


def task_of(name: str) -> Look:
    """What a Stop says of its background tasks."""

    def look(run: Run) -> str:
        tasks = run[name].event("Stop").get("background_tasks")
        words = [f"{one.get('type')} {one.get('status')}" for one in tasks or []]
        return ", ".join(words) or "no task"

    return look


def same_agent(run: Run) -> str:
    part = run["a subagent"]
    agents = {event["agent_id"] for event in part.events if event.get("agent_id")}
    return same(sorted(agents), [one.get("id") for one in part.event("Stop").get("background_tasks") or []])


def prompts_of_tasks(*names: str) -> Look:
    return of_each(names, lambda part: str(part.event("UserPromptSubmit").get("prompt"))[: len(MACHINE)])


def named_task(run: Run) -> str:
    """Whether the prompt of a background task names the task that the Stop before it listed."""
    tasks = run["a shell in the background"].event("Stop").get("background_tasks") or [{}]
    prompt = str(run["the end of a shell"].event("UserPromptSubmit").get("prompt"))
    names = (f"<task-id>{tasks[0].get('id')}</task-id>", "<status>completed</status>")
    return "both" if all(name in prompt for name in names) else "not both"


def kinds_of_events(part: Part) -> str:
    return ", ".join(sorted(set(part.fired.split(", "))))


def ends_of_compaction(run: Run) -> str:
    """The types of the subagents that compaction ends."""
    events = run["/compact"].events
    types = {repr(one.get("agent_type")) for one in events if one["hook_event_name"] == "SubagentStop"}
    return ", ".join(sorted(types)) or "no subagent"


FACTS = (
    fact("Every event names session, transcript, folder and itself.", NONE_MISSING, lacking_everywhere, TRIM, RECORD),
    fact("A plain turn fires UserPromptSubmit, then Stop.", "UserPromptSubmit, Stop", fired("a plain turn"), FOLD),
    fact(
        "A prompt comes with its words and the permission mode.",
        NONE_MISSING,
        lacking(("a plain turn",), "UserPromptSubmit", "prompt", "permission_mode"),
        *(NOTES, TRIM),
    ),
    fact("Stop has the last words, and a list of the background tasks.", "Third line. []", last_words, WORK, NOTES),
    fact(
        "A tool fires PreToolUse and PostToolUse within the turn.",
        "UserPromptSubmit, PreToolUse, PostToolUse, Stop",
        fired("a tool"),
        FOLD,
    ),
    fact("PreToolUse and PostToolUse give one call one id.", "the same", same_call, REQUESTS),
    fact(
        "PreToolUse has the tool, its input and the id of the call.",
        NONE_MISSING,
        lacking(("a tool",), "PreToolUse", "tool_name", "tool_input", "tool_use_id"),
        *(TRIM, REQUESTS),
    ),
    fact(
        "A tool that fails fires PostToolUseFailure, and the turn goes on to Stop.",
        "UserPromptSubmit, PreToolUse, PostToolUseFailure, Stop",
        fired("a tool that fails"),
        FOLD,
    ),
    fact(
        "PostToolUseFailure says that a failure is no interrupt.",
        "False",
        value("a tool that fails", "PostToolUseFailure", "is_interrupt"),
        *(FOLD, TRIM),
    ),
    fact("A shell command of the person (!) fires Stop alone.", "Stop", fired("a shell command of the person"), FOLD),
    fact("/rename fires nothing.", "nothing", fired("a new name"), FOLD),
    fact(
        "A session at rest fires one Notification of the type idle_prompt.",
        "idle_prompt",
        value("a rest after a turn", "Notification", "notification_type"),
        FOLD,
    ),
    fact(
        "A prompt that is queued fires UserPromptSubmit at once.",
        "UserPromptSubmit, PreToolUse, UserPromptSubmit",
        fired("a prompt queued"),
        *(FOLD, TURNS),
    ),
    fact(
        "Escape lets a queued prompt begin, and only its Stop fires.",
        "Stop",
        fired("Escape with a prompt queued"),
        FOLD,
    ),
    fact(
        "A queued prompt that the turn takes up ends with the turn: one Stop for both.",
        "UserPromptSubmit, PreToolUse, UserPromptSubmit, PostToolUse, Stop",
        fired("a queued prompt taken up by the turn"),
        FOLD,
    ),
    fact("Escape or Ctrl+C in a tool fires nothing.", "UserPromptSubmit, PreToolUse", fired(*CUTS), FOLD, TRUTH),
    fact(
        "Escape while it streams or before the first token fires nothing.",
        "UserPromptSubmit",
        fired("Escape while it streams", "Escape before the first token"),
        *(FOLD, TRUTH),
    ),
    fact(
        "An error of the API fires StopFailure in place of Stop.",
        "UserPromptSubmit, StopFailure",
        fired(*ERRORS),
        FOLD,
    ),
    fact(
        "StopFailure names the kind of the error (400, 401, 429, 500 and 529, too long).",
        KINDS,
        of_each(ERRORS, lambda part: str(part.event("StopFailure").get("error"))),
        WORK,
    ),
    fact(
        "StopFailure has the text that the person reads.",
        "API Error: 400 bad request for the test",
        value("an error 400", "StopFailure", "last_assistant_message"),
        *(WORK, NOTES),
    ),
    fact(
        "An answer that breaks off ends with Stop.",
        "UserPromptSubmit, Stop",
        fired("an answer that breaks off"),
        FOLD,
    ),
    fact(
        "The Agent tool returns at once, and Stop comes while the subagent runs.",
        "UserPromptSubmit, PreToolUse, PostToolUse, Stop",
        fired_by("a subagent", agent=False),
        *(FOLD, WORK),
    ),
    fact(
        "A subagent's own events carry its agent_id.",
        "SubagentStart, PreToolUse",
        fired_by("a subagent", agent=True),
        *(FOLD, WORK),
    ),
    fact("Stop lists the subagent that runs, by its agent_id.", "the same", same_agent, WORK),
    fact("Stop says that the task is a subagent and runs.", "subagent running", task_of("a subagent"), WORK, FOLD),
    fact(
        "A subagent's end fires SubagentStop, and its report is a turn of the main loop.",
        "PostToolUse, SubagentStop, UserPromptSubmit, Stop",
        fired("the end of a subagent", "the end of a subagent that asked"),
        *(FOLD, WORK),
    ),
    fact(
        "Stop lists a shell in the background.",
        "shell running",
        task_of("a shell in the background"),
        *(WORK, FOLD),
    ),
    fact("The end of a shell in the background is a turn of the main loop.", REPORT, fired("the end of a shell"), FOLD),
    fact(
        f"The prompt by which a background task reports begins with {MACHINE}.",
        MACHINE,
        prompts_of_tasks("the end of a subagent", "the end of a shell"),
        *(NOTES, FOLD),
    ),
    fact("The prompt of a background task names the task and its status.", "both", named_task, WORK),
    fact(
        "/compact fires PreCompact, SessionStart, PostCompact and SubagentStop, but no SessionEnd.",
        "PostCompact, PreCompact, SessionStart, SubagentStop",
        of_each(("/compact",), kinds_of_events),
        FOLD,
    ),
    fact("The SubagentStop of /compact has no agent_type.", "''", ends_of_compaction, WORK),
    fact(
        "SessionStart after /compact has the source compact.",
        "compact",
        value("/compact", "SessionStart", "source"),
        FOLD,
    ),
)
