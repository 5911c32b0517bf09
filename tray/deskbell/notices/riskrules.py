"""Define the settings that add to the table of risks: `[answers.risk]` of `config.toml`.

`deskbell.answers.risk.entries.table` takes the three lists by these names. `policy` puts the part below `[answers]`.
"""

from typing import Annotated

from pydantic import AfterValidator, Field

from deskbell.notices.part import Part


def _entry(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("write each entry as one line that is not empty and has no invisible characters")
    return text


_Entries = tuple[Annotated[str, AfterValidator(_entry)], ...]


class RiskRules(Part):
    """What the person adds to the table. No entry offers what Deskbell lets people allow in the terminal only."""

    plain: _Entries = Field(
        default=(),
        description='Allow exactly these commands, tools of MCP servers and hosts with one click: ["just test"].',
    )
    careful: _Entries = Field(
        default=(), description='Ask twice for commands that begin like this, and for these tools: ["./deploy.sh"].'
    )
    jump: _Entries = Field(
        default=(), description='Never offer to allow what names these paths, such as ["**/secrets/**"].'
    )
