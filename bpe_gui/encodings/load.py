"""Loading of encodings from a file or folder, `tiktoken:NAME` or `hub:NAME`.

The format of a file is detected from its content, never from its name. A rank file does not say
how text is split: `ranks.tiktoken@gpt2` and `ranks.tiktoken@\\S+|\\s+` do, by a known name or by a
regular expression. Without them the makers' own rank files are recognised by their content.
"""

from __future__ import annotations

import binascii
import os
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.encodings import download
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.formats import (
    bert,
    clip,
    gguf_files,
    gpt2,
    huggingface,
    minbpe,
    rwkv,
    sentencepiece_models,
    subword_codes,
    tekken,
    tiktoken_ranks,
)
from bpe_gui.encodings.formats.rank_families import family_of
from bpe_gui.encodings.formats.tokenizer_config import TokenizerConfig, config_beside
from bpe_gui.encodings.formats.untrusted_files import (
    is_compressed,
    read_beginning,
    read_bounded,
)
from bpe_gui.progress import Progress

__all__ = [
    "Format",
    "config_of",
    "encodings_among",
    "is_local",
    "open_encoding",
    "recognise",
    "takes_special_tokens",
]

_BEGINNING = 1 << 16
"""Bytes of a file that are read to detect its format."""

_SETTINGS = frozenset({"tokenizer_config.json", "special_tokens_map.json", "config.json"})
"""Files that are beside those of encodings, and none themselves."""

ONLY_FOR_RANKS = (
    "is for rank files, like ranks.tiktoken@gpt2, and other tokenizers name their special tokens "
    "themselves; leave it out"
)
"""The reason why special tokens are refused, to follow the name of the option."""

TIKTOKEN, HUB = "tiktoken:", "hub:"
"""The prefixes of names that are not files."""


class Format(StrEnum):
    """Name the format of a file or folder: those of `save.FORMATS`, and those only read."""

    TOKENIZER_JSON = "tokenizer.json"
    TIKTOKEN = "tiktoken"
    GPT2 = "gpt2"
    MINBPE = "minbpe"
    SENTENCEPIECE = "sentencepiece"
    TEKKEN = "tekken.json"
    BERT = "BERT's vocab.txt"
    CLIP = "CLIP's bpe_simple_vocab.txt"
    RWKV = "RWKV's vocabulary"
    GGUF = "GGUF"
    SUBWORD_CODES = "codes of subword-nmt or fastBPE"


