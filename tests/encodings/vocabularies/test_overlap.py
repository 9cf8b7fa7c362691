"""Overlaps are those of sets that are computed from the libraries' own vocabularies."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.formats import huggingface_export, tiktoken_ranks
from bpe_gui.encodings.formats.tiktoken_ranks import from_ranks
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.overlap import (
    NO_SCRIPT,
    Shares,
    jaccard_matrix,
    needed,
    overlap,
)
from bpe_gui.encodings.vocabularies.vocabulary import Vocabulary, count_uses, vocabulary_of
from tests.encodings.runs import train
from tests.encodings.vocabularies.test_vocabulary import (
    CORPUS,
    sentences,
    sentences_model,
    wordpiece,
    wordpiece_library,
)

BYTES = {bytes([byte]): byte for byte in range(256)}
words = st.lists(st.sampled_from([*"ab cé漢", "ab", " a", "漢é", "cab", " 1"]), max_size=4)


def of_words(texts: list[str]) -> Vocabulary:
    extra = dict.fromkeys(text.encode() for text in texts if len(text.encode()) > 1)
    ranks = BYTES | {word: 256 + rank for rank, word in enumerate(extra)}
    return vocabulary_of(from_ranks(ranks, r"[\s\S]+", {"<end>": 10_000}, name="ranks"))


def of_tiktoken(ranks: dict[bytes, int]) -> set[bytes]:
    library = tiktoken.Encoding("ranks", pat_str=".", mergeable_ranks=ranks, special_tokens={})
    return set(library.token_byte_values())


def of_wordpiece() -> set[bytes]:
    texts = wordpiece_library().get_vocab(with_added_tokens=False)
    return {t.removeprefix("##").encode() for t in texts if t not in ("[UNK]", "[CLS]")}


def of_sentences() -> set[bytes]:
    library = sentencepiece.SentencePieceProcessor(model_proto=sentences_model())
    found = set()
    for token in range(library.get_piece_size()):
        piece = library.id_to_piece(token)
        if library.is_byte(token):
            found.add(bytes([int(piece[3:5], 16)]))
        elif not (library.is_control(token) or library.is_unknown(token)):
            found.add(piece.replace("▁", " ").encode())
    return found


def test_it_is_that_of_the_libraries_vocabularies() -> None:
    ranks = BYTES | {b"lo": 256, b"low": 257, b" low": 258, b"the": 259}
    encodings = [from_ranks(ranks, "gpt2", {"<end>": 300}, name="ranks"), wordpiece(), sentences()]
    vocabularies = list(map(vocabulary_of, encodings))
    sets = [of_tiktoken(ranks), of_wordpiece(), of_sentences()]
    matrix = jaccard_matrix(vocabularies)
    for i, one in enumerate(vocabularies):
        for j, other in enumerate(vocabularies):
            found = overlap(one, other)
            contents = {one.contents[row] for row in found.both[:, 0]}
            assert contents == sets[i] & sets[j]
            assert {one.contents[row] for row in found.only_one} == sets[i] - sets[j]
            assert {other.contents[row] for row in found.only_other} == sets[j] - sets[i]
            expected = len(sets[i] & sets[j]) / len(sets[i] | sets[j])
            assert found.shares.jaccard == matrix[i, j] == pytest.approx(expected)
            back, again = found.swapped(), overlap(other, one)
            assert back.ids().tolist() == again.ids().tolist()
            assert back.shares == again.shares
            assert back.only_one.tolist() == again.only_one.tolist()
            for mine, theirs in found.ids().tolist():
                content = one.encoding.token_bytes(mine)
                assert one.encoding.token_to_id(content) == mine
                assert other.encoding.token_to_id(content) == theirs


def test_writing_does_not_matter(tmp_path: Path) -> None:
    """The same run as Ġ in a tokenizer.json and in base 64."""
    history = train(preset("gpt2"), CORPUS, 30)
    paths = [tmp_path / "x.json", tmp_path / "x.tiktoken"]
    huggingface_export.write(history, paths[0])
    tiktoken_ranks.write(history, paths[1])
    found = [open_encoding(paths[0]), open_encoding(f"{paths[1]}@gpt2"), TrainedEncoding(history)]
    assert any("Ġ" in found[0].id_to_token(token) for token in found[0].ids)
    assert jaccard_matrix(list(map(vocabulary_of, found))).tolist() == np.ones((3, 3)).tolist()


@given(words, words, words)
def test_shares_are_those_of_sets(a: list[str], b: list[str], text: list[str]) -> None:
    one, other = of_words(a), of_words(b)
    found = overlap(one, other)
    ours, theirs = set(one.contents[:-1]), set(other.contents[:-1])
    both = len(ours & theirs)
    assert found.shares == Shares(both, len(ours) - both, len(theirs) - both)
    lengths = found.by_length()
    assert sum(shares.both for shares in lengths.values()) == both
    for length, shares in lengths.items():
        assert shares.only_one == sum(len(token) == length for token in ours - theirs)
    scripts = found.by_script()
    assert scripts[NO_SCRIPT].both >= 100
    has_han = sum("漢".encode() in token for token in theirs - ours)
    assert scripts.get("Han", Shares(0, 0, 0)).only_other == has_han
    whole = "".join(text)
    uses, other_uses = count_uses(one, [whole]), count_uses(other, [whole])
    counts, other_counts = (
        Counter(v.encoding.token_bytes(t) for t in v.encoding.encode(whole).ids.tolist())
        for v in (one, other)
    )
    if whole:
        shared = sum(n for token, n in counts.items() if token in theirs)
        assert found.used_share(uses) == pytest.approx(shared / counts.total())
        pairs = [
            (
                Fraction(counts[token], counts.total()),
                Fraction(other_counts[token], other_counts.total()),
            )
            for token in counts.keys() | other_counts.keys()
        ]
        expected = sum(map(min, pairs)) / sum(map(max, pairs))
        # Exactly: each time and from either side the same.
        assert found.weighted_jaccard(uses, other_uses) == float(expected)


@given(words, words, words)
def test_what_is_needed_covers_the_other(a: list[str], b: list[str], text: list[str]) -> None:
    one, other = of_words(a), of_words(b)
    uses = count_uses(one, ["".join(text)])
    found = needed(overlap(one, other), uses)
    contents = [one.contents[row] for row in found.rows.tolist()]
    assert set(contents) == set(one.contents[:-1]) - set(other.contents[:-1])
    assert found.uses.tolist() == sorted(found.uses.tolist(), reverse=True)
    for content, parts in zip(contents, found.parts, strict=True):
        assert other.encoding.decode_bytes(parts) == content
    written = sum(n * len(p) for n, p in zip(found.uses.tolist(), found.parts, strict=True))
    assert found.written == (sum(found.uses.tolist()), written)
    assert found.merges is not None
    assert len(contents) <= found.merges <= sum(len(parts) - 1 for parts in found.parts)
