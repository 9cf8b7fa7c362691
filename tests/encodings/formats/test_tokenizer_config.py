"""What a tokenizer_config.json says, and what is wrong with one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats import tokenizer_config
from bpe_gui.encodings.formats.tokenizer_config import TEMPLATE_NAME, config_beside, parse

CONFIG = {
    "added_tokens_decoder": {
        "9": {"content": "<s>", "special": True, "lstrip": False},
        "10": {"content": "<tool>", "special": False},
    },
    "bos_token": "<s>",
    "eos_token": {"__type": "AddedToken", "content": "</s>"},
    "chat_template": "{% for message in messages %}{{ message }}{% endfor %}",
    "model_max_length": 1e30,
    "tokenizer_class": "AnyTokenizer",
}


def test_tokens_roles_and_the_template() -> None:
    config = parse(json.dumps(CONFIG).encode(), "tokenizer_config.json")
    assert config.special_ids == {"<s>": 9, "<tool>": 10}
    assert [config.added_tokens[token].special for token in (9, 10)] == [True, False]
    assert (config.text_of("bos_token"), config.text_of("eos_token")) == ("<s>", "</s>")
    assert config.text_of("pad_token") is None
    assert config.chat_templates == {"default": CONFIG["chat_template"]}
    named = [{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}]
    config = parse(json.dumps({"chat_template": named}).encode(), "x")
    assert config.chat_templates == {"default": "a", "tool_use": "b"}
    config = parse(json.dumps({"chat_template": {"rag": "c"}, "bos_token": [1]}).encode(), "x")
    assert config.chat_templates == {"rag": "c"}
    assert config.text_of("bos_token") is None
    assert parse(b"{}", "x").chat_templates == {}


def test_the_files_beside_a_tokenizer(tmp_path: Path) -> None:
    tokenizer = tmp_path / "tokenizer.model"
    assert config_beside(tokenizer) is None
    (tmp_path / tokenizer_config.NAME).write_text(json.dumps(CONFIG))
    config = config_beside(tokenizer)
    assert config is not None
    assert config == config_beside(tmp_path)
    (tmp_path / TEMPLATE_NAME).write_text("{{ newer }}")
    config = config_beside(tokenizer)
    assert config is not None
    assert config.chat_templates == {"default": "{{ newer }}"}
    assert config.special_ids == {"<s>": 9, "<tool>": 10}
    (tmp_path / tokenizer_config.NAME).unlink()
    config = config_beside(tokenizer)
    assert config is not None, "the template alone"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (b"", "is not a tokenizer_config.json"),
        (b"[]", "Expected `object`, got `array`"),
        (b"\xff", "it is not UTF-8"),
        (b'{"added_tokens_decoder": {"x": {"content": "a"}}}', "Expected `int`"),
        (b'{"added_tokens_decoder": {"-1": {"content": "a"}}}', ">= 0"),
        (b'{"added_tokens_decoder": {"1": {"content": 2}}}', "Expected `str`, got `int`"),
        (b'{"added_tokens_decoder": {"1": {"content": ""}}}', "an empty added token"),
        (b'{"added_tokens_decoder": {"1": {"content": "a"}, "2": {"content": "a"}}}', "twice"),
        (b'{"chat_template": 5}', "chat_template"),
        (b"[" * 100_000, "is not a tokenizer_config.json"),
    ],
)
def test_broken_ones_say_what_is_wrong(written: bytes, why: str) -> None:
    with pytest.raises(EncodingError, match=r"tokenizer_config\.json") as caught:
        parse(written, "tokenizer_config.json")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_huge_one_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / tokenizer_config.NAME
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a sparse file
    with pytest.raises(EncodingError, match="larger than 64 MB"):
        config_beside(tmp_path)
