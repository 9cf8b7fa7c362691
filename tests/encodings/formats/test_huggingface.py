"""tokenizer.json: what we write, the library reads and cuts texts the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, normalizers, pre_tokenizers, processors

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import END_OF_WORD, PRESETS, Alphabet, EndOfWord, Recipe, Symbols, Ties
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.base import EncodingError, ExportError
from bpe_gui.encodings.formats import huggingface, huggingface_export
from tests.encodings.runs import train

INTERESTING = (
    "aabbehlorstwxyzABLTſ'’ \t\n\r\f\v\x1c\x1f\x85\xa0\u2003\u2028\u3000"
    "0123456789²½.,;!?-_/<>(){}\\|$^&~#@\0\x07\xad\u200b\ufeff\ufffd\ue000\ue001\ue0ff"
    "éñüßİıǅʰªΩωдЖאبकิ์ไ漢字한글か゛e\u0301\u0308\u0323\u20dd😀👍🏽\U000e0041"
)

characters = st.one_of(
    st.sampled_from(INTERESTING),
    st.sampled_from("abc 'st\n"),
    # What the running Python knows, the library's Unicode tables know too.
    st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="ʕ"),
)
texts = st.text(characters, max_size=60)
corpora = st.lists(st.text(characters, max_size=30).map(lambda text: text * 3), max_size=6)


def exported(history: History) -> huggingface.HuggingFaceEncoding:
    library = LibraryTokenizer.from_str(huggingface_export.to_json(history))
    return huggingface.HuggingFaceEncoding(library, "mine")


def assert_same_tokens(history: History, text: str, position: int | None = None) -> None:
    """The library, given our file, must give our ids, tokens and decoding, and write it so."""
    written = huggingface_export.to_json(history, position)
    library = LibraryTokenizer.from_str(written)
    assert library.to_str(pretty=True) + "\n" == written
    ours = Tokenizer(history, position, compiled=False)
    expected = [token for token in ours.encode(text).ids.tolist() if token != NO_TOKEN]
    encoded = library.encode(text)
    assert encoded.ids == expected
    assert encoded.tokens == [history.id_to_token(token) for token in expected]
    assert library.decode(expected, skip_special_tokens=False) == ours.decode(expected)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=settings.default.max_examples // 3)
@given(data=st.data())
def test_the_library_cuts_texts_as_we_do(preset: str, data: st.DataObject) -> None:
    special = data.draw(
        st.sampled_from([(), ("<|endoftext|>",), ("ab", "abc"), ("[a b]", "s"), (" a",)])
    )
    recipe = PRESETS[preset]
    recipe = recipe.with_changes(
        special_tokens=(*recipe.special_tokens, *special),
        vocabulary_size=None,
        min_frequency=data.draw(st.integers(1, 3)),
        ties=data.draw(st.sampled_from(list(Ties))),
    )
    if recipe.byte_level:
        recipe = recipe.with_changes(alphabet=data.draw(st.sampled_from(list(Alphabet))))
    corpus = data.draw(corpora)
    # Spelled out in the corpus it can be written like the marker, which is refused: see below.
    assume(END_OF_WORD not in "".join(corpus))
    history = train(recipe, corpus)
    position = data.draw(st.integers(0, len(history)))
    pieces = ["", *corpus, *special]
    text = data.draw(texts) + "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=4)))
    assert_same_tokens(history, text + data.draw(texts), position)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "text",
    [
        "I'LL say they'ſ wE'rE \t\n\n  \r\n x  12345 ²½  ",
        "naïve Ångström 漢字かな 한국어 עברית हिन्दी 👍🏽 a\x1cb\x85c\u3000d\n\u2028",
        "no\ue000thing\ue001 \ue000 </w> <unk> low</w>",
    ],
)
def test_known_difficult_texts(preset: str, text: str) -> None:
    recipe = PRESETS[preset].with_changes(vocabulary_size=None, min_frequency=1)
    history = train(recipe, ["I'll say they're \n\n 12 34 na", "low lower </ w> ", text[:9]])
    assert_same_tokens(history, text)


def test_ids_tokens_and_merges_are_ours() -> None:
    recipe = PRESETS["gpt2"].with_changes(
        special_tokens=("<|endoftext|>",), alphabet=Alphabet.OBSERVED, vocabulary_size=30
    )
    history = train(recipe, ["This is a test. This is not a token."])
    written = json.loads(huggingface_export.to_json(history))
    assert written["model"]["vocab"] == {history.id_to_token(token): token for token in range(30)}
    assert written["model"]["merges"] == [
        [history.id_to_token(left), history.id_to_token(right)]
        for left, right in zip(history.left.tolist(), history.right.tolist(), strict=True)
    ]
    assert [token["id"] for token in written["added_tokens"]] == [0]


def test_a_position_leaves_later_merges_out() -> None:
    history = train(PRESETS["raw"], ["aaaa aaaa aaaa"])
    written = json.loads(huggingface_export.to_json(history, 1))
    assert written["model"]["merges"] == [["a", "a"]]
    assert len(written["model"]["vocab"]) == len(history.base) + 1


@pytest.mark.parametrize("preset", PRESETS)
def test_an_empty_corpus_gives_a_file_that_loads(preset: str) -> None:
    history = train(PRESETS[preset].with_changes(min_frequency=1), [])
    assert_same_tokens(history, "Hello <unk> </w> 漢")


def test_two_tokens_written_alike_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    # "</w>" spelled out and merged is written as the marker is.
    history = train(PRESETS["whitespace"].with_changes(vocabulary_size=None), ["</w>a </w>a"])
    path = tmp_path / "tokenizer.json"
    path.write_text("what was there")
    with pytest.raises(ExportError, match="spelled alike, '</w>'"):
        huggingface_export.write(history, path)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": "gpt2"}, "only if words are split at white space"),
        ({"special_tokens": ("?",), "unknown_token": "?"}, "the recipe has no unknown token"),
        ({"end_of_word": EndOfWord.JOINED}, "unless the recipe has an unknown token"),
    ],
)
def test_markers_that_the_format_cannot_hold_are_refused(
    changes: dict[str, object], message: str
) -> None:
    recipe = Recipe(
        split="whitespace", symbols=Symbols.CHARACTERS, end_of_word=EndOfWord.OWN
    ).with_changes(**changes)
    with pytest.raises(ExportError, match=message):
        huggingface_export.to_json(train(recipe, ["low lower"]))


# -- reading ---------------------------------------------------------------------------------


@given(corpora, texts)
@example(["👍🏽👍🏽"], "a👍🏽é")
def test_reading_gives_what_was_written(corpus: list[str], text: str) -> None:
    history = train(PRESETS["gpt4"].with_changes(vocabulary_size=None), corpus)
    encoding = exported(history)
    ours = Tokenizer(history, compiled=False).encode(text)
    theirs = encoding.encode(text)
    for column in ("ids", "starts", "ends", "char_starts", "char_ends"):
        assert getattr(theirs, column).tolist() == getattr(ours, column).tolist()
    assert encoding.decode(theirs.ids.tolist()) == text
    assert encoding.vocabulary_size == history.vocabulary_size(len(history))
    for token in theirs.ids.tolist():
        assert encoding.token_bytes(token) == history.token_bytes(token)


def test_byte_level_decoding_keeps_bytes_and_takes_special_tokens_for_bytes_too() -> None:
    recipe = PRESETS["gpt2"].with_changes(special_tokens=("<é>",))
    encoding = exported(train(recipe, []))
    ids = encoding.encode("<é>é").ids.tolist()
    assert encoding.token_bytes(ids[0]) == "<é>".encode()
    assert encoding.decode_bytes(ids[:2]) == b"<\xe9>\xc3"
    assert encoding.decode(ids) == "<\ufffd>é"


def test_offsets_without_byte_level_tokens_are_those_of_the_characters() -> None:
    encoding = exported(train(PRESETS["char-bpe"], ["é x"]))
    tokens = encoding.encode("é  ?x")
    assert tokens.char_starts.tolist() == [0, 3, 4]
    assert tokens.starts.tolist() == [0, 4, 5]
    assert tokens.ends.tolist() == [2, 5, 6]


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=settings.default.max_examples // 3)
@given(data=st.data())
def test_what_is_left_out_is_what_has_no_token_with_us(preset: str, data: st.DataObject) -> None:
    recipe = PRESETS[preset].with_changes(vocabulary_size=None, min_frequency=1)
    if recipe.byte_level:
        recipe = recipe.with_changes(alphabet=data.draw(st.sampled_from(list(Alphabet))))
    elif recipe.unknown_token is None:
        recipe = recipe.with_changes(special_tokens=data.draw(st.sampled_from([(), ("ab", "é")])))
    history = train(recipe, data.draw(corpora))
    encoding = exported(history)
    text = data.draw(texts)
    ours = Tokenizer(history, compiled=False).encode(text)
    unknown = ours.ids == NO_TOKEN
    spans = zip(ours.char_starts[unknown].tolist(), ours.char_ends[unknown].tolist(), strict=True)
    expected = {place for start, end in spans for place in range(start, end)}
    assert encoding.dropped_characters(text).tolist() == sorted(expected)


def foreign(
    vocabulary: str, normalizer: object = None, pre_tokenizer: object = None, **options: object
) -> huggingface.HuggingFaceEncoding:
    """A tokenizer with these tokens, separated by spaces, that nobody here has made."""
    tokens = {token: index for index, token in enumerate(vocabulary.split())}
    library = LibraryTokenizer(models.BPE(vocab=tokens, merges=[], **options))
    if normalizer is not None:
        library.normalizer = normalizer
    if pre_tokenizer is not None:
        library.pre_tokenizer = pre_tokenizer
    return huggingface.HuggingFaceEncoding(library, "foreign")


def test_what_is_dropped_by_design_is_not_left_out() -> None:
    marks = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])
    words = foreign("a b", marks, pre_tokenizers.WhitespaceSplit())
    assert words.dropped_characters(" a\u0301 b\t\u0301 á").tolist() == []
    assert words.dropped_characters(" a c\u0301 A").tolist() == [3, 6]
    lowered = foreign("a b", normalizers.Lowercase(), pre_tokenizers.WhitespaceSplit())
    assert lowered.dropped_characters("A Ab").tolist() == []


def test_white_space_without_a_token_is_left_out_where_it_is_not_dropped() -> None:
    assert foreign("a b").dropped_characters("a b").tolist() == [1]
    library = LibraryTokenizer(models.BPE(vocab={"a": 0, "b": 1, "Ġ": 2}, merges=[]))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.post_processor = processors.ByteLevel(trim_offsets=True)
    assert library.encode("a b").offsets == [(0, 1), (2, 2), (2, 3)]
    trimming = huggingface.HuggingFaceEncoding(library, "trimming")
    assert trimming.encode("a b").char_starts.tolist() == [0, 1, 2]
    assert trimming.dropped_characters("a b").tolist() == []
    assert trimming.dropped_characters("a\nb日").tolist() == [1, 3]


def test_tokenizers_with_a_token_for_everything_leave_nothing_out() -> None:
    assert foreign("a ?", unk_token="?").dropped_characters("a日").tolist() == []
    all_bytes = " ".join(f"<0x{byte:02X}>" for byte in range(256))
    assert foreign(f"a {all_bytes}", byte_fallback=True).dropped_characters("a日").tolist() == []
    assert foreign("a <0x41>", byte_fallback=True).dropped_characters("aA日").tolist() == [2]
    assert foreign("a b</w>", end_of_word_suffix="</w>").dropped_characters("ab").tolist() == []
    assert foreign("a b</w>", end_of_word_suffix="</w>").dropped_characters("ba").tolist() == [0, 1]
    assert foreign("日本", ignore_merges=True).dropped_characters("日本").tolist() == []


def test_special_tokens_in_the_text_are_not_left_out() -> None:
    encoding = foreign("a b")
    encoding._tokenizer.add_special_tokens(["<日>"])
    assert encoding.dropped_characters("a<日>日").tolist() == [4]


@pytest.mark.parametrize("token", [-2, 3, 1 << 40])
def test_unknown_ids_are_an_error(token: int) -> None:
    encoding = exported(train(PRESETS["raw"], ["abc"], 0))
    with pytest.raises(EncodingError, match=rf"mine has no token with the id {token}"):
        encoding.decode([0, token])


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"model": {"type": "BPE"}}'])
def test_files_that_are_no_tokenizer_are_an_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(data)
    with pytest.raises(EncodingError, match=r"wrong\.json is not a tokenizer\.json"):
        huggingface.read(path)


