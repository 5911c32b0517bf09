"""Put programs on the PATH that write down how they were called, and answer what a test says."""

import json
import os
from pathlib import Path

import pytest

PROGRAM = """#!/bin/sh
name=$(basename "$0")
for word in "$@"; do printf '%s\\0' "$word" >> "{folder}/$name.calls"; done
printf '\\n\\0' >> "{folder}/$name.calls"
case "$*" in
{answers}
*) cat "{folder}/$name.answer" 2>/dev/null ;;
esac
exit 0
"""


class Programs:
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def put(self, name: str, answer: object = "", **answers: object) -> None:
        """Answer with ANSWERS where a call contains their name, else with ANSWER; what is no text is JSON."""
        cases = []
        for word, one in answers.items():
            file = self.folder / f"{name}.{word}"
            file.write_text(one if isinstance(one, str) else json.dumps(one))
            cases.append(f'*{word.replace("_", "-")}*) cat "{file}" ;;')
        (self.folder / f"{name}.answer").write_text(answer if isinstance(answer, str) else json.dumps(answer))
        program = self.folder / name
        program.write_text(PROGRAM.format(folder=self.folder, answers="\n".join(cases)))
        program.chmod(0o755)

    def calls(self, name: str) -> list[list[str]]:
        file = self.folder / f"{name}.calls"
        text = file.read_text() if file.exists() else ""
        return [call.split("\0")[:-1] for call in text.split("\n\0")[:-1]]
