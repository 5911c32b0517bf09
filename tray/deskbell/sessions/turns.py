"""Say what the turn of a run does apart from its requests, and how a turn ended whose end no hook reported. Pure.

Used by `truth` and `dialogs`. What cannot be known: Escape before the first token leaves no line in the transcript, and
if a subagent keeps the client busy, nothing else tells of it.
"""

from dataclasses import replace

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Evidence, Verdict
from deskbell.sessions.registry import Entry
from deskbell_hooks.fold import doing, running_agents, status_of, words
from deskbell_hooks.schema import Run, Status

GRACE = 0.6
"""Seconds within which a Stop arrives, even on a machine under full load."""
AT_ONCE = 0.5
"""Seconds within which the requests of one answer are made."""
BEHIND = 0.1
"""Seconds by which the registry may lag. No person starts anything sooner after Escape."""
UNREPORTED = 2.5
"""Seconds within which the hook of a prompt arrives, even on a machine under full load."""


def turn_at(run: Run) -> float:
    """When the newest event of the main loop came, apart from reminders."""
    return run.get("turn_at", 0.0)


def turn_since(run: Run) -> float:
    return run.get("turn_started") or run["since"]


def written_at(tail: Tail) -> float:
    """When the newest line of the transcript was written."""
    return tail.at or 0.0


def is_newer(entry: Entry, run: Run) -> bool:
    return entry.status_since > turn_at(run)


def as_recorded(run: Run, reason: str) -> tuple[Status, str, str, float]:
    return run["status"], run["detail"], reason, run["since"]


def besides(run: Run, reason: str) -> tuple[Status, str, str, float]:
    """Return what the run does apart from its requests, and when that began."""
    status, detail, _ = status_of({**run, "pending": []})
    return status, detail, reason, run["since"] if status == run["status"] else turn_since(run)


def interrupted_at(run: Run, tail: Tail) -> float | None:
    """When the transcript records an interrupt of this turn."""
    at = tail.interrupted_at
    return at if at is not None and at >= turn_since(run) else None


def interrupted_behind(e: Evidence, run: Run, entry: Entry) -> float | None:
    """When the turn was interrupted while a subagent keeps the client busy."""
    at = e.tail.interrupted_at
    if at is None or at < turn_at(run) or run["turn"] == "ended":
        return None
    return at if _is_behind(e, run, entry, at) else None


def interrupted_unheard(e: Evidence, entry: Entry) -> float | None:
    """When the turn of a client without hooks was interrupted. An interrupt in a dialog makes the client busy again."""
    at = e.tail.interrupted_at
    return at if at is not None and at > entry.status_since - BEHIND else None


def failed_at(e: Evidence, entry: Entry) -> float | None:
    """When the API error ended the turn while a subagent keeps the client busy, and its hook was lost."""
    at = written_at(e.tail)
    if not e.run:
        return at if at > entry.status_since else None
    if e.run["turn"] != "working" or at <= turn_at(e.run):
        return None
    return at if _is_behind(e, e.run, entry, at) else None


def _is_behind(e: Evidence, run: Run, entry: Entry, at: float) -> bool:
    """True if a client that ended its turn at AT, and is busy, is kept busy by a subagent.

    Where no subagent is known, a client that became busy since is at something that no line of the transcript says, and
    for a moment this may be so of one that became busy just before.
    """
    settled = at > entry.status_since - BEHIND and e.now >= at + GRACE
    return settled or at > entry.status_since + GRACE or _may_run_agents(run)


def ran_agents_at(run: Run, at: float) -> bool:
    """True if a subagent that runs may have run at that time already, so that its client was busy with it."""
    later = {agent["id"] for agent in run.get("agents", []) if agent.get("started", at) > at}
    return bool(running_agents(run) - later)


def settles_at(e: Evidence, entry: Entry) -> float | None:
    """When the transcript says for sure whether a turn has ended in a client that has just become busy."""
    ends = (e.tail.interrupted_at, written_at(e.tail) if e.tail.error else None)
    just = (at for at in ends if at is not None and at > entry.status_since - BEHIND)
    due = (entry.status_since + GRACE, *(at + GRACE for at in just))
    return min((at for at in due if at > e.now), default=None)


def ended_behind(e: Evidence, entry: Entry) -> Verdict | None:
    """How the turn ended while a subagent keeps the client busy: only the transcript says so."""
    cut = interrupted_behind(e, e.run, entry) if e.run else interrupted_unheard(e, entry)
    if cut is not None:
        reason = "the transcript records an interrupt; a subagent keeps its client busy"
        return Verdict("interrupted", last_words(e), reason, cut)
    if e.tail.error and (failed := failed_at(e, entry)) is not None:
        reason = "the transcript records an API error; a subagent keeps its client busy"
        return Verdict("error", e.tail.error, reason, failed)
    return None


