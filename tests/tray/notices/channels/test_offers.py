"""Test which codes are open, for which channel, and how often each counts."""

import pytest

from deskbell.asking import Asking, Choice
from deskbell.notices.channels.offers import Offer, Offers
from tests.tray.notices.channels.receiver import channel

PHONE = channel("ntfy", url="https://ntfy.example/desk", answers=True)
OTHER = channel("ntfy", url="https://ntfy.example/other", answers=True).model_copy(update={"name": "other"})
ALLOW, DENY = Choice("allow", "Allow"), Choice("deny", "Deny")
ASKING = Asking("c0de", "Bash: npm test", ("npm test",), (ALLOW, DENY))


def code(offer: Offer, choice: Choice) -> str:
    return next(code for code, one in offer.codes.items() if one == choice)


def test_a_code_stands_for_its_choice_and_counts_once() -> None:
    offers = Offers()
    made = offers.put(PHONE, ASKING, "api")
    allow = code(made, ALLOW)
    found = offers.take("one", allow)
    assert found == (made, ALLOW)
    assert offers.take("one", allow) is None
    assert offers.take("one", code(made, DENY)) == (made, DENY)
    assert offers.channels() == [], "nothing is left that could be answered"


def test_every_code_is_one_of_its_own_and_none_is_that_of_the_desk() -> None:
    offers = Offers()
    made = [
        offers.put(one, Asking(f"c{at}", "", (), (ALLOW, DENY)), "api") for at in range(50) for one in (PHONE, OTHER)
    ]
    codes = [code for one in made for code in one.codes]
    tags = [one.tag for one in made]
    assert len({*codes, *tags, *(one.request for one in made)}) == 200 + 100 + 50
    assert {len(one) for one in (*codes, *tags)} == {32}


def test_a_second_message_has_the_codes_of_the_first() -> None:
    offers = Offers()
    first = offers.put(PHONE, ASKING, "api")
    assert offers.put(PHONE, ASKING, "api") is first
    assert offers.put(OTHER, ASKING, "api") is not first
    assert offers.put(PHONE, Asking("c0de", "", (), (DENY,)), "api") is not first


WRONG = ["", "0" * 32, "é" * 32, "\ud800", "allow", "c0de"]


@pytest.mark.parametrize("said", WRONG)
def test_what_is_no_code_is_none(said: str) -> None:
    offers = Offers()
    made = offers.put(PHONE, ASKING, "api")
    assert offers.take("one", said) is None
    assert len(made.codes) == 2


def test_a_code_counts_only_where_it_was_offered() -> None:
    offers = Offers()
    made = offers.put(PHONE, ASKING, "api")
    assert offers.take("other", code(made, ALLOW)) is None
    assert offers.take("one", made.tag) is None


def test_the_end_of_a_request_forgets_its_codes_everywhere() -> None:
    offers = Offers()
    made = [offers.put(one, ASKING, "api") for one in (PHONE, OTHER)]
    kept = offers.put(PHONE, Asking("other", "", (), (DENY,)), "web")
    assert offers.drop("c0de") == made
    assert [offers.take(one.channel.name, code(one, ALLOW)) for one in made] == [None, None]
    assert [offers.replies(one.tag) for one in made] == [(), ()]
    assert offers.drop("c0de") == []
    assert offers.take("one", code(kept, DENY)) == (kept, DENY)


def test_only_requests_that_are_open_can_be_answered() -> None:
    offers = Offers()
    made = offers.put(PHONE, ASKING, "api")
    assert offers.only(["other", "c0de"]) == []
    assert offers.only(["other"]) == [made]
    assert offers.take("one", code(made, ALLOW)) is None


def test_a_channel_that_is_configured_in_another_way_offers_nothing() -> None:
    offers = Offers()
    made = offers.put(PHONE, ASKING, "api")
    assert offers.keep([PHONE, OTHER]) == []
    changed = PHONE.model_copy(update={"details": True})
    assert offers.keep([changed]) == [made]
    assert offers.channels() == []


def test_what_goes_with_a_message_is_known_by_its_tag_and_then_counts_as_sent() -> None:
    offers = Offers()
    made = offers.put(PHONE, ASKING, "api")
    assert (offers.replies("another"), made.sent) == ((), False)
    assert [one.label for one in offers.replies(made.tag)] == ["Allow", "Deny"]
    assert [one.code for one in offers.replies(made.tag)] == list(made.codes)
    assert made.sent
