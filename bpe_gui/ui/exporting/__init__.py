"""Exporting from the window: pictures of its panels, and what moves."""
