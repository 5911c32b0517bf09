"""Record what Claude Code does, and tell the statusline and tmux. Standard library only, a few milliseconds.

`record` is the hook: `trim` and `redact` make the line of the journal, `fold` makes the record, `files` writes both. To
find secrets, `redact` asks `tokens`, `prefixes`, `named`, `commands`, `sentences` and `structures`.

`ask` is the asker: `wire` connects it to the program, and `decision` says what it may print.

`statusline` is the line in Claude Code: `segments` words its parts, `layout` fits them, `linesettings` reads the
settings, `others` finds the sessions that wait, `ownline` runs the person's own line, `branch` and `columns` help.

tmux has two parts: `panes` words the options of a pane and `tellpane` writes them; `tmuxline` prints who waits.
"""
