"""The `tokenizer_config.json` beside a tokenizer: its special tokens and its chat template.

Programs that use a tokenizer read this file too. It repeats some of a tokenizer.json, and says what
formats without special tokens, such as rank files and BERT's vocab.txt, cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats.untrusted_files import MAX_ID, MAX_TOKENS, read_bounded, to_text

NAME = "tokenizer_config.json"
TEMPLATE_NAME = "chat_template.jinja"

_MAX_BYTES = 64 << 20
"""The largest such file: those of models with thousands of special tokens have some 300 KB."""

DEFAULT = "default"
"""The name of the chat template that is used unless another one is named."""


class SpecialToken(Struct, frozen=True):
    """Describe an added token. `special` is False for one that is ordinary text to a reader."""

    content: str
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False
    normalized: bool = False
    special: bool = True


class NamedTemplate(Struct, frozen=True):
    """Name one of several chat templates."""

    name: str
    template: str


class TokenizerConfig(Struct, frozen=True):
    """Hold what a tokenizer_config.json says of texts; everything may be missing.

    added_tokens_decoder: the added tokens by their ids, written as text.
    tokenizer_class: the name of the class in the transformers library.
    do_lower_case, strip_accents, tokenize_chinese_chars: how BERT's texts are normalized.
    """

    added_tokens_decoder: dict[str, SpecialToken] = {}
    tokenizer_class: str | None = None
    chat_template: str | list[NamedTemplate] | dict[str, str] | None = None
    bos_token: Any = None
    eos_token: Any = None
    pad_token: Any = None
    unk_token: Any = None
    add_bos_token: bool | None = None
    add_eos_token: bool | None = None
    do_lower_case: bool | None = None
    strip_accents: bool | None = None
    tokenize_chinese_chars: bool | None = None

    @property
    def added_tokens(self) -> dict[int, SpecialToken]:
        """Return the added tokens by their ids."""
        return {int(token): added for token, added in self.added_tokens_decoder.items()}

    @property
    def special_ids(self) -> dict[str, int]:
        """Return the ids of all added tokens by their texts."""
        return {added.content: token for token, added in self.added_tokens.items()}

    @property
    def chat_templates(self) -> dict[str, str]:
        """Return the chat templates, written in Jinja, by name; DEFAULT is the usual one."""
        if self.chat_template is None:
            return {}
        if isinstance(self.chat_template, str):
            return {DEFAULT: self.chat_template}
        if isinstance(self.chat_template, dict):
            return self.chat_template
        return {named.name: named.template for named in self.chat_template}

    def text_of(self, role: str) -> str | None:
        """Return the token of a role, `bos_token` for example; None if none has it."""
        found = getattr(self, role)
        content = found.get("content") if isinstance(found, dict) else found
        return content if isinstance(content, str) else None


def named_templates(templates: Mapping[str, str]) -> list[NamedTemplate]:
    """Write chat templates as a tokenizer_config.json does."""
    return [NamedTemplate(name, template) for name, template in templates.items()]


_Id = Annotated[int, Meta(ge=0, le=MAX_ID)]


def config_beside(path: str | Path) -> TokenizerConfig | None:
    """Read the tokenizer_config.json in the folder of a file, or in a folder; None without one.

    A chat_template.jinja beside it, where newer programs keep the template, replaces its template.
    Raises EncodingError if a file is no such configuration, OSError if it is unreadable.
    """
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    own, template = folder / NAME, folder / TEMPLATE_NAME
    config = read(own) if own.is_file() else None
    if not template.is_file():
        return config
    data = read_bounded(template, max_bytes=_MAX_BYTES)
    text = to_text(data, template, "a chat template")
    return msgspec.structs.replace(config or TokenizerConfig(), chat_template=text)


def read(path: str | Path) -> TokenizerConfig:
    """Read a tokenizer_config.json. Raises EncodingError, which names the file; OSError."""
    return parse(read_bounded(path, max_bytes=_MAX_BYTES), path)


def parse(data: bytes, path: str | Path) -> TokenizerConfig:
    """Parse a tokenizer_config.json. Raises EncodingError, which names `path`.

    >>> written = b'{"added_tokens_decoder": {"3": {"content": "<s>"}}, "chat_template": "{{ x }}"}'
    >>> config = parse(written, "tokenizer_config.json")
    >>> config.special_ids, config.chat_templates
    ({'<s>': 3}, {'default': '{{ x }}'})
    """
    text = to_text(data, path, "a tokenizer_config.json")
    try:
        config = msgspec.json.decode(text, type=TokenizerConfig)
        ids = [msgspec.convert(token, _Id, strict=False) for token in config.added_tokens_decoder]
    except (msgspec.DecodeError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise EncodingError(f"{path} is not a tokenizer_config.json: {reason}") from None
    if len(ids) > MAX_TOKENS:
        raise EncodingError(f"{path} has more than {MAX_TOKENS:,} tokens")
    if len(set(ids)) < len(ids) or len(config.special_ids) < len(ids):
        raise EncodingError(f"{path} has the same added token or the same id twice; remove one")
    if "" in config.special_ids:
        raise EncodingError(f"{path} has an empty added token; remove it")
    return config
