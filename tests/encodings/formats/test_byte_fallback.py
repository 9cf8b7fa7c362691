"""Bytes of characters that a vocabulary lacks, in both forms of the same tokenizer.

A SentencePiece model and the tokenizer.json that it is converted to give the same tokens with the
same bytes at the same places, made by the same merges, but for two cases:

- A Unigram tokenizer.json finds its "<s>" and "<0xE2>" in a text that spells them, SentencePiece
  does not.
- A character that is dropped (a control character) is in the span of the token before it by
  SentencePiece, and in none by tokenizer.json.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable

import pytest
import regex
import sentencepiece
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.formats import sentencepiece_models
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.sentencepiece_models import SentencePieceEncoding, fields

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]

Spans = list[tuple[bytes, int, int]]


def llama(*, added: bool = False, byte_fallback: bool = True) -> Tokenizer:
    """A tokenizer with the steps of LLaMA 2, whose bytes may be added tokens."""
    known = ["<unk>", *("" if added else BYTES), "▁", "a", "b", "▁a"]
    made = Tokenizer(
        models.BPE(
            vocab={text: token for token, text in enumerate([*known, *(BYTES if added else ())])},
            merges=[("▁", "a")], unk_token="<unk>", fuse_unk=True, byte_fallback=byte_fallback,
        )
    )
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    made.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    made.add_special_tokens(["<s>", *(BYTES if added else ())])
    return made


def unigram() -> Tokenizer:
    """A tokenizer that makes one run of neighbours that it does not know."""
    pieces = [(text, -float(token)) for token, text in enumerate(["<unk>", "▁", "a", "b", *BYTES])]
    made = Tokenizer(models.Unigram(pieces, 0, byte_fallback=True))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Sequence(
        [decoders.ByteFallback(), decoders.Metaspace(), decoders.Fuse()]
    )
    return made


def spans(encoding: Encoding, text: str) -> Spans:
    """What each token of a text stands for, and where."""
    tokens = encoding.encode(text)
    rows = zip(tokens.ids.tolist(), tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    return [(encoding.token_bytes(token), start, end) for token, start, end in rows]


def each_byte(text: str, start: int) -> Spans:
    """A span for each byte of a text that begins there."""
    return [
        (bytes([byte]), place, place + 1) for place, byte in enumerate(text.encode(), start)
    ]


@pytest.mark.parametrize("added", [False, True])
def test_each_byte_of_a_character_has_its_own_token(added: bool) -> None:
    encoding = HuggingFaceEncoding(llama(added=added), "")
    text = "👩🦜a é a👩"
    tokens = encoding.encode(text)
    assert spans(encoding, text) == [
        (b" ", 0, 0), *each_byte("👩🦜", 0), (b"a", 8, 9), (b" ", 9, 10), *each_byte("é", 10),
        (b" a", 12, 14), *each_byte("👩", 14),
    ]
    assert tokens.char_starts.tolist()[:6] == [0, 0, 0, 0, 0, 1]
    assert tokens.char_ends.tolist()[:6] == [0, 1, 1, 1, 1, 2]
    assert encoding.decode(tokens.ids.tolist()) == text
    for token in tokens.ids.tolist():
        content = encoding.token_bytes(token)
        assert encoding.is_fallback_byte(token) == (len(content) == 1 and content not in b" a")
        assert not encoding.is_special(token)
        assert encoding.marked_token_bytes(token) == content
        assert encoding.token_to_id(content) == token


def test_bytes_that_the_text_spells_are_text() -> None:
    text = "a<0xE2>"
    plain = llama()
    assert b"\xe2" not in [content for content, *_ in spans(HuggingFaceEncoding(plain, ""), text)]
    for byte_fallback in (False, True):
        other = llama(byte_fallback=byte_fallback)
        other.add_tokens([AddedToken("<0xe2>", normalized=False)])
        assert spans(HuggingFaceEncoding(other, ""), "<0xe2>") == [(b"<0xe2>", 0, 6)]
    unlike = HuggingFaceEncoding(llama(added=True, byte_fallback=False), "")
    assert spans(unlike, text) == [(b" a", 0, 1), (b"<0xE2>", 1, 7)]
    assert unlike.is_special(unlike.encode(text).ids.tolist()[-1])
    # These take it for the byte, and decode it to that.
    for taking in (llama(added=True), unigram()):
        encoding = HuggingFaceEncoding(taking, "")
        assert spans(encoding, text)[-1] == (b"\xe2", 1, 7)
        assert encoding.decode(encoding.encode(text).ids.tolist()) == "a\ufffd"


@pytest.mark.parametrize("maker", [llama, unigram])
def test_bytes_of_what_normalization_makes_have_the_places_of_its_source(
    maker: Callable[[], Tokenizer],
) -> None:
    made = maker()
    steps = [normalizers.NFKC(), *([made.normalizer] if made.normalizer else ())]
    made.normalizer = normalizers.Sequence(steps)
    encoding = HuggingFaceEncoding(made, "")
    text = "a㊙🦜e\u0301é㍻a"
    changed = [(bytes([byte]), 1, 4) for byte in "秘".encode()]
    composed = [(bytes([byte]), 8, 11) for byte in "é".encode()]
    expanded = [(bytes([byte]), 13, 16) for byte in "平成".encode()]
    assert spans(encoding, text)[-18:] == [
        *changed, *each_byte("🦜", 4), *composed, *each_byte("é", 11), *expanded, (b"a", 16, 17)
    ]


# -- the same tokenizer in both forms ----------------------------------------------------------

WORDS = [
    *("hello", "world", "low", "lower", "newest", "widest", "the", "of", "don't"),
    *("naïve", "ﬁne", "漢字", "かな", "привет"),
]
texts = st.one_of(
    st.text(
        st.one_of(
            st.sampled_from("helo wrd\n\t漢日é①ﬁﬀ㍻\u0301\u200d👍🏽🦜▁<>\0"),
            st.characters(exclude_categories=["Cs"]),
        ),
        max_size=30,
    ),
    st.lists(st.sampled_from([*WORDS, " ", "  ", "日", "€", "👩🦜", "\n", "e\u0301"]), max_size=9)
    .map("".join),
).map(lambda text: text.replace("<", "‹"))


def trained(kind: str, rule: str) -> bytes:
    """A small SentencePiece model with a token for every byte."""
    chance = random.Random(1)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(" ".join(chance.choices(WORDS, k=6)) for _ in range(300)),
        model_writer=model, model_type=kind, vocab_size=330, hard_vocab_limit=False,
        byte_fallback=True, normalization_rule_name=rule, remove_extra_whitespaces=False,
        minloglevel=3,
    )
    return model.getvalue()


def converted(data: bytes, kind: str) -> Tokenizer:
    """The tokenizer.json of such a model, as the converters of `transformers` make it."""
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    pieces = [
        (library.id_to_piece(token), library.get_score(token))
        for token in range(library.get_piece_size())
    ]
    if kind == "bpe":
        made = Tokenizer(
            models.BPE(
                vocab={text: token for token, (text, _) in enumerate(pieces)},
                merges=merges_by_score(dict(pieces)),
                unk_token="<unk>", fuse_unk=True, byte_fallback=True,
            )
        )
    else:
        made = Tokenizer(models.Unigram(pieces, library.unk_id(), byte_fallback=True))
    charsmap = charsmap_of(data)
    made.normalizer = normalizers.Sequence(
        [
            *([normalizers.Precompiled(charsmap)] if charsmap else ()),
            normalizers.Prepend("▁"), normalizers.Replace(" ", "▁"),
        ]
    )
    made.decoder = llama().decoder
    return made


def merges_by_score(scores: dict[str, float]) -> list[tuple[str, str]]:
    """All pairs of pieces that make a piece, the best score first."""
    place = {text: token for token, text in enumerate(scores)}
    found = [
        (-score, place[text[:cut]], place[text[cut:]], text[:cut], text[cut:])
        for text, score in scores.items()
        for cut in range(1, len(text))
        if text[:cut] in scores and text[cut:] in scores
    ]
    return [(left, right) for *_, left, right in sorted(found)]


def charsmap_of(data: bytes) -> bytes:
    """The table by which a model normalizes, none for the rule "identity"."""
    for spec in fields(data):
        for field in fields(data, spec.start, spec.end) if spec.number == 3 else ():
            if field.number == 2:
                return data[field.start : field.end]
    return b""


Forms = tuple[SentencePieceEncoding, HuggingFaceEncoding]


@pytest.fixture(scope="module", params=["bpe", "unigram"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def both_forms(kind: str, rule: str, folder: pytest.TempPathFactory) -> Forms:
    data = trained(kind, rule)
    path = folder.mktemp("models") / "any.model"
    path.write_bytes(data)
    made = converted(data, kind)
    return sentencepiece_models.read(path), HuggingFaceEncoding(made, "converted")


@pytest.fixture(scope="module")
def plain(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Forms:
    return both_forms(kind, "identity", tmp_path_factory)


@pytest.fixture(scope="module")
def normalizing(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Forms:
    return both_forms(kind, "nmt_nfkc", tmp_path_factory)


def assert_same(forms: Forms, text: str) -> None:
    one, other = forms
    tokens = one.encode(text).ids.tolist()
    assert tokens == other.encode(text).ids.tolist()
    assert spans(one, text) == spans(other, text)
    assert one.decode(tokens) == other.decode(tokens)
    for token in tokens:
        assert one.is_fallback_byte(token) == other.is_fallback_byte(token)


@given(text=texts)
def test_both_forms_of_a_tokenizer_are_the_same(plain: Forms, text: str) -> None:
    assert_same(plain, text)
    one, _ = plain
    tokens = one.encode(text)
    assert tokens.starts.tolist()[1:] == tokens.ends.tolist()[:-1]


@given(text=texts)
@example(text="\u00af\u0300")
def test_both_forms_are_the_same_where_nothing_is_dropped(normalizing: Forms, text: str) -> None:
    one, _ = normalizing

    def keeps(character: str) -> bool:
        return one.normalized(f"a{character}") == f" a{character}"

    kept = [character for character in text if one.normalized(f"a{character}") != " a"]
    # The library normalizes what one sees as one character at once, and drops what follows its
    # first character if that one is changed.
    seen = regex.findall(r"\X", "".join(["a", *kept]).replace("\r\n", "\n"))
    whole = [each for each in seen if len(each) == 1 or all(map(keeps, each))]
    assert_same(normalizing, "".join(whole))


def test_where_the_forms_differ(kind: str, normalizing: Forms) -> None:
    one, other = normalizing
    found = [encoding.encode("a<0xE2>").ids.tolist() for encoding in normalizing]
    assert (found[0] == found[1]) == (kind == "bpe")
    found = [encoding.encode("a\r\nb").ids.tolist() for encoding in normalizing]
    assert len(found[0]) == len(found[1]) + 1, "a carriage return goes into the newline"
    assert spans(one, "a\x08")[-1] == (b"a", 0, 2)
    assert spans(other, "a\x08")[-1] == (b"a", 0, 1)


def test_a_space_that_is_put_before_a_text_has_no_place_in_it(
    kind: str, plain: Forms, normalizing: Forms
) -> None:
    for forms in (plain, normalizing):
        for text in ("①", "½", "e\u0301", "Åx", "▁hello ▁", " hello", "¨", "\u3000a", "漢"):
            assert spans(forms[0], text) == spans(forms[1], text), text
    assert [spans(encoding, "①")[0] for encoding in normalizing] == [(b" ", 0, 0)] * 2


def test_both_forms_make_a_token_by_the_same_merge(kind: str, plain: Forms) -> None:
    one, other = plain
    merges = [one.merge(token) for token in one.ids]
    assert [other.merge(token) for token in other.ids] == merges
    assert any(merges) == (kind == "bpe")
