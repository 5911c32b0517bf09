"""Merge records, registry, processes and transcripts into what is true of every session."""
