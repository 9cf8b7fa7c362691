"""Smaller encodings encode as before what they are made for, and the table of ids says how."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.encodings import huggingface_export
from bpe_gui.encodings.base import Encoding, ExportError
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.smaller import CutEncoding, first_merges, used_tokens
from tests.encodings.runs import corpora, texts, train


def encoding_of(preset: str, corpus: list[str]) -> HuggingFaceEncoding | None:
    recipe = PRESETS[preset].with_changes(vocabulary_size=None, min_frequency=1)
    recipe = recipe.with_changes(special_tokens=(*recipe.special_tokens, "<end>"))
    try:
        saved = huggingface_export.to_json(train(recipe, corpus, 40))
    except ExportError:
        return None  # two tokens written alike
    return HuggingFaceEncoding(Tokenizer.from_str(saved), "whole.json")


def are_mapped(whole: Encoding, cut: CutEncoding, text: str) -> None:
    ids = dict(cut.ids.tolist())
    expected = [ids.get(token, token) for token in whole.encode(text).ids.tolist()]
    assert cut.encoding.encode(text).ids.tolist() == expected


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from([*PRESETS]), corpora, texts)
def test_a_corpus_has_the_same_tokens_without_those_it_does_not_use(
    tmp_path_factory: pytest.TempPathFactory, preset: str, corpus: list[str], text: str
) -> None:
    whole = encoding_of(preset, corpus)
    if whole is None:
        return
    path = tmp_path_factory.getbasetemp() / "used.txt"
    text = f"{text}  <end>\n{''.join(corpus[:1])} a".replace("\0", "")  # no text file has it
    path.write_bytes(text.encode())
    cut = used_tokens(whole, Corpus([path]))
    are_mapped(whole, cut, text)
    assert cut.ids[:, 1].tolist() == list(range(len(cut.ids)))
    assert cut.encoding.ids == cut.ids[:, 1].tolist()
    for old, new in cut.ids.tolist():
        assert whole.id_to_token(old) == cut.encoding.id_to_token(new)
    again = used_tokens(cut.encoding, Corpus([path]))
    assert again.ids.tolist() == [[token, token] for token in range(len(cut.ids))]


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from([*PRESETS]), corpora, texts, st.integers(0, 40))
def test_the_first_merges_are_those_of_a_shorter_training(
    preset: str, corpus: list[str], text: str, merges: int
) -> None:
    whole = encoding_of(preset, corpus)
    if whole is None:
        return
    total = len(whole.merges())
    if merges > total:
        with pytest.raises(ExportError, match=f"has only {total} merges, not {merges}"):
            first_merges(whole, merges)
        return
    cut = first_merges(whole, merges)
    recipe = PRESETS[preset].with_changes(vocabulary_size=None, min_frequency=1, merges=merges)
    recipe = recipe.with_changes(special_tokens=(*recipe.special_tokens, "<end>"))
    shorter = Tokenizer.from_str(huggingface_export.to_json(train(recipe, corpus, merges)))
    found = cut.encoding.encode(text).ids
    assert found[found != NO_TOKEN].tolist() == shorter.encode(text).ids


def test_templates_name_the_new_ids(tmp_path: Path) -> None:
    whole = encoding_of("gpt2", ["low lower lowest low"])
    assert whole is not None
    state = json.loads(whole.to_json())
    library = Tokenizer.from_str(json.dumps(state))
    library.add_special_tokens(["<start>"])
    start = library.token_to_id("<start>")
    library.post_processor = processors.TemplateProcessing(
        single="<start> $A", special_tokens=[("<start>", start)]
    )
    library.enable_padding(pad_id=start, pad_token="<start>")
    cut = first_merges(HuggingFaceEncoding(library, "x"), 1)
    made = Tokenizer.from_str(cut.encoding.to_json())
    assert made.encode("low").tokens[0] == "<start>"
    assert made.encode("low").ids[0] == made.token_to_id("<start>") == len(cut.ids) - 1
    assert made.padding["pad_id"] == len(cut.ids) - 1


def with_whole_words() -> HuggingFaceEncoding:
    """An encoding that takes the words "xyz" and "yxy" whole, although no merge makes them."""
    symbols = sorted(pre_tokenizers.ByteLevel.alphabet())
    merged = {"ab": ("a", "b"), "ba": ("b", "a"), "aba": ("ab", "a"), "Ġa": ("Ġ", "a")}
    ordered = ["ab", "xyz", "ba", "aba", "Ġa", "yxy"]
    vocabulary = {text: number for number, text in enumerate([*symbols, *ordered])}
    library = Tokenizer(models.BPE(vocabulary, list(merged.values()), ignore_merges=True))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return HuggingFaceEncoding(library, "whole.json")


@given(st.text("abxyz ", min_size=1, max_size=40), st.text("abxyz ", max_size=40))
def test_words_that_are_tokens_as_a_whole_stay_where_they_are_used(
    tmp_path_factory: pytest.TempPathFactory, used: str, text: str
) -> None:
    whole = with_whole_words()
    path = tmp_path_factory.getbasetemp() / "whole.txt"
    path.write_text(used)
    cut = used_tokens(whole, Corpus([path]))
    are_mapped(whole, cut, used)
    for word in ("xyz", "yxy"):
        token = whole.token_to_id(word.encode())
        assert (token in cut.ids[:, 0]) == (token in whole.encode(used).ids)
    are_mapped(whole, first_merges(whole, 4), text)


def test_a_whole_word_of_a_higher_id_goes_with_the_merges() -> None:
    cut = first_merges(with_whole_words(), 1)
    assert [cut.encoding.id_to_token(token) for token in cut.encoding.ids[256:]] == ["ab", "xyz"]
