"""Decide what a session is really doing, from what its hooks, registry entry, process and transcript say. Pure.

Hooks alone lie. Escape, Ctrl+C, a denied permission and `kill -9` fire no hook; an approved command that runs for ten
minutes looks like a request that still waits; a hook that approves by itself looks like a request too; Stop is not the
end while background tasks run, nor when another Stop hook makes the turn go on. The registry knows within 0.1 s
whether the client is busy, idle or waiting, but not for what. So the hooks say WHAT, the registry says WHETHER, the
process says whether the client runs at all, and the transcript settles what is left. RULES are asked in order, and the
first that has an answer decides.

Two clocks meet here: the event of a hook is stamped with the start of its process, a registry entry with the moment of
its change. Either may come first by a few hundredths of a second, and an event is seen later than it is stamped. A
decision *against* the newest event of the hooks therefore waits for GRACE and says when to ask again.
"""

from collections.abc import Callable

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Evidence, Verdict
from deskbell.sessions.registry import Entry
from deskbell_hooks.fold import doing, status_of, words
from deskbell_hooks.schema import Pending, Run, Status

GRACE = 0.6
"""Seconds within which a Stop arrives, even on a machine under full load."""
HEARSAY = 0.2
"""Seconds by which the registry may show a dialog before the hook has recorded what it asks."""
LAST_WORD = 2.0
"""Seconds to wait for a SessionEnd, which may come up to 1.5 s after its process has gone."""
REMINDER = 4.0
"""Seconds. A permission_prompt Notification comes 6 s after its dialog. One that comes this much later than the request
proves that the dialog is open."""

WAITING_FOR: dict[str, Status] = {
    "permission prompt": "permission",
    "sandbox request": "permission",
    "worker request": "permission",
    "input needed": "question",
    "dialog open": "input",
    "goal proposal": "input",
}
"""The status for each kind of dialog in the registry, where no hook says what it asks."""
ASKED_AS: dict[str, frozenset[str]] = {
    "permission prompt": frozenset(("permission", "plan")),
    "worker request": frozenset(("permission", "plan")),
    "input needed": frozenset(("question", "input")),
    "dialog open": frozenset(("input",)),
}
"""The requests of the hooks that each kind of dialog can be for. A dialog of another kind can be for any."""

Rule = Callable[[Evidence], Verdict | None]


def verdict(evidence: Evidence) -> Verdict:
    for rule in RULES:
        if found := rule(evidence):
            return found
    return Verdict("idle", "", "its client has just started", _entry_since(evidence))


def _ended(e: Evidence) -> Verdict | None:
    """A SessionEnd is the end, unless the registry shows the client later: then its next SessionStart was lost."""
    if not e.run or e.run["turn"] != "ended" or (e.entry and e.entry.status_since > e.run["last_at"] + GRACE):
        return None
    return Verdict("ended", e.run["detail"], "it ended normally", e.run["since"])


def _dead(e: Evidence) -> Verdict | None:
    """A client that leaves its registry file behind was killed. One that removed it is exiting, and its SessionEnd may
    still come. One that had no registry file may be either."""
    if e.alive is not False:
        return None
    if e.left_behind:
        return Verdict("crashed", _last_words(e), "its process died and left its registry file behind", e.died)
    if e.run and e.now < e.died + LAST_WORD:
        return Verdict(*_besides(e.run, "its process is gone; a SessionEnd may still arrive"), e.died + LAST_WORD)
    if e.had_entry:
        return Verdict("ended", "", "its client has exited", e.died)
    return Verdict("crashed", _last_words(e), "its process is gone and no SessionEnd was received", e.died)


def _elsewhere(e: Evidence) -> Verdict | None:
    """After /clear or /resume the same client runs another session, and this one fires no more hooks."""
    if not e.moved_on or not e.run:
        return None
    if e.now < e.run["last_at"] + LAST_WORD:
        return Verdict(*_as_recorded(e.run, "the hooks say so"), again=e.run["last_at"] + LAST_WORD)
    return Verdict("ended", "", "its client now runs another session", e.run["last_at"])


