"""A text as coloured tokens, and as one types it."""
