"""What happened? The journals, told, searched and pruned."""
