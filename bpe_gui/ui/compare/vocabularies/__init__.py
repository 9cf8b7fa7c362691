"""The vocabularies of the lanes: browsed, and held against each other."""