def can_end_unseen(e: Evidence) -> bool:
    """True if the transcript alone would tell how the turn ended: a subagent keeps the client busy."""
    if not e.entry or e.entry.status != "busy":
        return False
    if not e.run or unreported_from(e) is not None:
        return True
    return e.run["turn"] == "working" and _may_run_agents(e.run)


def _may_run_agents(run: Run) -> bool:
    """True also for a call of a subagent whose start no hook reported."""
    return bool(running_agents(run)) or any(call["tool"] in ("Agent", "Task") for call in run["calls"])


def how_it_ended(e: Evidence, run: Run, since: float) -> Verdict:
    """How a turn ended whose end no hook reported: as the transcript says, and else the person interrupted it.

    SINCE is when its client came to rest. The transcript's own time of the end is better: a dialog that the person
    opens and closes brings the client to rest again.
    """
    went_idle = "its client went idle in the middle of a turn"
    cut = Verdict("interrupted", last_words(e), went_idle, interrupted_at(run, e.tail) or since)
    return by_transcript(e, run) or cut


def by_transcript(e: Evidence, run: Run) -> Verdict | None:
    """The end of this turn, if the transcript records one."""
    begun = run.get("turn_started") or turn_at(run)
    if e.tail.error and written_at(e.tail) >= begun:
        return Verdict("error", e.tail.error, "the transcript records an API error", written_at(e.tail))
    if e.tail.finished_at is not None and e.tail.finished_at >= begun:
        return Verdict("idle", "", "its client is idle and its answer is complete", e.tail.finished_at)
    return None


def is_complete(e: Evidence, begun: float) -> bool:
    """True if the transcript ends with an answer or a compaction of a turn that began at BEGUN."""
    return not e.tail.error and e.tail.finished_at is not None and e.tail.finished_at >= begun


def has_later_end(e: Evidence, run: Run) -> bool:
    """True if the hooks reported that the turn broke off, and the transcript records a later end."""
    broke_off = run["turn"] in ("error", "interrupted") and not run.get("compacting")
    return broke_off and is_complete(e, turn_since(run))


def unreported_from(e: Evidence) -> float | None:
    """When the hooks of this session count as silent, because the transcript holds a prompt that they did not report.

    Somebody removed them or broke settings.json, or the disk is full. What they reported before says nothing of now.
    """
    if not e.run or not e.entry:
        return None
    heard = turn_at(e.run)
    return next((prompted + UNREPORTED for prompted in e.tail.prompts if prompted > heard + GRACE), None)


def is_unreported(e: Evidence) -> bool:
    """True if the hooks of this session count as silent now."""
    silent = unreported_from(e)
    return silent is not None and e.now >= silent


def was_in_turn(e: Evidence) -> bool:
    """True if a client that is dead was in a turn when it died, by its hooks and its transcript."""
    if not e.run or _is_of_earlier_turn(e, e.run):
        return False
    begun = turn_since(e.run)
    over = e.tail.finished_at, e.tail.interrupted_at, written_at(e.tail) if e.tail.error else None
    return e.run["turn"] == "working" and not any(at is not None and at >= begun for at in over)


def words_of_crash(e: Evidence) -> str:
    """What a client that is dead did last; nothing if its hooks had not reported the newest prompt."""
    return "" if e.run and _is_of_earlier_turn(e, e.run) else last_words(e)


def _is_of_earlier_turn(e: Evidence, run: Run) -> bool:
    return max(e.tail.prompts, default=0.0) > turn_at(run) + GRACE


def settled(e: Evidence) -> Evidence:
    """Return E without the requests and calls that have a result in the transcript.

    No hook says that a request was refused with words, and the hook of a call that ended may be late. What the
    interrupt ended stays: it is what the turn was interrupted in.
    """
    over = e.tail.results - e.tail.cut
    if not e.run or over.isdisjoint(one["use"] for one in (*e.run["calls"], *e.run["pending"])):
        return e
    calls = [call for call in e.run["calls"] if call["use"] not in over]
    pending = [request for request in e.run["pending"] if request["use"] not in over]
    run: Run = {**e.run, "calls": calls, "pending": pending}
    status, detail, since = status_of(run)
    kept = e.run["since"] if status == e.run["status"] else turn_since(e.run)
    return replace(e, run={**run, "status": status, "detail": detail, "since": kept if since is None else since})


def last_words(e: Evidence) -> str:
    """What the main loop was doing when it was interrupted: the request that was denied, or the call that ran.

    Of several requests made at once take the oldest, whose dialog comes first.
    """
    if not e.run:
        return ""
    if mine := [request for request in e.run["pending"] if not request["agent"]]:
        newest = max(request["at"] for request in mine)
        return words(min((one for one in mine if one["at"] >= newest - AT_ONCE), key=lambda one: one["at"]))
    return doing(e.run) if e.run["calls"] else ""
