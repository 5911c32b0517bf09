"""Judge a tool and its input; `script` judges the command of a shell. Pure.

A tool, or a field of its input, that is not listed here needs two clicks.
"""

import re
from collections.abc import Callable, Mapping

from deskbell.answers.risk.address import address
from deskbell.answers.risk.entries import Table
from deskbell.answers.risk.kind import PLAIN, Place, Risk, careful, jump, worst
from deskbell.answers.risk.kinds import KINDS, Around
from deskbell.answers.risk.paths import absolute, lists, reads, reads_all, writes
from deskbell.answers.risk.places import place
from deskbell.answers.risk.script import TOO_LONG, judged, powershell
from deskbell.answers.risk.shell import LONGEST
from deskbell.answers.risk.words import Word, hidden

Input = Mapping[str, object]

FIELDS: dict[str, frozenset[str]] = {
    tool: frozenset(fields.split())
    for tool, fields in {
        "Bash": "command description timeout run_in_background",
        "PowerShell": "command description timeout run_in_background",
        "Read": "file_path offset limit pages",
        "NotebookRead": "notebook_path cell_id",
        "LS": "path ignore",
        "Glob": "pattern path",
        "Grep": "pattern path glob output_mode -A -B -C -n -i -o context type head_limit offset multiline",
        "Edit": "file_path old_string new_string replace_all",
        "Write": "file_path content",
        "MultiEdit": "file_path edits",
        "NotebookEdit": "notebook_path new_source cell_id cell_type edit_mode cell_number",
        "WebFetch": "url prompt",
        "WebSearch": "query allowed_domains blocked_domains",
    }.items()
}
"""Tool -> the fields of its input that are understood."""
_AGENTS = frozenset(("Task", "Agent"))
_LINES = ("-A", "-B", "-C", "context")
_DATA = re.compile(r"[\w+/=%-]{33,}")
_QUERY = 200
"""The most characters of a search that is plain."""


def tool_risk(tool: str, tool_input: Input, at: Place, table: Table) -> Risk:
    """Return the risk of TOOL with TOOL_INPUT. TABLE: what the person added."""
    if tool not in FIELDS:
        return _unlisted(tool, tool_input, at, table)
    strange = tool_input.keys() - FIELDS[tool]
    rest = _all_of({name: tool_input[name] for name in strange}, at, table) if strange else PLAIN
    found = worst((_JUDGES[tool](tool_input, at, table), rest))
    if found.verdict == "plain" and table.doubts([tool]):
        return careful("is a tool that you told Deskbell to be careful with")
    return found


def _unlisted(tool: str, tool_input: Input, at: Place, table: Table) -> Risk:
    found = _all_of(tool_input, at, table)
    if found.verdict == "jump":
        return found
    if tool.startswith("mcp__"):
        return PLAIN if table.allows(tool) else careful("is a tool of an MCP server")
    return careful("starts another agent" if tool in _AGENTS else "is a tool that is not known to be harmless")


def _all_of(value: object, at: Place, table: Table) -> Risk:
    """Return the risk of the places that an input names anywhere: nobody knows what the tool does with them."""
    texts = list(_texts(value))
    if sum(map(len, texts)) > LONGEST:
        return jump(TOO_LONG)
    for text in texts:
        if found := place(text):
            return jump(found)
        if table.guards(text, at.cwd, at):
            return jump("touches a place of your own list")
    return careful("has an input that is not understood")


def _texts(value: object) -> list[str]:
    """Return every text in VALUE, names of fields included. This does not recurse: JSON may be nested deeply."""
    found, waiting, seen = [], [value], 0
    while waiting and seen < LONGEST:
        seen += 1
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple):
            waiting += one
    return found if not waiting else ["x" * (LONGEST + 1)]


def _text(tool_input: Input, name: str) -> str | None:
    value = tool_input.get(name)
    return value if isinstance(value, str) and value else None


def _shell(judge: Callable[[str, Place, Table], Risk]) -> Callable[[Input, Place, Table], Risk]:
    def risk(tool_input: Input, at: Place, table: Table) -> Risk:
        text = _text(tool_input, "command")
        return careful("has no command") if text is None else judge(text, at, table)

    return risk


def _read(name: str) -> Callable[[Input, Place, Table], Risk]:
    def risk(tool_input: Input, at: Place, table: Table) -> Risk:
        path = _text(tool_input, name)
        if path is None:
            return careful("names no file")
        return jump("touches a place of your own list") if table.guards(path, at.cwd, at) else reads(path, at.cwd, at)

    return risk


def _write(name: str) -> Callable[[Input, Place, Table], Risk]:
    def risk(tool_input: Input, at: Place, table: Table) -> Risk:
        path = _text(tool_input, name)
        if path is None:
            return worst((careful("names no file"), _all_of(tool_input.get(name), at, table)))
        return jump("touches a place of your own list") if table.guards(path, at.cwd, at) else writes(path, at.cwd, at)

    return risk


def _list(tool_input: Input, at: Place, table: Table) -> Risk:
    """Return the risk of LS, Glob and Grep: of the folder, and of what the patterns name."""
    folder = tool_input.get("path", at.cwd)
    patterns = [tool_input.get(name, "") for name in ("pattern", "glob")]
    if not isinstance(folder, str) or not all(isinstance(one, str) for one in patterns):
        return careful("names no file")
    named = [one for one in (folder, *map(str, patterns)) if one]
    if any(table.guards(one, at.cwd, at) for one in named):
        return jump("touches a place of your own list")
    around = Around(absolute(folder or ".", at.cwd, at.home), at)
    pattern, glob = (Word(one, one, glob=True) for one in map(str, patterns))
    judged = [KINDS[kind](word, around, set()) for kind, word in (("path", pattern), ("chosen", glob)) if word.text]
    return worst((lists(folder or ".", at.cwd, at), *judged))


def _grep(tool_input: Input, at: Place, table: Table) -> Risk:
    pattern, folder = tool_input.get("pattern"), tool_input.get("path", at.cwd)
    if not isinstance(pattern, str) or not isinstance(folder, str):
        return careful("names no file")
    around = Around(at.cwd, at, recursive=True)
    without = {name: value for name, value in tool_input.items() if name != "pattern"}
    searched = KINDS["search"](Word(pattern, pattern), around, set())
    lines = [KINDS["context"](Word(str(tool_input.get(name, 0))), around, set()) for name in _LINES]
    return worst((searched, *lines, reads_all(folder or ".", at.cwd, at), _list(without, at, table)))


def _fetch(tool_input: Input, _: Place, table: Table) -> Risk:
    url = _text(tool_input, "url")
    return careful("names no address") if url is None else address(url, table)


def _search(tool_input: Input, _: Place, __: Table) -> Risk:
    query = _text(tool_input, "query")
    if query is None or hidden(query):
        return careful("has a query that cannot be read with certainty")
    long = len(query) > _QUERY or _DATA.search(query)
    return careful("sends a long text to a search") if long else PLAIN


_JUDGES: dict[str, Callable[[Input, Place, Table], Risk]] = {
    "Bash": _shell(judged),
    "PowerShell": _shell(powershell),
    "Read": _read("file_path"),
    "NotebookRead": _read("notebook_path"),
    "LS": _list,
    "Glob": _list,
    "Grep": _grep,
    "Edit": _write("file_path"),
    "Write": _write("file_path"),
    "MultiEdit": _write("file_path"),
    "NotebookEdit": _write("notebook_path"),
    "WebFetch": _fetch,
    "WebSearch": _search,
}
