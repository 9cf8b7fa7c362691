"""Writing a byte-pair encoding that was read from one format in another.

What is written is first written to a folder for temporary files, loaded from there by the
library that defines the format (for minbpe, which is none that can be installed, by our own
reader), and asked for the ids of some texts; only if they are those of the encoding is anything
put where the user wants it.
"""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings import gpt2, huggingface, minbpe, tiktoken_ranks
from bpe_gui.encodings.base import Encoding, EncodingError, ExportError, wrap_rust_errors
from bpe_gui.encodings.byte_level_export import prefix_pair
from bpe_gui.encodings.byte_merges import ByteMerges, merges_of
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.huggingface_export import split_steps
from bpe_gui.encodings.reading import shown
from bpe_gui.encodings.regex_dialects import translate
from bpe_gui.encodings.save import Format, format_named, format_of
from bpe_gui.encodings.split_patterns import NAMED_PATTERNS, pattern_of
from bpe_gui.files import check_writable, write_atomically, write_together

_BYTES = 256
_VERSION = "#version"


@dataclass(frozen=True, slots=True)
class Converted:
    """What was written.

    characters: how many were compared before, all of which agreed.
    renumbered: whether the format has ids of its own.
    split: what has to be named with the file when it is read; empty if the file says it itself.
    special_tokens: those that have to be named then, too, for not all of them are those that
        belong to such a split.
    """

    format: Format
    characters: int
    renumbered: bool
    split: str
    special_tokens: Mapping[str, int]


def convert(
    encoding: Encoding, path: str | Path, texts: Iterable[str], format_name: str | None = None
) -> Converted:
    """Write an encoding at a path, in the format that is named or that the path stands for.

    Raises ExportError, and writes nothing, if the format cannot hold a part of the encoding,
    or if its reader cuts one of the texts otherwise; OSError if the path cannot be written.
    """
    chosen = format_of(path) if format_name is None else format_named(format_name)
    way = _way(encoding, chosen)
    with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
        trial = Path(folder) / "converted"
        if "" in chosen.endings:
            trial.mkdir()
        way.write(trial)
        try:
            written = way.read(trial)
            own = [f"a{special} {special}{special}b\n" for special in way.special_tokens]
            _compare(encoding, written, way.ids, ["".join(own)])
            characters = _compare(encoding, written, way.ids, texts)
            split, specials = way.beside(trial)
        except EncodingError as error:
            raise ExportError(
                f"{encoding.name} cannot be written as {chosen.name}, for it could not be read "
                f"back: {error}"
            ) from None
    target = Path(path)
    if "" in chosen.endings and not target.suffix and not target.exists():
        target.mkdir()
    elif not target.is_dir():
        check_writable(target)
    way.write(target)
    renumbered = any(old != new for old, new in way.ids.items())
    return Converted(chosen, characters, renumbered, split, specials)


