"""Say what may be chosen for a request, and what a choice leads to: the next step, or the answer for the client. Pure.

Notification, menu, board and command line show these choices and no others. What is asked can be allowed, approved or
answered with an option only if all of it can be shown, and, for a tool, if its risk permits that outside the terminal.
Otherwise only denials and own words are offered.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from deskbell.answers.request import Question, Request
from deskbell.answers.shown import CHOSEN, Shown, are_distinct, have_distinct_texts, of_question
from deskbell.answers.suggested import in_words
from deskbell.asking import Asking, Choice

if TYPE_CHECKING:  # the table of risks is loaded for the first request: most people have answers switched off
    from deskbell.answers.risk import Risk

DENIED = "The user denied this request outside the terminal, without further words."
KEEP_PLANNING = "The user wants you to keep planning. They did not say what to change."
LONGEST = 4000
"""Characters of a text that the person types."""

ALLOW, SURE, DENY, STOP, SAY = "allow", "allow-sure", "deny", "stop", "say"
APPROVE, APPROVE_EDITS, KEEP = "approve", "approve-edits", "keep"
NEXT = "next"

Output = dict[str, Any]
"""What the asker prints for the client."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides which choices one request has."""

    risk: "Risk"
    shown: Shown
    """All of the input in lines, or why no screen would show it. A question has its own for each step."""
    lasting: bool = False
    """Whether the person may add a rule that the client suggests."""
    away: bool = False
    """Whether the choice comes from somebody who is not at this machine."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The steps taken so far."""

    sure: str = ""
    """The choice that has to be confirmed; empty if there is none."""
    answers: tuple[tuple[str, str], ...] = ()
    """Each answered question with its answer."""
    picked: tuple[str, ...] = ()
    """The options chosen so far of a question that takes several."""


NOTHING_YET = Progress()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer that a choice has led to."""

    output: Output
    said: str
    """What it does, as the words of a receipt: "allowed"."""
    allows: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a choice was not carried out."""

    why: str
    """A whole sentence."""


SUBJECTS = ("command", "file_path", "notebook_path", "url", "query", "pattern")
"""The fields of a tool's input that say what a call is about, the first that it has."""
NO_SUCH_CHOICE = Refusal("That is not among the choices of this request.")


def asking(request: Request, progress: Progress, rules: Rules) -> Asking:
    """Return what to show of REQUEST now. Whoever shows it leaves out the choices that take text if nobody can type."""
    return Asking(
        request.code,
        _detail(request, progress),
        _shown(request, progress, rules).lines,
        tuple(_choices(request, progress, rules)),
        _why_not(request, progress, rules),
        away=None if rules.away else asking(request, progress, replace(rules, away=True)),
    )


def _shown(request: Request, progress: Progress, rules: Rules) -> Shown:
    if request.kind != "question":
        return rules.shown
    asked = question(request, progress)
    return of_question(asked) if asked else Shown(())


def pressed(
    request: Request, progress: Progress, choice: str, text: str | None, rules: Rules
) -> Progress | Answer | Refusal:
    """Return what CHOICE leads to. TEXT is what the person typed. Only `say` needs it; a denial takes it, too."""
    if choice not in {one.id for one in _choices(request, progress, rules)}:
        return NO_SUCH_CHOICE
    if choice == SAY or (text and choice in (DENY, KEEP)):
        return _said(request, progress, (text or "").strip())
    if asked := question(request, progress):
        return _picked(request, progress, asked, choice)
    if choice == DENY:
        return _denial(DENIED)
    if choice == KEEP:
        return _denial(KEEP_PLANNING, "sent back to planning")
    if choice == STOP:
        return Answer(_output(behavior="deny", interrupt=True), "denied and stopped", allows=False)
    if request.kind == "plan":
        return _approval(request, choice)
    if choice == SURE:
        return _allowed(request, progress.sure)
    if choice == ALLOW and rules.risk.verdict == "plain":
        return _allowed(request, ALLOW)
    return replace(progress, sure=choice)


def question(request: Request, progress: Progress) -> Question | None:
    """Return the first question without an answer; None if all are answered."""
    answered = {text for text, _ in progress.answers}
    return next((one for one in request.questions if one.text not in answered), None)


def _choices(request: Request, progress: Progress, rules: Rules) -> Iterator[Choice]:
    if request.kind == "question":
        if not rules.away or _takes_one_step(request):
            yield from _options(request, progress)
        yield Choice(SAY, "Answer in your own words", takes_text=True)
    elif request.kind == "plan":
        yield from _of_plan(rules)
    else:
        yield from _of_permission(request, progress, rules)


def _options(request: Request, progress: Progress) -> Iterator[Choice]:
    asked = question(request, progress)
    if asked is None or _why_not_choose(request, asked):
        return
    for at, (label, about) in enumerate(zip(asked.options, asked.abouts, strict=True)):
        chosen = CHOSEN if label in progress.picked else ""
        yield Choice(f"option:{at}", f"{chosen}{label}", allows=True, about=about)
    if asked.several and progress.picked:
        yield Choice(NEXT, f"Send {len(progress.picked)} chosen", allows=True)


def _takes_one_step(request: Request) -> bool:
    """Return whether one choice answers all of REQUEST: a phone shows only the first step."""
    return len(request.questions) == 1 and not request.questions[0].several


def _of_plan(rules: Rules) -> Iterator[Choice]:
    if rules.shown.lines and not rules.away:
        yield Choice(APPROVE, "Approve", allows=True)
        yield Choice(APPROVE_EDITS, "Approve, edits accepted", allows=True)
    yield Choice(KEEP, "Keep planning")
    yield Choice(SAY, "Say what to change", takes_text=True)


