"""Conversion between formats, held against the encoding that was converted."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import regex
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, Alphabet
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.base import Encoding, ExportError
from bpe_gui.encodings.byte_merges import merges_of
from bpe_gui.encodings.convert import convert
from bpe_gui.encodings.formats import huggingface_export, tiktoken_ranks
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.split_patterns import ALIKE, SPLIT_PATTERNS
from bpe_gui.encodings.load import open_encoding
from tests.encodings.runs import GPT2_RANKS, needs_gpt2_ranks

characters = st.one_of(
    st.sampled_from("ab 'st\n12"), st.characters(exclude_categories=["Cs", "Cn"])
)
texts = st.text(characters, max_size=30)


@settings(max_examples=settings.default.max_examples // 3)
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
    library = Tokenizer.from_str(huggingface_export.to_json(trainer.history))
    source = HuggingFaceEncoding(library, "source")
    text = f"{text}{''.join(specials)}{''.join(corpus)}{text}"
    path = tmp_path_factory.mktemp("converted") / name
    if name == "vocab.json" and preset != "gpt2":
        with pytest.raises(ExportError, match="always split as GPT-2 does"):
            convert(source, path, [text])
        assert not path.exists()
        return
    converted = convert(source, path, [text])
    assert converted.characters == len(text)
    if name == "x.tiktoken":
        written = tiktoken_ranks.read(path, recipe.split, dict(merges_of(source).special_tokens))
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
    with pytest.raises(ExportError, match="ignore_merges"):
        convert(source, tmp_path / "x.model", ["x", " abc", "abc"])
    assert list(tmp_path.iterdir()) == []
    assert convert(source, tmp_path / "x.json", ["x", " abc", "abc"]).characters == 8


@pytest.mark.parametrize("name", ["x.json", "x.model", "vocab.json"])
def test_special_tokens_that_are_found_otherwise_are_refused(tmp_path: Path, name: str) -> None:
    # Here the first that fits is found, elsewhere the longest.
    path = tmp_path / "first.model"
    path.write_text(f"minbpe v1\n{SPLIT_PATTERNS['gpt2']}\n2\n<a 256\n<a> 257\n")
    source = open_encoding(path)
    assert source.encode("<a>").ids.tolist() == [256, ord(">")]
    with pytest.raises(ExportError, match="the file would tokenize texts differently"):
        convert(source, tmp_path / name, ["no special tokens in here"])
    assert list(tmp_path.iterdir()) == [path]


POST = processors.TemplateProcessing(
    single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", 0)]
)
LIBRARY_MODELS = {
    "BPE": models.BPE({"<s>": 0, "a": 1, "b": 2, "ab": 3}, [("a", "b")], dropout=0.5),
    "BPE of bytes": models.BPE(
        {"<s>": 0, **{f"<0x{n:02X}>": n + 1 for n in range(256)}}, [], byte_fallback=True
    ),
    "Unigram": models.Unigram([("<s>", 0.0), ("a", -1.0), ("▁b", -2.0)], 0),
    "WordPiece": models.WordPiece({"<s>": 0, "a": 1, "##b": 2}, unk_token="<s>"),
    "WordLevel": models.WordLevel({"<s>": 0, "ab": 1}, unk_token="<s>"),
}


@given(
    model=st.sampled_from([*LIBRARY_MODELS]),
    normalizer=st.sampled_from(
        [None, normalizers.NFC(), normalizers.Prepend("▁"), normalizers.BertNormalizer()]
    ),
    words=st.sampled_from(
        [None, pre_tokenizers.Metaspace(), pre_tokenizers.Whitespace(), pre_tokenizers.ByteLevel()]
    ),
    post=st.sampled_from([None, POST]),
    length=st.sampled_from([None, 7]),
    text=texts,
)
def test_any_tokenizer_json_is_copied_with_all_that_it_has(
    tmp_path_factory: pytest.TempPathFactory, model: str, normalizer: Any, words: Any, post: Any,
    length: int | None, text: str,
) -> None:
    library = Tokenizer(LIBRARY_MODELS[model])
    library.normalizer = normalizer
    library.pre_tokenizer = words
    library.post_processor = post
    library.add_special_tokens(["<s>"])
    library.add_tokens([AddedToken("b b", lstrip=True)])
    if length is not None:
        library.enable_truncation(length)
        library.enable_padding(length=length)
    folder = tmp_path_factory.mktemp("copied")
    before, after = folder / "before.json", folder / "after.json"
    library.save(str(before))
    source = open_encoding(before)
    assert convert(source, after, [text]).renumbered is False
    assert Tokenizer.from_file(str(after)).to_str() == Tokenizer.from_file(str(before)).to_str()
    assert open_encoding(after).encode(text).ids.tolist() == source.encode(text).ids.tolist()


# -- splits of one's own ---------------------------------------------------------------------

letters = st.characters(
    # Casing and categories of what is new in Unicode differ between the libraries.
    codec="utf-8", categories=["L", "N", "M", "P", "S", "Z"], max_codepoint=0x2FFF
).filter(lambda c: unicodedata.ucd_3_2_0.category(c) == unicodedata.category(c))
spoken = st.text(st.sampled_from("ab 'stREſK\n\r12é,./ \t") | letters, max_size=30)


@pytest.mark.parametrize("pattern", sorted(ALIKE))
@settings(max_examples=settings.default.max_examples // 3)
@given(text=spoken)
def test_patterns_that_mean_the_same_to_all_three(pattern: str, text: str) -> None:
    words = [match.group() for match in regex.finditer(pattern, text)]
    assert "".join(words) == text
    split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    assert [word for word, _ in split.pre_tokenize_str(text)] == words
    kept = pre_tokenizers.Split(Regex(pattern), "isolated")
    assert [word for word, _ in kept.pre_tokenize_str(text)] == words
    ranks = {bytes([byte]): byte for byte in range(256)}
    for word in words:
        ranks.setdefault(word.encode(), len(ranks))
    library = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    found = [library.decode([token]) for token in library.encode(text, disallowed_special=())]
    assert found == words


OWN = (
    *(r"[a-z]+|\d{1,2}|\s+", r"\w+|\W", r"\S+|\s+", r"(?: )?\p{L}+|[\s\S]"),
    *(r"a|b(?= )|\u00e9", r"(?>\p{L}+)"),
)
ONLY_THERE = (r"\w+$|\W|\w", r"(?i:ab)|[\s\S]", r"\h|\S+", r"^a|[^\n]+|\n")


@pytest.fixture(scope="module", params=OWN)
def carried(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[Encoding]:
    """The same ranks and pattern in every format, and carried on from there."""
    folder = tmp_path_factory.mktemp("carried")
    tiktoken_ranks.write(byte_history(), folder / "ranks")
    ranks = open_encoding(f"{folder / 'ranks'}@{request.param}")
    convert(ranks, folder / "x.model", [])
    minbpe = open_encoding(folder / "x.model")
    found = [ranks, minbpe]
    for name, source in (("a.json", ranks), ("b.json", minbpe)):
        convert(source, folder / name, [])
        found.append(open_encoding(folder / name))
        split = convert(found[-1], folder / "again", [], "tiktoken").split
        found.append(open_encoding(f"{folder / 'again'}@{split}"))
    return found


@settings(max_examples=settings.default.max_examples // 3)
@given(text=spoken)
def test_splits_of_ones_own_are_carried(carried: list[Encoding], text: str) -> None:
    expected, *others = (cut(encoding, text) for encoding in carried)
    assert others == [expected] * 5


def byte_history() -> History:
    recipe = PRESETS["gpt2"].with_changes(alphabet=Alphabet.BYTES, merges=20, vocabulary_size=None)
    words = WordCounts.from_pairs([("abab ab 12 éa", 3)], recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(20)
    return trainer.history


def cut(encoding: Encoding, text: str) -> list[tuple[int, int]]:
    tokens = encoding.encode(text)
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))


@pytest.mark.parametrize("pattern", ONLY_THERE)
def test_splits_that_may_mean_something_else_are_refused(tmp_path: Path, pattern: str) -> None:
    ranks = tmp_path / "ranks"
    tiktoken_ranks.write(byte_history(), ranks)
    source = open_encoding(f"{ranks}@{pattern}")
    for name in ("x.json", "x.model"):
        with pytest.raises(ExportError, match=r"ranks is not written, because the pattern .* may"):
            convert(source, tmp_path / name, [])
    assert convert(source, tmp_path / "x.tiktoken", []).split == pattern


def test_what_a_pattern_does_not_match_is_kept_or_dropped(tmp_path: Path) -> None:
    source = byte_level([("a", "b")])
    library = Tokenizer.from_str(source.to_json())
    as_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    words = [pre_tokenizers.Split(Regex("[a-z]+"), "isolated"), as_bytes]
    library.pre_tokenizer = pre_tokenizers.Sequence(words)
    with pytest.raises(ExportError, match="keeps text that this does not match"):
        convert(HuggingFaceEncoding(library, "x"), tmp_path / "x.model", ["ab"])
    words[0] = pre_tokenizers.Split(Regex("[a-z]+"), "merged_with_next")
    library.pre_tokenizer = pre_tokenizers.Sequence(words)
    with pytest.raises(ExportError, match="splits text by Split, ByteLevel, where other formats"):
        convert(HuggingFaceEncoding(library, "x"), tmp_path / "x.model", ["ab"])


@needs_gpt2_ranks
def test_the_real_ranks_come_back_byte_for_byte(tmp_path: Path) -> None:
    texts = ["The quick brown fox, isn't it?  12345\n\n 漢字 👍🏽"]
    convert(open_encoding(f"{GPT2_RANKS}@gpt2"), tmp_path / "vocab.json", texts)
    converted = convert(open_encoding(tmp_path), tmp_path / "x.tiktoken", texts)
    assert converted.split == "gpt2"
    assert (tmp_path / "x.tiktoken").read_bytes() == GPT2_RANKS.read_bytes()
