"""What the commands of the command line do; `arguments` understands what they are told."""
