"""Test the report that the command and the menu show."""

from deskbell.doctor import Check
from deskbell.doctor.report import checks, lines
from deskbell.home import home


def test_each_check_has_a_line_and_what_to_do_below_it() -> None:
    found = [
        Check("a", "ok", "It holds."),
        Check("b", "warn", "It is slow.", "Wait."),
        Check("c", "bad", "It is gone.", "Get another."),
    ]

    assert list(lines(found)) == [
        "✓ a: It holds.",
        "! b: It is slow.",
        "    fix: Wait.",
        "✗ c: It is gone.",
        "    fix: Get another.",
    ]


def test_the_report_of_an_empty_machine_has_every_link_and_is_in_whole_sentences() -> None:
    found = checks(home(), None, [])

    names = {check.name.split(" /")[0] for check in found}
    assert names >= {"client", "policy", "interpreter", "known files", "hook code", "state folder", "disk space"}
    assert names >= {"registry", "answers", "statusline", "settings of Deskbell", "tray", "notifications", "focus"}
    assert names >= {"clipboard", "files", "pages", "terminal"}
    for check in found:
        assert check.sentence[-1] == "."
        assert check.sentence[0] in "/" or not check.sentence[0].islower()
        assert (check.mend == "") == (check.verdict == "ok")
