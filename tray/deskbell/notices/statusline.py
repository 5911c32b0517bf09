"""Define the settings of the statusline: the table `statusline` of `config.toml`.

The statusline itself reads the table with `deskbell_hooks.linesettings`, which accepts what this module accepts.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from deskbell.notices.part import Part
from deskbell_hooks.linesettings import CHECKS, DEFAULTS

Segment = Literal["others", "model", "project", "branch", "context", "agents", "cost", "limits", "lines", "duration"]


def _separator(text: str) -> str:
    if not CHECKS["separator"](text):
        raise ValueError("must have at most 8 characters, all of them visible")
    return text


def _colours(colours: Mapping[str, str]) -> Mapping[str, str]:
    if not CHECKS["colors"](dict(colours)):
        raise ValueError(
            'write colors as { model = "bold cyan", bad = "white/red" }: a name, 0 to 255 or "#rrggbb", after "/" the '
            "background"
        )
    return colours


class Statusline(Part):
    preset: Literal["plain", "powerline", "minimal"] = Field(
        default="plain", description='Choose "plain", "minimal", or "powerline", which needs a patched font.'
    )
    segments: tuple[Segment, ...] = Field(
        default=(), description='Show these, in this order: ["others", "model", "cost"]; empty for those of the preset.'
    )
    separator: Annotated[str, AfterValidator(_separator)] = Field(
        default="", description="Write this between two segments; empty for that of the preset."
    )
    colors: Annotated[Mapping[str, str], AfterValidator(_colours)] = Field(
        default={},
        description='Set colours of segments, and of "good", "warn", "bad" and "turn": { model = "bold cyan" }.',
    )
    ascii: Literal["auto", "always", "never"] = Field(
        default="auto", description='Show only ASCII: "auto" does so where the locale is not UTF-8.'
    )
    details: bool = Field(default=True, description="Show what another session asks; if false, only its project.")
    bar: int = Field(
        default=DEFAULTS["bar"], ge=0, le=40, description="Draw the bar of the context this wide; 0 for none."
    )
    own_timeout: float = Field(
        default=DEFAULTS["own_timeout"],
        ge=0.1,
        le=30,
        description="End a chained line of your own after this many seconds, and show what it printed last.",
    )
