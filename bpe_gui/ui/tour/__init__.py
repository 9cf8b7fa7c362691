"""Guided tours, shown with the window itself."""
