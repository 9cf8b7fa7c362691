"""Encodings that fall back to bytes, as runs: their library decides at every position."""

from __future__ import annotations

import json
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray
from sentencepiece import SentencePieceProcessor
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from tokenizers.trainers import BpeTrainer

from bpe_gui.analysis.concordance import Occurrence, find_places
from bpe_gui.analysis.explain import explain
from bpe_gui.analysis.pipeline.trace import trace_pipeline
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.taken_over import added_and_saved, tokens_before
from bpe_gui.analysis.word_preview import preview_words
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import History
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import (
    Alphabet,
    EndOfWord,
    PrependOnce,
    Recipe,
    RecipeError,
    Replace,
    Symbols,
)
from bpe_gui.bpe.special_tokens import SpecialTokens
from bpe_gui.bpe.tokenizer import StepwiseEncoding
from bpe_gui.bpe.tokenizer import Tokenizer as OurTokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, count_corpus
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.formats import huggingface_export, sentencepiece_export
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.sentencepiece_models import (
    PieceType,
    SentencePieceEncoding,
    from_pieces,
    outline_of,
)
from bpe_gui.encodings.going_on import note_on, recipe_going_on
from bpe_gui.encodings.import_history import history_with_ids
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.rebuilt import rebuilt
from bpe_gui.sessions import CorpusReference, SavedBranch, Session
from bpe_gui.sessions.file import from_bytes, to_bytes
from tests.bpe.test_trainer import assert_equals_oracle
from tests.encodings.formats.test_sentencepiece_export import trained as trained_model
from tests.encodings.runs import corpora, texts, train
from tests.encodings.test_going_on import gone_on
from tests.sessions.made import trained
from tests.sessions.test_round_trip import assert_same

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
SPECIALS = ["<unk>", "<s>", "</s>"]

