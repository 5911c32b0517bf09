"""Work out the board of cards in the terminal, as values: what is shown where, and what a key orders.

Pure. `deskbell.terminal.tui` draws the values; `deskbell.commands.board` carries out the orders.
"""
