"""Test that a shape reads and refuses what pydantic itself would, in the same words."""

import json
from typing import Any, Literal, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from deskbell.files.shape import Shape
from deskbell_hooks.schema import Record


class Inner(TypedDict):
    number: int
    maybe: float | None


class Outer(TypedDict, total=False):
    name: str
    kind: Literal["a", "b"]
    on: bool
    anything: Any
    many: list[Inner]
    named: dict[str, str]
    pair: tuple[int, str]


SHAPE, KEEPING = Shape(Outer), Shape(Outer, keep_more=True)


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


READ: dict[str, dict[str, Any]] = {
    "nothing": {},
    "plain values": {"name": "n", "kind": "a", "on": True, "anything": [1, {"a": None}]},
    "nested values": {"many": [{"number": 1, "maybe": None}, {"number": 2, "maybe": 0.5}], "named": {"a": "b"}},
}


@pytest.mark.parametrize("value", READ.values(), ids=READ)
def test_what_has_the_shape_is_read(value: dict[str, Any]) -> None:
    assert SHAPE.read(encoded(value)) == value


REFUSED: dict[str, tuple[object, str]] = {
    "a list": ([], "Input should be an object"),
    "a wrong type": ({"name": 3}, "name: Input should be a valid string"),
    "another word": ({"kind": "c"}, "kind: Input should be 'a' or 'b'"),
    "deep inside": ({"many": [{"number": "x", "maybe": None}]}, "many.0.number: Input should be a valid integer, "),
    "a wrong place": ({"pair": [1, 2]}, "pair.1: Input should be a valid string"),
    "a pair of one": ({"pair": [1]}, "pair.1: Field required"),
    "a missing field": ({"many": [{"number": 1}]}, "many.0.maybe: Field required"),
    "a wrong value": ({"named": {"a": None}}, "named.a: Input should be a valid string"),
}


@pytest.mark.parametrize(("value", "why"), REFUSED.values(), ids=REFUSED)
def test_what_has_another_shape_is_refused_with_the_field(value: object, why: str) -> None:
    with pytest.raises(ValueError, match="^" + why):
        SHAPE.read(encoded(value))


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 50_000, b'{"name": "\\ud800"}'])
def test_what_is_not_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"^Invalid JSON"):
        SHAPE.read(data)


def test_a_list_of_fixed_length_becomes_a_tuple() -> None:
    assert SHAPE.read(encoded({"pair": [1, "a"]})) == {"pair": (1, "a")}


def test_fields_that_the_shape_does_not_name_are_left_out_or_kept() -> None:
    value = {"more": 1, "many": [{"number": 1, "maybe": None, "more": 2}]}

    assert SHAPE.read(encoded(value)) == {"many": [{"number": 1, "maybe": None}]}
    assert KEEPING.read(encoded(value)) == value


def test_an_annotation_that_no_file_needs_is_a_mistake_of_the_program() -> None:
    class Odd(TypedDict):
        odd: set[int]

    with pytest.raises(TypeError, match=r"no file holds a value of the type set\[int\]"):
        Shape(Odd).read(b"{}")


VALUES = st.recursive(
    st.sampled_from([None, True, 0, -1, 1.5, 10**30, "", "idle", "7", "1.0", "\0"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "pid", "id", "use"]), inner, max_size=2)
    ),
    max_leaves=4,
)
WHOLE: dict[str, Any] = {
    "v": 1,
    "status": "idle",
    "since": 1.0,
    "turn_started": None,
    "where": {"pid": 1, "start": None, "attended": True, "handles": {"TMUX": "x"}},
    "pending": [{"kind": "plan", "tool": "t", "subject": "s", "use": "u", "agent": "", "at": 1.0, "order": 1}],
    "settled": [[1, "s", "u", "t", "s"]],
    "agents": [{"id": "a", "status": "running", "started": 1.0}],
    "tasks": [{"id": "1"}],
    "others": [{"status": "working", "calls": []}],
    "counters": {
        **dict.fromkeys(("new", "edited", "read", "errors", "notifications", "prompts", "events"), 0),
        "tools": {"Bash": 1},
    },
    "last_error": {"a": [1]},
    "prompts": {"p": 1},
    "todo": [1, 2],
}
RECORD, BY_PYDANTIC = Shape(Record), TypeAdapter(Record)


@given(st.dictionaries(st.sampled_from([*Record.__annotations__, "unknown"]), VALUES, max_size=3))
def test_a_record_is_read_or_refused_as_pydantic_would(damage: dict[str, Any]) -> None:
    data = encoded({**WHOLE, **damage})
    try:
        expected: object = BY_PYDANTIC.validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        with pytest.raises(ValueError) as refused:  # noqa: PT011  # what it says is compared below
            RECORD.read(data)
        assert str(refused.value) == f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    else:
        assert RECORD.read(data) == expected
