"""Write the pages that a click opens in the person's browser: the board, details, checks, changes, about.

Pure. `markup` makes every element, and escapes every text. `deskbell.program.surfaces` gathers what a page shows,
writes it into a file and opens it. The program imports this room for a click only.
"""
