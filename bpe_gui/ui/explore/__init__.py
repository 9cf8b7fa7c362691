"""Explore: its panels, how they stand in the window and speak to each other."""
