"""What happened in each session: the journals, read, summarised, searched and pruned."""
