"""Record what Claude Code does, and show it in the statusline and in tmux. Standard library only, a few milliseconds.

`record` is the hook: `trim` and `redact` make the line of the journal, `fold` makes the record, `files` writes both. To
find secrets, `redact` uses `tokens`, `prefixes`, `named`, `commands`, `sentences` and `structures`. `runs`, `requests`,
`work` and `notes` are parts of `fold`.

`ask` is the asker: `wire` connects it to the program, and `decision` says what it may print.

`statusline` is the line in Claude Code: `segments` words its parts, `layout` fits them, `linesettings` reads the
settings, `others` finds the sessions that wait, `ownline` runs the person's own line, `branch` and `columns` help.

tmux has two parts: `panes` words the options of a pane and `paneoptions` writes them; `tmuxline` prints who waits.
"""
