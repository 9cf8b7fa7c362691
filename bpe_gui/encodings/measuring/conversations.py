"""A conversation as texts: each message by itself, and as the chat template writes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from msgspec.structs import replace

from bpe_gui.analysis.grouped_counts import BYTES, TOKENS, GroupedCounts
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.chat import (
    EXAMPLE,
    NO_TEMPLATE,
    ChatCost,
    Conversation,
    chat_cost,
    template_config,
)
from bpe_gui.encodings.measuring.several_texts import (
    TextCounts,
    Texts,
    measure_text,
    measure_texts,
    text_of,
)
from bpe_gui.progress import counted

_WHOLE = "all messages"
_WITH_TEMPLATE = "with template"
_ALONE = "Its text alone; names of special tokens in it are text, too"


@cache
def example() -> Texts:
    """Return the built-in conversation."""
    return conversation_texts(Conversation(EXAMPLE), "a short conversation")


def conversation_texts(conversation: Conversation, title: str) -> Texts:
    """List the whole conversation and each message, and the same again with the template.

    >>> from bpe_gui.encodings.chat import Message
    >>> conversation_texts(Conversation((Message("user", "Hi"),)), "talk").names
    ['all messages', 'all messages, with template', '1 user', '1 user, with template']
    """
    texts = []
    messages = conversation.messages
    contents = [message.content for message in messages]
    names = [f"{number} {message.role}" for number, message in enumerate(messages, 1)]
    for name, content in [(_WHOLE, "".join(contents)), *zip(names, contents, strict=True)]:
        made = text_of(name, content)
        plain = replace(made, group_ends=np.array([len(made.data)]), meaning=_ALONE)
        meaning = "With what the chat template of an encoding adds to it"
        texts += [plain, replace(
            plain, name=f"{name}, {_WITH_TEMPLATE}", meaning=meaning, original=name
        )]  # fmt: skip
    many = counted(len(messages), "message")
    return Texts(f"{title}, {many}", tuple(texts), conversation=conversation)


def measure_conversation(
    encoding: Encoding, texts: Texts, source: str, check: Callable[[], None] | None = None
) -> list[TextCounts]:
    """Measure the texts of a conversation; special tokens in messages are read as text.

    source: the name of the file of the encoding, beside which its template is. Counts of an
        encoding without a template say so, and those of a system message that it does not allow.
    """
    contents = [
        measure_text(encoding, text, specials_as_text=True, check=check)
        if text.data else TextCounts(GroupedCounts(text.group_ends), False)
        for text in texts.texts[2::2]
    ]  # fmt: skip
    try:
        assert texts.conversation is not None
        cost = _cost(encoding, texts.conversation, source)
        problem = cost.refusal
    except (EncodingError, OSError) as error:
        cost, problem = None, str(error)
    whole = _summed(contents)
    found = [whole, _with_template(whole, None if cost is None else cost.added, problem)]
    for place, counts in enumerate(contents):
        added = None if cost is None else cost.turns[place].added
        why = problem if cost is None or not place else ""
        found += [counts, _with_template(counts, added, why)]
    return found


def measure_set(
    encoding: Encoding,
    texts: Texts,
    source: str,
    *,
    specials_as_text: bool = False,
    cancelled: Callable[[], bool] | None = None,
) -> list[TextCounts]:
    """Measure texts of any kind under one encoding, read from `source`.

    Raises Cancelled when `cancelled` says so, EncodingError.
    """
    if texts.conversation is None:
        rows = measure_texts(
            [encoding], texts.texts, specials_as_text=specials_as_text, cancelled=cancelled
        )
        return [row[0] for row in rows]

    def check() -> None:
        if cancelled is not None and cancelled():
            raise Cancelled

    return measure_conversation(encoding, texts, source, check)


def _cost(encoding: Encoding, conversation: Conversation, source: str) -> ChatCost:
    config = template_config(source) if source else None
    if config is None or not config.chat_templates:
        raise EncodingError(NO_TEMPLATE)
    return chat_cost(encoding, config, conversation.messages, conversation.tools)


def _summed(parts: Sequence[TextCounts]) -> TextCounts:
    groups = sum((part.counts.groups.sum(axis=0) for part in parts), np.zeros(5, np.int64))
    found = GroupedCounts(groups[[BYTES]])
    found.groups[0] = groups
    decoded = all(part.decoded for part in parts)
    return TextCounts(found, any(part.lossy for part in parts), decoded=decoded)


def _with_template(counts: TextCounts, added: int | None, problem: str) -> TextCounts:
    found = _summed([counts])
    found.counts.groups[0, TOKENS] += added or 0
    return replace(found, problem=problem)

