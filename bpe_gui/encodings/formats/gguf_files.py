"""The tokenizer in a GGUF file, as llama.cpp uses it.

A GGUF file begins with keys and values, of which those that begin with `tokenizer.` describe the
tokenizer; the weights follow, and are not read. Four kinds of tokenizers are known: `gpt2` (byte
level merges; `tokenizer.ggml.pre` names the split), `llama` and `t5` (SentencePiece's merges and
Unigram) and `bert` (WordPiece). What llama.cpp leaves out is left out here: Qwen's NFC, for
example.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import msgspec
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from bpe_gui.bpe.errors import shown
from bpe_gui.encodings.base import Encoding, EncodingError, wrap_rust_errors
from bpe_gui.encodings.formats import bert
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.huggingface_export import ONIGURUMA_PATTERNS
from bpe_gui.encodings.formats.sentencepiece_models import PieceType, from_pieces
from bpe_gui.encodings.formats.split_patterns import DEEPSEEK, NAMED_PATTERNS
from bpe_gui.encodings.formats.tokenizer_config import (
    DEFAULT,
    TokenizerConfig,
    config_beside,
    named_templates,
)
from bpe_gui.encodings.formats.untrusted_files import MAX_BYTES, MAX_TOKENS
from bpe_gui.files import reading
from bpe_gui.progress import counted

FORMAT = "GGUF"

_MAGIC = b"GGUF"
_KEYS = "tokenizer."
_GGML = "tokenizer.ggml."
_ROLES = MappingProxyType(
    {
        "bos_token": "bos_token_id",
        "eos_token": "eos_token_id",
        "pad_token": "padding_token_id",
        "unk_token": "unknown_token_id",
    }
)
"""The keys of the ids of tokens that a chat template may name."""

# -- Keys and values ----------------------------------------------------------------------------

_MAX_KEYS = 100_000
_MAX_KEY = 65_535
"""Bytes of a key, by the specification."""
_MAX_TEXT = 64 << 20
"""Bytes of a text: chat templates have some 10 KB, maps of characters some 200 KB."""

_STRING, _ARRAY = 8, 9
_NUMBERS = MappingProxyType(
    dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), "BbHhIif?Qqd", strict=True))
)
"""The types of numbers, as `struct` names them."""

_Value = Any
"""A number, bytes, or a list of numbers or of bytes."""


def looks_like(data: bytes) -> bool:
    """Tell whether a file that begins with these bytes is GGUF.

    >>> looks_like(b"GGUF\\x03\\0\\0\\0")
    True
    """
    return data.startswith(_MAGIC)


class _Reader:
    """Read the values at the beginning of a file, no more than MAX_BYTES of them."""

    def __init__(self, file: BinaryIO, path: str | Path) -> None:
        self._file, self._path, self._left = file, path, MAX_BYTES
        self._order = "<"

    def read(self, size: int) -> bytes:
        """Read bytes. Raises EncodingError if they are not there, or are too many."""
        self._left -= size
        if self._left < 0:
            raise self.error(f"its keys and values have more than {MAX_BYTES >> 20} MB")
        data = self._file.read(size)
        if len(data) < size:
            raise self.error("it ends too early; get another copy")
        return data

    def header(self) -> int:
        """Read all before the keys; returns how many keys there are."""
        if self.read(len(_MAGIC)) != _MAGIC:
            raise self.error("it is compressed; unpack it first")  # its content begins like GGUF
        data = self.read(4)
        if data[:2] == b"\0\0":
            self._order = ">"
        (version,) = struct.unpack(f"{self._order}I", data)
        if version not in (2, 3):
            raise self.error(f"its version is {version}, and only 2 and 3 can be read")
        self.numbers("Q", 1)  # of the tensors, which are not read
        return self.size(_MAX_KEYS, "keys")

    def numbers(self, kind: str, count: int) -> list[Any]:
        """Read numbers."""
        form = f"{self._order}{count}{kind}"
        return list(struct.unpack(form, self.read(struct.calcsize(form))))

    def size(self, limit: int, what: str) -> int:
        """Read how many there are of something."""
        size = int(self.numbers("Q", 1)[0])
        if size > limit:
            raise self.error(f"it claims to have {size:,} {what}, and {limit:,} are read at most")
        return size

    def text(self, limit: int = _MAX_TEXT) -> bytes:
        """Read a text."""
        return self.read(self.size(limit, "bytes of text in a row"))

    def value(self) -> _Value:
        """Read a value of any type."""
        (kind,) = self.numbers("I", 1)
        if kind == _STRING:
            return self.text()
        if kind != _ARRAY:
            return self.numbers(self._number(kind), 1)[0]
        (kind,) = self.numbers("I", 1)
        count = self.size(4 * MAX_TOKENS, "entries in a list")
        if kind == _STRING:
            return [self.text() for _ in range(count)]
        return self.numbers(self._number(kind), count)

    def _number(self, kind: int) -> str:
        if kind not in _NUMBERS:
            raise self.error(f"it has a value of the unknown type {kind}")
        return _NUMBERS[kind]

    def error(self, reason: str) -> EncodingError:
        """Make an error."""
        return EncodingError(f"{self._path} is not a GGUF file that can be read: {reason}")


class _Metadata:
    """Hold the values of a file that describe its tokenizer."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._values: dict[str, _Value] = {}
        with reading(path) as file:
            reader = _Reader(file, path)
            for _ in range(reader.header()):
                key = reader.text(_MAX_KEY).decode("utf-8", "replace")
                value = reader.value()
                if key.startswith(_KEYS):
                    self._values[key] = value

    def text(self, key: str, default: str = "") -> str:
        """Return a text. Raises EncodingError if the value is none."""
        value = self._values.get(key)
        return default if value is None else self._decoded(value, key)

    def texts(self, key: str) -> list[str]:
        """Return a list of texts. Raises EncodingError if there is none."""
        return [self._decoded(value, key) for value in self._list(key)]

    def numbers(self, key: str, kind: type[int] | type[float], count: int) -> list[Any]:
        """Return a list of numbers, of at least this size."""
        found = self._list(key)
        if len(found) < count or not all(type(value) is kind for value in found[:1]):
            raise EncodingError(f"{self.path}: {key} should be a list of {count:,} numbers")
        return found[:count]

    def token(self, key: str) -> str | None:
        """Return the token whose id is the value; None without such an id."""
        number, tokens = self._values.get(key), self._values.get(f"{_GGML}tokens")
        if type(number) is not int or not isinstance(tokens, list) or not 0 <= number < len(tokens):
            return None
        return self._decoded(tokens[number], f"{_GGML}tokens")

    def flag(self, key: str, default: bool) -> bool:
        """Return whether something is so."""
        return bool(self._values.get(key, default))

    def data(self, key: str) -> bytes:
        """Return bytes, which may be a list of numbers; none if there are none."""
        value = self._values.get(key, b"")
        try:
            return bytes(number & 0xFF for number in value)
        except TypeError:
            raise EncodingError(f"{self.path}: {key} should be a list of bytes") from None

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def _list(self, key: str) -> list[Any]:
        value = self._values.get(key)
        if not isinstance(value, list):
            raise EncodingError(
                f"{self.path} has no {key}, so it has no tokenizer that can be read; choose a "
                "file that holds a whole model, or its first part"
            )
        return value

    def _decoded(self, value: _Value, key: str) -> str:
        if not isinstance(value, bytes):
            raise EncodingError(f"{self.path}: {key} should hold text")
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            raise EncodingError(f"{self.path}: {key} holds {shown(value)}, not UTF-8") from None


