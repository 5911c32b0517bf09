"""List the facts of clients: how they start, move to another conversation and end, and when hooks are heard."""

from deskbell.sessions.truth import END_DELAY
from tests.client.contract.facts.looks import (
    ASSEMBLE,
    CLIENT,
    FOLD,
    HOOKS_STATE,
    NONE_MISSING,
    PLACE,
    REGISTRATION,
    REQUESTS,
    TRUTH,
    TURNS,
    WORLD,
    Look,
    fact,
    fired,
    noted,
    of_each,
    same,
    value,
)
from tests.client.contract.judge import at_most
from tests.client.contract.seen import Part, Run

VARIABLES = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "TMUX", "TMUX_PANE")
EXITS = ("an exit", "Ctrl+C twice")
ENDS = ("SIGTERM", "a terminal closed")
HEARD = "UserPromptSubmit, Stop"


def lacking_variables(run: Run) -> str:
    env = run["a start"].hook("SessionStart")["env"]
    return ", ".join(name for name in VARIABLES if not env.get(name)) or NONE_MISSING


def kind_of_client(name: str) -> Look:
    def look(run: Run) -> str:
        env = run[name].hook("SessionStart")["env"]
        return f"{env.get('CLAUDE_CODE_ENTRYPOINT')}, attended {env.get('CLAUDE_CODE_SESSION_ATTENDED')}"

    return look


def named_client(run: Run) -> str:
    part = run["a start"]
    return same(part.hook("SessionStart")["env"].get("CLAUDE_PID"), str(part.notes["client"]["pid"]))


def starter(run: Run) -> str:
    part = run["a start"]
    return same(part.hook("SessionStart")["process"]["starter"], part.notes["client"]["pid"])


def terminals(run: Run) -> str:
    part = run["a start"]
    has = {True: "a terminal", False: "no terminal"}
    own, clients = part.hook("SessionStart")["process"]["terminal"], part.notes["client"]["terminal"]
    return f"{has[own != 0]}; its client {has[clients != 0]}"


def folders(run: Run) -> str:
    part = run["a start"]
    return same(part.hook("SessionStart")["process"]["cwd"], part.event("SessionStart").get("cwd"))


def sessions_of_move(name: str) -> Look:
    """Which sessions SessionEnd and SessionStart name: the one before and the one after."""

    def look(run: Run) -> str:
        part = run[name]
        left, entered = part.event("SessionEnd"), part.event("SessionStart")
        is_other = left.get("session_id") != entered.get("session_id")
        reached = same(entered.get("session_id"), part.notes.get("session"))
        return f"{left.get('reason')}, {entered.get('source')}, {'another' if is_other else 'the same'}, {reached}"

    return look


def resumed(name: str) -> Look:
    """How a start names itself, and whether it goes on with the conversation that it was given."""

    def look(run: Run) -> str:
        before, part = run["/resume"].notes.get("session"), run[name]
        return f"{part.event('SessionStart').get('source')}, {same(part.notes.get('session'), before)}"

    return look


def last_word(run: Run) -> float:
    """Seconds from the end of a process to its SessionEnd, the longest of all."""
    parts = [run[name] for name in (*EXITS, *ENDS)]
    return max(float(part.hook("SessionEnd")["at"]) - float(part.notes["gone"]) for part in parts)


def reason(part: Part) -> str:
    return str(part.event("SessionEnd").get("reason"))


FACTS = (
    fact("A start fires SessionStart.", "SessionStart", fired("a start"), FOLD),
    fact(
        "SessionStart of a new session has the source startup.",
        "startup",
        value("a start", "SessionStart", "source"),
        FOLD,
    ),
    fact("A hook gets the variables that tell where it runs.", NONE_MISSING, lacking_variables, PLACE, CLIENT),
    fact("CLAUDE_PID is the process of the client.", "the same", named_client, CLIENT),
    fact("The client starts the hook, or the hook's shell.", "the same", starter, CLIENT),
    fact("A hook has no terminal; its client has one.", "no terminal; its client a terminal", terminals, PLACE),
    fact("A hook runs in the folder of the session.", "the same", folders, PLACE),
    fact(
        "A hook of a terminal session hears that it is attended.",
        "cli, attended 1",
        kind_of_client("a start"),
        PLACE,
        ASSEMBLE,
    ),
    fact(
        "A hook of claude -p hears that it is not attended.",
        "sdk-cli, attended 0",
        kind_of_client("claude -p"),
        REQUESTS,
        ASSEMBLE,
    ),
    fact(
        "A hook of claude --bg hears the same, but the entrypoint is cli.",
        "cli, attended 0",
        kind_of_client("claude --bg"),
        REQUESTS,
    ),
    fact(
        "claude -p fires PermissionRequest, which nobody can answer.",
        "Bash",
        value("claude -p that needs a permission", "PermissionRequest", "tool_name"),
        REQUESTS,
    ),
    fact("claude -p ends with SessionEnd.", "other", value("claude -p", "SessionEnd", "reason"), FOLD),
    fact("/exit and Ctrl+C twice fire SessionEnd alone.", "SessionEnd", fired(*EXITS), FOLD),
    fact(
        "SessionEnd after /exit and Ctrl+C twice has the reason prompt_input_exit.",
        "prompt_input_exit",
        of_each(EXITS, reason),
        FOLD,
    ),
    fact("SIGTERM and a closed terminal fire SessionEnd alone.", "SessionEnd", fired(*ENDS), FOLD),
    fact("SessionEnd after SIGTERM and a closed terminal has the reason other.", "other", of_each(ENDS, reason), FOLD),
    fact("SessionEnd comes before the process is gone, or soon after.", at_most(END_DELAY), last_word, TRUTH),
    fact("kill -9 fires nothing.", "nothing", fired("kill -9"), TRUTH),
    fact(
        "/clear ends the session and starts another one.",
        "clear, clear, another, the same",
        sessions_of_move("/clear"),
        *(FOLD, WORLD),
    ),
    fact(
        "/resume ends the session and starts the chosen one.",
        "resume, resume, another, the same",
        sessions_of_move("/resume"),
        *(FOLD, WORLD),
    ),
    fact("--resume goes on under the same id.", "resume, the same", resumed("--resume"), FOLD, WORLD),
    fact("--fork-session goes on under another id.", "fork, another", resumed("--fork-session"), FOLD, WORLD),
    fact(
        "Two terminals can run one conversation under one id.",
        "resume, the same",
        resumed("one conversation in two terminals"),
        *(WORLD, FOLD),
    ),
    fact(
        "The client accepts every hook that Deskbell registers.",
        "a prompt",
        noted("the hooks that Deskbell registers", "dialog"),
        REGISTRATION,
    ),
    fact(
        "The client warns at its start of an event that it does not know.",
        "Settings Warning",
        noted("an event that no client knows", "dialog"),
        REGISTRATION,
    ),
    fact(
        "Hooks taken out of settings.json fall silent in a running session.",
        "nothing",
        fired("hooks taken out while it runs"),
        TURNS,
        HOOKS_STATE,
    ),
    fact(
        "Hooks put into settings.json are heard in a running session.",
        HEARD,
        fired("hooks put in while it runs"),
        HOOKS_STATE,
    ),
    fact("disableAllHooks silences a running session.", "nothing", fired("all hooks switched off"), TURNS, HOOKS_STATE),
    fact("Without disableAllHooks the hooks are heard again.", HEARD, fired("hooks switched on"), HOOKS_STATE),
    fact(
        "A settings.json that is no JSON silences a running session.",
        "nothing",
        fired("settings that are no JSON"),
        TURNS,
        HOOKS_STATE,
    ),
)
