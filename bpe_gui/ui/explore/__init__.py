"""Explore: its panels, their places in the window, and how they are connected."""
