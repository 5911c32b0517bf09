"""Test the complaints of users of other notifiers, each as a story. The names are those of the threads."""

from dataclasses import replace

from deskbell.session import Agent
from tests.tray.story import NOON, Story, session, several

API = session("api", "working", turn_started=NOON)
AGENT = Agent("a1", "Explore", "working", "Grep", NOON, None)


def with_agents(*status: str) -> tuple[Agent, ...]:
    return tuple(replace(AGENT, id=f"a{n}", status=s) for n, s in enumerate(status))


# Alerts while work continues


def test_cmux_7520_no_waiting_alert_during_a_background_task() -> None:
    story = Story(API).passes(30).does("api", "background", "make test", tasks=("make test",)).passes(1800)
    assert (story.rings, story.screen) == ([], {})


def test_clawd_on_desk_952_a_background_agent_is_not_done_before_it_is() -> None:
    story = Story(API).passes(20).does("api", "background", "1 subagent", agents=with_agents("working")).passes(300)
    assert story.rings == []
    story.does("api", "working", agents=with_agents("completed")).passes(4).does("api", "idle")
    assert story.passes(5).rings == ["api: idle"]


def test_claude_code_93672_no_idle_prompt_while_subagents_run() -> None:
    story = Story(API).passes(20).does("api", "background", "2 subagents", agents=with_agents("working", "working"))
    # 60 s later the idle_prompt arrives: the status stays, only something was heard
    story.passes(60).does(
        "api", "background", "1 subagent", since=NOON + 20, agents=with_agents("working", "completed")
    )
    assert story.passes(60).rings == []


def test_superset_1785_a_team_of_agents_makes_no_noise() -> None:
    story = Story(API)
    for turn in range(40):
        status = ["working"] * (turn % 7)
        story.passes(3).does("api", "working", f"{turn % 7} subagents", since=NOON, agents=with_agents(*status))
    assert story.passes(60).rings == []


def test_claude_notifier_103_a_subagent_that_stops_is_silent_even_when_its_session_is_loud() -> None:
    story = Story(API).does("api", "working", agents=with_agents("working"), since=NOON)
    assert story.passes(90).does("api", "working", agents=with_agents("completed"), since=NOON).passes(90).rings == []


def test_claude_notifier_40_claude_p_makes_no_noise() -> None:
    story = Story(*(replace(s, hidden=True) for s in several("abcdefgh")))
    for name in "abcdefgh":
        story.passes(20).does(name, "permission").passes(1).does(name, "error").does(name, "ended")
    assert story.rings == []


def test_claude_code_warp_85_one_banner_for_one_turn_with_background_agents() -> None:
    story = Story(API).passes(15)
    for _ in range(3):  # each agent that ends begins and ends a turn of the machine's own
        story.does("api", "background").passes(40).does("api", "working").passes(2)
    story.does("api", "idle").passes(60)
    assert story.rings == ["api: idle"]


def test_irrlicht_1130_a_slow_edit_does_not_flicker() -> None:
    story = Story(API)
    for second in range(60):
        story.passes(1).does("api", "working", f"Edit: {second}", since=NOON)
    assert story.rings == []


def test_claude_code_87351_it_rings_only_when_the_person_is_needed() -> None:
    story = Story(API).passes(5).does("api", "working", "Bash: ls").passes(2).does("api", "idle").passes(30)
    story.does("api", "working").passes(3).does("api", "permission").passes(20).does("api", "working").passes(5)
    story.does("api", "background").passes(40).does("api", "ended")
    assert story.rings == ["api: permission"]


# Late


def test_claude_code_43530_it_does_not_wait_for_the_notification_that_comes_seconds_later() -> None:
    story = Story(API).passes(7).does("api", "permission")
    assert [at - NOON for at, _ in story.calls] == [7]


def test_claude_code_5186_it_rings_in_the_moment_it_is_asked() -> None:
    story = Story(API).passes(7).does("api", "question")
    assert [at - NOON for at, _ in story.calls] == [7]


def test_claude_code_13922_the_end_of_a_turn_rings_within_seconds_not_after_a_minute() -> None:
    story = Story(API).passes(30).does("api", "idle").passes(60)
    assert [at - NOON <= 32 for at, _ in story.calls] == [True]


# Repeated or swallowed


def test_peon_ping_486_no_sound_every_minute() -> None:
    story = Story(API).passes(30).does("api", "idle").passes(2)
    for _ in range(60):  # Claude's own idle_prompt: heard, nothing changed
        story.passes(60).does("api", "idle", since=NOON + 30)
    assert story.rings == ["api: idle"]


def test_claude_island_8_the_notification_that_comes_too_does_not_double_it() -> None:
    story = Story(API).passes(9).does("api", "permission", "Bash: make").passes(6)
    story.does("api", "permission", "Bash: make", since=NOON + 9).passes(60)
    assert (story.rings, len(story.screen)) == (["api: permission"], 1)


def test_agent_notifications_56_the_second_prompt_is_not_swallowed() -> None:
    story = Story(API).passes(9).does("api", "permission", "Bash: make").passes(8).does("api", "working").passes(20)
    story.does("api", "permission", "Bash: make").passes(3)
    assert story.rings == ["api: permission", "api: permission"]


def test_agent_notifications_56_two_prompts_one_right_after_the_other_are_two() -> None:
    story = (
        Story(API).passes(9).does("api", "permission", "Bash: make").passes(3).does("api", "permission", "Bash: make")
    )
    assert story.rings == ["api: permission", "api: permission"]


# Focus stolen, or alerted while looking


def test_cmux_1529_no_banner_for_the_pane_that_is_focused() -> None:
    story = Story(*several(["api", "web"])).passes(20)
    story.focused = {"api"}
    story.does("api", "permission").does("web", "permission")
    assert story.rings == ["web: permission"]


def test_cmux_10325_a_notice_never_asks_for_the_focus_by_itself() -> None:
    """Only a click brings a window to the front: a notice carries the action and does not carry it out."""
    story = Story(*several("abcde")).at_once("permission", *"abcde")
    assert {type(n.click).__name__ for n in story.screen.values()} == {"Open"}
    story.does("a", "working").passes(9).does("a", "question")
    assert {type(n.click).__name__ for n in story.screen.values()} == {"Open", "Jump"}


def test_peon_ping_320_and_claude_code_53194_nothing_is_laid_over_the_prompt_being_typed() -> None:
    """The person types in the session's own pane: no overlay, no banner, not even when the turn before ends."""
    story = Story(API).passes(30)
    story.focused = {"api"}
    story.does("api", "idle").passes(5).does("api", "working").passes(30).does("api", "permission").passes(59)
    assert (story.rings, story.screen) == ([], {})
