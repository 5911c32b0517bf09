"""Turn text, times and sessions into words that are safe and short enough to show. Every module here is pure."""
