"""What a row is made of: stretches of text, and labels for all that is no plain text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.tokens.characters import Kind
from bpe_gui.ui.tokens.fonts import NEWLINE_MARK, hex_label, name_of
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

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


def pieces_of(cut: TokenizedText, first: int, last: int) -> list[Piece]:
    """Take a row apart. Tokens are counted from the first that is in the row."""
    writer = _Writer(cut, first, last)
    begin, end = cut.tokens_within(first, last)
    place = first
    starts, stops = cut.firsts[begin:end].tolist(), cut.lasts[begin:end].tolist()
    closes = cut.closes[begin:end].tolist()
    for token, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        writer.uncovered(place, start)
        shown = min(stop, last)
        writer.covered(max(start, first), shown, token, begin)
        if closes[token] and stop <= last:
            writer.pieces.append(LabelPiece(END_OF_WORD, max(stop - 1, 0), token))
        place = max(place, shown)
    writer.uncovered(place, last)
    return writer.pieces


class _Writer:
    """Collects pieces, joining characters that can be drawn together."""

    def __init__(self, cut: TokenizedText, first: int, last: int) -> None:
        self._cut = cut
        self._first = first
        newline = cut.characters.kinds[first:last] == Kind.NEWLINE
        self._apart: list[bool] = (cut.apart[first:last] | newline).tolist()
        self.pieces: list[Piece] = []

    def uncovered(self, start: int, stop: int) -> None:
        """Write characters that are in no token."""
        self.covered(start, stop, NO_TOKEN, 0)

    def covered(self, start: int, stop: int, token: int, begin: int) -> None:
        """Write what a token, counted from `begin`, holds of these characters."""
        if start >= stop:
            return
        apart = self._apart[start - self._first : stop - self._first]
        if True not in apart:
            self._text(start, stop, token)
            return
        for character, alone in enumerate(apart, start):
            if alone:
                self._label(character, token, begin)
            else:
                self._text(character, character + 1, token)

    def _label(self, character: int, token: int, begin: int) -> None:
        if self._cut.is_split[character]:
            text = part_label(self._cut, begin + token, character)
            self.pieces.append(LabelPiece(text, character, token, quiet=False, part=True))
        else:
            name = name_of(self._cut.characters.text[character])
            self.pieces.append(LabelPiece(name, character, token))

    def _text(self, start: int, stop: int, token: int) -> None:
        piece = self.pieces[-1] if self.pieces else None
        if not isinstance(piece, TextPiece) or piece.last != start:
            piece = TextPiece(start, start)
            self.pieces.append(piece)
        piece.last = stop
        piece.tokens += [token] * (stop - start)


def plain_pieces(cut: TokenizedText, first: int, last: int) -> list[Piece]:
    """Take apart a row in which nothing stands apart: a text, perhaps a newline."""
    newline = last > first and cut.characters.kinds[last - 1] == Kind.NEWLINE
    shown = last - 1 if newline else last
    pieces: list[Piece] = [TextPiece(first, shown)] if shown > first else []
    if newline:
        pieces.append(LabelPiece(NEWLINE_MARK, shown, NO_TOKEN))
    return pieces


def first_of(piece: Piece) -> int:
    """The first character that a piece shows, whole or in part."""
    return piece.first if isinstance(piece, TextPiece) else piece.character


def cut_at(pieces: list[Piece], edges: list[int]) -> list[Piece]:
    """The pieces, with the texts cut before these characters, which come in text order."""
    cut: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, TextPiece):
            first = piece.first
            for edge in edges[bisect_right(edges, first) : bisect_left(edges, piece.last)]:
                cut.append(_part(piece, first, edge))
                first = edge
            piece = _part(piece, first, piece.last)
        cut.append(piece)
    return cut


def _part(piece: TextPiece, first: int, last: int) -> TextPiece:
    return TextPiece(first, last, piece.tokens[first - piece.first : last - piece.first])


def part_label(cut: TokenizedText, token: int, character: int) -> str:
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
