"""What is a session really doing? Pure: what hooks, registry, process and transcript say, in; one status and why, out.

Hooks alone lie. Escape, Ctrl+C, a denied permission and `kill -9` fire none; an approved command that runs for ten
minutes looks like a request still waiting; a hook that approves by itself looks like a request too; Stop is not the
end while background tasks run, nor when another Stop hook sends the turn on. The registry knows within 0.1 s whether
the client is busy, idle or waiting, but not what for. So hooks say WHAT, the registry says WHETHER, the process says
whether at all, and the transcript settles what is left. RULES are asked in order; the first that has an answer decides.

Two clocks meet here: a hook's event is stamped with the start of its process, a registry entry with the moment of its
change. Either may come first by a few hundredths of a second, and a hook is seen later than it was stamped. Whatever
is decided *against* the newest word of the hooks therefore waits for GRACE, and says when to ask again.
"""

from collections.abc import Callable

from deskbell.sessions.evidence import Evidence, Verdict
from deskbell.sessions.registry import Entry
from deskbell_hooks.fold import doing, status_of, words
from deskbell_hooks.schema import Pending, Run, Status

GRACE = 0.6
"""A Stop that is on its way arrives within this, even on a machine at its limit."""
HEARSAY = 0.2
"""The registry may tell of a dialog before the hook that says what it asks has written that down."""
LAST_WORD = 2.0
"""A SessionEnd may come up to 1.5 s after its client has gone."""
REMINDER = 4.0
"""A permission_prompt Notification comes 6 s after its dialog: this much later, it proves that the dialog is open."""

WAITING_FOR: dict[str, Status] = {
    "permission prompt": "permission",
    "sandbox request": "permission",
    "worker request": "permission",
    "input needed": "question",
    "dialog open": "input",
    "goal proposal": "input",
}
ASKED_AS: dict[str, frozenset[str]] = {
    "permission prompt": frozenset(("permission", "plan")),
    "worker request": frozenset(("permission", "plan")),
    "input needed": frozenset(("question", "input")),
    "dialog open": frozenset(("input",)),
}
"""Which requests of the hooks a dialog can be. A dialog of another kind is not the one that they told of."""

Rule = Callable[[Evidence], Verdict | None]


def verdict(evidence: Evidence) -> Verdict:
    for rule in RULES:
        if found := rule(evidence):
            return found
    return Verdict("idle", "", "its client has only just started", _entry_since(evidence))


def _ended(e: Evidence) -> Verdict | None:
    """A SessionEnd is the end, unless the client goes on to say that it lives: its next SessionStart was lost."""
    if not e.run or e.run["turn"] != "ended" or (e.entry and e.entry.status_since > e.run["last_at"] + GRACE):
        return None
    return Verdict("ended", e.run["detail"], "it said goodbye", e.run["since"])


def _dead(e: Evidence) -> Verdict | None:
    """A client that leaves its registry file behind was killed. One that removed it is on its way out, and its
    SessionEnd may still come; one of which no registry is known may be either."""
    if e.alive is not False:
        return None
    if e.left_behind:
        return Verdict("crashed", _last_words(e), "its process died without a word", e.died)
    if e.run and e.now < e.died + LAST_WORD:
        return Verdict(*_besides(e.run, "its process is gone; a goodbye may still come"), e.died + LAST_WORD)
    if e.had_entry:
        return Verdict("ended", "", "its client has closed", e.died)
    return Verdict("crashed", _last_words(e), "its process is gone and nobody heard a goodbye", e.died)


def _elsewhere(e: Evidence) -> Verdict | None:
    """After /clear or /resume the same client runs another session, and nothing will be heard of this one."""
    if not e.moved_on or not e.run:
        return None
    if e.now < e.run["last_at"] + LAST_WORD:
        return Verdict(*_as_recorded(e.run, "the hooks say so"), again=e.run["last_at"] + LAST_WORD)
    return Verdict("ended", "", "its client went on to another session", e.run["last_at"])


