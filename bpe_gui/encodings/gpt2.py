"""`vocab.json` and `merges.txt` of GPT-2, and the added tokens that may stand beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import EncodingError, ExportError, wrap_rust_errors
from bpe_gui.encodings.byte_level_export import check_byte_level
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.reading import MAX_ID, MAX_TOKENS, read_bounded, shown, to_object, to_text
from bpe_gui.files import write_together

# -- Added tokens -------------------------------------------------------------------------------
#
# The first maps texts to the ids that they have besides those of the vocabulary. The second names
# special tokens by what they are for: `"eos_token": "<|endoftext|>"`, or instead of a text an
# object that also says whether the white space before or after belongs to the token.

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


# -- The two files ------------------------------------------------------------------------------
#
# The two files stand beside each other. `vocab.json` maps tokens, written in GPT-2's printable
# characters, to ids; `merges.txt` has a pair of tokens a line, the first merge first, after a
# line that begins with `#version`. Words are GPT-2's, symbols are bytes: the files say nothing
# of either. Special tokens may stand in two more files. The `tokenizers`
# library does the encoding.
#
# To recognise such files by their content: `looks_like_vocabulary`, `looks_like_merges`.

FORMAT = "vocab.json + merges.txt"

_VERSION = "#version"
_PAIRS = (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe"))
"""What the two files are called, by most and by OpenAI; something may stand before it."""

_ENTRY = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)+"\s*:\s*[0-9]+\s*[,}]', re.DOTALL)
_MERGE = re.compile(r"[^ ]+ [^ ]+\r?")


def looks_like_vocabulary(data: bytes) -> bool:
    """Whether a file that begins with these bytes is a JSON object of tokens and ids."""
    return bool(_ENTRY.match(data[:4096].removeprefix(b"\xef\xbb\xbf")))


def looks_like_merges(data: bytes) -> bool:
    """Whether a file that begins with these bytes has a line that says so, or pairs."""
    text = data[:4096].decode("utf-8", "ignore")
    if text.startswith(_VERSION):
        return True
    lines = text.split("\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    known = BYTE_OF_CHARACTER.keys() | {" ", "\r"}
    return bool(whole) and all(_MERGE.fullmatch(line) and set(line) <= known for line in whole)


def pair_of(path: str | Path) -> tuple[Path, Path]:
    """The vocabulary and the merges that a path stands for: a folder, or one of the two.

    Raises EncodingError if the name tells neither.
    """
    path = Path(path)
    if path.is_dir():
        found = [path / vocabulary for vocabulary, _ in _PAIRS if (path / vocabulary).is_file()]
        path = found[0] if found else path / _PAIRS[0][0]
    for vocabulary, merges in _PAIRS:
        if path.name.endswith(vocabulary):
            return path, path.with_name(path.name.removesuffix(vocabulary) + merges)
        if path.name.endswith(merges):
            return path.with_name(path.name.removesuffix(merges) + vocabulary), path
    raise EncodingError(
        f"{path} is neither a folder nor has it a name that ends in vocab.json or merges.txt, so "
        "that the file beside it cannot be found; rename both"
    )


# -- reading ---------------------------------------------------------------------------------


def read(
    path: str | Path, special_tokens: Sequence[str] | None = None, *, name: str = ""
) -> HuggingFaceEncoding:
    """Load both files from a folder, or from the path of either.

    The two files do not tell which tokens are special. If None are given, those are that are
    neither a byte nor made by a merge: they can only come of being found in the text. So are
    in any case those of an added_tokens.json and a special_tokens_map.json beside them.
    Raises EncodingError with file and line, OSError if a file is unreadable.
    """
    vocabulary_path, merges_path = pair_of(path)
    for part in (vocabulary_path, merges_path):
        if not part.exists():
            other = merges_path if part is vocabulary_path else vocabulary_path
            raise EncodingError(f"{part} is missing; it belongs beside {other.name}")
    vocabulary = parse_vocabulary(read_bounded(vocabulary_path), vocabulary_path)
    if not vocabulary:
        raise EncodingError(f"{vocabulary_path} has no tokens")
    merges = parse_merges(read_bounded(merges_path), merges_path, vocabulary)
    if special_tokens is None:
        made = {left + right for left, right in merges}
        # An empty one holds an id that no text reaches, as in Whisper's vocabulary.
        made |= {"", *BYTE_OF_CHARACTER}
        special_tokens = [token for token in vocabulary if token not in made]
    elif missing := [token for token in special_tokens if token not in vocabulary]:
        raise EncodingError(f"{vocabulary_path} has no token {shown(missing[0])}")
    added = _added_beside(vocabulary_path, vocabulary)
    # In the vocabulary each of them gets its own id; no merge leads there.
    vocabulary |= added
    named = _named_beside(vocabulary_path, vocabulary)
    with wrap_rust_errors(f"{vocabulary_path} and {merges_path.name} cannot be read"):
        model = models.BPE(vocab=vocabulary, merges=merges)
    shown_name = Path(path).name or vocabulary_path.parent.resolve().name
    tokenizer = to_library(model, (*special_tokens, *added))
    tokenizer.add_special_tokens(named)
    return HuggingFaceEncoding(tokenizer, name or shown_name)


def _beside(vocabulary_path: Path, name: str) -> Path | None:
    """A file of that name beside the vocabulary, with the same before it; None if there is none."""
    endings = (ending for ending, _ in _PAIRS if vocabulary_path.name.endswith(ending))
    path = vocabulary_path.with_name(vocabulary_path.name.removesuffix(next(endings)) + name)
    return path if path.exists() else None


def _added_beside(vocabulary_path: Path, vocabulary: dict[str, int]) -> dict[str, int]:
    """The tokens of an added_tokens.json that the vocabulary does not have."""
    path = _beside(vocabulary_path, ADDED)
    if path is None:
        return {}
    found = parse_vocabulary(read_bounded(path), path)
    if "" in found:
        raise EncodingError(f"{path} has an empty token, with the id {found['']}; take it out")
    return added_ids(found, path, vocabulary)


def _named_beside(vocabulary_path: Path, vocabulary: dict[str, int]) -> list[AddedToken]:
    path = _beside(vocabulary_path, NAMED)
    return [] if path is None else named_tokens(path, vocabulary)


def to_library(model: models.BPE, special_tokens: Sequence[str]) -> Tokenizer:
    """A tokenizer of the library with GPT-2's words and bytes around a model."""
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token in special_tokens]
    )
    return tokenizer


