"""Conversion of a byte-pair encoding from one format to another.

The file is first written to a temporary folder, loaded from there by the library that defines the
format (minbpe cannot be installed, so our own reader loads its files), and must give the ids of the
encoding for some texts. Only then is it written to the path that the user chose.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import Encoding, EncodingError, ExportError, Model, wrap_rust_errors
from bpe_gui.encodings.byte_merges import ByteMerges, merges_of
from bpe_gui.encodings.formats import (
    gpt2,
    huggingface,
    minbpe,
    sentencepiece_export,
    tiktoken_ranks,
)
from bpe_gui.encodings.formats.byte_level_export import check_specials_apart
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.huggingface_export import NORMALIZERS, split_steps
from bpe_gui.encodings.formats.rank_families import encode_token
from bpe_gui.encodings.formats.regex_dialects import translate
from bpe_gui.encodings.formats.sentencepiece_models import PieceType, SentencePieceEncoding
from bpe_gui.encodings.formats.split_patterns import NAMED_PATTERNS, SPLIT_PATTERNS, pattern_of
from bpe_gui.encodings.save import Format, format_named, format_of
from bpe_gui.files import Content, check_writable, write_together

_BYTES = 256
_VERSION = "#version"

_Files = Sequence[tuple[str | Path, Content]]
"""Files to write together, by their paths."""


class Converted(Struct, frozen=True):
    """Report what was written.

    characters: the size of the texts that were compared before, and agreed.
    ids: the ids in the file by those of the encoding, where they may differ.
    split: the split to name when the file is read; empty if the file holds it.
    special_tokens: the special tokens to name then, unless they are those that go with the split.
    """

    format: Format
    characters: int
    ids: Mapping[int, int]
    split: str
    special_tokens: Mapping[str, int]

    @property
    def renumbered(self) -> bool:
        """Whether the format gives tokens other ids."""
        return any(old != new for old, new in self.ids.items())


def convert(
    encoding: Encoding,
    path: str | Path,
    texts: Iterable[str],
    format_name: str | None = None,
    beside: Callable[[Mapping[int, int]], _Files] = lambda ids: (),
) -> Converted:
    """Write an encoding to a path, in the named format, or in the one that the path implies.

    texts: what the written file must encode as the encoding does.
    beside: makes, from `Converted.ids`, further files; all files are written or none.
    Raises ExportError, and writes nothing, if the format cannot hold a part of the encoding, or if
    its reader encodes one of the texts differently; OSError if a path cannot be written.
    """
    chosen = format_of(path) if format_name is None else format_named(format_name)
    conversion = _conversion(encoding, chosen)
    with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
        trial = Path(folder) / "converted"
        if "" in chosen.endings:
            trial.mkdir()
        write_together(conversion.files(trial))
        try:
            written = conversion.read(trial)
            own = [f"a{special} {special}{special}b\n" for special in conversion.special_tokens]
            _compare(encoding, written, conversion.ids, ["".join(own)])
            characters = _compare(encoding, written, conversion.ids, texts)
            split, specials = conversion.options(trial)
        except EncodingError as error:
            raise ExportError(
                f"{encoding.name} cannot be written as {chosen.name}: the file could not be read "
                f"back, because {error}"
            ) from None
    target = Path(path)
    if chosen.name == "gpt2":
        gpt2.make_folder(path)
    files = [*conversion.files(target), *beside(conversion.ids)]
    for file, _ in files:
        check_writable(file)
    if len({os.path.realpath(file) for file, _ in files}) < len(files):
        raise ExportError(f"{files[-1][0]} is a file of the tokenizer; name another for the table")
    write_together(files)
    return Converted(chosen, characters, conversion.ids, split, specials)


def _compare(
    source: Encoding, written: Encoding, ids: Mapping[int, int], texts: Iterable[str]
) -> int:
    """Check that two encodings agree on texts; returns how many characters were compared.

    ids: the ids in the file by those of the source, where they may differ.
    Raises ExportError at a difference.
    """
    characters = 0
    for text in texts:
        tokens = source.encode(text)
        known = tokens.ids != NO_TOKEN
        expected = [ids.get(token, token) for token in tokens.ids[known].tolist()]
        found = [token for token in written.encode(text).ids.tolist() if token != NO_TOKEN]
        if expected != found:
            pairs = enumerate(zip(expected, found, strict=False))
            shorter = min(len(expected), len(found))
            at = next((place for place, (one, other) in pairs if one != other), shorter)
            begins = [*tokens.char_starts[known].tolist(), len(text)]
            place = begins[min(at, len(begins) - 1)]
            raise ExportError(
                f"{source.name} is not written: the file would tokenize texts differently, "
                f"{shown(text[place : place + 20])} for example"
            )
        characters += len(text)
    return characters


# -- the formats -----------------------------------------------------------------------------


_ReadOptions = tuple[str, Mapping[str, int]]
"""The split and the special tokens to name when a file is read."""


def written_otherwise(encoding: Encoding) -> str:
    """Say which texts a file of an encoding encodes differently, in one clause; empty if none."""
    if isinstance(encoding, SentencePieceEncoding):
        return sentencepiece_export.note(encoding)
    return ""


class _Conversion(Struct, frozen=True):
    """Hold the functions that write an encoding in a format, and read it back.

    files: the files to write for a path, with their content.
    special_tokens: those that are found in texts.
    ids: the ids in the file by those of the encoding, where they may differ.
    options: finds what to name when the file at a path is read.
    """

    files: Callable[[Path], _Files]
    read: Callable[[Path], Encoding]
    special_tokens: Iterable[str]
    ids: Mapping[int, int] = {}
    options: Callable[[Path], _ReadOptions] = lambda path: ("", {})


def _conversion(encoding: Encoding, chosen: Format) -> _Conversion:
    """Choose the functions for a format. Raises ExportError if it cannot hold the encoding."""
    if isinstance(encoding, HuggingFaceEncoding) and chosen.name == "tokenizer.json":
        return _Conversion(
            files=lambda path: [(path, encoding.to_json() + "\n")],
            read=huggingface.read,
            special_tokens=[added.content for added in encoding.added_tokens.values()],
        )
    if isinstance(encoding, SentencePieceEncoding) and chosen.name == "tokenizer.json":
        return _of_sentencepiece(encoding)
    parts = merges_of(encoding)
    specials = parts.special_tokens
    if chosen.name == "tokenizer.json":
        return _Conversion(
            lambda path: [(path, huggingface_json(parts))], huggingface.read, specials
        )
    if chosen.name == "gpt2":
        return _Conversion(lambda path: _gpt2_files(parts, path), gpt2.read, specials)
    if chosen.name == "minbpe":
        ids = _minbpe_ids(parts)
        return _Conversion(
            lambda path: [(path, _minbpe_lines(parts))], minbpe.read, specials, ids
        )
    return _Conversion(
        lambda path: [(path, _rank_lines(parts))],
        lambda path: tiktoken_ranks.read(path, _rank_split(parts), specials),
        specials,
        options=lambda path: _rank_options(parts, path),
    )


def _of_sentencepiece(encoding: SentencePieceEncoding) -> _Conversion:
    """Prepare a tokenizer.json of a SentencePiece model. Raises ExportError."""
    if encoding.model is not Model.BPE:
        raise ExportError(
            f"{encoding.name} is not a byte-pair encoding but {encoding.model}, so it has no "
            "merges to write"
        )
    written = sentencepiece_export.to_json(encoding)
    return _Conversion(
        files=lambda path: [(path, written)],
        read=huggingface.read,
        special_tokens=[t for t, kind in encoding.pieces() if kind is PieceType.USER_DEFINED],
    )


def _texts(parts: ByteMerges, format_name: str) -> dict[int, str]:
    """Spell all tokens, by id, as GPT-2's vocabulary does. Raises ExportError if two are alike."""
    texts = {token: to_printable(content) for token, content in parts.contents.items()}
    texts.update({token: text for text, token in parts.special_tokens.items()})
    if len(set(texts.values())) < len(texts):
        twice = next(text for text in parts.special_tokens if list(texts.values()).count(text) > 1)
        raise ExportError(
            f"{format_name} cannot hold two tokens that are spelled alike, {shown(twice)}"
        )
    return texts


