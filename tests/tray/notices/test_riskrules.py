"""Test the settings that add to the table of risks."""

import pytest
from pydantic import ValidationError

from deskbell.answers.risk.entries import table
from deskbell.notices.riskrules import RiskRules


def test_the_lists_make_the_table() -> None:
    rules = RiskRules(plain=("just test",), careful=("./deploy.sh",), jump=("**/secrets/**",))
    assert table(**rules.model_dump()) == table(["just test"], ["./deploy.sh"], ["**/secrets/**"])


def test_nothing_is_added_by_default() -> None:
    assert table(**RiskRules.usual().model_dump()) == table()


@pytest.mark.parametrize("entry", ["", " ", "a\nb", "a\u202eb", "a\0", 5])
@pytest.mark.parametrize("setting", ["plain", "careful", "jump"])
def test_an_entry_that_matches_nothing_or_hides_something_is_refused(setting: str, entry: object) -> None:
    with pytest.raises(ValidationError):
        RiskRules.model_validate({setting: [entry]})


def test_a_setting_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValidationError):
        RiskRules.model_validate({"always": ["rm"]})
