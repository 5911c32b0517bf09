"""Test that whatever a click could not do has a title."""

from deskbell.program.failed import could_not
from tests.tray.face.test_actions import EACH


def test_every_action_that_fails_is_named() -> None:
    titles = [could_not(action) for action in EACH]
    assert all(title.startswith("Could not ") for title in titles)
    assert len(set(titles)) > len(EACH) // 2
