"""Reply to a session whose turn is over: type a text into its prompt, and find out whether it arrived.

Imported for a reply only. `reply` blocks for a few seconds at most: call it in a thread.
"""

import logging
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from deskbell.answers.prompt import holds, typed_text
from deskbell.answers.reply import arrived, ready
from deskbell.desktop.jump import client
from deskbell.desktop.reply import carrier
from deskbell.desktop.reply.carrier import BY_HAND, Carrier, Screen
from deskbell.errors import Misuse, Problem, reason
from deskbell.files.read import read
from deskbell.history import journal
from deskbell.home import Home
from deskbell.notices.decisions import Decision, Outcome, write
from deskbell.notices.policyfile import parse, text
from deskbell.session import Session
from deskbell.sessions.registry import LARGEST, Entry, entry_of
from deskbell.text.wording import headline, short, short_id

HEARD_WITHIN = 2.0
"""Seconds that the client has to report, through its hook, that a prompt was submitted."""
SHOWS_WITHIN = 1.0
"""Seconds that the client has to draw what was pasted."""
LOOK = 0.02
"""Seconds between two looks at the screen or the journal."""
FRESH = 0.1
"""The most seconds from the last look to Enter. A dialog ignores keys for its first 0.19 s, so Enter answers none."""
UNKNOWN = "It is unknown whether the text was delivered, because Deskbell failed:"
TRIES = 5
"""How often the right text is seen too late for Enter before the reply is given up."""
_FIRST = re.compile(r"(A|Another|It|Its|No|Nothing|Something|The|This)\b")
"""First words of a sentence that are not names, so they may begin with a small letter."""

log = logging.getLogger(__name__)

Copy = Callable[[str], str]
"""Puts a text on the clipboard. Returns why it may not have arrived. Raises Problem if it has not."""


@dataclass(frozen=True, slots=True)
class Replied:
    """What came of a reply."""

    delivered: bool
    sentence: str
    what: str = ""
    """The place that it was typed into; empty where none was found."""
    seconds: float | None = None
    """From Enter to the prompt of the session."""
    kept: bool = False
    """Whether the text is on the clipboard."""


def refuse_off(home: Home) -> None:
    """Raise Problem if the settings of this moment do not allow replies."""
    path = home.config / "config.toml"
    if not parse(text(path) or "", path).answers.reply:
        raise Problem("Replies are switched off.", "Switch them on: `deskbell answers on reply`.")


def reply(session: Session, said: str, home: Home, copy: Copy | None = None, turn: float | None = None) -> Replied:
    """Type what was SAID into the prompt of SESSION, and keep a receipt. A text that is not delivered goes to COPY.

    TURN: when the turn began that the person has seen the end of; None if that is not known. Raise Misuse for an empty
    text.
    """
    name = short(session.project or session.name, 60)
    try:
        pasted = ready(said)
        refuse_late(session, turn)
        came = _typed(session, pasted, home)
    except Misuse:
        raise
    except Problem as problem:
        _note(session, "not replied", _small(problem.what), home)
        return _kept(Replied(False, f"Not delivered: {_small(str(problem))}"), said, copy)
    except Exception as error:  # the text is kept, whatever raises
        log.error("an error in a reply: %s", reason(error), exc_info=error)
        _note(session, "not replied", f"unknown: an error in Deskbell: {type(error).__name__}", home)
        return _kept(Replied(False, f"{UNKNOWN} {reason(error).rstrip('.')}. Look at its terminal."), said, copy)
    took = f"{came.seconds or 0:.1f} s"
    _note(session, "replied", f"{len(pasted)} characters through {came.what}, submitted after {took}", home)
    return replace(came, sentence=f"Sent to {name} in {came.what}.")


def refuse(session: Session) -> None:
    """Raise Problem for a session whose turn is not over."""
    if session.over:
        raise Problem("The session has ended.", _resume(session))
    if session.blocked:
        raise Problem(f"The session waits for an answer, and not for a prompt: it {headline(session)}.", BY_HAND)
    if not session.takes_prompt:
        raise Problem(f"The session is at work: {headline(session)}.", "Wait until its turn is over.")
    if session.suspended:
        raise Problem("The session is suspended.", "Type fg in its terminal.")


def refuse_late(session: Session, turn: float | None) -> None:
    """Raise Problem if SESSION has had another turn since the one that began at TURN."""
    if turn is not None and session.turn_started not in (None, turn):
        raise Problem("The session has had another turn since.", "Read what came of it, then reply again.")


def _resume(session: Session) -> str:
    return f"Run `deskbell resume {short_id(session.session_id)}` to go on with it."


