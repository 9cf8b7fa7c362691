"""Presenting: the panels that the speaker chose, alone on the screen, in large type."""