KINDS: dict[str, dict[str, Any]] = {
    "Llama 2": {
        "normalizer": normalizers.Sequence(
            [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
        )
    },
    "Gemma": {
        "normalizer": normalizers.Replace(" ", "▁"),
        "pre_tokenizer": pre_tokenizers.Split(" ", "merged_with_previous"),
    },
    "always": {"pre_tokenizer": pre_tokenizers.Metaspace(prepend_scheme="always", split=False)},
    "first": {"pre_tokenizer": pre_tokenizers.Metaspace(prepend_scheme="first", split=False)},
    "first, split": {"pre_tokenizer": pre_tokenizers.Metaspace(prepend_scheme="first")},
    "split": {"pre_tokenizer": pre_tokenizers.Metaspace(prepend_scheme="always", split=True)},
    "never": {"pre_tokenizer": pre_tokenizers.Metaspace(prepend_scheme="never", split=True)},
    "plain": {},
}


def library(
    kind: str, corpus: list[str], *, merges: int = 30, changes: dict[str, Any] | None = None
) -> Tokenizer:
    """A tokenizer with the steps of models in use, trained by its library.

    changes: what its model has otherwise.
    """
    made = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    for name, step in KINDS[kind].items():
        setattr(made, name, step)
    made.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    known = [*SPECIALS, *BYTES]
    letters = {"▁", *"".join(corpus)} - {" "}
    size = len(known) + len(letters) + merges
    trainer = BpeTrainer(vocab_size=size, special_tokens=known, show_progress=False)
    made.train_from_iterator([*corpus, " "], trainer)  # all such models have the mark
    state = json.loads(made.to_str())
    state["added_tokens"] = state["added_tokens"][: len(SPECIALS)]
    state["model"] |= changes or {}
    return Tokenizer.from_str(json.dumps(state))


def with_first_merges(whole: Tokenizer, merges: int) -> Tokenizer:
    """The same tokenizer, with the same ids, with its first merges only."""
    state = json.loads(whole.to_str())
    state["model"]["merges"] = state["model"]["merges"][:merges]
    return Tokenizer.from_str(json.dumps(state))


hostile = st.lists(
    st.one_of(
        texts,
        st.sampled_from(
            [*SPECIALS, "<x>", "low", "é", "<0x0A>", "<s", " ", "   ", "▁", "▁▁ ", "👩🏽‍🚀", "\x00"]
        ),
    ),
    max_size=6,
).map("".join)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "plain"])
def test_the_mark_of_a_space_stands_for_a_space_wherever_a_run_shows_tokens(kind: str) -> None:
    """It is so in the library, too; only the vocabulary is written with marks."""
    corpus = ["the cat and the hat", "the cat and the mat"]
    encoding = HuggingFaceEncoding(library(kind, corpus), kind)
    history, ids = history_with_ids(encoding)
    run = TrainedEncoding(history, len(history))
    spelled = {token: history.id_to_token(token) for token in range(len(ids))}
    assert any("▁" in text for text in spelled.values())
    for token, number in enumerate(ids):
        if not history.is_special(token):
            assert history.token_bytes(token) == encoding.token_bytes(number)
    assert run.decode(run.encode(corpus[0]).ids.tolist()).lstrip() == corpus[0]
    occurrences: list[Occurrence] = []
    find_places(Texts(corpus), history, 0, (spelled_as("▁", spelled),), occurrences.extend)
    assert {part for place in occurrences for part in place.parts} == {b" "}
    assert not any("▁".encode() in place.before + place.after for place in occurrences)
    recipe = recipe_going_on(encoding).with_changes(vocabulary_size=None, merges=len(history) + 5)
    words = count_corpus(Texts(corpus), recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(1000)
    segmented = SegmentedCorpus(words, trainer.history, compiled=False)
    shares = [share for step in (0, 1, 2) for share in explain(segmented, step).shares]
    assert shares
    assert not any("▁".encode() in share.text for share in shares)


def spelled_as(text: str, spelled: dict[int, str]) -> int:
    return next(token for token, each in spelled.items() if each == text)


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from([*KINDS]), corpora, hostile, st.data())
def test_a_run_has_the_ids_of_the_library_at_every_position(
    kind: str, corpus: list[str], text: str, data: st.DataObject
) -> None:
    whole = library(kind, corpus)
    encoding = HuggingFaceEncoding(whole, kind)
    history, numbers = history_with_ids(encoding)
    ids = np.array(numbers)
    last = OurTokenizer(history, compiled=False).encode(text)
    theirs = encoding.encode(text)
    assert ids[last.ids].tolist() == theirs.ids.tolist() == whole.encode(text).ids
    assert last.starts.tolist() == theirs.starts.tolist()
    assert last.ends.tolist() == theirs.ends.tolist()
    assert last.char_starts.tolist() == theirs.char_starts.tolist()
    assert last.char_ends.tolist() == theirs.char_ends.tolist()
    stepwise = StepwiseEncoding(history, text, compiled=False)
    position = data.draw(st.integers(0, len(history)))
    found = ids[stepwise.tokens(position).ids].tolist()
    assert found == with_first_merges(whole, position).encode(text).ids
    at = OurTokenizer(history, position, compiled=False)
    assert ids[at.encode_ids(text)].tolist() == found
    run = TrainedEncoding(history, position)
    normalized = "".join(
        part if part in SPECIALS else normalize(part, run.recipe.normalizers, is_first=not number)
        for number, part in enumerate(parts(text))
    )
    spaces = normalized if kind == "plain" else normalized.replace("▁", " ")
    assert run.decode(at.encode_ids(text).tolist()) == spaces


