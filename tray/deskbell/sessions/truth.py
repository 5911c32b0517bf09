"""Decide what a session is really doing, from what its hooks, registry entry, process and transcript say. Pure.

Hooks alone lie. Escape, Ctrl+C, a denied permission and `kill -9` fire no hook. An approved command that runs for ten
minutes looks like a request that still waits, and so does a request that a hook has approved. Stop is not the end while
background tasks run, or if another Stop hook makes the turn go on. The registry knows within 0.1 s whether the client
is busy, idle or waiting, but not for what. So the hooks say WHAT, the registry says WHETHER, the process says whether
the client runs at all, and the transcript settles the rest. RULES are asked in order, and the first answer counts.

Two clocks meet here: the event of a hook is stamped with the start of its process, a registry entry with the moment of
its change. Either may come first by a few hundredths of a second, and an event is read later than it is stamped. A
decision *against* the newest event of the hooks therefore waits for GRACE, and says when to ask again.

The docstring of a rule says what is the case when the rule has an answer.
"""

from collections.abc import Callable
from dataclasses import replace

from deskbell.sessions.dialogs import (
    HOOK_DELAY,
    WAITING_FOR,
    asked_in_words,
    is_after_limit,
    is_own,
    limit_asked_about,
    request_of,
    unanswered_call,
)
from deskbell.sessions.evidence import Evidence, Verdict
from deskbell.sessions.limits import is_about_limit
from deskbell.sessions.registry import AT_REST, Entry
from deskbell.sessions.turns import (
    GRACE,
    UNREPORTED,
    as_recorded,
    besides,
    by_transcript,
    ended_while_busy,
    has_later_end,
    how_it_ended,
    interrupted_at,
    is_complete,
    is_newer,
    last_words,
    ran_agents_at,
    sent_on,
    settled,
    settles_at,
    turn_at,
    turn_since,
    unbegun,
    unreported_from,
    was_in_turn,
    words_of_crash,
    written_at,
)
from deskbell.text.times import clock
from deskbell_hooks.fold import running_agents
from deskbell_hooks.schema import Run, Status

CATCHES_UP = 2.0
"""Seconds for which the registry may still say that a dialog is open whose answer the hooks have reported. A form that
was put away on a busy machine took more than one."""
END_DELAY = 2.0
"""Seconds to wait for a SessionEnd, which may come up to 1.5 s after its process has gone."""
SAYS_WITHIN = 1.2
"""Seconds from the hook of a usage limit to the line or dialog in which the client says what it does about it."""
REMINDER = 4.0
"""Seconds. A permission_prompt Notification comes 6 s after its dialog. One that comes this much later than the request
proves that the dialog is open."""

AT_PROMPT = ("SessionStart", "PostCompact")
"""The events after which the client is at its prompt at once: no hook of the person can send it on."""

Rule = Callable[[Evidence], Verdict | None]


def verdict(evidence: Evidence) -> Verdict:
    """Return the verdict of RULES. Hooks that have fallen silent count as if there were none."""
    evidence = settled(sent_on(unbegun(evidence)))
    silent = unreported_from(evidence)
    if silent is None:
        return _ruled(evidence)
    if evidence.now >= silent:
        return _ruled(replace(evidence, run=None))
    found = _ruled(evidence)
    return found._replace(again=silent if found.again is None else min(found.again, silent))


def _ruled(evidence: Evidence) -> Verdict:
    for rule in RULES:
        if found := rule(evidence):
            return _without_limit(evidence, found)
    return Verdict(_unprompted(evidence), "", "its client has just started", _entry_since(evidence))


def _unprompted(e: Evidence) -> Status:
    """Return the status of a client at its prompt of which no hook has reported anything."""
    return "new" if e.tail.is_blank else "idle"


def _without_limit(e: Evidence, found: Verdict) -> Verdict:
    """Return FOUND; if it is an error that is only a usage limit, what the client does about that."""
    limited = _at_limit(e) if found.status == "error" else None
    if limited is None:
        return found
    due = [at for at in (found.again, limited.again) if at is not None]
    return limited._replace(again=min(due, default=None))


def _ended(e: Evidence) -> Verdict | None:
    """A SessionEnd ends the session, unless the registry shows the client later: then a SessionStart was lost."""
    if not e.run or e.run["turn"] != "ended" or (e.entry and e.entry.status_since > e.run["last_at"] + GRACE):
        return None
    return Verdict("ended", e.run["detail"], "it ended normally", e.run["since"])


