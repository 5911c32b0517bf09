"""Say whether a search through many files finds only what its pattern names, or may show anything. Pure."""

import re

_CREDENTIALS = re.compile(
    r"secret|passw|passphrase|pwd|token|credential|(?:api|access|auth|private|signing|encryption|account|service).?key"
    r"|private|bearer|authorization|connection.?string|AKIA|ASIA|gh[pousr]_|github_pat|glpat|xox[abpr]|sk[-_]|eyJ|AIza"
    r"|aws_|ssh-|://|database_ur[il]|redis_ur[il]|mongo\w*_ur[il]",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?<![A-Za-z_])(?:validate|verify|parse|handle|get|create|generate|decode|encode|hash|check|reset|use|next|render|revoke"
    r"|load|refresh|compare|change|update|forgot)(?:_[a-z]\w*|[A-Z]\w*)"
)
"""Names of functions. A line with `validateToken` is code, and holds no token."""
_ONE_WORD = re.compile(r"(?:^|\|)\W*b?(?:keys?|auth|env|creds?|cert|dsn)\W*(?:b\W*)?(?:$|\|)", re.IGNORECASE)
"""A whole pattern, or a whole alternative, that is the name of many credentials."""
_LOUD = re.compile(r"BEGIN|(?<![a-z])(?:KEY|PASS|DSN|AUTH|CREDS)(?![a-z])|_(?:KEY|URL|URI)(?![A-Za-z])")
"""Names of variables in files of credentials, in capitals."""

LONGEST = 300
"""The most characters of a pattern that is read."""
_ESCAPED = re.compile(r"\\(?:[xu]\{?[0-9A-Fa-f]*\}?|[pP]\{[^}]*\}|.)", re.DOTALL)
_BRACKETS = re.compile(r"\[\^?\]?[^\]]*\]")
_MAYBE = re.compile(r"(?:\w|\([^()]*\))(?:[*?]|\{[0,][^}]*\})")
_NAMED = re.compile(r"\w{3,}")


def seeks_credentials(pattern: str) -> bool:
    """Return whether PATTERN looks like a search for credentials."""
    if len(pattern) > LONGEST:
        return True
    pattern = _ABOUT.sub("", pattern)
    bare = re.sub(r"[\\\[\]()?*+.^$'\"]", "", pattern)
    kinds = (_CREDENTIALS, _LOUD, _ONE_WORD)
    return any(kind.search(one) for kind in kinds for one in (pattern, bare))


def is_specific(pattern: str) -> bool:
    """Return whether every line that PATTERN finds has three letters or digits in a row that PATTERN names.

    Each of its alternatives must name them, outside of brackets and not as what may be missing. `(?!x)` says what is
    not there, and other groups with `?` do as much.
    """
    if "(?" in pattern or len(pattern) > LONGEST:
        return False
    return all(named(pattern))


def named(pattern: str) -> list[list[str]]:
    """Return for each alternative of PATTERN the texts, in small letters, that every line that it finds must hold."""
    return [_NAMED.findall(_certain(part).casefold()) for part in re.split(r"\\?\|", pattern)]


def _certain(part: str) -> str:
    for form in (_ESCAPED, _BRACKETS, _MAYBE):
        part = form.sub(" ", part)
    return part