@settings(max_examples=settings.default.max_examples // 2)
@given(st.booleans(), corpora, hostile)
def test_only_the_first_part_of_a_text_is_marked_wherever_it_is_shown(
    splits: bool, corpus: list[str], text: str
) -> None:
    step = PrependOnce("▁")
    recipe = Recipe(
        normalizers=(Replace(" ", "▁"), step),
        split="regex:▁[^▁]*|[^▁]+" if splits else "none",
        symbols=Symbols.CHARACTERS,
        byte_fallback=True,
        special_tokens=tuple(SPECIALS),
    )
    history = train(recipe, corpus, 20)
    ours = OurTokenizer(history, compiled=False).encode_ids(text).tolist()
    trace = trace_pipeline(recipe, text, history.base, compiled=False)
    stepwise = StepwiseEncoding(history, text, compiled=False)
    assert trace.ids.tolist() == stepwise.tokens(0).ids.tolist()
    assert stepwise.tokens(len(history)).ids.tolist() == ours
    specials = SpecialTokens.of(partial(getattr, recipe))
    words = preview_words(text, recipe.normalizers, recipe.split, specials).pieces
    shown = "".join(piece.text for piece in words)
    decoded = OurTokenizer(history, compiled=False).decode(ours)
    assert shown.replace("▁", " ") == decoded.replace("▁", " ")  # bytes may spell a mark
    try:
        written = Tokenizer.from_str(huggingface_export.to_json(history))
    except ExportError:
        assert any(byte in "".join(corpus) for byte in BYTES)
        return
    assert written.encode(text).ids == ours
    again, numbers = history_with_ids(HuggingFaceEncoding(written, "again"))
    assert again.recipe.normalizers == recipe.normalizers
    found = OurTokenizer(again, compiled=False).encode_ids(text)
    assert np.array(numbers, np.int64)[found].tolist() == ours


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("low", "▁low"),
        (" low", "▁low"),
        ("▁low", "▁low"),
        ("  low", "▁▁low"),
        ("low<s>low", "▁low<s>low"),
        ("<s>low", "<s>low"),
        ("<s> low", "<s>▁low"),
        ("<s><s>low", "<s><s>low"),
        ("", ""),
    ],
)
def test_a_mark_is_put_before_a_text_once(text: str, shown: str) -> None:
    whole = library("first", ["low"])
    history, numbers = history_with_ids(HuggingFaceEncoding(whole, "first"))
    ids = OurTokenizer(history, compiled=False).encode_ids(text)
    assert "".join(history.id_to_token(token) for token in ids.tolist()) == shown
    assert np.array(numbers, np.int64)[ids].tolist() == whole.encode(text).ids


def test_what_tokenizer_json_cannot_prepend_once_is_refused() -> None:
    recipe = Recipe(normalizers=(Replace(" ", "▁"), PrependOnce("▁"), "nfc"))
    with pytest.raises(ExportError, match="prepend a text once"):
        huggingface_export.to_json(train(recipe, ["low"], 1))


def parts(text: str) -> list[str]:
    """The special tokens of a text, and what is between them."""
    for special in SPECIALS:
        text = text.replace(special, f"\uffff{special}\uffff")
    return text.split("\uffff")


@settings(max_examples=settings.default.max_examples // 2)
@given(
    st.sampled_from([*KINDS]), corpora, corpora, hostile, st.booleans(), st.sampled_from((0, 1, 2))
)
def test_the_library_reads_a_run_that_went_on(
    kind: str, first: list[str], second: list[str], text: str, keeps: bool, least: int
) -> None:
    old = library(kind, first)
    recipe = with_fallback(
        recipe_going_on(HuggingFaceEncoding(old, kind)), keeps=keeps, least=least
    )
    words = WordCounts.from_pairs([(text, 1) for text in second], recipe, compiled=False)
    history = trained(words, recipe, len(recipe.inherited or ()) + 20)
    assert not (keeps and not least and history.new_symbols)
    assert_equals_oracle([(text, 1) for text in second], history.recipe, compiled=False)
    try:
        new = Tokenizer.from_str(huggingface_export.to_json(history))
    except ExportError:
        assert any(byte in "".join(second) for byte in BYTES)
        return
    old_ids, new_ids = old.get_vocab(), new.get_vocab()
    assert {token: new_ids[token] for token in old_ids} == old_ids
    tokenizer = OurTokenizer(history, compiled=False)
    for each in (text, f"{text}<s>{''.join(second)}", *first):
        found = new.encode(each).ids
        assert history.own_ids(tokenizer.encode_ids(each)).tolist() == found
        if max(found, default=0) < len(old_ids):
            assert found == old.encode(each).ids
    assert new.decode(new.encode(text).ids, skip_special_tokens=False) == old.decode(
        old.encode(text).ids, skip_special_tokens=False
    )


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from(["none", "lines", "gpt2", "regex:a+|[^a]"]), corpora, hostile)
def test_a_recipe_may_fall_back_to_bytes(split: str, corpus: list[str], text: str) -> None:
    recipe = Recipe(
        split=split, symbols=Symbols.CHARACTERS, byte_fallback=True, special_tokens=("<s>",)
    )
    history = train(recipe, corpus, 20)
    assert_equals_oracle([(text, 1) for text in corpus], recipe.with_changes(merges=20),
                         compiled=False)  # fmt: skip
    ours = OurTokenizer(history, compiled=False)
    assert ours.decode(ours.encode_ids(text).tolist()) == text
    try:
        written = Tokenizer.from_str(huggingface_export.to_json(history))
    except ExportError:
        assert any(byte in "".join(corpus) for byte in BYTES)
        return
    found = written.encode(text).ids
    assert ours.encode_ids(text).tolist() == found
    assert written.decode(found, skip_special_tokens=False) == text


