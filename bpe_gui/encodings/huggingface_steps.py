"""The steps of a recipe of one's own as tokenizer.json has them.

What the library does with a text equals ours, but for characters newer than its Unicode
tables: those of its normalization forms have no character since Unicode 9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tokenizers import Regex, normalizers, pre_tokenizers

from bpe_gui.bpe.recipe import Normalizer, Prepend, Recipe, Replace, own_pattern
from bpe_gui.bpe.split import matched_pattern
from bpe_gui.encodings.oniguruma import spelled, spelled_split


def _bert_normalizer(
    *, clean_text: bool = False, handle_chinese_chars: bool = False
) -> normalizers.BertNormalizer:
    return normalizers.BertNormalizer(
        clean_text=clean_text,
        handle_chinese_chars=handle_chinese_chars,
        strip_accents=False,
        lowercase=False,
    )


NORMALIZERS: Mapping[str, Callable[[], normalizers.Normalizer]] = MappingProxyType(
    {
        "bert-clean": lambda: _bert_normalizer(clean_text=True),
        "bert-chinese": lambda: _bert_normalizer(handle_chinese_chars=True),
        "nfc": normalizers.NFC,
        "nfd": normalizers.NFD,
        "nfkc": normalizers.NFKC,
        "nfkd": normalizers.NFKD,
        "remove-mn": lambda: normalizers.Replace(Regex(r"\p{Mn}"), ""),
        # The library's StripAccents has the marks of an older Unicode.
        "strip-accents": lambda: normalizers.Replace(Regex(r"\p{M}"), ""),
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
    if recipe.split == "digits":
        return [pre_tokenizers.Digits(individual_digits=True)]
    own, pattern = own_pattern(recipe.split), matched_pattern(recipe.split)
    if own is not None:
        pattern = spelled_split(own, by_bytes=recipe.byte_level)
    return None if pattern is None else [pre_tokenizers.Split(Regex(pattern), "isolated")]
