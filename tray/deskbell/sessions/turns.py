"""Say what the turn of a run does apart from its requests, and how it ended if no hook reported its end. Pure.

`truth` and `dialogs` call this. What cannot be known: Escape before the first token leaves no line in the transcript,
so nothing shows it while a subagent keeps the client busy.
"""

from dataclasses import replace

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Evidence, Verdict
from deskbell.sessions.registry import Entry
from deskbell_hooks.fold import doing, running_agents, status_of, words
from deskbell_hooks.schema import Run, Status, Turn

GRACE = 0.6
"""Seconds within which a Stop arrives, even on a machine under full load."""
AT_ONCE = 0.5
"""Seconds within which the requests of one answer are made."""
REGISTRY_DELAY = 0.1
"""Seconds by which the registry may be late. No person starts anything sooner after Escape."""
UNREPORTED = 2.5
"""Seconds within which the hook of a prompt arrives, even on a machine under full load."""


def turn_at(run: Run) -> float:
    """Return when the newest event of the main loop came, apart from reminders."""
    return run.get("turn_at", 0.0)


def turn_since(run: Run) -> float:
    return run.get("turn_started") or run["since"]


def written_at(tail: Tail) -> float:
    """Return when the newest line of the transcript was written."""
    return tail.at or 0.0


def is_newer(entry: Entry, run: Run) -> bool:
    return entry.status_since > turn_at(run)


def as_recorded(run: Run, reason: str) -> tuple[Status, str, str, float]:
    return run["status"], run["detail"], reason, run["since"]


def besides(run: Run, reason: str) -> tuple[Status, str, str, float]:
    """Return the first four fields of a Verdict: what the run does apart from its requests, and since when."""
    status, detail, _ = status_of({**run, "pending": []})
    return status, detail, reason, run["since"] if status == run["status"] else turn_since(run)


def interrupted_at(run: Run, tail: Tail) -> float | None:
    """Return when this turn was interrupted, as the transcript records it; None if it was not."""
    at = tail.interrupted_at
    return at if at is not None and at >= turn_since(run) else None


def interrupted_while_busy(e: Evidence, run: Run, entry: Entry) -> float | None:
    """Return when the turn was interrupted, if a subagent keeps the client busy; else None."""
    at = e.tail.interrupted_at
    if at is None or at < turn_at(run) or run["turn"] == "ended":
        return None
    return at if _is_kept_busy(e, run, entry, at) else None


def interrupted_without_hooks(e: Evidence, entry: Entry) -> float | None:
    """Return when the turn of a busy client without hooks was interrupted; None if it was not.

    An interrupt in a dialog makes the client busy again.
    """
    at = e.tail.interrupted_at
    return at if at is not None and at > entry.status_since - REGISTRY_DELAY else None


def failed_at(e: Evidence, entry: Entry) -> float | None:
    """Return when an API error ended the turn, if its hook was lost and a subagent keeps the client busy; else None.

    What the client says of a usage limit comes after its error, and also when it goes on.
    """
    at = e.tail.limit.at if e.tail.limit else written_at(e.tail)
    if not e.run:
        return at if at > entry.status_since else None
    if e.run["turn"] != "working" or at <= turn_at(e.run):
        return None
    return at if _is_kept_busy(e, e.run, entry, at) else None


def _is_kept_busy(e: Evidence, run: Run, entry: Entry, at: float) -> bool:
    """Return True if a subagent keeps the client busy, whose own turn ended at AT.

    If no subagent is known, a client that became busy after AT does something that the transcript does not say. For
    GRACE seconds this may also be true of a client that became busy just before AT.
    """
    settled = at > entry.status_since - REGISTRY_DELAY and e.now >= at + GRACE
    return settled or at > entry.status_since + GRACE or _may_run_agents(run)


def ran_agents_at(run: Run, at: float) -> bool:
    """Return True if a running subagent may already have run at AT and have kept its client busy then."""
    later = {agent["id"] for agent in run.get("agents", []) if agent.get("started", at) > at}
    return bool(running_agents(run) - later)


