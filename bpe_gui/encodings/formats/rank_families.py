"""Rank files of known makers, recognised by their content.

A rank file says neither how text is split nor which special tokens there are. Makers hand out the
same file again and again, though: the number of ranks and a few of them tell which one it is. That
is a guess, and whoever uses it says so.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats.untrusted_files import read_bounded
from bpe_gui.progress import counted

_END_OF_TEXT = "<|endoftext|>"
_PREFIX, _MIDDLE, _SUFFIX = "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"
_END_OF_PROMPT = "<|endofprompt|>"


class RankFamily(Struct, frozen=True):
    """Describe the rank file of a maker.

    name: what people call it. split: its name in `split_patterns.NAMED_PATTERNS`. size: how many
    ranks it has. tokens: some of its tokens by their ranks; none if another family is recognised
    in its place. without: special tokens that the maker's models have as well, whose ids the file
    does not tell.
    """

    name: str
    split: str
    size: int
    tokens: Mapping[int, bytes]
    special_tokens: Mapping[str, int]
    without: str = ""

    @property
    def description(self) -> str:
        """Name the family and what it was recognised by.

        >>> RankFamily("GPT-2", "gpt2", 50256, {}, {}).description
        "GPT-2's ranks: 50,256 entries"
        """
        return f"{self.name}'s ranks: {counted(self.size, 'entry', 'entries')}"


def _numbered(first: int, texts: Iterable[str]) -> Mapping[str, int]:
    return {text: first + index for index, text in enumerate(texts)}


def _reserved(name: str, begin: int, end: int) -> list[str]:
    return [f"<|{name}reserved_special_token_{index}|>" for index in range(begin, end)]


_LLAMA_3 = (
    "<|begin_of_text|>",
    "<|end_of_text|>",
    *_reserved("", 0, 2),
    "<|finetune_right_pad_id|>",
    "<|step_id|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|python_tag|>",
    "<|image|>",
    *_reserved("", 2, 246),
)

_LLAMA_4 = (
    "<|begin_of_text|>",
    "<|end_of_text|>",
    _PREFIX,
    _MIDDLE,
    _SUFFIX,
    "<|header_start|>",
    "<|header_end|>",
    "<|eom|>",
    "<|eot|>",
    "<|step|>",
    *_reserved("text_post_train_", 0, 6),
    "<|python_start|>",
    "<|python_end|>",
    "<|finetune_right_pad|>",
    *_reserved("text_post_train_", 8, 69),
    "<|image_start|>",
    "<|image_end|>",
    *_reserved("vision_", 0, 2),
    "<|tile_x_separator|>",
    "<|tile_y_separator|>",
    *_reserved("vision_", 2, 6),
    "<|image|>",
    *_reserved("vision_", 6, 7),
    "<|patch|>",
    *_reserved("vision_", 7, 1048),
    *_reserved("reasoning_", 0, 8),
    "<|reasoning_thinking_start|>",
    "<|reasoning_thinking_end|>",
    *_reserved("", 0, 904),
)

_QWEN = (_END_OF_TEXT, "<|im_start|>", "<|im_end|>", *(f"<|extra_{n}|>" for n in range(205)))

_QWEN_35 = (
    *(_END_OF_TEXT, "<|im_start|>", "<|im_end|>"),
    *("<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>"),
    *("<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>"),
    *("<|vision_pad|>", "<|image_pad|>", "<|video_pad|>", "<tool_call>", "</tool_call>"),
    *(_PREFIX, _MIDDLE, _SUFFIX, "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"),
    *("<tool_response>", "</tool_response>", "<think>", "</think>"),
    *("<|audio_start|>", "<|audio_end|>", "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>"),
    *("<tts_text_bos_single>", "<|audio_pad|>"),
)

_GPT2_TOKENS = {0: b"!", 256: b" t", 1000: b"ale", 20000: b" Junior"}
_CL100K_TOKENS = {0: b"!", 256: b"  ", 1000: b"indow", 20000: b"itis"}

FAMILIES = (
    RankFamily("GPT-2", "gpt2", 50256, _GPT2_TOKENS, {_END_OF_TEXT: 50256}),
    RankFamily("GPT-3 (r50k_base)", "r50k_base", 50256, {}, {_END_OF_TEXT: 50256}),
    RankFamily("p50k_base", "p50k_base", 50280, _GPT2_TOKENS, {_END_OF_TEXT: 50256}),
    RankFamily(
        "p50k_edit",
        "p50k_edit",
        50280,
        {},
        {_END_OF_TEXT: 50256, _PREFIX: 50281, _MIDDLE: 50282, _SUFFIX: 50283},
    ),
    RankFamily(
        "cl100k_base",
        "cl100k_base",
        100256,
        _CL100K_TOKENS,
        {**_numbered(100257, (_END_OF_TEXT, _PREFIX, _MIDDLE, _SUFFIX)), _END_OF_PROMPT: 100276},
    ),
    RankFamily(
        "o200k_base",
        "o200k_base",
        199998,
        {0: b"!", 256: b"  ", 1000: b".l", 50257: b" Associates"},
        {_END_OF_TEXT: 199999, _END_OF_PROMPT: 200018},
    ),
    RankFamily(
        "Llama 3",
        "llama3",
        128000,
        {**_CL100K_TOKENS, 127999: "锦".encode()},
        _numbered(128000, _LLAMA_3),
    ),
    RankFamily(
        "Llama 4",
        "llama4",
        200000,
        {0: b"\xc0", 256: b"  ", 300: b"ing", 20000: b"-cl"},
        _numbered(200000, _LLAMA_4),
    ),
    RankFamily(
        "Qwen",
        "qwen",
        151643,
        {0: b"!", 256: b"  ", 1000: b"atus", 20000: b"LANG"},
        _numbered(151643, _QWEN),
    ),
    RankFamily(
        "Qwen 3.5",
        "qwen35",
        248044,
        {0: b"!", 256: b"  ", 1000: b" would", 20000: b" Builder"},
        _numbered(248044, _QWEN_35),
    ),
    RankFamily(
        "Whisper",
        "whisper",
        50257,
        {0: b"!", 256: b" t", 1000: " о".encode(), 50256: b""},
        _numbered(50257, (_END_OF_TEXT, "<|startoftranscript|>")),
        "the special tokens for languages, tasks and times, whose ids depend on the model",
    ),
)
"""The known families; those after tiktoken's are guesses about which special tokens a model has."""

