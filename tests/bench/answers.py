"""Measure answers with the real client: from a click to the tool, and from a key to the end of the offer."""

from tests.bench.table import Table
from tests.client import fetch
from tests.client.answering import Answering
from tests.client.api import Api
from tests.client.claude import account
from tests.client.delays import HEADS, rows

ROUNDS = 40


def run() -> Table:
    if reason := fetch.missing():
        return Table(f"answers: not measured, {reason}", HEADS, ())
    with Api() as api, account(fetch.client(), api.url) as claude:
        person = Answering(claude)
        person.install()
        with person.running():
            tui = claude.start()
            found = rows(person, tui, claude.project("proj") / "made.txt", ROUNDS)
    return Table(f"answers: {ROUNDS} requests each, Claude Code {fetch.version()}", HEADS, tuple(found))