def _pairs(parts: ByteMerges, texts: dict[int, str]) -> list[tuple[str, str]]:
    return [(texts[left], texts[right]) for left, right, _ in parts.merges]


def huggingface_json(parts: ByteMerges) -> str:
    """Build the text of a tokenizer.json. Raises ExportError if it cannot hold the parts."""
    texts = _texts(parts, "tokenizer.json")
    vocabulary = {text: token for token, text in sorted(texts.items())}
    with wrap_rust_errors(f"{parts.name} cannot be written as tokenizer.json"):
        model = models.BPE(
            vocab=vocabulary, merges=_pairs(parts, texts), ignore_merges=bool(parts.whole_words)
        )
        tokenizer = Tokenizer(model)
        split = _OUR_NAMES.get(parts.split, parts.split)
        words = [] if split == "gpt2" else _steps(parts, split)
        words.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=split == "gpt2"))
        tokenizer.pre_tokenizer = words[0] if len(words) == 1 else pre_tokenizers.Sequence(words)
        if parts.normalizers:
            tokenizer.normalizer = normalizers.Sequence(
                [NORMALIZERS[step]() for step in parts.normalizers if isinstance(step, str)]
            )
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.add_special_tokens(
            [AddedToken(text, special=True, normalized=False) for text in parts.special_tokens]
        )
    return str(tokenizer.to_str(pretty=True)) + "\n"