# -- The splits of byte-level merges ------------------------------------------------------------

_GPT2 = ONIGURUMA_PATTERNS["gpt2"]
_DIGIT = r"\p{N}"
_BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"
_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_END = r"\s*[\r\n]+|\s+(?!\S)|\s+"

_DEFAULT = (r"[\p{P}$+<=>^~|]+", _GPT2, r"\p{N}+", "[0-9][0-9][0-9]")

_NAMES: tuple[tuple[tuple[str, ...], str], ...] = (
    (_DEFAULT, "default"),
    (
        (_GPT2,),
        "gpt-2 phi-2 jina-es jina-de jina-v2-es jina-v2-de jina-v1-en jina-v2-code roberta-bpe "
        "gigachat a.x-4.0 mellum modern-bert exaone4 mpt olmo jais trillion granite-docling",
    ),
    (
        (_DIGIT, _GPT2),
        "starcoder refact command-r smollm codeshell exaone minerva-7b mellum2",
    ),
    (
        (NAMED_PATTERNS["llama3"],),
        "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano minicpm5 "
        "dbrx smaug-bpe glm4 chatglm-bpe",
    ),
    (
        (NAMED_PATTERNS["qwen"],),
        "qwen2 deepseek-r1-qwen kormo f2llmv2 stablelm2 megrez hunyuan solar-open grok-2",
    ),
    ((NAMED_PATTERNS["qwen35"],), "qwen35"),
    ((NAMED_PATTERNS["tekken"],), "tekken"),
    ((ONIGURUMA_PATTERNS["o200k"],), "gpt-4o llama4 kanana2 talkie minimax-m2"),
    ((r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", r"[一-龥ࠀ-一가-\x{d7ff}]+", _DIGIT), "deepseek-coder"),
    (
        (r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+", DEEPSEEK),
        "deepseek-v3 hunyuan-dense joyai-llm hy_v4",
    ),
    ((r"[\p{P}$+<=>^~|`]+", _GPT2, "[0-9][0-9][0-9]"), "falcon"),
    ((_BLOOM,), "poro-chat bloom gpt3-finnish"),
    ((_BLOOM, _DIGIT), "viking"),
    (
        (
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
            r"|\s*[\r\n]|\s+(?!\S)|\s+",
        ),
        "bailingmoe bailingmoe2 llada-moe",
    ),
    (
        (
            rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}"
            rf"| ?[^\s\p{{L}}\p{{N}}\r\n]+|{_END}",
        ),
        "seed-coder",
    ),
)

_SPLITS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: patterns for patterns, names in _NAMES for name in names.split()}
)
"""The patterns that split a text, one after another, by their names in `tokenizer.ggml.pre`."""

