"""`bpe-gui compare --chat`: what chat templates add to a conversation."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import chain

from bpe_gui.analysis.metric_columns import MISSING
from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.commands.compare import aligned, fitted
from bpe_gui.commands.streams import write
from bpe_gui.commands.tokenizers import legend, open_encodings
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.chat import (
    EXAMPLE,
    NO_TEMPLATE,
    ChatCost,
    Conversation,
    Message,
    chat_cost,
    read_conversation,
    template_config,
)
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.short_names import short_names
from bpe_gui.exporting.tables import csv_parts
from bpe_gui.exporting.terminal_text import wrapped
from bpe_gui.progress import counted, listed

_HEADINGS = ("encoding", "content", "with template", "added", "added per message", "file adds")


def compare_chats(parsed: argparse.Namespace) -> None:
    """Write what the chat template of each tokenizer adds to a conversation."""
    chat = Conversation(EXAMPLE) if parsed.chat == "-" else read_conversation(parsed.chat)
    messages = chat.messages
    encodings = open_encodings(parsed.tokenizers, parsed.special)
    own = OwnNumbers(parsed.price, parsed.context, parsed.width)
    rows: _Rows = []
    with interpreting_unless_ready(Kernels.ALL):
        names = short_names(parsed.tokenizers) if parsed.format == "table" else parsed.tokenizers
        for name, source, encoding in zip(names, parsed.tokenizers, encodings, strict=True):
            cost, problem = None, NO_TEMPLATE
            config = template_config(source)
            if config is not None and config.chat_templates:
                try:
                    cost = chat_cost(encoding, config, messages, chat.tools)
                    problem = cost.refusal
                except EncodingError as error:
                    problem = str(error)
            file_adds = (
                encoding.template_tokens if isinstance(encoding, HuggingFaceEncoding) else None
            )
            content = _content(encoding, messages) if cost is None else cost.content
            taken = None if cost is None else (content + cost.added) / len(messages)
            numbers = own.of_messages(taken, encoding.vocabulary_size)
            rows.append((name, content, cost, file_adds, numbers, problem))
    if parsed.format == "table":
        write("-", chain(_table(rows, len(messages)), legend(parsed.tokenizers)))
    elif parsed.format == "csv":
        write("-", csv_parts(_lines(rows)))
    else:
        written = [
            {
                "encoding": name,
                "turns": None if cost is None else [
                    {
                        "role": turn.role, "content": turn.content, "added": turn.added,
                        "has_special": turn.has_special, "is_left_out": turn.is_left_out,
                    }
                    for turn in cost.turns
                ],
                "content": content,
                "added": None if cost is None else cost.added,
                "added_per_message": None if cost is None else cost.added_per_turn,
                "file_adds": file_adds,
                **numbers,
                "problem": problem or None,
            }
            for name, content, cost, file_adds, numbers, problem in rows
        ]  # fmt: skip
        write("-", json.dumps(written, ensure_ascii=False, indent=2) + "\n")


_Rows = list[tuple[str, int, ChatCost | None, int | None, dict[str, float | None], str]]
"""For each tokenizer its name, the tokens of all messages by themselves, what the template costs,
what the file adds to a text, the numbers of one's own, and what is wrong.
"""


def _content(encoding: Encoding, messages: Sequence[Message]) -> int:
    """Count the tokens of all messages by themselves."""
    return sum(len(encoding.encode(it.content, specials_as_text=True)) for it in messages)


def _table(rows: _Rows, messages: int) -> Iterator[str]:
    """Format for reading."""
    cells = [["", *_HEADINGS[1:], *rows[0][4]]]
    for name, content, cost, file_adds, own, _ in rows:
        adds = MISSING if file_adds is None else str(file_adds)
        last = [adds, *(MISSING if it is None else f"{it:,.2f}" for it in own.values())]
        if cost is None:
            cells.append([name, f"{content:,}", *[MISSING] * 3, *last])
            continue
        numbers = [content, content + cost.added, cost.added]
        written = [f"{number:,}" for number in numbers]
        cells.append([name, *written, f"{cost.added_per_turn:.1f}", *last])
    yield from (f"{line}\n" for line in fitted(cells))
    problems: dict[str, list[str]] = {}
    for name, *_, problem in rows:
        if problem:
            problems.setdefault(problem, []).append(name)
    yield from (f"{listed(names)}: {problem}\n" for problem, names in problems.items())
    yield (
        f"Tokens of {counted(messages, 'message')}. “File adds” are those that a tokenizer.json "
        "adds to any text.\n"
    )
    with_cost = [(name, cost) for name, _, cost, *_ in rows if cost is not None]
    for name, cost in with_cost:
        places = [f"message {n}" for n, turn in enumerate(cost.turns, 1) if turn.has_special]
        if places:
            yield wrapped(
                f"{name}: names of special tokens in {listed(places)} are read as text, and are no "
                "part of what is added"
            )
        left_out = [f"message {n}" for n, turn in enumerate(cost.turns, 1) if turn.is_left_out]
        if left_out:
            yield wrapped(
                f"{name}: the chat template leaves out or changes {listed(left_out)}, so what it "
                "adds is too few"
            )
    if with_cost:
        yield "\nadded to each message:\n"
        turns = [["", *(f"({place})" for place in range(1, len(with_cost) + 1))]]
        for number, turn in enumerate(with_cost[0][1].turns):
            added = [f"{cost.turns[number].added:,}" for _, cost in with_cost]
            turns.append([turn.role, *added])
        yield from (f"{line}\n" for line in aligned(turns))
        yield from (f"({place}) {name}\n" for place, (name, _) in enumerate(with_cost, 1))


def _lines(rows: _Rows) -> Iterator[list[object]]:
    yield [*_HEADINGS, *rows[0][4], "problem"]
    for name, content, cost, file_adds, own, problem in rows:
        numbers: list[object] = [None] * 3
        if cost is not None:
            numbers = [content + cost.added, cost.added, cost.added_per_turn]
        yield [name, content, *numbers, file_adds, *own.values(), problem]
