"""Notices to show in these tests."""

from dataclasses import replace

from deskbell.notices.notice import Notice, notice
from deskbell.notices.policy import Policy
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, session


def a_notice(project: str, status: Status = "permission", detail: str = "", **more: object) -> Notice:
    """A notice whose title is its project, and whose body begins with DETAIL."""
    made = notice(session(project, status, detail=detail), Policy(), "at once", NOON)
    return replace(made, **{"title": project, "body": f"{detail}\n{status}", **more})  # type: ignore[arg-type]  # the fields of Notice


API = a_notice("api").slot
