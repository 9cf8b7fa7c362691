"""Why this pair is merged, in one card."""
