"""Suspicious tokens are what brute force finds, and say why."""

from __future__ import annotations

from itertools import chain, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

from bpe_gui.analysis.token_life import is_residue, residues
from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.tiktoken_ranks import from_ranks
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.suspicious import (
    Detour,
    Reason,
    may_be_in_text,
    suspicious,
    times_made,
)
from bpe_gui.encodings.vocabularies.vocabulary import count_uses, vocabulary_of
from tests.encodings.runs import GPT2_RANKS, needs_gpt2_ranks, train
from tests.encodings.vocabularies.test_vocabulary import CORPUS, ENCODINGS

ranks = st.lists(st.text("abc", min_size=2, max_size=4), unique=True, max_size=12)


LENGTHS = range(1, 6)


@given(ranks)
def test_unreachable_tokens_are_in_no_text(words: list[str]) -> None:
    """Ranks in any order, so that many tokens are overtaken by others."""
    table = {bytes([byte]): byte for byte in range(256)}
    table |= {word.encode(): 256 + rank for rank, word in enumerate(words)}
    vocabulary = vocabulary_of(from_ranks(table, r".+|\n", {}, name="ranks"))
    lines = "\n".join(map("".join, chain.from_iterable(product("abc", repeat=n) for n in LENGTHS)))
    reached = set(vocabulary.encoding.encode(lines).ids.tolist())
    found = suspicious(vocabulary)
    for row, token in enumerate(vocabulary.ids.tolist()):
        if token >= 256:
            assert bool(found.masks[Reason.UNREACHABLE][row]) == (token not in reached)


@pytest.mark.parametrize("name", ENCODINGS)
def test_what_is_reached_by_a_text_is_not_unreachable(name: str) -> None:
    vocabulary = vocabulary_of(ENCODINGS[name]())
    found = suspicious(vocabulary)
    texts = [*CORPUS, *CORPUS[0].split(), "lowlow lowestest thethe"]
    used = count_uses(vocabulary, texts)
    assert not (found.masks[Reason.UNREACHABLE] & (used > 0) & ~vocabulary.special).any()


def test_of_unigram_other_tokens_are_more_probable() -> None:
    scores = [("[UNK]", -9.0), ("a", -1.0), ("b", -1.0), ("ab", -5.0)]
    library = Tokenizer(models.Unigram(scores, unk_id=0))
    vocabulary = vocabulary_of(HuggingFaceEncoding(library, "unigram"))
    found, row = suspicious(vocabulary), vocabulary.contents.index(b"ab")
    said = found.sentence(row, Reason.UNREACHABLE)
    assert said.startswith("Its own text becomes")
    assert said.endswith(": other tokens are more probable")


def test_the_text_of_a_token_may_be_dropped() -> None:
    library = Tokenizer(models.BPE({"a": 0, ",": 1}, []))
    library.pre_tokenizer = pre_tokenizers.Split(",", "removed")
    vocabulary = vocabulary_of(HuggingFaceEncoding(library, "dropping"))
    said = suspicious(vocabulary).sentence(1, Reason.UNREACHABLE)
    assert said == "Its own text becomes nothing: the encoding drops it"


def test_the_path_says_what_happens_instead() -> None:
    table = {bytes([byte]): byte for byte in range(256)}
    words = [b"lo", b"ow", b"low", b"a b", b"12", b"x\xff"]
    table |= {word: 300 + rank for rank, word in enumerate(words)}
    del table[b"low"]
    table[b"owl"] = 400  # "lo" is merged first, if an l is before it: never within "owl"
    table[b"wlo"] = 401  # w + lo, as it should
    table[b"olo"] = 299  # its parts are merged after it: o, lo
    vocabulary = vocabulary_of(from_ranks(table, r"[a-z0-9]+|\s", {}, name="ranks"))
    found = suspicious(vocabulary)

    def path(content: bytes) -> tuple[list[bytes], Detour]:
        path = found.paths[vocabulary.contents.index(content)]
        return [vocabulary.encoding.token_bytes(token) for token in path.ids], path.detour

    assert path(b"a b") == ([b"a", b" ", b"b"], Detour.SPLIT)
    assert path(b"x\xff") == ([], Detour.NO_TEXT)
    assert vocabulary.contents.index(b"owl") not in found.paths
    row = vocabulary.contents.index(b"a b")
    assert found.sentence(row, Reason.UNREACHABLE) == (
        "Its own text becomes “a” “␣” “b”: its text is split first"
    )
    assert found.reasons(row) == [Reason.UNREACHABLE, Reason.WHITE_SPACE]
    for row in found.rows().tolist():
        assert all(found.sentence(row, reason) for reason in found.reasons(row))


@pytest.mark.parametrize("splits", [True, False])
@pytest.mark.parametrize("is_special", [True, False])
def test_an_added_token_within_a_text_is_named(*, splits: bool, is_special: bool) -> None:
    """Of a special one the name is read as text, as that of any other token."""
    spelled = ["a", "b", "c", " ", "<", ">", "<b", "<b>", "a<b>"]
    vocab = {text: token for token, text in enumerate([*spelled, "b ", "b c"])}
    merges = [("<", "b"), ("<b", ">"), ("a", "<b>"), ("b", " "), ("b ", "c")]
    made = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    if splits:
        made.pre_tokenizer = pre_tokenizers.Split(" ", "isolated")
    made.add_tokens([AddedToken("<b>", special=is_special)])
    vocabulary = vocabulary_of(HuggingFaceEncoding(made, "added.json"))
    found = suspicious(vocabulary)
    said = {
        vocabulary.contents[row]: found.sentence(row, Reason.UNREACHABLE) for row in found.paths
    }
    assert (b"a<b>" in said) == (not is_special)
    assert (b"b c" in said) == splits
    if not is_special:
        assert said[b"a<b>"] == (
            "Its own text becomes “a” “<b>”: the added token “<b>” is found before any merge"
        )
    if splits:
        assert said[b"b c"] == "Its own text becomes “b” “␣” “c”: its text is split first"


