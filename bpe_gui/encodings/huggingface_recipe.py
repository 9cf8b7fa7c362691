"""The recipe by which a tokenizer.json reads texts, where there is one that does."""

from __future__ import annotations

import json
from functools import cache

import regex

from bpe_gui.bpe.recipe import (
    REGEX,
    EndOfWord,
    Normalizer,
    Prepend,
    Recipe,
    Replace,
    Symbols,
)
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.huggingface_export import ONIGURUMA_PATTERNS, WHITE_SPACE
from bpe_gui.encodings.huggingface_notation import State, steps
from bpe_gui.encodings.huggingface_steps import NORMALIZERS, matched_split

_END_OF_WORD = "</w>"


def recipe_of(encoding: HuggingFaceEncoding, special_tokens: tuple[str, ...]) -> Recipe:
    """The recipe of a tokenizer that has these special tokens.

    Raises ExportError for steps that no recipe has, RecipeError for a regex that none can have.
    """
    notation, model = encoding.notation, encoding.state["model"]
    if notation.byte_fallback or notation.spaces or notation.prefix:
        raise ExportError(f"{encoding.name} writes its tokens as no recipe does")
    if notation.suffix not in ("", _END_OF_WORD):
        raise ExportError(f"{encoding.name} marks the ends of words as no recipe does")
    end_of_word = EndOfWord.NONE
    if model.get("end_of_word_suffix"):
        end_of_word = EndOfWord.JOINED
    elif notation.end_mark:
        end_of_word = EndOfWord.OWN
    unknown = model.get("unk_token")
    return Recipe(
        name=encoding.name,
        normalizers=tuple(_normalizers(encoding)),
        split=_split(encoding),
        symbols=Symbols.BYTES if notation.byte_level else Symbols.CHARACTERS,
        end_of_word=end_of_word,
        special_tokens=special_tokens,
        unknown_token=unknown if unknown in special_tokens else None,
    )


def _normalizers(encoding: HuggingFaceEncoding) -> list[Normalizer]:
    found = list(steps(encoding.state["normalizer"]))
    if encoding.notation.end_mark:
        del found[-2:]  # which mark the ends of words
    made: list[Normalizer] = []
    for step in found:
        if step["type"] == "Replace":
            pattern = step["pattern"]
            written = pattern.get("Regex") or regex.escape(pattern["String"])
            known = _known_normalizers().get(_written(step))
            made += known or [Replace(written, step["content"])]
        elif step["type"] == "Prepend":
            made.append(Prepend(step["prepend"]))
        elif _written(step) in _known_normalizers():
            made += _known_normalizers()[_written(step)]
        else:
            raise ExportError(f"{encoding.name} normalizes as no recipe does ({step['type']})")
    return made


@cache
def _known_normalizers() -> dict[str, list[Normalizer]]:
    """The steps that recipes have names for, by how they are written."""
    known: dict[str, list[Normalizer]] = {
        _written(json.loads(make().__getstate__())): [name] for name, make in NORMALIZERS.items()
    }
    both = json.loads(NORMALIZERS["bert-clean"]().__getstate__())
    known[_written({**both, "handle_chinese_chars": True})] = ["bert-clean", "bert-chinese"]
    return known


def _written(step: State) -> str:
    return json.dumps(step, sort_keys=True)


def _split(encoding: HuggingFaceEncoding) -> str:
    found = list(steps(encoding.state["pre_tokenizer"]))
    if found and found[-1]["type"] == "Split" and _leaves_out_unknown(found[-1]):
        found.pop()
    split = "none"
    if found and found[-1]["type"] == "ByteLevel" and not found[-1]["add_prefix_space"]:
        split = "gpt2" if found.pop()["use_regex"] else "none"
    if not found:
        return split
    step = found[0]
    if len(found) > 1 or split == "gpt2":
        raise ExportError(f"{encoding.name} splits in several steps, as no recipe does")
    if step["type"] == "BertPreTokenizer":
        return "bert"
    if step["type"] == "Punctuation" and step["behavior"] == "Isolated":
        return "punctuation"
    if step["type"] == "Digits" and step["individual_digits"]:
        return "digits"
    pattern = step.get("pattern", {}).get("Regex", "")
    if step["type"] != "Split" or step["invert"] or not pattern:
        raise ExportError(f"{encoding.name} splits as no recipe does ({step['type']})")
    if step["behavior"] == "Removed" and pattern == f"[{WHITE_SPACE}]+":
        return "whitespace"
    if step["behavior"] != "Isolated":
        raise ExportError(f"{encoding.name} drops what it splits at, as no recipe does")
    names = (name for name, known in ONIGURUMA_PATTERNS.items() if known == pattern)
    return next(names, matched_split(pattern) or REGEX + str(pattern))


def _leaves_out_unknown(step: State) -> bool:
    """Whether a step takes away what the alphabet does not have, as saved runs do."""
    pattern = step.get("pattern", {}).get("Regex", "")
    return bool(step["behavior"] == "Removed" and pattern.startswith(("[^", r"[\s\S]")))
