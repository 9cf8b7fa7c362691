"""Encodings from files as runs again: at every position what the run was that was saved."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)

from bpe_gui.analysis.curves import metrics_over_merges
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, Alphabet, Prepend, Recipe, Replace
from bpe_gui.bpe.tokenizer import Tokenizer as OurTokenizer
from bpe_gui.encodings import save
from bpe_gui.encodings.base import Encoding, ExportError
from bpe_gui.encodings.formats import huggingface_export, minbpe, tiktoken_ranks
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.split_patterns import ALIKE, TIKTOKEN_IN_ONIGURUMA
from bpe_gui.encodings.import_history import history_of, history_with_ids
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.ours import TrainedEncoding
from tests.encodings.runs import GPT2_RANKS, byte_runs, corpora, needs_gpt2_ranks, texts, train

OWN = (
    {"normalizers": ("nfkc", "lowercase"), "split": "digits"},
    {"normalizers": (Replace(" +", " "), Prepend("_")), "split": r"regex:\p{L}+|[^\p{L}]"},
    {"split": "punctuation"},
)


def same_at_all_positions(history: History, found: History, text: str) -> None:
    """Whether both cut a text into as many tokens, of the same kinds, at every position."""
    assert len(found) == len(history)
    places = np.arange(len(history) + 1)
    mine, theirs = (
        metrics_over_merges(run, text, places, compiled=False) for run in (history, found)
    )
    for column in ("tokens", "unknowns", "vocabulary_used", "vocabulary_size"):
        assert getattr(mine, column).tolist() == getattr(theirs, column).tolist()


@settings(max_examples=settings.default.max_examples // 2)
@given(
    st.sampled_from([*PRESETS]),
    st.sampled_from([(), ("<end>",)]),
    st.sampled_from([{}, *OWN]),
    corpora,
    texts,
)
def test_what_tokenizer_json_holds_is_the_run(
    preset: str,
    specials: tuple[str, ...],
    own: dict[str, object],
    corpus: list[str],
    text: str,
) -> None:
    recipe = PRESETS[preset].with_changes(vocabulary_size=None, min_frequency=1)
    recipe = recipe.with_changes(special_tokens=(*recipe.special_tokens, *specials))
    if recipe.byte_level:
        recipe = recipe.with_changes(**own)
    history = train(recipe, corpus, 40)
    try:
        saved = huggingface_export.to_json(history)
    except ExportError:
        return  # two tokens written alike
    encoding = HuggingFaceEncoding(Tokenizer.from_str(saved), "saved")
    found = history_of(encoding)
    assert (found.left.tolist(), found.right.tolist()) == (
        history.left.tolist(), history.right.tolist()
    )  # fmt: skip
    same_at_all_positions(history, found, f"{text}<end>{''.join(corpus)}")


@settings(max_examples=settings.default.max_examples // 2)
@given(
    byte_runs(("gpt2", "cl100k", "o200k", "none"), ("<end>", "<|pad|>")),
    st.sampled_from(["x.tiktoken", "x.model"]),
    texts,
)
def test_ranks_and_minbpe_files_are_the_run(
    tmp_path_factory: pytest.TempPathFactory, history: History, name: str, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    encoding: Encoding
    try:
        save.format_of(path).write(history, path, None)
    except ExportError:
        return  # what this format cannot hold
    if name == "x.tiktoken":
        encoding = tiktoken_ranks.read(path, *tiktoken_ranks.read_options(history))
    else:
        encoding = minbpe.read(path, compiled=False)
    same_at_all_positions(history, history_of(encoding), f"{text}<end>{text}")


def library(model: models.Model, **steps: object) -> HuggingFaceEncoding:
    made = Tokenizer(model)
    for name, step in steps.items():
        setattr(made, name, step)
    return HuggingFaceEncoding(made, "other.json")


def merging(vocabulary: dict[str, int] | None = None, **options: object) -> models.BPE:
    return models.BPE(vocabulary or {"a": 0, "b": 1, "ab": 2}, [("a", "b")], **options)


@pytest.mark.parametrize(
    ("encoding", "why"),
    [
        (library(models.WordPiece({"[UNK]": 0})), "has no merges, because it is WordPiece"),
        (library(merging(), normalizer=normalizers.StripAccents()), "normalizes as no recipe"),
        (library(merging(), pre_tokenizer=pre_tokenizers.Metaspace()), "it can be compared"),
        (
            library(
                merging(),
                pre_tokenizer=pre_tokenizers.Sequence(
                    [pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Digits()]
                ),
            ),
            "drops or skips text",
        ),
        (library(merging(), pre_tokenizer=pre_tokenizers.CharDelimiterSplit("a")), "splits as no"),
        (
            library(merging(), pre_tokenizer=pre_tokenizers.Split("a", "merged_with_next")),
            r"splits as no recipe does \(MergedWithNext\)",
        ),
        (
            library(merging(), pre_tokenizer=pre_tokenizers.Split("a", "removed", invert=False)),
            "drops the text",
        ),
        (
            library(
                merging(),
                pre_tokenizer=pre_tokenizers.Sequence(
                    [
                        pre_tokenizers.Split(Regex("a+"), "removed", invert=True),
                        pre_tokenizers.Digits(individual_digits=True),
                    ]
                ),
            ),
            "'matches:a.' cannot be one of several steps, because it drops or skips text",
        ),
        (library(merging({"a": 0, "b": 1, "ab": 2, "abc": 3})), "makes its token .abc."),
        (library(merging(end_of_word_suffix="@@")), "marks the ends of words"),
        (
            library(
                models.BPE(
                    {"a": 0, "##b": 1, "ab": 2}, [("a", "##b")], continuing_subword_prefix="##"
                )
            ),
            "marks the insides of words",
        ),
    ],
)
def test_what_is_no_run_is_refused(encoding: HuggingFaceEncoding, why: str) -> None:
    with pytest.raises(ExportError, match=why):
        history_of(encoding)


def test_a_token_for_unknown_characters_need_not_be_looked_for_in_texts() -> None:
    vocabulary = {"<unk>": 9, "a": 0, "b": 1, "ab": 2, "<": 3}
    encoding = library(merging(vocabulary, unk_token="<unk>"))
    history, ids = history_with_ids(encoding)
    assert history.recipe.unknown_token == "<unk>"
    ours = [ids[token] for token in OurTokenizer(history).encode_ids("ab<unk>?")]
    assert ours == encoding.encode("ab<unk>?").ids.tolist() == [2, 3, *[9] * 5]


STEPS = (
    [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)],
    [
        pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"),
        pre_tokenizers.Split(Regex("[一-龥ぁ-ヿ]+"), "isolated"),
        pre_tokenizers.Split(Regex(r"[!-/]\p{L}+|\s?\p{L}+|\s+(?!\S)|\s+"), "isolated"),
        pre_tokenizers.ByteLevel(False, use_regex=False),
    ],
    [pre_tokenizers.Split("ab", "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)],
    [pre_tokenizers.ByteLevel(add_prefix_space=True)],
    *(
        [
            pre_tokenizers.Split(Regex(pattern), "removed", invert=True),
            pre_tokenizers.ByteLevel(False, use_regex=False),
        ]
        for pattern in sorted(ALIKE | TIKTOKEN_IN_ONIGURUMA.keys())
    ),
    *(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(False, use_regex=False),
        ]
        for pattern in sorted(TIKTOKEN_IN_ONIGURUMA)
    ),
)
"""How models in use split text in several steps, a step that skips most of it, a space that is put
before a text, and steps that keep only what matches, which is all of the text."""


@given(st.sampled_from(STEPS), corpora, texts)
def test_an_encoding_with_the_steps_of_models_in_use_is_a_run(
    steps: list[pre_tokenizers.PreTokenizer], corpus: list[str], text: str
) -> None:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(steps)
    trainer = trainers.BpeTrainer(
        vocab_size=300, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    made.train_from_iterator(corpus, trainer)
    encoding = HuggingFaceEncoding(made, "steps.json")
    history, ids = history_with_ids(encoding)
    for each in (text, *corpus):
        assert np.array(ids)[ids_of(history, each)].tolist() == encoding.encode(each).ids.tolist()
    if not history.recipe.normalizers and not read_only(history.recipe):
        again = Tokenizer.from_str(huggingface_export.to_json(history))
        assert again.encode(text).ids == ids_of(history, text)


def read_only(recipe: Recipe) -> bool:
    """Whether a recipe has a pattern that is read, but not written again."""
    return recipe.split.startswith("regex:") and "(?i" in recipe.split


def ids_of(history: History, text: str) -> list[int]:
    return TrainedEncoding(history).encode(text).ids.tolist()


def test_a_split_that_is_no_regex_of_ours_is_refused() -> None:
    state = json.loads(Tokenizer(merging()).to_str())
    state["pre_tokenizer"] = {
        "type": "Split", "pattern": {"Regex": "(?~abc)"}, "behavior": "Isolated",
        "invert": False,
    }  # fmt: skip
    encoding = HuggingFaceEncoding(Tokenizer.from_str(json.dumps(state)), "other.json")
    with pytest.raises(ExportError, match=r"other\.json has steps that no recipe has"):
        history_of(encoding)


def test_tokens_that_two_merges_make_are_one() -> None:
    model = models.BPE(
        {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5},
        [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc")],
    )
    found = history_of(library(model, decoder=decoders.Fuse()))
    assert found.new_id.tolist() == [3, 4, 5, 5]
    assert found.vocabulary_size(4) == 6


def test_special_tokens_are_found_in_the_run_as_well() -> None:
    made = Tokenizer(merging())
    made.add_special_tokens([AddedToken("<s>", special=True, normalized=False)])
    recipe: Recipe = history_of(HuggingFaceEncoding(made, "x")).recipe
    assert recipe.special_tokens == ("<s>",)
    assert recipe.alphabet is Alphabet.OBSERVED


@needs_gpt2_ranks
def test_gpt2s_ranks_are_a_run_of_fifty_thousand_merges() -> None:
    encoding = open_encoding(f"{GPT2_RANKS}@gpt2")
    found = history_of(encoding)
    assert len(found) == 50_000
    text = Path(__file__).read_text()
    last = metrics_over_merges(found, text, np.array([50_000]), compiled=False)
    assert last.tokens.tolist() == [len(encoding.encode(text))]
