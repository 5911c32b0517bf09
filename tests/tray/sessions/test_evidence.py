"""Test the evidence about a client of which nothing is known."""

from deskbell.sessions.evidence import NO_TAIL, Evidence, Verdict


def test_evidence_without_a_source_claims_nothing() -> None:
    nothing = Evidence(5.0)
    assert (nothing.run, nothing.entry, nothing.alive, nothing.tail) == (None, None, None, NO_TAIL)
    assert not any((nothing.died, nothing.had_entry, nothing.left_behind, nothing.moved_on, nothing.own_dialog))


def test_a_verdict_stays_until_something_changes_unless_it_says_otherwise() -> None:
    assert Verdict("idle", "", "", 0.0).again is None
