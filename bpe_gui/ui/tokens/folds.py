"""Fold the middle of very long lines in an editor into one character.

Qt lays out a whole line at each keystroke in it. So of a very long line only the beginning and
the end are laid out, with an ellipsis between them. The ellipsis carries the hidden text in its
format, so that deleting, undoing and copying it does the same with the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat

LONGEST_LINE = 50_000
"""Characters of a line that are laid out within a frame."""

FOLD = "⋯"
_KEPT = 10_000
"""Characters that stay at either end of a line that is folded."""
_FOLDED = QTextFormat.Property.UserProperty.value
_NUMBER = _FOLDED + 1
"""Properties of a fold's format: the hidden text, and a number that no other fold has."""
MARKS = ("\ufeff", "\ufffe")
"""Byte-order marks to PySide at the start of a text: it drops the first, and swaps all bytes for
the second."""
_BEFORE = " "
"""Put before a text to protect it from that."""

_numbers = count(1)


def lines_beyond(text: str, length: int, line_end: str = "\n") -> Iterator[tuple[int, int]]:
    """Yield start and end of the lines that have more characters; few of the others are read.

    >>> list(lines_beyond("low\\nlower\\n", 4))
    [(4, 9)]
    """
    start = 0
    while len(text) - start > length:
        end = text.rfind(line_end, start, start + length + 1)
        if end < 0:
            end = text.find(line_end, start)
            end = len(text) if end < 0 else end
            yield start, end
        start = end + 1


def insert(cursor: QTextCursor, text: str) -> None:
    """Replace the selection by a text, its very long lines folded.

    Its lines end with `\\n`, and it has no other character that a document breaks lines at.
    """
    plain = QTextCharFormat()
    cursor.beginEditBlock()
    done = 0
    for first, last in lines_beyond(text, LONGEST_LINE):
        start, end = first + _KEPT, last - _KEPT
        _insert(cursor, text[done:start], plain)
        cursor.insertText(FOLD, _format_of(text[start:end]))
        done = end
    _insert(cursor, text[done:], plain)
    cursor.endEditBlock()


def unfolded(document: QTextDocument, raw: str, first: int, last: int) -> str:
    """Return the text between two positions in UTF-16 units, with the text of folds.

    `raw` is all of the document's raw text. Lines end with U+2029, as Qt has them. Halves of
    characters that cannot be encoded become U+FFFD.
    """
    size = document.characterCount() - 1
    if (first, last) != (0, size):
        raw = raw[first:last] if len(raw) == size else _between(raw, first, last)
    if any(written.hasProperty(_NUMBER) for written in document.allFormats()):
        raw = _with_folded(document, raw, first)
    if raw.isascii():
        return raw
    return raw.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def fold_at(document: QTextDocument, position: int) -> str:
    """Return the text of the fold after a position; empty if there is none."""
    number, text = _fold(document, position)
    # A character that a program writes behind a fold inherits its format.
    return text if number and number != _fold(document, position - 1)[0] else ""


def belongs_to_fold(written: QTextCharFormat) -> bool:
    """Return whether this is the format of a fold, which nothing else may inherit."""
    return written.hasProperty(_NUMBER)


def _fold(document: QTextDocument, position: int) -> tuple[int, str]:
    """Return the number and the text of what looks like a fold; 0 for none."""
    if document.characterAt(position) != FOLD:
        return 0, ""
    cursor = QTextCursor(document)
    cursor.setPosition(position + 1)
    written = cursor.charFormat()
    return written.intProperty(_NUMBER), written.stringProperty(_FOLDED).removeprefix(_BEFORE)


def _insert(cursor: QTextCursor, text: str, written: QTextCharFormat) -> None:
    """Insert a text character for character."""
    if not text.startswith(MARKS):
        cursor.insertText(text, written)
        return
    cursor.removeSelectedText()
    start = cursor.position()
    cursor.insertText(_BEFORE + text, written)
    end = cursor.position()
    cursor.setPosition(start)
    cursor.deleteChar()
    cursor.setPosition(end - 1)


def _format_of(text: str) -> QTextCharFormat:
    folded = QTextCharFormat()
    folded.setProperty(_FOLDED, _BEFORE + text)
    folded.setProperty(_NUMBER, next(_numbers))
    folded.setFontWeight(QFont.Weight.Bold)
    folded.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    return folded


def _with_folded(document: QTextDocument, raw: str, first: int) -> str:
    """Return a raw text, which begins at position `first`, with the text of its folds."""
    parts = []
    place, position, done = raw.find(FOLD), first, 0
    while place >= 0:
        part = raw[done:place]
        position += _units(part)
        parts += [part, fold_at(document, position) or FOLD]
        position += 1
        done = place + 1
        place = raw.find(FOLD, done)
    return "".join([*parts, raw[done:]])


def _units(text: str) -> int:
    """Return how many positions Qt counts in a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _between(raw: str, first: int, last: int) -> str:
    """Part of a raw text, by positions."""
    units = raw.encode("utf-16-le", "surrogatepass")[2 * first : 2 * last]
    return units.decode("utf-16-le", "surrogatepass")
