"""Conversion between formats, held against the encoding that was converted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_gui.bpe.recipe import PRESETS, Alphabet
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings import huggingface_export, tiktoken_files
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.byte_merges import merges_of
from bpe_gui.encodings.converting import convert
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.opening import open_encoding

characters = st.one_of(
    st.sampled_from("ab 'st\n12"), st.characters(exclude_categories=["Cs", "Cn"])
)
texts = st.text(characters, max_size=30)


@settings(max_examples=25)
@given(
    corpus=st.lists(texts.map(lambda text: text * 3), max_size=4),
    text=texts,
    preset=st.sampled_from(["gpt2", "gpt4", "o200k", "categories"]),
    specials=st.sampled_from([(), ("<end>",), ("<a>", "<b>")]),
    name=st.sampled_from(["x.json", "x.tiktoken", "x.model", "vocab.json"]),
)
def test_what_is_converted_cuts_texts_the_same_way(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: list[str], text: str, preset: str, specials: tuple[str, ...], name: str,
) -> None:
    recipe = PRESETS[preset].with_changes(
        special_tokens=specials, alphabet=Alphabet.BYTES, vocabulary_size=None, min_frequency=1
    )
    words = WordCounts.from_pairs([(each, 1) for each in corpus if each], recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(200)
    library = huggingface_export.to_library(trainer.history)
    source = HuggingFaceEncoding(library, "source")
    text = f"{text}{''.join(specials)}{''.join(corpus)}{text}"
    path = tmp_path_factory.mktemp("converted") / name
    if name == "vocab.json" and preset != "gpt2":
        with pytest.raises(ExportError, match="stand for GPT-2's words"):
            convert(source, path, [text])
        assert not path.exists()
        return
    converted = convert(source, path, [text])
    assert converted.characters == len(text)
    if name == "x.tiktoken":
        written = tiktoken_files.read(path, recipe.split, dict(merges_of(source).special_tokens))
    else:
        written = open_encoding(path)
    tokens, expected = written.encode(text), source.encode(text)
    assert tokens.starts.tolist() == expected.starts.tolist()
    assert tokens.ends.tolist() == expected.ends.tolist()
    assert (tokens.ids.tolist() == expected.ids.tolist()) or converted.renumbered
    again = merges_of(written)
    assert len(again.merges) == len(merges_of(source).merges)


def byte_level(merges: list[tuple[str, str]], **options: bool) -> HuggingFaceEncoding:
    """A tokenizer with all bytes and these merges."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = dict.fromkeys([*alphabet, *(left + right for left, right in merges)])
    vocabulary = {text: token for token, text in enumerate(tokens)}
    library = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, **options))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return HuggingFaceEncoding(library, "source")


def test_two_merges_that_make_the_same_token(tmp_path: Path) -> None:
    source = byte_level([("a", "b"), ("b", "c"), ("a", "bc"), ("ab", "c")])
    assert len(source.merges()) == 4
    for name in ("x.tiktoken", "x.model"):
        with pytest.raises(ExportError, match=r"two merges that make the same token|in the order"):
            convert(source, tmp_path / name, ["abc"])
    assert convert(source, tmp_path / "x.json", ["abc"]).characters == 3
    assert json.loads((tmp_path / "x.json").read_text())["model"]["merges"][3] == ["ab", "c"]
    assert convert(source, tmp_path / "vocab.json", ["abc", "bc"]).characters == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "merges.txt", "vocab.json", "x.json"
    ]


def test_what_would_cut_a_text_otherwise_is_not_written(tmp_path: Path) -> None:
    # With `ignore_merges` words that are tokens are taken whole, whatever the merges say.
    source = byte_level([("b", "c"), ("a", "b"), ("ab", "c")], ignore_merges=True)
    assert len(source.encode("abc")) == 1
    with pytest.raises(ExportError, match="the word 'abc' for one token although its merges"):
        convert(source, tmp_path / "x.json", ["x", " abc", "abc"])
    assert list(tmp_path.iterdir()) == []


def test_the_real_ranks_come_back_byte_for_byte(tmp_path: Path) -> None:
    ranks = Path(__file__).parents[2] / "../shared/data/gpt2.tiktoken"
    if not ranks.exists():
        pytest.skip("the ranks of GPT-2 are not here")
    texts = ["The quick brown fox, isn't it?  12345\n\n 漢字 👍🏽"]
    convert(open_encoding(f"{ranks}@gpt2"), tmp_path / "vocab.json", texts)
    converted = convert(open_encoding(tmp_path), tmp_path / "x.tiktoken", texts)
    assert converted.split == "gpt2"
    assert (tmp_path / "x.tiktoken").read_bytes() == ranks.read_bytes()
