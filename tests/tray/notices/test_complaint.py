"""Test that a mistake in the settings is named in words that a person knows."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from deskbell.notices.complaint import complaints, lines, name
from deskbell.notices.part import Part
from deskbell.notices.policy import Policy

HERE = Path("config.toml")


def said(text: str) -> list[str]:
    with pytest.raises(ValidationError) as error:
        Policy.model_validate(tomllib.loads(text))
    return list(complaints(error.value, text, HERE))


CHANNEL = '[[channels]]\nname = "a"\nkind = "ntfy"\nurl = "https://ntfy.sh/t"\n'
WRONG = {
    "an unknown setting": (
        "[rings.idle]\n\nmin_trun = 3\n",
        "line 3: rings.idle.min_trun is not a setting. Run `deskbell config show` to list them.",
    ),
    "an unknown table": (
        "version = 1\n[rnigs]\nx = 1\n",
        "line 2: rnigs is not a setting. Run `deskbell config show` to list them.",
    ),
    "text for a whole number": ('[burst]\nwithin = 2\nmore_than = "many"\n', "line 3: burst.more_than must be a whole number"),
    "half a whole number": ("[burst]\nmore_than = 2.5\n", "line 2: burst.more_than must be a whole number"),
    "no finite number": ("[burst]\nmore_than = inf\n", "line 2: burst.more_than must be a whole number"),
    "text for a number": ('[burst]\nwithin = "x"\n', "line 2: burst.within must be a number"),
    "a list for a number": ("[burst]\nwithin = []\n", "line 2: burst.within must be a number"),
    "text for a switch": ('[notification]\nbranch = "perhaps"\n', "line 2: notification.branch must be true or false"),
    "a list for a switch": ("[notification]\nbranch = []\n", "line 2: notification.branch must be true or false"),
    "a number for text": ("[rings.idle]\nsound = 3\n", "line 2: rings.idle.sound must be text in quotes"),
    "less than the least": ("rings.idle.delay = -1\n", "line 1: rings.idle.delay must be 0 or more"),
    "more than the most": ("rings.idle.delay = 3601\n", "line 1: rings.idle.delay must be 3600 or less"),
    "not a number at all": ("rings.idle.delay = nan\n", "line 1: rings.idle.delay must be 3600 or less"),
    "no time at all": (CHANNEL + "timeout = 0\n", "line 5: timeout of channel 1 must be more than 0"),
    "an unknown word": (
        '[rings.error]\nurgency = "loud"\n',
        'line 2: rings.error.urgency must be "low", "normal" or "critical"',
    ),
    "an unknown step": (
        '[escalation]\nsteps = ["again", "fax"]\n',
        'line 2: escalation.steps must be "again", "sound" or "phone"',
    ),
    "a version from the future": ("version = 2\n", "line 1: version must be 1"),
    "hours of another form": ('[silence]\nhours = ["10pm-7am"]\n', 'line 2: silence.hours: write hours as "22:00-07:30"'),
    "text for a list": (
        '[silence]\nprojects = "web"\n',
        'line 2: silence.projects must be a list in brackets, such as ["a", "b"]',
    ),
    "a number in a list of texts": ("[silence]\nprojects = [3]\n", "line 2: silence.projects must be text in quotes"),
    "a value for all rings": ("rings = 3\n", "line 1: rings is a table: set rings.<status>.<setting>"),
    "a value for a ring": ("[rings]\nidle = false\n", "line 2: rings.idle is a table: set rings.idle.<setting>"),
    "a list for a table": ("burst = []\n", "line 1: burst is a table: set burst.<setting>"),
    "a value for an older table": ("words = 3\n", "line 1: words is a table: set words.<setting>"),
    "a value for the channels": ('channels = "phone"\n', 'line 1: channels must be a list in brackets, such as ["a", "b"]'),
    "a value for a channel": (
        'channels = ["phone"]\n',
        "line 1: channels are tables: write [[channels]] above the settings of each",
    ),
    "a value for a template": (
        CHANNEL + "template = 3\n",
        'line 5: template of channel 1 is a table: write template = { name = "value" }',
    ),
    "no kind": ('[[channels]]\nname = "a"\n', "line 1: kind of channel 1 is missing"),
    "an empty name": (CHANNEL.replace('"a"', '""'), "line 2: name of channel 1 must not be empty"),
    "the second of two channels": (
        CHANNEL + '\n[[channels]]\nname = "b"\nkind = "ntfy"\n',
        'line 6: channel 2: kind = "ntfy" needs url = "https://HOST/PATH" in plain ASCII',
    ),
    "a command that is missing": (
        '[[channels]]\nname = "b"\nkind = "command"\n',
        'line 1: channel 1: kind = "command" needs command = ["program", "argument", ...]',
    ),
    "a secret in the file": (
        CHANNEL + 'secret = "tk_123"\n',
        'line 1: channel 1: secret must name a place, "env:NAME" or "keyring:NAME"; never write the secret itself',
    ),
    "a name with escape sequences": (
        '[burst]\n"a\\u001b[31mb\\u0000" = 3\n',
        "line 1: burst.ab is not a setting. Run `deskbell config show` to list them.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_named_with_its_line_and_what_to_write(text: str, sentence: str) -> None:
    assert said(text) == [f"config.toml, {sentence}"]


def test_every_mistake_is_named() -> None:
    assert len(said("burst = 1\nrings = 2\nversion = 3\n")) == 3


NAMES = st.text(st.characters(exclude_characters="'"), max_size=3)
"""A library puts values between such marks; a name in the file may hold one, and is repeated."""
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**6),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.one_of(st.integers(), st.text(max_size=3), st.lists(st.none())), max_size=3),
    st.dictionaries(NAMES, st.one_of(st.integers(), st.text(max_size=3)), max_size=3),
    st.dates(),
)
FOREIGN = ("Input should", "instance of", "dictionary", "tuple", "Mapping", "Extra inputs", "Field required", "'")


def all_settings(model: type[Part] = Policy, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for key, field in model.model_fields.items():
        found.append((*above, key))
        if isinstance(field.annotation, type) and issubclass(field.annotation, Part):
            found += all_settings(field.annotation, (*above, key))
    return [*found, *((("channels", key) for key in ("name", "kind", "url", "template", "x")) if not above else ())]


@given(st.sampled_from(all_settings()), VALUES)
@example(("rings", "idle", "sound"), "\udcff")
@example(("rings", "input"), {"\ud800": 0})
def test_no_sentence_speaks_of_the_types_of_a_library(place: tuple[str, ...], value: object) -> None:
    data: Any = value
    for step in reversed(place):
        data = {step: [{"name": "a", **data}] if step == "channels" and isinstance(data, dict) else data}
    try:
        Policy.model_validate(data)
    except ValidationError as error:
        for sentence in complaints(error, "", HERE):
            assert [word for word in FOREIGN if word in sentence] == []
            assert "not allowed here" not in sentence, "every kind of mistake has its own words"


def test_the_value_of_a_wrong_secret_is_not_repeated() -> None:
    (sentence,) = said(CHANNEL + 'secret = "tk_9f3a7c"\n')
    assert "tk_9f3a7c" not in sentence


def test_the_whole_file_has_a_name() -> None:
    assert name(()) == "the file"


def test_the_lines_of_a_file_are_found() -> None:
    text = 'version = 1\n[rings."idle"]\nmin_turn = 3 # x\n[[channels]]\nname = "a"\n[[channels]]\nname = "b"\n'
    assert lines(text) == {
        ("version",): 1,
        ("rings", "idle"): 2,
        ("rings", "idle", "min_turn"): 3,
        ("channels", 0): 4,
        ("channels", 0, "name"): 5,
        ("channels", 1): 6,
        ("channels", 1, "name"): 7,
    }