def _waiting(e: Evidence) -> Verdict | None:
    """The client shows a dialog. What it asks, the hooks know; where they do not, the kind of dialog must do."""
    if not e.entry or e.entry.status != "waiting":
        return None
    dialog = e.entry.waiting_for or ""
    if asked := _asked(e.run, dialog):
        return Verdict(asked["kind"], words(asked), "it asked, and its dialog is open", asked["at"])
    heard = e.run.get("turn_at", 0.0) if e.run else 0.0
    if e.run and e.entry.status_since < heard and e.now < heard + GRACE:
        return Verdict(*_besides(e.run, "it was answered: the hooks know it first"), heard + GRACE)
    if dialog == "dialog open" and _is_own_dialog(e, e.entry):
        return _at_own_dialog(e, e.entry)
    if e.run and e.now < (told := e.entry.status_since + HEARSAY):
        return Verdict(*_besides(e.run, "a dialog is open; its hook is about to say what it asks"), told)
    status = WAITING_FOR.get(dialog, "input")
    return Verdict(
        status, _running(e) or dialog, f"its client waits ({dialog or 'for something'})", e.entry.status_since
    )


def _is_own_dialog(e: Evidence, entry: Entry) -> bool:
    """Opened by the person: at rest, or after cutting the turn short, of which no hook tells. One that comes with the
    newest event is the client's own: the moment in which it was busy may not have been seen."""
    if e.run and e.run["turn"] != "working":
        return True
    return e.own_dialog and (not e.run or entry.status_since > e.run.get("turn_at", 0.0) + GRACE)


def _at_own_dialog(e: Evidence, entry: Entry) -> Verdict:
    """It changes nothing: what it was before, it still is."""
    if e.run and e.run["turn"] == "working":
        return Verdict("interrupted", _last_words(e), "the person cut its turn short", entry.status_since)
    reason = "the person opened a dialog in it"
    said = Verdict(*_besides(e.run, reason)) if e.run else Verdict("idle", "", reason, entry.status_since)
    return said._replace(detail=said.detail or "a dialog is open")


def _asked(run: Run | None, dialog: str) -> Pending | None:
    """The oldest request that this dialog can be for: dialogs are shown one after the other."""
    kinds = ASKED_AS.get(dialog)
    fitting = [request for request in run["pending"] if not kinds or request["kind"] in kinds] if run else []
    return min(fitting, key=lambda request: request["at"], default=None)


def _cut(e: Evidence) -> Verdict | None:
    """The client went idle in the middle of a turn, and no Stop came: the person cut it short, or denied a request.
    Unless the transcript shows that the answer was complete: then it was the Stop that got lost."""
    if not e.entry or not e.run or e.entry.status not in ("idle", "shell") or e.run["turn"] != "working":
        return None
    since, heard = e.entry.status_since, e.run.get("turn_at", 0.0)
    if since < heard:
        return None
    if _interrupted(e) and (e.tail.interrupted_at or 0.0) >= since - GRACE:  # not before, and then a queued prompt
        return Verdict("interrupted", _last_words(e), "the transcript says that the person interrupted it", since)
    if e.now < since + GRACE and not e.own_dialog:
        return Verdict(*_besides(e.run, "its client is idle, but a Stop may be on its way"), since + GRACE)
    if e.tail.finished_at is not None and e.tail.finished_at >= (e.run.get("turn_started") or heard):
        return Verdict("idle", "", "its client is idle and its answer complete", since)
    return Verdict("interrupted", _last_words(e), "its client went idle in the middle of a turn", since)


def _idle(e: Evidence) -> Verdict | None:
    """The client is at its prompt. A request that the hooks told of before that was denied or withdrawn; a background
    task that they told of has gone, unless the registry also knows of a shell."""
    if not e.entry or e.entry.status not in ("idle", "shell"):
        return None
    if not e.run:
        return _idle_unheard(e, e.entry)
    said = Verdict(*_besides(e.run, "hooks and client agree"))
    if e.run.get("compacting") and _is_newer(e.entry, e.run):
        if e.now < e.entry.status_since + GRACE:
            return said._replace(reason="the hooks say so", again=e.entry.status_since + GRACE)
        return Verdict("idle", "", "its client is idle: the compaction is over", e.entry.status_since)
    if e.run["turn"] == "working":  # since after the client went idle
        return said._replace(reason="the hooks say so, and its client has not caught up yet")
    if said.status == "background" and e.entry.status == "idle" and _is_newer(e.entry, e.run):
        if e.now < e.entry.status_since + GRACE:
            return said._replace(reason="the hooks say so", again=e.entry.status_since + GRACE)
        return Verdict("idle", "", "its client knows of no background task any more", e.entry.status_since)
    if said.status == "idle" and e.entry.status == "shell":
        return Verdict("background", "a shell", "its client knows of a background shell", e.entry.status_since)
    return said


