"""Training on from an encoding: ids and merges stay, and the library reads the result."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers, processors

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import PRESETS, Recipe, Ties
from bpe_gui.bpe.tokenizer import Tokenizer as OurTokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings import save
from bpe_gui.encodings.base import Encoding, ExportError
from bpe_gui.encodings.formats import huggingface_export, minbpe, tiktoken_ranks
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.going_on import note_on, recipe_going_on
from tests.bpe.test_trainer import assert_equals_oracle
from tests.encodings.runs import byte_runs, corpora, texts, train


def gone_on(encoding: Encoding, corpus: list[str], merges: int, **changes: object) -> History:
    """Train on from an encoding by this many merges."""
    recipe = recipe_going_on(encoding)
    assert recipe.inherited is not None
    recipe = recipe.with_changes(merges=len(recipe.inherited) + merges, **changes)
    words = WordCounts.from_pairs([(text, 1) for text in corpus], recipe, compiled=False)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(merges + len(recipe.inherited))
    return trainer.history


@settings(max_examples=settings.default.max_examples // 2)
@given(
    st.sampled_from([*PRESETS]), st.sampled_from([(), ("<end>",)]), st.sampled_from(list(Ties)),
    corpora, corpora, texts,
)  # fmt: skip
def test_the_library_reads_a_run_that_went_on(
    preset: str,
    specials: tuple[str, ...],
    ties: Ties,
    first: list[str],
    second: list[str],
    text: str,
) -> None:
    recipe = PRESETS[preset].with_changes(vocabulary_size=None, min_frequency=1)
    recipe = recipe.with_changes(special_tokens=(*recipe.special_tokens, *specials))
    try:
        saved = huggingface_export.to_json(train(recipe, first, 20))
        old = Tokenizer.from_str(saved)
        history = gone_on(HuggingFaceEncoding(old, "old"), second, 20, ties=ties)
        new = Tokenizer.from_str(huggingface_export.to_json(history))
    except ExportError:
        return  # two tokens written alike
    assert_equals_oracle([(text, 1) for text in second], history.recipe, compiled=False)
    old_ids, new_ids = old.get_vocab(), new.get_vocab()
    assert {token: new_ids[token] for token in old_ids} == old_ids
    assert sorted(new_ids.values())[len(old_ids) :] == [
        *range(max(old_ids.values(), default=-1) + 1, len(new_ids))
    ]
    merges = [json.loads(each.to_str())["model"]["merges"] for each in (old, new)]
    assert merges[1][: len(merges[0])] == merges[0]
    whole = f"{text}<end>{''.join(second)}"
    ours = history.own_ids(OurTokenizer(history, compiled=False).encode_ids(whole))
    assert new.encode(whole).ids == ours[ours != NO_TOKEN].tolist()
    for old_text in (text, *first):
        found = new.encode(old_text).ids
        if max(found, default=0) < len(old_ids):
            assert found == old.encode(old_text).ids


@settings(max_examples=settings.default.max_examples // 2)
@given(
    byte_runs(("gpt2", "cl100k", "o200k", "none"), ("<end>", "<|pad|>")),
    st.sampled_from(["x.tiktoken", "x.model"]), corpora, texts,
)  # fmt: skip
def test_ranks_and_minbpe_files_go_on_as_tokenizer_json(
    tmp_path_factory: pytest.TempPathFactory,
    history: History,
    name: str,
    corpus: list[str],
    text: str,
) -> None:
    path = tmp_path_factory.getbasetemp() / f"on-{name}"
    encoding: Encoding
    try:
        save.format_of(path).write(history, path, None)
        if name == "x.tiktoken":
            encoding = tiktoken_ranks.read(path, *tiktoken_ranks.read_options(history))
        else:
            encoding = minbpe.read(path, compiled=False)
        more = gone_on(encoding, corpus, 10)
    except ExportError:
        return  # what this format cannot hold
    new = Tokenizer.from_str(huggingface_export.to_json(more))
    found = new.encode(text).ids
    ours = more.own_ids(OurTokenizer(more, compiled=False).encode_ids(text))
    assert found == ours.tolist()
    if max(found, default=0) <= max(encoding.ids):
        assert found == encoding.encode(text).ids.tolist()
    with pytest.raises(ExportError, match=r"keeps its ids only as tokenizer\.json"):
        save.format_of(path).write(more, path, None)


def with_end_behind() -> HuggingFaceEncoding:
    """Bytes and a few merges as GPT-2 has them: <|endoftext|> stands behind the vocabulary."""
    letters = pre_tokenizers.ByteLevel.alphabet()
    vocabulary = {letter: token for token, letter in enumerate(sorted(letters))}
    pairs = [("l", "o"), ("lo", "w"), ("Ġ", "lo")]
    for left, right in pairs:
        vocabulary[left + right] = len(vocabulary)
    library = Tokenizer(models.BPE(vocabulary, pairs))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.add_special_tokens([AddedToken("<|endoftext|>", special=True, lstrip=True)])
    library.post_processor = processors.TemplateProcessing(
        single="$A <|endoftext|>", special_tokens=[("<|endoftext|>", 259)]
    )
    return HuggingFaceEncoding(library, "small.json")


def test_what_stands_behind_the_vocabulary_stays_and_new_ids_come_after() -> None:
    history = gone_on(with_end_behind(), ["lowest lowest low"], 3)
    state = json.loads(huggingface_export.to_json(history))
    library = Tokenizer.from_str(json.dumps(state))
    assert library.token_to_id("<|endoftext|>") == 259
    assert state["added_tokens"][0]["lstrip"] is True
    assert library.encode("low").ids[-1] == 259  # the template is as it was
    assert [token for token, id in library.get_vocab().items() if id > 259] != []
    assert min(id for id in library.get_vocab().values() if id > 259) == 260
    assert history.own_id(int(history.new_id[-1])) == 262


def test_a_merge_that_spells_a_token_that_was_never_made_makes_that() -> None:
    vocabulary = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5}
    library = Tokenizer(models.BPE(vocabulary, [("a", "b"), ("b", "c"), ("a", "bc")]))
    history = gone_on(HuggingFaceEncoding(library, "x"), ["abcabc"], 2)
    assert history.texts(len(history)) == ["a", "b", "c", "ab", "bc", "abc", "abcabc"]
    again = Tokenizer.from_str(huggingface_export.to_json(history))
    assert again.encode("abcabc").ids == [6]
    assert again.encode("abc").ids == [5]


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (models.WordPiece({"[UNK]": 0}), "has no merges, because it is WordPiece"),
        (models.Unigram([("a", -1.0)], None, False), "has no merges, because it is Unigram"),
        (
            models.BPE(
                {"a": 0, "b": 1, "ab": 2, "ba": 3, "aba": 4, "abab": 5},
                [("a", "b"), ("b", "a"), ("a", "ba"), ("aba", "b"), ("ab", "a")],
            ),
            "another merge of x makes its token .aba. after one has used it",
        ),
    ],
)
def test_what_cannot_go_on_says_why(model: models.Model, why: str) -> None:
    with pytest.raises(ExportError, match=why):
        recipe_going_on(HuggingFaceEncoding(Tokenizer(model), "x"))


def test_a_pattern_that_means_something_else_to_the_library_is_refused() -> None:
    """Oniguruma repeats the repetition, so it does not split numbers; ours is possessive."""
    letters = pre_tokenizers.ByteLevel.alphabet()
    vocabulary = {letter: token for token, letter in enumerate(sorted(letters))} | {"34": 300}
    library = Tokenizer(models.BPE(vocabulary, [("3", "4")]))
    library.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"\p{N}{1,3}+|[^\p{N}]+"), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    assert len(library.encode("1234").ids) == 3
    with pytest.raises(ExportError, match="prepares text otherwise than its recipe says"):
        recipe_going_on(HuggingFaceEncoding(library, "numbers.json"))


def test_it_is_saved_where_its_reader_agrees(tmp_path: Path) -> None:
    history = gone_on(with_end_behind(), ["lowest lowest low"], 3)
    path = tmp_path / "more.json"
    agreement = save.save(history, path, save.format_named("tokenizer.json"), None)
    assert agreement.agreed
    read = HuggingFaceEncoding(Tokenizer.from_file(str(path)), "more")
    again = recipe_going_on(read)
    assert isinstance(again, Recipe)
    assert again.inherited is not None
    assert again.inherited.first_new_id == 263
    assert np.array_equal(again.inherited.merges[:, 0], history.left)


@pytest.mark.parametrize("is_byte_level", [False, True])
@pytest.mark.parametrize("unknown", [None, "<unk>"])
def test_a_note_says_that_the_library_merges_across_what_it_does_not_know(
    unknown: str | None, *, is_byte_level: bool
) -> None:
    vocabulary = {"a": 0, "b": 1, "ab": 2} | ({unknown: 3} if unknown else {})
    library = Tokenizer(models.BPE(vocabulary, [("a", "b")], unk_token=unknown))
    library.add_special_tokens([unknown] if unknown else [])
    if is_byte_level:
        library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    recipe = recipe_going_on(HuggingFaceEncoding(library, "few.json"))
    is_noted = "few.json has no unknown token: its library drops characters" in note_on(recipe)
    assert is_noted == (library.encode("axb").tokens == ["ab"])


@pytest.mark.parametrize("preset", PRESETS)
def test_of_saved_runs_no_note_speaks_of_what_is_unknown(preset: str) -> None:
    saved = huggingface_export.to_json(train(PRESETS[preset], ["low lower newest"], 5))
    recipe = recipe_going_on(HuggingFaceEncoding(Tokenizer.from_str(saved), "ours.json"))
    assert "unknown token" not in note_on(recipe)
