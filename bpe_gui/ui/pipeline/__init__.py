"""The pipeline drawn: all stages of one text, one under the other and aligned in columns."""
