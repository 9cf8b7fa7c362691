"""Parts of large files that are read apart from each other, and together are the whole file.

Partitions are named by byte numbers, without a look at the file. Where one really ends is found by
whoever reads it: at the first safe place from that byte on. The place depends on nothing but the
content of the file, so both neighbours find the same one. A corpus is one row of partitions.
"""

from __future__ import annotations

import codecs

from msgspec import Struct

from bpe_gui.bpe.pre_tokenize import Cuts, cuts_of, safe_cut
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.text_files import OpenedFile

WINDOW = 1 << 16
"""Bytes in which a place is looked for at once. Partitions begin at multiples of it: neighbours
look into the same windows then, also where one has no place and the search goes on in the next."""


class Part(Struct, frozen=True):
    """The bytes of a file from about `begin` to `end`, of `size` in all, for a recipe to split."""

    begin: int
    end: int
    size: int
    recipe: Recipe

    def share(self, number: int) -> range:
        """Choose its share of a number of row groups, or whatever else a file is a row of.

        >>> from bpe_gui.bpe.recipe import preset
        >>> [list(part.share(3)) for part in parts_of(100_000, 1, preset("gpt2"))]
        [[0], [1, 2]]
        """
        return range(self.begin * number // self.size, self.end * number // self.size)

    def between(self, opened: OpenedFile, *, by_line: bool) -> tuple[int, int]:
        """Find from which byte to which it goes in a UTF-8 file, between two safe places.

        If documents are lines, `by_line`, these are the beginnings of lines. Else the words before
        such a place do not depend on what is behind it, nor the other way round; if the recipe
        allows no such place, the first part has all of the file. Raises CorpusError.
        """
        if not by_line and cuts_of(self.recipe) is Cuts.NOWHERE:  # else all would be searched
            return (0 if self.begin == 0 else self.size), self.size
        begin, end = (self._place(opened, byte, by_line) for byte in (self.begin, self.end))
        return begin, end

    def _place(self, opened: OpenedFile, byte: int, by_line: bool) -> int:
        if byte == 0:
            return 0
        for begin in range(byte, self.size, WINDOW):
            window = opened.read_at(begin, min(WINDOW, self.size - begin))
            place = window.find(b"\n") + 1 if by_line else _safe_cut(window, self.recipe)
            if place:
                return begin + place
        return self.size


def _safe_cut(window: bytes, recipe: Recipe) -> int:
    """Do as `safe_cut` with bytes that may begin and end within characters, or be no UTF-8."""
    begin = next((i for i, byte in enumerate(window[:3]) if byte & 0xC0 != 0x80), 3)
    text, _ = codecs.utf_8_decode(window[begin:], "surrogateescape", False)
    # Each wrong byte becomes a question mark, one byte as well: no place is moved.
    found = safe_cut(text.encode("utf-8", "replace"), recipe)
    return begin + found if found else 0


def parts_of(size: int, largest: int, recipe: Recipe) -> list[Part]:
    """Divide a file into parts of up to `largest` bytes, which is rounded up to whole windows.

    >>> from bpe_gui.bpe.recipe import preset
    >>> [(part.begin, part.end) for part in parts_of(150_000, 70_000, preset("gpt2"))]
    [(0, 131072), (131072, 150000)]
    """
    step = -(-largest // WINDOW) * WINDOW
    return [Part(begin, min(begin + step, size), size, recipe) for begin in range(0, size, step)]
