"""Tell whether sessions only go on running, so that what they do next can be shown a little later. Pure."""

from collections.abc import Sequence

from deskbell.session import Session


def only_run_on(before: Sequence[Session], after: Sequence[Session]) -> bool:
    """Return whether sessions changed from BEFORE to AFTER, and each of these ran before and still does.

    No icon, no ring and no section of the menu depends on what they do meanwhile.
    """
    if len(before) != len(after):
        return False
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old is not new]
    return bool(changed) and all(_runs_on(old, new) for old, new in changed)


def _runs_on(before: Session, after: Session) -> bool:
    return after.group == "running" and (before.key, before.status, before.hidden) == (
        after.key,
        after.status,
        after.hidden,
    )
