"""Find when the person was last at a session: they prompted it, answered it, interrupted it or left a dialog. Pure.

Used by `assemble`. A restart loses only what neither the hooks nor the files of the client tell: that a dialog was left
while the client was at its prompt.
"""

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Verdict
from deskbell.sessions.registry import Entry
from deskbell.sessions.turns import GRACE, turn_at
from deskbell_hooks.requests import BY_ITSELF
from deskbell_hooks.schema import Run


def person_at(
    run: Run | None, entry: Entry | None, tail: Tail, verdict: Verdict, left_dialog: float | None, silent: bool
) -> float | None:
    """The newest sign of the person, None if there is none.

    LEFT_DIALOG is when a dialog was seen to be left. SILENT: the hooks no longer report what this session does.
    """
    signs = [
        tail.prompted,
        run.get("person_at") if run else None,
        left_dialog,
        _answered_at(run, entry) if run and entry and not silent else None,
        verdict.since if verdict.status == "interrupted" else None,
    ]
    return max((at for at in signs if at is not None), default=None)


def _answered_at(run: Run, entry: Entry) -> float | None:
    """When the person answered the newest dialog, by the registry: a client that becomes busy in a turn had one open.

    Behind a turn that is over, it may also become busy with a turn that no hook has reported yet, unless a subagent has
    asked since.
    """
    in_turn, asked = run.get("turn") == "working", run.get("asked_at", 0.0)
    begun = (run.get("turn_started") if in_turn else None) or turn_at(run)
    had_dialog = entry.status == "busy" and entry.status_since > begun + GRACE and (in_turn or asked > begun)
    return entry.status_since if had_dialog and entry.status_since - asked >= BY_ITSELF else None
