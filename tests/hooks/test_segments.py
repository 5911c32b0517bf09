"""Test what the segments of the statusline show, and that nothing of a wrong type shows."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks import segments as module
from deskbell_hooks.linesettings import PRESETS, resolved
from deskbell_hooks.segments import MOST, SEGMENTS, Found, Others, Segment, Waiting, clean, segments, span, tokens_of

NOW = 1_795_000_000.0
NOBODY = Others([], [])
FOUND = Found("", NOBODY, {}, NOW)
SHOP, SITE = Waiting("0aa", "shop", "wants to run npm publish"), Waiting("0bb", "site", "")


def found(name: str, given: Any = None, seen: Found = FOUND, **more: Any) -> Segment | None:
    options, problem = resolved({"segments": [name], **more})
    assert not problem
    made = segments(given or {}, seen, options)
    return made[0] if made[0].name == name and made[0].forms != ["Claude Code"] else None


def forms(name: str, given: Any = None, seen: Found = FOUND, **more: Any) -> list[str]:
    one = found(name, given, seen, **more)
    return one.forms if one else []


def waits(blocked: list[Waiting], turn: list[Waiting], unread: int = 0) -> Found:
    return Found("", Others(blocked, turn, unread), {}, NOW)


def context(**window: Any) -> dict[str, Any]:
    return {"context_window": window}


SHOWN: list[tuple[str, Any, list[str]]] = [
    ("model", {"model": {"display_name": "Opus 5.5", "id": "x"}}, ["Opus 5.5", "Opus"]),
    ("model", {"model": {"id": "claude-opus"}}, ["claude-opus"]),
    ("project", {"workspace": {"current_dir": "/a/shop/"}, "cwd": "/b"}, ["shop"]),
    ("project", {"cwd": "C:\\work\\shop"}, ["shop"]),
    ("project", {"cwd": "/"}, ["/"]),
    ("context", context(used_percentage=42, total_input_tokens=84_000, context_window_size=200_000),
     ["████░░░░░░ 42% 84k/200k", "████░░░░░░ 42%", "██░░ 42%", "ctx 42%"]),
    ("context", context(used_percentage=0), ["░░░░░░░░░░ 0%", "░░░░ 0%", "ctx 0%"]),
    ("context", context(total_input_tokens=500, context_window_size=1000),
     ["█████░░░░░ 50% 500/1k", "█████░░░░░ 50%", "██░░ 50%", "ctx 50%"]),
    ("context", context(used_percentage=140), ["██████████ 140%", "████ 140%", "ctx 140%"]),
    ("cost", {"cost": {"total_cost_usd": 0}}, ["$0.00"]),
    ("cost", {"cost": {"total_cost_usd": 12.345}}, ["$12.35", "$12"]),
    ("limits", {"rate_limits": {"five_hour": {"used_percentage": 42.4, "resets_at": NOW + 7_500},
                                "seven_day": {"used_percentage": 12}}}, ["5h 42% (2h05m left) · 7d 12%", "5h 42% · 7d 12%"]),
    ("limits", {"rate_limits": {"seven_day": {"used_percentage": 12, "resets_at": NOW + 300_000}}},
     ["7d 12% (3d11h left)", "7d 12%"]),
    ("lines", {"cost": {"total_lines_added": 12, "total_lines_removed": 0}}, ["+12 -0"]),
    ("duration", {"cost": {"total_duration_ms": 61_000}}, ["1m"]),
]  # fmt: skip
NOT_SHOWN: list[tuple[str, Any]] = [
    ("model", {}),
    ("model", {"model": "Opus"}),
    ("model", {"model": {"display_name": 5, "id": None}}),
    ("project", {"cwd": 7}),
    ("project", {"workspace": {"current_dir": ["/a"]}}),
    ("branch", {}),
    ("context", context(used_percentage=None, total_input_tokens=0, context_window_size=200_000)),
    ("context", context(used_percentage="42")),
    ("context", context(used_percentage=True)),
    ("context", context(used_percentage=-1)),
    ("context", context(used_percentage=10**400)),
    ("cost", {"cost": {"total_cost_usd": None}}),
    ("cost", {"cost": {"total_cost_usd": 10**9}}),
    ("cost", {"cost": [1]}),
    ("limits", {"rate_limits": {"five_hour": {"used_percentage": 99, "resets_at": NOW - 1}}}),
    ("limits", {"rate_limits": {"five_hour": {"used_percentage": "a lot"}, "seven_day": 5}}),
    ("limits", {"rate_limits": {"five_hour": {"used_percentage": 5000}}}),
    ("lines", {"cost": {"total_lines_added": 0, "total_lines_removed": 0}}),
    ("lines", {"cost": {"total_lines_added": 5}}),
    ("lines", {"cost": {"total_lines_added": 10**9, "total_lines_removed": 0}}),
    ("duration", {"cost": {"total_duration_ms": 1e14}}),
    ("agents", {}),
    ("others", {}),
]


@pytest.mark.parametrize(("name", "given", "expected"), SHOWN, ids=str)
def test_a_segment_has_forms_from_the_longest_to_the_shortest(name: str, given: Any, expected: list[str]) -> None:
    assert forms(name, given) == expected


@pytest.mark.parametrize(("name", "given"), NOT_SHOWN, ids=str)
def test_what_is_not_known_or_cannot_be_is_left_out(name: str, given: Any) -> None:
    assert found(name, given) is None


def test_the_segments_and_moods_of_the_presets_exist() -> None:
    for preset in PRESETS.values():
        assert set(preset["segments"]) <= SEGMENTS.keys()


MOODS = [
    (59.9, "good"),
    (60, "warn"),
    (84, "warn"),
    (85, "bad"),
]


@pytest.mark.parametrize(("percent", "mood"), MOODS)
def test_a_fuller_context_has_a_more_urgent_mood(percent: float, mood: str) -> None:
    one = found("context", context(used_percentage=percent))
    assert one is not None
    assert one.mood == mood


def test_without_a_bar_only_the_percentage_shows() -> None:
    assert forms("context", context(used_percentage=42), bar=0) == ["ctx 42%"]


def test_a_long_branch_is_cut() -> None:
    assert forms("branch", {}, Found("feature/a-very-long-name", NOBODY, {}, NOW)) == [
        "⎇ feature/a-very-long-name",
        "⎇ feature/a-very-…",
    ]


OTHERS = [
    (([SHOP], []), ["● 1 blocked: shop wants to run npm publish", "● 1 blocked: shop", "●1 shop", "●1"], "bad", "0aa"),
    (([SHOP, SITE], [SITE]), ["● 2 blocked: shop wants to run npm publish · 1 your turn",
                              "● 2 blocked: shop · 1 your turn", "●2 shop ○1", "●2○1"], "bad", "0aa"),
    (([SITE], []), ["● 1 blocked: site", "●1 site", "●1"], "bad", "0bb"),
    (([], [SITE]), ["○ 1 your turn: site", "○1 site", "○1"], "turn", "0bb"),
    (([], [Waiting("0123456789", "", "")]), ["○ 1 your turn: 01234567", "○1 01234567", "○1"], "turn", "0123456789"),
    (([], [Waiting("0cc", "a-long-project", "")]), ["○ 1 your turn: a-long-project", "○1 a-long-proj…", "○1"], "turn", "0cc"),
    (([], [], 2), ["? 2 unreadable", "?2"], "warn", ""),
    (([], [SITE], 2), ["○ 1 your turn: site · 2 unreadable", "○1 site ?2", "○1?2"], "turn", "0bb"),
    (([], [SITE] * MOST), ["○ 100+ your turn: site", "○100+ site", "○100+"], "turn", "0bb"),
]  # fmt: skip


@pytest.mark.parametrize(("who", "expected", "mood", "session"), OTHERS)
def test_the_others_are_counted_and_the_first_is_named(who: Any, expected: list[str], mood: str, session: str) -> None:
    assert found("others", {}, waits(*who)) == Segment("others", mood, expected, session)


def test_what_another_session_asks_can_be_kept_out_of_the_line() -> None:
    assert forms("others", {}, waits([SHOP], []), details=False)[0] == "● 1 blocked: shop"


AGENTS: list[tuple[dict[str, int] | None, list[str], str]] = [
    ({"running": 2, "done": 1, "error": 1}, ["agents: 2 running, 1 done, 1 error", "▸2 ✓1 ✗1"], "bad"),
    ({"running": 9, "idle": 1, "done": 0}, ["agents: 9 running, 1 idle", "▸9 ○1"], ""),
    ({"done": 8}, ["agents: 8+ done", "✓8+"], ""),
    (None, ["record unreadable", "rec?"], "warn"),
]


@pytest.mark.parametrize(("counts", "expected", "mood"), AGENTS)
def test_the_subagents_are_counted_by_what_they_do(counts: Any, expected: list[str], mood: str) -> None:
    assert found("agents", {}, Found("", NOBODY, counts, NOW)) == Segment("agents", mood, expected)


def test_a_problem_is_the_last_segment() -> None:
    options, _ = resolved({"segments": ["cost"]})
    made = segments({"cost": {"total_cost_usd": 1}}, Found("", NOBODY, {}, NOW, "input unreadable"), options)
    assert [one.name for one in made] == ["cost", "problem"]


@pytest.mark.parametrize("given", [{}, [], None, "x", 5])
def test_the_line_is_never_empty(given: Any) -> None:
    assert segments(given, FOUND, resolved({})[0]) == [Segment("model", "", ["Claude Code"])]


CLEAN = [
    ("main", "main"),
    ("a\nb\tc", "a b c"),
    ("\x1b[31mred\x1b[0m", "red"),
    ("\x1b[31", ""),
    ("\x9b31mred", "red"),
    ("\x1b]8;;https://evil\x1b\\text\x1b]8;;\x1b\\", "text"),
    ("\x1b]0;title\x07text", "text"),
    ("\x9d0;title\x07text", "text"),
    ("\x1bPq#0\x1b\\text", "text"),
    ("\x1b(Btext", "Btext"),
    ("a\x07\x08\x7f\x00b", "ab"),
    ("a\u202eb\u200d\u2066c", "abc"),
    ("界界", "界界"),
    ("e\u0301\u0301\u0301\u0301", "e\u0301\u0301"),
    ("x" * 50, "x" * 9 + "…"),
    (5, ""),
    (None, ""),
]


@pytest.mark.parametrize(("text", "expected"), CLEAN, ids=ascii)
def test_text_from_elsewhere_is_one_harmless_line(text: object, expected: str) -> None:
    assert clean(text, 10) == expected


@given(st.text(st.characters(), max_size=60))
def test_nothing_that_acts_on_a_terminal_is_left(text: str) -> None:
    shown = clean(text, 40)
    assert shown.isprintable()
    assert len(shown) <= 40
    if len(text) <= 40 and text.isascii() and text.isprintable():
        assert shown.split() == text.split()


SPANS = [(0, "0s"), (59.9, "59s"), (60, "1m"), (3_599, "59m"), (3_600, "1h00m"), (86_399, "23h59m"), (100_000, "1d3h")]


@pytest.mark.parametrize(("seconds", "expected"), SPANS)
def test_a_time_has_one_or_two_units(seconds: float, expected: str) -> None:
    assert span(seconds) == expected


TOKENS = [(950, "950"), (84_400, "84k"), (999_499, "999k"), (999_500, "1M"), (1_230_000, "1.2M")]


@pytest.mark.parametrize(("count", "expected"), TOKENS)
def test_tokens_are_counted_in_thousands_and_millions(count: float, expected: str) -> None:
    assert tokens_of(count) == expected


def test_the_named_tuples_of_the_hook_have_defaults_as_their_types_say() -> None:
    assert tuple(module.Segment("a", "b", [])) == ("a", "b", [], "")
    assert module.Found("", NOBODY, None, 1.0).problem == ""
