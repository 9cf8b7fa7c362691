"""What is given to parts that concern all of the window."""
