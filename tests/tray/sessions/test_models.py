"""Test the context size and the prices of models."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.sessions.models import DEARER, MILLION, MODELS, Usage, cost, model, percent


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("claude-opus-5-5", "claude-opus-5-5"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("claude-sonnet-4@20250514", "claude-sonnet-4"),
        ("claude-opus-4-0", "claude-opus-4"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("CLAUDE-OPUS-5-5", "claude-opus-5-5"),
    ],
)
def test_a_model_is_found_by_the_names_that_providers_give_it(name: str, listed: str) -> None:
    assert model(name) == MODELS[listed]


@pytest.mark.parametrize("name", ["", "gpt", "claude-", "claude-opus-99", "claude-opus-5-5 or so", "[1m]"])
def test_another_name_has_no_model_no_percentage_and_no_price(name: str) -> None:
    assert model(name) is None
    assert percent(1000, name) is None
    assert cost(Usage(input=1), name) is None


def test_the_larger_context_has_a_million_tokens_at_the_same_prices() -> None:
    usual, wide = model("claude-sonnet-4-6"), model("claude-sonnet-4-6[1m]")
    assert usual is not None
    assert wide == usual._replace(window=MILLION)


@pytest.mark.parametrize(
    ("tokens", "name", "full"),
    [
        (0, "claude-opus-4", 0.0),
        (50_000, "claude-opus-4", 25.0),
        (200_000, "claude-opus-4", 100.0),
        (200_001, "claude-opus-4", 20.0),  # only the larger context has room for them
        (1_234, "claude-opus-4", 0.6),
        (500_000, "claude-opus-5-5", 50.0),
    ],
)
def test_the_percentage_of_the_context(tokens: int, name: str, full: float) -> None:
    assert percent(tokens, name) == full


@pytest.mark.parametrize(
    ("usage", "name", "dollars"),
    [
        (Usage(), "claude-opus-4", 0.0),
        (Usage(input=MILLION), "claude-opus-4", 15.0),
        (Usage(output=MILLION), "claude-opus-4", 75.0),
        (Usage(cache_read=MILLION), "claude-opus-4", 1.5),
        (Usage(cache_write=MILLION), "claude-opus-4", 18.75),
        (Usage(cache_write=MILLION, cache_write_hour=MILLION), "claude-opus-4", 30.0),
        (Usage(cache_write=MILLION, cache_write_hour=2 * MILLION), "claude-opus-4", 30.0),
        (Usage(input=100_000), "claude-haiku-5-5", 0.01),
        (Usage(input=100_001), "claude-haiku-5-5", 0.010_0001 * DEARER),
        (Usage(cache_read=50_000, cache_write=50_001), "claude-haiku-5-5", (0.000_5 + 0.006_250_125) * DEARER),
        (Usage(output=200_000), "claude-haiku-5-5", 0.1),  # the prompt counts, not the answer
    ],
)
def test_the_cost_in_dollars(usage: Usage, name: str, dollars: float) -> None:
    assert cost(usage, name) == pytest.approx(dollars)


counts = st.integers(0, 10**15)


@given(st.sampled_from(sorted(MODELS)), st.builds(Usage, counts, counts, counts, counts, counts), st.integers(1, 10**9))
def test_more_tokens_never_cost_less(name: str, usage: Usage, more: int) -> None:
    before, after = cost(usage, name), cost(usage._replace(output=usage.output + more), name)
    assert before is not None
    assert after is not None
    assert 0 <= before <= after


@given(st.sampled_from(sorted(MODELS)), counts)
def test_every_count_of_tokens_has_a_percentage(name: str, tokens: int) -> None:
    full = percent(tokens, name)
    assert full is not None
    assert full >= 0
