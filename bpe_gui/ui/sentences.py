"""Errors as sentences for the user."""

from __future__ import annotations


def as_sentence(error: BaseException) -> str:
    """An error's own words, with a capital and a full stop; file errors name the file.

    A file name at the start keeps its spelling.
    """
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        text = str(error) or type(error).__name__
    if text.split(" ", 1)[0].isalpha():
        text = text[:1].upper() + text[1:]
    return text.rstrip(".") + "."
