"""The commands of the command line; `arguments` parses what they are given."""