def _steps(parts: ByteMerges, split: str) -> list[pre_tokenizers.PreTokenizer]:
    if split in SPLIT_PATTERNS or split == "bert":
        return split_steps(split)
    pattern = Regex(_split_for(parts, "tokenizer.json"))
    return [pre_tokenizers.Split(pattern, "removed", invert=True)]


_OUR_NAMES = {
    "r50k_base": "gpt2",
    "p50k_base": "gpt2",
    "p50k_edit": "gpt2",
    "cl100k_base": "cl100k",
    "o200k_base": "o200k",
    "o200k_harmony": "o200k",
    "llama4": "o200k",
    "whisper": "gpt2",
}
"""Our names for the splits that have other names, too."""


def _rank_lines(parts: ByteMerges) -> list[str]:
    made = [token for _, _, token in parts.merges]
    if made != sorted(made):
        raise ExportError(
            f".tiktoken merges in the order of ids, and {parts.name} does not; choose another "
            "format"
        )
    check_specials_apart(parts.special_tokens, tiktoken_ranks.FORMAT)
    _split_for(parts, "tiktoken")
    if parts.format != "tiktoken":
        # Check that merging by bytes gives the same tokens as merging by pairs.
        tiktoken_ranks.check(parts.history(), len(parts.merges))
    return [
        f"{encode_token(content).decode('ascii')} {token}\n"
        for token, content in sorted(parts.contents.items())
    ]


def _rank_options(parts: ByteMerges, path: Path) -> _ReadOptions:
    """Find the split, and the special tokens unless they are those that go with it."""
    split = _rank_split(parts)
    known = tiktoken_ranks.read(path, split).special_tokens
    return split, {} if known == parts.special_tokens else parts.special_tokens


def _rank_split(parts: ByteMerges) -> str:
    return parts.split if parts.split in NAMED_PATTERNS else _split_for(parts, "tiktoken")


