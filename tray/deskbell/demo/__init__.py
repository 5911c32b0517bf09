"""Play an eventful afternoon through the real hooks, without Claude Code."""
