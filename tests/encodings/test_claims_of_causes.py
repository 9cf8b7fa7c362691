"""Causes of differences: what they claim is checked against the encodings themselves."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import EndOfWord, Recipe
from bpe_gui.bpe.tokenizer import Tokenizer, Tokens
from bpe_gui.encodings.alignment import Alignment, Cut, Cutter, align
from bpe_gui.encodings.cause import Cause, CauseKind, quoted
from bpe_gui.encodings.causes import cause
from bpe_gui.encodings.trained import TrainedEncoding
from tests import oracle
from tests.bpe.test_trainer import corpora, recipes, texts, trained
from tests.encodings.explained import why
from tests.encodings.test_alignment import some_lanes, spans


def all_contents(encoding: TrainedEncoding, *, marked: bool) -> set[bytes]:
    """All that text can be cut into, by listing it."""
    history = encoding.history
    content = history.content if marked else history.bytes_in_text
    made = history.new_id[: encoding.position].tolist()
    return {content(token) for token in (*history.base.symbol_ids, *made)}


def within(cut: Cut, tokens: Tokens, start: int, end: int) -> list[tuple[int, int, int]]:
    """(id, start, end) of the tokens in a stretch."""
    return [
        (token, begin, stop)
        for token, (begin, stop) in zip(tokens.ids.tolist(), spans(tokens), strict=True)
        if start <= begin and stop <= end
    ]


def check(found: Cause, alignment: Alignment) -> None:
    one, other = alignment.cuts[found.lane], alignment.cuts[found.other]
    mine, theirs = one.encoding, other.encoding
    assert isinstance(mine, TrainedEncoding)
    assert isinstance(theirs, TrainedEncoding)
    assert mine.name in found.sentence or mine.history is theirs.history
    tokens = within(one, one.tokens, found.start, found.end)
    for fact in found.facts:
        assert fact.lane in (found.lane, found.other)
        owner = alignment.cuts[fact.lane].encoding
        assert isinstance(owner, TrainedEncoding)
        if fact.rank is not None:
            assert owner.history.new_id[fact.rank] == fact.token
            assert fact.rank < owner.position
    {
        CauseKind.SPECIAL_TOKEN: check_special,
        CauseKind.UNKNOWN_CHARACTER: check_unknown,
        CauseKind.NORMALIZATION: check_normalization,
        CauseKind.SPLIT_PATTERN: check_split,
        CauseKind.END_OF_WORD: check_end_of_word,
        CauseKind.MERGE_MISSING: check_missing,
        CauseKind.MERGE_ORDER: check_order,
    }[found.kind](found, alignment, mine, theirs, tokens)


Found = list[tuple[int, int, int]]


def check_special(
    found: Cause, lanes: Alignment, mine: TrainedEncoding, theirs: TrainedEncoding, tokens: Found
) -> None:
    token = found.facts[0].token
    assert token < len(mine.history.recipe.special_tokens)
    text = mine.history.recipe.special_tokens[token].encode()
    # What is put in and looks like it is not in the text.
    places = [(start, end) for t, start, end in tokens if t == token and start < end]
    assert places
    assert all(lanes.data[start:end] == text for start, end in places)
    cut = lanes.cuts[found.other]
    others = within(cut, cut.tokens, found.start, found.end)
    # A reserved token is never read in the text, but shares its id with a symbol that is.
    read = {token.encode() for token in theirs.history.recipe.special_tokens}
    read -= {token.encode() for token in theirs.history.recipe.reserved_tokens}
    specials = {
        (begin, end)
        for t, begin, end in others
        if theirs.history.is_special(t) and theirs.content(t) == lanes.data[begin:end] in read
    }
    assert cut.specials_as_text or any(place not in specials for place in places)


def check_unknown(
    found: Cause, lanes: Alignment, mine: TrainedEncoding, theirs: TrainedEncoding, tokens: Found
) -> None:
    unknown = [(start, end) for t, start, end in tokens if mine.is_unknown(t)]
    assert unknown
    if "made of" in found.sentence:
        made = normalize(lanes.text, mine.history.recipe.normalizers)
        parts = [bytes([byte]) for byte in made.encode()] + [c.encode() for c in made]
        named = [part for part in parts if found.sentence.startswith(f"{quoted(part)}, made of")]
        assert named
        if "no token for it" in found.sentence:
            assert not all_contents(mine, marked=False).issuperset(named)
        begins = {content[:1] for content in all_contents(theirs, marked=False)}
        assert any(part[:1] in begins for part in named)
        return
    if "no token for it" in found.sentence:
        known = all_contents(mine, marked=False)
        assert any(lanes.data[start:end] not in known for start, end in unknown)
    if "knows it" in found.sentence:
        cut = lanes.cuts[found.other]
        others = within(cut, cut.tokens, found.start, found.end)
        theirs_unknown = [(s, e) for t, s, e in others if theirs.is_unknown(t)]
        assert any(
            not any(s < end and start < e for s, e in theirs_unknown) for start, end in unknown
        )


def check_normalization(
    found: Cause, lanes: Alignment, mine: TrainedEncoding, theirs: TrainedEncoding, tokens: Found
) -> None:
    read = b"".join(mine.content(t) for t, _, _ in tokens if not mine.is_unknown(t))
    assert read != lanes.data[found.start : found.end]
    # A special token may also be what a byte looks like in print: then it is what is read.
    assert mine.history.recipe.normalizers or "Ġa" in mine.history.recipe.special_tokens


def check_split(
    found: Cause, lanes: Alignment, mine: TrainedEncoding, theirs: TrainedEncoding, tokens: Found
) -> None:
    if "drops" in found.sentence:
        covered = {place for _, start, end in tokens for place in range(start, end)}
        dropped = [b for b in range(found.start, found.end) if b not in covered]
        assert dropped
        assert mine.history.recipe.split in ("whitespace", "bert")
        return
    cut = lanes.cuts[found.lane]
    words = mine.words(lanes.text, specials_as_text=cut.specials_as_text).tolist()
    cut = lanes.cuts[found.other]
    others = within(cut, cut.tokens, found.start, found.end)
    if not any(
        start < word < end and token == found.facts[0].token
        for token, start, end in others
        for word in words
    ):
        # Within what is put in or made of one character: no place in the text.
        token = theirs.content(found.facts[0].token)
        read = [w.encode("utf-8", "surrogateescape") for w in oracle_words(lanes.text, mine)]
        joined, borders = b"".join(read), np.cumsum([len(word) for word in read]).tolist()
        assert any(
            joined[border - before :].startswith(token)
            for border in borders
            for before in range(1, len(token))
        )
        return
    # Whatever is merged, no token of this lane ever reaches across.
    whole = Tokenizer(mine.history).encode(lanes.text)
    if not lanes.cuts[found.lane].specials_as_text:
        assert not any(start < word < end for start, end in spans(whole) for word in words)


def oracle_words(text: str, encoding: TrainedEncoding) -> list[str]:
    return oracle.words_of(text, encoding.history.recipe)


def check_end_of_word(
    found: Cause, lanes: Alignment, mine: TrainedEncoding, theirs: TrainedEncoding, tokens: Found
) -> None:
    def markers(cut: Cut, encoding: TrainedEncoding) -> int:
        found_tokens = within(cut, cut.tokens, found.start, found.end)
        return sum(
            not encoding.is_unknown(t) and encoding.history.ends_word(t)
            for t, s, e in found_tokens
            if not (s == e == found.start and found.start > 0)
        )

    one, other = lanes.cuts[found.lane], lanes.cuts[found.other]
    if "of its own" in found.sentence:
        assert mine.history.recipe.end_of_word is EndOfWord.OWN
        assert theirs.history.recipe.end_of_word is EndOfWord.JOINED
        assert markers(one, mine) == markers(other, theirs) > 0
        return
    assert markers(one, mine) > markers(other, theirs)


def check_missing(
    found: Cause, lanes: Alignment, mine: TrainedEncoding, theirs: TrainedEncoding, tokens: Found
) -> None:
    missing = found.facts[0]
    content = mine.history.content(missing.token)
    assert content in all_contents(mine, marked=True)
    assert content not in all_contents(theirs, marked=True)
    if missing.rank is None:
        assert missing.token in mine.history.base.symbol_ids
    else:
        assert f"{missing.rank + 1:,}" in found.sentence
        # What it was merged from is no news to the other, or it would have been named instead.
        known = all_contents(theirs, marked=False)
        for part in mine.history.parents(missing.token) or ():
            if mine.history.parents(part) is not None:
                assert mine.history.bytes_in_text(part) in known
    if mine.history is theirs.history:
        assert missing.rank is not None
        assert theirs.position <= missing.rank < mine.position
        assert found.sentence.startswith("The run at ")
    # The token stood here, within one that stands here still, and joins what the other cuts.
    goal = found.facts[-1].token
    assert any(content_within(mine, goal, token) for token, _, _ in tokens)


def content_within(encoding: TrainedEncoding, part: int, token: int) -> bool:
    """Whether a token was merged from another, or is it."""
    waiting = [token]
    while waiting:
        here = waiting.pop()
        if here == part:
            return True
        waiting += [] if here == NO_TOKEN else encoding.history.parents(here) or ()
    return False


def check_order(
    found: Cause, lanes: Alignment, mine: TrainedEncoding, theirs: TrainedEncoding, tokens: Found
) -> None:
    done, wanted = found.facts
    assert done.rank is not None
    assert wanted.rank is not None
    assert done.rank < wanted.rank < mine.position
    for fact in found.facts:
        assert f"merge {fact.rank + 1:,}" in found.sentence  # type: ignore[operator]
    # Step by step: the merge that is said to come first is done in this stretch, at its step.
    cut = lanes.cuts[found.lane]
    before, after = (
        mine.at(done.rank + k).encode(lanes.text, specials_as_text=cut.specials_as_text)
        for k in (0, 1)
    )
    made = within(cut, after, found.start, found.end)
    assert (done.token in [t for t, _, _ in made]) > (
        made == within(cut, before, found.start, found.end)
    )


@given(corpus=corpora, text=texts, data=st.data())
def test_what_is_claimed_is_true(
    corpus: list[tuple[str, int]], text: str, data: st.DataObject
) -> None:
    lanes = align(text, some_lanes(data, corpus, text))
    for index in range(lanes.differences):
        for first in range(len(lanes.cuts)):
            for second in range(len(lanes.cuts)):
                found = cause(lanes, index, first, second)
                apart = second in lanes.differing_from(index, first)
                assert (found is not None) == apart
                if found is not None:
                    # It may reach further where what is put in is joined with the text.
                    assert found.start < lanes.ends[index]
                    assert lanes.starts[index] < found.end
                    check(found, lanes)


@given(
    corpora=st.lists(corpora, min_size=2, max_size=2),
    recipe=recipes(),
    text=texts,
    data=st.data(),
)
def test_claims_about_runs_of_the_same_recipe(
    corpora: list[list[tuple[str, int]]], recipe: Recipe, text: str, data: st.DataObject
) -> None:
    """Two corpora, two positions each: here merges are what differs."""
    cuts = []
    for corpus in corpora:
        history = trained(corpus, recipe).history
        positions = data.draw(st.lists(st.integers(0, len(history)), min_size=2, max_size=2))
        whole = TrainedEncoding(history)
        cuts += [
            Cutter(whole.at(position, name=f"lane {len(cuts) + index}")).cut(text)
            for index, position in enumerate(positions)
        ]
    lanes = align(text, cuts)
    for index in range(lanes.differences):
        for first in range(4):
            for second in range(4):
                found = cause(lanes, index, first, second)
                if found is not None:
                    check(found, lanes)


@given(corpus=corpora, recipe=recipes(), text=texts, data=st.data())
def test_positions_of_one_run_differ_by_merges_alone(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, data: st.DataObject
) -> None:
    whole = TrainedEncoding(trained(corpus, recipe).history)
    first, second = (whole.at(data.draw(st.integers(0, len(whole.history)))) for _ in range(2))
    kinds = {kind for kind, _ in why(text, first, second)}
    assert kinds <= {CauseKind.MERGE_MISSING}