_WHOLE_WORDS = (
    "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano minicpm5 tekken"
)
"""The names for which a word that is a token is not merged."""

# -- Reading ------------------------------------------------------------------------------------


def read(path: str | Path, *, name: str = "") -> Encoding:
    """Load the tokenizer of a GGUF file. Raises EncodingError, which says what is wrong; OSError.
    """
    metadata = _Metadata(path)
    kind = metadata.text(f"{_GGML}model")
    if kind not in _KINDS:
        raise EncodingError(
            f"{path} has a tokenizer of the kind {shown(kind)[1:-1] or 'no name'}, and only those "
            f"of {', '.join(_KINDS)} can be read"
        )
    tokens = metadata.texts(f"{_GGML}tokens")
    if not 0 < len(tokens) <= MAX_TOKENS:
        raise EncodingError(f"{path} has {len(tokens):,} tokens; 1 to {MAX_TOKENS:,} can be read")
    tokens = [text or f"[EMPTY_{token}]" for token, text in enumerate(tokens)]
    if len(set(tokens)) < len(tokens):
        twice = Counter(tokens).most_common(1)[0][0]
        raise EncodingError(f"{path} has the token {shown(twice)} twice")
    return _KINDS[kind](metadata, tokens, name or Path(path).name)


def config_of(path: str | Path) -> TokenizerConfig:
    """Read the chat templates of a GGUF file, or those beside it, and the tokens that they name.

    Raises EncodingError; OSError if a file is unreadable.
    """
    metadata = _Metadata(path)
    key = "tokenizer.chat_template"
    found = {DEFAULT: metadata.text(key)} if key in metadata else {}
    if f"{key}s" in metadata:
        found |= {name: metadata.text(f"{key}.{name}") for name in metadata.texts(f"{key}s")}
    config = TokenizerConfig(chat_template=named_templates(found))
    if not found:
        config = config_beside(path) or config
    roles = {
        role: token
        for role, name in _ROLES.items()
        if config.text_of(role) is None and (token := metadata.token(f"{_GGML}{name}")) is not None
    }
    return msgspec.structs.replace(config, **roles)


