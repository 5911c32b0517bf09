"""Test the tables of the beginnings of tokens."""

from itertools import chain

from deskbell_hooks.prefixes import ENDINGS, HASHES, HEX_PREFIXES, INFIXES, LONG_PREFIXES, PREFIXES
from deskbell_hooks.trim import FOREIGN, HINTS, SHORTEST

TABLES = (PREFIXES, LONG_PREFIXES, HEX_PREFIXES, INFIXES, ENDINGS, HASHES)


def test_a_beginning_is_in_one_table_once() -> None:
    every = list(chain.from_iterable(TABLES))
    assert len(every) == len(set(every))


def test_no_token_is_shorter_than_a_word_that_is_looked_into() -> None:
    assert min(map(len, PREFIXES)) + 10 >= SHORTEST
    assert min(len(prefix) + least for prefix, least in LONG_PREFIXES.items()) >= SHORTEST
    assert min(sum(least) for least in INFIXES.values()) >= SHORTEST


def test_no_hint_makes_another_one_needless() -> None:
    every = (*HINTS, *FOREIGN)
    assert [hint for hint in every if any(other in hint for other in every if other != hint)] == []
    assert len(every) == len(set(every))
    assert all(map(str.isascii, HINTS))
    assert not any(map(str.isascii, FOREIGN))
