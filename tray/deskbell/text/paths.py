"""Shorten the paths in a sentence that is too long, so that the words around them stay. Pure."""

import re

# A path of two folders or more, but no URL, and no word of the sentence around it.
_PATH = re.compile(r"(?<![\w/\\:~.])(?:~|[A-Za-z]:|…)?(?:[\\/][^\\/\s'\"`:;,()]+){2,}")
_FIRST = re.compile(r"^(?:~|[A-Za-z]:|…)?[\\/][^\\/]+")


def fitting(text: str, room: int) -> str:
    """Return TEXT with folders left out of its longest paths until it has ROOM characters, or no more can be left out.

    The end of a path says most, so its first folders are left out: "~/.local/state/x" becomes "…/state/x".
    """
    while len(text) > room:
        paths = [found for found in _PATH.finditer(text) if len(_shorter(found[0])) < len(found[0])]
        if not paths:
            break
        longest = max(paths, key=lambda found: len(found[0]))
        text = text[: longest.start()] + _shorter(longest[0]) + text[longest.end() :]
    return text


def _shorter(path: str) -> str:
    return _FIRST.sub("…", path, count=1)
