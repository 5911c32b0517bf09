"""Word commands for the terminal that a session runs in."""
