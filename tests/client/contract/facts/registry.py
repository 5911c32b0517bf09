"""List the facts of the client's own registry, `sessions/<pid>.json`: its fields, its statuses and how soon they come."""

from deskbell.sessions.turns import GRACE
from tests.client.contract.facts.looks import (
    ASSEMBLE,
    MEMORY,
    NONE_MISSING,
    PROCESSES,
    REGISTRY,
    TRUTH,
    TURNS,
    WORLD,
    Look,
    fact,
    last_status,
    noted,
    of_each,
    same,
    statuses,
    until_hook,
)
from tests.client.contract.judge import Span, at_most
from tests.client.contract.seen import Json, Missing, Part, Run

FIELDS = (
    *(
        "pid",
        "sessionId",
        "cwd",
        "startedAt",
        "procStart",
        "version",
        "kind",
        "entrypoint",
        "status",
        "statusUpdatedAt",
    ),
)
CUTS = ("Escape in a tool", "Ctrl+C in a tool", "Escape while it streams", "Escape before the first token")
EXITS = ("an exit", "Ctrl+C twice", "SIGTERM", "a terminal closed")
SOON = 0.5
"""Seconds within which a change of the status is in the file."""


def entry(part: Part) -> Json:
    """The newest content of the client's file. Raise Missing if there is none."""
    contents = [change["content"] for change in part.mine if change["content"]]
    if not contents:
        raise Missing("no registry file")
    content: Json = contents[-1]
    return content


def lacking_fields(run: Run) -> str:
    content = entry(run["a start"])
    return ", ".join(name for name in FIELDS if content.get(name) in (None, "")) or NONE_MISSING


def kind(name: str) -> Look:
    return lambda run: f"{entry(run[name]).get('kind')}, {entry(run[name]).get('entrypoint')}"


def start_of_process(run: Run) -> str:
    return same(str(entry(run["a start"]).get("procStart")), run["a start"].notes["client"]["start"])


def session(run: Run) -> str:
    part = run["a start"]
    return same(entry(part).get("sessionId"), part.event("SessionStart").get("session_id"))


def name_of(name: str) -> Look:
    """Who gave the session its name."""
    return lambda run: str(entry(run[name]).get("nameSource"))


def own_name(run: Run) -> str:
    return str(entry(run["a new name"]).get("name"))


def lateness(run: Run) -> float:
    """Seconds from a change of the status to its being in the file, the longest of all."""
    found = []
    for name in ("a plain turn", "a tool", *CUTS, "a permission denied by Escape"):
        for change in run[name].mine:
            if change["content"] and isinstance(change["content"].get("statusUpdatedAt"), int):
                found.append(change["at"] - change["content"]["statusUpdatedAt"] / 1000)
    if not found:
        raise Missing("no statusUpdatedAt")
    return max(found)


def busy_after(run: Run) -> float:
    """Seconds from the hook of a prompt until the client calls itself busy, the longest of all."""
    parts = [run[name] for name in ("a plain turn", "a tool", *CUTS)]
    return max(part.since("busy") - float(part.hook("UserPromptSubmit")["at"]) for part in parts)


def moved(run: Run) -> str:
    """What /clear changes in the file of the client."""
    before, after = run["a first conversation"], run["/clear"]
    session = same(before.notes.get("session"), entry(after).get("sessionId"))
    return f"{same(before.pid, after.pid)} process, {session} session"


FACTS = (
    fact("An entry has all fields that Deskbell reads.", NONE_MISSING, lacking_fields, REGISTRY),
    fact("A terminal session is interactive, of the entrypoint cli.", "interactive, cli", kind("a start"), ASSEMBLE),
    fact("claude -p has the entrypoint sdk-cli.", "interactive, sdk-cli", kind("claude -p"), ASSEMBLE),
    fact("claude --bg is of the kind bg.", "bg, cli", kind("claude --bg"), ASSEMBLE),
    fact("procStart is the start of the process in clock ticks.", "the same", start_of_process, PROCESSES, REGISTRY),
    fact("sessionId is the session_id of the hooks.", "the same", session, WORLD, REGISTRY),
    fact("Claude Code marks a name of its own as derived.", "derived", name_of("a start"), REGISTRY),
    fact("/rename marks the name as the user's.", "user", name_of("a new name"), REGISTRY),
    fact("The name in the registry is the one that /rename gave.", "my-own-name", own_name, REGISTRY),
    fact("A turn is busy, then idle.", "busy, idle", statuses("a plain turn", "a tool"), TRUTH),
    fact("A change of the status is soon in the file.", Span(-0.01, SOON), lateness, TRUTH, TURNS),
    fact("The client is busy soon after the hook of a prompt.", Span(-GRACE, GRACE), busy_after, TRUTH, TURNS),
    fact(
        "Stop fires before the client is idle, or soon after.",
        at_most(GRACE),
        until_hook("a plain turn", "idle", "Stop"),
        *(TRUTH, TURNS),
    ),
    fact(
        "StopFailure fires before the client is idle, or soon after.",
        at_most(GRACE),
        until_hook("an error 400", "idle", "StopFailure"),
        *(TRUTH, TURNS),
    ),
    fact("An interrupted turn is idle at once.", "busy, idle", statuses(*CUTS), TRUTH),
    fact("A shell in the background shows as shell.", "shell", last_status("a shell in the background"), TRUTH),
    fact("A subagent in the background keeps the client busy.", "busy", last_status("a subagent"), TRUTH, TURNS),
    fact(
        "The report of a background task makes the client busy, then idle.",
        "idle, busy, idle",
        statuses("the end of a subagent", "the end of a shell"),
        TRUTH,
    ),
    fact("/compact is busy, then idle.", "busy, idle", statuses("/compact"), TRUTH),
    fact(
        "/clear keeps the process and its file, with another session.",
        "the same process, another session",
        moved,
        WORLD,
        TRUTH,
    ),
    fact(
        "An exit, SIGTERM and a closed terminal remove the file.",
        "gone",
        of_each(EXITS, lambda part: str(part.notes.get("file"))),
        *(TRUTH, MEMORY),
    ),
    fact("kill -9 leaves the file behind.", "there", noted("kill -9", "file"), TRUTH, WORLD),
)
