"""Write to the person's terminal, and word the commands that a person runs in one."""
