"""Searching the vocabulary while it grows."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.visible import (
    NEWLINE,
    SPACE,
    TAB,
    bytes_in_hex,
    visible,
    visible_bytes,
    visible_text,
)
from bpe_gui.bpe.errors import PatternTimeoutError, shown
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.regexes import compiled
from bpe_gui.ui.panels.vocabulary.wording import takes_too_long
from bpe_gui.ui.run.background import PATIENCE

if TYPE_CHECKING:
    from regex import Pattern

EXACT, WHOLE, WORD, BEGINS, WITHIN = range(5)
"""Which part of a token a text is that was searched for, the best first.

A whole token may have capitals where the text has none. A word is the whole token but for the space
before it or the mark of its end.
"""
_CHUNK = 100
_UNMARKED = str.maketrans({SPACE: " ", NEWLINE: "\n", TAB: "\t"})
_SEPARATOR = "\uffff"


class TokenSearch:
    """The ids of the tokens that match a text and pass filters, the best matches known as such.

    A token matches if the text occurs in it as it is shown (``␣the``), as it is (a typed
    space finds a space) or as the vocabulary writes it (``Ġthe``); a number also matches
    the token with that id, and bytes in hex (``20 74``, ``0x20``) match the tokens whose
    bytes contain them. Lower-case letters match upper-case ones too, as soon as one
    letter is upper-case all must match exactly. A regular expression matches tokens as they are;
    the marks for spaces, newlines and tabs may stand for them.

    Tokens are looked at in the order of their ids and never again for the same text, so
    each new token costs its own time only.
    """

    def __init__(self, history: History) -> None:
        self.history = history
        self._shown: list[str] = []
        self._lowered: list[str] = []
        self.start("")

    def start(
        self, text: str, *, is_regex: bool = False, passes: Sequence[Callable[[bytes], bool]] = ()
    ) -> None:
        """Search for another text, from the first token on. Every token has the empty text.

        `passes` tell of the bytes of a token whether it is looked at. Raises PatternError for a
        text that is no regular expression although it should be one.
        """
        self._pattern = compiled(text.translate(_UNMARKED), "search") if is_regex and text else None
        self._text = text
        self._forms = tuple(dict.fromkeys((text, visible_text(text))))
        self._passes = passes
        self._exact = text != text.lower()
        number = text.strip().replace(",", "")
        self._bytes = bytes_in_hex(text)
        is_number = number.isascii() and number.isdecimal()
        self._number = self.history.from_own_id(int(number)) if is_number else -1
        self._found = array("q")
        self._ranks = array("b")
        self.searched = 0
        """How many tokens have been looked at: the matches below this id are final."""

    def matches(self, size: int) -> NDArray[np.int64]:
        """Return the matching ids below `size` among those looked at, ascending."""
        found = np.frombuffer(self._found, np.int64)
        return found[: np.searchsorted(found, size)].copy()

    def ranks(self, size: int) -> NDArray[np.int8]:
        """Return of each match which part of the token it is."""
        return np.frombuffer(self._ranks, np.int8)[: len(self.matches(size))].copy()

    def advance(self, size: int, seconds: float) -> None:
        """Search the tokens below `size` for about some seconds, at least one chunk of them.

        Raises PatternTimeoutError if a regular expression takes too long for a token.
        """
        until = perf_counter() + seconds
        chunk = _CHUNK if self._pattern is None else 1
        while self.searched < size:
            stop = min(size, self.searched + chunk)
            self._search_between(self.searched, stop)
            self.searched = stop
            if perf_counter() > until:
                break

    def _search_between(self, start: int, stop: int) -> None:
        tokens: Sequence[int] = range(start, stop)
        content = self.history.bytes_in_text
        for passes in self._passes:
            tokens = [token for token in tokens if passes(content(token))]
        if not self._text:
            self._add(tokens, [0] * len(tokens))
        elif self._pattern is not None:
            self._match(tokens, self._pattern)
        else:
            self._prepare(stop)
            found = self._matching(tokens)
            self._add(found, list(map(self._rank, found)))

    def _add(self, tokens: Sequence[int], ranks: Sequence[int]) -> None:
        self._found.extend(tokens)
        self._ranks.extend(ranks)

    def _match(self, tokens: Sequence[int], pattern: Pattern[str]) -> None:
        for token in tokens:
            text = self.history.token_bytes(token).decode("utf-8", "replace")
            try:
                found = pattern.search(text, timeout=PATIENCE)
            except TimeoutError:
                raise PatternTimeoutError(
                    takes_too_long(shown(pattern.pattern), shown(text))
                ) from None
            if found is not None:
                begins, ends = found.start() == 0, found.end() == len(text)
                self._add([token], [WHOLE if begins and ends else BEGINS if begins else WITHIN])

    def _matching(self, tokens: Sequence[int]) -> list[int]:
        written = self._shown if self._exact else self._lowered
        typed, *others = self._forms
        found = [token for token in tokens if typed in written[token]]
        also = [token for form in others for token in tokens if form in written[token]]
        if self._bytes:
            content = self.history.bytes_in_text
            also += [token for token in tokens if self._bytes in content(token)]
        if self._number in tokens:
            also.append(self._number)
        return sorted({*found, *also}) if also else found

    def _rank(self, token: int) -> int:
        forms = (self._shown if self._exact else self._lowered)[token].split(_SEPARATOR)
        content = self.history.bytes_in_text(token) if self._bytes else b""
        if token == self._number or (content and content == self._bytes):
            return EXACT
        if any(form in self._forms for form in self._shown[token].split(_SEPARATOR)):
            return EXACT
        if any(form in self._forms for form in forms):
            return WHOLE
        if any(form.removeprefix(SPACE).removesuffix(END_OF_WORD) in self._forms for form in forms):
            return WORD
        begins = any(form.startswith(self._forms) for form in forms)
        return BEGINS if begins or (content and content.startswith(self._bytes)) else WITHIN

    def _prepare(self, size: int) -> None:
        history = self.history
        for token in range(len(self._shown), size):
            content, as_in_file = history.token_bytes(token), history.id_to_token(token)
            is_byte = history.is_fallback_byte(token)
            written = visible_bytes(content) if is_byte else visible(content)
            if written != as_in_file:
                written = f"{written}{_SEPARATOR}{as_in_file}"
            self._shown.append(written)
            self._lowered.append(written.lower())
