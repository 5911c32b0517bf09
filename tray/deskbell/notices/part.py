"""Define the base class of every part of the settings in `config.toml`."""

from functools import cache
from typing import Self

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    # A validator takes memory, so it is built only when the first value is checked.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    @cache
    def usual(cls) -> Self:
        """Return the defaults, one value for all: the bell asks for them at every turn of the loop.

        They need no check, and most people have no config.toml.
        """
        return cls.model_construct()
