"""GPT-2's `vocab.json` and `merges.txt`, and the files of added tokens that may go with them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
)

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import EncodingError, ExportError, wrap_rust_errors
from bpe_gui.encodings.formats import clip, tokenizer_config
from bpe_gui.encodings.formats.byte_level_export import check_byte_level
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.split_patterns import NAMED_PATTERNS
from bpe_gui.encodings.formats.tokenizer_config import TokenizerConfig
from bpe_gui.encodings.formats.untrusted_files import (
    MAX_ID,
    MAX_TOKENS,
    read_bounded,
    to_object,
    to_text,
)
from bpe_gui.files import write_together

# -- Added tokens -------------------------------------------------------------------------------
#
# The first file maps texts to ids, in addition to the vocabulary. The second names special tokens
# by their role: `"eos_token": "<|endoftext|>"`, or instead of a text an object that also says
# whether the white space before or after belongs to the token.

ADDED, NAMED = "added_tokens.json", "special_tokens_map.json"

_OPTIONS = ("lstrip", "rstrip", "single_word")


def added_ids(found: dict[str, int], path: Path, vocabulary: dict[str, int]) -> dict[str, int]:
    """Find the entries of an added_tokens.json that the vocabulary does not have.

    Raises EncodingError for a text or an id that the vocabulary has, but not for each other.

    >>> from pathlib import Path
    >>> added_ids({"a": 0, "<end>": 2}, Path("added_tokens.json"), {"a": 0, "b": 1})
    {'<end>': 2}
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
                f"{path} gives {shown(text)} the id {token}, which the vocabulary gives to "
                f"{shown(texts[token])}; correct one of them"
            )
    return {text: token for text, token in found.items() if text not in vocabulary}


def named_tokens(path: Path, vocabulary: dict[str, int]) -> list[AddedToken]:
    """Read the tokens that a special_tokens_map.json names, each once.

    vocabulary: all tokens with their ids.
    Raises EncodingError for a token without an id, and for a file that is no such map.
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
                    f"it one in {ADDED}, or remove it"
                )
            options = {option: token.get(option, False) for option in _OPTIONS}
            added = AddedToken(content, special=True, normalized=False, **options)
            found.setdefault(content, added)
            if len(found) > MAX_TOKENS:
                raise EncodingError(f"{path} names more than {MAX_TOKENS:,} tokens")
    return list(found.values())


def _is_token(entry: Any) -> bool:
    """Tell whether a JSON value is an object that describes a token."""
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("content"), str)
        and all(isinstance(entry.get(option, False), bool) for option in _OPTIONS)
    )


# -- The two files ------------------------------------------------------------------------------
#
# Both files are in one folder. `vocab.json` maps tokens, in GPT-2's printable characters, to ids;
# `merges.txt` has a pair of tokens per line, the first merge first, after a line that begins with
# `#version`. The split is GPT-2's and the symbols are bytes: the files mention neither. Special
# tokens may be in the two files above. The `tokenizers` library does the encoding.

FORMAT = "vocab.json + merges.txt"

_VERSION = "#version"
PAIRS = (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe"))
"""Names of the two files, the usual ones and OpenAI's; a prefix may precede them."""

_FILE_ENDINGS = (".json", ".txt", ".bpe")

_MERGE = re.compile(r"[^ ]+ [^ ]+\r?")


