"""Play the afternoon of `deskbell demo` through the real hooks, without Claude Code."""
