"""Draw a prompt as Claude Code does, and write down every prompt that is submitted: a client for the tests.

Run by file, with a folder. What arrives stands in FOLDER/prompts as JSON lines, its number in FOLDER/pid. FOLDER/draws
holds what else it draws in place of the prompt: "dialog", or "dialog after a paste". With a second word, the id of a
session, it says of each prompt what the hook would: FOLDER/deskbell/state/events/ID.jsonl.
"""

import json
import os
import re
import sys
import time
import tty
from pathlib import Path

FOLDER = Path(sys.argv[1])
JOURNAL = FOLDER / "deskbell" / "state" / "events" / f"{sys.argv[2]}.jsonl" if len(sys.argv) > 2 else None
COLUMNS = 40
SIGN = "❯\u00a0"
PASTE = re.compile(rb"\x1b\[200~(.*?)\x1b\[201~", re.DOTALL)


def draws() -> str:
    file = FOLDER / "draws"
    return file.read_text() if file.exists() else ""


def draw(text: str, pasted: bool) -> None:
    rule = "─" * COLUMNS
    if draws() == "dialog" or (pasted and draws() == "dialog after a paste"):
        shown, cursor = [rule, " Do you want to proceed?", " ❯ 1. Yes", "   2. No"], (2, 3)
    else:
        lines = text.split("\n") if len(text) < 500 else ["[Pasted text #1]"]
        rows = [f"{'  ' if at else SIGN}{line}" for at, line in enumerate(lines)]
        shown = [rule, *rows, rule, "  ? for shortcuts"]
        cursor = (len(lines), len(lines[-1]) + 2)
    screen = "\r\n".join(["a client", *shown])
    print(f"\x1b[2J\x1b[H{screen}\x1b[{cursor[0] + 2};{cursor[1] + 1}H", end="", flush=True)


def submit(text: str) -> None:
    with (FOLDER / "prompts").open("a", encoding="utf-8") as file:
        file.write(json.dumps(text) + "\n")
    if JOURNAL:
        line = {"v": 1, "event": "UserPromptSubmit", "at": time.time(), "facts": {"prompt": text}}
        with JOURNAL.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def main() -> None:
    tty.setraw(0)
    print("\x1b[?2004h", end="", flush=True)
    if JOURNAL:
        JOURNAL.parent.mkdir(parents=True, exist_ok=True)
        JOURNAL.touch()
    text, said = "", b""
    draw("", False)
    (FOLDER / "pid.new").write_text(str(os.getpid()))
    (FOLDER / "pid.new").replace(FOLDER / "pid")
    while data := os.read(0, 65_536):
        said += data
        if said.count(b"\x1b[200~") > said.count(b"\x1b[201~"):
            continue  # the end of the paste is still to come
        pasted = b"\x1b[200~" in said
        said = PASTE.sub(lambda found: found[1].replace(b"\r", b"\n"), said)
        if said == b"\r" and draws() == "":
            submit(text)
            text = ""
        elif draws() != "dialog":
            text += said.decode()
        said = b""
        draw(text, pasted)


if __name__ == "__main__":
    main()