def _idle_unheard(e: Evidence, entry: Entry) -> Verdict:
    if e.tail.interrupted_at is not None:
        return Verdict("interrupted", "", "the transcript says that the person interrupted it", entry.status_since)
    if e.tail.error:
        return Verdict("error", e.tail.error, "the transcript says that the API refused", entry.status_since)
    if e.tail.at is not None and e.tail.finished_at is None and e.now < entry.status_since + GRACE:
        reason = "its client is idle, but its transcript may not say yet how the turn ended"
        return Verdict("working", "", reason, entry.status_since, entry.status_since + GRACE)
    if entry.status == "shell":
        return Verdict("background", "a shell", "its client knows of a background shell", entry.status_since)
    return Verdict("idle", "", "its client is idle", entry.status_since)


def _busy(e: Evidence) -> Verdict | None:
    """The client works. A request that the hooks told of was approved, or nobody was ever asked; and a turn that they
    saw end has begun anew, or was sent on by a Stop hook."""
    if not e.entry or e.entry.status != "busy":
        return None
    if not e.run:
        return Verdict("working", "", "its client is busy", e.entry.status_since)
    if e.run["turn"] == "working" or e.run.get("compacting"):
        return _busy_in_turn(e.run, e.entry)
    said = Verdict(*_besides(e.run, "the hooks say so, and its client has not caught up yet"))
    heard = e.run.get("turn_at", 0.0)
    if _is_newer(e.entry, e.run):
        return Verdict("working", "Thinking", "its client went to work again", e.entry.status_since)
    if e.now < heard + GRACE:
        return said._replace(again=heard + GRACE)
    if said.status == "background":
        return said._replace(reason="the turn is over, but something still runs in the background")
    return Verdict("working", "Thinking", "its client works on, though a Stop was heard", heard)


def _busy_in_turn(run: Run, entry: Entry) -> Verdict:
    if not run["pending"]:
        return Verdict(*_as_recorded(run, "hooks and client agree"))
    asked = min(request["at"] for request in run["pending"])
    if run["last_event"] == "Notification" and run["last_at"] > asked + REMINDER and entry.status_since < asked:
        return Verdict(*_as_recorded(run, "it asked, and was reminded of it"))
    if entry.status_since > asked:
        said = Verdict(*_besides(run, "its client works again: the request was answered"))
        return said._replace(since=entry.status_since)
    return Verdict(*_besides(run, "its client works on: nobody was asked"))


def _by_transcript(e: Evidence) -> Verdict | None:
    """No registry: an older client, or one on another host. Then an interrupt is at least in the transcript."""
    if e.run and (not e.entry or not e.entry.status) and e.run["turn"] == "working" and _interrupted(e):
        since = e.tail.interrupted_at or e.now
        return Verdict("interrupted", _last_words(e), "the transcript says that the person interrupted it", since)
    return None


def _by_hooks(e: Evidence) -> Verdict | None:
    """Nobody contradicts the hooks."""
    return Verdict(*_as_recorded(e.run, "the hooks say so")) if e.run else None


RULES: tuple[Rule, ...] = (_ended, _dead, _elsewhere, _waiting, _cut, _idle, _busy, _by_transcript, _by_hooks)


def _as_recorded(run: Run, reason: str) -> tuple[Status, str, str, float]:
    return run["status"], run["detail"], reason, run["since"]


def _is_newer(entry: Entry, run: Run) -> bool:
    return entry.status_since > run.get("turn_at", 0.0)


def _besides(run: Run, reason: str) -> tuple[Status, str, str, float]:
    """What the run does besides asking, and since when."""
    status, detail, _ = status_of({**run, "pending": []})
    return status, detail, reason, run["since"] if status == run["status"] else _turn_since(run)


def _turn_since(run: Run) -> float:
    return run.get("turn_started") or run["since"]


def _interrupted(e: Evidence) -> bool:
    begun = _turn_since(e.run) if e.run else 0.0
    return e.tail.interrupted_at is not None and e.tail.interrupted_at >= begun


def _last_words(e: Evidence) -> str:
    """What it was about when it was cut: the request that was denied, or the call that ran."""
    if e.run and e.run["pending"]:
        return words(e.run["pending"][0])
    return _running(e)


def _running(e: Evidence) -> str:
    if not e.run or not e.run["calls"]:
        return ""
    return doing(e.run)


def _entry_since(e: Evidence) -> float:
    return (e.entry.status_since or e.entry.started or e.now) if e.entry else e.now
