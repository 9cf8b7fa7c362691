"""Causes of differences: what they claim is checked against the encodings themselves."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord, Recipe, Ties, preset
from bpe_gui.bpe.tokenizer import Tokenizer, Tokens
from bpe_gui.encodings.differences.alignment import Alignment, CachedEncoder, Cut, align
from bpe_gui.encodings.differences.causes import (
    AddedSpace,
    ByteFallback,
    Cause,
    DroppedText,
    EndOfWordMarker,
    MergeOrder,
    MissingMerge,
    ModelKind,
    Normalization,
    NotKnown,
    SpecialToken,
    SplitBoundary,
    Unknown,
)
from bpe_gui.encodings.differences.find_causes import causes
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.ours import TrainedEncoding
from tests import oracle
from tests.bpe.test_trainer import corpora, recipes, texts, trained
from tests.encodings.differences.explained import all_causes, over
from tests.encodings.differences.test_alignment import some_lanes, spans


def all_contents(encoding: TrainedEncoding, *, marked: bool) -> set[bytes]:
    """All that text can be cut into, by listing it."""
    history = encoding.history
    content = history.token_bytes if marked else history.bytes_in_text
    made = history.new_id[: encoding.position].tolist()
    return {content(token) for token in (*history.base.symbol_ids, *made)}


def within(cut: Cut, tokens: Tokens, start: int, end: int) -> list[tuple[int, int, int]]:
    """(id, start, end) of the tokens in a stretch; an empty one belongs to what is before it."""
    return [
        (token, begin, stop)
        for token, (begin, stop) in zip(tokens.ids.tolist(), spans(tokens), strict=True)
        if start <= begin and stop <= end and not begin == stop == start > 0
    ]


@dataclass(frozen=True)
class Checked:
    """A cause, the runs that it speaks of, and what they have in its stretch."""

    cause: Cause
    lanes: Alignment

    @property
    def one(self) -> Cut:
        return self.lanes.cuts[self.cause.lane]

    @property
    def other(self) -> Cut:
        return self.lanes.cuts[self.cause.other]

    @property
    def mine(self) -> TrainedEncoding:
        return trained_of(self.one)

    @property
    def theirs(self) -> TrainedEncoding:
        return trained_of(self.other)

    @property
    def tokens(self) -> list[tuple[int, int, int]]:
        return within(self.one, self.one.tokens, self.cause.start, self.cause.end)

    @property
    def others(self) -> list[tuple[int, int, int]]:
        return within(self.other, self.other.tokens, self.cause.start, self.cause.end)


def supposed(encoding: TrainedEncoding, read: bytes, merges: int) -> list[int]:
    """What the merges of a run alone make of a text: nothing is normalized, split or marked."""
    run = encoding.history
    recipe = run.recipe.with_changes(normalizers=(), split="none", end_of_word=EndOfWord.NONE)
    unmarked = [it for it in run.base.symbol_ids if not run.ends_word(it)]
    base = replace(run.base, symbol_ids=tuple(unmarked))
    columns = run.columns(len(run) + 1)
    alone = TrainedEncoding(History.of_columns(recipe, base, 1, columns, None), merges)
    return alone.encode(read.decode(), specials_as_text=True).ids.tolist()


def is_text(read: bytes) -> bool:
    """Whether bytes are whole characters, so that they can be encoded."""
    return read.decode("utf-8", "ignore").encode() == read


def trained_of(cut: Cut) -> TrainedEncoding:
    assert isinstance(cut.encoding, TrainedEncoding)
    return cut.encoding


def check(found: Cause, lanes: Alignment) -> None:
    """That what a cause says is so; that it is one of ours that is known."""
    checked = Checked(found, lanes)
    for fact in found.facts:
        owner = trained_of(lanes.cuts[fact.lane])
        assert fact.lane in (found.lane, found.other)
        if fact.rank is not None:
            assert owner.history.new_id[fact.rank] == fact.token
            assert fact.rank < owner.position
    recipe = checked.mine.history.recipe
    match found:
        case Unknown():
            check_unknown(found, checked)
        case SpecialToken():
            check_special(found, checked)
        case Normalization() | AddedSpace():
            # A special token may also be what a byte looks like in print.
            assert recipe.normalizers or "Ġa" in recipe.special_tokens
        case SplitBoundary():
            check_split(found, checked)
        case EndOfWordMarker():
            check_end_of_word(found, checked)
        case MissingMerge():
            check_missing(found, checked)
        case MergeOrder():
            check_order(found, checked)
        case DroppedText():
            if found.by_normalization:
                assert found.text.decode().isspace()
                assert recipe.normalizers
            else:
                check_dropped(found, checked)
        case NotKnown() | ByteFallback() | ModelKind():
            raise AssertionError(f"{found} cannot be the cause of ours")


def check_special(found: SpecialToken, it: Checked) -> None:
    assert found.token < len(it.mine.history.recipe.special_tokens)
    assert it.mine.history.recipe.special_tokens[found.token].encode() == found.text
    places = [(start, end) for t, start, end in it.tokens if t == found.token and start < end]
    assert any(it.lanes.data[start:end] == found.text for start, end in places)
    # A reserved token is never read in the text, but shares its id with a symbol that is.
    read = {token.encode() for token in it.theirs.history.recipe.special_tokens}
    read -= {token.encode() for token in it.theirs.history.recipe.reserved_tokens}
    specials = {
        (begin, end)
        for t, begin, end in it.others
        if it.theirs.history.is_special(t)
        and it.theirs.token_bytes(t) == it.lanes.data[begin:end] in read
    }
    assert found.as_text == it.other.specials_as_text
    assert found.as_text or any(place not in specials for place in places)


def check_unknown(found: Unknown, it: Checked) -> None:
    mine = [it.lanes.data[s:e] for t, s, e in it.tokens if it.mine.is_unknown(t)]
    theirs = [it.lanes.data[s:e] for t, s, e in it.others if it.theirs.is_unknown(t)]
    assert any(text in found.text for text in mine)
    if not found.text:
        assert mine.count(b"") == found.tokens > theirs.count(b"") == found.others
    elif found.anywhere and not found.others:
        known = all_contents(it.mine, marked=False)
        assert any(text not in known for text in mine)
    if found.text and found.tokens > found.others:
        assert len(mine) >= found.tokens
        assert len(theirs) >= found.others


def check_split(found: SplitBoundary, it: Checked) -> None:
    words = it.mine.words(it.lanes.text, specials_as_text=it.one.specials_as_text).tolist()
    if found.read is not None:
        assert b"".join(found.parts) == found.read
        assert words
        if is_text(found.read):
            assert len(supposed(it.theirs, found.read, it.theirs.position)) == 1
        return
    if any(start < word < end for _, start, end in it.others for word in words):
        # Whatever is merged, no token of this lane ever reaches across.
        if not it.one.specials_as_text:
            whole = spans(Tokenizer(it.mine.history).encode(it.lanes.text))
            assert not any(start < word < end for start, end in whole for word in words)
        return
    # Within what is put in or made of one character: no place in the text.
    read = [
        word.encode("utf-8", "surrogateescape")
        for word in oracle.words_of(it.lanes.text, it.mine.history.recipe)
    ]
    left, right = found.parts
    assert any(
        b"".join(read[:border]).endswith(left) and b"".join(read[border:]).startswith(right)
        for border in range(1, len(read))
    )


def check_dropped(found: DroppedText, it: Checked) -> None:
    read = b"".join(
        word.encode("utf-8", "surrogateescape")
        for word in oracle.words_of(it.lanes.text, it.mine.history.recipe)
    )
    assert found.text in it.lanes.data[found.start : found.end]
    assert found.text not in read or it.lanes.data.count(found.text) > read.count(found.text)


def check_end_of_word(found: EndOfWordMarker, it: Checked) -> None:
    def markers(cut: Cut) -> int:
        encoding = trained_of(cut)
        return sum(
            not encoding.is_unknown(t) and encoding.history.ends_word(t)
            for t, _, _ in within(cut, cut.tokens, found.start, found.end)
        )

    if found.alone:
        assert it.mine.history.recipe.end_of_word is EndOfWord.OWN
        assert markers(it.one) == markers(it.other) > 0
    else:
        assert markers(it.one) > markers(it.other)


def check_missing(found: MissingMerge, it: Checked) -> None:
    known = all_contents(it.theirs, marked=True)
    goal = found.missing[-1]
    before_end = goal.content.removesuffix(END_OF_WORD.encode())
    if any(
        not it.theirs.is_unknown(token) and it.theirs.history.ends_word(token)
        and (found.read is not None or it.lanes.data[found.start : end].endswith(before_end))
        for token, _, end in within(it.other, it.other.tokens, found.start, found.end)
    ):  # fmt: skip
        # Only there may a token stand that ends a word.
        known |= all_contents(it.theirs, marked=False)
    assert {made.content for made in found.missing} <= all_contents(it.mine, marked=True) | (
        all_contents(it.mine, marked=False)
    )
    assert goal.content not in known
    ranks = [made.rank for made in found.missing if made.rank is not None]
    assert ranks == sorted(ranks)
    for made in found.missing:
        parents = it.mine.history.parents(made.token)
        assert (made.rank is None) == (parents is None)
        assert content_within(it.mine, made.token, goal.token) or made.rank is None
    if it.mine.history is it.theirs.history:
        assert found.other_position == it.theirs.position <= ranks[0] < it.mine.position
    # The token stood here, within one that stands here still, and joins what the other cuts.
    tokens = [token for token, _, _ in it.tokens]
    if found.read is not None:
        if not is_text(found.read):
            return
        tokens = supposed(it.mine, found.read, it.mine.position)
    assert any(content_within(it.mine, goal.token, token) for token in tokens)


def content_within(encoding: TrainedEncoding, part: int, token: int) -> bool:
    """Whether a token was merged from another, or is it."""
    waiting = [token]
    while waiting:
        here = waiting.pop()
        if here == part:
            return True
        waiting += [] if here == NO_TOKEN else encoding.history.parents(here) or ()
    return False


def check_order(found: MergeOrder, it: Checked) -> None:
    done, wanted = found.done.rank, found.wanted.rank
    assert done is not None
    assert wanted is not None
    assert done < wanted < it.mine.position
    # Step by step: the merge that is said to come first is done in this stretch, at its step.
    as_text = it.one.specials_as_text
    if found.read is not None:
        if is_text(found.read):
            then = supposed(it.mine, found.read, done + 1)
            assert found.done.token in then
            assert len(then) < len(supposed(it.mine, found.read, done))
        return
    before, after = (
        within(
            it.one,
            it.mine.at(done + k).encode(it.lanes.text, specials_as_text=as_text),
            found.start,
            found.end,
        )
        for k in (0, 1)
    )
    assert found.done.token in [token for token, _, _ in after]
    assert before != after


@given(corpus=corpora, text=texts, data=st.data())
def test_what_is_claimed_is_true(
    corpus: list[tuple[str, int]], text: str, data: st.DataObject
) -> None:
    lanes = align(text, some_lanes(data, corpus, text))
    for index in range(lanes.differences):
        for first in range(len(lanes.cuts)):
            for second in range(len(lanes.cuts)):
                found = causes(lanes, index, first, second)
                agree = any({first, second} <= set(group) for group in lanes.groups(index))
                assert bool(found) != agree
                for cause in found:
                    # It may reach further where what is put in is joined with the text.
                    assert cause.start < lanes.ends[index]
                    assert lanes.starts[index] < cause.end
                    check(cause, lanes)


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
            CachedEncoder(whole.at(position, name=f"lane {len(cuts) + index}")).encode(text)
            for index, position in enumerate(positions)
        ]
    lanes = align(text, cuts)
    for index in range(lanes.differences):
        for first in range(4):
            for second in range(4):
                for cause in causes(lanes, index, first, second):
                    check(cause, lanes)


@given(corpus=corpora, recipe=recipes(), text=texts, data=st.data())
def test_positions_of_one_run_differ_by_merges_alone(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, data: st.DataObject
) -> None:
    whole = TrainedEncoding(trained(corpus, recipe).history)
    first, second = (whole.at(data.draw(st.integers(0, len(whole.history)))) for _ in range(2))
    assert {type(cause) for cause in all_causes(text, first, second)} <= {MissingMerge}


close = st.text(alphabet="abcA 1é\u0301語", min_size=1, max_size=25)


@given(
    corpora=st.lists(st.lists(st.tuples(close, st.integers(1, 5))), min_size=2, max_size=2),
    drawn=st.lists(recipes(), min_size=2, max_size=2),
    text=close,
    alike=st.booleans(),
)
def test_runs_that_know_the_text_differ_for_a_cause_that_is_known(
    corpora: list[list[tuple[str, int]]], drawn: list[Recipe], text: str, alike: bool
) -> None:
    """Both were trained on the text, so few of it is unknown, and much merged."""
    if alike:
        drawn[1] = drawn[0]
    runs = [
        TrainedEncoding(
            trained([*corpus, (text, 1)], recipe.with_changes(merges=20, min_frequency=0)).history,
            name=f"lane {index}",
        )
        for index, (corpus, recipe) in enumerate(zip(corpora, drawn, strict=True))
    ]
    lanes = over(text, *runs)
    for index in range(lanes.differences):
        found = causes(lanes, index, 0, 1)
        assert found
        for cause in found:
            check(cause, lanes)


@given(corpus=corpora, text=texts, data=st.data())
def test_a_third_lane_changes_nothing_that_is_said_of_two(
    corpus: list[tuple[str, int]], text: str, data: st.DataObject
) -> None:
    cuts = some_lanes(data, corpus, text)
    # To the third all text is one unknown token, so that there is but one difference.
    library = LibraryTokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    third = align(text, [*cuts, CachedEncoder(HuggingFaceEncoding(library, "third")).encode(text)])
    for first in range(len(cuts)):
        for second in range(first):
            two = align(text, [cuts[first], cuts[second]])
            alone = {c for index in range(two.differences) for c in causes(two, index, 0, 1)}
            among = {
                replace(c, lane=int(c.lane != first), other=int(c.other != first), facts=())
                for index in range(third.differences)
                for c in causes(third, index, first, second)
            }
            assert among == {replace(c, facts=()) for c in alone}


@pytest.mark.parametrize("first", ["1cA", "cA"])
def test_a_merge_that_the_same_merge_to_the_left_prevents_is_no_split(first: str) -> None:
    """The rank of both is the same, and the accent before them is removed."""
    text = "écAAAacA"
    recipe = preset("lines").with_changes(
        vocabulary_size=None, merges=20, min_frequency=0, ties=Ties.LOWEST_ID
    )
    others = [("11", 1), ("1bA", 1), ("1A1c1é", 2), ("Ab1aa1語", 1)]
    lanes = over(
        text,
        *(
            TrainedEncoding(trained([*corpus, (text, 1)], recipe).history)
            for corpus in ([(first, 1)], others)
        ),
    )
    found = [cause for index in range(lanes.differences) for cause in causes(lanes, index, 0, 1)]
    assert {type(cause) for cause in found} == {MissingMerge}
    for cause in found:
        check(cause, lanes)
