"""tokenizer.json of any model: ids, places, contents and decoding are the library's."""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import (
    AddedToken,
    Regex,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import EncodingError, Model, RankedMerge
from bpe_gui.encodings.formats import huggingface
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding

CORPUS = [
    "the lower newest widest low low lower ﬁne naïve Ångström",
    "漢字 かな 日本 한국어 👍🏽👍 don't 'll 12 345 , . ! the the newest",
    "привет мир hello world hello hello",
]
characters = st.one_of(
    st.sampled_from("the lowernwid 'l.,12\n\té漢字日ﬁﬀ①Ａ👍🏽\u0301\u200d한▁Ġ</w>##\x00"),
    st.characters(exclude_categories=["Cs"]),
)
texts = st.one_of(
    st.text(characters, max_size=40),
    st.lists(
        st.sampled_from(["the", " ", "  ", "lower", "ﬁne", "漢字", "<sep>", "[UNK]", "é", "🦜"]),
        max_size=12,
    ).map("".join),
)


def bpe_bytes() -> LibraryTokenizer:
    made = LibraryTokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=330, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(CORPUS, trainer)
    return made


def bpe_prefix_space() -> LibraryTokenizer:
    made = bpe_bytes()
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    made.normalizer = normalizers.NFKC()
    return made


def bpe_fallback() -> LibraryTokenizer:
    """As the first LLaMA has it."""
    trained = LibraryTokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    trained.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=90, show_progress=False))
    state = json.loads(trained.to_str())["model"]
    known = [*state["vocab"], *(f"<0x{byte:02X}>" for byte in range(256))]
    made = LibraryTokenizer(
        models.BPE(
            vocab={"<unk>": 0, **{text: number for number, text in enumerate(known, 1)}},
            merges=[tuple(pair) for pair in state["merges"]],
            unk_token="<unk>", fuse_unk=True, byte_fallback=True, dropout=0.5,
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
    return made


def bpe_suffix() -> LibraryTokenizer:
    made = LibraryTokenizer(models.BPE(unk_token="[UNK]", end_of_word_suffix="</w>"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.BPEDecoder(suffix="</w>")
    trainer = trainers.BpeTrainer(
        vocab_size=120, end_of_word_suffix="</w>", special_tokens=["[UNK]"], show_progress=False
    )
    made.train_from_iterator(CORPUS, trainer)
    return made


def bpe_leaving_out() -> LibraryTokenizer:
    made = LibraryTokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=80, show_progress=False))
    return made


def wordpiece() -> LibraryTokenizer:
    made = LibraryTokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(strip_accents=True, lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=120, special_tokens=["[UNK]", "[CLS]"], show_progress=False
    )
    made.train_from_iterator(CORPUS, trainer)
    return made


def unigram() -> LibraryTokenizer:
    made = LibraryTokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=100, special_tokens=["<unk>", "<s>"], unk_token="<unk>", show_progress=False
    )
    made.train_from_iterator(CORPUS, trainer)
    return made


def word_level() -> LibraryTokenizer:
    made = LibraryTokenizer(models.WordLevel(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordLevelTrainer(
        vocab_size=40, special_tokens=["[UNK]"], show_progress=False
    )
    made.train_from_iterator(CORPUS, trainer)
    return made


MAKERS: dict[str, tuple[Callable[[], LibraryTokenizer], Model]] = {
    "bytes": (bpe_bytes, Model.BPE),
    "prefix space": (bpe_prefix_space, Model.BPE),
    "byte fallback": (bpe_fallback, Model.BPE),
    "suffix": (bpe_suffix, Model.BPE),
    "leaving out": (bpe_leaving_out, Model.BPE),
    "wordpiece": (wordpiece, Model.WORDPIECE),
    "unigram": (unigram, Model.UNIGRAM),
    "words": (word_level, Model.WORD_LEVEL),
}


@pytest.fixture(scope="module", params=list(MAKERS))
def pair(request: pytest.FixtureRequest) -> tuple[LibraryTokenizer, HuggingFaceEncoding]:
    """A tokenizer, which the library uses by itself, and the same as an encoding."""
    made, model = MAKERS[request.param][0](), MAKERS[request.param][1]
    made.add_tokens([AddedToken("<sep>", normalized=False)])
    made.add_special_tokens(["<end>"])
    encoding = HuggingFaceEncoding(LibraryTokenizer.from_str(made.to_str()), request.param)
    assert encoding.model is model
    library = LibraryTokenizer.from_str(made.to_str())
    if isinstance(library.model, models.BPE):
        library.model.dropout = None
    return library, encoding


def assert_consistent(text: str, tokens: Tokens) -> None:
    """Places ascend within the text, and characters cover the bytes."""
    data = text.encode("utf-8")
    assert (np.diff(tokens.starts) >= 0).all()
    assert (np.diff(tokens.ends) >= 0).all()
    assert (tokens.starts <= tokens.ends).all()
    assert not len(tokens) or (tokens.starts[0] >= 0 and tokens.ends[-1] <= len(data))
    rows = zip(
        tokens.starts.tolist(), tokens.ends.tolist(),
        tokens.char_starts.tolist(), tokens.char_ends.tolist(), strict=True,
    )
    for start, end, char_start, char_end in rows:
        first = len(text[:char_start].encode("utf-8"))
        last = len(text[:char_end].encode("utf-8"))
        assert first <= start <= end <= last
        if end > start:
            assert len(text[char_start + 1 : char_end].encode("utf-8")) <= end - start + 3
        else:
            assert char_start == char_end


@settings(max_examples=settings.default.max_examples // 3)
@given(text=texts, specials_as_text=st.booleans())
def test_ids_places_and_decoding_are_the_librarys(
    pair: tuple[LibraryTokenizer, HuggingFaceEncoding], text: str, specials_as_text: bool
) -> None:
    library, encoding = pair
    library.encode_special_tokens = specials_as_text
    expected = library.encode(text, add_special_tokens=False)
    tokens = encoding.encode(text, specials_as_text=specials_as_text)
    known = tokens.ids != NO_TOKEN
    assert tokens.ids[known].tolist() == expected.ids
    assert_consistent(text, tokens)
    for start, end, (first, last) in zip(
        tokens.char_starts[known].tolist(), tokens.char_ends[known].tolist(),
        expected.offsets, strict=True,
    ):
        assert start >= min(first, len(text)) or start == end
        # Of a letter composed of several characters the library tells the first alone.
        while last < len(text) and unicodedata.combining(text[last]):
            last += 1
        assert end <= max(last, start)
    decoded = library.decode(expected.ids, skip_special_tokens=False)
    assert encoding.decode(tokens.ids.tolist()) == decoded
    if "\ufffd" not in decoded:
        assert encoding.decode_bytes(expected.ids).decode("utf-8") == decoded


@settings(max_examples=settings.default.max_examples // 3)
@given(text=texts)
def test_no_token_reaches_across_the_beginning_of_a_word(
    pair: tuple[LibraryTokenizer, HuggingFaceEncoding], text: str
) -> None:
    library, encoding = pair
    library.encode_special_tokens = False
    words = encoding.words(text)
    tokens = encoding.encode(text)
    assert (np.diff(words) > 0).all()
    for word in words.tolist():
        inside = (tokens.starts < word) & (word < tokens.ends) & (tokens.ids != NO_TOKEN)
        # Two words may share a character that normalization has made two of.
        shared = tokens.char_ends[inside] - tokens.char_starts[inside] <= 1
        assert shared.all()
    assert len(words) <= len(set(library.encode(text, add_special_tokens=False).word_ids))


def test_every_token_is_found_by_what_it_stands_for(
    pair: tuple[LibraryTokenizer, HuggingFaceEncoding],
) -> None:
    library, encoding = pair
    for text, token in library.get_vocab(with_added_tokens=True).items():
        assert encoding.id_to_token(token) == text
        if token in library.get_added_tokens_decoder():
            assert encoding.is_special(token) == (text != "<sep>")
            continue
        found = encoding.token_to_id(encoding.token_bytes(token))
        assert found is not None
        assert found <= token
        assert encoding.token_bytes(found) == encoding.token_bytes(token)
        marked = encoding.marked_token_to_id(encoding.marked_token_bytes(token))
        assert marked is not None
        assert encoding.marked_token_bytes(marked) == encoding.marked_token_bytes(token)
    assert encoding.token_to_id(b"nowhere to be found") is None
    assert encoding.vocabulary_size == library.get_vocab_size()


@pytest.mark.parametrize("name", ["bytes", "byte fallback", "suffix", "leaving out"])
def test_merges_are_those_of_the_file(name: str) -> None:
    made = MAKERS[name][0]()
    encoding = HuggingFaceEncoding(made, name)
    state = json.loads(made.to_str())["model"]
    merged = set()
    for rank, (left, right) in enumerate(state["merges"]):
        token = state["vocab"][left + right]
        merge = encoding.merge(token)
        assert merge == RankedMerge(rank, state["vocab"][left], state["vocab"][right])
        merged.add(token)
    others = set(state["vocab"].values()) - merged
    assert {encoding.merge(token) for token in others} == {None}


def test_other_models_have_no_merges() -> None:
    assert HuggingFaceEncoding(wordpiece(), "").merge(5) is None
    with pytest.raises(EncodingError, match="no token with the id 999"):
        HuggingFaceEncoding(unigram(), "").merge(999)


def test_contents_are_text_without_markers() -> None:
    def contents(encoding: HuggingFaceEncoding, text: str) -> list[bytes]:
        return [encoding.token_bytes(token) for token in encoding.encode(text).ids.tolist()]

    assert b"".join(contents(HuggingFaceEncoding(bpe_bytes(), ""), "a 漢")) == "a 漢".encode()
    fallback = HuggingFaceEncoding(bpe_fallback(), "")
    assert contents(fallback, "€") == [b" ", b"\xe2", b"\x82", b"\xac"]
    assert fallback.encode("€").starts.tolist() == [0, 0, 1, 2]
    assert fallback.encode("€").ends.tolist() == [0, 1, 2, 3]
    assert fallback.decode_bytes(fallback.encode("€").ids.tolist()[:3]) == b"\xe2\x82"
    pieces = HuggingFaceEncoding(wordpiece(), "")
    assert b"".join(contents(pieces, "lowest")) == b"lowest"
    suffix = HuggingFaceEncoding(bpe_suffix(), "")
    assert b"".join(contents(suffix, "low lower")) == b"lowlower"
    low = suffix.encode("low").ids.tolist()[-1]
    assert suffix.marked_token_bytes(low).endswith(b"</w>")


@pytest.mark.parametrize("name", MAKERS)
def test_fallback_bytes_are_those_of_a_model_that_falls_back(name: str) -> None:
    made = MAKERS[name][0]()
    made.add_tokens(["<0x4>", "<0xG1>", "<0x0041>"])
    encoding = HuggingFaceEncoding(made, name)
    written = {f"<0x{byte:02X}>" for byte in range(256)} if name == "byte fallback" else set()
    found = filter(encoding.is_fallback_byte, range(encoding.vocabulary_size))
    assert {encoding.id_to_token(token) for token in found} == written
    assert not any(map(encoding.is_fallback_byte, (NO_TOKEN, encoding.vocabulary_size, 1 << 40)))


def test_tokens_that_look_like_bytes_are_none_where_the_model_does_not_fall_back() -> None:
    made = LibraryTokenizer(models.BPE(vocab={"a": 0, "<0xE2>": 1}, merges=[]))
    assert not HuggingFaceEncoding(made, "").is_fallback_byte(1)


def test_unknown_tokens_and_what_is_left_out() -> None:
    for maker in (wordpiece, word_level, unigram, bpe_suffix):
        encoding = HuggingFaceEncoding(maker(), "")
        unknown = [encoding.is_unknown(token) for token in encoding.encode("🦜").ids.tolist()]
        assert unknown[-1]
        known = encoding.encode("the").ids.tolist()
        assert not any(encoding.is_unknown(token) for token in known)
    leaving = HuggingFaceEncoding(bpe_leaving_out(), "")
    tokens = leaving.encode("the 🦜 the")
    assert tokens.ids.tolist().count(NO_TOKEN) == 1
    place = tokens.ids.tolist().index(NO_TOKEN)
    assert (tokens.starts[place], tokens.ends[place]) == (4, 8)
    assert leaving.is_unknown(NO_TOKEN)


def test_normalized_text_is_plain() -> None:
    assert HuggingFaceEncoding(unigram(), "").normalized("ﬁ  x") == "fi x"
    assert HuggingFaceEncoding(bpe_fallback(), "").normalized("a b") == " a b"
    assert HuggingFaceEncoding(wordpiece(), "").normalized("É") == "e"
    assert HuggingFaceEncoding(bpe_bytes(), "").normalized("ﬁ") == "ﬁ"


def test_specials_as_text_leave_other_added_tokens_alone() -> None:
    made = bpe_bytes()
    made.add_special_tokens(["<end>"])
    made.add_tokens(["<sep>"])
    encoding = HuggingFaceEncoding(made, "")
    found = {encoding.id_to_token(token) for token in encoding.encode("<end><sep>").ids.tolist()}
    assert found == {"<end>", "<sep>"}
    as_text = encoding.encode("<end><sep>", specials_as_text=True).ids.tolist()
    assert "<sep>" in {encoding.id_to_token(token) for token in as_text}
    assert "<end>" not in {encoding.id_to_token(token) for token in as_text}


def test_an_added_token_that_is_found_in_normalized_text_stands_for_the_text() -> None:
    made = bpe_fallback()
    made.add_tokens(["<sep>"])
    encoding = HuggingFaceEncoding(made, "")
    tokens = encoding.encode("low <sep>")
    assert encoding.id_to_token(tokens.ids[-1]) == "▁<sep>"
    assert encoding.token_bytes(tokens.ids[-1]) == b" <sep>"
    assert encoding.marked_token_bytes(tokens.ids[-1]) == b" <sep>"
    assert (tokens.starts[-1], tokens.ends[-1]) == (3, 9)
    made.normalizer = normalizers.ByteLevel()
    made.add_tokens(["naïve"])
    of_bytes = HuggingFaceEncoding(made, "")
    assert of_bytes.token_bytes(of_bytes.encode("naïve").ids[0]).decode() == "naïve"


def test_lone_surrogates_are_refused() -> None:
    encoding = HuggingFaceEncoding(bpe_bytes(), "")
    for ask in (encoding.encode, encoding.words, encoding.normalized):
        with pytest.raises(UnicodeEncodeError):
            ask("a\ud800")


# -- hostile files ---------------------------------------------------------------------------


def written(tmp_path: Path, maker: Callable[[], LibraryTokenizer], **changes: object) -> Path:
    """A file of that tokenizer with other steps."""
    state = json.loads(maker().to_str())
    state.update(changes)
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(state), encoding="utf-8")
    return path


def test_a_panic_while_loading_is_an_error(tmp_path: Path) -> None:
    path = written(
        tmp_path, unigram, normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"}
    )
    with pytest.raises(EncodingError, match=r"hostile\.json is not a tokenizer\.json.*Precompiled"):
        huggingface.read(path)


def test_a_panic_while_encoding_is_an_error(tmp_path: Path) -> None:
    split = {
        "type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False,
    }
    encoding = huggingface.read(written(tmp_path, bpe_bytes, pre_tokenizer=split))
    with pytest.raises(EncodingError, match=r"json cannot encode this text .*.*retry-limit"):
        encoding.encode("a" * 40 + "b")
    assert encoding.decode(encoding.encode("b").ids.tolist()) == "b"


def test_replacements_that_fill_all_memory_are_refused(tmp_path: Path) -> None:
    double = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
    nested: dict[str, object] = {"type": "Sequence", "normalizers": [double] * 20}
    steps = {"type": "Sequence", "normalizers": [nested, nested]}
    with pytest.raises(EncodingError, match="1,000 times as long"):
        huggingface.read(written(tmp_path, bpe_bytes, normalizer=steps))


def test_prefixes_and_maps_that_fill_all_memory_are_refused(tmp_path: Path) -> None:
    prepend = {"type": "Prepend", "prepend": "x" * 5000}
    with pytest.raises(EncodingError, match="1,000 times as long"):
        huggingface.read(written(tmp_path, bpe_bytes, normalizer=prepend))
    for longest, refused in ((50, False), (5000, True)):
        # An empty trie of one unit, and what its characters would become.
        charsmap = (4).to_bytes(4, "little") + bytes(4) + b"x" * longest + b"\0y\0"
        step = {
            "type": "Precompiled",
            "precompiled_charsmap": base64.b64encode(charsmap).decode("ascii"),
        }
        path = written(tmp_path, bpe_bytes, normalizer=step)
        if refused:
            with pytest.raises(EncodingError, match="1,000 times as long"):
                huggingface.read(path)
        else:
            huggingface.read(path)


def test_models_that_cannot_cut_a_text_say_so(tmp_path: Path) -> None:
    made = LibraryTokenizer(models.WordLevel({"a": 0}, unk_token="missing"))
    encoding = HuggingFaceEncoding(made, "poor.json")
    with pytest.raises(EncodingError, match=r"poor\.json cannot encode this text .*.*UNK"):
        encoding.encode("b")


NOT_READ = "is not a tokenizer.json"


def with_token(number: object) -> Callable[[str], str]:
    """Puts one more token into a file, with something as its id."""
    return lambda text: text.replace('"vocab":{', f'"vocab":{{"<x>":{json.dumps(number)},', 1)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text[: len(text) // 2], NOT_READ),
        (lambda text: text.replace('"version"', '"model"', 1), "twice"),
        (lambda text: text.replace('"type":"BPE"', '"type":"GPT"', 1), NOT_READ),
        (with_token(99_999_999_999), NOT_READ),
        (with_token(-1), NOT_READ),
        (with_token("y"), NOT_READ),
        (with_token(3_000_000_000), "ids have to be below"),
        (with_token(7), "have the id 7"),
        (lambda text: text.replace('"merges":[', '"merges":[["no","where"],', 1), NOT_READ),
        (lambda text: text.replace('"merges":[', '"merges":[["a"],', 1), NOT_READ),
        (lambda text: '{"model":' * 100_000, NOT_READ),
        (lambda text: text.replace('"version":"1.0"', '"version":' + "9" * 10_000), NOT_READ),
        (lambda text: "\ufeff", NOT_READ),
        (lambda text: "null", NOT_READ),
    ],
)
def test_damaged_files(tmp_path: Path, damage: Callable[[str], str], message: str) -> None:
    path = tmp_path / "damaged.json"
    path.write_text(damage(bpe_bytes().to_str()), encoding="utf-8")
    with pytest.raises(EncodingError, match=message) as caught:
        huggingface.read(path)
    assert "damaged.json" in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("once", "twice", "key"),
    [
        ('"vocab":{', '"vocab":{"a":1,', "a"),
        ('"vocab":{', r'"vocab":{"\u0061":1,', "a"),
        ('"use_regex"', '"add_prefix_space":true,"use_regex"', "add_prefix_space"),
        ('"type":"BPE"', '"type":"BPE","type":"BPE"', "type"),
        ('"added_tokens":[]', '"added_tokens":[],"added_tokens":[]', "added_tokens"),
        ('"version":"1.0"', '"version":{"a":{"\\"":1,"b":":","\\"":2}}', '"'),
    ],
)
def test_a_key_that_is_there_twice_is_named(
    tmp_path: Path, once: str, twice: str, key: str
) -> None:
    """Whatever the library makes of it."""
    path = tmp_path / "damaged.json"
    written = bpe_bytes().to_str()
    assert once in written
    path.write_text(written.replace(once, twice, 1), encoding="utf-8")
    with pytest.raises(EncodingError, match=f"has the key {re.escape(shown(key))} twice"):
        huggingface.read(path)


def test_a_token_may_be_written_like_anything() -> None:
    """What looks like the notation of another kind of file is text."""
    made = LibraryTokenizer(models.WordLevel({"<0x41>": 0, "▁a": 1, "Ġb": 2, "u": 3}, "u"))
    encoding = HuggingFaceEncoding(made, "")
    assert [encoding.token_bytes(token) for token in range(3)] == [
        b"<0x41>", "▁a".encode(), "Ġb".encode(),
    ]
