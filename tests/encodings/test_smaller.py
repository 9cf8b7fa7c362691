"""Smaller encodings encode as before what they are made for, and the table of ids says how."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.encodings.base import Encoding, ExportError
from bpe_gui.encodings.byte_merges import merges_of
from bpe_gui.encodings.formats import huggingface_export, tiktoken_ranks
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.tiktoken_ranks import TiktokenEncoding
from bpe_gui.encodings.smaller import CutEncoding, first_merges, used_tokens
from tests.encodings.makers import HARD, file_of
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


def of_fewer_ranks(encoding: TiktokenEncoding, cut: CutEncoding) -> tiktoken.Encoding:
    """What the maker's library makes of the ranks that are left, under their old numbers."""
    left = set(cut.ids[:, 0].tolist())
    ranks = {content: rank for content, rank in encoding.ranks.items() if rank in left}
    return tiktoken.Encoding(
        "fewer",
        pat_str=encoding.pattern,
        mergeable_ranks=ranks,
        special_tokens=encoding.special_tokens,
    )


def ranks_of(added: list[str]) -> TiktokenEncoding:
    """Ranks of these tokens behind the bytes, in this order; some may be made of no two others."""
    contents = [*(bytes([byte]) for byte in range(256)), *(each.encode() for each in added)]
    ranks = {content: rank for rank, content in enumerate(contents)}
    return tiktoken_ranks.from_ranks(ranks, "whitespace", name="any")


tokens_of_ranks = st.lists(st.text("abc", min_size=2, max_size=5), unique=True, max_size=12)


@given(tokens_of_ranks, st.integers(0, 12), st.text("abc ", max_size=30))
@example(["ab", "abca", "bc", "bca"], 2, "abca abcab bca")  # a word that no merge makes
@example(["abca", "ab", "ca"], 1, "abca ab abcab")  # a merge of what later ones make
def test_ranks_cut_to_their_first_merges_are_read_as_their_maker_reads_them(
    added: list[str], merges: int, text: str
) -> None:
    encoding = ranks_of(added)
    parts = merges_of(encoding)
    if merges > len(parts.merges):
        return
    cut = first_merges(encoding, merges)
    try:
        parts.check_order("a cut to the first merges")
    except ExportError:  # a merge may have gone with one of its parts
        assert cut.merges <= merges
        return
    assert cut.merges == merges
    ids = dict(cut.ids.tolist())
    expected = of_fewer_ranks(encoding, cut).encode(text)
    assert cut.encoding.encode(text).ids.tolist() == [ids[token] for token in expected]


@given(tokens_of_ranks, st.text("abc ", min_size=1, max_size=30))
@example(["ab", "abca", "bc", "xyz"], "abca abcab")
@example(["abca", "ab", "ca"], "abca abcab")
def test_words_that_no_merge_makes_go_when_a_corpus_does_not_use_them(
    tmp_path_factory: pytest.TempPathFactory, added: list[str], text: str
) -> None:
    encoding = ranks_of(added)
    path = tmp_path_factory.getbasetemp() / "words.txt"
    path.write_text(text)
    cut = used_tokens(encoding, Corpus([path]))
    are_mapped(encoding, cut, text)
    used = set(encoding.encode(text).ids.tolist())
    left = set(cut.ids[:, 0].tolist())
    assert left & set(merges_of(encoding).whole_words) <= used


def test_llama_3_is_made_smaller_as_its_maker_reads_it(tmp_path: Path) -> None:
    encoding = tiktoken_ranks.read(file_of("llama_models", "llama3/tokenizer.model"), "llama3")
    whole = merges_of(encoding).whole_words
    words = " ".join(encoding.token_bytes(token).decode("utf-8", "ignore") for token in whole)
    cut = first_merges(encoding, 60_000)
    ids = dict(cut.ids.tolist())
    fewer = of_fewer_ranks(encoding, cut)
    for text in (*HARD, words):
        expected = [ids[token] for token in fewer.encode_ordinary(text)]
        assert cut.encoding.encode(text, specials_as_text=True).ids.tolist() == expected
    text = "\n".join((*HARD, words[: len(words) // 2])).replace("\0", "")
    path = tmp_path / "words.txt"
    path.write_bytes(text.encode())
    used = used_tokens(encoding, Corpus([path]))
    are_mapped(encoding, used, text)
    assert 0 < sum(token in whole for token in used.ids[:, 0].tolist()) < len(whole)


def test_an_encoding_that_falls_back_to_bytes_is_made_smaller(tmp_path: Path) -> None:
    """As converted SentencePiece models are, with a rule for each way to make a token."""
    texts = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *"▁abc"]
    merges = [("a", "b"), ("b", "c"), ("▁", "a"), ("a", "bc"), ("ab", "c"), ("▁", "abc")]
    texts += dict.fromkeys(left + right for left, right in merges)
    library = Tokenizer(
        models.BPE(
            {text: token for token, text in enumerate(texts)},
            merges,
            byte_fallback=True,
            unk_token="<unk>",
            fuse_unk=True,
        )
    )
    library.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    library.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback()])
    whole = HuggingFaceEncoding(library, "llama")
    path = tmp_path / "text.txt"
    path.write_text("abc é ab")
    cut = used_tokens(whole, Corpus([path]))
    are_mapped(whole, cut, "abc é ab")
    gone = {token for token in whole.ids if token not in cut.ids[:, 0]}
    assert {whole.id_to_token(token) for token in gone} == {"bc", "▁a"}
    fewer = first_merges(whole, 2).encoding
    shown = [fewer.id_to_token(token) for token in fewer.encode("abc é").ids.tolist()]
    assert shown == ["▁", "ab", "c", "▁", "<0xC3>", "<0xA9>"]
