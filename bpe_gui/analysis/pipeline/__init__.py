"""What each stage of a recipe makes of a text."""
