"""Say whether a git command shows more of what git keeps than anybody named: files that were deleted long ago. Pure."""

import re
from collections.abc import Sequence

from deskbell.answers.risk.credentials import is_secret

ALL = "shows everything that git keeps"
BY_HASH = "shows an object that only its hash names, which may be any file or all of them"

_PATCH = re.compile(
    r"-(?:p|u|c|m|W|U\d*|[a-zA-Z]*p)|--(?:patch|cc|unified|function-context|word-diff|color-words|binary|full-index)(?:=.*)?"
)
_COUNT = re.compile(r"(?<!\S)(?:-n ?|--max-count[= ]|-(?=\d))(\S+)")
_FEW = re.compile(r"\d{1,2}")
_RANGE = re.compile(r"(?![./]*$)(?!\.\.?/)[\w@^~{}/-]*\.{2,3}[\w@^~{}/-]*")
_FILE = re.compile(r"(?!.*\.\.)(?!v?\d+\.)[^:*?\[]*\.[A-Za-z]\w*")
_FOLDER = re.compile(r"[./:]*|.*/|:.*")
_SUMMARY = re.compile(
    r"--(?:stat|shortstat|numstat|name-only|name-status|summary|dirstat|quiet|check|no-patch|raw)(?:=.*)?|-s"
)
_HASH = re.compile(r"[0-9a-f]{4,64}(?:[\^~:]\S*)?")


def shows_all(key: str, words: Sequence[str]) -> str | None:
    """Return the reason if the git command KEY with the arguments WORDS shows all of a history or of a tree."""
    end = words.index("--") if "--" in words else len(words)
    if key.startswith("git ") and any(map(is_secret, words[end + 1 :])):
        return "reads what may be credentials"
    options = [word for word in words if word.startswith("-")]
    if key == "git log":
        patch = any(map(_PATCH.fullmatch, options))
        return ALL if patch and not _is_limited(words) else None
    if key in ("git diff", "git diff-tree"):
        patch = key == "git diff" or any(map(_PATCH.fullmatch, options))
        summary = any(map(_SUMMARY.fullmatch, options)) and not any(map(_PATCH.fullmatch, options))
        return BY_HASH if patch and not summary and not _names_a_file(words) and _has_hash(words) else None
    if key == "git cat-file":
        return BY_HASH if _has_hash(words) and not {"-t", "-s", "-e"} & set(words) else None
    return None


def _is_limited(words: Sequence[str]) -> bool:
    """Return whether WORDS name few commits, a range of them, or files."""
    line = " ".join(words)
    counts = [found[1] for found in _COUNT.finditer(line)]
    few = bool(counts) and all(_FEW.fullmatch(count) for count in counts)
    return few or any(map(_RANGE.fullmatch, words)) or _names_a_file(words)


def _names_a_file(words: Sequence[str]) -> bool:
    """Return whether the paths among WORDS are files. Without `--`, a path and a commit look alike."""
    end = words.index("--") if "--" in words else len(words)
    if paths := words[end + 1 :]:
        return all(map(_FILE.fullmatch, paths))
    operands = [word for word in words[:end] if not word.startswith("-")]
    return any(map(_FILE.fullmatch, operands)) and not any(map(_FOLDER.fullmatch, operands))


def _has_hash(words: Sequence[str]) -> bool:
    names = [name for word in words if not word.startswith("-") for name in re.split(r"\.{2,3}", word)]
    return any(_HASH.fullmatch(name) and ":" not in name for name in names)