def _gpt2_files(parts: ByteMerges, path: Path) -> _Files:
    _check_not_normalized(parts, gpt2.FORMAT)
    parts.check_no_whole_words(gpt2.FORMAT)
    if _OUR_NAMES.get(parts.split, parts.split) != "gpt2":
        raise ExportError(
            f"{gpt2.FORMAT} always split as GPT-2 does, and {parts.name} splits by "
            f"{shown(parts.split)}"
        )
    parts.check_all_made()  # a token that no merge makes would be taken for a special token
    texts = _texts(parts, gpt2.FORMAT)
    pairs = _pairs(parts, texts)
    for left, _ in pairs:
        if left.startswith(_VERSION):
            raise ExportError(
                f"{gpt2.FORMAT} cannot hold a merge of {shown(left)}: its line would be "
                f"taken for the line with the {_VERSION} and skipped"
            )
    vocabulary, merges = gpt2.pair_of(path)
    written = json.dumps({text: token for token, text in sorted(texts.items())}, ensure_ascii=False)
    lines = [f"{_VERSION}: 0.2\n", *(f"{left} {right}\n" for left, right in pairs)]
    return [(vocabulary, written), (merges, lines)]


def _check_not_normalized(parts: ByteMerges, format_name: str) -> None:
    """Check that texts are split as they are. Raises ExportError."""
    if parts.normalizers:
        raise ExportError(
            f"{format_name} cannot normalize text, and {parts.name} does "
            f"({', '.join(map(str, parts.normalizers)).upper()}); convert it to tokenizer.json"
        )


def _minbpe_ids(parts: ByteMerges) -> dict[int, int]:
    """Map ids to those of minbpe: bytes by their value, then the merges, then special tokens."""
    ids = {token: content[0] for token, content in parts.contents.items() if len(content) == 1}
    ids.update({token: _BYTES + step for step, (_, _, token) in enumerate(parts.merges)})
    first = _BYTES + len(parts.merges)
    specials = sorted(parts.special_tokens.values())
    return {**ids, **{token: first + index for index, token in enumerate(specials)}}


def _minbpe_lines(parts: ByteMerges) -> list[str]:
    parts.check_no_whole_words(minbpe.FORMAT)
    parts.check_order(minbpe.FORMAT)
    parts.new_ids()  # raises ExportError for tokens that cannot be numbered
    empty = next((token for token, content in parts.contents.items() if not content), None)
    if empty is not None:
        raise ExportError(
            f"{minbpe.FORMAT} cannot hold the token {empty} of {parts.name}, which stands "
            "for no text; convert it to tokenizer.json"
        )
    _check_not_normalized(parts, minbpe.FORMAT)
    pattern = _split_for(parts, "minbpe")
    for text in parts.special_tokens:
        if text.split() != [text]:
            raise ExportError(
                f"{minbpe.FORMAT} cannot hold the special token {shown(text)}, because it has "
                "white space"
            )
    if "\n" in pattern or pattern.strip() != pattern:
        raise ExportError(
            f"{minbpe.FORMAT} cannot hold the split {shown(pattern)}, because it has white space "
            "at an end, or a newline"
        )
    ids = _minbpe_ids(parts)
    # Without a pattern minbpe would not look for special tokens.
    plain = parts.split == "none" and not parts.special_tokens
    lines = [f"{minbpe.VERSION}\n{'' if plain else pattern}\n{len(parts.special_tokens)}\n"]
    # Of several that begin at one place minbpe finds the first; that should be the longest.
    for text in sorted(parts.special_tokens, key=len, reverse=True):
        lines.append(f"{text} {ids[parts.special_tokens[text]]}\n")
    lines += [f"{ids[left]} {ids[right]}\n" for left, right, _ in parts.merges]
    return lines


def _split_for(parts: ByteMerges, format_name: str) -> str:
    """Translate the split to a regular expression of a format. Raises ExportError."""
    if parts.split in NAMED_PATTERNS:
        return NAMED_PATTERNS[parts.split]
    if parts.split == "bert":
        return pattern_of(parts.split, format_name)  # raises ExportError
    try:
        return translate(parts.split, parts.format, format_name)
    except ExportError as error:
        raise ExportError(f"{parts.name} is not written, because {error}") from None
