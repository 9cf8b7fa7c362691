"""The mark for the end of a word stays whole where a sentence goes on in the next line."""

from __future__ import annotations

from bpe_gui.bpe.recipe import END_OF_WORD

_JOINER = "\N{WORD JOINER}"
_WHOLE = END_OF_WORD.replace("/", f"/{_JOINER}")


def unbroken(text: str) -> str:
    """A text to be shown in lines: none of them ends within the mark, at its slash.

    The sign that holds it together is not seen.

    >>> unbroken("est</w>").replace("\\N{WORD JOINER}", "-")
    'est</-w>'
    """
    return text.replace(END_OF_WORD, _WHOLE)


def as_written(text: str) -> str:
    """The text that was made `unbroken`, as it was before.

    >>> as_written(unbroken("est</w>"))
    'est</w>'
    """
    return text.replace(_WHOLE, END_OF_WORD)
