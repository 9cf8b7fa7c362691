"""The metrics against their definitions, written down with plain loops."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.metrics import Counts, Metrics, histogram, metrics_of, renyi_efficiency
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.tokenizer import ByteTokens, Tokenizer
from tests.bpe.test_trainer import corpora, recipes, texts, trained

CORE = regex.compile(r"[\p{L}\p{M}\p{N}]")
UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Yi}\p{Tangut}\p{Nushu}\p{Khitan_Small_Script}"
    r"\p{Tibetan}\p{Balinese}\p{Javanese}\p{Line_Break=SA}]"
)

Token = tuple[int, int, int]
"""An id, and the bytes from which to which it reaches."""


def words_of(text: str, offset: int) -> list[tuple[int, int, str]]:
    """The words between white space, with the bytes where they begin and end."""
    words = []
    done = 0
    for word in text.split():
        at = text.index(word, done)
        done = at + len(word)
        begin = offset + len(text[:at].encode())
        words.append((begin, begin + len(word.encode()), word))
    return words


def naive_metrics(
    documents: Sequence[str], tokens: Sequence[Token], size: int, unknown: set[int]
) -> Metrics:
    """Every number as it is defined."""
    offsets = [0, *ends_of(documents).tolist()]
    words = []
    for document, offset in zip(documents, offsets, strict=False):
        words += words_of(document, offset)

    def touches(token: Token, begin: int, end: int) -> bool:
        _, start, stop = token
        if start == stop:
            return begin < start <= end or start == begin in offsets
        return start < end and stop > begin

    word_tokens = 0
    for token in tokens:
        first = next((word for word in words if touches(token, *word[:2])), None)
        word_tokens += first is not None and not UNSPACED.search(first[2])
    spaced = [word for word in words if not UNSPACED.search(word[2])]
    whole = 0
    for begin, _, word in spaced:
        places = [index for index, character in enumerate(word) if CORE.match(character)]
        places = places or list(range(len(word)))
        core = begin + len(word[: places[0]].encode()), begin + len(word[: places[-1] + 1].encode())
        touching = [t for t in tokens if t[1] < t[2] and touches(t, *core)]
        whole += len(touching) == 1 and touching[0][0] not in unknown | {NO_TOKEN}
    ids = Counter(token[0] for token in tokens if token[0] != NO_TOKEN)
    efficiency = None
    if ids and size > 1:
        total = sum((count / ids.total()) ** 2.5 for count in ids.values())
        efficiency = math.log(total) / (1 - 2.5) / math.log(size)
    return Metrics(
        tokens=len(tokens),
        characters=sum(map(len, documents)),
        bytes=sum(len(document.encode()) for document in documents),
        words=len(spaced),
        unspaced_words=len(words) - len(spaced),
        word_tokens=word_tokens,
        whole_words=whole,
        unknowns=sum(token[0] in unknown | {NO_TOKEN} for token in tokens),
        vocabulary_used=len(ids),
        vocabulary_size=size,
        renyi_efficiency=efficiency,
    )


def assert_same(found: Metrics, expected: Metrics) -> None:
    """Equal, and the one float nearly so."""
    for name in Metrics.__struct_fields__:
        value = getattr(expected, name)
        if isinstance(value, float):
            value = pytest.approx(value, abs=1e-9)
        assert getattr(found, name) == value, name


def columns(tokens: Sequence[Token]) -> ByteTokens:
    ids, starts, ends = zip(*tokens, strict=True) if tokens else ((), (), ())
    return ByteTokens(np.array(ids, np.int32), np.array(starts, np.int64), np.array(ends, np.int64))


def ends_of(documents: Sequence[str]) -> np.ndarray:
    return np.cumsum([len(document.encode()) for document in documents], dtype=np.int64)


WORDY = st.text(alphabet=st.sampled_from("ab cd,.'\n\té́中กカ😀\u3000-"), max_size=25)


@st.composite
def cut_documents(draw: st.DrawFn) -> tuple[list[str], list[Token]]:
    """Documents, and tokens of any kind: with gaps, of no length, across white space."""
    documents = draw(st.lists(WORDY | texts, max_size=4))
    tokens: list[Token] = []
    offset = 0
    for document in documents:
        size = len(document.encode())
        inner = draw(st.sets(st.integers(0, size), max_size=12)) | {0, size}
        for begin, end in pairwise(sorted(inner)):
            kind = draw(st.sampled_from(["token"] * 5 + ["gap", "marked"]))
            if kind != "gap":
                ids = st.integers(-1, 6)
                tokens.append((draw(ids), offset + begin, offset + end))
                if kind == "marked" and end < size:
                    tokens.append((draw(ids), offset + end, offset + end))
        offset += size
    return documents, tokens


@given(cut=cut_documents(), unknown=st.sets(st.integers(0, 6), max_size=2), compiled=st.booleans())
def test_every_number_is_what_it_is_said_to_be(
    cut: tuple[list[str], list[Token]], unknown: set[int], compiled: bool
) -> None:
    documents, tokens = cut
    counts = Counts()
    text = "".join(documents).encode()
    of_text = dict.fromkeys(unknown, b"spelled nowhere")
    counts.add(text, ends_of(documents), columns(tokens), of_text, compiled=compiled)
    assert_same(counts.metrics(7), naive_metrics(documents, tokens, 7, unknown))


@given(corpus=corpora, recipe=recipes(), text=texts | WORDY, data=st.data())
def test_the_metrics_of_an_encoding(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, data: st.DataObject
) -> None:
    history = trained(corpus, recipe).history
    position = data.draw(st.integers(0, len(history)))
    tokens = Tokenizer(history, position).encode(text)
    size = history.vocabulary_size(position)
    unknown = set(recipe.unknown_ids)
    rows = list(
        zip(tokens.ids.tolist(), tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    )
    expected = naive_metrics([text], rows, size, unknown)
    of_text = dict.fromkeys(unknown, b"spelled nowhere")
    assert_same(metrics_of(text, tokens, size, of_text), expected)


@pytest.mark.parametrize("compiled", [False, True])
def test_an_unknown_token_that_the_text_spells_out_is_known(compiled: bool) -> None:
    tokens = columns([(0, 0, 5), (0, 6, 9), (1, 10, 13), (0, 14, 19)])
    found = metrics_of("[UNK] \u2e28 the [UNK]", tokens, 2, {0: b"[UNK]"}, compiled=compiled)
    assert (found.tokens, found.unknowns) == (4, 1)
    assert (found.words, found.whole_words) == (4, 3)
    counts = Counts()
    for _ in range(2):
        more = Counts()
        more.add(b"[UNK]", np.array([5]), columns([(0, 0, 5)]), {0: b"[UNK]"}, times=2)
        counts.merge(more)
    assert (counts.metrics(2).unknowns, counts.metrics(2).tokens) == (0, 4)


@given(documents=st.lists(WORDY | texts, max_size=6), data=st.data())
def test_counts_add_up(documents: list[str], data: st.DataObject) -> None:
    recipe = preset("gpt2").with_changes(vocabulary_size=262)
    history = trained([("abba 'st ab ab", 3)], recipe).history
    tokenizer = Tokenizer(history)

    def counted(some: list[str]) -> Counts:
        counts = Counts()
        text = "".join(some).encode()
        first, tokens = tokenizer.encode_documents(text, ends_of(some))
        counts.add(text, ends_of(some), tokens, first_tokens=first)
        return counts

    cuts = sorted(data.draw(st.lists(st.integers(0, len(documents)), max_size=3)))
    parts = [
        counted(documents[begin:end])
        for begin, end in pairwise([0, *cuts, len(documents)])
        if documents[begin:end]
    ]
    added = Counts()
    for part in data.draw(st.permutations(parts)):
        added.merge(part)
    whole = Counts() if not documents else counted(documents)
    assert added.metrics(262) == whole.metrics(262)


def test_a_document_counts_as_often_as_it_occurs() -> None:
    tokens = columns([(1, 0, 3), (2, 3, 4)])
    counts = Counts()
    counts.add(b"low,", np.array([4]), tokens, times=5)
    metrics = counts.metrics(10)
    assert (metrics.tokens, metrics.bytes, metrics.words, metrics.whole_words) == (10, 20, 5, 5)


@given(
    st.lists(st.tuples(st.integers(-1, 9) | st.just(1 << 22), st.integers(1, 1 << 59)), max_size=9)
)
def test_a_histogram_counts_each_id(pairs: list[tuple[int, int]]) -> None:
    expected: Counter[int] = Counter()
    for token, times in pairs:
        expected[token] += times
    ids = np.array([token for token, _ in pairs], np.int32)
    weighted = histogram(ids, np.array([times for _, times in pairs], np.int64))
    assert dict(zip(*(column.tolist() for column in weighted), strict=True)) == expected
    plain = histogram(ids)
    assert dict(zip(*(column.tolist() for column in plain), strict=True)) == Counter(ids.tolist())


def test_many_small_histograms_add_up() -> None:
    counts = Counts()
    for index in range(3000):
        counts.add_ids(np.arange(index, index + 200), np.ones(200, np.int64))
    ids, found = counts.histogram()
    assert ids.tolist() == list(range(3199))
    assert found[:2].tolist() == [1, 2]
    assert found.max() == 200


def metrics_by_hand(text: str, *tokens: str, size: int = 1000) -> Metrics:
    """Tokens that stand one after another, numbered as they come."""
    ids = {token: index for index, token in enumerate(dict.fromkeys(tokens))}
    ends = np.cumsum([len(token.encode()) for token in tokens]).tolist()
    rows = [
        (ids[token], end - len(token.encode()), end)
        for token, end in zip(tokens, ends, strict=True)
    ]
    counts = Counts()
    counts.add(text.encode(), np.array([len(text.encode())]), columns(rows))
    return counts.metrics(size)


def test_a_sentence_by_hand() -> None:
    cut = ["The", " newest", " wid", "get", ",", " again", " ->", " \n"]
    metrics = metrics_by_hand("The newest widget, again -> \n", *cut)
    assert metrics.words == 5
    assert metrics.whole_words == 4  # a comma does not count against a word, a cut does
    assert metrics.word_tokens == 7  # not the white space at the end
    assert metrics.tokens_per_word == pytest.approx(7 / 5)
    assert metrics.whole_share == pytest.approx(4 / 5)
    assert metrics.characters_per_token == pytest.approx(29 / 8)
    assert metrics.used_share == pytest.approx(8 / 1000)


def test_what_an_encoding_drops_does_not_cut_a_word() -> None:
    counts = Counts()
    tokens = columns([(1, 0, 3), (2, 3, 3)])  # the second marks an end, the rest is dropped
    counts.add(b"lowest", np.array([6]), tokens)
    assert counts.metrics(9).whole_words == 1
    assert counts.metrics(9).word_tokens == 2


def test_scripts_without_spaces_have_no_words() -> None:
    metrics = metrics_by_hand("これは本です", "これ", "は", "本", "です")
    assert (metrics.words, metrics.unspaced_words) == (0, 1)
    assert metrics.tokens_per_word is None
    assert metrics.whole_share is None
    assert metrics.characters_per_token == 1.5


def test_nothing_gives_none_and_not_nan() -> None:
    empty = Counts().metrics(0)
    assert empty.tokens == 0
    assert empty.bytes_per_token is None
    assert empty.characters_per_token is None
    assert empty.tokens_per_word is None
    assert empty.whole_share is None
    assert empty.used_share is None
    assert empty.renyi_efficiency is None
    assert empty.parity(empty) is None


def test_parity() -> None:
    english = metrics_by_hand("water", "water")
    german = metrics_by_hand("Wasser", "Wa", "ss", "er")
    assert german.parity(english) == 3
    assert english.parity(german) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("counts", "size", "expected"),
    [
        ([7], 4, 0.0),  # a single kind of token
        ([7], 1, None),  # and no other
        ([], 4, None),
        ([2, 2, 2, 2], 4, 1.0),
        ([1, 1], 4, 0.5),
    ],
)
def test_renyi_efficiency(counts: list[int], size: int, expected: float | None) -> None:
    found = renyi_efficiency(np.array(counts, np.int64), size)
    assert found == (None if expected is None else pytest.approx(expected))
    assert str(found) != "-0.0"