def _of_permission(request: Request, progress: Progress, rules: Rules) -> Iterator[Choice]:
    if _may_allow(rules) and progress.sure and not rules.away:
        yield Choice(SURE, "Yes, allow it", allows=True)
    elif _may_allow(rules):
        yield Choice(ALLOW, "Allow" if rules.risk.verdict == "plain" else "Allow…", allows=True)
        if rules.lasting and not rules.away:
            said = [(at, in_words(rule)) for at, rule in enumerate(request.rules)]
            yield from (Choice(f"rule:{at}", label, allows=True) for at, label in said if label)
    yield Choice(DENY, "Deny")
    yield Choice(SAY, "Tell Claude what to do instead", takes_text=True)
    yield Choice(STOP, "Deny and stop")


def _may_allow(rules: Rules) -> bool:
    if not rules.shown.lines or rules.risk.verdict == "jump":
        return False
    return rules.risk.verdict == "plain" or not rules.away


def _why_not(request: Request, progress: Progress, rules: Rules) -> str:
    """Return why a choice is missing or takes a second click."""
    if request.kind == "plan":
        return _why_not_approve(rules)
    if request.kind == "question":
        asked = question(request, progress)
        if asked and (why := _why_not_choose(request, asked)):
            return f"Choose in the terminal: {why}."
        return "Several answers are given at this machine only." if rules.away and not _takes_one_step(request) else ""
    if progress.sure and _may_allow(rules) and not rules.away:
        rule = "" if progress.sure == ALLOW else in_words(_rule(request, progress.sure))
        return f"Sure? {rule or f'It {rules.risk.reason}'}."
    if rules.risk.verdict == "jump":
        return f"Allow it in the terminal only, because it {rules.risk.reason}."
    if rules.shown.why:
        return f"Allow it in the terminal only: {rules.shown.why}."
    if rules.away and rules.risk.verdict != "plain":
        return f"Allow it at this machine only, because it {rules.risk.reason}."
    if rules.risk.verdict == "careful" and rules.risk.reason:
        return f"Allow asks again, because it {rules.risk.reason}."
    return ""


def _why_not_approve(rules: Rules) -> str:
    if rules.shown.why:
        return f"Approve it in the terminal only: {rules.shown.why}."
    return "Plans are approved at this machine only." if rules.away else ""


@lru_cache(maxsize=64)  # the loop asks at every turn, until the question is answered
def _why_mistaken(questions: tuple[Question, ...], asked: Question) -> str:
    if not have_distinct_texts(questions):
        return "two questions look alike"
    return "" if are_distinct(asked) else "two options look alike"


def _why_not_choose(request: Request, asked: Question) -> str:
    return of_question(asked).why or _why_mistaken(request.questions, asked)


def _detail(request: Request, progress: Progress) -> str:
    if request.kind == "plan":
        return "Plan approval"
    if request.kind == "question":
        asked = question(request, progress)
        return asked.text if asked else ""
    subject = next((str(value) for value in _subjects(request) if value), "")
    return f"{request.tool}: {subject}" if subject else request.tool


def _subjects(request: Request) -> Sequence[object]:
    return [request.tool_input.get(name) for name in SUBJECTS]


def _said(request: Request, progress: Progress, text: str) -> Progress | Answer | Refusal:
    """Return what a text of the person leads to: it refuses a tool or a plan, or answers a question."""
    if not text:
        return Refusal("There is no text to send.")
    if len(text) > LONGEST:
        return Refusal(f"The text is longer than {LONGEST} characters.")
    if request.kind == "question":
        return _answered(request, progress, text)
    return _denial(
        text, "sent back to planning, with your words" if request.kind == "plan" else "denied, with your words"
    )


def _picked(request: Request, progress: Progress, asked: Question, choice: str) -> Progress | Answer | Refusal:
    if choice == NEXT:
        chosen = [label for label in asked.options if label in progress.picked]
        return _answered(request, progress, ", ".join(chosen))
    label = asked.options[int(choice.removeprefix("option:"))]
    if not asked.several:
        return _answered(request, progress, label)
    is_new = label not in progress.picked
    return replace(progress, picked=(*(one for one in progress.picked if one != label), *([label] if is_new else [])))


def _answered(request: Request, progress: Progress, answer: str) -> Progress | Answer | Refusal:
    """Go on to the next question, or send after the last: the client would take a missing answer for none."""
    asked = question(request, progress)
    if asked is None:
        return NO_SUCH_CHOICE
    after = Progress(answers=(*progress.answers, (asked.text, answer)))
    if question(request, after) is not None:
        return after
    changed = {"questions": request.tool_input["questions"], "answers": dict(after.answers)}
    said = "; ".join(answer for _, answer in after.answers)
    return Answer(_output(behavior="allow", updatedInput=changed), f"answered: {said}", allows=True)


def _approval(request: Request, choice: str) -> Answer:
    given = dict(request.tool_input)
    if choice == APPROVE:
        return Answer(_output(behavior="allow", updatedInput=given), "approved", allows=True)
    mode = [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]
    output = _output(behavior="allow", updatedInput=given, updatedPermissions=mode)
    return Answer(output, "approved, with edits accepted", allows=True)


def _allowed(request: Request, choice: str) -> Answer:
    if choice == ALLOW:
        return Answer(_output(behavior="allow"), "allowed", allows=True)
    output = _output(behavior="allow", updatedPermissions=[_rule(request, choice)])
    return Answer(output, "allowed, with a lasting rule", allows=True)


def _rule(request: Request, choice: str) -> Mapping[str, object]:
    return request.rules[int(choice.removeprefix("rule:"))]


def _denial(message: str, said: str = "denied") -> Answer:
    return Answer(_output(behavior="deny", message=message), said, allows=False)


def _output(**decision: Any) -> Output:
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}
