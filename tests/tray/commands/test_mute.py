"""Test `deskbell mute` and `deskbell unmute` as a person types them."""

import os
import time

import pytest

from deskbell.home import home
from deskbell.notices import quiet
from deskbell.notices.quiet import Quiet
from tests.tray.commands.said import Out, recorded, running, said


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sessions run in web; one in api is recorded and has ended."""
    running("aaaa1111", "/p/web", os.getpid(), monkeypatch)
    running("bbbb2222", "/p/web", os.getppid(), monkeypatch)
    recorded("cccc3333", "api", "Ship it")


def muted() -> Quiet:
    return quiet.read(home().state)


# words: what is said, and what is muted then
MUTES = {
    "mute web": ("Muted project web (2 sessions).", {"projects": {"web"}}),
    "mute we": ("Muted project web (2 sessions).", {"projects": {"web"}}),
    "mute scratch*": ("Muted project scratch* (no session now).", {"projects": {"scratch*"}}),
    "mute w*": ("Muted project w* (2 sessions).", {"projects": {"w*"}}),
    "mute /p/web": ("Muted project /p/web (2 sessions).", {"projects": {"/p/web"}}),
    "mute api": ("Muted project api (no session now).", {"projects": {"api"}}),
    "mute permission": ("Muted status permission.", {"statuses": {"permission"}}),
    "mute aaaa": ("Muted session aaaa1111 (web: go).", {"sessions": {"aaaa1111"}}),
    "mute cccc3333": ("Muted session cccc3333 (api: Ship it).", {"sessions": {"cccc3333"}}),
    "mute ship": ("Muted session cccc3333 (api: Ship it).", {"sessions": {"cccc3333"}}),
    "mute --session aaaa": ("Muted session aaaa1111 (web: go).", {"sessions": {"aaaa1111"}}),
    "mute --project web": ("Muted project web (2 sessions).", {"projects": {"web"}}),
    "mute --project nowhere": ("Muted project nowhere (no session now).", {"projects": {"nowhere"}}),
    "mute --status idle": ("Muted status idle.", {"statuses": {"idle"}}),
    "mute web --status idle": (
        "Muted project web (2 sessions).\nMuted status idle.",
        {"projects": {"web"}, "statuses": {"idle"}},
    ),
    "mute web --project web": ("Muted project web (2 sessions).", {"projects": {"web"}}),
}


@pytest.mark.parametrize(("words", "then"), MUTES.items(), ids=MUTES)
def test_a_mute_says_what_it_silences(
    sessions: None, capsys: Out, words: str, then: tuple[str, dict[str, set[str]]]
) -> None:
    sentence, kinds = then
    assert said(capsys, *words.split()) == sentence + "\n"
    now = muted()
    assert {
        kind: set(getattr(now, kind)) for kind in ("sessions", "projects", "statuses") if getattr(now, kind)
    } == kinds


@pytest.mark.parametrize("words", ["web", "scratch*", "permission", "aaaa1111"])
def test_an_unmute_takes_back_what_the_same_word_muted(sessions: None, capsys: Out, words: str) -> None:
    made = said(capsys, "mute", words)
    assert said(capsys, "unmute", words) == made.replace("Muted", "Unmuted")
    assert said(capsys, "mute") == "Nothing is muted.\n"


def test_a_title_unmutes_its_session(sessions: None, capsys: Out) -> None:
    said(capsys, "mute", "cccc3333")
    assert said(capsys, "unmute", "Ship it") == "Unmuted session cccc3333 (api: Ship it).\n"


def test_a_session_that_is_long_forgotten_can_be_unmuted(capsys: Out) -> None:
    quiet.write(home().state, Quiet().with_mute("sessions", "dead4444"))
    assert said(capsys, "unmute", "--session", "dead") == "Unmuted session dead4444.\n"


def test_one_session_is_counted_in_the_singular(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    running("aaaa1111", "/p/web", os.getpid(), monkeypatch)
    assert said(capsys, "mute", "web") == "Muted project web (1 session).\n"


# words: the exit code and the whole answer
REFUSED = {
    "mute nowhere": (
        3,
        'No session, project or status matches "nowhere". '
        "To mute a project before its first session: deskbell mute --project nowhere",
    ),
    "mute wep": (3, 'No session, project or status matches "wep". Did you mean "web"?'),
    "mute permision": (3, 'No session, project or status matches "permision". Did you mean "permission"?'),
    "mute ShipIt": (3, 'No session, project or status matches "ShipIt". Did you mean "Ship it"?'),
    "mute --session bbbb3": (3, 'No session matches "bbbb3". Did you mean "bbbb2222"?'),
    "mute Working": (
        2,
        "Status working never rings. Mute one of these instead: permission, question, "
        "input, plan, interrupted, error, idle, crashed.",
    ),
    "mute --session nowhere": (3, 'No session matches "nowhere". Run `deskbell list --all` to see them.'),
    "mute go": (
        2,
        '"go" is ambiguous. Use one of these:\n'
        "  deskbell mute --session aaaa1111   # web: go\n"
        "  deskbell mute --session bbbb2222   # web: go",
    ),
    "mute web --for soon": (2, "'soon' is not a duration. Use 90s, 30m, 2h, 3d, 17:30 or tomorrow."),
    "unmute web": (
        3,
        'No muted session, project or status matches "web". Run `deskbell mute` to list what is muted.',
    ),
    "unmute --project web": (3, 'No muted project matches "web". Run `deskbell mute` to list what is muted.'),
}


@pytest.mark.parametrize(("words", "then"), REFUSED.items(), ids=REFUSED)
def test_a_refusal_says_what_to_type_and_changes_nothing(
    sessions: None, capsys: Out, words: str, then: tuple[int, str]
) -> None:
    code, answer = then
    assert sorted(said(capsys, *words.split(), code=code).splitlines()) == sorted(f"deskbell: {answer}".splitlines())
    assert muted() == Quiet()


def test_a_status_goes_before_a_project_that_no_longer_runs(capsys: Out) -> None:
    recorded("cccc3333", "idle")
    assert said(capsys, "mute", "idle") == "Muted status idle.\n"


def test_a_running_project_with_the_name_of_a_status_is_ambiguous(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    running("aaaa1111", "/p/idle", os.getpid(), monkeypatch)
    assert said(capsys, "mute", "idle", code=2).splitlines() == [
        'deskbell: "idle" is ambiguous. Use one of these:',
        "  deskbell mute --status idle",
        "  deskbell mute --project idle",
    ]


def test_an_ambiguous_word_names_at_most_five_choices_and_quotes_them(capsys: Out) -> None:
    for number in range(7):
        recorded(f"{number}abc", f"x y{number}")
    lines = said(capsys, "mute", "x", code=2).splitlines()
    assert (len(lines), lines[-1]) == (7, "  and 2 more")
    assert all(line.startswith("  deskbell mute --project 'x y") for line in lines[1:6])


def test_an_ambiguous_word_can_be_unmuted_by_its_kind(capsys: Out) -> None:
    quiet.write(home().state, Quiet().with_mute("projects", "idle").with_mute("statuses", "idle"))
    assert "deskbell unmute --project idle" in said(capsys, "unmute", "idle", code=2)
    assert said(capsys, "unmute", "--status", "idle") == "Unmuted status idle.\n"
    assert (muted().projects, muted().statuses) == ({"idle": None}, {})


def test_a_mute_can_end_by_itself(sessions: None, capsys: Out) -> None:
    assert said(capsys, "mute", "web", "--for", "2h").startswith("Muted project web until ")
    left = (muted().projects["web"] or 0) - time.time()
    assert 7100 < left <= 7200


@pytest.mark.parametrize("verb", ["mute", "unmute"])
def test_without_arguments_it_lists_what_is_muted(sessions: None, capsys: Out, verb: str) -> None:
    assert said(capsys, verb) == "Nothing is muted.\n"
    for words in (["api"], ["cccc3333"], ["idle", "--for", "1h"]):
        said(capsys, "mute", *words)
    first, second, third = said(capsys, verb).splitlines()
    assert (first, second) == ("muted: session cccc3333 (api: Ship it)", "muted: project api")
    assert third.startswith("muted: status idle until ")


def test_a_mistyped_status_is_refused_with_the_nearest_one(capsys: Out) -> None:
    with pytest.raises(SystemExit, match="2"):
        said(capsys, "mute", "--status", "permision")
    assert 'Did you mean "permission"?' in capsys.readouterr().err
