"""Write the pages that a click opens in the person's browser: the board, details, checks, changes, about.

Pure. `markup` makes every element, and escapes every text. `deskbell.program.surfaces` gathers the data of a page,
writes it into a file and opens it. The program imports this room only for such a click.
"""
