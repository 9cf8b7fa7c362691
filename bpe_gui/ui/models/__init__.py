"""Qt item models over the history."""
