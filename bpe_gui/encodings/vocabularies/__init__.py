"""Whole vocabularies: what their tokens are, which are suspicious, and how much they share."""
