"""The steps of a recipe of one's own as tokenizer.json has them.

What the library does with a text equals ours, but for characters that are in one of the two's
Unicode tables and not in the other's (tokenizers 0.23 beside Python 3.11 and a `regex` of 2026):

- `nfkc` and `nfkd` leave 72 characters as they are that came to Unicode after version 9
  (U+32FF, U+A7F2, U+AB69, U+10781 and following, U+1F16C, U+1FBF0 and following), `nfd` and
  `nfkd` U+11938 too; all four do not order the 98 combining marks that came after version 9;
- `lowercase` makes 55 capital letters small that this Python does not know
  (`differing_characters` tells of all these, and so does who saves);
- `scripts` and the splits of the presets count characters that came after version 16 neither as
  letters, numbers nor marks.

All of these are rare, and `bpe_gui.encodings.saving.verify` tells of those that a text has.
Marks are listed one by one, so `strip-accents` and `remove-mn` equal ours on every character.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from tokenizers import Regex, normalizers, pre_tokenizers

from bpe_gui.bpe.normalize import ALL_MARKS, marks
from bpe_gui.bpe.recipe import Normalizer, Prepend, Recipe, Replace, own_pattern
from bpe_gui.bpe.split import matched_pattern
from bpe_gui.encodings.oniguruma import code_point_class, spelled, spelled_split


def _bert_normalizer(
    *, clean_text: bool = False, handle_chinese_chars: bool = False
) -> normalizers.BertNormalizer:
    return normalizers.BertNormalizer(
        clean_text=clean_text,
        handle_chinese_chars=handle_chinese_chars,
        strip_accents=False,
        lowercase=False,
    )


@cache
def marks_pattern(categories: tuple[str, ...]) -> str:
    """Ours one by one: `\\p{M}` is of a newer Unicode here, StripAccents of an older one."""
    return f"[{code_point_class(marks(categories))}]"


def _without_marks(categories: tuple[str, ...]) -> normalizers.Replace:
    return normalizers.Replace(Regex(marks_pattern(categories)), "")


NORMALIZERS: Mapping[str, Callable[[], normalizers.Normalizer]] = MappingProxyType(
    {
        "bert-clean": lambda: _bert_normalizer(clean_text=True),
        "bert-chinese": lambda: _bert_normalizer(handle_chinese_chars=True),
        "nfc": normalizers.NFC,
        "nfd": normalizers.NFD,
        "nfkc": normalizers.NFKC,
        "nfkd": normalizers.NFKD,
        "remove-mn": lambda: _without_marks(("Mn",)),
        "strip-accents": lambda: _without_marks(ALL_MARKS),
        "lowercase": normalizers.Lowercase,
        "strip": normalizers.Strip,
    }
)


def normalizer_steps(recipe: Recipe) -> list[normalizers.Normalizer]:
    """The normalizers, in order. Raises ExportError for a regex that the format cannot hold."""
    if recipe.normalizers == ("bert-clean", "bert-chinese"):
        return [_bert_normalizer(clean_text=True, handle_chinese_chars=True)]
    return [_normalizer(step) for step in recipe.normalizers]


def _normalizer(step: Normalizer) -> normalizers.Normalizer:
    if isinstance(step, Replace):
        return normalizers.Replace(Regex(spelled(step.pattern)), step.by)
    if isinstance(step, Prepend):
        return normalizers.Prepend(step.text)
    return NORMALIZERS[step]()


def matched_split_steps(recipe: Recipe) -> list[pre_tokenizers.PreTokenizer] | None:
    """The steps of a split that is done by matching a regex; None if the recipe's is not.

    Raises ExportError for a regex that the format cannot hold.
    """
    if recipe.split == "punctuation":
        return [pre_tokenizers.Punctuation("isolated")]
    own = own_pattern(recipe.split)
    if own is not None:
        pattern = spelled_split(own, by_bytes=recipe.byte_level)
    elif recipe.split in _MATCHED:
        pattern = _named_pattern(recipe.split)
    else:
        return None
    return [pre_tokenizers.Split(Regex(pattern), "isolated")]


def matched_split(pattern: str) -> str | None:
    """The split with a name that is written as a regex, if it is one."""
    return next((name for name in _MATCHED if _named_pattern(name) == pattern), None)


_MATCHED = ("digits", "digits-3", "scripts")
"""Splits that are written as regexes: the library's Digits has the numbers of another Unicode."""


def _named_pattern(name: str) -> str:
    pattern = matched_pattern(name)
    assert pattern is not None, "it is done by matching"
    # Scripts have names that are not read, and mean the same.
    return pattern if name == "scripts" else spelled(pattern)
