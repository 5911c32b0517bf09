"""Leave out of a transcript what other clients of the same session wrote into it. Pure.

The hooks report which client works on which prompt, and each line of a transcript belongs to a prompt. If no hook
reported a prompt, the time of its turn decides: another client may have been writing then.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf

from deskbell.sessions.candidates import Candidate
from deskbell.sessions.conversation import Tail
from deskbell.sessions.course import Course, Turn
from deskbell.sessions.registry import AT_REST, Entry
from deskbell.sessions.turns import GRACE
from deskbell_hooks.schema import Run


def own_tail(tail: Tail, candidate: Candidate, living: Iterable[Entry]) -> Tail:
    """Return TAIL with the turns of this client only. LIVING are the entries of all running clients."""
    whose = candidate.record.get("prompts", {}) if candidate.record else {}
    until = others_wrote_until(candidate, living)
    own = [turn for turn in tail.turns if _is_own(turn, candidate, _pid_of(turn, whose), until)]
    is_alone = until is None and all(pid == candidate.pid for pid in whose.values())
    return tail if is_alone and len(own) == len(tail.turns) else _of_turns(tail, own)


def others_wrote_until(candidate: Candidate, living: Iterable[Entry]) -> float | None:
    """Return until when another client may have written into the transcript of this session; None if there is no other.

    A client may write while it works. One that has gone counts as writing until its last event.
    """
    entries = [entry for entry in living if entry.session_id == candidate.session_id and entry.pid != candidate.pid]
    now = [entry.status_since if entry.status in AT_REST else inf for entry in entries]
    record = candidate.record
    runs: Iterable[Run] = (record, *record.get("others", [])) if record else ()
    before = [run["last_at"] for run in runs if run is not candidate.run]
    return max((*now, *before), default=None)


def _pid_of(turn: Turn, whose: Mapping[str, int]) -> int | None:
    """Return the client that reported the turn, or the one in whose queue its prompt waited."""
    return whose.get(turn.id, whose.get(turn.queued_in))


def _is_own(turn: Turn, candidate: Candidate, pid: int | None, until: float | None) -> bool:
    """Return whether TURN is this client's. PID: the client that reported it. UNTIL: see `others_wrote_until`.

    An unreported turn whose prompt came while this client showed a dialog is another client's, even an unknown one's.
    An unreported turn that ended while another client wrote is this one's if the registry shows a change of this client
    at that moment.
    """
    if pid is not None:
        return pid == candidate.pid
    if _showed_a_dialog(candidate.entry, turn.prompted):
        return False
    if until is None:
        return True
    written = turn.course.at or 0.0
    return written > until + GRACE or (_is_over(turn.course) and _changed_at(candidate.entry, written))


def _is_over(course: Course) -> bool:
    return course.interrupted_at is not None or course.finished_at is not None or course.error is not None


def _showed_a_dialog(entry: Entry | None, at: float | None) -> bool:
    """Return whether the client showed a dialog at that time. It takes no prompt then."""
    return entry is not None and entry.status == "waiting" and at is not None and at > entry.status_since


def _changed_at(entry: Entry | None, at: float) -> bool:
    return entry is not None and abs(at - entry.status_since) <= GRACE


def _of_turns(tail: Tail, turns: list[Turn]) -> Tail:
    newest = max((turn.course for turn in reversed(turns)), key=lambda course: course.at or 0.0, default=Course())
    typed = [turn for turn in turns if turn.prompted is not None]
    said = [turn for turn in typed if turn.prompt][-1:]
    return replace(
        tail,
        interrupted_at=None if tail.begins else newest.interrupted_at,
        finished_at=newest.finished_at,
        error=newest.error,
        refused_at=newest.refused_at,
        sent_on_at=newest.sent_on_at,
        limit=newest.limit,
        requests=newest.requests,
        at=newest.at,
        prompts=tuple(turn.prompted for turn in typed if turn.prompted is not None),
        prompt=said[0].prompt if said else "",
        prompted=said[0].prompted if said else None,
        calls=newest.calls,
        cut=newest.cut,
    )