def _compare(
    source: Encoding, written: Encoding, ids: Mapping[int, int], texts: Iterable[str]
) -> int:
    """How many characters of the texts were compared. Raises ExportError at a difference.

    `ids` are those in the file for the source's, where they may be others.
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
                f"{source.name} is not written, for read back it would cut texts otherwise, "
                f"{shown(text[place : place + 20])} for example"
            )
        characters += len(text)
    return characters


# -- the formats -----------------------------------------------------------------------------


_Beside = tuple[str, Mapping[str, int]]
"""A split and special tokens that have to be named beside a file."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How an encoding is written in a format, and read back.

    special_tokens: those that are found in texts.
    ids: the id in the file for each of the encoding's, of those that may be others.
    beside: what has to be named when a file is read.
    """

    write: Callable[[Path], None]
    read: Callable[[Path], Encoding]
    special_tokens: Iterable[str]
    ids: Mapping[int, int] = field(default_factory=dict)
    beside: Callable[[Path], _Beside] = lambda path: ("", {})


def _way(encoding: Encoding, chosen: Format) -> _Way:
    """The way to a format. Raises ExportError if it cannot hold a part of the encoding."""
    if isinstance(encoding, HuggingFaceEncoding) and chosen.name == "tokenizer.json":
        return _Way(
            write=lambda path: write_atomically(path, encoding.to_json() + "\n"),
            read=huggingface.read,
            special_tokens=[added.content for added in encoding.added_tokens.values()],
        )
    parts = merges_of(encoding)
    specials = parts.special_tokens
    if chosen.name == "tokenizer.json":
        return _Way(lambda path: _write_huggingface(parts, path), huggingface.read, specials)
    if chosen.name == "gpt2":
        return _Way(lambda path: _write_gpt2(parts, path), gpt2.read, specials)
    if chosen.name == "minbpe":
        ids = _minbpe_ids(parts)
        return _Way(lambda path: _write_minbpe(parts, path), minbpe.read, specials, ids)
    return _Way(
        lambda path: _write_ranks(parts, path),
        lambda path: tiktoken_ranks.read(path, _split_for(parts, chosen.name), specials),
        specials,
        beside=lambda path: _beside_ranks(parts, path),
    )


def _texts(parts: ByteMerges, format_name: str) -> dict[int, str]:
    """All tokens as GPT-2's vocabulary writes them. Raises ExportError if two are alike."""
    texts = {token: to_printable(content) for token, content in parts.contents.items()}
    texts.update({token: text for text, token in parts.special_tokens.items()})
    if len(set(texts.values())) < len(texts):
        twice = next(text for text in parts.special_tokens if list(texts.values()).count(text) > 1)
        raise ExportError(
            f"{format_name} cannot hold two tokens that are written alike, {shown(twice)}"
        )
    return texts


def _pairs(parts: ByteMerges, texts: dict[int, str]) -> list[tuple[str, str]]:
    return [(texts[left], texts[right]) for left, right, _ in parts.merges]


def _write_huggingface(parts: ByteMerges, path: Path) -> None:
    texts = _texts(parts, "tokenizer.json")
    vocabulary = {text: token for token, text in sorted(texts.items())}
    with wrap_rust_errors(f"{parts.name} cannot be written as tokenizer.json"):
        tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=_pairs(parts, texts)))
        split = _OURS.get(parts.split, parts.split)
        words = [] if split == "gpt2" else _steps(parts, split)
        words.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=split == "gpt2"))
        tokenizer.pre_tokenizer = words[0] if len(words) == 1 else pre_tokenizers.Sequence(words)
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.add_special_tokens(
            [AddedToken(text, special=True, normalized=False) for text in parts.special_tokens]
        )
    write_atomically(path, tokenizer.to_str(pretty=True) + "\n")


def _steps(parts: ByteMerges, split: str) -> list[pre_tokenizers.PreTokenizer]:
    if split in NAMED_PATTERNS or split == "bert":
        return split_steps(split)
    pattern = Regex(_split_for(parts, "tokenizer.json"))
    return [pre_tokenizers.Split(pattern, "removed", invert=True)]


_OURS = {
    "r50k_base": "gpt2",
    "p50k_base": "gpt2",
    "p50k_edit": "gpt2",
    "cl100k_base": "cl100k",
    "o200k_base": "o200k",
    "o200k_harmony": "o200k",
}
"""What tiktoken's names of splits are among ours."""


def _write_ranks(parts: ByteMerges, path: Path) -> None:
    made = [token for _, _, token in parts.merges]
    if made != sorted(made):
        raise ExportError(
            f".tiktoken merges in the order of ids, and {parts.name} does not; it cannot hold that"
        )
    _check_specials_apart(parts)
    _split_for(parts, "tiktoken")
    # Whether looking for bytes comes to the same as looking for pairs.
    tiktoken_ranks.check(parts.history(), len(parts.merges))
    write_atomically(path, _rank_lines(parts))


def _rank_lines(parts: ByteMerges) -> Iterator[str]:
    for token, content in sorted(parts.contents.items()):
        written = base64.b64encode(content) or tiktoken_ranks.EMPTY
        yield f"{written.decode('ascii')} {token}\n"


