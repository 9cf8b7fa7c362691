"""The pipeline laid open: its stages agree with each other, with encoding, and with Unicode."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_gui.analysis.pipeline.normalizing import MAX_CHARACTERS, follow, spans_of
from bpe_gui.analysis.pipeline.stages import (
    Items,
    Merging,
    PipelineTrace,
    Stage,
    Status,
    same_tokens,
    unmerged,
)
from bpe_gui.analysis.pipeline.trace import columns_of, known_base, trace_pipeline
from bpe_gui.bpe.errors import RecipeError
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.normalize import aligned_steps, normalize
from bpe_gui.bpe.recipe import (
    END_OF_WORD,
    PRESETS,
    Alphabet,
    EndOfWord,
    Prepend,
    Recipe,
    Replace,
    Symbols,
    preset,
)
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.tokenizer import PreTokenizer, Tokenizer
from tests.bpe.custom_recipes import NO_SPECIALS, custom_recipes
from tests.bpe.custom_recipes import steps as custom_steps
from tests.bpe.test_trainer import corpora, recipes, texts, trained

SAMPLE = "Naïve café №5 ﬁne—İstanbul 漢字 e\u0301"
HARD = st.text(
    st.sampled_from("aeb éﬁΣ\u0301\u0323\u0307\u1100\u1161İ漢 \t\n\u200d😀"), max_size=20
)
TEXTS = st.one_of(texts, HARD)


def shown(items: Items, status: Status | None = None) -> list[str]:
    """The contents of the items with a status, or of all."""
    return [
        content.decode("utf-8", "backslashreplace")
        for content, own in zip(items.contents(), items.statuses.tolist(), strict=True)
        if status is None or own == status
    ]


def kept(items: Items) -> bytes:
    """All that a stage hands on, one after another."""
    pairs = zip(items.contents(), items.statuses.tolist(), strict=True)
    return b"".join(content for content, status in pairs if status != Status.DROPPED)


def whole(items: Items) -> bytes:
    return b"".join(items.contents())


def columns(items: Items) -> list[tuple[int, int]]:
    return list(zip(items.firsts.tolist(), items.lasts.tolist(), strict=True))


# -- the stages agree ----------------------------------------------------------------------


@given(recipe=recipes(), text=TEXTS)
def test_each_stage_is_made_of_the_one_before(recipe: Recipe, text: str) -> None:
    trace = trace_pipeline(recipe, text, compiled=True)
    assert trace.problem is None
    assert whole(trace.raw) == text.encode()
    assert kept(trace.normalized) == whole(trace.pretokens)
    symbols = [
        content.removesuffix(END_OF_WORD.encode()) if _marked(recipe, content, status) else content
        for content, status in zip(
            trace.symbols.contents(), trace.symbols.statuses.tolist(), strict=True
        )
    ]
    assert b"".join(symbols) == kept(trace.pretokens)


def _marked(recipe: Recipe, content: bytes, status: int) -> bool:
    if status == Status.SPECIAL:
        return False
    return recipe.end_of_word is not EndOfWord.NONE and content.endswith(END_OF_WORD.encode())


@given(recipe=recipes(), text=TEXTS)
def test_without_special_tokens_it_is_the_normalized_text(recipe: Recipe, text: str) -> None:
    recipe = recipe.with_changes(**NO_SPECIALS)
    trace = trace_pipeline(recipe, text, compiled=True)
    assert kept(trace.normalized).decode() == normalize(text, recipe.normalizers)
    assert [step.text for step in trace.steps][-1:] == (
        [kept(trace.normalized).decode()] if trace.steps else []
    )


@given(corpus=corpora, recipe=recipes(), text=TEXTS, data=st.data())
def test_symbols_and_tokens_are_those_of_encoding(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, data: st.DataObject
) -> None:
    history = trained(corpus, recipe).history
    trace = trace_pipeline(recipe, text, history.base, compiled=True)
    spelled = PreTokenizer(recipe, history.base).pre_tokenize(text)
    assert trace.ids.tolist() == spelled.ids.tolist()
    assert trace.word_starts.tolist() == spelled.word_starts.tolist()
    assert trace.symbols.starts.tolist() == spelled.starts.tolist()
    assert trace.symbols.stops.tolist() == spelled.ends.tolist()
    position = data.draw(st.integers(0, len(history)))
    found = Merging(trace, history).at(position)
    tokens = Tokenizer(history, position).encode(text)
    assert found.ids.tolist() == tokens.ids.tolist()
    assert found.items.starts.tolist() == tokens.starts.tolist()
    assert found.items.stops.tolist() == tokens.ends.tolist()
    assert whole(found.items) == whole(trace.symbols)
    for content, token, status in zip(
        found.items.contents(), found.ids.tolist(), found.items.statuses.tolist(), strict=True
    ):
        assert status == Status.UNKNOWN or history.token_bytes(token) == content


@given(corpus=corpora, recipe=recipes(), text=TEXTS)
def test_merges_are_told_in_the_order_of_their_ranks(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str
) -> None:
    history = trained(corpus, recipe).history
    trace = trace_pipeline(recipe, text, history.base, compiled=True)
    merging = Merging(trace, history)
    position = len(history)
    found = merging.at(position)
    told = [
        merging.merges(first, last, position) for first, last in pairwise(found.symbols.tolist())
    ]
    assert found.applied == sum(map(len, told))
    assert found.rules == len({step for steps in told for step in steps})
    for steps, first, last, token in zip(
        told,
        found.symbols[:-1].tolist(),
        found.symbols[1:].tolist(),
        found.ids.tolist(),
        strict=True,
    ):
        assert steps == sorted(steps)
        assert len(steps) == last - first - 1
        # Merging the symbols in that order, each rank from left to right, makes the token.
        ids = trace.ids[first:last].tolist()
        for step in steps:
            left, right = int(history.left[step]), int(history.right[step])
            place = next(p for p, pair in enumerate(pairwise(ids)) if pair == (left, right))
            ids[place : place + 2] = [int(history.new_id[step])]
        assert ids == [token]


def test_merging_goes_on_where_training_does() -> None:
    trainer = trained([("low", 5), ("lower", 2), ("newest", 6)], preset("whitespace"))
    history = trainer.history
    trace = trace_pipeline(preset("whitespace"), "lower low", history.base)
    merging = Merging(trace, history)
    assert merging.length == len(history)
    assert shown(merging.at(0).items) == ["l", "o", "w", "e", "r", "</w>", "l", "o", "w", "</w>"]
    with pytest.raises(IndexError):
        merging.at(len(history) + 1)


# -- where everything stands ---------------------------------------------------------------


@given(recipe=recipes(), text=TEXTS)
def test_everything_has_a_place_of_its_own(recipe: Recipe, text: str) -> None:
    trace = trace_pipeline(recipe, text, compiled=True)
    for stage in (Stage.RAW, Stage.NORMALIZED, Stage.PRETOKENS, Stage.SYMBOLS):
        items = trace.stage(stage)
        places = [0, *(edge for place in columns(items) for edge in place), trace.columns]
        assert places == sorted(places)
        assert all(first < last for first, last in columns(items))
    covered = np.zeros(trace.columns, bool)
    for items in (trace.raw, trace.normalized, trace.symbols):
        for first, last in columns(items):
            covered[first:last] = True
    assert covered.all()
    for pretoken, (first, last) in enumerate(columns(trace.pretokens)):
        symbols = trace.symbols.within(first, last)
        content = trace.pretokens.content(pretoken)
        dropped = trace.pretokens.statuses[pretoken] == Status.DROPPED
        below = b"".join(trace.symbols.content(symbol) for symbol in symbols)
        marker = END_OF_WORD.encode() if _marked(recipe, below, int(Status.KEPT)) else b""
        assert dropped or below.removesuffix(marker) == content.removesuffix(marker)


@given(recipe=recipes(), text=TEXTS)
def test_spans_lead_back_to_the_raw_text(recipe: Recipe, text: str) -> None:
    trace = trace_pipeline(recipe, text, compiled=True)
    data = text.encode()
    for items in (trace.raw, trace.normalized, trace.pretokens, trace.symbols):
        assert ((items.starts >= 0) & (items.starts <= items.stops)).all()
        assert (items.stops <= len(data)).all()
    for item, status in enumerate(trace.normalized.statuses.tolist()):
        span = data[trace.normalized.starts[item] : trace.normalized.stops[item]]
        if status == Status.KEPT:
            assert span == trace.normalized.content(item)
        elif status == Status.CHANGED:
            assert span != trace.normalized.content(item) or len(recipe.normalizers) > 0
    reached = np.zeros(len(data), bool)
    for start, stop in zip(trace.normalized.starts, trace.normalized.stops, strict=True):
        reached[start:stop] = True
    assert reached.all()


@given(text=HARD, recipe=custom_recipes())
def test_what_came_from_one_character_stands_under_it(text: str, recipe: Recipe) -> None:
    trace = trace_pipeline(recipe, text, compiled=True)
    items = trace.normalized
    raw = dict(zip(trace.raw.starts.tolist(), columns(trace.raw), strict=True))
    ends = {0, *trace.raw.stops.tolist()}
    single = dict(zip(trace.raw.starts.tolist(), trace.raw.stops.tolist(), strict=True))
    spans = list(zip(items.starts.tolist(), items.stops.tolist(), strict=True))
    assert all(start in ends and stop in ends for start, stop in spans)
    if spans != sorted(spans) or any(stop > single.get(start, stop) for start, stop in spans):
        return
    for (start, stop), (first, last) in zip(spans, columns(items), strict=True):
        if stop > start:
            assert raw[start][0] <= first < last <= raw[start][1]


@given(
    st.integers(0, 6).flatmap(
        lambda raw: st.tuples(
            st.just(raw),
            st.lists(st.tuples(st.integers(0, raw), st.integers(0, raw)).map(sorted), max_size=8),
        )
    )
)
def test_columns_are_shared_out_in_order(case: tuple[int, list[list[int]]]) -> None:
    raw, spans = case
    starts = np.array([start for start, _ in spans], np.int64)
    stops = np.array([stop for _, stop in spans], np.int64)
    found = columns_of(raw, starts, stops)
    for firsts, lasts, size in (
        (found.raw_firsts, found.raw_lasts, raw),
        (found.firsts, found.lasts, len(spans)),
    ):
        places = [0, *np.stack((firsts, lasts), axis=1).ravel().tolist(), found.total]
        assert places == sorted(places)
        assert (firsts < lasts).all()
        assert len(firsts) == size


@pytest.mark.parametrize(
    ("recipe", "text", "raw", "normalized", "symbols"),
    [
        # One becomes two: the ligature stands above both letters.
        (
            Recipe(normalizers=("nfkc",), symbols=Symbols.CHARACTERS),
            "ﬁn",
            [(0, 2), (2, 3)],
            [(0, 1), (1, 2), (2, 3)],
            [(0, 1), (1, 2), (2, 3)],
        ),
        # Two become one, of two bytes: each side has two columns.
        (Recipe(normalizers=("nfc",)), "e\u0301", [(0, 1), (1, 2)], [(0, 2)], [(0, 1), (1, 2)]),
        # What is put in has columns of its own, under nothing.
        (
            Recipe(normalizers=(Prepend("ab"),), symbols=Symbols.CHARACTERS),
            "c",
            [(2, 3)],
            [(0, 1), (1, 2), (2, 3)],
            [(0, 1), (1, 2), (2, 3)],
        ),
        # What is dropped keeps its place; the mark of a word's end gets one.
        (
            PRESETS["whitespace"],
            "a b",
            [(0, 1), (2, 3), (3, 4)],
            [(0, 1), (2, 3), (3, 4)],
            [(0, 1), (1, 2), (3, 4), (4, 5)],
        ),
        # A special token is one thing all the way down.
        (
            PRESETS["gpt2"].with_changes(special_tokens=("<s>",)),
            "<s>é",
            [(0, 1), (1, 3)],
            [(0, 1), (1, 3)],
            [(0, 1), (1, 2), (2, 3)],
        ),
    ],
)
def test_columns(
    recipe: Recipe,
    text: str,
    raw: list[tuple[int, int]],
    normalized: list[tuple[int, int]],
    symbols: list[tuple[int, int]],
) -> None:
    trace = trace_pipeline(recipe, text)
    assert columns(trace.raw) == raw
    assert columns(trace.normalized) == normalized
    assert columns(trace.symbols) == symbols


# -- what each step changed ----------------------------------------------------------------


@given(steps=st.lists(custom_steps, max_size=4).map(tuple), text=TEXTS)
@example(steps=("nfd", "remove-mn"), text="Ễ")
@example(steps=("strip", Prepend(" "), "strip"), text=" a ")
def test_steps_tell_what_they_did(steps: tuple[str, ...], text: str) -> None:
    cells, changes = follow(text, steps)
    assert cells.normalized.text == normalize(text, steps)
    before = text
    for change, made in zip(changes, aligned_steps(text, steps), strict=True):
        assert change.text == made.text
        numbers = (change.changed, change.dropped, change.put_in)
        assert numbers == slow_numbers(before, change.text, *spans_of(made))
        assert (numbers == (0, 0, 0)) == (before == change.text)
        assert (len(change.places) == 0) == (before == change.text)
        if change.changed == 0:
            assert len(change.text) == len(before) - change.dropped + change.put_in
        before = change.text
    assert np.count_nonzero(cells.dropped_by >= 0) == np.count_nonzero(~cells.kept)
    assert np.count_nonzero(~cells.kept) == sum(change.dropped for change in changes)
    assert sorted(cells.dropped_by[~cells.kept].tolist()) == [
        number for number, change in enumerate(changes) for _ in range(change.dropped)
    ]


def slow_numbers(before: str, after: str, starts: object, stops: object) -> tuple[int, int, int]:
    """Changed, dropped, put in: character by character."""
    spans = list(zip(starts.tolist(), stops.tolist(), strict=True))  # type: ignore[attr-defined]
    stays: dict[int, int] = {}
    for place, (start, stop) in enumerate(spans):
        if stop == start + 1 and before[start] == after[place]:
            stays.setdefault(start, place)
    covered = {character for start, stop in spans for character in range(start, stop)}
    put_in = 0
    for place, (start, stop) in enumerate(spans):
        beside = stop == start + 1 and start in stays and stays[start] != place
        put_in += start == stop or beside
    return len(covered - set(stays)), len(before) - len(covered), put_in


def test_every_preset_on_a_sample() -> None:
    told = {
        name: [(step.step, step.changed, step.dropped, step.put_in) for step in trace.steps]
        for name, trace in (
            (name, trace_pipeline(recipe, SAMPLE)) for name, recipe in PRESETS.items()
        )
        if trace.steps
    }
    assert told == {
        "char-bpe": [("bert-clean", 0, 0, 0), ("bert-chinese", 0, 0, 4)],
        "lines": [("nfd", 3, 0, 0), ("remove-mn", 0, 4, 0)],
    }


def test_what_is_dropped_stands_at_its_place() -> None:
    recipe = Recipe(normalizers=("lowercase", "nfd", "strip-accents", "strip"))
    trace = trace_pipeline(recipe, " É!\u0301 ")
    assert shown(trace.normalized) == [" ", "e", "\u0301", "!", "\u0301", " "]
    assert trace.normalized.statuses.tolist() == [
        Status.DROPPED, Status.CHANGED, Status.DROPPED, Status.KEPT, Status.DROPPED, Status.DROPPED
    ]  # fmt: skip
    assert trace.dropped_by.tolist() == [3, -1, 2, -1, 2, 3]
    assert columns(trace.raw) == [(0, 1), (1, 3), (3, 4), (4, 5), (5, 6)]


def test_each_text_between_special_tokens_is_normalized_alone() -> None:
    recipe = Recipe(normalizers=(Prepend("_"),), special_tokens=("<s>",))
    trace = trace_pipeline(recipe, "a<s><s>b")
    assert shown(trace.normalized) == ["_", "a", "<s>", "<s>", "_", "b"]
    assert shown(trace.normalized, Status.SPECIAL) == ["<s>", "<s>"]
    assert trace.steps[0].text == "_a_b"
    assert trace.steps[0].put_in == 2
    assert trace.steps[0].places.tolist() == [[0, 0], [7, 7]]
    assert shown(trace.pretokens) == ["_", "a", "<s>", "<s>", "_", "b"]


# -- what is not known, and what goes wrong ------------------------------------------------


def test_unknown_symbols_are_told() -> None:
    history = trained([("low", 1)], preset("char-bpe")).history
    trace = trace_pipeline(history.recipe, "lox<unk>", history.base)
    assert shown(trace.symbols) == ["l", "o", "x</w>", "<unk>"]
    assert trace.symbols.statuses.tolist() == [
        Status.KEPT,
        Status.KEPT,
        Status.UNKNOWN,
        Status.SPECIAL,
    ]
    assert trace.ids[2] == trace.ids[3] == 0
    characters = trained([("low", 1)], preset("raw")).history
    assert trace_pipeline(preset("raw"), "x", characters.base).ids.tolist() == [NO_TOKEN]


def test_what_a_pattern_skips_stands_alone() -> None:
    trace = trace_pipeline(Recipe(split=r"regex:\w+"), "ab 漢!")
    assert shown(trace.pretokens, Status.KEPT) == ["ab", "漢"]
    assert shown(trace.pretokens, Status.UNMATCHED) == [" ", "!"]


def test_without_a_corpus_only_bytes_have_ids() -> None:
    assert trace_pipeline(preset("gpt2"), "a").ids.tolist() == [64]
    observed = preset("gpt2").with_changes(alphabet=Alphabet.OBSERVED)
    for recipe in (observed, preset("raw")):
        trace = trace_pipeline(recipe, "ab")
        assert known_base(recipe) is None
        assert trace.base is None
        assert trace.symbols.count(Status.UNKNOWN) == 0
        assert shown(unmerged(trace).items) == ["a", "b"]


def test_an_empty_text() -> None:
    for recipe in PRESETS.values():
        trace = trace_pipeline(recipe, "")
        assert trace.columns == len(trace.raw) == len(unmerged(trace).ids) == 0


def test_a_pattern_that_explodes_leaves_the_stages_before_it() -> None:
    text = "a" * 5000 + "é"
    with timeout(0.05):
        split = trace_pipeline(Recipe(normalizers=("nfd",), split="regex:(a|aa)+$"), text)
    assert split.problem is not None
    assert split.problem.stage is Stage.PRETOKENS
    assert "(a|aa)+$" in split.problem.sentence
    assert split.reaches(Stage.NORMALIZED)
    assert not split.reaches(Stage.PRETOKENS)
    assert len(split.normalized) == 5002
    assert split.columns == 5002
    assert len(split.pretokens) == len(split.symbols) == len(unmerged(split).ids) == 0
    with timeout(0.05):
        replaced = trace_pipeline(Recipe(normalizers=("nfd", Replace("(a|aa)+$", "x"))), text)
    assert replaced.problem is not None
    assert replaced.problem.stage is Stage.NORMALIZED
    assert len(replaced.raw) == replaced.columns == 5001
    assert len(replaced.normalized) == 0
    assert replaced.steps == ()


def test_a_text_that_becomes_too_long_is_not_laid_open() -> None:
    steps = (Replace("a", "a" * 100),) * 3
    with pytest.raises(RecipeError, match=f"more than {MAX_CHARACTERS:,} characters of 3"):
        follow("aaa", steps)


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"name": "mine", "vocabulary_size": 500, "merges": 3, "min_frequency": 9}, True),
        ({"description": "other words"}, True),
        ({"split": "gpt2"}, False),
        ({"normalizers": ("nfc",)}, False),
        ({"special_tokens": ("<s>",)}, False),
    ],
)
def test_recipes_that_learn_the_same_tokens(changes: dict[str, object], same: bool) -> None:
    assert same_tokens(preset("raw"), preset("raw").with_changes(**changes)) is same


def sheet_of(text: str) -> PipelineTrace:
    return trace_pipeline(preset("lines"), text)


def test_a_step_tells_where() -> None:
    nfd, remove_mn = sheet_of("aïb é").steps
    assert nfd.places.tolist() == remove_mn.places.tolist() == [[1, 3], [5, 7]]
    assert nfd.text == "ai\u0308b e\u0301"
    assert nfd.within(1, 3) == "i\u0308"
    assert remove_mn.within(1, 3) == "i"
    assert nfd.within(1, 1) == ""
