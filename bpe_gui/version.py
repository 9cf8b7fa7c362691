"""The version of the program, apart from the package so that any part of it may tell it."""

__version__ = "0.1.0"
