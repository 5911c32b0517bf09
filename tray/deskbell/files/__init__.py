"""Read, write and lock small files, and tell whether a file has changed."""
