"""Sessions for tests: small true ones, and any that can come to be."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from bpe_gui.bpe.corpus import CorpusOptions
from bpe_gui.bpe.history import Decision, History, Intervention
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.sessions import (
    CorpusReference,
    FollowingLane,
    NamedLane,
    RunLane,
    SavedBranch,
    Session,
)
from tests.bpe.test_trainer import corpora, recipes

FOUR_WORDS = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)]


def trained(
    words: WordCounts,
    recipe: Recipe,
    merges: int = 1000,
    interventions: tuple[Intervention, ...] = (),
) -> History:
    """A run of the real trainer."""
    trainer = Trainer(words, recipe, interventions=interventions)
    trainer.advance(merges)
    return trainer.history


def four_words(**changes: Any) -> Session:
    """The classic four words, with a branch, a run from before, and lanes of every kind."""
    recipe = preset("whitespace").with_changes(vocabulary_size=20)
    words = WordCounts.from_pairs(FOUR_WORDS, recipe)
    original = trained(words, recipe)
    first = original.top(2)
    decided = Intervention(2, Decision.FORBID, int(first.left[0]), int(first.right[0]))
    branch = trained(words, recipe, 4, (decided,))
    before_recipe = preset("gpt2").with_changes(vocabulary_size=270)
    before = trained(WordCounts.from_pairs([(" the cat", 9)], before_recipe), before_recipe)
    whole = Session(
        corpus=CorpusReference("Four words", sample="four-words"),
        words=words,
        recipe=recipe,
        branches=(
            SavedBranch("Original", original, ((3, "est"), (5, "lo")), ((2, (4, 7)), (0, None))),
            SavedBranch("without es + t", branch),
        ),
        shown=1,
        position=3,
        text="the lowest 🙂",
        lanes=(
            FollowingLane(),
            FollowingLane(10),
            RunLane("five", original, 5, step=True),
            RunLane("before", before, len(before)),
            NamedLane("o200k", "tiktoken:o200k_base"),
            NamedLane("ranks", "/tmp/ranks.tiktoken@gpt2", {"<|end|>": 300}),
        ),
        lockstep=(original, before),
        layout={"workspace": "compare", "speed": 5.0},
    )
    parts = {name: getattr(whole, name) for name in Session.__struct_fields__}
    return Session(**{**parts, **changes})


def of_files() -> Session:
    """The same words, counted from a file."""
    return four_words(corpus=CorpusReference("words", ("/texts/low.csv",)))


@st.composite
def interventions(draw: st.DrawFn, run: History) -> tuple[Intervention, ...]:
    """One decision that a run can be decided otherwise by, or none."""
    steps = [step for step in range(len(run)) if len(run.top(step))]
    if not steps:
        return ()
    step = draw(st.sampled_from(steps))
    top = run.top(step)
    place = draw(st.integers(0, len(top) - 1))
    decision = draw(st.sampled_from(list(Decision)))
    if decision is Decision.FORCE and top.count[place] < run.recipe.min_frequency:
        return ()
    return (Intervention(step, decision, int(top.left[place]), int(top.right[place])),)


names = st.text(max_size=20).map(lambda text: text.encode("utf-8", "ignore").decode("utf-8"))


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    """Runs of any recipe on any small corpus, wherever they have got to, and branches of them."""
    recipe, corpus = draw(recipes()), draw(corpora)
    words = WordCounts.from_pairs(corpus, recipe)
    runs = [trained(words, recipe, draw(st.integers(0, 40)))]
    for _ in range(draw(st.integers(0, 2))):
        decided = draw(interventions(runs[0]))
        runs.append(trained(words, recipe, draw(st.integers(0, 40)), decided))
    marks = st.lists(
        st.tuples(st.integers(0, 50), names), max_size=3, unique_by=lambda mark: mark[0]
    )
    ids = st.integers(0, 400)
    guesses = st.lists(
        st.tuples(st.integers(0, 50), st.none() | st.tuples(ids, ids)),
        max_size=3,
        unique_by=lambda guess: guess[0],
    )
    # A run of another recipe on the same words, as far as this is looked at.
    other = trained(words, recipe, draw(st.integers(0, 5)))
    pairs = st.permutations([*runs, other]).map(lambda some: tuple(some[:2]))
    shown = draw(st.integers(0, len(runs) - 1))
    position = st.integers(0, len(runs[0]))
    lanes = st.one_of(
        st.builds(FollowingLane, st.sampled_from([1, 10])),
        st.builds(RunLane, names, st.just(runs[0]), position, st.booleans()),
        st.builds(NamedLane, names, names, st.none() | names),
    )
    return Session(
        corpus=CorpusReference(
            draw(names),
            sources=("/a/b.txt", "-"),
            options=CorpusOptions(draw(st.sampled_from(["file", "line"])), "utf-8"),
        ),
        words=words,
        recipe=recipe.with_changes(vocabulary_size=100_000),
        branches=tuple(
            SavedBranch(str(number), run, tuple(draw(marks)), tuple(draw(guesses)))
            for number, run in enumerate(runs)
        ),
        shown=shown,
        position=draw(st.integers(0, len(runs[shown]))),
        text=draw(names),
        lanes=draw(st.none() | st.lists(lanes, max_size=3).map(tuple)),
        lockstep=draw(st.just(()) | pairs),
        saved_as=draw(st.none() | st.just("/texts/mine.bpesession")),
        layout=draw(st.dictionaries(names, st.integers() | names | st.lists(st.booleans()))),
    )
