"""Make the questions of the facts: each says of a run what the client did, in words or in seconds. Pure."""

from collections.abc import Callable

from tests.client.contract.judge import Fact, Span
from tests.client.contract.seen import Part, Run

Look = Callable[[Run], str]
Measure = Callable[[Run], float]

CLIENT = "hooks/deskbell_hooks/client.py"
FOLD = "hooks/deskbell_hooks/fold.py"
NOTES = "hooks/deskbell_hooks/notes.py"
PLACE = "hooks/deskbell_hooks/place.py"
RECORD = "hooks/deskbell_hooks/record.py"
REQUESTS = "hooks/deskbell_hooks/requests.py"
TRIM = "hooks/deskbell_hooks/trim.py"
WORK = "hooks/deskbell_hooks/work.py"
JUDGE = "tray/deskbell/notices/judge.py"
ASSEMBLE = "tray/deskbell/sessions/assemble.py"
CONVERSATION = "tray/deskbell/sessions/conversation.py"
DIALOGS = "tray/deskbell/sessions/dialogs.py"
MEMORY = "tray/deskbell/sessions/memory.py"
PROCESSES = "tray/deskbell/sessions/processes.py"
REGISTRY = "tray/deskbell/sessions/registry.py"
SHARED = "tray/deskbell/sessions/shared.py"
SPENDING = "tray/deskbell/sessions/spending.py"
TRUTH = "tray/deskbell/sessions/truth.py"
TURNS = "tray/deskbell/sessions/turns.py"
WORLD = "tray/deskbell/sessions/world.py"
HOOKS_STATE = "tray/deskbell/settings/hooks_state.py"
REGISTRATION = "tray/deskbell/settings/registration.py"

NONE_MISSING = "none is missing"


def fact(says: str, expected: str | Span, look: Look | Measure, *rests: str) -> Fact:
    return Fact(says, expected, look, rests)


def fired(*names: str) -> Look:
    """The events of these parts, in their order. What several parts say alike is said once."""
    return of_each(names, lambda part: part.fired)


def fired_by(name: str, agent: bool) -> Look:
    """The events that the main loop fired, or those of subagents."""

    def look(run: Run) -> str:
        found = [event for event in run[name].events if bool(event.get("agent_id")) is agent]
        return ", ".join(event["hook_event_name"] for event in found) or "nothing"

    return look


def statuses(*names: str) -> Look:
    return of_each(names, lambda part: part.statuses)


def last_status(*names: str) -> Look:
    return of_each(names, lambda part: part.statuses.rpartition(", ")[2])


def waits_for(*names: str) -> Look:
    return of_each(names, lambda part: str(part.change("waiting").get("waitingFor")))


def value(name: str, event: str, key: str, number: int = 0) -> Look:
    """The value of a field of an event; "nothing" if it is absent."""
    return lambda run: str(run[name].event(event, number).get(key, "nothing"))


def noted(name: str, key: str) -> Look:
    return lambda run: str(run[name].notes.get(key, "nothing"))


def lacking(names: tuple[str, ...], event: str, *keys: str) -> Look:
    """The fields that an event lacks in these parts."""

    def look(run: Run) -> str:
        missing = {key for name in names for key in keys if run[name].event(event).get(key) in (None, "")}
        return ", ".join(sorted(missing)) or NONE_MISSING

    return look


def until_hook(name: str, status: str, event: str) -> Measure:
    """Seconds from a status, as the client stamps it, to an event."""
    return lambda run: float(run[name].hook(event)["at"]) - run[name].since(status)


def between(name: str, first: str, then: str) -> Measure:
    """Seconds between two events."""
    return lambda run: float(run[name].hook(then)["at"]) - float(run[name].hook(first)["at"])


def of_each(names: tuple[str, ...], say: Callable[[Part], str]) -> Look:
    return lambda run: " / ".join(dict.fromkeys(say(run[name]) for name in names))


def same(first: object, second: object) -> str:
    return "the same" if first == second and first not in (None, "") else "another"
