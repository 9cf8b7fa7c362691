"""BERT's `vocab.txt`: the tokens of a WordPiece model, one a line, whose number is its id.

The file does not say whether texts are lower-cased before they are tokenized. A
tokenizer_config.json in the same folder does; without one it is guessed: a vocabulary without any
capital letter is uncased, and uncased models strip accents as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_gui.encodings.base import EncodingError, wrap_rust_errors
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.tokenizer_config import TokenizerConfig, config_beside
from bpe_gui.encodings.formats.untrusted_files import MAX_TOKENS, read_bounded, to_text
from bpe_gui.progress import counted

FORMAT = "vocab.txt"

UNKNOWN = "[UNK]"
_SPECIAL_TOKENS = ("[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]")
_CONTINUATION = "##"


def looks_like(data: bytes) -> bool:
    r"""Tell whether a file that begins with these bytes is a vocabulary of BERT.

    >>> looks_like(b"[PAD]\n[UNK]\n[CLS]\nthe\n##s\n"), looks_like(b"[UNK] is a token\n")
    (True, False)
    """
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    has_specials = b"[UNK]" in lines and bool({b"[CLS]", b"[PAD]", b"[SEP]"} & set(lines))
    return has_specials and not any(b" " in line for line in lines)


def read(path: str | Path, *, name: str = "") -> HuggingFaceEncoding:
    """Load a vocab.txt. Raises EncodingError if it is none; OSError if it is unreadable."""
    lines = to_text(read_bounded(path), path, f"a {FORMAT} of BERT").split("\n")
    if len(lines) > MAX_TOKENS:
        raise EncodingError(f"{path} has more than {MAX_TOKENS:,} tokens")
    # Of a token that is there twice the last line counts, as in the libraries.
    vocabulary = {line.removesuffix("\r"): token for token, line in enumerate(lines)}
    vocabulary.pop("", None)
    if UNKNOWN not in vocabulary:
        raise EncodingError(
            f"{path} is not a {FORMAT} of BERT: it has no line {UNKNOWN}, the token for unknown "
            "words"
        )
    config = config_beside(path) or TokenizerConfig()
    lowercase, guess = config.do_lower_case, ""
    if lowercase is None:
        lowercase = is_uncased(vocabulary)
        kind = "an uncased" if lowercase else "a cased"
        guess = f"read as {kind} vocabulary of BERT: {counted(len(vocabulary), 'entry', 'entries')}"
    with wrap_rust_errors(f"{path} cannot be read"):
        tokenizer = to_library(
            vocabulary,
            lowercase=lowercase,
            strip_accents=config.strip_accents,
            chinese=config.tokenize_chinese_chars is not False,
        )
    return HuggingFaceEncoding(tokenizer, name or Path(path).name, guess=guess)


def to_library(
    vocabulary: Mapping[str, int],
    *,
    lowercase: bool,
    strip_accents: bool | None = None,
    chinese: bool = True,
) -> Tokenizer:
    """Build BERT's tokenizer of a vocabulary.

    strip_accents: None strips them if texts are lower-cased. chinese: whether every ideograph is
    a word. The special tokens are those of BERT that the vocabulary has.
    """
    tokenizer = Tokenizer(
        models.WordPiece(
            vocab=dict(vocabulary),
            unk_token=UNKNOWN,
            continuing_subword_prefix=_CONTINUATION,
            max_input_chars_per_word=100,
        )
    )
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True,
        handle_chinese_chars=chinese,
        strip_accents=strip_accents,
        lowercase=lowercase,
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix=_CONTINUATION)
    found = [token for token in _SPECIAL_TOKENS if token in vocabulary]
    tokenizer.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token in found]
    )
    return tokenizer


def is_uncased(tokens: Iterable[str]) -> bool:
    """Guess whether texts are lower-cased: no token has a capital letter.

    >>> is_uncased(["[UNK]", "the"]), is_uncased(["[UNK]", "The"])
    (True, False)
    """
    return not any(map(_has_capitals, tokens))


def _has_capitals(token: str) -> bool:
    if token.startswith("[") and token.endswith("]"):
        return False  # a special token, or an unused one
    return token != token.lower()
