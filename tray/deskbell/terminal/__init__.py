"""Print to the person's terminal, draw the board on it, and word the commands that a person runs in one."""
