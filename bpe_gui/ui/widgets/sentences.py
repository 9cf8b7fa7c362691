"""Errors as sentences for the user."""

from __future__ import annotations

from pathlib import Path

from bpe_gui.bpe.corpus import CorpusError, Hint
from bpe_gui.bpe.recipe import END_OF_WORD

_IN_THE_MENU: dict[str, str] = {
    Hint.NAME_ENCODING: "choose the encoding it is written in under Corpus ▸ Encoding",
    Hint.REPLACE: "turn on Corpus ▸ Replace bytes that do not decode",
    Hint.NAME_FIELD: "name the one that holds the text under Corpus ▸ Field or column",
}
"""The menus with the settings that make a corpus readable."""


def as_sentence(error: BaseException | str) -> str:
    """Return the text of an error as a sentence, with a capital and a full stop.

    File errors name the file. A file name at the start keeps its spelling. Hints name the menu
    of a setting.
    """
    if isinstance(error, CorpusError):
        text = error.sentence(_IN_THE_MENU, names_encodings=False)
    elif isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        text = str(error) or type(error).__name__
    if text.split(" ", 1)[0].replace("-", "").isalpha():
        text = text[:1].upper() + text[1:]
    return text.rstrip(".") + "."


def as_reason(sentence: BaseException | str) -> str:
    """Return a sentence as it follows a colon: with a small letter and no full stop.

    A name at the start keeps its spelling.

    >>> as_reason("A picture is too large.")
    'a picture is too large'
    >>> as_reason("MP4 needs a library.")
    'MP4 needs a library'
    """
    text = str(sentence).rstrip(".")
    word = text.split(" ", 1)[0]
    ordinary = word.replace("-", "").isalpha() and word[1:].lower() == word[1:]
    return text[:1].lower() + text[1:] if ordinary else text


def cannot_be_written(path: Path, error: OSError, instead: str = "save it elsewhere") -> str:
    """Say that a file cannot be written, and what to do: a sentence without its full stop.

    An error of `check_writable` says itself what to do.
    """
    if error.strerror is None:
        said = str(error)
        return said if said.startswith(str(path)) else f"{path} cannot be written: {said}"
    return f"{path} cannot be written: {error.strerror}; {instead}"


_JOINER = "\N{WORD JOINER}"
_HELD = (("“ ", "“\N{NO-BREAK SPACE}"), (" ”", "\N{NO-BREAK SPACE}”"))
_WHOLE = END_OF_WORD.replace("/", f"/{_JOINER}")


def unbroken(text: str) -> str:
    """Return a text in which no line break splits the end-of-word mark at its slash.

    An invisible character holds the mark together, and a no-break space a quotation mark and a word
    where a space belongs to what is quoted.

    >>> unbroken("est</w> “ the”").replace("\\N{WORD JOINER}", "-")
    'est</-w> “\\xa0the”'
    """
    for space, held in _HELD:
        text = text.replace(space, held)
    return text.replace(END_OF_WORD, _WHOLE)


def as_written(text: str) -> str:
    """Return a text that was made `unbroken`, or HTML with one, as it was before.

    >>> as_written(unbroken("est</w>"))
    'est</w>'
    """
    for space, held in _HELD:
        text = text.replace(held, space)
    return text.replace(_JOINER, "")