KNOWN_SPECIAL_TOKENS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {family.split: family.special_tokens for family in FAMILIES}
)
"""The special tokens of all families, by the names of their splits."""

KNOWN_SIZES: Mapping[str, int] = MappingProxyType(
    {family.split: family.size for family in FAMILIES}
)
"""How many ranks their files have."""


def family_of(data: bytes) -> RankFamily | None:
    r"""Guess whose rank file this is, by the number of its lines and some of them; None if unknown.

    Nothing is decoded, which takes milliseconds.

    >>> family_of(b"IQ== 0\nIg== 1\n") is None
    True
    """
    text = b"\n" + data.replace(b"\r\n", b"\n").strip(b"\n") + b"\n"
    size = text.count(b"\n") - 1
    for family in FAMILIES:
        if family.size == size and family.tokens:
            written = (
                b"\n%s %d\n" % (encode_token(token), rank) for rank, token in family.tokens.items()
            )
            if all(line in text for line in written):
                return family
    return None


_HASH = re.compile("[0-9a-f]{40}")
"""The names of rank files in tiktoken's cache."""


def name_of_file(path: Path) -> str:
    """Return the name of a file, or of the family of its ranks where the name is a hash.

    >>> name_of_file(Path("models/gpt2.tiktoken"))
    'gpt2.tiktoken'
    """
    name = ""
    if _HASH.fullmatch(path.name) and path.is_file():
        name = _family_name(path, path.stat().st_mtime_ns)
    return name or path.name


@lru_cache
def _family_name(path: Path, written: int) -> str:
    """Name the family of a rank file, which was `written` at this time; empty if it has none."""
    try:
        family = family_of(read_bounded(path))
    except (EncodingError, OSError):
        return ""
    return "" if family is None else family.name


EMPTY = b"="
"""The spelling of a token without bytes, which Whisper's multilingual rank file has."""


def encode_token(token: bytes) -> bytes:
    """Spell a token as rank files do: in base 64.

    >>> encode_token(b" a"), encode_token(b"")
    (b'IGE=', b'=')
    """
    return base64.b64encode(token) or EMPTY