def llama() -> Tokenizer:
    return library("Llama 2", ["the lowest of the low", "the newest"])


def test_bytes_are_no_unknown_tokens_and_have_their_places() -> None:
    encoding = HuggingFaceEncoding(llama(), "llama.json")
    history, _ = history_with_ids(encoding)
    run = TrainedEncoding(history)
    tokens = run.encode("é x")
    assert [run.id_to_token(token) for token in tokens.ids.tolist()] == [
        "▁", "<0xC3>", "<0xA9>", "▁", "<0x78>"
    ]
    assert [run.token_bytes(token) for token in tokens.ids.tolist()][1:3] == [b"\xc3", b"\xa9"]
    assert [run.is_fallback_byte(token) for token in tokens.ids.tolist()] == [
        False, True, True, False, True
    ]
    assert not any(map(run.is_unknown, tokens.ids.tolist()))
    assert tokens.starts.tolist() == [0, 0, 1, 2, 3]
    assert tokens.char_ends.tolist() == [0, 1, 1, 2, 3]
    # A letter comes before its byte, as in the encoding itself.
    letter = run.token_to_id(b"l")
    assert letter is not None
    assert run.id_to_token(letter) == "l"
    byte = run.token_to_id(b"x")
    assert byte is not None
    assert run.id_to_token(byte) == "<0x78>"


@pytest.mark.parametrize("inherits", [True, False])
def test_a_session_has_the_bytes(inherits: bool) -> None:
    recipe = Recipe(symbols=Symbols.CHARACTERS, byte_fallback=True, split="none")
    if inherits:
        recipe = recipe_going_on(HuggingFaceEncoding(llama(), "llama.json"))
    words = WordCounts.from_pairs([("the low é", 2)], recipe, compiled=False)
    history = trained(words, recipe)
    session = Session(
        corpus=CorpusReference("Four words", sample="four-words"),
        words=words,
        recipe=recipe,
        branches=(SavedBranch("Original", history),),
    )
    assert_same(from_bytes(to_bytes(session)), session)


def changed(kind: str = "Llama 2", **changes: Any) -> HuggingFaceEncoding:
    return HuggingFaceEncoding(library(kind, ["low"], changes=changes), "file")


def without_a_byte() -> HuggingFaceEncoding:
    state = json.loads(llama().to_str())
    del state["model"]["vocab"]["<0xFF>"]
    return HuggingFaceEncoding(Tokenizer.from_str(json.dumps(state)), "file")


def with_merged_bytes() -> HuggingFaceEncoding:
    state = json.loads(llama().to_str())
    state["model"]["vocab"]["<0xC3><0xA9>"] = len(state["model"]["vocab"])
    state["model"]["merges"].append(["<0xC3>", "<0xA9>"])
    return HuggingFaceEncoding(Tokenizer.from_str(json.dumps(state)), "file")


@pytest.mark.parametrize(
    ("encoding", "why"),
    [
        (changed(ignore_merges=True), "looks for whole words before it merges"),
        (changed(byte_fallback=False), "has no byte fallback, without which no recipe"),
        (without_a_byte(), "has only 255 of the 256 bytes"),
        (with_merged_bytes(), "merges the bytes of rare characters"),
    ],
)
def test_what_no_recipe_does_is_refused(encoding: HuggingFaceEncoding, why: str) -> None:
    with pytest.raises(ExportError, match=why):
        recipe_going_on(encoding)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"symbols": Symbols.BYTES}, "use characters as symbols"),
        ({"symbols": Symbols.BYTES, "alphabet": Alphabet.BYTES}, "use characters as symbols"),
        ({"end_of_word": EndOfWord.JOINED}, "has no end of a word"),
        ({"special_tokens": ("<0x0A>",)}, "is how byte fallback writes a byte"),
        ({"vocabulary_size": 255}, "use at least 256"),
        ({"byte_fallback": 1}, "must be true or false"),
    ],
)
def test_what_no_recipe_with_bytes_has(changes: dict[str, Any], why: str) -> None:
    recipe = Recipe(symbols=Symbols.CHARACTERS, byte_fallback=True)
    with pytest.raises(RecipeError, match=why):
        recipe.with_changes(**changes)


