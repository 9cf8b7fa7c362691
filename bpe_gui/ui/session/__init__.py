"""Runs and their surroundings, saved to a file and opened again."""
