"""List the kinds of files that are fuzzed: how a good one is made, and what is done with a damaged one.

A use gets the folder, and the damaged file in it. It returns what it has read; None if it refused the file in one
sentence. It raises nothing.
"""

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st
from rich.console import Console

from deskbell.board import Board, board
from deskbell.face.facts import Facts
from deskbell.face.look import look
from deskbell.face.menu import menu
from deskbell.history.events import Events, Filter
from deskbell.history.journal import Reader
from deskbell.history.page import page
from deskbell.history.past import past
from deskbell.history.phrases import phrase
from deskbell.history.prune import Keep, prune
from deskbell.history.summarise import summarise
from deskbell.home import Home
from deskbell.notices import decisions, policyfile, quiet
from deskbell.notices.judge import Senses
from deskbell.notices.news import news
from deskbell.notices.policy import Policy
from deskbell.notices.wants import Memory
from deskbell.session import Session
from deskbell.sessions.contract import as_json
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.world import World
from deskbell.settings.hooks_text import compared, with_hooks, without_hooks
from deskbell.settings.jsonspans import Misshapen
from deskbell_hooks.record import LARGEST, read_record, record_event
from tests.fuzz import good
from tests.hooks.said import SESSION, e
from tests.tray.making import NOON, session
from tests.tray.settings_texts import WANTED
from tests.tray.test_hostile_files import CASES, outcome, placed

ENTRY = b'{"pid":7,"sessionId":"good","procStart":"1","status":"busy","cwd":"/home/x/api"}'


class Kind(NamedTuple):
    good: st.SearchStrategy[bytes]
    file: Callable[[Path], Path]
    """Where the file is, given the folder."""
    use: Callable[[Path], object]
    others: tuple[tuple[str, bytes], ...] = ()
    """Files beside it, which are never damaged."""


OF_CASES = {
    "config.toml": good.config,
    "quiet": good.quiet,
    "claude.json": good.claude_json,
    "claude.json for the program": good.claude_json,
    "settings": good.settings,
    "settings of an administrator": good.settings,
    "decisions": good.decisions,
    "crashes": good.crashes,
    "visits": good.visits,
    "screen": good.screen,
    "a letter": good.letter,
    "an entry of the registry": good.registry,
    "an entry of the registry for install": good.registry,
    "an entry of the registry for the doctor": good.registry,
    "a record": good.record.map(lambda data: data.replace(SESSION.encode(), b"a")),
    "a transcript": good.transcript,
    "a transcript of a subagent": good.transcript,
    "a transcript with a question": good.transcript,
    "a transcript of a session to resume": good.transcript,
    "the autostart entry of Linux": good.desktop_entry,
    "the autostart entry of a Mac": good.plist,
    "a copy of the settings": good.settings,
    "a module of the hook": good.module,
    "an interpreter": good.module,
    "a lock": good.module,
}
"""How good files are made for the readers that `tests/tray/test_hostile_files.py` lists."""


def at(path: str) -> Callable[[Path], Path]:
    return lambda folder: folder / path


def look_at_all(folder: Path) -> Sequence[Session]:
    """Do with the sessions everything that the program and the commands do."""
    told: list[str] = []
    crashes = CrashFile(folder)
    world = World(
        folder / "records",
        lambda: [folder / "claude"],
        told.append,
        alive=lambda pid, *_: pid != 9,
        suspended=lambda _: False,
        crashes=crashes.known,
        booted=lambda: NOON - 1e5,
    )
    found = world.read(NOON + 60)
    crashes.follow(found, NOON + 60)
    assert "good" in [one.session_id for one in found], "the others go on"
    assert all("\n" not in sentence and len(sentence) < 1000 for sentence in told)
    seen = board(found, NOON + 60)
    look(seen, Facts(), NOON + 60)
    menu(seen, Facts(), NOON + 60)
    json.dumps([as_json(one) for one in found])
    rung = news(Board(), seen, Policy(), NOON + 60, Memory(), Senses())
    news(seen, seen, Policy(), NOON + 600, rung.memory, Senses())
    return found


