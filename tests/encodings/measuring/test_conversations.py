"""Conversations as texts to compare: with the chat template and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.chat import (
    EXAMPLE,
    NO_TEMPLATE,
    Conversation,
    Message,
    chat_cost,
    template_config,
)
from bpe_gui.encodings.measuring.conversations import conversation_texts, example, measure_set
from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.test_trainer import trained
from tests.encodings.test_chat import CHATML


@pytest.fixture(scope="module")
def letters() -> TrainedEncoding:
    """A token for each byte."""
    return TrainedEncoding(trained([("a", 1)], preset("gpt2").with_changes(merges=0)).history)


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A tokenizer with a chat template beside it."""
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": CHATML}))
    (tmp_path / "tokenizer.json").touch()
    return str(tmp_path / "tokenizer.json")


def test_the_template_adds_to_each_message_what_the_command_line_says(
    letters: TrainedEncoding, source: str
) -> None:
    pytest.importorskip("jinja2")
    texts = example()
    counts = measure_set(letters, texts, source)
    numbers = TextNumbers(texts, ("letters",), tuple((one,) for one in counts))
    config = template_config(source)
    assert config is not None
    cost = chat_cost(letters, config, EXAMPLE)
    tokens = [numbers.value(TextMeasure.TOKENS, row, 0) for row in range(len(counts))]
    assert tokens[:2] == [cost.content, cost.content + cost.added]
    assert tokens[2::2] == [turn.content for turn in cost.turns]
    added = [numbers.value(TextMeasure.ADDED, row, 0) for row in range(1, len(counts), 2)]
    assert added == [cost.added, *(turn.added for turn in cost.turns)]
    assert numbers.value(TextMeasure.ADDED, 0, 0) is None, "added to nothing"
    assert numbers.problems == []
    assert numbers.value(TextMeasure.BYTES_PER_TOKEN, 1, 0) == cost.content / tokens[1]


@pytest.mark.parametrize("name", ["", "missing/tokenizer.json"])
def test_without_a_template_there_is_no_number_but_a_reason(
    letters: TrainedEncoding, name: str
) -> None:
    talk = Conversation((Message("user", "Grüße"), Message("assistant", "")))
    texts = conversation_texts(talk, "talk")
    counts = measure_set(letters, texts, name)
    numbers = TextNumbers(texts, ("letters",), tuple((one,) for one in counts))
    values = [numbers.value(TextMeasure.TOKENS, row, 0) for row in range(len(counts))]
    assert values == [7, None, 7, None, 0, None]
    assert numbers.problems == [f"letters: {NO_TEMPLATE}"]
    assert not any(numbers.is_lossy(TextMeasure.TOKENS, row, 0) for row in range(6))
    lines = list(numbers.lines())
    assert {len(line) for line in lines} == {len(lines[0])}
    assert lines[2][2:5] == [None, None, None]


def test_a_system_message_that_is_not_allowed_leaves_the_others_their_numbers(
    letters: TrainedEncoding, tmp_path: Path
) -> None:
    pytest.importorskip("jinja2")
    strict = "{% if messages[0].role == 'system' %}{{ raise_exception('none') }}{% endif %}"
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": strict + CHATML}))
    source = tmp_path / "tokenizer.json"
    source.touch()
    texts = example()
    counts = measure_set(letters, texts, str(source))
    numbers = TextNumbers(texts, ("letters",), tuple((one,) for one in counts))
    added = [numbers.value(TextMeasure.ADDED, row, 0) for row in range(1, len(counts), 2)]
    assert added[:2] == [None, None]
    assert all(one is not None and one > 0 for one in added[2:])
    assert numbers.problems == [
        "letters: the chat template does not allow a system message (none), which counts as its "
        "text alone"
    ]
