"""An afternoon to watch, without Claude Code."""