MODELS: dict[str, dict[str, Any]] = {
    "Llama": {},
    "no space before": {"add_dummy_prefix": False},
    "squeezed": {"remove_extra_whitespaces": True},
    "symbols": {"user_defined_symbols": ["<x>", "low", "é"], "add_dummy_prefix": False},
    "digits": {"split_digits": True, "unk_id": 2, "bos_id": 0, "eos_id": 1},
}


@cache
def sentencepiece_run(kind: str) -> tuple[SentencePieceEncoding, SentencePieceProcessor, History,
                                          NDArray[np.int64]]:  # fmt: skip
    data = trained_model(byte_fallback=True, vocab_size=340, **MODELS[kind])
    encoding = SentencePieceEncoding(data, outline_of(data), kind, kind)
    history, numbers = history_with_ids(encoding)
    assert recipe_going_on(encoding).byte_fallback
    return encoding, SentencePieceProcessor(model_proto=data), history, np.array(numbers)


@settings(max_examples=settings.default.max_examples * 2)
@given(st.sampled_from([*MODELS]), hostile, st.data())
def test_models_of_sentencepiece_are_runs(kind: str, text: str, data: st.DataObject) -> None:
    encoding, processor, history, ids = sentencepiece_run(kind)
    ours = OurTokenizer(history, compiled=False).encode_ids(text)
    assert ids[ours].tolist() == processor.encode(text) == encoding.encode(text).ids.tolist()
    position = data.draw(st.integers(0, len(history)))
    whole = Tokenizer.from_str(sentencepiece_export.to_json(encoding))
    found = ids[OurTokenizer(history, position, compiled=False).encode_ids(text)]
    assert found.tolist() == with_first_merges(whole, position).encode(text).ids


@cache
def run_with_added_bytes() -> tuple[HuggingFaceEncoding, History, NDArray[np.int64]]:
    tokenizer = llama()
    tokenizer.add_special_tokens([f"<0x{byte:02X}>" for byte in range(256)])
    encoding = HuggingFaceEncoding(tokenizer, "bytes.json")
    assert rebuilt(encoding) is None, "numbers are exact"
    history, numbers = history_with_ids(encoding, exactly=False)
    assert "'<0x00>' in a text is one token in bytes.json, and is letters here." in note_on(
        recipe_going_on(encoding)
    )
    return encoding, history, np.array(numbers)


@example("<0x0A>")
@given(hostile)
def test_only_names_of_bytes_are_others_in_a_run_if_they_are_added_tokens(text: str) -> None:
    encoding, history, ids = run_with_added_bytes()
    ours = ids[OurTokenizer(history, compiled=False).encode_ids(text)].tolist()
    has_name = re.search("<0x[0-9A-F]{2}>", text) is not None
    assert (ours != encoding.encode(text).ids.tolist()) == has_name


@cache
def run_with_symbols() -> tuple[SentencePieceProcessor, History, NDArray[np.int64]]:
    options: dict[str, Any] = {"user_defined_symbols": ["<x>", "low", "é"]}
    data = trained_model(byte_fallback=True, vocab_size=340, **options)
    encoding = SentencePieceEncoding(data, outline_of(data), "m.model", "m.model")
    assert rebuilt(encoding) is None, "numbers are exact"
    history, numbers = history_with_ids(encoding, exactly=False)
    assert note_on(recipe_going_on(encoding)).endswith(
        "A text that is only a user-defined symbol, like '<x>', gets no space before it here."
    )
    return SentencePieceProcessor(model_proto=data), history, np.array(numbers)


@example("<x>")
@example("<x><x>")
@given(hostile)
def test_only_a_text_that_is_a_user_defined_symbol_is_another_in_a_run(text: str) -> None:
    processor, history, ids = run_with_symbols()
    ours = ids[OurTokenizer(history, compiled=False).encode_ids(text)].tolist()
    theirs = processor.encode(text)
    assert ours == (theirs[1:] if text in ("<x>", "low", "é") else theirs)