def _typed(session: Session, pasted: str, home: Home) -> Replied:
    refuse(session)
    there = client(session)
    if there is None or session.pid is None:
        raise Problem("It is not known which process on this machine runs the session.", BY_HAND)
    heard = journal.Reader(home.events / f"{session.session_id}.jsonl")
    if not heard.path.exists():
        raise Problem("No hook reports this session, so Deskbell could not tell whether the text arrives.", BY_HAND)
    idle = _idle(session)
    way = carrier(there)

    def still() -> None:
        if client(session) is None or _idle(session) != idle:
            raise Problem("Its turn has begun again meanwhile.", "Try again once it is over.")

    heard.skip()
    put(way, pasted, still)
    begun = time.monotonic()
    if not _heard(heard, pasted, begun + HEARD_WITHIN):
        raise Problem(f"No prompt followed within {HEARD_WITHIN:g} s. Look at {way.what}.")
    took = time.monotonic() - begun
    return Replied(True, "", way.what, took)


def _idle(session: Session) -> float:
    """Return since when the client says that it is idle. Raise Problem if it says anything else."""
    entry = _entry(session)
    if entry is None or entry.session_id != session.session_id or entry.status is None:
        raise Problem("Claude Code does not report whether it is idle.", BY_HAND)
    if session.pid_start and entry.pid_start and entry.pid_start != session.pid_start:
        raise Problem("Its client has ended.", _resume(session))
    if entry.status != "idle":
        doing = "waits for an answer" if entry.status == "waiting" else "is at work"
        raise Problem(f"Its client {doing}.", "Try again once its turn is over.")
    return entry.status_since


def _entry(session: Session) -> Entry | None:
    if not session.config_dir or session.pid is None:
        return None
    path = Path(session.config_dir, "sessions", f"{session.pid}.json")
    try:
        return entry_of(read(path, LARGEST), session.pid, session.config_dir)
    except (OSError, ValueError):
        return None


def put(way: Carrier, pasted: str, still: Callable[[], None]) -> None:
    """Paste PASTED into an empty prompt, and press Enter once the prompt shows it and nothing else.

    STILL raises Problem if the turn of the session has begun again.
    """
    seen = way.look()
    match typed_text(seen.lines, seen.cursor):
        case None:
            raise Problem("Its prompt is not on the screen: a dialog or a list may be open.", BY_HAND)
        case typed if typed:
            raise Problem("Something is typed in its prompt already.", BY_HAND)
    still()
    way.paste(pasted, seen)
    end = time.monotonic() + SHOWS_WITHIN
    tries = 0
    while tries < TRIES:
        begun = time.monotonic()
        now = way.look()
        if _shows(now, pasted):
            still()
            tries += 1
            if time.monotonic() - begun < FRESH:
                return way.enter(now)
        elif begun > end:
            raise Problem(
                "Its prompt does not show the text alone. Enter was not pressed, and the text may be there.", BY_HAND
            )
        time.sleep(LOOK)
    raise Problem("This machine is too busy to press Enter in time. The text is in the prompt.", BY_HAND)


def _shows(seen: Screen, pasted: str) -> bool:
    typed = typed_text(seen.lines, seen.cursor)
    return bool(typed) and holds(typed or "", pasted)


def _heard(heard: journal.Reader, pasted: str, end: float) -> bool:
    """Return whether the journal gets the prompt PASTED before END. The person may submit another one first."""
    while True:
        for line in heard:
            event = journal.parsed(line)
            if event and event["event"] == "UserPromptSubmit" and arrived(pasted, journal.fact(event, "prompt")):
                return True
        if time.monotonic() > end:
            return False
        time.sleep(LOOK)


def _kept(came: Replied, said: str, copy: Copy | None) -> Replied:
    """Put the text that was not delivered on the clipboard, and add that to the sentence."""
    if copy is None:
        return came
    try:
        unsure = copy(said)
    except Problem as problem:
        return replace(
            came, sentence=f"{came.sentence} The text is not on the clipboard either: {_small(str(problem))}"
        )
    return replace(came, sentence=f"{came.sentence} The text is on the clipboard. {unsure}".rstrip(), kept=True)


def _small(sentence: str) -> str:
    """Return SENTENCE with a small first letter, as after a colon, unless it may begin with a name."""
    return sentence[:1].lower() + sentence[1:] if _FIRST.match(sentence) else sentence


def _note(session: Session, verdict: Outcome, why: str, home: Home) -> None:
    """Write a receipt, without the text. A full disk must not prevent a reply."""
    about = (session.session_id, session.pid, session.project, session.status)
    with suppress(OSError):
        write(home.state, [Decision(time.time(), *about, verdict, why)])