def looks_like_merges(data: bytes) -> bool:
    r"""Tell whether a file that begins with these bytes has a `#version` line, or pairs of tokens.

    >>> looks_like_merges("Ġ t\nh e\n".encode()), looks_like_merges(b"the cat sat")
    (True, False)
    """
    text = data[:4096].decode("utf-8", "ignore")
    if text.startswith(_VERSION):
        return True
    lines = text.split("\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    known = BYTE_OF_CHARACTER.keys() | {" ", "\r"}
    return bool(whole) and all(_MERGE.fullmatch(line) and set(line) <= known for line in whole)


def pair_of(path: str | Path) -> tuple[Path, Path]:
    """Find the paths of the vocabulary and the merges, from their folder or from one of them.

    Raises EncodingError if the name does not tell which of the two it is.

    >>> [path.name for path in pair_of("small-vocab.json")]
    ['small-vocab.json', 'small-merges.txt']
    """
    path = Path(path)
    if path.is_dir():
        found = [path / vocabulary for vocabulary, _ in PAIRS if (path / vocabulary).is_file()]
        path = found[0] if found else path / PAIRS[0][0]
    for vocabulary, merges in PAIRS:
        if path.name.endswith(vocabulary):
            return path, path.with_name(path.name.removesuffix(vocabulary) + merges)
        if path.name.endswith(merges):
            return path.with_name(path.name.removesuffix(merges) + vocabulary), path
    raise EncodingError(
        f"{path} is not a folder, and its name does not end in vocab.json or merges.txt; a "
        "vocabulary and its merges are two files, and the name of one tells that of the other"
    )


# -- reading ---------------------------------------------------------------------------------


def read(
    path: str | Path, special_tokens: Sequence[str] | None = None, *, name: str = ""
) -> HuggingFaceEncoding:
    """Load both files from a folder, or from the path of either.

    special_tokens: the two files do not tell which tokens are special. None stands for the tokens
        that are neither a byte nor made by a merge. Those of an added_tokens.json and a
        special_tokens_map.json in the folder are special in any case; those of a
        tokenizer_config.json are as it says, and it also tells Qwen 2's split from GPT-2's.
    Raises EncodingError with file and line, OSError if a file is unreadable.
    """
    vocabulary_path, merges_path = pair_of(path)
    for part in (vocabulary_path, merges_path):
        if not part.exists():
            other = merges_path if part is vocabulary_path else vocabulary_path
            raise EncodingError(f"{part} is missing; it belongs to {other.name}")
    vocabulary = parse_vocabulary(read_bounded(vocabulary_path), vocabulary_path)
    if not vocabulary:
        raise EncodingError(f"{vocabulary_path} has no tokens")
    merges = parse_merges(read_bounded(merges_path), merges_path, vocabulary)
    if special_tokens is None:
        made = {left + right for left, right in merges}
        # An empty token has an id that no text reaches, as in Whisper's vocabulary.
        made |= {"", *BYTE_OF_CHARACTER, *(_BYTES_AT_ENDS if _marks_ends(merges) else ())}
        special_tokens = [token for token in vocabulary if token not in made]
    elif missing := [token for token in special_tokens if token not in vocabulary]:
        raise EncodingError(f"{vocabulary_path} has no token {shown(missing[0])}")
    added = _added_tokens(vocabulary_path, vocabulary)
    # The library gives an added token its id only if the vocabulary has it; no merge makes it.
    vocabulary |= added
    path_of_config = _companion(vocabulary_path, tokenizer_config.NAME)
    config = tokenizer_config.read(path_of_config) if path_of_config else TokenizerConfig()
    configured = config.added_tokens.values()
    vocabulary |= added_ids(config.special_ids, vocabulary_path, vocabulary)
    named = _named_tokens(vocabulary_path, vocabulary)
    known = {token.content for token in configured}
    specials = [token for token in (*special_tokens, *added) if token not in known]
    with wrap_rust_errors(f"{vocabulary_path} and {merges_path.name} cannot be read"):
        tokenizer = _with_split(vocabulary, merges, specials, config, vocabulary_path)
    for token in configured:
        options = {option: getattr(token, option) for option in (*_OPTIONS, "normalized")}
        library_token = AddedToken(token.content, special=token.special, **options)
        (tokenizer.add_special_tokens if token.special else tokenizer.add_tokens)([library_token])
    tokenizer.add_special_tokens(named)
    shown_name = Path(path).name or vocabulary_path.parent.resolve().name
    return HuggingFaceEncoding(tokenizer, name or shown_name)


def _with_split(
    vocabulary: dict[str, int],
    merges: list[tuple[str, str]],
    specials: Sequence[str],
    config: TokenizerConfig,
    path: Path,
) -> Tokenizer:
    """Build a tokenizer that splits as the files' own program does: GPT-2, CLIP or Qwen 2."""
    if _marks_ends(merges):
        if not vocabulary.keys() >= _BYTES_AT_ENDS:
            raise EncodingError(
                f"{path} marks the ends of words and is not CLIP's, so it is not known how its "
                "texts are split; open the tokenizer.json of its model"
            )
        return clip.to_library(vocabulary, merges, specials)
    tokenizer = to_library(models.BPE(vocab=vocabulary, merges=merges), specials)
    if (config.tokenizer_class or "").startswith("Qwen2Tokenizer"):
        tokenizer.normalizer = normalizers.NFC()
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(NAMED_PATTERNS["qwen"]), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
    return tokenizer


_BYTES_AT_ENDS = frozenset(character + clip.END_OF_WORD for character in BYTE_OF_CHARACTER)
"""The bytes at the ends of words, as CLIP writes them."""


def _marks_ends(merges: Sequence[tuple[str, str]]) -> bool:
    return any(right.endswith(clip.END_OF_WORD) for _, right in merges)


def _companion(vocabulary_path: Path, name: str) -> Path | None:
    """Find a file of that name, with the prefix of the vocabulary's; None if there is none."""
    endings = (ending for ending, _ in PAIRS if vocabulary_path.name.endswith(ending))
    path = vocabulary_path.with_name(vocabulary_path.name.removesuffix(next(endings)) + name)
    return path if path.exists() else None


def _added_tokens(vocabulary_path: Path, vocabulary: dict[str, int]) -> dict[str, int]:
    """Read the tokens of an added_tokens.json that the vocabulary does not have."""
    path = _companion(vocabulary_path, ADDED)
    if path is None:
        return {}
    found = parse_vocabulary(read_bounded(path), path)
    if "" in found:
        raise EncodingError(f"{path} has an empty token, with the id {found['']}; remove it")
    return added_ids(found, path, vocabulary)


def _named_tokens(vocabulary_path: Path, vocabulary: dict[str, int]) -> list[AddedToken]:
    path = _companion(vocabulary_path, NAMED)
    return [] if path is None else named_tokens(path, vocabulary)


def to_library(model: models.BPE, special_tokens: Sequence[str]) -> Tokenizer:
    """Build a tokenizer of the library: a model with GPT-2's split and byte-level symbols."""
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token in special_tokens]
    )
    return tokenizer