def settles_at(e: Evidence, entry: Entry) -> float | None:
    """Return when to ask again whether the turn of a busy client has ended; None if the transcript is final now."""
    ends = (e.tail.interrupted_at, written_at(e.tail) if e.tail.error else None)
    just = (at for at in ends if at is not None and at > entry.status_since - REGISTRY_DELAY)
    due = (entry.status_since + GRACE, *(at + GRACE for at in just))
    return min((at for at in due if at > e.now), default=None)


def ended_while_busy(e: Evidence, entry: Entry) -> Verdict | None:
    """Return how the turn ended if a subagent keeps the client busy; else None. Only the transcript says so."""
    cut = interrupted_while_busy(e, e.run, entry) if e.run else interrupted_without_hooks(e, entry)
    if cut is not None:
        reason = "the transcript records an interrupt; a subagent keeps its client busy"
        return Verdict("interrupted", last_words(e), reason, cut)
    if e.tail.error and (failed := failed_at(e, entry)) is not None:
        reason = "the transcript records an API error; a subagent keeps its client busy"
        return Verdict("error", e.tail.error, reason, failed)
    return None


def can_end_unseen(e: Evidence) -> bool:
    """Return True if only the transcript would show the end of the turn: the registry does not list the client, or a
    subagent keeps it busy."""
    if not e.entry or not e.entry.status:
        return e.alive is True and e.run is not None and (e.run["turn"] == "working" or bool(e.run["pending"]))
    if e.entry.status != "busy":
        return False
    if not e.run or unreported_from(e) is not None:
        return True
    return e.run["turn"] == "working" and _may_run_agents(e.run)


def _may_run_agents(run: Run) -> bool:
    """Return True if a subagent runs, or a call of a subagent whose start no hook has reported."""
    return bool(running_agents(run)) or any(call["tool"] in ("Agent", "Task") for call in run["calls"])


def how_it_ended(e: Evidence, run: Run, since: float) -> Verdict:
    """Return how a turn ended whose end no hook reported: as the transcript says, else by an interrupt.

    SINCE is when its client became idle. The time in the transcript is better, because the client also becomes idle
    when the person opens and closes a dialog.
    """
    went_idle = "its client went idle in the middle of a turn"
    cut = Verdict("interrupted", last_words(e), went_idle, interrupted_at(run, e.tail) or since)
    return by_transcript(e, run) or cut


def by_transcript(e: Evidence, run: Run) -> Verdict | None:
    """Return how this turn ended if the transcript records it; else None."""
    begun = run.get("turn_started") or turn_at(run)
    if e.tail.error and written_at(e.tail) >= begun:
        return Verdict("error", e.tail.error, "the transcript records an API error", written_at(e.tail))
    if e.tail.finished_at is not None and e.tail.finished_at >= begun:
        return Verdict("idle", "", "its client is idle and its answer is complete", e.tail.finished_at)
    return None


def is_complete(e: Evidence, begun: float) -> bool:
    """Return True if the transcript ends with an answer or a compaction of a turn that began at BEGUN."""
    return not e.tail.error and e.tail.finished_at is not None and e.tail.finished_at >= begun


def has_later_end(e: Evidence, run: Run) -> bool:
    """Return True if the transcript has a normal end after the hooks reported an error, an interrupt or no turn."""
    broke_off = run["turn"] in ("error", "interrupted", "new") and not run.get("compacting")
    return broke_off and is_complete(e, turn_since(run))


def unreported_from(e: Evidence) -> float | None:
    """Return from when the hooks of this session count as silent; None if they reported every prompt in the transcript.

    Somebody removed them or broke settings.json, or the disk is full. What they reported before is out of date then.
    """
    if not e.run or not e.entry:
        return None
    heard = turn_at(e.run)
    return next((prompted + UNREPORTED for prompted in e.tail.prompts if prompted > heard + GRACE), None)


def is_unreported(e: Evidence) -> bool:
    """Return True if the hooks of this session count as silent now."""
    silent = unreported_from(e)
    return silent is not None and e.now >= silent


