"""Which tokens are selected, so that it survives tokens growing under it."""

from __future__ import annotations

from bpe_gui.ui.tokens.tokenized_text import TokenizedText

NOTHING = -1


class TokenSelection:
    """An inclusive range of tokens from an anchor to the current token.

    `current` and `anchor` are indexes into the cut shown now, or NOTHING.
    """

    def __init__(self) -> None:
        self.anchor = NOTHING
        self.current = NOTHING

    def __bool__(self) -> bool:
        return self.current != NOTHING

    def clear(self) -> None:
        """Select nothing."""
        self.anchor = self.current = NOTHING

    def move(self, token: int, extend: bool) -> None:
        """Make a token current, alone or together with all from the anchor on."""
        self.current = token
        if not extend or self.anchor == NOTHING:
            self.anchor = token

    def range(self) -> tuple[int, int]:
        """The first selected token and the one after the last; (0, 0) for none."""
        if self.current == NOTHING:
            return 0, 0
        return min(self.anchor, self.current), max(self.anchor, self.current) + 1

    def follow(self, old: TokenizedText, new: TokenizedText) -> None:
        """Stay on the same text when it is cut anew."""
        if self.current == NOTHING:
            return
        if not len(new):
            self.clear()
            return
        first, end = self.range()
        forward = self.anchor <= self.current
        low = self._token_at(old, new, first)
        high = max(low, self._token_at(old, new, end - 1))
        self.anchor, self.current = (low, high) if forward else (high, low)

    @staticmethod
    def _token_at(old: TokenizedText, new: TokenizedText, token: int) -> int:
        """The token of the new cut that holds the end of a token of the old one."""
        end = int(old.ends[token])
        if old.starts[token] == end:
            # An end-of-word mark by itself; later it is part of the token before it.
            place = new.token_at_byte(end) - 1
        else:
            place = new.token_at_byte(end - 1)
        return max(0, min(place, len(new) - 1))
