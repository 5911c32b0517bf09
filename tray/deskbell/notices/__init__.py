"""What rings, when, why and in which words."""
