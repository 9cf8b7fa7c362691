"""Where a document may be cut so that both parts are normalized and split as the whole is.

What a corpus holds streams by in blocks, and a block ends where every word ends whatever
comes after. Which places those are depends on the recipe:

- after a letter and before a space or newline every split of the scanner ends a word, and no
  normalizer looks across, but for those that ask where a document begins or ends, or that
  replace a regex, which may look anywhere;
- after a newline a word begins too, provided that the normalizers leave the white space
  around it as it is, or that the split does not care how much white space there is;
- a split that cuts nowhere and the matches of a regex have no such place at all.

What has no such place is held until its document ends, up to a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache

import numpy as np

from bpe_gui.bpe import split
from bpe_gui.bpe.character_classes import character_classes
from bpe_gui.bpe.kernels.characters import LETTER
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import NORMALIZERS, Normalizer, Recipe, RecipeError

LONGEST_HELD = 32 << 20
"""Bytes that a document may have if the recipe needs to see the whole of it at once."""

_ANYWHERE = frozenset(NORMALIZERS) - {"strip"}
"""Normalizers that look neither at the ends of a document nor across an ASCII character."""

_KEEP_WHITE_SPACE = frozenset({"nfc", "nfd", "lowercase"})
"""Those of them that leave white space, letters and numbers what and where they are."""

_WHITE_SPACE_APART = frozenset({"whitespace", "bert", "lines"})
"""Splits in which what is beside white space does not depend on how much there is."""

_DROP_WHITE_SPACE = frozenset({"whitespace", "bert"})

_CANDIDATES = 10_000
"""How many places are looked at before a piece is taken to have no place to cut at."""


class Cuts(Enum):
    """Where a document may be cut."""

    LINES = "after letters and between lines"
    LETTERS = "after letters"
    NOWHERE = "nowhere"


def cuts_of(recipe: Recipe) -> Cuts:
    """Where documents may be cut for a recipe."""
    steps = recipe.normalizers
    if recipe.split == "none" or split.matched_pattern(recipe.split) is not None:
        return Cuts.NOWHERE
    if not _ANYWHERE.issuperset(steps):
        return Cuts.NOWHERE
    if "bert-chinese" in steps and recipe.split not in _DROP_WHITE_SPACE:
        return Cuts.LETTERS  # else a space could be put in right at the cut
    if recipe.split in _WHITE_SPACE_APART or _KEEP_WHITE_SPACE.issuperset(steps):
        return Cuts.LINES
    return Cuts.LETTERS


def safe_cut(
    text: bytes, recipe: Recipe, *, specials: Sequence[bytes] = (), compiled: bool | None = None
) -> int:
    """The last byte at which a word begins for certain, or 0 if there is no such place.

    The words before it do not depend on what comes after it, nor those after it on what
    comes before. It is never within a word between white space, nor within a special token,
    in whichever way these are looked for. `text` is valid UTF-8, not yet normalized, and may
    be followed by more.
    """
    cuts = cuts_of(recipe)
    if cuts is Cuts.NOWHERE:
        return 0
    if cuts is Cuts.LINES:
        return split.safe_cut(text, recipe.split, specials=specials, compiled=compiled)

    def last_place(limit: int) -> int:
        # It has to be a letter after normalization too, wherever it stands.
        return last_blank_after(text, limit, lambda c: _stays_letter(c, recipe.normalizers))

    return split.clear_of(specials, text, last_place)


def check_held(recipe: Recipe, size: int) -> None:
    """Raise RecipeError if a document of at least so many bytes is too long for a recipe.

    Presets have no bound: `raw` holds a document however long it is.
    """
    if size <= LONGEST_HELD:
        return
    cuts = cuts_of(recipe)
    if cuts is Cuts.LINES or (recipe.split == "none" and _ANYWHERE.issuperset(recipe.normalizers)):
        return
    if cuts is Cuts.LETTERS:
        raise RecipeError(
            f"a document has no place between words within {LONGEST_HELD >> 20} MB where the "
            f"normalizers of {recipe.name!r} let it be cut; make each line a document"
        )
    blamed = [str(step) for step in recipe.normalizers if step not in _ANYWHERE]
    part = f"normalizer {blamed[0]!r}" if blamed else f"pre-tokenization {recipe.split!r}"
    raise RecipeError(
        f"a document is longer than {LONGEST_HELD >> 20} MB, and the {part} needs to see the "
        "whole of a document at once; make each line a document, or use shorter ones"
    )


def last_blank_after(
    text: bytes, limit: int, wanted: Callable[[str], bool], blanks: bytes = b" \n"
) -> int:
    """The last place before `limit` between a wanted character and one of the blanks, or 0."""
    is_blank = np.zeros(256, np.bool_)
    is_blank[list(blanks)] = True
    places = np.flatnonzero(is_blank[np.frombuffer(text, np.uint8)[:limit]])[-_CANDIDATES:]
    for place in places[::-1].tolist():
        begin = place
        while begin > 0 and (begin == place or text[begin] & 0xC0 == 0x80):
            begin -= 1
        if begin < place and wanted(text[begin:place].decode("utf-8")):
            return int(place)
    return 0


@lru_cache(maxsize=1 << 12)
def _stays_letter(character: str, steps: tuple[Normalizer, ...]) -> bool:
    """Whether a character is a letter, and ends in one when it has been normalized."""
    classes = character_classes()
    if not classes[ord(character)] & LETTER:
        return False
    made = normalize(character, steps)
    return bool(made) and bool(classes[ord(made[-1])] & LETTER)