def parse_vocabulary(data: bytes, path: str | Path) -> dict[str, int]:
    """Tokens and their ids. Raises EncodingError."""
    what = "a vocabulary of tokens and ids"
    found = to_object(to_text(data, path, what), path, what)
    if len(found) > MAX_TOKENS:
        raise EncodingError(f"{path} has more than {MAX_TOKENS:,} tokens")
    taken: dict[int, str] = {}
    for text, token in found.items():
        _check_entry(text, token, path)
        if token in taken:
            raise EncodingError(
                f"{path} gives the id {token} to both {shown(taken[token])} and {shown(text)}"
            )
        taken[token] = text
    return found


def _check_entry(text: str, token: Any, path: str | Path) -> None:
    if isinstance(token, bool) or not isinstance(token, int) or not 0 <= token <= MAX_ID:
        raise EncodingError(
            f"{path} gives the token {shown(text)} the id {shown(json.dumps(token))}; ids are "
            f"numbers from 0 to {MAX_ID:,}"
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise EncodingError(f"{path} has a token that is not valid Unicode text, {token}") from None


def parse_merges(
    data: bytes, path: str | Path, vocabulary: dict[str, int]
) -> list[tuple[str, str]]:
    """The pairs, the first merge first. Raises EncodingError with the line."""
    lines = to_text(data, path, "a list of merges").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    merges: dict[tuple[str, str], int] = {}
    for number, line in enumerate(lines, start=1):
        where = f"{path}, line {number:,}"
        if line.startswith(_VERSION):
            if number > 1:
                raise EncodingError(
                    f"{where} begins with {_VERSION}, which only the first line may: elsewhere "
                    "the tokenizers library skips it"
                )
            continue
        parts = line.removesuffix("\r").split(" ")
        if len(parts) != 2 or not all(parts):
            raise EncodingError(f"{where}: expected two tokens and a space, found {shown(line)}")
        for part in (*parts, "".join(parts)):
            if part not in vocabulary:
                raise EncodingError(f"{where}: the vocabulary has no token {shown(part)}")
        pair = (parts[0], parts[1])
        if pair in merges:
            raise EncodingError(f"{where} merges the same pair as line {merges[pair]:,}")
        merges[pair] = number
    return list(merges)


# -- writing ---------------------------------------------------------------------------------


def write(history: History, path: str | Path, position: int | None = None) -> None:
    """Write both files at a position (the last, if None), with our ids.

    The path is a folder (made, if its parent is there) or that of one of the two files.
    Raises ExportError, and leaves the files as they were, if they cannot hold the recipe;
    OSError if they cannot be written.
    """
    if position is None:
        position = len(history)
    check(history, position)
    path = Path(path)
    if not path.suffix and not path.exists():
        path.mkdir()
    if path.is_dir():
        path /= _PAIRS[0][0]
    try:
        vocabulary, merges = pair_of(path)
    except EncodingError as error:
        raise ExportError(str(error)) from None
    texts = {
        history.id_to_token(token): token for token in range(history.vocabulary_size(position))
    }
    written = json.dumps(texts, ensure_ascii=False)
    write_together([(vocabulary, written), (merges, _lines(history, position))])


def check(history: History, position: int) -> None:
    """Raise ExportError if the library would not give our ids with the two files."""
    check_byte_level(history, position, FORMAT)
    if history.recipe.split != "gpt2":
        raise ExportError(
            f"{FORMAT} stand for GPT-2's words, and the recipe {history.recipe.name!r} splits by "
            f"{history.recipe.split!r}; save it as tokenizer.json"
        )
    texts: set[str] = set()
    for token in range(history.vocabulary_size(position)):
        text = history.id_to_token(token)
        if text in texts:
            raise ExportError(
                f"{FORMAT} cannot hold two tokens that are written alike, {shown(text)}; train "
                "with fewer merges or on a corpus without that text"
            )
        texts.add(text)
    for left in set(history.left[:position].tolist()):
        begin = history.id_to_token(left)
        if begin.startswith(_VERSION):
            raise ExportError(
                f"{FORMAT} cannot hold a merge of {shown(begin)}: its line would be taken for one "
                f"that says {_VERSION} and skipped; save it as tokenizer.json"
            )


def _lines(history: History, position: int) -> Iterator[str]:
    yield f"{_VERSION}: 0.2\n"
    left, right = history.left[:position].tolist(), history.right[:position].tolist()
    for pair in zip(left, right, strict=True):
        yield f"{history.id_to_token(pair[0])} {history.id_to_token(pair[1])}\n"
