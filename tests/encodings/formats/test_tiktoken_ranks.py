"""`.tiktoken`: what we write, tiktoken reads and cuts texts the same way; what is read."""

from __future__ import annotations

import base64
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import tiktoken
import tiktoken.load
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import decoders, models, pre_tokenizers

from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, Alphabet
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.base import Encoding, EncodingError, ExportError, RankedMerge
from bpe_gui.encodings.convert import convert
from bpe_gui.encodings.formats import tiktoken_ranks
from bpe_gui.encodings.formats.split_patterns import SPLIT_PATTERNS
from bpe_gui.encodings.formats.tiktoken_ranks import TiktokenEncoding
from bpe_gui.encodings.import_history import history_of
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.ours import TrainedEncoding
from tests.encodings.runs import (
    GPT2_RANKS,
    byte_recipe,
    byte_runs,
    made_of,
    needs_gpt2_ranks,
    spans,
    texts,
    train,
)

SPLITS = tuple(SPLIT_PATTERNS)
SPECIALS = ("<|endoftext|>", "[a b]", "日本", "\n\n", " ab", "'s")
BYTES = {bytes([byte]): byte for byte in range(256)}


def saved(history: History, position: int | None = None) -> TiktokenEncoding:
    """The encoding that comes of writing and reading."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.tiktoken"
        tiktoken_ranks.write(history, path, position)
        return tiktoken_ranks.read(path, *tiktoken_ranks.read_options(history))


def lines(ranks: dict[bytes, int]) -> bytes:
    return b"".join(b"%s %d\n" % (base64.b64encode(t), rank) for t, rank in ranks.items())


# -- written and read ------------------------------------------------------------------------


@given(data=st.data())
def test_tiktoken_cuts_texts_as_we_do(data: st.DataObject) -> None:
    history = data.draw(byte_runs(SPLITS, SPECIALS))
    position = data.draw(st.integers(0, len(history)))
    ours = TrainedEncoding(history, position)
    theirs = saved(history, position)
    text = data.draw(texts) + "".join(data.draw(st.lists(st.sampled_from(SPECIALS), max_size=3)))
    text += data.draw(texts)
    for as_text in (False, True):
        expected = ours.encode(text, specials_as_text=as_text)
        found = theirs.encode(text, specials_as_text=as_text)
        assert found.ids.tolist() == expected.ids.tolist()
        assert spans(found) == spans(expected)
        words = theirs.words(text, specials_as_text=as_text)
        assert words is not None
        assert words.tolist() == ours.words(text, specials_as_text=as_text).tolist()
        assert theirs.decode(found.ids.tolist()) == ours.decode(expected.ids.tolist())
        if history.recipe.split != "whitespace":
            assert theirs.decode(found.ids.tolist()) == text


@given(data=st.data())
def test_a_long_text_can_be_cut_where_no_token_changes(data: st.DataObject) -> None:
    encoding = saved(data.draw(byte_runs(SPLITS, SPECIALS)))
    text = data.draw(texts) + data.draw(st.sampled_from([" ", *SPECIALS])) + data.draw(texts)
    for as_text in (False, True):
        # What is asked about is the beginning of a text that may go on.
        place = encoding.safe_cut(text.encode("utf-8"), specials_as_text=as_text)
        for rest in ("", data.draw(texts)):
            whole = (text + rest).encode("utf-8")
            parts = whole[:place].decode("utf-8"), whole[place:].decode("utf-8")
            ids = [encoding.encode(part, specials_as_text=as_text).ids.tolist() for part in parts]
            found = encoding.encode(text + rest, specials_as_text=as_text).ids.tolist()
            assert found == ids[0] + ids[1]


def test_a_pattern_of_others_has_no_place_that_is_certain() -> None:
    encoding = tiktoken_ranks.from_ranks(BYTES, r"\S+|\s+", name="odd")
    assert encoding.safe_cut(b"one two three") == 0
    usual = tiktoken_ranks.from_ranks(BYTES, "gpt2", name="usual")
    assert usual.safe_cut(b"one two three") == 7
    assert usual.safe_cut("слово слово\n\nслово".encode()) == 21


@given(byte_runs(SPLITS, SPECIALS))
def test_tokens_and_merges_are_ours(history: History) -> None:
    ours, theirs = TrainedEncoding(history), saved(history)
    assert theirs.vocabulary_size == ours.vocabulary_size
    for token in range(ours.vocabulary_size):
        assert theirs.token_bytes(token) == ours.token_bytes(token)
        assert theirs.id_to_token(token) == ours.id_to_token(token)
        assert theirs.is_special(token) == ours.is_special(token)
        assert theirs.merge(token) == ours.merge(token)
        assert theirs.token_to_id(ours.token_bytes(token)) == ours.token_to_id(
            ours.token_bytes(token)
        )


def test_the_file_has_one_token_a_line_with_our_ids(tmp_path: Path) -> None:
    history = train(byte_recipe("gpt2", ("<s>",)), ["ab ab\n\n"])
    path = tmp_path / "run.tiktoken"
    tiktoken_ranks.write(history, path)
    written = path.read_bytes().splitlines()
    assert written[0] == b"IQ== 1"  # "!", after the special token
    assert len(written) == history.vocabulary_size(len(history)) - 1
    assert written[-1] == b"%s %d" % (
        base64.b64encode(history.token_bytes(len(written))), len(written)
    )


def test_an_encoding_is_all_that_the_protocol_asks_for() -> None:
    encoding = saved(train(byte_recipe("gpt2"), []))
    for member in (name for name in dir(Encoding) if not name.startswith("_")):
        assert hasattr(encoding, member)
    assert not len(encoding.encode(""))
    assert encoding.normalized("é ") == "é "
    assert encoding.is_unknown(-1)
    assert not encoding.is_fallback_byte(0)
    assert not encoding.is_unknown(0)
    with pytest.raises(UnicodeEncodeError):
        encoding.encode("a\ud800")


# -- what cannot be written ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (PRESETS["raw"], "tokens made of bytes"),
        (byte_recipe("bert"), "pre-tokenization 'bert' is not one"),
        (byte_recipe("gpt2", normalizers=("nfd",)), "a normalizer, and .* has nfd"),
        (byte_recipe("gpt2").with_changes(alphabet=Alphabet.OBSERVED), "has only the 3 of"),
        (byte_recipe("gpt2", ("ab",)), "'ab' is both"),
        (byte_recipe("gpt2", ("a",)), "'a' is both"),
        (byte_recipe("gpt2", ("<a>", "<a>b")), "'<a>' and '<a>b' is found"),
    ],
)
def test_recipes_that_ranks_cannot_hold_are_refused(
    recipe: object, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.tiktoken"
    path.write_text("what was there")
    with pytest.raises(ExportError, match=message):
        tiktoken_ranks.write(train(recipe, ["ab ab ab"]), path)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]


def test_merges_that_tiktoken_would_do_otherwise_are_refused(tmp_path: Path) -> None:
    recipe = byte_recipe("none")
    ids = {token: index for index, token in enumerate(made_of(recipe, []).base.texts)}
    a, b, c = ids["a"], ids["b"], ids["c"]
    # "abc" is made of a + bc, and of ab + c by nobody; but tiktoken sees only its bytes.
    other = made_of(recipe, [(a, b, 256), (b, c, 257), (a, 257, 258)])
    assert Tokenizer(other, compiled=False).encode("abc").ids.tolist() == [256, c]
    with pytest.raises(ExportError, match="make 'abc' one token"):
        tiktoken_ranks.write(other, tmp_path / "x.tiktoken")
    twice = made_of(recipe, [(a, b, 256), (b, c, 257), (256, c, 258), (a, 257, 259)])
    with pytest.raises(ExportError, match="two for 'abc'"):
        tiktoken_ranks.write(twice, tmp_path / "x.tiktoken")
    assert list(tmp_path.iterdir()) == []


# -- a token without bytes, which Whisper's multilingual.tiktoken ends with --------------------


WITH_EMPTY = lines({**BYTES, b"ab": 256, b"abc": 257}) + b"= 258\n"


def test_an_empty_token_is_an_id_that_no_text_reaches(tmp_path: Path) -> None:
    path = tmp_path / "multilingual.tiktoken"
    path.write_bytes(WITH_EMPTY)
    with pytest.raises(EncodingError, match=path.name):
        open_encoding(path)
    encoding = open_encoding(f"{path}@gpt2", special_tokens={"<s>": 259})
    ranks = tiktoken.load.load_tiktoken_bpe(str(path))
    library = tiktoken.Encoding(
        "x", pat_str=SPLIT_PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={"<s>": 259}
    )
    text = "abc ab<s>  naïve 漢"
    ids = encoding.encode(text).ids.tolist()
    assert ids == library.encode(text, allowed_special="all")
    assert encoding.decode_bytes([258, *ids, 258]) == library.decode_bytes([258, *ids, 258])
    assert encoding.decode(ids) == text
    assert encoding.vocabulary_size == library.n_vocab == 260
    assert (encoding.id_to_token(258), encoding.token_bytes(258)) == ("", b"")
    assert not encoding.is_special(258)
    assert encoding.token_to_id(b"") is encoding.merge(258) is None
    assert encoding.merge(257) == RankedMerge(1, 256, ord("c"))


@pytest.mark.parametrize("name", ["x.json", "x.tiktoken", "vocab.json"])
def test_an_empty_token_is_converted(name: str, tmp_path: Path) -> None:
    path = tmp_path / "multilingual.tiktoken"
    path.write_bytes(WITH_EMPTY)
    convert(open_encoding(f"{path}@gpt2"), tmp_path / name, ["abc naïve"])
    split = "@gpt2" if name == "x.tiktoken" else ""
    written = open_encoding(f"{tmp_path / name}{split}")
    assert written.vocabulary_size == 259
    assert written.encode("abc").ids.tolist() == [257]
    assert written.decode_bytes([258]) == b""
    assert not written.is_special(258)
    convert(written, tmp_path / "again.tiktoken", ["abc"])
    assert (tmp_path / "again.tiktoken").read_bytes() == WITH_EMPTY
    assert len(history_of(written)) == 2


def test_a_format_that_cannot_hold_an_empty_token_says_so(tmp_path: Path) -> None:
    path = tmp_path / "multilingual.tiktoken"
    path.write_bytes(WITH_EMPTY)
    with pytest.raises(ExportError, match=r"cannot hold the token 258 of .*, which stands for no"):
        convert(open_encoding(f"{path}@gpt2"), tmp_path / "x.model", ["abc"])
    assert not (tmp_path / "x.model").exists()


# -- what cannot be read ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "has no tokens"),
        (b"\n\n", "has no tokens"),
        (b"IQ== 0\nIg==", "line 2: expected a token in base 64 and its rank"),
        (b"IQ== 0 1\n", "line 1: expected"),
        (b"IQ== -1\n", "line 1: expected"),
        (b"IQ== 1.5\n", "line 1: expected"),
        (b"IQ== 2147483648\n", "line 1: expected .* up to 2,147,483,647"),
        (b"IQ== " + b"9" * 5000, "line 1: expected"),
        (b"I!== 0\n", "line 1: 'I!==' is not base 64"),
        (b"IQ= 0\n", "line 1: 'IQ=' is not base 64"),
        (b"\xff\xfe 0\n", "line 1: .* is not base 64"),
        (b"==== 0\n", "is not base 64|has no token for the byte"),
        (b"IQ== 0\nIQ== 1\n", "line 2: the token '!' already has a rank"),
        (b"IQ== 0\nIg== 0\n", "line 2: the rank 0 belongs to the token '!'"),
        (b"IQ== 0\n", "has no token for the byte 0x00"),
        (b"\x00" * 100_000, "line 1: expected"),
    ],
)
def test_files_without_sense_are_refused(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.tiktoken"
    path.write_bytes(data)
    with pytest.raises(EncodingError, match=message) as caught:
        tiktoken_ranks.read(path, "gpt2")
    assert len(str(caught.value)) < 300 + len(str(path))


def test_a_file_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_gui.encodings.formats.untrusted_files.MAX_BYTES", 3 << 20)
    with pytest.raises(EncodingError, match="larger than 3 MB"):
        tiktoken_ranks.read("/dev/zero", "gpt2")


def test_a_vocabulary_without_end_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tiktoken_ranks, "MAX_TOKENS", 256)
    path = tmp_path / "x.tiktoken"
    path.write_bytes(lines({**BYTES, b"ab": 256}))
    with pytest.raises(EncodingError, match="more than 256 tokens"):
        tiktoken_ranks.read(path, "gpt2")


def test_lines_may_end_as_in_windows_and_the_last_need_not_end(tmp_path: Path) -> None:
    path = tmp_path / "x.tiktoken"
    path.write_bytes(lines(BYTES).replace(b"\n", b"\r\n").rstrip())
    assert tiktoken_ranks.read(path, "gpt2").encode("é").ids.tolist() == [0xC3, 0xA9]


@pytest.mark.parametrize(
    ("specials", "message"),
    [
        ({"": 300}, "cannot be empty"),
        ({"\ud800": 300}, "not valid Unicode"),
        ({"x": -1}, "not a number from 0"),
        ({"x": 2**31}, "not a number from 0"),
        ({"x": True}, "not a number from 0"),
        ({"x": 65}, "id 65, which x already has for 'A'"),
        ({"x": 300, "y": 300}, "id 300, which x already has for 'x'"),
        ({"<a>": 300, "<a>b": 301}, "begins with another"),
        ("cl100", "no special tokens named 'cl100'"),
    ],
)
def test_special_tokens_without_sense_are_refused(specials: object, message: str) -> None:
    with pytest.raises(EncodingError, match=message):
        tiktoken_ranks.from_ranks(BYTES, "gpt2", specials, name="x")


def test_special_tokens_are_those_of_the_encoding_that_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.tiktoken"
    path.write_bytes(lines(BYTES))
    assert tiktoken_ranks.read(path, "cl100k_base").special_tokens == {}
    named = tiktoken_ranks.read(path, "cl100k", "cl100k_base")
    assert named.encode("a<|endoftext|>").ids.tolist() == [97, 100257]
    assert named.vocabulary_size == 256 + 5
    assert named.decode([100257]) == "<|endoftext|>"
    assert named.merge(100257) is None
    with pytest.raises(EncodingError, match=r"x\.tiktoken .* 256"):
        named.decode([97, 256])


# -- split patterns --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "no split pattern named ''"),
        ("cl100k_bse", "no split pattern named 'cl100k_bse'"),
        ("(unclosed", "not a regular expression that the tiktoken library understands"),
        ("(" * 5000 + ")" * 5000, "not a regular expression|can match no characters"),
        (r"(?:\p{L}{1000}){1000}", "not a regular expression that"),
        ("a" * 20_000 + "+", "has|may have 10,000"),
        (r"\p{L}*|.", "can match no characters"),
    ],
)
def test_split_patterns_without_sense_are_refused(pattern: str, message: str) -> None:
    with pytest.raises(EncodingError, match=message):
        tiktoken_ranks.from_ranks(BYTES, pattern, name="x")


def test_a_pattern_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_gui.bpe.regexes.SECONDS_A_MATCH", 0.05)
    encoding = tiktoken_ranks.from_ranks(BYTES, r"(?:a|aa)+(?=c)|.", name="x")
    with pytest.raises(EncodingError, match=r"the split pattern '\(\?:a\|aa\).* takes too long"):
        encoding.encode("a" * 5000)
    assert encoding.words("a" * 5000) is None


def test_a_pattern_that_only_the_library_understands_has_no_words() -> None:
    encoding = tiktoken_ranks.from_ranks(BYTES, r"\O+", name="x")
    assert encoding.encode("xyz12").starts.tolist() == [0, 1, 2, 3, 4]
    assert encoding.words("xyz12") is None


def test_what_a_pattern_drops_is_covered_by_no_token() -> None:
    encoding = tiktoken_ranks.from_ranks({**BYTES, b"ab": 256}, r"[a-z]+|é", {"<s>": 300}, name="x")
    tokens = encoding.encode("-ab 日é,<s>- ab")
    assert tokens.ids.tolist() == [256, 0xC3, 0xA9, 300, 256]
    assert tokens.starts.tolist() == [1, 7, 8, 10, 15]
    assert tokens.ends.tolist() == [3, 8, 9, 13, 17]
    assert tokens.char_starts.tolist() == [1, 5, 5, 7, 12]
    assert encoding.words("-ab 日é,<s>- ab").tolist() == [1, 7, 10, 15]
    assert not len(encoding.encode("- -"))


def test_where_the_dialects_differ_nothing_is_guessed() -> None:
    # `$` matches before a newline at the end in one dialect only.
    encoding = tiktoken_ranks.from_ranks({**BYTES, b"aa": 256}, r"a(?=a$)|a+|\n", name="x")
    assert encoding.encode("aa\n").ids.tolist() == [256, 10]
    assert encoding.words("aa\n") is None
    assert encoding.words("aab\n").tolist() == [0, 3]
    dropping = tiktoken_ranks.from_ranks({**BYTES, b"aa": 256}, r"a(?=a$)|a+", name="x")
    with pytest.raises(EncodingError, match="drops some of this text"):
        dropping.encode("aa\n")


@pytest.mark.parametrize(
    ("split", "character"),
    [("gpt2", "é"), ("gpt2", " "), ("cl100k", "^"), ("o200k", "a"), ("o200k", " "), ("none", "\n")],
)
def test_a_word_of_a_million_characters(
    split: str, character: str, capfd: pytest.CaptureFixture[str]
) -> None:
    history = made_of(byte_recipe(split), [])
    a = history.base.texts.index(to_printable(character.encode()[:1]))
    history = made_of(byte_recipe(split), [(a, a, 256), (256, 256, 257)])
    text = character * 1_000_000 + "x"
    ours = Tokenizer(history).encode(text)
    encoding = saved(history)
    theirs = encoding.encode(text)
    batch = encoding.encode_batch(["x", text])
    assert batch[0] == encoding.encode("x").ids.tolist()
    assert np.array_equal(batch[1], theirs.ids)
    assert "panicked" not in capfd.readouterr().err
    # A list of a million numbers takes as long as to find them.
    for column in ("ids", "starts", "ends", "char_starts", "char_ends"):
        assert np.array_equal(getattr(theirs, column), getattr(ours, column)), column


# -- ranks of others -------------------------------------------------------------------------


def test_bytes_may_have_any_order_and_merges_any_gaps() -> None:
    shuffled = {bytes([byte]): (byte * 7) % 256 * 3 for byte in range(256)}
    ranks = {**shuffled, b"bc": 5000, b"abc": 900, b"ab": 100_000}
    encoding = tiktoken_ranks.from_ranks(ranks, r"[\s\S]+", name="x")
    library = tiktoken.Encoding(
        "x", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={}
    )
    for text in ("abcd", "abab", "bcabc", "cab"):
        assert encoding.encode(text).ids.tolist() == library.encode(text)
    a, b, c = (ranks[byte] for byte in (b"a", b"b", b"c"))
    assert encoding.merge(5000) == RankedMerge(1, b, c)
    assert encoding.merge(100_000) == RankedMerge(2, a, b)
    # No two parts make it when its turn comes: only a whole word can be it.
    assert encoding.merge(900) is None
    assert encoding.token_to_id(b"abc") == 900
    assert encoding.token_to_id(b"abcd") is None


def test_a_token_of_a_file_may_be_long_beyond_measure() -> None:
    ranks = {**BYTES, b"a" * 1_000_000: 256}
    encoding = tiktoken_ranks.from_ranks(ranks, "none", name="x")
    assert encoding.merge(256) is None
    assert encoding.encode("a" * 1_000_000).ids.tolist() == [256]


@needs_gpt2_ranks
def test_gpt2s_own_ranks_agree_with_their_recovered_merges() -> None:
    encoding = tiktoken_ranks.read(GPT2_RANKS, "gpt2")
    assert encoding.vocabulary_size == 50257
    assert encoding.merge(256) == RankedMerge(0, encoding.ranks[b" "], encoding.ranks[b"t"])
    merges = []
    for token in range(256, 50256):
        merge = encoding.merge(token)
        assert merge is not None
        assert merge.rank == token - 256
        merges.append((encoding.id_to_token(merge.left), encoding.id_to_token(merge.right)))
    vocabulary = {to_printable(token): rank for token, rank in encoding.ranks.items()}
    library = LibraryTokenizer(models.BPE(vocab=vocabulary, merges=merges))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    reference = tiktoken.Encoding(
        "gpt2",
        pat_str=SPLIT_PATTERNS["gpt2"],
        mergeable_ranks=encoding.ranks,
        special_tokens={"<|endoftext|>": 50256},
    )
    hello = "Hello, world! It's 2024:\n\n\tdéjà vu, 日本語 👍🏽  x<|endoftext|> naïve"
    for text in (hello, hello[::-1], "a" * 1000, "\x00\x7f \u2028\U0010ffff"):
        ids = encoding.encode(text).ids.tolist()
        assert ids == reference.encode(text, allowed_special="all")
        assert encoding.decode(ids) == text
        as_text = encoding.encode(text, specials_as_text=True).ids.tolist()
        assert as_text == library.encode(text).ids
    assert encoding.encode("Hello world").ids.tolist() == [15496, 995]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (lines(BYTES), True),
        (lines(BYTES)[:100], True),
        (b"IQ== 0", True),
        (b"IQ== 0\r\nIg== 1\r\n", True),
        (b"IQ== 0\n= 1\n", True),
        (b"", False),
        (b"minbpe v1\n", False),
        (b'{"a": 0}', False),
        (b"a b\nc d\n", False),
        (b"\x0a\x0e\x0a\x05<unk>", False),
    ],
)
def test_recognising(data: bytes, expected: bool) -> None:
    assert tiktoken_ranks.looks_like(data) is expected