def was_in_turn(e: Evidence) -> bool:
    """Return True if a dead client was in a turn when it died, by its hooks and its transcript."""
    if not e.run or _is_of_earlier_turn(e, e.run):
        return False
    begun = turn_since(e.run)
    over = e.tail.finished_at, e.tail.interrupted_at, written_at(e.tail) if e.tail.error else None
    return e.run["turn"] == "working" and not any(at is not None and at >= begun for at in over)


def words_of_crash(e: Evidence) -> str:
    """Return what a dead client did last; "" if its hooks had not reported the newest prompt."""
    return "" if e.run and _is_of_earlier_turn(e, e.run) else last_words(e)


def _is_of_earlier_turn(e: Evidence, run: Run) -> bool:
    return max(e.tail.prompts, default=0.0) > turn_at(run) + GRACE


def settled(e: Evidence) -> Evidence:
    """Return E without the requests and calls that have a result in the transcript, and without approved requests.

    No hook reports that a request was refused with a message, and the hook of a call that ended may be late. The calls
    that an interrupt ended stay: they are what the turn was interrupted in.
    """
    over = e.tail.results - e.tail.cut
    if not e.run or (not e.approved and over.isdisjoint(one["use"] for one in (*e.run["calls"], *e.run["pending"]))):
        return e
    calls = [call for call in e.run["calls"] if call["use"] not in over]
    waiting = (request for request in e.run["pending"] if request["use"] not in over)
    pending = [request for request in waiting if request["order"] not in e.approved]
    run: Run = {**e.run, "calls": calls, "pending": pending}
    status, detail, since = status_of(run)
    kept = e.run["since"] if status == e.run["status"] else turn_since(e.run)
    return replace(e, run={**run, "status": status, "detail": detail, "since": kept if since is None else since})


def is_own_prompt(at: float | None, tail: Tail) -> bool:
    """Return True if Claude Code itself wrote the prompt that came then."""
    return at is not None and any(abs(at - own) < GRACE for own in tail.own)


def is_refused(run: Run | None, tail: Tail) -> bool:
    """Return True if a hook of the person refused the newest prompt of the run: no turn has begun."""
    refused = tail.refused_at
    return run is not None and run.get("turn") == "working" and refused is not None and refused >= turn_at(run)


def unbegun(e: Evidence) -> Evidence:
    """Return E with the turn before, if a hook of the person refused the newest prompt."""
    if not e.run or not is_refused(e.run, e.tail):
        return e
    tail = e.tail
    before = [at for at in tail.prompts if at < turn_at(e.run) - GRACE]
    is_cut = tail.interrupted_at or (before and not (tail.finished_at or tail.error))
    is_first = not before and tail.model is None and tail.finished_at is None
    turn: Turn = "interrupted" if is_cut else "error" if tail.error else "new" if is_first else "idle"
    since = tail.interrupted_at or tail.finished_at or max(before, default=e.run.get("began", 0.0))
    run: Run = {**e.run, "turn": turn, "calls": [], "pending": [], "error": tail.error or "", "turn_started": since}
    status, detail, _ = status_of(run)
    return replace(e, run={**run, "status": status, "detail": detail, "since": since})


def sent_on(e: Evidence) -> Evidence:
    """Return E with a turn that still runs, if a Stop hook of the person made it go on after its newest Stop.

    Until the next Stop arrives, the one before would seem to be the end, and its time that of the end.
    """
    at = e.tail.sent_on_at
    if not e.run or e.run["turn"] != "idle" or at is None or at < turn_at(e.run) - REGISTRY_DELAY:
        return e
    run: Run = {**e.run, "turn": "working"}
    status, detail, _ = status_of(run)
    return replace(e, run={**run, "status": status, "detail": detail, "since": turn_since(run)})


def last_words(e: Evidence) -> str:
    """Return what the main loop was doing when it was interrupted: the request that was denied, or the call that ran.

    Of several requests made at once, take the oldest: its dialog comes first.
    """
    if not e.run:
        return ""
    if mine := [request for request in e.run["pending"] if not request["agent"]]:
        newest = max(request["at"] for request in mine)
        return words(min((one for one in mine if one["at"] >= newest - AT_ONCE), key=lambda one: one["at"]))
    return doing(e.run) if e.run["calls"] else ""
