"""Find the guarded places that a text names. Pure.

What writes to a guarded place is allowed in the terminal only. A place is found however it is written: quoted, escaped,
in other letters, with parts that the shell removes, or as a pattern.
"""

import re
import unicodedata
from fnmatch import fnmatchcase

from deskbell.answers.risk.words import Word

_START = """bashrc bash_profile bash_login bash_logout bash_aliases bash_functions profile zshrc zshenv zprofile zlogin
    zlogout kshrc mkshrc cshrc tcshrc login logout inputrc xprofile xinitrc xsession xsessionrc xserverrc
    pam_environment xonshrc oh-my-zsh zsh"""
_START_FOLDERS = """fish zsh bash nushell environment\\.d systemd autostart plasma-workspace powershell xonsh elvish"""
_ETC = """profile bash\\.bashrc bashrc zsh zshrc zshenv zprofile zlogin environment fish systemd xdg/autostart
rc\\.local
    init\\.d ld\\.so\\.preload inputrc"""


def _any(names: str) -> str:
    return "|".join(names.split())


# Reason -> what names the place. It is matched against text in small letters, with / for every separator.
PLACES: dict[str, re.Pattern[str]] = {
    reason: re.compile(pattern)
    for reason, pattern in {
        "touches .git/": r"(?<!\w)\.git(?![\w-])|(?<!\w)git~\d|(?<!\w)--git-(?:common-)?dir(?!\w)|(?<!\w)--git-path"
        r"|git_(?:common_)?dir(?!\w)|core\.hookspath",
        "touches the settings of git": r"(?<!\w)\.git(?:config|modules)(?!\w)|\.config/git(?!\w)|/etc/gitconfig"
        r"|git_config(?!ure)",
        "touches .claude/": r"(?<!\w)\.claude(?![\w-])|(?<!\w)claude~\d|claude_config_dir|\.claude\.json"
        r"|/etc/claude-code|application support/claudecode|managed-(?:settings|mcp)",
        "touches .mcp.json": r"(?<!\w)\.mcp(?![\w-])|(?<!\w)mcp~\d",
        "touches ~/.ssh": r"(?<!\w)\.ssh(?![\w-])|(?<!\w)ssh~\d|(?<!\w)authorized_keys|/etc/ssh(?!\w)",
        "touches what your shell or your login starts": rf"(?<!\w)\.(?:{_any(_START)})(?![\w(-])"
        rf"|\.config/(?:{_any(_START_FOLDERS)})(?!\w)|(?<!\w)/etc/(?:{_any(_ETC)})(?!\w)|(?<!\w)zdotdir(?!\w)"
        r"|\.local/share/systemd|library/launch(?:agents|daemons)|programs/startup(?!\w)|_profile\.ps1|\$profile(?!\w)"
        r"|(?<![\w.-])profile\.ps1|(?<!\w)bash_env(?!\w)",
        "touches the settings of Deskbell": r"(?:\.config|\.local/state|\.local/share|application support|appdata/local"
        r"|appdata/roaming)/deskbell(?!\w)|deskbell_home",
    }.items()
}
NAMES = (".git", ".claude", ".claude.json", ".mcp.json", ".ssh", ".gitconfig", ".gitmodules", "authorized_keys",
         *(f".{name}" for name in _START.split()))  # fmt: skip
"""Names that a pattern of the shell must not match."""

_LEFT_OUT = re.compile(r"\$\w+|\$[@*#?$!-]|\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`")
_QUOTES = re.compile(r"['\"`^]|\\\n")
_UP = re.compile(r"(?<![^/\s'\"=:(])(?!\.\.?/)[^/\s'\"=:(]+/\.\./")
_LETTERS, _SIGNS = re.compile(r"[^\W\x00-\x7f]+"), re.compile(r"[^\w\x00-\x7f]+")
_HERE = re.compile(r"(?<=/)(?:\.?/)+")


def forms(text: str) -> set[str]:
    """Return every form, in small letters, that some shell or file system reads TEXT as."""
    small = _small(text)
    found = {small, _LEFT_OUT.sub("", small)}
    found |= {_QUOTES.sub("", one) for one in found}
    found |= {one.replace("\\", kind) for one in found for kind in ("", "/") if "\\" in one}
    return found | {_straight(one) for one in found if "/" in one}


def _small(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(c for c in text if c.isascii() or unicodedata.category(c) not in ("Cf", "Mn", "Co", "Cn"))
        text = _LETTERS.sub("ä", _SIGNS.sub("→", text))
    return text.casefold()


def _straight(text: str) -> str:
    """Return TEXT without the steps of a path that lead nowhere: `a/../`, `./` and `//`."""
    text = _HERE.sub("", text)
    for _ in range(8):
        text, changed = _UP.subn("", text)
        if not changed:
            break
    return text


def place(text: str) -> str | None:
    """Return the reason of the first place that TEXT names; None if it names none."""
    found = forms(text)
    return next((reason for reason, names in PLACES.items() if any(names.search(one) for one in found)), None)


def place_of(word: Word) -> str | None:
    """Return the reason of the place that WORD names or its pattern may match; None if there is none."""
    if found := place(word.text):
        return found
    if not (word.glob or word.missing):
        return None
    parts = [part for part in re.split("[/=]", word.pattern.casefold()) if set(part) - set("*?") and len(part) > 1]
    if any(matches(name, part, word.missing) for part in parts for name in NAMES):
        return "may touch a place such as .git/ or ~/.ssh"
    return None


def matches(name: str, pattern: str, missing: bool) -> bool:
    """Return whether PATTERN matches NAME. As in the shell, a `*` in front matches no hidden name."""
    pattern = re.sub(r"\*+", "*", pattern)
    if len(pattern) > 200:
        return False
    if pattern[:1] == "*" and (re.fullmatch(r"\*\.\w+", pattern) if missing else name[0] == "."):
        return False
    return fnmatchcase(name, pattern)
