"""Show the sessions as a board of cards in a terminal, as values: what is shown where, and what a key asks for.

Pure. `deskbell.terminal.tui` draws the values; `deskbell.commands.board` carries out what is asked.
"""
