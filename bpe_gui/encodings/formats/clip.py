r"""CLIP's bpe_simple_vocab_16e6.txt: merges of bytes with a marker at the ends of words.

The file has more merges than are used, and no ids: CLIP numbers the bytes, the bytes at ends of
words, and the first 48,894 merges. Texts are normalized (NFC, one space for white space, lower
case) and split. CLIP itself, and OpenCLIP, repair texts before that with the library ftfy
and replace HTML's entities; that is left out here, as in Hugging Face's version of CLIP.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER
from bpe_gui.bpe.errors import shown
from bpe_gui.encodings.base import EncodingError, wrap_rust_errors
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.split_patterns import CLIP
from bpe_gui.encodings.formats.untrusted_files import read_bounded, to_text

FORMAT = "bpe_simple_vocab.txt"

_MERGES = 49152 - 256 - 2
END_OF_WORD = "</w>"
_LEFT_OUT = (
    "CLIP's own library first repairs texts with ftfy and replaces HTML entities; that is left out "
    "here"
)
SPECIAL_TOKENS = ("<|startoftext|>", "<|endoftext|>")


def looks_like(data: bytes) -> bool:
    """Tell whether a file that begins with these bytes is CLIP's.

    >>> looks_like(b'"bpe_simple_vocab_16e6.txt#version: 0.2'), looks_like(b"#version: 0.2")
    (True, False)
    """
    return data.startswith(b'"bpe_simple_vocab')


def read(path: str | Path, *, name: str = "") -> HuggingFaceEncoding:
    """Load CLIP's merges. Raises EncodingError with the line; OSError if it is unreadable."""
    lines = to_text(read_bounded(path), path, f"a {FORMAT} of CLIP").split("\n")
    merges: list[tuple[str, str]] = []
    characters = BYTE_OF_CHARACTER.keys()
    for number, line in enumerate(lines[1 : _MERGES + 1], start=2):
        parts = line.split()
        if not parts and number == len(lines):
            continue
        plain = "".join(parts).replace(END_OF_WORD, "")
        if len(parts) != 2 or not plain or not characters >= set(plain):
            raise EncodingError(
                f"{path}, line {number:,}: expected two tokens and a space, found {shown(line)}"
            )
        merges.append((parts[0], parts[1]))
    with wrap_rust_errors(f"{path} cannot be read"):
        tokenizer = to_library(_vocabulary(merges), merges, SPECIAL_TOKENS)
        return HuggingFaceEncoding(tokenizer, name or Path(path).name, left_out=_LEFT_OUT)


def _vocabulary(merges: Sequence[tuple[str, str]]) -> dict[str, int]:
    symbols = sorted(BYTE_OF_CHARACTER)
    texts = [*symbols, *(symbol + END_OF_WORD for symbol in symbols)]
    texts += [left + right for left, right in merges]
    return {text: token for token, text in enumerate([*texts, *SPECIAL_TOKENS])}


def to_library(
    vocabulary: dict[str, int],
    merges: Sequence[tuple[str, str]],
    special_tokens: Iterable[str],
) -> Tokenizer:
    """Build a tokenizer of a vocabulary and merges of CLIP."""
    tokenizer = Tokenizer(
        models.BPE(vocab=vocabulary, merges=list(merges), end_of_word_suffix=END_OF_WORD)
    )
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),
            normalizers.Replace(Regex(r"\s+"), " "),
            normalizers.Lowercase(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(CLIP), "removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    # Ġ is how byte-level tokens spell a space.
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(END_OF_WORD, "Ġ"), decoders.ByteLevel()]
    )
    tokenizer.add_special_tokens(
        [AddedToken(text, special=True, normalized=False) for text in special_tokens]
    )
    return tokenizer
