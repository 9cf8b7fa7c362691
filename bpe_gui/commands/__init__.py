"""What the commands of the command line do; `cli` understands their arguments."""
