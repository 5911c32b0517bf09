"""Work out from records, registry, processes and transcripts what every session is doing."""
