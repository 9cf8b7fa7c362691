"""`added_tokens.json` and `special_tokens_map.json`, which may stand beside GPT-2's two files.

The first maps texts to the ids that they have besides those of the vocabulary. The second names
special tokens by what they are for: `"eos_token": "<|endoftext|>"`, or instead of a text an
object that also says whether the white space before or after belongs to the token.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokenizers import AddedToken

from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.reading import MAX_TOKENS, read_bounded, shown, to_object, to_text

ADDED, NAMED = "added_tokens.json", "special_tokens_map.json"

_OPTIONS = ("lstrip", "rstrip", "single_word")


def added_ids(found: dict[str, int], path: Path, vocabulary: dict[str, int]) -> dict[str, int]:
    """Texts and ids that are not in the vocabulary yet.

    Raises EncodingError if a text or an id is there, but not one for the other.
    """
    texts = {token: text for text, token in vocabulary.items()}
    for text, token in found.items():
        if vocabulary.get(text, token) != token:
            raise EncodingError(
                f"{path} gives the token {shown(text)} the id {token}, and the vocabulary the id "
                f"{vocabulary[text]}; correct one of them"
            )
        if texts.get(token, text) != text:
            raise EncodingError(
                f"{path} gives {shown(text)} the id {token}, which the vocabulary has for "
                f"{shown(texts[token])} already; correct one of them"
            )
    return {text: token for text, token in found.items() if text not in vocabulary}


def named_tokens(path: Path, vocabulary: dict[str, int]) -> list[AddedToken]:
    """The tokens that a special_tokens_map.json names, each once.

    `vocabulary` has all tokens. Raises EncodingError for one that is not there, for nobody can
    say which id it should have, and for what is no such map.
    """
    what = "a map of special tokens"
    found: dict[str, AddedToken] = {}
    for role, value in to_object(to_text(read_bounded(path), path, what), path, what).items():
        entries = value if isinstance(value, list) else [] if value is None else [value]
        for entry in entries:
            token = {"content": entry} if isinstance(entry, str) else entry
            if not _is_token(token):
                raise EncodingError(
                    f"{path}: {shown(role)} should be a token or a list of tokens, each a text or "
                    "an object with its content"
                )
            content = token["content"]
            if content not in vocabulary:
                raise EncodingError(
                    f"{path} names {shown(content)} as {shown(role)}, which has no id; give "
                    f"it one in {ADDED}, or take it out"
                )
            options = {option: token.get(option, False) for option in _OPTIONS}
            added = AddedToken(content, special=True, normalized=False, **options)
            found.setdefault(content, added)
            if len(found) > MAX_TOKENS:
                raise EncodingError(f"{path} names more than {MAX_TOKENS:,} tokens")
    return list(found.values())


def _is_token(entry: Any) -> bool:
    """Whether it is an object that says how a token is written and found."""
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("content"), str)
        and all(isinstance(entry.get(option, False), bool) for option in _OPTIONS)
    )
