"""Added tokens that take white space, are found within no word, or in the normalized text: a run
finds them as the library does.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers
from tokenizers import decoders as library_decoders
from tokenizers.trainers import BpeTrainer

from bpe_gui.analysis.pipeline.trace import trace_pipeline
from bpe_gui.analysis.word_preview import PieceKind, preview_words
from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.recipe import PRESETS, TOKEN_OPTIONS, Recipe, RecipeError
from bpe_gui.bpe.special_tokens import SpecialTokens
from bpe_gui.bpe.tokenizer import StepwiseEncoding
from bpe_gui.bpe.tokenizer import Tokenizer as OurTokenizer
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.formats import huggingface_export, tiktoken_ranks
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.going_on import recipe_going_on
from bpe_gui.encodings.import_history import history_with_ids
from bpe_gui.encodings.ours import TrainedEncoding
from tests.encodings.runs import train
from tests.encodings.test_fallback_runs import library as fallback_library
from tests.encodings.test_going_on import gone_on

CORPUS = ["the lowest of the low, the newest of the new", "  É é <m> 12 the\n\n the"]
TOKENS = ["<m>", "<M>", "m>", "low", "<s>", "<É>", "the low", "|", "x"]

NORMALIZERS: dict[str, Any] = {
    "none": None,
    "nothing": normalizers.Sequence([]),
    "NFC": normalizers.NFC(),
    "lower case": normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()]),
    "white space": normalizers.Sequence([normalizers.Replace("\n", " "), normalizers.Lowercase()]),
}


def byte_level(normalizer: str, *, prefix: bool = False) -> Tokenizer:
    """A byte-level tokenizer, as RoBERTa and Phi have it."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    made.decoder = library_decoders.ByteLevel()
    alphabet = list(CHARACTER_OF_BYTE)
    made.train_from_iterator(
        CORPUS, BpeTrainer(vocab_size=290, initial_alphabet=alphabet, show_progress=False)
    )
    if NORMALIZERS[normalizer] is not None:
        made.normalizer = NORMALIZERS[normalizer]
    return made


MARKED = ["first", "always", "never"]

KINDS = [*(f"bytes, {name}" for name in NORMALIZERS), "bytes, prefix", "Llama 2", "Gemma", *MARKED]


@cache
def saved(kind: str) -> str:
    if kind == "bytes, prefix":
        return str(byte_level("none", prefix=True).to_str())
    if kind.startswith("bytes, "):
        return str(byte_level(kind.removeprefix("bytes, ")).to_str())
    return str(fallback_library(kind, CORPUS).to_str())


def library(kind: str, tokens: Sequence[AddedToken]) -> Tokenizer:
    """A tokenizer with added tokens, of which it may have both kinds."""
    made = Tokenizer.from_str(saved(kind))
    for token in tokens:
        (made.add_special_tokens if token.special else made.add_tokens)([token])
    return made


def are_refused(kind: str, tokens: Sequence[AddedToken]) -> bool:
    """Whether tokens are found when others were found, and before a step that is a normalizer of a
    recipe, or two of them are one after normalization.
    """
    found = [token.normalized for token in tokens]
    if kind in MARKED or kind == "bytes, prefix":
        return any(found) and (kind in MARKED or not all(found))
    alike = {token.content for token in tokens if token.normalized} >= {"<m>", "<M>"}
    return alike and kind in ("bytes, lower case", "bytes, white space")


