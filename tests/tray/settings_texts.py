"""Provide settings files as people and tools leave them: a corpus on disk, and a generator of any number more."""

import json
import random
from collections.abc import Callable
from pathlib import Path

from deskbell.settings.registration import Hook, wanted

CORPUS = sorted((Path(__file__).parents[1] / "fixtures" / "settings").glob("*.json"))

HOOK = Hook(
    "/usr/bin/python3", "/home/zoë/it's here/hooks/1/deskbell_hooks/__main__.py", "/home/zoë/.local/state/deskbell"
)
WANTED = wanted(HOOK, (2, 1, 326))
ASKING = wanted(HOOK, (2, 1, 326), answers=True)
"""With the asker."""
OLDER = wanted(Hook("/opt/gone/python", "/old/deskbell_hooks/__main__.py", "/old/state"), (2, 1, 0))

WORDS = [
    "model",
    "env",
    "permissions",
    "größe",
    "日本",
    "a b",
    "",
    "hook",
    "hooks_",
    "deskbell",
    "__proto__",
    'say "hi"',
    "\\",
    "\t",
]
NUMBERS = ["0", "-0", "1.0", "1e9", "1E+2", "0.10", "-12.5e-3", "123456789012345678901234567890", "60000"]
EVENTS = [
    "Stop",
    "PermissionRequest",
    "PreToolUse",
    "Notification",
    "SessionStart",
    "SessionEnd",
    "WorktreeCreate",
    "FutureEvent",
]
COMMANDS = [
    "bash ~/.claude/hooks/chime.sh",
    "echo deskbell_hooks/__main__.py record",
    "notify-send 'Claude' \"done\"",
    "jq -r '.tool_input' | { read f; true; }",
    "printf '\\u0041'",
    "",
]


class Generator:
    """Generate texts, each in its own style: indented, ragged or minified, with every spelling that JSON allows."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self) -> str:
        self.newline = self.random.choice(["\n", "\n", "\r\n", "\r"])
        self.unit = self.random.choice(["  ", "    ", "\t", " ", ""])
        self.space = self.random.choice([self._tidy, self._tidy, self._none, self._one, self._ragged])
        self.colon = self.random.choice([": ", ":", " : "])
        bom = self.random.choice(["", "", "", "\ufeff"])
        if self.random.random() < 0.02:
            return bom + self.random.choice(["", "\n", " \r\n", "\t"])
        return bom + self._lead() + self._settings() + self._lead()

    def _lead(self) -> str:
        return self.random.choice(["", self.newline, self.newline, " ", self.newline * 2])

    def _settings(self) -> str:
        members = [(self._word(), self._value(1)) for _ in range(self.random.randint(0, 4))]
        for _ in range(self.random.choice([0, 1, 1, 1, 2])):
            members.insert(self.random.randint(0, len(members)), (self._spelled("hooks"), self._hooks()))
        return self._object(members, 0)

    def _hooks(self) -> str:
        names = [self.random.choice(EVENTS) for _ in range(self.random.choice([0, 1, 2, 5]))]
        return self._object([(self._spelled(name), self._groups()) for name in names], 1)

    def _groups(self) -> str:
        group = self._group()
        groups = [self.random.choice([group, self._group()]) for _ in range(self.random.choice([0, 1, 2, 3]))]
        return self._array(groups, 2)

    def _group(self) -> str:
        handlers = [self._handler() for _ in range(self.random.choice([0, 1, 1, 2]))]
        members = [(self._spelled("hooks"), self._array(handlers, 4))]
        if self.random.random() < 0.5:
            members.insert(
                self.random.randint(0, 1), ('"matcher"', self.random.choice(['""', '"Bash"', '"*"', '"Edit|Write"']))
            )
        return self._object(members, 3)

    def _handler(self) -> str:
        kind = self.random.random()
        if kind < 0.7:
            members = [('"type"', '"command"'), ('"command"', self._spelled(self.random.choice(COMMANDS)))]
        elif kind < 0.8:
            members = [('"type"', '"http"'), ('"url"', '"http://127.0.0.1:1/"'), ('"headers"', self._value(6))]
        elif kind < 0.9:
            members = [('"type"', '"command"'), ('"command"', '"/usr/bin/python3"'), ('"args"', '["-I", "-S", "x.py"]')]
        else:
            return self._value(5)
        if self.random.random() < 0.3:
            members.append(('"timeout"', self.random.choice(NUMBERS)))
        return self._object(members, 5)

    def _value(self, depth: int) -> str:
        kind = self.random.random()
        if depth < 7 and kind < 0.15:
            return self._object(
                [(self._word(), self._value(depth + 1)) for _ in range(self.random.randint(0, 3))], depth
            )
        if depth < 7 and kind < 0.3:
            return self._array([self._value(depth + 1) for _ in range(self.random.randint(0, 3))], depth)
        if kind < 0.5:
            return self.random.choice(NUMBERS)
        return self._word() if kind < 0.8 else self.random.choice(["true", "false", "null"])

    def _word(self) -> str:
        return self._spelled(self.random.choice(WORDS))

    def _spelled(self, word: str) -> str:
        """Spell the same string in one of its many ways."""
        spelled = json.dumps(word, ensure_ascii=self.random.random() < 0.3)
        if word.isalnum() and word.isascii() and self.random.random() < 0.1:
            return f'"\\u{ord(word[0]):04X}{spelled[2:]}'
        return spelled.replace("/", "\\/") if self.random.random() < 0.1 else spelled

    def _object(self, members: list[tuple[str, str]], depth: int) -> str:
        return self._container("{}", [key + self.colon + value for key, value in members], depth)

    def _array(self, items: list[str], depth: int) -> str:
        return self._container("[]", items, depth)

    def _container(self, brackets: str, items: list[str], depth: int) -> str:
        if not items:
            return brackets[0] + self.random.choice(["", "", self.space(depth), "\t"]) + brackets[1]
        gap: Callable[[int], str] = self.space
        comma = self.random.choice([",", ",", " ,"]) if self.space == self._ragged else ","
        inner = gap(depth + 1) + (comma + "\0").join(items) + gap(depth)
        while "\0" in inner:
            inner = inner.replace("\0", gap(depth + 1), 1)
        return brackets[0] + inner + brackets[1]

    def _tidy(self, depth: int) -> str:
        return self.newline + self.unit * depth

    def _none(self, depth: int) -> str:
        return ""

    def _one(self, depth: int) -> str:
        return " "

    def _ragged(self, depth: int) -> str:
        return "".join(
            self.random.choice(["", " ", "  ", "\t", self.newline, "   "]) for _ in range(self.random.randint(0, 3))
        )
