"""Test that a card and its lines are made once as long as nothing changes."""

from dataclasses import replace

from deskbell.cards.deck import Deck
from deskbell.face.facts import Facts
from tests.tray.cards.boards import NOW, one


def test_a_card_that_has_not_changed_is_the_same_object_with_the_same_lines() -> None:
    deck, session = Deck(), one("api")
    first = deck.card(session, Facts(), NOW)
    drawn = deck.lines(first, 40, "two", False)
    assert deck.card(session, Facts(), NOW + 1) is first
    assert deck.card(replace(session, reason="another"), Facts(), NOW) is first  # nothing that a card shows
    assert deck.lines(first, 40, "two", False) is drawn


def test_a_card_that_has_changed_is_drawn_anew() -> None:
    deck, session = Deck(), one("api")
    drawn = deck.lines(deck.card(session, Facts(), NOW), 40, "two", False)
    later = deck.card(session, Facts(), NOW + 60)
    assert later.cells.age == "11 min"
    assert deck.lines(later, 40, "two", False) != drawn
    other = deck.card(replace(session, title="Another"), Facts(), NOW + 60)
    assert other.cells.title == "Another"


def test_a_window_that_is_dragged_wider_fills_no_memory() -> None:
    deck = Deck()
    found = deck.card(one("api"), Facts(), NOW)
    for columns in range(20, 200):
        deck.lines(found, columns, "one", False)
    assert all(len(known.lines) < 10 for known in deck._known.values())


def test_the_cards_of_sessions_that_are_gone_are_forgotten() -> None:
    deck, here, gone = Deck(), one("here"), one("gone")
    kept = deck.card(here, Facts(), NOW)
    deck.card(gone, Facts(), NOW)
    deck.keep([here.key])
    assert list(deck._known) == [here.key]
    assert deck.card(here, Facts(), NOW) is kept