def _dead(e: Evidence) -> Verdict | None:
    """A client that leaves its registry file behind was killed. A client whose file is gone has exited, except in the
    middle of a turn: if no SessionEnd comes, not even late, it was killed and another client removed its file. A client
    without a file may have exited or been killed. A session that goes on elsewhere has not crashed.

    What cannot be known if a SessionEnd was lost: when the client exited while Deskbell did not run, so the last thing
    that it did dates its end; and that it exited at all, if the person had interrupted its turn before the first token.
    """
    if e.alive is not False:
        return None
    if e.went_on:
        return Verdict("ended", "", "its process is gone, and its session or its process had gone on elsewhere", e.died)
    crashed = Verdict("crashed", words_of_crash(e), "its process is gone and no SessionEnd was received", e.died)
    if e.left_behind:
        return crashed
    in_turn = e.had_entry and was_in_turn(e)
    if e.had_entry and not in_turn:
        return Verdict("ended", "", "its client has exited", e.died)
    if e.run and e.now < (due := e.died + END_DELAY + (UNREPORTED if in_turn else 0.0)):
        return Verdict(*besides(e.run, "its process is gone; a SessionEnd may still arrive"), due)
    return crashed


def _elsewhere(e: Evidence) -> Verdict | None:
    """After /clear or /resume the same client runs another session, and this one fires no more hooks."""
    if not e.moved_on or not e.run:
        return None
    if e.now < e.run["last_at"] + END_DELAY:
        return Verdict(*besides(e.run, "the hooks say so"), e.run["last_at"] + END_DELAY)
    return Verdict("ended", "", "its client now runs another session", e.run["last_at"])


def _leaving(e: Evidence) -> Verdict | None:
    """The client has removed its file from the registry: it is exiting, and its SessionEnd will arrive. What cannot be
    known: whether a client that was never seen in the registry is exiting, or too old to have a registry."""
    if e.entry or not e.run or e.left is None or e.now >= e.left + END_DELAY:
        return None
    doing = as_recorded if e.was_waiting else besides
    return Verdict(*doing(e.run, "its client is exiting"), e.left + END_DELAY)


def _waiting(e: Evidence) -> Verdict | None:
    """The client shows a dialog. The hooks know what it asks; if they do not, the kind of dialog decides."""
    if not e.entry or e.entry.status != "waiting":
        return None
    dialog = e.entry.waiting_for or ""
    since = e.entry.status_since
    if asked := request_of(e, e.entry):
        detail = asked_in_words(e, e.entry, asked)
        asked_at = asked["at"] if asked["tool"] else min(asked["at"], since)  # a Notification comes 6 s later
        return Verdict(asked["kind"], detail, "it asked, and its dialog is open", asked_at)
    if e.run and since < turn_at(e.run) and e.now < (caught_up := turn_at(e.run) + CATCHES_UP):
        return Verdict(*besides(e.run, "the request was answered; the registry has not caught up yet"), caught_up)
    if dialog == "dialog open" and (limit := limit_asked_about(e, e.entry)):
        return Verdict("input", limit, "its client asks what to do about its usage limit", since)
    if dialog == "dialog open" and is_own(e, e.entry):
        return _at_own_dialog(e, e.entry)
    if e.run and e.now < since + HOOK_DELAY:
        reason = "a dialog is open; its hook has not reported yet what it asks"
        if e.run["turn"] == "working" or running_agents(e.run):
            return Verdict(*besides(e.run, reason), since + HOOK_DELAY)
        return Verdict("working", "Thinking", reason, since, since + HOOK_DELAY)
    reason = f"its client waits for an answer ({dialog or 'to an unknown dialog'})"
    return Verdict(WAITING_FOR.get(dialog, "input"), unanswered_call(e, e.entry) or dialog, reason, since)


def _at_own_dialog(e: Evidence, entry: Entry) -> Verdict:
    """Return what the session was before: a dialog that the person opened changes nothing."""
    reason = "the person opened a dialog"
    if not e.run:
        before = _idle_without_hooks(e, entry)._replace(reason=reason)
    elif e.run["turn"] == "working":
        ended = how_it_ended(e, e.run, entry.status_since)
        before = ended._replace(reason=f"{ended.reason}; the person opened a dialog")
    elif e.run.get("compacting"):
        return Verdict("idle", "a dialog is open", reason, entry.status_since)
    elif has_later_end(e, e.run):
        before = Verdict("idle", "", f"the transcript records a later end; {reason}", written_at(e.tail))
    else:
        before = Verdict(*besides(e.run, reason))
    return before._replace(detail=before.detail or "a dialog is open")


