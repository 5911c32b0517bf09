"""Test that docs/security.md names tests that exist, and at least one for every attack."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ATTACKS = [row.split("|")[1:-1] for row in PAGE.split("\n## ", 2)[2].splitlines() if re.match(r"\| (?!attack )", row)]


def test_every_test_that_the_page_names_exists() -> None:
    named = re.findall(r"`(tests/[^`]*)`", PAGE)
    assert len(named) > 50
    assert [path for path in named if not (ROOT / path).is_file()] == []


def test_every_attack_has_something_that_stops_it_and_a_test_that_proves_it() -> None:
    assert len(ATTACKS) > 30
    assert [cells for cells in ATTACKS if len(cells) != 3 or not cells[1].strip()] == []
    assert [
        attack
        for attack, _, tests in ATTACKS
        if not re.fullmatch(r" (`tests/[\w/]+/test_\w+\.py` ?|`tests/test_\w+\.py` ?)+", tests)
    ] == []


def test_every_link_of_the_pages_leads_to_a_file() -> None:
    pages = [ROOT / "SECURITY.md", ROOT / "docs" / "security.md"]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))]
    assert len(links) >= 2
    assert [link for page, link in links if not (page.parent / link).is_file()] == []