def tell_the_history(folder: Path) -> object:
    told: list[str] = []
    summary = summarise(Reader(folder / "events/s.jsonl").batches())
    Console(file=io.StringIO(), width=100).print(page("s", [], summary, NOON + 60))
    for event in Events(folder / "events", Filter(), lambda _: None).read():
        json.dumps([event.line, asdict(phrase(event.line))])
    list(past(folder / "records", folder / "events", told.append))
    prune(Home(folder, folder, folder), Keep(journal=1000), ["s"], NOON)
    return summary


def edit(folder: Path) -> object:
    """Put the hooks in and take them out again."""
    try:
        text = (folder / "settings.json").read_bytes().decode()
        installed = with_hooks(text, WANTED)
    except (UnicodeDecodeError, Misshapen):
        return None
    assert compared(installed, WANTED).as_wanted
    assert with_hooks(installed, WANTED) == installed
    return without_hooks(installed)


def follow_the_policy(folder: Path) -> object:
    read = policyfile.reread(folder / "config.toml", policyfile.Reading())
    read.policy.silence.hours_end(NOON)
    asked = board([session(status="permission")], NOON)
    return news(Board(), asked, read.policy, NOON, Memory(), Senses())


def keep_quiet(folder: Path) -> object:
    found = quiet.read(folder)
    return found.muted(session(), NOON), found.snooze(NOON), found.names("projects", NOON)


def explain(folder: Path) -> list[str]:
    said = [decisions.sentence(one) for one in decisions.read(folder, 100)]
    assert "\n" not in "".join(said)
    return said


def record(folder: Path) -> object:
    """Record an event of the session whose files are damaged."""
    record_event(str(folder), json.dumps(e("Stop")).encode())
    journal = (folder / f"events/{SESSION}.jsonl").read_bytes()
    assert json.loads(journal.splitlines()[-1])["event"] == "Stop"
    path = folder / f"sessions/{SESSION}.json"
    assert path.stat().st_size <= LARGEST
    kept = read_record(str(path), SESSION)
    assert kept is not None
    return kept


def record_what_was_sent(folder: Path) -> object:
    try:
        record_event(str(folder), (folder / "event").read_bytes())
    except ValueError:
        return None  # no JSON: `main` drops it
    return True


RECORD, JOURNAL = f"sessions/{SESSION}.json", f"events/{SESSION}.jsonl"
LINE = b'{"v":1,"event":"UserPromptSubmit","order":1,"at":1.0,"facts":{"prompt":"hello"}}\n'
MACHINE = (("claude/sessions/7.json", ENTRY),)
USES = {
    "a record that the program shows": Kind(good.record, at(f"records/{SESSION}.json"), look_at_all, MACHINE),
    "a registry that the program shows": Kind(good.registry, at("claude/sessions/8.json"), look_at_all, MACHINE),
    "a transcript that the program shows": Kind(
        good.transcript, at("claude/projects/-home-x-api/good.jsonl"), look_at_all, MACHINE
    ),
    "crashes that the program shows": Kind(good.crashes, at("crashes.json"), look_at_all, MACHINE),
    "a journal whose history is told": Kind(good.journal, at("events/s.jsonl"), tell_the_history),
    "settings that are edited": Kind(good.settings, at("settings.json"), edit),
    "a policy that is followed": Kind(good.config, at("config.toml"), follow_the_policy),
    "mutes that are kept": Kind(good.quiet, at("quiet.json"), keep_quiet),
    "decisions that are explained": Kind(good.decisions, at("decisions.jsonl"), explain),
    "a record that the hook goes on with": Kind(good.record, at(RECORD), record, ((JOURNAL, LINE),)),
    "a journal that the hook goes on with": Kind(good.journal, at(JOURNAL), record, ((RECORD, b""),)),
    "an event that the hook is given": Kind(good.event, at("event"), record_what_was_sent),
}
KINDS = USES | {
    name: Kind(OF_CASES[name], partial(placed, case=case), partial(outcome, case=case))
    for name, case in CASES.items()
    if name in OF_CASES
}
