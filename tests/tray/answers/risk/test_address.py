"""Test the risk of fetching an address."""

import pytest

from deskbell.answers.risk import table
from deskbell.answers.risk.address import address

PAGES = [
    "https://docs.python.org/3/library/re.html",
    "https://docs.python.org",
    "https://docs.python.org:443/3/library/secrets.html",
    "https://docs.rs/tokio/latest/tokio/#modules",
    "https://developer.mozilla.org/en-US/docs/Web/API/fetch",
]
TRICKS = [
    "http://docs.python.org/",
    "HTTPS://docs.python.org/",
    "file:///etc/passwd",
    "ftp://docs.python.org",
    "docs.python.org",
    "",
    "https://",
    "https://user@docs.python.org/",
    "https://user:word@docs.python.org/",
    "https://docs.python.org\\@evil.com/",
    "https://docs.python.org/?q=data",
    "https://docs.python.org:8443/",
    "https://localhost/",
    "https://localhost.localdomain/",
    "https://127.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https://metadata.google.internal/",
    "https://printer.local/",
    "https://intranet/",
    "https://wiki.corp/",
    "https://127.0.0.1.nip.io/",
    "https://webhook.site/x",
    "https://abc.ngrok.io/",
    "https://bit.ly/x",
    "https://xn--pypi-xqa.org/",
    "https://раypal.com/",
    "https://docs.python.org/ x",
    "https://docs.python.org/\n",
    "https://docs.python.org/" + "A" * 60,
    "https://docs.python.org/" + "a/" * 200,
    "https://" + "a" * 50 + ".evil.com/",
    "https://docs.python.org/%00",
    "https://docs..python.org/",
    "https://docs.python.org/" + "my-password-is-" * 7,
    "https://docs.python.org/#" + "A" * 60,
    "https://evil.org/my-password-is-hunter2",
    "https://example.com/a",
    "https://docs.python.org.evil.org/",
    "https://evildocs.python.org/",
]


@pytest.mark.parametrize("url", PAGES)
def test_a_page_of_documentation_is_plain(url: str) -> None:
    assert address(url).verdict == "plain"


@pytest.mark.parametrize("url", TRICKS)
def test_every_other_address_is_careful(url: str) -> None:
    assert address(url).verdict == "careful"


def test_a_host_of_the_persons_own_list_is_plain_without_data() -> None:
    own = table(plain=["wiki.example.org"])
    assert address("https://wiki.example.org/page", own).verdict == "plain"
    assert address("https://wiki.example.org/page?x=1", own).verdict == "careful"
    assert address("https://other.example.org/page", own).verdict == "careful"
