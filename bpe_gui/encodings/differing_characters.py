"""The characters that the `tokenizers` library takes otherwise than we do, in words.

Its tables of Unicode are other ones than those of the running Python: older for the
normalization forms, newer for lower case. Both are asked about every character that a step may
change, by itself and beside marks, so what is said holds for whatever is installed. Of those
that it splits off otherwise, `differing_splits` tells.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import regex
from tokenizers import normalizers

from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.encodings.differing_splits import differing_in
from bpe_gui.encodings.huggingface_steps import NORMALIZERS

_POINTS = (
    *range(0xD800),
    *range(0xF900, 0x20000),
    *range(0x2F800, 0x2FA20),
    *range(0xE0000, 0xE0200),
)
"""Where there are characters that a step may change: elsewhere are ideographs and private use."""

_APART = "q||q"
"""Stands between two texts that are normalized at once: no step looks across or makes it."""

_LISTED = 3
"""Characters that a sentence lists."""


@dataclass(frozen=True, slots=True)
class Differing:
    """Characters that two libraries normalize differently.

    always: wherever they stand. beside_marks: only beside certain others, for they are marks
    that one of the two does not put in order, or parts that one does not compose.
    """

    always: str = ""
    beside_marks: str = ""


def caution(recipe: Recipe) -> str:
    """The sentence about the characters that a saved recipe normalizes otherwise, if any.

    >>> caution(Recipe(normalizers=("strip-accents",)))
    ''
    """
    found = differing(recipe)
    said = [_counted(found.always)] if found.always else []
    if found.beside_marks:
        said.append(f"{_counted(found.beside_marks)} beside others that combine")
    return _otherwise(" or ".join(said), "normalizes")


def aside(recipe: Recipe) -> str:
    """The sentence about the characters that a saved recipe splits off otherwise, if any.

    They are so new to Unicode, or so rare, that nobody needs it who does not look on.

    >>> aside(Recipe(split="whitespace"))
    ''
    """
    found = differing_in(recipe.split)
    return _otherwise(_counted(found) if found else "", "splits")


def _otherwise(characters: str, does: str) -> str:
    if not characters:
        return ""
    return (
        f"the tokenizers library may cut texts otherwise that have {characters}, for what {does} "
        "them there has another version of Unicode"
    )


def cause(recipe: Recipe, text: str) -> str:
    """Why the library cuts a text otherwise, if that is for some of its characters; else empty.

    >>> cause(Recipe(normalizers=("nfkc",), split="whitespace"), "the era of \u32ff")
    'the tokenizers library has another version of Unicode for ㋿ U+32FF'
    """
    found = differing(recipe)
    known = {*found.always, *found.beside_marks, *differing_in(recipe.split)}
    there = [character for character in dict.fromkeys(text) if character in known]
    if not there:
        return ""
    return f"the tokenizers library has another version of Unicode for {_listed(there)}"


def differing(recipe: Recipe) -> Differing:
    """The characters, in the order of their code points.

    Steps that stand together are looked at together: what the second takes away need not be put
    in order by the first.
    """
    always: set[str] = set()
    beside: set[str] = set()
    for named, steps in groupby(recipe.normalizers, lambda step: isinstance(step, str)):
        if named:
            found = _by_steps(tuple(map(str, steps)))
            always.update(found.always)
            beside.update(found.beside_marks)
    return Differing("".join(sorted(always)), "".join(sorted(beside - always)))


@lru_cache(maxsize=16)
def _by_steps(steps: tuple[str, ...]) -> Differing:
    changing = _changing_characters()
    alone = [(character, f"a{character}b") for character in changing]
    combined = [pair for character in changing for pair in _combined(character)]
    return Differing(_differing(alone, steps), _differing(combined, steps))


def _combined(character: str) -> Iterator[tuple[str, str]]:
    """Texts in which marks are put in order or parts composed, and what they are about."""
    if unicodedata.category(character)[0] in "MC":  # those that are not assigned may be marks
        # Marks of the lowest and of the commonest class.
        yield character, f"a{character}\u0334b"
        yield character, f"a\u0301{character}b"
    parts = unicodedata.normalize("NFD", character)
    if len(parts) > 1:
        yield from ((part, f"a{parts}b") for part in parts)


def _differing(texts: list[tuple[str, str]], steps: tuple[str, ...]) -> str:
    text = _APART.join(text for _, text in texts)
    library = normalizers.Sequence([NORMALIZERS[step]() for step in steps])
    ours = normalize(text, steps).split(_APART)
    theirs = library.normalize_str(text).split(_APART)
    rows = zip(texts, ours, theirs, strict=True)
    return "".join(sorted({about for (about, _), here, there in rows if here != there}))


@lru_cache(maxsize=1)
def _changing_characters() -> str:
    """The characters that have a decomposition, are marks or have a small letter, to anybody."""
    everything = "".join(map(chr, _POINTS))
    newest = regex.findall(r"[\p{M}\p{Changes_When_Lowercased}]", everything)
    return "".join(
        sorted(
            {
                *newest,
                *(c for c in everything if not unicodedata.is_normalized("NFKD", c)),
                *(c for c in everything if c.lower() != c or unicodedata.combining(c)),
            }
        )
    )


def _counted(characters: str) -> str:
    """How many characters there are, and the first of them.

    >>> _counted("\\u32ff")
    'the character ㋿ U+32FF'
    """
    if len(characters) == 1:
        return f"the character {_listed(characters)}"
    return f"one of {len(characters):,} characters ({_listed(characters)})"


def _listed(characters: Sequence[str]) -> str:
    """The names of the first characters."""
    more = " and so on" if len(characters) > _LISTED else ""
    return ", ".join(map(_named, characters[:_LISTED])) + more


def _named(character: str) -> str:
    name = f"U+{ord(character):04X}"
    is_letter = unicodedata.category(character)[0] in "LNPS"
    return f"{character} {name}" if is_letter else name
