"""Test that a page shows every text as text, and loads and runs nothing."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.pages.markup import LONGEST, POLICY, Markup, Page, document, each, element, exactly, text, together

AWKWARD = st.text("ab<>&\"'`=/!-;#x \n\x00\x1b\x9b\u202e\u2028\ud83d", max_size=40)
ATTACKS = (
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' autofocus onfocus='alert(1)",
    "--><!--",
    "&lt;script&gt;",
    "<![CDATA[<b>]]>",
)


class Read(HTMLParser):
    """What a browser makes of a piece of HTML: its elements, their attributes and its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.others: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


@pytest.mark.parametrize("attack", ATTACKS)
def test_markup_in_a_text_is_shown_as_text(attack: str) -> None:
    found = Read(element("p", attack, kind=attack, title=attack))
    assert (found.tags, found.text, found.others) == (["p"], attack, [])
    assert found.attributes == [("class", attack), ("title", attack)]


@given(st.text() | AWKWARD)
def test_no_text_makes_an_element_an_attribute_or_a_comment(said: str) -> None:
    for one in (text(said), exactly(said)):
        found = Read(element("p", one, title=said))
        assert (found.tags, found.others) == (["p"], [])
        assert [name for name, _ in found.attributes] == ["title"]
        assert not re.search(r"[<>\"'`]", one)


@given(st.text() | AWKWARD)
def test_a_text_holds_no_control_character(said: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028\ud800-\udfff]", text(said))


def test_a_file_is_shown_to_the_last_character() -> None:
    said = '\t"a": "\x1b[31m\u202e<b>&amp;"\r'
    assert Read(exactly(said)).text == '\t"a": "\\u001b[31m\\u202e<b>&amp;"\r'


def test_a_secret_in_a_text_is_left_out_and_a_long_text_is_cut() -> None:
    assert "hunter2" not in text("password=hunter2-Zq9")
    assert len(text("x" * 1_000_000)) == LONGEST


def test_what_was_made_here_goes_in_as_it_is() -> None:
    assert element("p", element("b", "<a>"), " and ", None, "") == "<p><b>&lt;a&gt;</b> and </p>"
    assert together("a", element("i", "b")) == "a<i>b</i>"
    assert each("li", ["a", None, "", "b"], kind="x") == '<li class="x">a</li><li class="x">b</li>'
    assert element("progress", value=1, max=3) == '<progress value="1" max="3"></progress>'
    assert isinstance(element("p"), Markup)


def test_a_page_has_a_policy_that_allows_its_own_style_and_nothing_else() -> None:
    html = document(Page("name", "<b>Title", element("h1", "x")), "12:41", "1.0")
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'; form-action 'none'" == POLICY
    assert f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">' in html
    assert html.index("Content-Security-Policy") < html.index("<title>") < html.index("<style>")
    assert "<title>&lt;b&gt;Title - Deskbell</title>" in html


def test_a_page_asks_for_nothing_from_elsewhere() -> None:
    found = Read(document(Page("name", "Title", element("h1", "x")), "12:41", "1.0"))
    names = {name for name, _ in found.attributes}
    assert names.isdisjoint(("href", "src", "srcset", "action", "style", "background", "poster", "data"))
    assert set(found.tags) <= {
        *(
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "header",
            "svg",
            "path",
            "b",
            "span",
            "main",
            "h1",
            "footer",
        )
    }
    assert "as of 12:41" in found.text
