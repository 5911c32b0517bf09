"""Say how dangerous it is to allow what a tool asks for: one click, two clicks, or no button that allows. Pure.

* plain: it is known to read only, or to test, check or build the project, or to edit a file of the project.
* careful: it is known to be dangerous, is not known at all, or cannot be read with certainty.
* jump: it names `.git/`, the settings of git, `.claude/`, `.mcp.json`, `~/.ssh`, what a shell starts, Deskbell's own
  settings or a place of the person's own list; it may delete all of the project or of the home; or it is too long.
  Whoever can write to such a place can run anything later, so the person has to look at the terminal, even for what
  only reads there.

No text is run, expanded or looked up here. `program.answering` calls this by way of `links`, which follows links:
before anything is offered, and again before an answer that allows is sent.
"""

from collections.abc import Mapping

from deskbell.answers.risk.entries import DEFAULT, Table, table
from deskbell.answers.risk.kind import Place, Risk, Verdict
from deskbell.answers.risk.tools import tool_risk

__all__ = ["DEFAULT", "Place", "Risk", "Table", "Verdict", "risk", "table"]


def risk(tool: str, tool_input: Mapping[str, object], place: Place, table: Table = DEFAULT) -> Risk:
    """Return the risk of allowing TOOL with TOOL_INPUT for a session at PLACE."""
    return tool_risk(tool, tool_input, place, table)