def _types(metadata: _Metadata, tokens: Sequence[str]) -> list[PieceType]:
    key = f"{_GGML}token_type"
    if key not in metadata:
        return [PieceType.NORMAL] * len(tokens)
    known = set(PieceType)
    numbers = metadata.numbers(key, int, len(tokens))
    return [PieceType(number) if number in known else PieceType.NORMAL for number in numbers]


def _byte_level(metadata: _Metadata, tokens: list[str], name: str) -> Encoding:
    pre = metadata.text(f"{_GGML}pre")
    guess = ""
    if not pre:
        pre, guess = "default", "read with llama.cpp's default split, because the file names none"
    if pre not in _SPLITS:
        raise EncodingError(
            f"{metadata.path} splits text in the way {shown(pre)[1:-1]}, which is not known here; "
            "open the tokenizer.json of its model"
        )
    merges = []
    for number, line in enumerate(metadata.texts(f"{_GGML}merges")):
        place = line.find(" ", 1)
        if place < 0:
            raise EncodingError(f"{metadata.path}: merge {number:,}, {shown(line)}, is not a pair")
        merges.append((line[:place], line[place + 1 :]))
    with wrap_rust_errors(f"{metadata.path} cannot be read"):
        tokenizer = Tokenizer(
            models.BPE(
                vocab={text: token for token, text in enumerate(tokens)},
                merges=merges,
                ignore_merges=pre in _WHOLE_WORDS.split(),
            )
        )
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        splits = [pre_tokenizers.Split(Regex(it), "isolated") for it in _SPLITS[pre]]
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*splits, byte_level])
        tokenizer.decoder = decoders.ByteLevel()
        # Tokens that are found in texts before all else.
        for text, kind in zip(tokens, _types(metadata, tokens), strict=True):
            if kind in (PieceType.CONTROL, PieceType.UNKNOWN, PieceType.USER_DEFINED):
                special = kind is not PieceType.USER_DEFINED
                token = AddedToken(text, special=special, normalized=False)
                (tokenizer.add_special_tokens if special else tokenizer.add_tokens)([token])
        return HuggingFaceEncoding(tokenizer, name, guess=guess)


def _word_piece(metadata: _Metadata, tokens: list[str], name: str) -> Encoding:
    """Undo what llama.cpp does to BERT's tokens: words begin with ▁, and others with nothing."""
    vocabulary = {}
    for token, text in enumerate(tokens):
        is_named = text.startswith("[") and text.endswith("]")
        plain = text[1:] if text.startswith("▁") else text if is_named else f"##{text}"
        vocabulary[plain] = token
    if len(vocabulary) < len(tokens) or bert.UNKNOWN not in vocabulary:
        raise EncodingError(f"{metadata.path} has no vocabulary of BERT that can be read")
    lowercase = bert.is_uncased(vocabulary)
    kind = "an uncased" if lowercase else "a cased"
    size = counted(len(vocabulary), "entry", "entries")
    with wrap_rust_errors(f"{metadata.path} cannot be read"):
        tokenizer = bert.to_library(vocabulary, lowercase=lowercase)
        guess = f"read as {kind} vocabulary of BERT: {size}"
        return HuggingFaceEncoding(tokenizer, name, guess=guess)


def _sentencepiece(metadata: _Metadata, tokens: list[str], name: str) -> Encoding:
    types = _types(metadata, tokens)
    unigram = metadata.text(f"{_GGML}model") == "t5"
    return from_pieces(
        tokens,
        metadata.numbers(f"{_GGML}scores", float, len(tokens)),
        types,
        name=name,
        path=metadata.path,
        unigram=unigram,
        space_before=metadata.flag(f"{_GGML}add_space_prefix", True),
        squeeze_spaces=metadata.flag(f"{_GGML}remove_extra_whitespaces", False),
        charsmap=metadata.data(f"{_GGML}precompiled_charsmap"),
    )


_KINDS: Mapping[str, Callable[[_Metadata, list[str], str], Encoding]] = {
    "gpt2": _byte_level,
    "llama": _sentencepiece,
    "t5": _sentencepiece,
    "bert": _word_piece,
}
