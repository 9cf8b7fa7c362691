"""What leaves the program: coloured texts, merges and tables, as files for others to read."""
