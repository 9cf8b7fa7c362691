"""Mistral's tekken.json is read as mistral-common reads it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.convert import convert
from bpe_gui.encodings.formats.split_patterns import NAMED_PATTERNS
from bpe_gui.encodings.formats.tiktoken_ranks import TiktokenEncoding
from bpe_gui.encodings.load import Format, open_encoding, recognise
from tests.encodings.makers import HARD, file_of, texts

TOKENS = [bytes([byte]) for byte in range(256)] + [b"lo", b"low", b" low", b"un", b"used"]


def tekken(**changes: Any) -> dict[str, Any]:
    """A small tekken.json, of whose tokens the last two are not used."""
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(TOKENS)
    ]
    config = {
        "pattern": NAMED_PATTERNS["tekken"],
        "num_vocab_tokens": len(TOKENS),
        "default_vocab_size": len(TOKENS) - 2 + 30,
        "default_num_special_tokens": 30,
        "version": "v3",
    }
    return {"config": config, "vocab": vocab} | changes


def tekken_of(path: Path, **changes: Any) -> Path:
    path.write_text(json.dumps(tekken(**changes)))
    return path


def specials(*rows: tuple[int, str]) -> list[dict[str, Any]]:
    return [{"rank": rank, "token_str": text, "is_control": True} for rank, text in rows]


def test_special_tokens_have_the_first_ids(tmp_path: Path) -> None:
    path = tekken_of(tmp_path / "any.name")
    assert recognise(path) is Format.TEKKEN
    encoding = open_encoding(path)
    assert encoding.vocabulary_size == len(TOKENS) - 2 + 30
    assert encoding.encode("low low[INST]</s>").ids.tolist() == [287, 288, 3, 2]
    assert encoding.encode("un").ids.tolist() == [30 + ord("u"), 30 + ord("n")]
    assert [encoding.id_to_token(token) for token in (0, 19, 20, 29)] == [
        "<unk>", "[TOOL_CONTENT]", "<SPECIAL_20>", "<SPECIAL_29>"
    ]
    own = specials((0, "<unk>"), (1, "<s>"), (2, "[THINK]"))
    encoding = open_encoding(tekken_of(path, special_tokens=own))
    assert encoding.encode("[THINK][INST]").ids.tolist()[0] == 2
    assert len(encoding.encode("[INST]")) == 6
    folder = tmp_path / "folder"
    folder.mkdir()
    tekken_of(folder / "tekken.json")
    assert open_encoding(folder).encode("low").ids.tolist() == [287]


def test_it_is_converted_with_its_ids(tmp_path: Path) -> None:
    encoding = open_encoding(tekken_of(tmp_path / "tekken.json"))
    convert(encoding, tmp_path / "tokenizer.json", ["low[INST] lower"])
    written = open_encoding(tmp_path / "tokenizer.json")
    for text in HARD:
        assert written.encode(text).ids.tolist() == encoding.encode(text).ids.tolist()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"vocab": []}, "should have 289 tokens with 30 special ones among them, but has 0 ranks"),
        ({"vocab": [{"rank": 0}]}, "missing required field `token_bytes`"),
        ({"vocab": 5}, "Expected `array`, got `int`"),
        ({"vocab": tekken()["vocab"][1:]}, "the rank 1 is in the place of rank 0"),
        ({"config": {**tekken()["config"], "pattern": "("}}, "is not a regular expression"),
        ({"config": {**tekken()["config"], "pattern": "a*"}}, "can match no characters"),
        ({"config": {**tekken()["config"], "default_vocab_size": -1}}, ">= 0"),
        ({"config": {**tekken()["config"], "default_vocab_size": 10**12}}, "<= 4000000"),
        ({"config": {**tekken()["config"], "default_num_special_tokens": 500}}, "500 special"),
        ({"special_tokens": specials((0, "a"), (0, "b"))}, "another rank, below 30"),
        ({"special_tokens": specials((30, "a"))}, "another rank, below 30"),
        ({"special_tokens": specials((0, "a"), (1, "a"))}, "two special tokens with the same"),
        ({"special_tokens": specials((0, "<SPECIAL_7>"))}, "two special tokens with the same"),
        ({"special_tokens": specials((0, ""))}, "length >= 1"),
    ],
)
def test_broken_ones_say_what_is_wrong(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    path = tekken_of(tmp_path / "tekken.json", **changes)
    with pytest.raises(EncodingError) as caught:
        open_encoding(path)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tokens_that_are_no_base_64_or_there_twice(tmp_path: Path) -> None:
    for written, why in [("!", "is not base 64"), ("é", "is not base 64"), ("AA==", "two ranks")]:
        broken = tekken()
        broken["vocab"][5]["token_bytes"] = written
        with pytest.raises(EncodingError, match=why):
            open_encoding(tekken_of(tmp_path / "tekken.json", **broken))


# -- Mistral's own -------------------------------------------------------------------------------

Both = tuple[TiktokenEncoding, Callable[[str], Sequence[int]]]


@pytest.fixture(scope="module", params=["tekken_240718.json", "tekken_240911.json"])
def both(request: pytest.FixtureRequest) -> Both:
    path = file_of("mistral_common", f"data/{request.param}")
    library = pytest.importorskip("mistral_common.tokens.tokenizers.tekken").Tekkenizer
    maker = library.from_file(path)
    encoding = open_encoding(path)
    assert isinstance(encoding, TiktokenEncoding)
    assert encoding.vocabulary_size == maker.n_words
    for token in range(0, 2000):
        assert encoding.is_special(token) == maker.is_special(token)
        if token < 1000:
            assert encoding.id_to_token(token) == maker.id_to_piece(token)
    return encoding, lambda text: maker.encode(text, bos=False, eos=False)


def test_hard_texts_have_the_makers_ids(both: Both) -> None:
    encoding, encode = both
    for text in HARD:
        assert encoding.encode(text, specials_as_text=True).ids.tolist() == encode(text)
        assert encoding.decode(list(encode(text))) == text


@given(text=texts)
def test_any_text_has_the_makers_ids(both: Both, text: str) -> None:
    encoding, encode = both
    assert encoding.encode(text, specials_as_text=True).ids.tolist() == encode(text)
