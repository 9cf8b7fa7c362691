"""Guided tours in the window: the panel with their words, the spotlight, and who sets the scene."""
