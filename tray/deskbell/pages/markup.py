"""Make the elements of a page, and the page itself. Pure.

This is the only module that makes HTML. It redacts and escapes every text that is put into an element; only Markup,
which this module made, is put in unchanged. A page loads nothing and runs nothing. Its policy forbids both, in case an
escape is ever missing.
"""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from deskbell.pages.style import STYLE
from deskbell.text.clean import cut, html, html_exactly
from deskbell.text.wording import safe

LONGEST = 8000
"""Characters of one text."""

_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
"""Allows Deskbell's own style and nothing else: no script, no picture, no font. https://www.w3.org/TR/CSP3/"""


class Markup(str):
    """A piece of HTML that this module has made."""

    __slots__ = ()


class Page(NamedTuple):
    """A page without its frame."""

    name: str
    """The name of its file: letters, digits and hyphens."""
    title: str
    body: Markup


Content = str | Markup | None
"""What goes into an element. None and the empty string add nothing."""


def element(tag: str, *content: Content, kind: str = "", **attributes: str | int) -> Markup:
    """Return the element TAG with the class KIND. TAG, KIND and the names of ATTRIBUTES must be fixed words."""
    given = ({"class": kind} if kind else {}) | {name: str(value) for name, value in attributes.items()}
    words = "".join(f' {name.rstrip("_").replace("_", "-")}="{html(value)}"' for name, value in given.items())
    return Markup(f"<{tag}{words}>{together(*content)}</{tag}>")


def together(*content: Content) -> Markup:
    return Markup("".join(one if isinstance(one, Markup) else text(one) for one in content if one))


def each(tag: str, many: Iterable[Content], kind: str = "") -> Markup:
    """Return an element TAG for every one of MANY that is not empty."""
    return together(*(element(tag, one, kind=kind) for one in many if one))


def text(said: str) -> Markup:
    """Return SAID without secrets, cut and escaped."""
    return Markup(html(cut(safe(said[: 2 * LONGEST]), LONGEST)))


def exactly(said: str) -> Markup:
    """Return SAID escaped, but neither cut nor redacted: it is the person's own file."""
    return Markup(html_exactly(said))


def document(page: Page, made: str, version: str) -> str:
    """Return PAGE as an HTML document. MADE: when it was made, in words."""
    head = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{text(f"{page.title} - Deskbell")}</title>
<style>{STYLE}</style>
</head>
"""
    body = element(
        "body",
        element("header", BELL, element("b", "Deskbell"), element("span", f"as of {made}", kind="made")),
        element("main", page.body),
        element("footer", f"Deskbell {version}. This page is private to you and does not change by itself."),
    )
    return f"{head}{body}\n</html>\n"


_DOME = "M12 2a1.6 1.6 0 0 0-1.6 1.9A6.6 6.6 0 0 0 5.4 10.3V15L4 17.2V18.4h16v-1.2L18.6 15v-4.7a6.6 6.6 0 0 0-5-6.4"
_BASE = "M9.6 19.8a2.5 2.5 0 0 0 4.8 0Z"
BELL = element(
    "svg",
    element("path", d=f"{_DOME}A1.6 1.6 0 0 0 12 2Z{_BASE}"),
    viewBox="0 0 24 24",
    width=22,
    height=22,
    aria_hidden="true",
)