def test_a_model_of_sentencepiece_goes_on() -> None:
    encoding, processor, history, _ = sentencepiece_run("Llama")
    more = gone_on(encoding, ["the tower by the water"] * 3, 5)
    assert len(more) == len(history) + 5
    new = Tokenizer.from_str(huggingface_export.to_json(more))
    text = "a tower, <s> é 日"
    ours = OurTokenizer(more, compiled=False).encode_ids(text)
    assert more.own_ids(ours).tolist() == new.encode(text).ids
    pieces = [processor.id_to_piece(number) for number in range(len(processor))]
    assert [new.id_to_token(number) for number in range(len(pieces))] == pieces
    again = gone_on(HuggingFaceEncoding(new, "more.json"), ["the tower by the water"] * 3, 2)
    assert len(again) == len(more) + 2
    last = Tokenizer.from_str(huggingface_export.to_json(again))
    ours = OurTokenizer(again, compiled=False).encode_ids(text)
    assert again.own_ids(ours).tolist() == last.encode(text).ids
    known = new.get_vocab()
    assert known.items() <= last.get_vocab().items()


@settings(max_examples=settings.default.max_examples // 2)
@given(hostile)
def test_files_of_converted_models_are_runs(text: str) -> None:
    """Their control symbols are tokens of the vocabulary that no text has."""
    library, history, ids = converted_run()
    ours = OurTokenizer(history, compiled=False).encode_ids(text)
    assert ids[ours].tolist() == library.encode(text).ids


@cache
def converted_run() -> tuple[Tokenizer, History, NDArray[np.int64]]:
    encoding = sentencepiece_run("Llama")[0]
    library = Tokenizer.from_str(sentencepiece_export.to_json(encoding))
    history, ids = history_with_ids(HuggingFaceEncoding(library, "converted.json"))
    return library, history, np.array(ids)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "has no byte fallback, without which no recipe"),
        ({"byte_fallback": True, "normalization_rule_name": "nfkc"}, "replaces characters"),
    ],
)
def test_other_models_of_sentencepiece_are_refused(options: dict[str, Any], why: str) -> None:
    data = trained_model(vocab_size=340, **options)
    encoding = SentencePieceEncoding(data, outline_of(data), "m.model", "m.model")
    with pytest.raises(ExportError, match=why):
        recipe_going_on(encoding)


def with_fallback(recipe: Recipe, *, keeps: bool, least: int = 0) -> Recipe:
    assert recipe.inherited is not None
    inherited = replace(recipe.inherited, keeps_fallback=keeps, least_uses=least)
    return recipe.with_changes(inherited=inherited)


def test_characters_that_an_encoding_lacks_stay_bytes_and_are_no_part_of_a_pair() -> None:
    encoding, text = llama(), "the slow, “แมว” and a 猫\n" * 3
    recipe = recipe_going_on(HuggingFaceEncoding(encoding, "llama.json"))
    assert recipe.inherited is not None
    words = count_corpus(Texts([text]), recipe)
    history = trained(words, recipe, len(recipe.inherited) + 9)
    assert (history.new_symbols, history.vocabulary_size(0)) == (0, len(history.base))
    assert tokens_before(history) == len(encoding.encode(text, add_special_tokens=False).ids)
    segmented = SegmentedCorpus(words, history)
    fallback = history.base.fallback_bytes(history.recipe)
    assert any(np.isin(segmented.segmented(len(history)).ids, [*fallback]))
    for position in range(len(history) + 1):
        pairs, top = segmented.pairs(position), history.top(position)
        counted = dict(zip(zip(pairs.left, pairs.right, strict=True), pairs.count, strict=True))
        assert len(pairs) == history.distinct[position]
        for left, right, count in zip(top.left, top.right, top.count, strict=True):
            assert counted[left, right] == count
    for step in range(len(history)):
        changes = segmented.merged_at(step).changes
        assert not fallback.keys() & {*changes.left.tolist(), *changes.right.tolist()}
    session = Session(
        CorpusReference("cats", sample="four-words"), words, recipe,
        (SavedBranch("Original", history),),
    )  # fmt: skip
    data = to_bytes(session)
    assert_same(from_bytes(data), session)
    assert to_bytes(from_bytes(data)) == data


