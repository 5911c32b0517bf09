"""Judge an address that Claude wants to fetch: a public page, or a place that data may go to. Pure."""

import re
from urllib.parse import urlsplit

from deskbell.answers.risk.kind import PLAIN, Risk, careful

_PLAIN_URL = re.compile(r"https://[A-Za-z0-9.-]+(?::443)?(?:/[A-Za-z0-9._~!,()@/+%-]*)?(?:#[\w./-]*)?", re.ASCII)
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?\.){1,4}[a-z]{2,18}")
_INTERNAL = re.compile(
    r"(?:^|\.)(?:localhost|local|localdomain|internal|intranet|intra|corp|lan|home|private|priv|loc|test|invalid|example|onion|arpa"
    r"|svc|cluster|consul|docker|k8s|wpad|box|ts\.net|nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|vcap\.me"
    r"|traefik\.me|localhost\.direct|rbndr\.us|1u\.ms|lacolhost\.com|yoogle\.com|fuf\.me|local\.gd|bncapp\.net)$"
)
_CATCHERS = re.compile(
    r"(?:^|\.)(?:webhook\.site|requestbin\.\w+|requestcatcher\.com|pipedream\.net|ngrok(?:-free)?\.\w+|ngrok\.\w+|interact\.sh|oast\.\w+"
    r"|oastify\.com|burpcollaborator\.net|beeceptor\.com|hookbin\.com|pastebin\.com|transfer\.sh|file\.io|0x0\.st|dnslog\.cn"
    r"|trycloudflare\.com|serveo\.net|loca\.lt|canarytokens\.\w+|bit\.ly|tinyurl\.com|t\.co|is\.gd)$"
)
_DATA = re.compile(r"[A-Za-z0-9+%=_]{41,}|%(?:[013-9a-fA-F][0-9a-fA-F])")
LONGEST = 300
"""The most characters of an address that is plain."""


def address(text: str) -> Risk:
    """Return the risk of fetching TEXT: plain for the page of a named public host, without data in the address."""
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
    return _host(parts.hostname or "", parts.path)


def _host(host: str, path: str) -> Risk:
    if not _HOST.fullmatch(host) or "xn--" in host:
        return careful("fetches from a host that is not a plain public name")
    if _INTERNAL.search(host):
        return careful("fetches from inside your network")
    if _CATCHERS.search(host):
        return careful("fetches from a host that hands on or records what it is sent")
    if _DATA.search(path):
        return careful("may send data in the address")
    return PLAIN
