"""Searching the vocabulary while it grows."""

from __future__ import annotations

import re
from array import array
from bisect import insort
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.visible import visible, visible_text
from bpe_gui.bpe.history import History

_CHUNK = 100
_SEPARATOR = "\uffff"
_BYTES = re.compile(
    r"(?:0x)?[0-9a-f]{2}(?: +(?:0x)?[0-9a-f]{2})+|0x(?:[0-9a-f]{2})+", re.IGNORECASE
)
"""Bytes in hex: two or more with spaces between them, or any number after a 0x."""


def bytes_in_hex(text: str) -> bytes:
    """Return the bytes that a text writes in hex; none if it does not.

    >>> bytes_in_hex("20 74"), bytes_in_hex("0x20 0x74"), bytes_in_hex("0x2074")
    (b' t', b' t', b' t')
    >>> bytes_in_hex("20"), bytes_in_hex("the 74")
    (b'', b'')
    """
    written = text.strip()
    if not _BYTES.fullmatch(written):
        return b""
    return bytes.fromhex(re.sub("0x", "", written, flags=re.IGNORECASE))


class TokenSearch:
    """The ids of the tokens that contain a text.

    A token matches if the text occurs in it as it is shown (``␣the``), as it is (a typed
    space finds a space) or as the vocabulary writes it (``Ġthe``); a number also matches
    the token with that id, and bytes in hex (``20 74``, ``0x20``) match the tokens whose
    bytes contain them. Lower-case letters match upper-case ones too, as soon as one
    letter is upper-case all must match exactly.

    Tokens are looked at in the order of their ids and never again for the same text, so
    each new token costs its own time only.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._shown: list[str] = []
        self._lowered: list[str] = []
        self.start("")

    def start(self, text: str) -> None:
        """Search for another text, from the first token on. Every token has the empty text."""
        self._text = text
        self._exact = text != text.lower()
        number = text.strip().replace(",", "")
        self._bytes = bytes_in_hex(text)
        self._number = int(number) if number.isascii() and number.isdecimal() else -1
        self._found = array("q")
        self.searched = 0
        """How many tokens have been looked at: the matches below this id are final."""

    @property
    def matches(self) -> NDArray[np.int64]:
        """The matching ids among those looked at, ascending."""
        return np.frombuffer(self._found, np.int64).copy()

    def advance(self, size: int, seconds: float) -> None:
        """Search the tokens below `size` for about some seconds, at least one chunk of them."""
        until = perf_counter() + seconds
        while self.searched < size:
            stop = min(size, self.searched + _CHUNK)
            self._prepare(stop)
            self._found.extend(self._matches_between(self.searched, stop))
            self.searched = stop
            if perf_counter() > until:
                break

    def _matches_between(self, start: int, stop: int) -> list[int]:
        written = (self._shown if self._exact else self._lowered)[start:stop]
        typed, shown = self._text, visible_text(self._text)
        if typed == shown:
            found = [token for token, text in enumerate(written, start) if typed in text]
        else:
            found = [
                token for token, text in enumerate(written, start) if shown in text or typed in text
            ]
        if self._bytes:
            found = sorted({*found, *self._with_bytes(start, stop)})
        if start <= self._number < stop and self._number not in found:
            insort(found, self._number)
        return found

    def _with_bytes(self, start: int, stop: int) -> list[int]:
        bytes_of = self._history.bytes_in_text
        return [token for token in range(start, stop) if self._bytes in bytes_of(token)]

    def _prepare(self, size: int) -> None:
        """Write the tokens below an id as text, once."""
        history = self._history
        for token in range(len(self._shown), size):
            shown, written = visible(history.token_bytes(token)), history.id_to_token(token)
            if shown != written:
                shown = f"{shown}{_SEPARATOR}{written}"
            self._shown.append(shown)
            self._lowered.append(shown.lower())