def _at_limit(e: Evidence) -> Verdict | None:
    """Return the verdict on a client whose turn ended at a usage limit; None if it ended in another way.

    The client goes on by itself some time after the limit, unless it says otherwise or its person cancels that. Only
    the transcript says so, a moment after the hook has reported the error.
    """
    if is_after_limit(e):
        return None
    if (limit := e.tail.limit) is None or limit.said is None:
        return _before_the_client_says(e)
    if limit.cancelled:
        return Verdict("interrupted", "", "its person does not want it to go on after its limit", limit.said)
    if not limit.goes_on:
        return Verdict("error", e.tail.error or "", "it does not go on by itself after its limit", limit.said)
    if e.now >= limit.due:
        return Verdict("error", "it did not go on after its limit", "it should have gone on by itself", limit.due)
    until = f" until {clock(limit.resets, e.now)}" if limit.resets else ""
    again = limit.due if limit.resets else None
    return Verdict("limit", f"the limit{until}", "it goes on by itself after its usage limit", limit.at, again)


def _before_the_client_says(e: Evidence) -> Verdict | None:
    """Return that the turn still runs, for the moment in which the client may yet say what it does about its limit."""
    if not e.run or e.run["turn"] != "error" or not is_about_limit(e.run.get("error", "")):
        return None
    says_by = turn_at(e.run) + SAYS_WITHIN
    if e.now >= says_by:
        return None
    return Verdict(
        "working", "Thinking", "at its limit; it may say that it goes on by itself", turn_since(e.run), says_by
    )


def _retries(e: Evidence) -> Verdict | None:
    """The API fails, and the client sends its request again and again. No hook reports that."""
    requests = e.tail.requests
    if not e.entry or e.entry.status != "busy" or not requests.repeats or e.now >= requests.until:
        return None
    if e.run and (turn_at(e.run) > requests.first or e.run["turn"] != "working"):
        return None
    detail = f"the API, retry {requests.repeats}"
    return Verdict("limit", detail, "its client repeats a request that fails", requests.first, requests.until)


def _cut(e: Evidence) -> Verdict | None:
    """The client went idle in the middle of a turn, and no Stop came: the person interrupted it or denied a request.
    If the transcript shows that the answer was complete, the Stop was lost."""
    if not e.entry or not e.run or e.entry.status not in AT_REST or e.run["turn"] != "working":
        return None
    since = e.entry.status_since
    if since < turn_at(e.run):
        return None
    cut = interrupted_at(e.run, e.tail)
    if cut is not None and cut >= min(since - GRACE, turn_at(e.run)):  # an earlier one was followed by a queued prompt
        return Verdict("interrupted", last_words(e), "the transcript records an interrupt", cut)
    if (found := by_transcript(e, e.run)) and written_at(e.tail) < e.now - GRACE:
        return found
    prompted = max(e.tail.prompts, default=0.0)
    if prompted > since and e.now < prompted + GRACE:
        reason = "the transcript records a new prompt; the registry has not caught up yet"
        return Verdict(*besides(e.run, reason), prompted + GRACE)
    if e.now < since + GRACE and not e.own_dialog:
        return Verdict(*besides(e.run, "its client is idle; a Stop may still arrive"), since + GRACE)
    return how_it_ended(e, e.run, since)


def _idle(e: Evidence) -> Verdict | None:
    """The client is at its prompt. A request that hooks reported before was denied or withdrawn. A background task that
    they reported is over, unless the registry says that a shell still runs."""
    if not e.entry or e.entry.status not in AT_REST:
        return None
    if not e.run:
        return _idle_without_hooks(e, e.entry)
    recorded = Verdict(*besides(e.run, "the hooks and the registry agree"))
    if has_later_end(e, e.run):
        if e.now < turn_at(e.run) + GRACE:  # the transcript may not hold yet what the hooks have reported
            return recorded._replace(again=turn_at(e.run) + GRACE)
        return Verdict("idle", "", "the transcript records a later end", e.entry.status_since)
    if e.run.get("compacting") and is_newer(e.entry, e.run):
        if e.now < e.entry.status_since + GRACE and not is_complete(e, turn_at(e.run)):
            return recorded._replace(reason="the hooks say so", again=e.entry.status_since + GRACE)
        return Verdict("idle", "", "its client is idle, so the compaction is over", e.entry.status_since)
    if e.run["turn"] == "working":  # the turn began after the client went idle
        return recorded._replace(reason="the hooks say so; the registry has not caught up yet")
    if recorded.status == "background" and e.entry.status == "idle" and is_newer(e.entry, e.run):
        if e.now < e.entry.status_since + GRACE:
            return recorded._replace(reason="the hooks say so", again=e.entry.status_since + GRACE)
        return Verdict("idle", "", "its client has no background task left", e.entry.status_since)
    if recorded.status in ("idle", "new") and e.entry.status == "shell" and unreported_from(e) is None:
        return Verdict("background", "a shell", "its client runs a background shell", e.entry.status_since)
    return recorded


