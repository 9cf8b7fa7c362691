r"""Write a text in one line with all characters visible, and parse it back.

| in the text                                       | written                           |
|---------------------------------------------------|-----------------------------------|
| space                                             | ``␣``                             |
| newline, tab, carriage return                     | ``\n`` ``\t`` ``\r``              |
| backslash                                         | ``\\``                            |
| invisible characters, combining marks, the mark ␣ | ``\u00a0``, ``\U000e0020`` beyond |

Unlike `bpe_gui.analysis.visible`, which is only for reading, this is exact both ways.
"""

from __future__ import annotations

import re
import unicodedata

_SPACE = "␣"
_SHORT = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\\": r"\\", " ": _SPACE}
_LONG = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_WRITTEN = re.compile(r"␣|\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([ntr\\]))")
_SURROGATES = range(0xD800, 0xE000)
_CODE_POINTS = 0x110000

EXPLAINED = r"\n is a newline, \t a tab, \\ a backslash, \u00e9 the character of that number"
"""The explanation beside fields with escapes."""


def escaped(text: str) -> str:
    r"""Write a text with escapes; `unescaped` parses it.

    >>> print(escaped("a b\n\\"))
    a␣b\n\\
    """
    return "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    hidden = not character.isprintable() or unicodedata.category(character).startswith("M")
    if hidden or character == _SPACE:
        code = ord(character)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character


def unescaped(written: str) -> str:
    r"""Parse a text with escapes.

    Half an escape stays as it is, and so does the number of no character (`\ud800`).

    >>> unescaped(r"a␣\u00e9\n"), unescaped("a b\\d\\")
    ('a é\n', 'a b\\d\\')
    """
    return _WRITTEN.sub(_meant, written)


def _meant(match: re.Match[str]) -> str:
    short, long, letter = match.groups()
    if letter is not None:
        return _LONG[letter]
    if short is None and long is None:
        return " "
    code = int(short or long, 16)
    return match[0] if code in _SURROGATES or code >= _CODE_POINTS else chr(code)