def test_frequent_characters_become_symbols_and_rare_ones_stay_bytes() -> None:
    encoding = llama()
    recipe = recipe_going_on(HuggingFaceEncoding(encoding, "llama.json"))
    recipe = with_fallback(recipe, keeps=True, least=3)
    assert recipe.inherited is not None
    words = WordCounts.from_pairs([("แมว 猫", 2), ("猫 the", 1)], recipe, compiled=False)
    least = recipe.with_changes(vocabulary_size=recipe.inherited.vocabulary_size + 1)
    history = trained(words, least)
    assert history.new_symbols == 1
    new = {*history.base.texts} - {*recipe.inherited.symbols}
    assert new - {*recipe.special_tokens} == {"猫"}
    ids = OurTokenizer(history, compiled=False).encode_ids("แ猫")
    assert [history.base.texts[token] for token in ids][-4:] == [
        "<0xE0>", "<0xB9>", "<0x81>", "猫"
    ]
    session = Session(
        CorpusReference("cats", sample="four-words"), words, least,
        (SavedBranch("Original", history),),
    )  # fmt: skip
    assert_same(from_bytes(to_bytes(session)), session)


def test_a_vocabulary_has_room_for_all_new_characters_or_is_refused() -> None:
    recipe = with_fallback(recipe_going_on(HuggingFaceEncoding(llama(), "llama.json")), keeps=False)
    assert recipe.inherited is not None
    size = recipe.inherited.vocabulary_size
    words = count_corpus(Texts(["แมว"]), recipe)
    least = recipe.with_changes(vocabulary_size=size + 3)
    assert trained(words, least).vocabulary_size(len(recipe.inherited)) == size + 3
    with pytest.raises(RecipeError, match=f"3 characters that it lacks.* at least {size + 3}"):
        Trainer(words, recipe.with_changes(vocabulary_size=size + 2), compiled=False)


def test_new_symbols_are_no_tokens_of_the_encoding_before(tmp_path: Path) -> None:
    """What a run saves is counted from the tokens of the encoding, which writes them as bytes."""
    encoding, text = llama(), "the slow, “แมว” and a 猫\n" * 3
    path = tmp_path / "cats.txt"
    path.write_text(text, "utf-8")
    encoded = HuggingFaceEncoding(encoding, "llama.json")
    recipe = with_fallback(recipe_going_on(encoded), keeps=False)
    words = count_corpus(Corpus([str(path)]), recipe)
    assert recipe.inherited is not None
    history = trained(words, recipe, len(recipe.inherited) + 2)
    before = len(encoding.encode(text, add_special_tokens=False).ids)
    assert history.saved_by_new_symbols > 0
    assert tokens_before(history) == before
    assert added_and_saved(history)[1].startswith(f"{before:,} before, ")

    corpus = CorpusReference("cats", sample="four-words")
    session = Session(corpus, words, recipe, (SavedBranch("Original", history),))
    [found] = from_bytes(to_bytes(session)).branches
    assert tokens_before(found.history) == before


def test_runs_of_spaces_of_one_score_are_merged_one_after_another() -> None:
    """Llama 2 and Mistral have such pieces, which SentencePiece merges from the left."""
    runs = ["▁" * size for size in range(2, 17)]
    pieces = ["<unk>", *BYTES, "▁", "a", "▁a", *runs]
    kinds = [PieceType.UNKNOWN, *[PieceType.BYTE] * 256, *[PieceType.NORMAL] * (3 + len(runs))]
    encoding = from_pieces(
        pieces, [*[0.0] * 257, -2.0, -3.0, -1.0, *[-1e9] * len(runs)], kinds,
        name="spaces.model", path="spaces.model",
    )  # fmt: skip
    history, ids = history_with_ids(encoding)
    assert len(history) == 16
    tokenizer = OurTokenizer(history, compiled=False)
    for size in range(70):
        text = f"a{' ' * size}é a"
        assert [ids[n] for n in tokenizer.encode_ids(text)] == encoding.encode(text).ids.tolist()
    assert recipe_going_on(encoding).inherited is not None