def _idle_without_hooks(e: Evidence, entry: Entry) -> Verdict:
    if e.tail.is_blank and entry.status != "shell":
        return Verdict("new", "", "its transcript holds no turn", entry.status_since)
    if written_at(e.tail) < (entry.started or 0.0):  # the transcript is that of an earlier client
        return Verdict("idle", "", "its client is idle", entry.status_since)
    if e.tail.interrupted_at is not None:
        return Verdict("interrupted", "", "the transcript records an interrupt", e.tail.interrupted_at)
    if e.tail.error:
        return Verdict("error", e.tail.error, "the transcript records an API error", e.tail.at or entry.status_since)
    if e.tail.in_turn and e.now < entry.status_since + GRACE and not e.own_dialog:
        reason = "its client is idle; the transcript may not say yet how the turn ended"
        return Verdict("working", "", reason, entry.status_since, entry.status_since + GRACE)
    if e.tail.in_turn:
        reason = "its client is idle, and the transcript holds no answer to the newest prompt"
        return Verdict("interrupted", "", reason, entry.status_since)
    if entry.status == "shell":
        return Verdict("background", "a shell", "its client runs a background shell", entry.status_since)
    return Verdict("idle", "", "its client is idle", e.tail.finished_at or entry.status_since)


def _busy(e: Evidence) -> Verdict | None:
    """The client works. A request that hooks reported was approved, or needed no answer. If they reported the end of
    the turn, another turn has begun, or a Stop hook of the person still decides whether this one goes on."""
    if not e.entry or e.entry.status != "busy":
        return None
    if ended := ended_while_busy(e, e.entry):
        return ended
    if not e.run and e.arrives and e.now < (due := e.entry.updated + UNREPORTED):
        reason = "its client has just come from another session"
        return Verdict(_unprompted(e), "", reason, e.entry.status_since, due)
    if not e.run:
        return Verdict("working", "", "its client is busy", e.entry.status_since)
    if e.run["turn"] == "working" or e.run.get("compacting"):
        found = _busy_in_turn(e.run, e.entry)
        return found._replace(again=settles_at(e, e.entry)) if e.run["turn"] == "working" else found
    recorded = Verdict(*besides(e.run, "the hooks say so; the registry has not caught up yet"))
    heard = turn_at(e.run)
    if recorded.status == "idle" and e.run["last_event"] not in AT_PROMPT and not is_newer(e.entry, e.run):
        since = max(turn_since(e.run), e.entry.status_since)
        return Verdict("working", "Thinking", "a Stop was received; a hook may send it on", since)
    if is_newer(e.entry, e.run) and not ran_agents_at(e.run, e.entry.status_since):
        return Verdict("working", "Thinking", "its client is busy again", e.entry.status_since)
    if e.now < heard + GRACE:
        return recorded._replace(again=heard + GRACE)
    if has_later_end(e, e.run):
        return Verdict(*besides({**e.run, "turn": "idle"}, "the transcript records a later end"))
    if recorded.status == "background" or running_agents(e.run):
        return recorded._replace(reason="the turn is over, but something still runs in the background")
    return Verdict("working", "Thinking", "still busy although a Stop was received", heard)


def _busy_in_turn(run: Run, entry: Entry) -> Verdict:
    if not run["pending"]:
        return Verdict(*as_recorded(run, "the hooks and the registry agree"))
    asked = min(request["at"] for request in run["pending"])
    if run["last_event"] == "Notification" and run["last_at"] > asked + REMINDER and entry.status_since < asked:
        return Verdict(*as_recorded(run, "it asked, and a reminder shows that its dialog is open"))
    if entry.status_since > asked:
        recorded = Verdict(*besides(run, "its client is busy again, so the request was answered"))
        return recorded._replace(since=entry.status_since)
    return Verdict(*besides(run, "its client stayed busy, so the request needed no answer"))


def _by_transcript(e: Evidence) -> Verdict | None:
    """Without a registry entry (an older client, a damaged file), the transcript records how a turn ended."""
    if not e.run or (e.entry and e.entry.status) or e.run["turn"] != "working":
        return None
    cut = interrupted_at(e.run, e.tail)
    if cut is not None:
        return Verdict("interrupted", last_words(e), "the transcript records an interrupt", cut)
    ended, due = by_transcript(e, e.run), max(written_at(e.tail), turn_at(e.run)) + UNREPORTED
    if ended and e.now < due:
        return Verdict(*as_recorded(e.run, "the hooks say so"), due)
    return ended


def _by_hooks(e: Evidence) -> Verdict | None:
    """Nothing contradicts what the hooks say."""
    return Verdict(*as_recorded(e.run, "the hooks say so")) if e.run else None


RULES: tuple[Rule, ...] = (
    *(_ended, _dead, _elsewhere, _leaving, _waiting, _retries),
    *(_cut, _idle, _busy, _by_transcript, _by_hooks),
)


def _entry_since(e: Evidence) -> float:
    return (e.entry.status_since or e.entry.started or e.now) if e.entry else e.now