def _beside_ranks(parts: ByteMerges, path: Path) -> _Beside:
    """The split, and the special tokens if they are not those of the split's own encoding."""
    split = parts.split if parts.split in NAMED_PATTERNS else _split_for(parts, "tiktoken")
    known = tiktoken_ranks.read(path, split).special_tokens
    return split, {} if known == parts.special_tokens else parts.special_tokens


def _write_gpt2(parts: ByteMerges, path: Path) -> None:
    if _OURS.get(parts.split, parts.split) != "gpt2":
        raise ExportError(
            f"{gpt2.FORMAT} stand for GPT-2's words, and {parts.name} splits by "
            f"{shown(parts.split)}"
        )
    parts.check_all_made()  # what no merge makes would be taken for a special token
    texts = _texts(parts, gpt2.FORMAT)
    pairs = _pairs(parts, texts)
    for left, _ in pairs:
        if left.startswith(_VERSION):
            raise ExportError(
                f"{gpt2.FORMAT} cannot hold a merge of {shown(left)}: its line would be "
                f"taken for one that says {_VERSION} and skipped"
            )
    vocabulary, merges = gpt2.pair_of(path)
    written = json.dumps({text: token for token, text in sorted(texts.items())}, ensure_ascii=False)
    lines = [f"{_VERSION}: 0.2\n", *(f"{left} {right}\n" for left, right in pairs)]
    write_together([(vocabulary, written), (merges, lines)])


def _minbpe_ids(parts: ByteMerges) -> dict[int, int]:
    """Bytes by their value, then the merges, then the special tokens."""
    ids = {token: content[0] for token, content in parts.contents.items() if len(content) == 1}
    ids.update({token: _BYTES + step for step, (_, _, token) in enumerate(parts.merges)})
    first = _BYTES + len(parts.merges)
    specials = sorted(parts.special_tokens.values())
    return {**ids, **{token: first + index for index, token in enumerate(specials)}}


def _write_minbpe(parts: ByteMerges, path: Path) -> None:
    parts.new_ids()  # says what cannot be numbered
    empty = next((token for token, content in parts.contents.items() if not content), None)
    if empty is not None:
        raise ExportError(
            f"{minbpe.FORMAT} cannot hold the token {empty} of {parts.name}, which stands "
            "for no text; convert it to tokenizer.json"
        )
    pattern = _split_for(parts, "minbpe")
    for text in parts.special_tokens:
        if text.split() != [text]:
            raise ExportError(
                f"{minbpe.FORMAT} cannot hold the special token {shown(text)}, for it has "
                "white space"
            )
    if "\n" in pattern or pattern.strip() != pattern:
        raise ExportError(
            f"{minbpe.FORMAT} cannot hold the split {shown(pattern)}, for it has white space "
            "at an end, or a newline"
        )
    ids = _minbpe_ids(parts)
    # Without a pattern no special tokens would be looked for.
    plain = parts.split == "none" and not parts.special_tokens
    lines = [f"{minbpe.VERSION}\n{'' if plain else pattern}\n{len(parts.special_tokens)}\n"]
    # Of several that begin at one place the first is found; it should be the longest.
    for text in sorted(parts.special_tokens, key=len, reverse=True):
        lines.append(f"{text} {ids[parts.special_tokens[text]]}\n")
    lines += [f"{ids[left]} {ids[right]}\n" for left, right, _ in parts.merges]
    write_atomically(path, lines)


def _check_specials_apart(parts: ByteMerges) -> None:
    pair = prefix_pair(tuple(parts.special_tokens))
    if pair is not None:
        raise ExportError(
            f".tiktoken does not say which of the special tokens {pair[0]!r} and {pair[1]!r} is "
            "found where both begin"
        )


def _split_for(parts: ByteMerges, format_name: str) -> str:
    """The split as a regular expression of a format. Raises ExportError if it has none."""
    if parts.split in NAMED_PATTERNS:
        return NAMED_PATTERNS[parts.split]
    if parts.split == "bert":
        return pattern_of(parts.split, format_name)  # which says why not
    try:
        return translate(parts.split, parts.format, format_name)
    except ExportError as error:
        raise ExportError(f"{parts.name} is not written, for {error}") from None
