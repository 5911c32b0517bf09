"""Test from which folder a session is resumed, and that a doubt is never passed over in silence."""

from typing import NamedTuple

import pytest

from deskbell.errors import Problem
from deskbell.sessions.project_folder import Meant, project_folder
from deskbell.sessions.whereabouts import Clues, Disk, Whereabouts, whereabouts

A, TWIN, B, SUB, C = "/w/a-b", "/w/a_b", "/w/b", "/w/a-b/sub", "/w/c"
KEPT = project_folder(A)


class Case(NamedTuple):
    clues: Clues
    there: tuple[str, ...]
    """The folders that exist."""
    answer: Whereabouts | str
    """What is answered; the words of the Problem."""
    here: str = "/elsewhere"
    whole: bool = True


def looked(case: Case) -> Whereabouts:
    def meant(name: str) -> Meant:
        return Meant(tuple(path for path in case.there if project_folder(path) == name), case.whole)

    return whereabouts(case.clues, Disk(case.there.__contains__, meant, case.here))


CERTAIN = {
    "all agree": Case(Clues((A, A), (A, A), KEPT), (A,), Whereabouts(A)),
    "it has changed its folder since": Case(Clues((A, SUB), (A, SUB), KEPT), (A, SUB), Whereabouts(A)),
    "it was resumed elsewhere since": Case(Clues((B, B), (A, B), KEPT), (A, B), Whereabouts(A)),
    "it was recorded first below its folder": Case(Clues((SUB, A), (A, A), KEPT), (A, SUB), Whereabouts(A)),
    "it went to a twin of its folder": Case(Clues((A, TWIN), (A, TWIN), KEPT), (A, TWIN), Whereabouts(A)),
    "it was never recorded": Case(Clues((), (A, A), KEPT), (A, TWIN), Whereabouts(A)),
    "only its record names a folder": Case(Clues((A, A), (), KEPT), (A,), Whereabouts(A)),
    "only the place of its transcript is known": Case(Clues((), (), KEPT), (A,), Whereabouts(A)),
}


@pytest.mark.parametrize("case", CERTAIN.values(), ids=CERTAIN)
def test_what_agrees_is_certain(case: Case) -> None:
    assert looked(case) == case.answer


DOUBTED = {
    "record and transcript name twins": Case(
        Clues((TWIN, TWIN), (A, A), KEPT), (A, TWIN), Whereabouts(A, f"Its record names {TWIN}, its transcript {A}.")
    ),
    "its record names a folder of which its transcript knows nothing": Case(
        Clues((B, B), (A, A), KEPT), (A, B), Whereabouts(A, f"Its record names {B}, its transcript {A}.")
    ),
    "of twins one is gone": Case(
        Clues((TWIN, TWIN), (A, A), KEPT), (TWIN,), Whereabouts(TWIN, f"Its record names {TWIN}, its transcript {A}.")
    ),
    "its folder is gone, and it was elsewhere last": Case(
        Clues((A, B), (A, A), KEPT), (B,), Whereabouts(B, f"Its folder {A} no longer exists.")
    ),
    "its folder is gone, and a twin exists": Case(
        Clues((A, A), (A, A), KEPT), (TWIN,), Whereabouts(TWIN, f"Its folder {A} no longer exists.")
    ),
    "its folder is gone, and the person is in one of two": Case(
        Clues((A, B), (A, A), KEPT), (B, TWIN), Whereabouts(B, f"Its folder {A} no longer exists."), here=B
    ),
    "its transcript is not known": Case(
        Clues((A, B), (), ""),
        (A, B),
        Whereabouts(A, "Its transcript was not found, and without it Claude Code cannot resume it."),
    ),
    "its transcript was moved to another place": Case(
        Clues((B, B), (B, C), KEPT),
        (A, B),
        Whereabouts(A, f"Its transcript is kept for this folder, but names {B}."),
    ),
    "its transcript is kept for a folder that is not here": Case(
        Clues((B, B), (B, B), KEPT), (B,), Whereabouts(B, f"Its transcript is kept for another folder, {KEPT}.")
    ),
    "a folder on the way cannot be read": Case(
        Clues((), (), KEPT), (A,), Whereabouts(A, "Not every folder that may be meant could be read."), whole=False
    ),
    "it is ambiguous, and the person is in one of the two": Case(
        Clues((), (), KEPT), (A, TWIN), Whereabouts(TWIN, f"Its folder is ambiguous: {A} or {TWIN}."), here=TWIN
    ),
}


@pytest.mark.parametrize("case", DOUBTED.values(), ids=DOUBTED)
def test_a_folder_in_doubt_comes_with_the_reason(case: Case) -> None:
    assert looked(case) == case.answer


FIVE = tuple(f"/w/{name}" for name in ("a-b", "a_b", "a.b", "a b", "a+b"))
REFUSED = {
    "its folder is gone": Case(
        Clues((A, A), (A, A), KEPT), (), f"Its folder {A} no longer exists. Make it again, or move it back."
    ),
    "its folder is gone, and two may be it": Case(
        Clues((A, B), (A, A), KEPT),
        (B, TWIN),
        f"Its folder {A} no longer exists. It may be {TWIN} or {B}. Go to the right one and run this again.",
    ),
    "it is ambiguous": Case(
        Clues((), (), KEPT),
        (A, TWIN),
        f"Its folder is ambiguous: {A} or {TWIN}. Go to the right one and run this again.",
    ),
    "it is very ambiguous": Case(
        Clues((), (), KEPT),
        FIVE,
        "Its folder is ambiguous: /w/a-b or /w/a_b or /w/a.b or 2 more. Go to the right one and run this again.",
    ),
    "nothing is known": Case(
        Clues(),
        (A,),
        "Neither its transcript nor its folder was found. Run `deskbell resume` to choose from those that can be resumed.",
    ),
    "nothing of what is known exists": Case(
        Clues((B,), (), KEPT),
        (),
        f"It names {B}, and its transcript is kept in {KEPT}: no such folder exists here. Make it again, or move it back.",
    ),
    "the name of its place means nothing": Case(
        Clues((), (), KEPT),
        (B,),
        f"Its transcript is kept in {KEPT}: no such folder exists here. Make it again, or move it back.",
    ),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_without_a_folder_one_sentence_says_what_was_found(case: Case) -> None:
    with pytest.raises(Problem) as refused:
        looked(case)
    assert str(refused.value) == case.answer


def test_a_path_cannot_act_on_the_terminal_in_a_sentence() -> None:
    hostile = "/w/\x1b[2J\nevil"
    with pytest.raises(Problem) as refused:
        looked(Case(Clues((hostile,), (), project_folder(hostile)), (), ""))
    assert "\x1b" not in str(refused.value)
    assert "\n" not in str(refused.value)
