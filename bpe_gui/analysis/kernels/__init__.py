"""The compiled loops of the analyses."""
