"""minbpe's .model against its algorithm, written down here as slowly as it is described."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, Alphabet
from bpe_gui.encodings.base import Encoding, EncodingError, ExportError, RankedMerge
from bpe_gui.encodings.formats import minbpe
from bpe_gui.encodings.formats.minbpe import MinbpeEncoding
from bpe_gui.encodings.formats.split_patterns import SPLIT_PATTERNS
from bpe_gui.encodings.ours import TrainedEncoding
from tests.encodings.runs import byte_recipe, byte_runs, spans, texts, train

SPECIALS = ("<|endoftext|>", "日本", "<a>", "<a>b", "'s")


class SlowMinbpe:
    """Encoding as minbpe documents it: the pair with the earliest merge, everywhere at once."""

    def __init__(
        self, pattern: str, specials: dict[str, int], merges: list[tuple[int, int]]
    ) -> None:
        self.pattern, self.specials = pattern, specials
        self.made = {pair: 256 + rank for rank, pair in enumerate(merges)}

    def encode(self, text: str) -> list[int]:
        if not self.pattern:
            return self.chunk(text)
        pieces = [text]
        if self.specials:
            pieces = regex.split("(" + "|".join(map(regex.escape, self.specials)) + ")", text)
        ids: list[int] = []
        for piece in pieces:
            if piece in self.specials:
                ids.append(self.specials[piece])
            else:
                for word in regex.findall(self.pattern, piece):
                    ids += self.chunk(word)
        return ids

    def chunk(self, word: str) -> list[int]:
        ids = list(word.encode())
        while pairs := {pair for pair in pairwise(ids) if pair in self.made}:
            earliest = min(pairs, key=self.made.__getitem__)
            merged: list[int] = []
            for token in ids:
                if merged and (merged[-1], token) == earliest:
                    merged[-1] = self.made[earliest]
                else:
                    merged.append(token)
            ids = merged
        return ids


merge_lists = st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 1 << 20)), max_size=30)


@given(
    numbers=merge_lists,
    pattern=st.sampled_from(
        ["", r" ?\p{L}+| ?[^\s\p{L}]+|\s+", r"\w+", r"(\w+|\s)", " ", r"\S+ ?", "x*", r"[\s\S]+"]
    ),
    specials=st.lists(st.sampled_from(["<a>", "<a>b", "b ", "日"]), unique=True),
    text=st.text(st.sampled_from("abc <>日\n"), max_size=40),
)
def test_texts_are_cut_by_minbpes_algorithm(
    numbers: list[tuple[int, int]], pattern: str, specials: list[str], text: str
) -> None:
    few = [*b"abc <>", *"日".encode()]
    merges: dict[tuple[int, int], None] = {}
    for left, right in numbers:
        known = [*few, *range(256, 256 + len(merges))]
        merges[known[left % len(known)], known[right % len(known)]] = None
    ids = {token: 500 + index for index, token in enumerate(specials)}
    columns = np.array(list(merges), np.int32).reshape(-1, 2)
    encoding = MinbpeEncoding("x", pattern, ids, *columns.T.copy(), compiled=False)
    slow = SlowMinbpe(pattern, ids, list(merges))
    tokens = encoding.encode(text)
    assert tokens.ids.tolist() == slow.encode(text)
    data = text.encode()
    for token, start, end in zip(tokens.ids, tokens.starts, tokens.ends, strict=True):
        assert encoding.token_bytes(int(token)) == data[start:end]
    as_text = encoding.encode(text, specials_as_text=True)
    assert as_text.ids.tolist() == SlowMinbpe(pattern, {}, list(merges)).encode(text)


@given(data=st.data())
def test_what_is_written_cuts_texts_as_we_do(data: st.DataObject) -> None:
    history = data.draw(byte_runs(tuple(SPLIT_PATTERNS), SPECIALS))
    position = data.draw(st.integers(0, len(history)))
    text = data.draw(texts) + "".join(data.draw(st.lists(st.sampled_from(SPECIALS), max_size=3)))
    text += data.draw(texts) + data.draw(st.text(max_size=5))  # our own tables, so any character
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.model"
        minbpe.write(history, path, position)
        encoding = minbpe.read(path, compiled=False)
    ours = TrainedEncoding(history, position)
    new_ids = minbpe.new_ids(history, position)
    for as_text in (False, True):
        expected = ours.encode(text, specials_as_text=as_text)
        found = encoding.encode(text, specials_as_text=as_text)
        assert found.ids.tolist() == new_ids[expected.ids].tolist()
        assert spans(found) == spans(expected)
        words = encoding.words(text, specials_as_text=as_text)
        assert words is not None
        assert words.tolist() == ours.words(text, specials_as_text=as_text).tolist()
        if history.recipe.split != "whitespace":
            assert encoding.decode(found.ids.tolist()) == text


@given(byte_runs(("gpt2", "none"), SPECIALS))
def test_tokens_and_merges_are_ours_under_other_ids(history: History) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.model"
        minbpe.write(history, path)
        theirs = minbpe.read(path, compiled=False)
    ours = TrainedEncoding(history)
    new_ids = minbpe.new_ids(history, len(history)).tolist()
    assert sorted(new_ids) == list(range(ours.vocabulary_size))
    assert theirs.vocabulary_size == ours.vocabulary_size
    for token, new in enumerate(new_ids):
        assert theirs.token_bytes(new) == ours.token_bytes(token)
        assert theirs.id_to_token(new) == ours.id_to_token(token)
        assert theirs.is_special(new) == ours.is_special(token)
        merge = ours.merge(token)
        expected = merge and RankedMerge(merge.rank, new_ids[merge.left], new_ids[merge.right])
        assert theirs.merge(new) == expected
        if not ours.is_special(token):
            assert theirs.token_to_id(ours.token_bytes(token)) == new
    assert theirs.token_to_id(b"<|endoftext|>") is None


def test_the_file_is_minbpes(tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    minbpe.write(train(byte_recipe("none"), ["abab"]), path)
    assert path.read_text() == "minbpe v1\n\n0\n97 98\n256 256\n"
    minbpe.write(train(byte_recipe("none", ("<s>", "<s>t")), ["abab"], 1), path)
    assert path.read_text() == "minbpe v1\n[\\s\\S]+\n2\n<s>t 258\n<s> 257\n97 98\n"


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (PRESETS["raw"], "tokens made of bytes"),
        (byte_recipe("bert"), "pre-tokenization 'bert' is not one"),
        (byte_recipe("gpt2", normalizers=("nfd",)), "a normalizer"),
        (byte_recipe("gpt2").with_changes(alphabet=Alphabet.OBSERVED), "has only the 3 of"),
        (byte_recipe("gpt2", ("ab",)), "'ab' is both"),
        (byte_recipe("gpt2", ("<a b>",)), "'<a b>', because it has white space"),
        (byte_recipe("gpt2", ("x\n",)), "because it has white space"),
        (byte_recipe("gpt2", ("\u3000",)), "because it has white space"),
    ],
)
def test_recipes_that_minbpe_cannot_hold_are_refused(
    recipe: object, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.model"
    path.write_text("what was there")
    with pytest.raises(ExportError, match=message):
        minbpe.write(train(recipe, ["ab ab ab"]), path)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]


# -- reading ---------------------------------------------------------------------------------


def read(folder: Path, data: str | bytes) -> MinbpeEncoding:
    path = folder / "x.model"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return minbpe.read(path, compiled=False)


def test_white_space_belongs_to_the_pattern_and_to_special_tokens(tmp_path: Path) -> None:
    encoding = read(tmp_path, "minbpe v1\n \\w+ \n1\n<a b> 300\n32 97\n97 32\n")
    assert encoding.pattern == " \\w+ "
    tokens = encoding.encode(" a <a b>x a ")
    assert tokens.ids.tolist() == [256, 32, 300, 256, 32]
    assert tokens.starts.tolist() == [0, 2, 3, 9, 11]


def test_lines_may_end_as_in_windows_and_the_last_need_not_end(tmp_path: Path) -> None:
    encoding = read(tmp_path, "minbpe v1\r\n\r\n0\r\n97 98\r\n256 256")
    assert encoding.encode("ababab").ids.tolist() == [257, 256]
    assert not len(encoding.encode(""))


def test_an_encoding_is_all_that_the_protocol_asks_for(tmp_path: Path) -> None:
    encoding = read(tmp_path, "minbpe v1\n\n0\n")
    for member in (name for name in dir(Encoding) if not name.startswith("_")):
        assert hasattr(encoding, member)
    assert encoding.name == "x.model"
    assert encoding.encode("é").ids.tolist() == [0xC3, 0xA9]
    assert encoding.words("é a").tolist() == [0]
    assert encoding.normalized("é ") == "é "
    assert encoding.is_unknown(-1)
    assert not encoding.is_fallback_byte(0)
    assert encoding.merge(65) is None
    for ask in (encoding.token_bytes, encoding.id_to_token, encoding.merge):
        with pytest.raises(EncodingError, match=r"x\.model has no token with the id 256"):
            ask(256)
    with pytest.raises(UnicodeEncodeError):
        encoding.encode("a\ud800")


DOUBLING = "97 97\n" + "".join(f"{token} {token}\n" for token in range(256, 400))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "not a .model of minbpe: its first line is ''"),
        ("minbpe v2\n\n0\n", "its first line is 'minbpe v2'"),
        ("minbpe v1", "the third line should be the number"),
        ("minbpe v1\n\n", "the third line should be the number"),
        ("minbpe v1\na|\nb\n0\n", "the third line should be the number"),
        ("minbpe v1\n\n-1\n", "the third line should be the number"),
        ("minbpe v1\n\n2\n<a> 300\n", "ends before the last of its 2 special tokens"),
        ("minbpe v1\n\n2000000000\n", "ends before the last of its 2,000,000,000"),
        ("minbpe v1\n\n1\n<a>\n", "line 4: expected a special token and its id"),
        ("minbpe v1\n\n1\n300\n", "line 4: expected a special token"),
        ("minbpe v1\n\n1\n<a> 2147483648\n", "line 4: expected"),
        ("minbpe v1\n\n1\n<a> 65\n", "line 4: .* the id 65, which belongs to a byte"),
        ("minbpe v1\n\n1\n<a> 256\n97 98\n", "line 4: .* the id 256, which belongs"),
        ("minbpe v1\n\n2\n<a> 300\n<a> 301\n", "line 5: the special token '<a>' already has"),
        ("minbpe v1\n\n2\n<a> 300\n<b> 300\n", "line 5: the id 300 belongs to"),
        ("minbpe v1\n\n0\n97\n", "line 4: expected the two ids of a merge"),
        ("minbpe v1\n\n0\n97 98 99\n", "line 4: expected"),
        ("minbpe v1\n\n0\n97 98\n\n97 99\n", "line 5: expected"),
        ("minbpe v1\n\n0\n97 -1\n", "line 4: expected"),
        ("minbpe v1\n\n0\n97 " + "9" * 5000, "line 4: expected"),
        ("minbpe v1\n\n0\n97 256\n", "line 4 merges the token 256, which does not exist yet"),
        ("minbpe v1\n\n0\n257 97\n256 98\n", "line 4 merges the token 257, which does not exist"),
        ("minbpe v1\n\n0\n97 98\n97 98\n", "line 5 merges the same pair as line 4"),
        ("minbpe v1\n\n0\n" + DOUBLING, "more than 512 MB together"),
        ("minbpe v1\n(\n0\n", r"the split pattern '\(' is not a regular expression"),
        ("minbpe v1\n(a)(b)\n0\n", "has 2 groups"),
        ("minbpe v1\n(?R)|a\n0\n", "calls itself"),
        ("minbpe v1\n" + "(" * 5000 + ")" * 5000 + "\n0\n", "nested too deeply"),
        ("minbpe v1\n" + "a" * 20_000 + "\n0\n", "may have 10,000"),
        (b"minbpe v1\n\xff\n0\n", "is not UTF-8 text"),
    ],
)
def test_files_without_sense_are_refused(
    data: str | bytes, message: str, tmp_path: Path
) -> None:
    with pytest.raises(EncodingError, match=message) as caught:
        read(tmp_path, data)
    assert len(str(caught.value)) < 300 + len(str(tmp_path))


def test_a_pattern_that_never_ends_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("bpe_gui.bpe.regexes.SECONDS_A_MATCH", 0.05)
    encoding = read(tmp_path, "minbpe v1\n(?:a|aa)+c|.\n0\n")
    with pytest.raises(EncodingError, match="takes too long for this text"):
        encoding.encode("a" * 5000)
    assert encoding.words("a" * 5000) is None


def test_a_word_of_a_million_characters() -> None:
    left = np.array([97, 256], np.int32)
    encoding = MinbpeEncoding("x", "", {}, left, left)
    tokens = encoding.encode("a" * 1_000_000 + "é")
    assert len(tokens) == 250_000 + 2
    assert set(tokens.ids[:-2].tolist()) == {257}
    assert tokens.starts[-1] == 1_000_001


def test_recognising() -> None:
    assert minbpe.looks_like(b"minbpe v1\n\n0\n")
    assert minbpe.looks_like(b"minbpe v1\r\n")
    for data in (b"", b"minbpe", b"minbpe v10\n", b"#version: 0.2\n", b"\x0a\x0e"):
        assert not minbpe.looks_like(data)
