"""Record what Claude Code does. It starts this code for every event: standard library only, a few milliseconds."""
