"""What rings, when, why, and what it says."""