added_tokens = st.lists(
    st.builds(
        AddedToken,
        st.sampled_from(TOKENS),
        single_word=st.booleans(),
        lstrip=st.booleans(),
        rstrip=st.booleans(),
        normalized=st.booleans(),
        special=st.booleans(),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda token: token.content,
)

hostile = st.lists(
    st.sampled_from(
        [*TOKENS, "<", "s>", " ", "  ", "\n", "\t", "\u3000", "\xa0", "\x85", "é", "e", "E\u0301",
         "\u0301", "a", "1", "日", "👩🏽‍🚀", "\x00", ".", "▁", "LOW", "The Low", "\u200d"]
    ),
    max_size=8,
).map("".join)  # fmt: skip


@settings(max_examples=settings.default.max_examples * 2)
@given(st.sampled_from(KINDS), added_tokens, hostile, st.data())
def test_a_run_finds_them_as_the_library_does(
    kind: str, tokens: list[AddedToken], text: str, data: st.DataObject
) -> None:
    whole = library(kind, tokens)
    encoding = HuggingFaceEncoding(whole, kind)
    assume(not are_refused(kind, tokens))
    history, numbers = history_with_ids(encoding)
    ids = np.array(numbers)
    ours = OurTokenizer(history, compiled=False).encode(text)
    theirs = encoding.encode(text)
    assert ids[ours.ids].tolist() == theirs.ids.tolist() == whole.encode(text).ids
    assert ours.starts.tolist() == theirs.starts.tolist()
    assert ours.ends.tolist() == theirs.ends.tolist()
    position = data.draw(st.integers(0, len(history)))
    state = json.loads(whole.to_str())
    state["model"]["merges"] = state["model"]["merges"][:position]
    found = Tokenizer.from_str(json.dumps(state)).encode(text).ids
    stepwise = StepwiseEncoding(history, text, compiled=False)
    assert ids[stepwise.tokens(position).ids].tolist() == found
    at = TrainedEncoding(history, position)
    _, in_documents = at.encode_documents(text.encode(), np.array([len(text.encode())]))
    assert ids[in_documents.ids].tolist() == found
    trace = trace_pipeline(history.recipe, text, history.base, compiled=False)
    assert trace.ids.tolist() == stepwise.tokens(0).ids.tolist()
    pieces = preview_words(
        text,
        history.recipe.normalizers,
        history.recipe.split,
        SpecialTokens.of(partial(getattr, history.recipe)),
    ).pieces
    specials = [piece for piece in pieces if piece.kind is PieceKind.SPECIAL]
    symbols = {token for token in history.base.symbol_ids if token < history.base.special}
    found_specials = [token for token in trace.ids.tolist() if token < history.base.special]
    assert len(specials) <= len(found_specials)
    assert symbols or len(specials) == len(found_specials)


@given(st.sampled_from(KINDS), added_tokens, hostile)
def test_the_library_reads_a_run_that_went_on(
    kind: str, tokens: list[AddedToken], text: str
) -> None:
    assume(not are_refused(kind, tokens))
    # A character of the unknown alphabet that is added would be taken for a symbol.
    whole = library(kind, [token for token in tokens if len(token.content) > 1])
    history = gone_on(HuggingFaceEncoding(whole, kind), ["tower on tower"], 3)
    new = Tokenizer.from_str(huggingface_export.to_json(history))
    for each in (text, f"{text} on tower <m> on"):
        ours = OurTokenizer(history, compiled=False).encode_ids(each)
        assert history.own_ids(ours).tolist() == new.encode(each).ids


options = st.lists(st.sampled_from(["<m>", "<M>", "low", "the low"]), max_size=2, unique=True)


@given(
    st.sampled_from([(), ("lowercase",), ("nfc", "lowercase")]),
    st.fixed_dictionaries({name: options.map(tuple) for name in TOKEN_OPTIONS}),
    hostile,
)
def test_a_recipe_has_them(
    steps: tuple[str, ...], how: dict[str, tuple[str, ...]], text: str
) -> None:
    specials = ("<m>", "<M>", "low", "the low")
    recipe = PRESETS["gpt2"].with_changes(special_tokens=specials, normalizers=steps, **how)
    assert recipe_io.from_json(recipe_io.to_json(recipe)) == recipe
    history = train(recipe, CORPUS, 20)
    ours = OurTokenizer(history, compiled=False)
    if steps and {"<m>", "<M>"} == set(how["normalized_tokens"]):
        with pytest.raises(ExportError, match="where both are the same"):
            huggingface_export.to_json(history)
        return
    written = Tokenizer.from_str(huggingface_export.to_json(history))
    assert ours.encode_ids(text).tolist() == written.encode(text).ids
    again, numbers = history_with_ids(HuggingFaceEncoding(written, "again"))
    found = OurTokenizer(again, compiled=False).encode_ids(text)
    assert np.array(numbers, np.int64)[found].tolist() == written.encode(text).ids
    data = text.encode()
    cut = TrainedEncoding(history).safe_cut(data)
    both = [*ours.encode_ids(data[:cut].decode()), *ours.encode_ids(data[cut:].decode())]
    assert both == ours.encode_ids(text).tolist()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the <mask> low", ["the", " <mask>", "Ġlow"]),
        ("the \u3000\n<mask>", ["the", " \u3000\n<mask>"]),
        ("the<mask>", ["the", "<mask>"]),
    ],
)
def test_the_space_before_a_mask_is_its_own(text: str, shown: list[str]) -> None:
    whole = library("bytes, none", [AddedToken("<mask>", lstrip=True, special=True)])
    history, _ = history_with_ids(HuggingFaceEncoding(whole, "roberta.json"))
    tokens = OurTokenizer(history, compiled=False).encode(text)
    spans = zip(tokens.char_starts.tolist(), tokens.char_ends.tolist(), strict=True)
    assert [text[begin:end].replace(" low", "Ġlow") for begin, end in spans] == shown


def test_two_tokens_at_one_place_are_refused() -> None:
    tokens = [AddedToken("<s>", rstrip=True), AddedToken("  x")]
    with pytest.raises(ExportError, match="another that begins with white space"):
        recipe_going_on(HuggingFaceEncoding(library("bytes, none", tokens), "file"))


def test_tokens_found_before_spaces_are_marked_are_refused() -> None:
    tokens = [AddedToken("<a>", normalized=True), AddedToken("<b>", normalized=False)]
    for kind in (*MARKED, "bytes, prefix"):
        with pytest.raises(ExportError, match="before it marks spaces"):
            recipe_going_on(HuggingFaceEncoding(library(kind, tokens), "file"))


def test_tokens_that_are_one_after_normalization_are_refused() -> None:
    tokens = [AddedToken("<m>", normalized=True), AddedToken("<M>", normalized=True)]
    with pytest.raises(ExportError, match="'<m>' and '<M>' in normalized text"):
        recipe_going_on(HuggingFaceEncoding(library("bytes, lower case", tokens), "file"))


def test_other_formats_cannot_have_them() -> None:
    recipe = PRESETS["gpt2"].with_changes(special_tokens=("<m>",), lstrip_tokens=("<m>",))
    with pytest.raises(ExportError, match="takes the white space before it"):
        tiktoken_ranks.check(train(recipe, CORPUS, 2), 2)


@pytest.mark.parametrize("name", TOKEN_OPTIONS)
def test_only_special_tokens_are_found_in_another_way(name: str) -> None:
    with pytest.raises(RecipeError, match=rf"in {name}, the token '<x>' must be one of"):
        Recipe(special_tokens=("<m>",), **{name: ("<x>",)})
    with pytest.raises(RecipeError, match=rf"in {name}, the token '<m>' is given twice"):
        Recipe(special_tokens=("<m>",), **{name: ("<m>", "<m>")})