def open_encoding(
    spec: str | Path,
    *,
    special_tokens: Mapping[str, int] | str | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Encoding:
    """Load an encoding, and download it if necessary; call it in the background.

    spec: a Path, or a string without a prefix, is a file or folder. `@` and a split follow a rank
        file: a name of `split_patterns.NAMED_PATTERNS`, the preset that it was trained with, or a
        regular expression. Without a split, the family that its content belongs to is guessed.
    special_tokens: those of a rank file, as for `tiktoken_ranks.read`; other formats have theirs.
    progress: called during a download from the hub.
    cancelled: called during a download.

    Raises EncodingError, which says what to do, if it is not an encoding; OSError if a file is
    missing or unreadable; Cancelled if `cancelled` returns True.
    """
    report = progress or (lambda done, total, phase: None)
    is_cancelled = cancelled or (lambda: False)
    if isinstance(spec, str) and spec.startswith(TIKTOKEN):
        return download.from_tiktoken(spec.removeprefix(TIKTOKEN), cancelled=is_cancelled)
    if isinstance(spec, str) and spec.startswith(HUB):
        name = spec.removeprefix(HUB)
        return download.from_hub(name, progress=report, cancelled=is_cancelled)
    if spec == "":
        raise EncodingError("the name of an encoding is empty; name a file or a folder")
    path, pattern = _path_and_pattern(spec)
    found = recognise(path)
    if found is None and recipe_io.holds_recipe(path):
        raise EncodingError(
            f"{path} is a recipe, not an encoding; train with it (--recipe {path}), or open it in "
            "the laboratory"
        )
    if pattern is not None or found is Format.TIKTOKEN:
        return _open_ranks(path, found, pattern, special_tokens)
    if found in _READERS:
        return _READERS[found](path)
    raise EncodingError(_why_unread(path))


def config_of(spec: str) -> TokenizerConfig | None:
    """Read the tokenizer_config.json that belongs to an encoding, or what GGUF has of it.

    None if there is none, and for downloads. Raises as `open_encoding`.
    """
    if spec.startswith((TIKTOKEN, HUB)):
        return None
    path, _ = _path_and_pattern(spec)
    return gguf_files.config_of(path) if recognise(path) is Format.GGUF else config_beside(path)


def is_local(spec: str) -> bool:
    """Tell whether `open_encoding` needs no network.

    Encodings of tiktoken count as local, because the library does not tell which it has cached.
    """
    return not spec.startswith(HUB) or download.is_in_hub_cache(spec.removeprefix(HUB))


def files_of(spec: str) -> list[Path]:
    """List the existing files that an encoding is read from; none for a download."""
    if spec.startswith((TIKTOKEN, HUB)):
        return []
    path, _ = _path_and_pattern(spec)
    if recognise(path) is Format.GPT2:
        return [part for part in gpt2.pair_of(path) if part.is_file()]
    names = ("tokenizer.json", "tekken.json", "vocab.txt", "tokenizer.model")
    found = [path / name for name in names] if path.is_dir() else [path]
    return [file for file in found if file.is_file()]


def takes_special_tokens(spec: str) -> bool:
    """Tell whether a spec is a rank file, or a file with a split: only those take special tokens.

    Raises OSError if the file is missing or unreadable.
    """
    if spec.startswith((TIKTOKEN, HUB)):
        return False
    path, pattern = _path_and_pattern(spec)
    return pattern is not None or recognise(path) is Format.TIKTOKEN


_READERS: Mapping[Format | None, Callable[[Path], Encoding]] = MappingProxyType(
    {
        Format.TOKENIZER_JSON: lambda path: huggingface.read(
            _within(path, "tokenizer.json"), path.name
        ),
        Format.GPT2: gpt2.read,
        Format.MINBPE: minbpe.read,
        Format.BERT: lambda path: bert.read(_within(path, "vocab.txt"), name=path.name),
        Format.CLIP: clip.read,
        Format.RWKV: rwkv.read,
        Format.GGUF: gguf_files.read,
        Format.SUBWORD_CODES: subword_codes.read,
        Format.TEKKEN: lambda path: tekken.read(_within(path, "tekken.json"), name=path.name),
        Format.SENTENCEPIECE: lambda path: sentencepiece_models.read(
            _within(path, "tokenizer.model"), name=path.name
        ),
    }
)
"""The readers of formats that hold their split."""


def _open_ranks(
    path: Path,
    found: Format | None,
    pattern: str | None,
    special_tokens: Mapping[str, int] | str | None,
) -> Encoding:
    if pattern is not None and found not in (Format.TIKTOKEN, None):
        raise EncodingError(
            f"{path} is not a rank file but {found}, which holds its split; name it without "
            f"@{shown(pattern)[1:-1]}"
        )
    if pattern is not None and pattern in PRESETS:
        pattern = PRESETS[pattern].split
    # The reader also reports what is wrong with the file.
    return tiktoken_ranks.read(path, pattern, special_tokens)


def _why_unread(path: Path) -> str:
    """Explain why a file or folder without a split after it cannot be read."""
    if path.is_dir():
        return (
            f"{path} is a folder without an encoding; it should have a tokenizer.json, or "
            "vocab.json and merges.txt"
        )
    if not path.is_file():
        return (
            f"{path} is a pipe or a device, and encodings are read only from files; save its "
            "content to a file"
        )
    if path.name in _SETTINGS:
        return (
            f"{path} holds settings of a tokenizer, not its vocabulary; open the tokenizer.json or "
            "tokenizer.model in the same folder"
        )
    beginning = read_beginning(path, _BEGINNING)
    if is_compressed(path):
        try:
            read_bounded(path)
        except EncodingError as error:
            return str(error)  # it is damaged, maybe before what tells the format
    if _maps_to_numbers(beginning):
        return (
            f"{path} is not an encoding that can be read: it maps texts to numbers like GPT-2's "
            "vocab.json, but not all letters and digits, and no merges.txt belongs to it"
        )
    return (
        f"{path} is not an encoding that can be read: neither a tokenizer.json, tekken.json, "
        "vocab.json, merges.txt or vocab.txt, nor ranks of tiktoken, nor a .model of minbpe or "
        "SentencePiece, nor codes of subword-nmt, fastBPE or CLIP, nor RWKV's vocabulary, nor GGUF"
    )


def recognise(path: str | Path) -> Format | None:
    """Detect the format of a file or folder; None if it is no encoding (a text or a recipe, say).

    Only the beginning of a file is read; the rest may be damaged. Raises OSError if it is missing
    or unreadable.
    """
    path = Path(path)
    if path.is_dir():
        return _recognise_folder(path)
    if not path.is_file():
        path.stat()  # raises FileNotFoundError if it is missing
        return None  # a pipe or a device
    data = read_beginning(path, _BEGINNING)
    found = next((known for looks, known in _BY_BEGINNING if looks(data)), None)
    if found is Format.SUBWORD_CODES and _has_vocabulary(path):
        return Format.GPT2
    may_be_of_two = found is None and (_maps_to_numbers(data) or gpt2.looks_like_merges(data))
    return Format.GPT2 if may_be_of_two and _has_vocabulary(path) else found


def holds_encoding(spec: str) -> bool:
    """Tell whether a file or folder, which a split may follow, holds an encoding.

    Raises OSError if it is missing or unreadable.
    """
    path, pattern = _path_and_pattern(spec)
    return pattern is not None or recognise(path) is not None


def needs_split(spec: str) -> bool:
    """Tell whether a spec is a rank file of no known family, without a split after it.

    Raises EncodingError, and OSError if it is missing or unreadable.
    """
    path, pattern = _path_and_pattern(spec)
    if pattern is not None or recognise(path) is not Format.TIKTOKEN:
        return False
    return family_of(read_bounded(path)) is None


def encodings_among(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Divide paths into those that hold an encoding and all others.

    The two files of a GPT-2 encoding count once. Unreadable files are among the others.
    """
    found: list[str] = []
    others: list[str] = []
    pairs: set[Path] = set()
    for path in paths:
        try:
            kind = recognise(path)
        except OSError:
            kind = None
        vocabulary = _vocabulary_of(Path(path)) if kind is Format.GPT2 else None
        if vocabulary in pairs:
            continue
        if vocabulary is not None:
            pairs.add(vocabulary)
        (others if kind is None else found).append(path)
    return found, others


def _vocabulary_of(path: Path) -> Path | None:
    """Find the vocabulary of a GPT-2 pair of files; None if the name does not tell."""
    try:
        return gpt2.pair_of(path)[0]
    except EncodingError:
        return None


def _recognise_folder(path: Path) -> Format | None:
    if (path / "tokenizer.json").is_file():
        return Format.TOKENIZER_JSON
    for vocabulary, merges in gpt2.PAIRS:
        if (path / vocabulary).is_file() and (path / merges).is_file():
            return Format.GPT2
    if (path / "tekken.json").is_file():
        return Format.TEKKEN
    if (path / "vocab.txt").is_file() and recognise(path / "vocab.txt") is Format.BERT:
        return Format.BERT
    model = path / "tokenizer.model"
    is_model = model.is_file() and recognise(model) is Format.SENTENCEPIECE
    return Format.SENTENCEPIECE if is_model else None


def _within(path: Path, name: str) -> Path:
    """Return the file of that name in a folder; a file itself."""
    return path / name if path.is_dir() else path


def _path_and_pattern(spec: str | Path) -> tuple[Path, str | None]:
    """Separate a file from the split that follows it; both may contain an @."""
    path = Path(spec)
    if isinstance(spec, str) and not os.path.exists(spec):
        for place in (match.start() for match in re.finditer("@", spec)):
            if os.path.isfile(spec[:place]):
                return Path(spec[:place]), spec[place + 1 :]
    return path, None


# -- detecting formats by the beginning of a file --------------------------------------------


_KEYS = "version|truncation|padding|added_tokens|normalizer|pre_tokenizer|post_processor|decoder"
_FIRST_KEY = re.compile(rf'\s*\{{\s*"(?:{_KEYS}|model)"\s*:'.encode())
_KEY = re.compile(rf'"({_KEYS}|model)"\s*:'.encode())
_MODEL = re.compile(rb'"model"\s*:\s*\{')

_ENTRIES = re.compile(rb'\s*\{(?:\s*"(?:[^"\\]|\\.)*"\s*:\s*[0-9]+\s*[,}])+', re.DOTALL)
_MAX_ENTRY = 4096
"""Bytes of an entry of a vocabulary that may be cut off."""

_FIRST_LINES = 4096
"""Bytes of ranks that are checked."""


def _looks_like_tokenizer_json(data: bytes) -> bool:
    """Tell whether data is an object that begins with keys of a tokenizer.json, in any order."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not _FIRST_KEY.match(data):
        return False
    # Records of a corpus may well have a "version" or the name of a "model", but hardly both.
    return bool(_MODEL.search(data)) or len(set(_KEY.findall(data))) >= 3


_BYTE = re.compile(rb'"([A-Za-z0-9])"\s*:')
_BYTES = 62
"""How many letters and digits there are: each is a byte, and a vocabulary has all bytes."""


def _looks_like_vocabulary(data: bytes) -> bool:
    """Tell whether data maps texts to numbers only, and among them all letters and digits.

    Settings and dictionaries do the first. A vocabulary with the bytes of a small corpus is known
    by the merges beside it.
    """
    return _maps_to_numbers(data) and len(set(_BYTE.findall(data))) == _BYTES


def _maps_to_numbers(data: bytes) -> bool:
    """Tell whether data, as far as it goes, is an object that maps texts to numbers only."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    entries = _ENTRIES.match(data)
    if entries is None:
        return False
    rest = data[entries.end() :]
    return not rest.strip() if len(data) < _BEGINNING else len(rest) < _MAX_ENTRY


def _has_vocabulary(path: Path) -> bool:
    """Tell whether a file is one of a GPT-2 pair of files that are both there."""
    try:
        return all(part.is_file() for part in gpt2.pair_of(path))
    except EncodingError:
        return False


def _looks_like_ranks(data: bytes) -> bool:
    """Tell whether the first lines have base 64 and a number, at least one for a single byte."""
    if not tiktoken_ranks.looks_like(data):
        return False
    lines = data[:_FIRST_LINES].split(b"\n")
    if len(data) > _FIRST_LINES:
        lines.pop()
    single = False
    for line in filter(None, lines):
        fields = line.split()
        try:
            token = tiktoken_ranks.decode_token(fields[0])
        except binascii.Error:
            return False
        single = single or len(token) == 1
    return single


_BY_BEGINNING: tuple[tuple[Callable[[bytes], bool], Format | None], ...] = (
    (gguf_files.looks_like, Format.GGUF),
    (minbpe.looks_like, Format.MINBPE),
    (sentencepiece_models.looks_like, Format.SENTENCEPIECE),
    (_looks_like_ranks, Format.TIKTOKEN),
    (tekken.looks_like, Format.TEKKEN),
    (_looks_like_tokenizer_json, Format.TOKENIZER_JSON),
    (recipe_io.looks_like, None),
    (bert.looks_like, Format.BERT),
    (rwkv.looks_like, Format.RWKV),
    (clip.looks_like, Format.CLIP),
    (subword_codes.looks_like, Format.SUBWORD_CODES),
    (_looks_like_vocabulary, Format.GPT2),
    (lambda data: data.startswith(b"#version"), Format.GPT2),
)
"""How the formats begin; the first that fits is taken. A recipe is no encoding."""
