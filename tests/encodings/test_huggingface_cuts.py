"""Cutting a text where a tokenizer.json says that it changes nothing changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)

from bpe_gui.bpe.metrics import Counts
from bpe_gui.bpe.split import PATTERNS
from bpe_gui.encodings.huggingface import HuggingFaceEncoding

LEARNED = [
    "The newest thing in the widest tent: 1,234 naïve 🙂 letters, don't!",
    "the tent\nthe widest  tents are new\n\nnewest of newest tents 2024",
]
ALPHABET = "etns wTX1é🙂ש\n\t'.!,́ \u00a0\u3000\u0085\x0b\x1c中"
CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
Make = Callable[[], Tokenizer]


def trained(
    model: Any, trainer: Any, pre_tokenizer: Any, normalizer: Any = None, added: Any = ()
) -> Tokenizer:
    made = Tokenizer(model)
    if pre_tokenizer is not None:
        made.pre_tokenizer = pre_tokenizer
    if normalizer is not None:
        made.normalizer = normalizer
    made.train_from_iterator(LEARNED * 3, trainer)
    made.add_tokens(list(added))
    return made


def pairs(pre_tokenizer: Any, normalizer: Any = None, added: Any = ()) -> Tokenizer:
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=330, initial_alphabet=alphabet, show_progress=False
    )
    return trained(models.BPE(unk_token=None), trainer, pre_tokenizer, normalizer, added)


def pieces(pre_tokenizer: Any, normalizer: Any = None, added: Any = ()) -> Tokenizer:
    trainer = trainers.WordPieceTrainer(
        vocab_size=90, special_tokens=["[UNK]"], show_progress=False
    )
    model = models.WordPiece(unk_token="[UNK]")
    return trained(model, trainer, pre_tokenizer, normalizer, added)


def unigram(pre_tokenizer: Any, normalizer: Any = None, added: Any = ()) -> Tokenizer:
    trainer = trainers.UnigramTrainer(
        vocab_size=70, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False
    )
    return trained(models.Unigram(), trainer, pre_tokenizer, normalizer, added)


p, n = pre_tokenizers, normalizers
SAFE: dict[str, Make] = {
    "byte level": lambda: pairs(p.ByteLevel(add_prefix_space=False)),
    "byte level, with a prefix": lambda: pairs(p.ByteLevel(add_prefix_space=True)),
    "gpt-4": lambda: pairs(
        p.Sequence([p.Split(Regex(CL100K), "isolated"), p.ByteLevel(False, use_regex=False)])
    ),
    "gpt-4o": lambda: pairs(
        p.Sequence(
            [
                p.Split(Regex(PATTERNS["o200k"]), "removed", invert=True),
                p.ByteLevel(False, use_regex=False),
            ]
        )
    ),
    "digits first": lambda: pairs(
        p.Sequence([p.Digits(individual_digits=True), p.ByteLevel(add_prefix_space=False)])
    ),
    "composed": lambda: pairs(p.ByteLevel(add_prefix_space=False), n.NFC()),
    "bert": lambda: pieces(p.BertPreTokenizer(), n.BertNormalizer()),
    "words and signs": lambda: pieces(
        p.Whitespace(), n.Sequence([n.NFKD(), n.StripAccents(), n.Lowercase()])
    ),
    "added tokens": lambda: pieces(
        p.WhitespaceSplit(),
        n.Replace("!", "."),
        [AddedToken("sent", lstrip=True), AddedToken("wT", single_word=True), AddedToken(" . ")],
    ),
    "metaspace": lambda: unigram(p.Metaspace()),
    "metaspace at the first word": lambda: unigram(p.Metaspace(prepend_scheme="first")),
    "many normalizers": lambda: unigram(
        p.Metaspace(),
        n.Sequence([n.Nmt(), n.NFKC(), n.Replace(Regex(" {2,}"), " "), n.Strip(left=False)]),
    ),
}
UNSAFE: dict[str, Make] = {
    "no pre-tokenization": lambda: pairs(None),
    "a pattern of its own": lambda: pairs(p.Split(Regex(r"\w+\s\w+"), "isolated")),
    "words put together again": lambda: pairs(p.Split(Regex(CL100K), "contiguous")),
    "matches dropped": lambda: pairs(p.Split(Regex(CL100K), "removed")),
    "bytes before words": lambda: pieces(
        p.Sequence([p.ByteLevel(False, use_regex=False), p.Whitespace()])
    ),
    "spaces marked, not split": lambda: unigram(p.Metaspace(split=False)),
    "something before each text": lambda: pieces(p.Whitespace(), n.Prepend("x")),
    "the beginning stripped": lambda: unigram(p.Metaspace(), n.Strip()),
    "spaces replaced": lambda: pieces(p.Whitespace(), n.Replace(" ", "_")),
    "letters replaced": lambda: pieces(p.Whitespace(), n.Replace("e", "")),
    "an added token with a space": lambda: pieces(p.Whitespace(), None, ["the tent"]),
    "an added token that takes spaces": lambda: pieces(
        p.Whitespace(), None, [AddedToken("tent", rstrip=True)]
    ),
    "spaces dropped, and marked": lambda: unigram(p.Sequence([p.WhitespaceSplit(), p.Metaspace()])),
    "a marked beginning": lambda: pairs(
        p.Sequence(
            [p.ByteLevel(add_prefix_space=False), p.Metaspace(prepend_scheme="first")]
        )
    ),
}


@cache
def encoding(name: str) -> HuggingFaceEncoding:
    return HuggingFaceEncoding((SAFE | UNSAFE)[name](), name)


@pytest.mark.parametrize("name", SAFE)
@given(
    text=st.text(st.sampled_from(ALPHABET), max_size=60),
    middle=st.sampled_from(["t n", "t\nt", "e wT", "n sent", "T the"]),
    after=st.text(st.sampled_from(ALPHABET), max_size=60),
    specials_as_text=st.booleans(),
)
def test_the_tokens_of_both_parts_are_those_of_the_whole(
    name: str, text: str, middle: str, after: str, specials_as_text: bool
) -> None:
    """Whatever follows on the beginning that was known when the place was chosen."""
    tokenizer, begun = encoding(name), text + middle
    place = tokenizer.safe_cut(begun.encode(), specials_as_text=specials_as_text)
    assume(place > 0)
    whole = (begun + after).encode()
    ids: list[int] = []
    of_parts, of_whole = Counts(), Counts()
    for part, counts in (
        (whole[:place], of_parts), (whole[place:], of_parts), (whole, of_whole)
    ):  # fmt: skip
        tokens = tokenizer.encode(part.decode(), specials_as_text=specials_as_text)
        counts.add(part, np.array([len(part)]), tokens)
        ids += tokens.ids.tolist()
    assert ids[: len(ids) // 2] == ids[len(ids) // 2 :]
    assert of_parts.metrics(1000) == of_whole.metrics(1000)


@pytest.mark.parametrize("name", SAFE)
def test_there_is_such_a_place_in_any_text_with_words(name: str) -> None:
    text = "the newest tent" + "." * 200_000
    assert encoding(name).safe_cut(text.encode()) == len("the newest")
    assert encoding(name).safe_cut(b"") == 0
    assert encoding(name).safe_cut(b"the") == 0
    assert encoding(name).safe_cut("1 2 中 é ".encode() * 50_000) == 0


def test_a_newline_is_one_only_where_texts_may_begin_with_it() -> None:
    assert encoding("byte level").safe_cut(b"the\ntent") == 3
    for name in ("byte level, with a prefix", "metaspace", "many normalizers"):
        assert encoding(name).safe_cut(b"the\ntent") == 0


@pytest.mark.parametrize("name", UNSAFE)
def test_other_steps_leave_no_such_place(name: str) -> None:
    assert encoding(name).safe_cut(b"the newest tent\nthe widest tent") == 0


def test_a_long_document_is_measured_exactly_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    from bpe_gui.encodings import measuring
    from tests.encodings.test_measuring import Stream

    text = "\n".join(LEARNED * 20)
    monkeypatch.setattr(measuring, "LONGEST", 200)
    monkeypatch.setattr(measuring, "PIECE", 100)
    found = measuring.measure(encoding("byte level"), Stream([text], [70]))
    assert found.exact
    assert found.metrics.tokens == len(encoding("byte level").encode(text))
    pattern = measuring.measure(encoding("a pattern of its own"), Stream([text], [70]))
    assert not pattern.exact
    assert np.isclose(pattern.metrics.characters, len(text))
