"""What a row is made of: stretches of text, and labels for all that is no plain text."""

from __future__ import annotations

from dataclasses import dataclass, field

from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.tokens.characters import Kind
from bpe_gui.ui.tokens.cut import Cut
from bpe_gui.ui.tokens.fonts import NEWLINE_MARK, hex_label, name_of

NO_TOKEN = -1


@dataclass(slots=True)
class TextPiece:
    """Characters from `first` to `last`; `tokens` has the token of each, from the row's first."""

    first: int
    last: int
    tokens: list[int] = field(default_factory=list)


@dataclass(slots=True)
class LabelPiece:
    """A name, a mark or some bytes in hex; `part` if it stands for part of a character."""

    text: str
    character: int
    token: int
    quiet: bool = True
    part: bool = False


Piece = TextPiece | LabelPiece


def pieces_of(cut: Cut, first: int, last: int) -> list[Piece]:
    """Take a row apart. Tokens are counted from the first that is in the row."""
    writer = _Writer(cut)
    begin, end = cut.tokens_within(first, last)
    place = first
    for token in range(begin, end):
        start, stop = max(int(cut.firsts[token]), first), min(int(cut.lasts[token]), last)
        for character in range(place, start):
            writer.character(character, NO_TOKEN)
        for character in range(start, stop):
            writer.token_character(character, token, begin)
        if cut.closes[token] and cut.lasts[token] <= last:
            place_before = max(int(cut.lasts[token]) - 1, 0)
            writer.label(LabelPiece(END_OF_WORD, place_before, token - begin))
        place = max(place, stop)
    for character in range(place, last):
        writer.character(character, NO_TOKEN)
    return writer.pieces


class _Writer:
    """Collects pieces, joining characters that can be drawn together."""

    def __init__(self, cut: Cut) -> None:
        self._cut = cut
        self.pieces: list[Piece] = []

    def label(self, piece: LabelPiece) -> None:
        self.pieces.append(piece)

    def character(self, character: int, token: int) -> None:
        """Write a character that is in one token, or in none."""
        characters = self._cut.characters
        if characters.kinds[character] == Kind.NEWLINE:
            self.label(LabelPiece(NEWLINE_MARK, character, token))
        elif self._cut.apart[character]:
            self.label(LabelPiece(name_of(characters.text[character]), character, token))
        else:
            piece = self.pieces[-1] if self.pieces else None
            if not isinstance(piece, TextPiece) or piece.last != character:
                piece = TextPiece(character, character)
                self.pieces.append(piece)
            piece.last = character + 1
            piece.tokens.append(token)

    def token_character(self, character: int, token: int, begin: int) -> None:
        """Write a character, or as much of it as the token holds."""
        if not self._cut.is_split[character]:
            self.character(character, token - begin)
            return
        text = part_label(self._cut, token, character)
        self.label(LabelPiece(text, character, token - begin, quiet=False, part=True))


def part_label(cut: Cut, token: int, character: int) -> str:
    """The bytes of a character that a token holds, in hex.

    Where normalization has made several tokens of one character, each seems to hold all
    of it; then the label says what the token has instead.
    """
    edges = cut.characters.byte_starts
    start = max(int(cut.starts[token]), int(edges[character]))
    end = min(int(cut.ends[token]), int(edges[character + 1]))
    if start > edges[character] or end < edges[character + 1]:
        return hex_label(cut.characters.data[start:end])
    alone = cut.lasts[token] - cut.firsts[token] == 1
    return cut.name(token) if alone else "…"