def parse_vocabulary(data: bytes, path: str | Path) -> dict[str, int]:
    """Parse the tokens of a vocab.json with their ids. Raises EncodingError, naming `path`.

    >>> parse_vocabulary(b'{"a": 0, "b": 1}', "vocab.json")
    {'a': 0, 'b': 1}
    """
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
    r"""Parse the pairs of a merges.txt, the first merge first. Raises EncodingError with the line.

    >>> parse_merges(b"#version: 0.2\nl o\n", "merges.txt", {"l": 0, "o": 1, "lo": 2})
    [('l', 'o')]
    """
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
    """Write both files at a position (None: the last), with our ids.

    path: a folder (created if its parent exists), or one of the two files.
    Raises ExportError if the format cannot hold the recipe, OSError if a file cannot be written;
    the files stay as they were.
    """
    if position is None:
        position = len(history)
    check(history, position)
    make_folder(path)
    path = Path(path)
    if path.is_dir():
        path /= PAIRS[0][0]
    try:
        vocabulary, merges = pair_of(path)
    except EncodingError as error:
        raise ExportError(str(error)) from None
    texts = {text: token for token, text in enumerate(history.texts(position))}
    written = json.dumps(texts, ensure_ascii=False)
    write_together([(vocabulary, written), (merges, _lines(history, position))])


def make_folder(path: str | Path) -> None:
    """Create a folder for the two files, unless the path exists or has the ending of a file.

    A slash at the end of a str stands for a folder in any case. Raises OSError.
    """
    is_file = Path(path).suffix.lower() in _FILE_ENDINGS and not str(path).endswith(os.sep)
    if not is_file and not Path(path).exists():
        Path(path).mkdir()


def check(history: History, position: int) -> None:
    """Check that the library gives our ids with the two files. Raises ExportError."""
    check_byte_level(history, position, FORMAT)
    if history.recipe.split != "gpt2":
        raise ExportError(
            f"{FORMAT} always split as GPT-2 does, and the recipe {history.recipe.name!r} splits "
            f"by {history.recipe.split!r}; save it as tokenizer.json"
        )
    texts: set[str] = set()
    for token in range(history.vocabulary_size(position)):
        text = history.id_to_token(token)
        if text in texts:
            raise ExportError(
                f"{FORMAT} cannot hold two tokens that are spelled alike, {shown(text)}; train "
                "with fewer merges or on a corpus without that text"
            )
        texts.add(text)
    for left in set(history.left[:position].tolist()):
        begin = history.id_to_token(left)
        if begin.startswith(_VERSION):
            raise ExportError(
                f"{FORMAT} cannot hold a merge of {shown(begin)}: its line would be taken for the "
                f"line with the {_VERSION} and skipped; save it as tokenizer.json"
            )


def _lines(history: History, position: int) -> Iterator[str]:
    yield f"{_VERSION}: 0.2\n"
    left, right = history.left[:position].tolist(), history.right[:position].tolist()
    for pair in zip(left, right, strict=True):
        yield f"{history.id_to_token(pair[0])} {history.id_to_token(pair[1])}\n"
