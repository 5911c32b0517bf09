"""Write the page of the doctor: every check with its mark, and what to do about the failed ones. Pure."""

from collections.abc import Iterable, Sequence

from deskbell.doctor import MARKS, Check, Grade
from deskbell.pages.facts import name, prose
from deskbell.pages.markup import Markup, Page, element, together

HEADINGS: dict[Grade, str] = {"bad": "Does not work", "warn": "Could be better", "ok": "Works"}


def page(checks: Sequence[Check]) -> Page:
    return Page("doctor", title(checks), together(element("h1", title(checks)), *_sections(checks)))


def title(checks: Iterable[Check]) -> str:
    """Return the result of all checks in one line."""
    grades = [check.verdict for check in checks]
    bad, warn = grades.count("bad"), grades.count("warn")
    does = f"{bad} {'check fails' if bad == 1 else 'checks fail'}" if bad else ""
    could = f"{warn} could be better" if warn else ""
    return ", ".join(part for part in (does, could) if part) or "All is well"


def _sections(checks: Sequence[Check]) -> Iterable[Markup]:
    """Yield a section for each grade, the broken ones first."""
    for grade, heading in HEADINGS.items():
        if found := [check for check in checks if check.verdict == grade]:
            count = element("span", str(len(found)), kind="count")
            yield together(element("h2", heading, count), *map(_card, found))


def _card(check: Check) -> Markup:
    mend = element("p", element("b", "What to do: "), prose(check.mend)) if check.mend else None
    words = element("div", element("h3", name(check.name)), element("p", prose(check.sentence)), mend)
    row = element("div", element("span", MARKS[check.verdict], kind="mark"), words, kind="check")
    return element("article", row, kind=f"card {check.verdict}")