WITH_SPACES = [b" of the", b"of the", b"a b", b"x\ty", b"a\xc2\xa0b", b"  ", b" \n", b"the "]


@pytest.mark.parametrize(
    ("pattern", "others", "odd"),
    [
        (r" ?\p{L}+|\s+", 0, [b" of the", b"of the", b"a b", b"x\ty", b"a\xc2\xa0b", b"the "]),
        (r"[\p{L} \t\xa0]+|\s+", 0, [b"a\xc2\xa0b", b"the "]),
        (r"[\p{L} \t\xa0]+|\s+", 3, [b"a\xc2\xa0b"]),
    ],
)  # fmt: skip
def test_spaces_are_odd_where_the_encoding_splits_text_at_them(
    pattern: str, others: int, odd: list[bytes]
) -> None:
    """Tokens that end in a space are odd where fewer than one of a hundred is such."""
    words = [*WITH_SPACES, *(b"%c " % (b"b"[0] + at) for at in range(others))]
    table = {bytes([byte]): byte for byte in range(256)}
    table |= {word: 256 + at for at, word in enumerate(words)}
    vocabulary = vocabulary_of(from_ranks(table, pattern, {}, name="ranks"))
    found = suspicious(vocabulary)
    rows = np.flatnonzero(found.masks[Reason.WHITE_SPACE]).tolist()
    assert [vocabulary.contents[row] for row in rows] == odd
    assert all(found.sentence(row, Reason.WHITE_SPACE) for row in rows)


@given(st.binary(min_size=1, max_size=3))
def test_bytes_that_no_text_has(content: bytes) -> None:
    assert may_be_in_text(content) == _is_within_some_text(content)


def _is_within_some_text(content: bytes) -> bool:
    within = [0x80, 0x90, 0xA0, 0xBF]
    befores = [b""] + [
        bytes([first, *middle])
        for first in (0xC3, 0xE1, 0xF1)
        for size in range(3)
        for middle in product(within, repeat=size)
    ]
    afters = [bytes(after) for size in range(4) for after in product(within, repeat=size)]
    for before in befores:
        for after in afters:
            try:
                (before + content + after).decode("utf-8")
            except UnicodeDecodeError:
                continue
            return True
    return False


def test_residues_and_unused_tokens_of_a_text_are_counted_by_hand() -> None:
    vocabulary = vocabulary_of(TrainedEncoding(train(preset("gpt2"), CORPUS, 40)))
    uses = count_uses(vocabulary, ["the lowest lower newest cat " * 12])
    made = dict.fromkeys(range(len(vocabulary)), 0)

    def take(token: int, number: int) -> None:
        made[token] += number
        merge = vocabulary.encoding.merge(token)
        if merge is not None:
            take(merge.left, number)
            take(merge.right, number)

    for token, number in enumerate(uses.tolist()):
        take(token, number)
    merged = {t: n for t, n in made.items() if n and vocabulary.encoding.merge(t) is not None}
    assert times_made(vocabulary, uses) == merged
    found = suspicious(vocabulary, uses)
    tokens = int(uses.sum())
    expected = [
        merged.get(t, 0) >= 10 and is_residue(int(uses[t]), merged[t], tokens)
        for t in range(len(vocabulary))
    ]
    assert found.masks[Reason.RESIDUE].tolist() == expected
    assert any(expected)
    unused = (uses == 0) & ~vocabulary.special
    assert found.masks[Reason.UNUSED].tolist() == unused.tolist()


@pytest.mark.parametrize("times", [1, 9, 10])
def test_a_few_occurrences_in_a_text_make_no_residue(times: int) -> None:
    ranks = {bytes([b]): b for b in range(256)} | {b"lo": 256, b"low": 257}
    vocabulary = vocabulary_of(from_ranks(ranks, "gpt2", name="low"))
    uses = count_uses(vocabulary, ["low" * times])
    found = suspicious(vocabulary, uses).masks[Reason.RESIDUE]
    assert np.flatnonzero(found).tolist() == ([256] if times == 10 else [])


def test_residues_of_a_run_are_those_of_its_corpus() -> None:
    history = train(preset("gpt2"), CORPUS, 40)
    found = suspicious(vocabulary_of(TrainedEncoding(history, 30)))
    assert found.masks[Reason.RESIDUE].tolist() == residues(history, 30).tolist()
    assert Reason.UNUSED not in found.masks


@needs_gpt2_ranks
def test_bytes_that_no_text_has_are_there_by_design() -> None:
    import tiktoken.load

    from bpe_gui.encodings.load import open_encoding

    found = suspicious(vocabulary_of(open_encoding(f"{GPT2_RANKS}@gpt2")))
    assert sorted(found.bytes_outside_utf8()) == [0xC0, 0xC1, *range(0xF5, 0x100)]
    assert not found.paths
    assert len(tiktoken.load.load_tiktoken_bpe(str(GPT2_RANKS))) == len(found.vocabulary) - 1
