"""Write to the person's terminal, and word commands for the one that a session runs in."""
