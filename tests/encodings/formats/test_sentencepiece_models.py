"""SentencePiece's models: ids, places and decoding are the library's."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.encodings.base import EncodingError, Model
from bpe_gui.encodings.formats import sentencepiece_models
from bpe_gui.encodings.formats.sentencepiece_models import SentencePieceEncoding
from bpe_gui.encodings.formats.tokenizer_config import NAME

WORDS = [
    *("hello", "world", "low", "lower", "newest", "widest", "the", "of", "don't"),
    *("naïve", "ﬁne", "漢字", "かな", "привет", "👍🏽"),
]
KINDS = {
    "unigram": (Model.UNIGRAM, {"byte_fallback": True, "vocab_size": 330}),
    "bpe": (Model.BPE, {"byte_fallback": True, "vocab_size": 330}),
    "plain bpe": (Model.BPE, {"vocab_size": 70}),
    "suffix": (Model.UNIGRAM, {"treat_whitespace_as_suffix": True, "vocab_size": 70}),
    "identity": (
        Model.UNIGRAM,
        {
            "normalization_rule_name": "identity", "add_dummy_prefix": False,
            "remove_extra_whitespaces": False, "vocab_size": 70,
        },
    ),
    "word": (Model.WORD_LEVEL, {"vocab_size": 20}),
    "char": (Model.BPE, {"vocab_size": 50}),
}
texts = st.one_of(
    st.text(
        st.one_of(
            st.sampled_from("helo wrd\n\t漢日é①ﬁﬀ\u0301👍🏽🦜▁<>\0"),
            st.characters(exclude_categories=["Cs"]),
        ),
        max_size=40,
    ),
    st.lists(st.sampled_from([*WORDS, " ", "  ", "<sep>", "<ctl>", "<s>", "日", "€"]), max_size=9)
    .map("".join),
)


def train(kind: str) -> bytes:
    """A small model, the same each time."""
    chance = random.Random(1)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(" ".join(chance.choices(WORDS, k=6)) for _ in range(300)),
        model_writer=model,
        model_type={"plain bpe": "bpe", "suffix": "unigram", "identity": "unigram"}.get(kind, kind),
        hard_vocab_limit=False, minloglevel=3,
        user_defined_symbols=["<sep>", "<🦜>"], control_symbols=["<ctl>"],
        **KINDS[kind][1],
    )
    return model.getvalue()


Pair = tuple[sentencepiece.SentencePieceProcessor, SentencePieceEncoding]


@pytest.fixture(scope="module", params=list(KINDS))
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    path = tmp_path_factory.mktemp("models") / "any.model"
    path.write_bytes(train(request.param))
    assert sentencepiece_models.looks_like(path.read_bytes()[:4096])
    encoding = sentencepiece_models.read(path)
    assert encoding.model is KINDS[request.param][0]
    assert encoding.name == "any.model"
    return sentencepiece.SentencePieceProcessor(model_file=str(path)), encoding


@settings(max_examples=settings.default.max_examples // 3)
@given(text=texts)
def test_ids_places_and_decoding_are_the_librarys(pair: Pair, text: str) -> None:
    library, encoding = pair
    tokens = encoding.encode(text)
    ids = tokens.ids.tolist()
    assert ids == library.encode(text)
    assert encoding.decode(ids) == library.decode(ids)
    size = len(text.encode("utf-8"))
    assert (np.diff(tokens.starts) >= 0).all()
    assert (np.diff(tokens.ends) >= 0).all()
    assert (tokens.starts <= tokens.ends).all()
    assert not len(tokens) or (tokens.starts[0] >= 0 and tokens.ends[-1] <= size)
    columns = (tokens.starts, tokens.ends, tokens.char_starts, tokens.char_ends)
    for start, end, first, last in zip(*(column.tolist() for column in columns), strict=True):
        assert len(text[:first].encode()) <= start <= end <= len(text[:last].encode())
    assert encoding.words(text) is None


@settings(max_examples=settings.default.max_examples // 3)
@given(text=texts)
def test_bytes_of_decoding_are_those_of_the_text(pair: Pair, text: str) -> None:
    library, encoding = pair
    ids = library.encode(text)
    assert encoding.decode_bytes(ids).decode("utf-8", "replace") == library.decode(ids)


@settings(max_examples=settings.default.max_examples // 3)
@given(text=texts)
def test_special_symbols_as_text_are_cut_like_text(pair: Pair, text: str) -> None:
    _, encoding = pair
    found = encoding.encode(text, specials_as_text=True).ids.tolist()
    assert not any(encoding.is_special(token) for token in found)
    if "<sep>" not in text and "<🦜>" not in text:
        assert found == encoding.encode(text).ids.tolist()


def test_pieces(pair: Pair) -> None:
    library, encoding = pair
    assert encoding.vocabulary_size == library.get_piece_size()
    for token in range(encoding.vocabulary_size):
        text = encoding.id_to_token(token)
        assert text == library.id_to_piece(token)
        assert encoding.is_unknown(token) == library.is_unknown(token)
        assert encoding.is_fallback_byte(token) == library.is_byte(token)
        user_defined = text.strip("▁") in ("<sep>", "<🦜>")
        assert encoding.is_special(token) == (library.is_control(token) or user_defined)
        merge = encoding.merge(token)
        if merge is not None:
            assert library.id_to_piece(merge.left) + library.id_to_piece(merge.right) == text
            assert merge.rank == -library.get_score(token)
        if library.is_byte(token):
            assert encoding.token_bytes(token) == bytes([int(text[3:5], 16)])
        elif library.is_control(token):
            assert encoding.token_bytes(token) == b""
        elif not encoding.is_special(token) and not encoding.is_unknown(token):
            assert encoding.token_bytes(token) == text.replace("▁", " ").encode()
            found = encoding.token_to_id(encoding.token_bytes(token))
            assert found is not None
            assert encoding.token_bytes(found) == encoding.token_bytes(token)
    for token in (-2, encoding.vocabulary_size, 1 << 40):
        assert not encoding.is_fallback_byte(token)
        for ask in (encoding.id_to_token, encoding.token_bytes, encoding.merge):
            with pytest.raises(EncodingError, match=f"no token with the id {token}"):
                ask(token)
        with pytest.raises(EncodingError, match=f"no token with the id {token}"):
            encoding.decode([token])
    with pytest.raises(UnicodeEncodeError):
        encoding.encode("a\ud800")


SYMBOLS = ["\n", "\n\n", "▁▁", "7", "<b>", "<start_of_turn>", "[MASK]", "▁<mask>"]


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_symbols_that_stand_for_text_are_found_in_text(tmp_path: Path, kind: str) -> None:
    """Gemma has runs of newlines and of spaces, and its config says of <b> that it is text."""
    path = tmp_path / "tokenizer.model"
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter([" ".join(WORDS)] * 9), model_writer=file, model_type=kind,
            vocab_size=340, hard_vocab_limit=False, minloglevel=3, byte_fallback=True,
            normalization_rule_name="identity", remove_extra_whitespaces=False,
            add_dummy_prefix=False, user_defined_symbols=SYMBOLS,
        )  # fmt: skip
    plain = sentencepiece_models.read(path)
    ids = {text: token for token, (text, _) in enumerate(plain.pieces()) if text in SYMBOLS}
    added = {str(ids["<b>"]): {"content": "<b>", "special": False}}
    (tmp_path / NAME).write_text(json.dumps({"added_tokens_decoder": added}))
    encoding = sentencepiece_models.read(path)
    text = "low\n\n7  the\n"
    found = encoding.encode(text, specials_as_text=True).ids.tolist()
    assert found == encoding.encode(text).ids.tolist() == encoding.encode_batch([text])[0]
    assert {ids["\n"], ids["\n\n"], ids["7"], ids["▁▁"]} <= {*found}
    assert encoding.token_to_id(b"\n\n") == ids["\n\n"]
    assert encoding.token_to_id(b"\n") == ids["\n"], "not the byte"
    special = {symbol for symbol, token in ids.items() if encoding.is_special(token)}
    assert special == {"<start_of_turn>", "[MASK]", "▁<mask>"}
    assert special | {"<b>"} == {s for s, token in ids.items() if plain.is_special(token)}
    assert [s for s in SYMBOLS if encoding.is_added(ids[s])] == [*SYMBOLS[:5]]
    read = encoding.encode("<b><start_of_turn>", specials_as_text=True).ids.tolist()
    assert read[0] == ids["<b>"]
    assert ids["<start_of_turn>"] not in read


def test_bytes_have_places_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "bpe.model"
    path.write_bytes(train("bpe"))
    encoding = sentencepiece_models.read(path)
    tokens = encoding.encode("€x日")
    contents = [encoding.token_bytes(token) for token in tokens.ids.tolist()]
    assert contents[-7:] == [b"\xe2", b"\x82", b"\xac", b"x", b"\xe6", b"\x97", b"\xa5"]
    assert tokens.starts.tolist()[-7:] == [0, 1, 2, 3, 4, 5, 6]
    assert tokens.ends.tolist()[-7:] == [1, 2, 3, 4, 5, 6, 7]
    assert encoding.decode_bytes(tokens.ids.tolist()[-7:-5]) == b"\xe2\x82"
    assert encoding.normalized("ﬁ") == " fi"


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_damaged_files_are_an_error_or_a_model(tmp_path: Path, kind: str) -> None:
    data = train(kind)
    chance = random.Random(7)
    path = tmp_path / "damaged.model"
    refused = []
    for trial in range(60):
        damaged = bytearray(data)
        if trial % 3 == 0:
            del damaged[chance.randrange(len(damaged)) :]
        else:
            # The pieces come first, the tables of normalization take most of the rest.
            end = 3000 if trial % 3 == 1 else len(damaged)
            for _ in range(chance.choice((1, 5, 50))):
                damaged[chance.randrange(end)] = chance.randrange(256)
        path.write_bytes(damaged)
        try:
            encoding = sentencepiece_models.read(path)
            encoding.encode("hello naïve ﬁne 漢字 € <sep> \u0301①ガ" * 20)
        except EncodingError as error:
            refused.append(str(error))
    assert len(refused) > 20
    assert all("damaged.model" in sentence for sentence in refused)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n", b"\x0a\x05\x0a\x03abc" * 3, b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x0a\x04\x0a\x02\xff\xfe", b"\x0a\x02\x18\x09", b"\x12\x02\x18\x09", b"plain text",
        b"\x0b", b"\x80" * 100, b"\x0a\x05\x0a\x03abc\x12\x02\x18\x63",
    ],
)
def test_what_is_no_model(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "wrong.model"
    path.write_bytes(data)
    with pytest.raises(EncodingError, match=r"wrong\.model is not a \.model"):
        sentencepiece_models.read(path)


def _field(number: int, data: bytes) -> bytes:
    """A field of bytes as protobuf writes it."""
    return b"".join(
        bytes([part & 0x7F | 0x80 for part in (value & 0x7F, value >> 7 & 0x7F)] + [value >> 14])
        for value in (number << 3 | 2, len(data))
    ) + data


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (_field(2, _field(44, b"x" * 2000)), "spells unknown pieces with more than 1,000 bytes"),
        (_field(3, _field(2, bytes(4) + b"x" * 2000 + b"\0")), "more than 1,000 times as long"),
        (_field(5, _field(2, bytes(4) + b"x" * 2000 + b"\0")), "more than 1,000 times as long"),
    ],
)
def test_what_would_fill_all_memory_is_refused(tmp_path: Path, more: bytes, message: str) -> None:
    path = tmp_path / "large.model"
    path.write_bytes(train("plain bpe") + more)
    with pytest.raises(EncodingError, match=message):
        sentencepiece_models.read(path)


def test_without_the_library_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bpe.model"
    path.write_bytes(train("bpe"))
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(EncodingError, match=r"pip install '\.\[sentencepiece\]'"):
        sentencepiece_models.read(path)


def test_the_library_is_loaded_only_when_it_is_needed() -> None:
    code = "import sys, bpe_gui.encodings.load; sys.exit('sentencepiece' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
