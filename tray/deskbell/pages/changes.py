"""Write the page that shows what an install would change in each settings file, to the byte. Pure."""

from collections.abc import Iterable, Sequence

from deskbell.pages.facts import command
from deskbell.pages.markup import Markup, Page, element, exactly, together

UNCHANGED = "Nothing has been changed yet. To make this change, use the menu of the icon, or run:"
INSTALL = "deskbell install"
NOTHING = "Deskbell's hooks are installed as they should be: an install would change nothing."
KINDS = {"+": "added", "-": "removed", "@": "place"}


def page(diffs: Sequence[tuple[str, str]]) -> Page:
    """Return the page. DIFFS: each file that would change, with its diff as `deskbell install --dry-run` prints it."""
    title = "What an install changes" if diffs else "Nothing to change"
    lead = [element("p", UNCHANGED), command(INSTALL)] if diffs else [element("p", NOTHING)]
    return Page("changes", title, together(element("h1", title), *lead, *(_file(*one) for one in diffs)))


def _file(path: str, diff: str) -> Markup:
    lines = diff.removesuffix("\n").split("\n")[2:]  # without the two lines that name the file
    shown = element("pre", *_lines(lines), kind="diff")
    return together(element("h2", path), element("div", shown, kind="card plain scroll"))


def _lines(lines: Iterable[str]) -> Iterable[Markup]:
    for line in lines:
        yield element("span", exactly(line), kind=KINDS.get(line[:1], "same"))
