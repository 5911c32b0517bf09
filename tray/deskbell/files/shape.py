"""Validate JSON against the shape that a TypedDict states.

Deskbell uses this for its own files that nearly every run reads. The core of pydantic does the work, and errors read as
those of pydantic. pydantic itself takes fifty milliseconds and several megabytes more to do the same.
"""

from functools import cached_property
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic_core import CoreConfig, CoreSchema, SchemaValidator, ValidationError, core_schema

Value = TypeVar("Value")
Extra = Literal["allow", "ignore"]
"""What to do with fields that a TypedDict does not name."""

_PLAIN: dict[object, CoreSchema] = {
    Any: core_schema.any_schema(),
    str: core_schema.str_schema(),
    bool: core_schema.bool_schema(),
    int: core_schema.int_schema(),
    float: core_schema.float_schema(),
}


class Shape(Generic[Value]):
    """The shape of VALUE, a TypedDict. Fields that it does not name are left out; with KEEP_MORE they stay."""

    def __init__(self, value: type[Value], keep_more: bool = False) -> None:
        self._value, self._keep_more = value, keep_more

    @cached_property
    def _validator(self) -> SchemaValidator:
        # The cache would keep up to 16,384 texts of all files, more than a megabyte, and does not make this faster:
        # https://docs.pydantic.dev/latest/api/config/#pydantic.config.ConfigDict.cache_strings
        extra: Extra = "allow" if self._keep_more else "ignore"
        return SchemaValidator(_schema(self._value, extra), CoreConfig(cache_strings="none"))

    def read(self, data: bytes) -> Value:
        """Return the value of a JSON text. Raise ValueError, which names the field, if it has another shape."""
        try:
            value: Value = self._validator.validate_json(data)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ValueError(f"{where}: {first['msg']}" if where else first["msg"]) from None
        return value


def _schema(hint: Any, extra: Extra) -> CoreSchema:
    """Return the schema of the core for an annotation. Raise TypeError for one that no file of ours needs."""
    parts = get_args(hint)
    match get_origin(hint):
        case None if hint in _PLAIN:
            return _PLAIN[hint]
        case None if hasattr(hint, "__required_keys__"):
            return _fields(hint, extra)
        case origin if origin is Literal:
            return core_schema.literal_schema(list(parts))
        case origin if origin is list:
            return core_schema.list_schema(_schema(parts[0], extra))
        case origin if origin is tuple:
            return core_schema.tuple_positional_schema([_schema(part, extra) for part in parts])
        case origin if origin is dict:
            return core_schema.dict_schema(_schema(parts[0], extra), _schema(parts[1], extra))
        case origin if origin is UnionType and len(parts) == 2 and parts[1] is NoneType:
            return core_schema.nullable_schema(_schema(parts[0], extra))
    raise TypeError(f"no file holds a value of the type {hint}")


def _fields(value: Any, extra: Extra) -> CoreSchema:
    fields = {
        name: core_schema.typed_dict_field(_schema(hint, extra), required=name in value.__required_keys__)
        for name, hint in get_type_hints(value).items()
    }
    return core_schema.typed_dict_schema(fields, extra_behavior=extra)
