"""Test the risk of fetching an address."""

import pytest

from deskbell.answers.risk.address import address

PAGES = [
    "https://docs.python.org/3/library/re.html",
    "https://docs.python.org",
    "https://example.com:443/a",
    "https://github.com/pytest-dev/pytest/blob/main/README.rst#usage",
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
]


@pytest.mark.parametrize("url", PAGES)
def test_a_page_of_a_public_host_is_plain(url: str) -> None:
    assert address(url).verdict == "plain"


@pytest.mark.parametrize("url", TRICKS)
def test_every_other_address_is_careful(url: str) -> None:
    assert address(url).verdict == "careful"
