"""Judge an address that Claude wants to fetch. Pure.

Whoever runs a host sees which address was asked for, and writes what Claude reads. So plain is only a page of
documentation on a host that its makers run, or on a host that the person lists, without data in the address.
"""

import re
from urllib.parse import urlsplit

from deskbell.answers.risk.entries import DEFAULT, Table
from deskbell.answers.risk.kind import PLAIN, Risk, careful
from deskbell.answers.risk.words import names

HOSTS = names(
    """docs.python.org peps.python.org packaging.python.org developer.mozilla.org docs.rs doc.rust-lang.org
    pkg.go.dev go.dev nodejs.org docs.npmjs.com www.typescriptlang.org react.dev vuejs.org angular.dev svelte.dev
    nextjs.org vite.dev tailwindcss.com docs.djangoproject.com flask.palletsprojects.com fastapi.tiangolo.com
    docs.pytest.org docs.astral.sh docs.sqlalchemy.org docs.pydantic.dev numpy.org pandas.pydata.org pytorch.org
    guides.rubyonrails.org api.rubyonrails.org docs.ruby-lang.org www.php.net laravel.com symfony.com
    docs.oracle.com docs.spring.io kotlinlang.org docs.gradle.org maven.apache.org hexdocs.pm www.postgresql.org
    dev.mysql.com www.sqlite.org redis.io kubernetes.io docs.docker.com docs.github.com docs.gitlab.com git-
    scm.com learn.microsoft.com docs.aws.amazon.com developer.apple.com developer.android.com
    developer.hashicorp.com man7.org www.rfc-editor.org www.w3.org docs.claude.com code.claude.com"""
)
_PLAIN_URL = re.compile(r"https://[A-Za-z0-9.-]+(?::443)?(?:/[A-Za-z0-9._~!,()@/+%-]*)?(?:#[\w./-]*)?", re.ASCII)
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?\.){1,4}[a-z]{2,18}")
_DATA = re.compile(r"[A-Za-z0-9+%=_]{41,}|%(?:[013-9a-fA-F][0-9a-fA-F])|[^/#]{81,}")
LONGEST = 300
"""The most characters of an address that is plain."""


def address(text: str, table: Table = DEFAULT) -> Risk:
    """Return the risk of fetching TEXT. TABLE: what the person added; its `plain` may name hosts."""
    if len(text) > LONGEST:
        return careful("sends a long text in the address")
    if not text.startswith("https://"):
        return careful("fetches from elsewhere than a public page (https)")
    if "@" in text.split("/", 3)[2] or "\\" in text:
        return careful("has credentials or tricks in the address")
    if "?" in text:
        return careful("sends data in the address")
    if not _PLAIN_URL.fullmatch(text):
        return careful("has an address that cannot be read with certainty")
    parts = urlsplit(text)
    return _host(parts.hostname or "", f"{parts.path}#{parts.fragment}", table)


def _host(host: str, path: str, table: Table) -> Risk:
    if not _HOST.fullmatch(host) or "xn--" in host:
        return careful("fetches from a host that is not a plain public name")
    if host not in HOSTS and not table.allows(host):
        return careful("fetches from a host that is not known for its documentation")
    return careful("may send data in the address") if _DATA.search(path) else PLAIN
