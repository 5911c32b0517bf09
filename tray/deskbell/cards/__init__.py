"""Work out the board of cards in the terminal, as values: what it shows where, and which order a key gives.

Pure. `deskbell.terminal.tui` draws the values; `deskbell.commands._hands` carries out the orders.
"""