def _waiting(e: Evidence) -> Verdict | None:
    """The client shows a dialog. The hooks know what it asks; where they do not, the kind of dialog decides."""
    if not e.entry or e.entry.status != "waiting":
        return None
    dialog = e.entry.waiting_for or ""
    if asked := _asked(e.run, dialog):
        return Verdict(asked["kind"], words(asked), "it asked, and its dialog is open", asked["at"])
    if e.run and e.entry.status_since < _turn_at(e.run) and e.now < (caught_up := _turn_at(e.run) + GRACE):
        return Verdict(*_besides(e.run, "the request was answered; the registry has not caught up yet"), caught_up)
    if dialog == "dialog open" and _is_own_dialog(e, e.entry):
        return _at_own_dialog(e, e.entry)
    if e.run and e.now < (reported := e.entry.status_since + HEARSAY):
        return Verdict(*_besides(e.run, "a dialog is open; its hook has not reported yet what it asks"), reported)
    reason = f"its client waits for an answer ({dialog or 'to an unknown dialog'})"
    return Verdict(WAITING_FOR.get(dialog, "input"), _running(e) or dialog, reason, e.entry.status_since)


def _is_own_dialog(e: Evidence, entry: Entry) -> bool:
    """True if the person opened the dialog, at rest or after interrupting the turn, which fires no hook.

    A dialog that comes with the newest event is the client's own: the moment in which it was busy may not have been
    seen.
    """
    if e.run and e.run["turn"] != "working":
        return True
    return e.own_dialog and (not e.run or entry.status_since > _turn_at(e.run) + GRACE)


def _at_own_dialog(e: Evidence, entry: Entry) -> Verdict:
    """A dialog that the person opened changes nothing: the session is what it was before."""
    if e.run and e.run["turn"] == "working":
        reason = "the person interrupted the turn and opened a dialog"
        return Verdict("interrupted", _last_words(e), reason, entry.status_since)
    reason, detail = "the person opened a dialog", "a dialog is open"
    if not e.run:
        return Verdict("idle", detail, reason, entry.status_since)
    recorded = Verdict(*_besides(e.run, reason))
    return recorded._replace(detail=recorded.detail or detail)


def _asked(run: Run | None, dialog: str) -> Pending | None:
    """The oldest request that this dialog can be for: dialogs are shown one after the other."""
    kinds = ASKED_AS.get(dialog)
    fitting = [request for request in run["pending"] if not kinds or request["kind"] in kinds] if run else []
    return min(fitting, key=lambda request: request["at"], default=None)


def _cut(e: Evidence) -> Verdict | None:
    """The client went idle in the middle of a turn, and no Stop came: the person interrupted it or denied a request.
    If the transcript shows that the answer was complete, the Stop was lost."""
    if not e.entry or not e.run or e.entry.status not in ("idle", "shell") or e.run["turn"] != "working":
        return None
    since = e.entry.status_since
    if since < _turn_at(e.run):
        return None
    interrupted_at = _interrupted_at(e.run, e.tail)
    if interrupted_at is not None and interrupted_at >= since - GRACE:  # an earlier one was followed by a queued prompt
        return Verdict("interrupted", _last_words(e), "the transcript records an interrupt", since)
    if e.now < since + GRACE and not e.own_dialog:
        return Verdict(*_besides(e.run, "its client is idle; a Stop may still arrive"), since + GRACE)
    if e.tail.finished_at is not None and e.tail.finished_at >= (e.run.get("turn_started") or _turn_at(e.run)):
        return Verdict("idle", "", "its client is idle and its answer is complete", since)
    return Verdict("interrupted", _last_words(e), "its client went idle in the middle of a turn", since)


def _idle(e: Evidence) -> Verdict | None:
    """The client is at its prompt. A request that the hooks reported before was denied or withdrawn. A background task
    that they reported is over, unless the registry shows a shell too."""
    if not e.entry or e.entry.status not in ("idle", "shell"):
        return None
    if not e.run:
        return _idle_unheard(e, e.entry)
    recorded = Verdict(*_besides(e.run, "the hooks and the registry agree"))
    if e.run.get("compacting") and _is_newer(e.entry, e.run):
        if e.now < e.entry.status_since + GRACE:
            return recorded._replace(reason="the hooks say so", again=e.entry.status_since + GRACE)
        return Verdict("idle", "", "its client is idle, so the compaction is over", e.entry.status_since)
    if e.run["turn"] == "working":  # the turn began after the client went idle
        return recorded._replace(reason="the hooks say so; the registry has not caught up yet")
    if recorded.status == "background" and e.entry.status == "idle" and _is_newer(e.entry, e.run):
        if e.now < e.entry.status_since + GRACE:
            return recorded._replace(reason="the hooks say so", again=e.entry.status_since + GRACE)
        return Verdict("idle", "", "its client has no background task left", e.entry.status_since)
    if recorded.status == "idle" and e.entry.status == "shell":
        return Verdict("background", "a shell", "its client runs a background shell", e.entry.status_since)
    return recorded


