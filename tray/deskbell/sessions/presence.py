"""Find when the person was last at a session: they prompted it, answered it, interrupted it or left a dialog. Pure.

`assemble` calls this. A restart of Deskbell loses only one of these: that they left a dialog of a client at its prompt,
which neither hooks nor files say.
"""

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Verdict
from deskbell.sessions.registry import Entry
from deskbell.sessions.turns import GRACE, is_own_prompt, turn_at
from deskbell_hooks.requests import BY_ITSELF
from deskbell_hooks.schema import Run


def person_at(
    run: Run | None, entry: Entry | None, tail: Tail, verdict: Verdict, left_dialog: float | None, silent: bool
) -> float | None:
    """Return when the person was last at the session; None if nothing says so.

    LEFT_DIALOG is when a dialog was closed, as `Memory` saw it. SILENT: the hooks no longer report what the session
    does.
    """
    heard = run.get("person_at") if run else None
    signs = [
        tail.prompted,
        None if is_own_prompt(heard, tail) else heard,
        left_dialog,
        _answered_at(run, entry) if run and entry and not silent else None,
        verdict.since if verdict.status == "interrupted" else None,
    ]
    return max((at for at in signs if at is not None), default=None)


def _answered_at(run: Run, entry: Entry) -> float | None:
    """Return when the person answered the newest dialog; None if no dialog is known.

    A client that becomes busy during a turn had a dialog open. After a turn it may also have begun another one that no
    hook has reported yet, so it had a dialog only if a subagent has asked since.
    """
    in_turn, asked = run.get("turn") == "working", run.get("asked_at", 0.0)
    begun = (run.get("turn_started") if in_turn else None) or turn_at(run)
    had_dialog = entry.status == "busy" and entry.status_since > begun + GRACE and (in_turn or asked > begun)
    return entry.status_since if had_dialog and entry.status_since - asked >= BY_ITSELF else None
