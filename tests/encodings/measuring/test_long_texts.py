"""A long text is tokenized in pieces like the whole, and can be given up between them."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings.differences.alignment import CachedEncoder
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.measuring import long_texts, measure
from bpe_gui.encodings.measuring.long_texts import encode_long

LINE = "low <s> new lower\n"
TEXT = LINE * 1_000
PIECE = len(TEXT) // 2


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces so small that a text that is soon compared has two of them."""
    for module in (long_texts, measure):
        monkeypatch.setattr(module, "PIECE", PIECE)


def encoder() -> CachedEncoder:
    vocabulary = {token: number for number, token in enumerate([*"lowernĠĊs<>", "lo"])}
    made = Tokenizer(models.BPE(vocabulary, [("l", "o")]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.add_special_tokens(["<s>"])
    return CachedEncoder(HuggingFaceEncoding(made, "one"))


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("find_words", [False, True])
def test_a_long_text_is_cut_like_the_whole(as_text: bool, find_words: bool) -> None:
    found = encode_long(encoder(), TEXT, specials_as_text=as_text, find_words=find_words)
    expected = encoder().encode(TEXT, specials_as_text=as_text)
    for name in ("ids", "starts", "ends", "char_starts", "char_ends"):
        assert getattr(found.tokens, name).tolist() == getattr(expected.tokens, name).tolist()
    assert found.special.any() != as_text
    assert found.words is not None
    assert expected.words is not None
    assert found.words.tolist() == expected.words.tolist()


def test_a_long_text_is_given_up_between_its_pieces() -> None:
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        encode_long(encoder(), TEXT, check=check)
    asked = 2
    encode_long(encoder(), TEXT, check=check)
    assert asked >= 4, "before the text, and each of its pieces"