def _idle_unheard(e: Evidence, entry: Entry) -> Verdict:
    if e.tail.interrupted_at is not None:
        return Verdict("interrupted", "", "the transcript records an interrupt", entry.status_since)
    if e.tail.error:
        return Verdict("error", e.tail.error, "the transcript records an API error", entry.status_since)
    if e.tail.at is not None and e.tail.finished_at is None and e.now < entry.status_since + GRACE:
        reason = "its client is idle; the transcript may not say yet how the turn ended"
        return Verdict("working", "", reason, entry.status_since, entry.status_since + GRACE)
    if entry.status == "shell":
        return Verdict("background", "a shell", "its client runs a background shell", entry.status_since)
    return Verdict("idle", "", "its client is idle", entry.status_since)


def _busy(e: Evidence) -> Verdict | None:
    """The client works. A request that the hooks reported was approved, or needed no answer. A turn whose end they
    reported has begun again, or a Stop hook made it go on."""
    if not e.entry or e.entry.status != "busy":
        return None
    if not e.run:
        return Verdict("working", "", "its client is busy", e.entry.status_since)
    if e.run["turn"] == "working" or e.run.get("compacting"):
        return _busy_in_turn(e.run, e.entry)
    recorded = Verdict(*_besides(e.run, "the hooks say so; the registry has not caught up yet"))
    heard = _turn_at(e.run)
    if _is_newer(e.entry, e.run):
        return Verdict("working", "Thinking", "its client is busy again", e.entry.status_since)
    if e.now < heard + GRACE:
        return recorded._replace(again=heard + GRACE)
    if recorded.status == "background":
        return recorded._replace(reason="the turn is over, but something still runs in the background")
    return Verdict("working", "Thinking", "still busy although a Stop was received", heard)


def _busy_in_turn(run: Run, entry: Entry) -> Verdict:
    if not run["pending"]:
        return Verdict(*_as_recorded(run, "the hooks and the registry agree"))
    asked = min(request["at"] for request in run["pending"])
    if run["last_event"] == "Notification" and run["last_at"] > asked + REMINDER and entry.status_since < asked:
        return Verdict(*_as_recorded(run, "it asked, and a reminder shows that its dialog is open"))
    if entry.status_since > asked:
        recorded = Verdict(*_besides(run, "its client is busy again, so the request was answered"))
        return recorded._replace(since=entry.status_since)
    return Verdict(*_besides(run, "its client stayed busy, so the request needed no answer"))


def _by_transcript(e: Evidence) -> Verdict | None:
    """Without a registry entry (an older client, another host) an interrupt is at least in the transcript."""
    if not e.run or (e.entry and e.entry.status) or e.run["turn"] != "working":
        return None
    interrupted_at = _interrupted_at(e.run, e.tail)
    if interrupted_at is None:
        return None
    return Verdict("interrupted", _last_words(e), "the transcript records an interrupt", interrupted_at)


def _by_hooks(e: Evidence) -> Verdict | None:
    """Nothing contradicts the hooks."""
    return Verdict(*_as_recorded(e.run, "the hooks say so")) if e.run else None


RULES: tuple[Rule, ...] = (_ended, _dead, _elsewhere, _waiting, _cut, _idle, _busy, _by_transcript, _by_hooks)


def _as_recorded(run: Run, reason: str) -> tuple[Status, str, str, float]:
    return run["status"], run["detail"], reason, run["since"]


def _is_newer(entry: Entry, run: Run) -> bool:
    return entry.status_since > _turn_at(run)


def _besides(run: Run, reason: str) -> tuple[Status, str, str, float]:
    """What the run does apart from its requests, and since when."""
    status, detail, _ = status_of({**run, "pending": []})
    return status, detail, reason, run["since"] if status == run["status"] else _turn_since(run)


def _turn_since(run: Run) -> float:
    return run.get("turn_started") or run["since"]


def _turn_at(run: Run) -> float:
    """When the newest event of the main loop came."""
    return run.get("turn_at", 0.0)


def _interrupted_at(run: Run, tail: Tail) -> float | None:
    """When the transcript records an interrupt of this turn."""
    at = tail.interrupted_at
    return at if at is not None and at >= _turn_since(run) else None


def _last_words(e: Evidence) -> str:
    """What it was doing when it was interrupted: the request that was denied, or the call that ran."""
    if e.run and e.run["pending"]:
        return words(e.run["pending"][0])
    return _running(e)


def _running(e: Evidence) -> str:
    if not e.run or not e.run["calls"]:
        return ""
    return doing(e.run)


def _entry_since(e: Evidence) -> float:
    return (e.entry.status_since or e.entry.started or e.now) if e.entry else e.now
