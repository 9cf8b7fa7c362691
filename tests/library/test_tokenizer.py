"""What a tokenizer answers, trained or loaded, and in which formats it goes to a file and back."""

from __future__ import annotations

import copy
import pickle
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers

from bpe_gui import load, train
from bpe_gui.bpe.recipe import PRESETS, Symbols, preset
from bpe_gui.encodings import save
from bpe_gui.library import EncodingError, ExportError, Tokenizer
from tests.encodings.runs import GPT2_RANKS, needs_gpt2_ranks

TEXT = "It wasn't the best,\n but naïve: 漢字 👍🏽 12345 <end>times"
ALL_BYTES = "".join(map(chr, range(0x250)))
FILES = {
    "tokenizer.json": ("x.json", "x.json"),
    "tiktoken": ("x.tiktoken", "x.tiktoken@gpt2"),
    "gpt2": ("x/", "x"),
    "minbpe": ("x.model", "x.model"),
}
"""Of each format: what is saved, and what is loaded."""


@given(st.lists(st.sampled_from([TEXT, " the", "é", "漢", "\n", "<end>"]), max_size=5).map("".join))
def test_texts_come_back_and_offsets_are_characters(tokenizer: Tokenizer, text: str) -> None:
    encoded = tokenizer.encode(text)
    assert len(encoded) == len(encoded.ids) == len(encoded.tokens) == len(encoded.offsets)
    assert tokenizer.decode(encoded.ids) == text
    assert [tokenizer.vocab[token] for token in encoded.tokens] == encoded.ids
    assert {at for start, end in encoded.offsets for at in range(start, end)} == set(
        range(len(text))
    )
    assert encoded.offsets == sorted(encoded.offsets)


@cache
def trained_with(name: str) -> Tokenizer:
    return train([TEXT] * 2, preset=name, special_tokens=["<unk>", "<end>"], merges=30)


@settings(max_examples=settings.default.max_examples // 3)
@given(text=st.lists(st.sampled_from([TEXT, " the", "é", "\0", "<end>"]), max_size=5).map("".join))
@pytest.mark.parametrize("name", ["gpt2", "char-bpe", "lines", "whitespace", "raw"])
def test_ids_alone_are_those_of_the_tokens(name: str, text: str) -> None:
    trained = trained_with(name)
    assert trained.encode_ids(text).tolist() == trained.encode(text).ids


def test_a_loaded_tokenizer_gives_ids_alone(tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.save(tmp_path / "x.json")
    loaded = load(tmp_path / "x.json")
    assert loaded.encode_ids(TEXT).tolist() == tokenizer.encode(TEXT).ids
    with pytest.raises(EncodingError, match="surrogate"):
        loaded.encode_ids("\ud800")


def test_the_tokenizers_library_gives_the_same(tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.save(tmp_path / "x.json")
    library = tokenizers.Tokenizer.from_file(str(tmp_path / "x.json"))
    assert library.get_vocab() == tokenizer.vocab
    for text in (TEXT, ALL_BYTES):
        theirs, ours = library.encode(text), tokenizer.encode(text)
        assert (ours.ids, ours.tokens, ours.offsets) == (
            theirs.ids, theirs.tokens, theirs.offsets
        )  # fmt: skip
        assert library.decode(ours.ids, skip_special_tokens=False) == tokenizer.decode(ours.ids)


def test_tokens_that_share_a_character_have_the_whole_of_it() -> None:
    encoded = train(["ab"], preset="gpt2", merges=1).encode("a漢b")
    assert encoded.offsets == [(0, 1), (1, 2), (1, 2), (1, 2), (2, 3)]


def test_characters_that_are_not_in_the_vocabulary_are_left_out() -> None:
    encoded = train(["low low"], preset="raw", merges=2).encode("lowXlow")
    assert (encoded.tokens, encoded.offsets) == (["low", "low"], [(0, 3), (4, 7)])


@pytest.mark.parametrize("known", save.FORMATS, ids=lambda known: known.name)
def test_every_format_is_saved_and_loaded(
    known: save.Format, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    saved, source = FILES[known.name]
    special = {} if known.name != "tiktoken" else {"special_tokens": {"<end>": 0}}
    if special:
        told = re.escape(f"{source}', special_tokens={special['special_tokens']})")
        with pytest.warns(UserWarning, match=told):
            tokenizer.save(f"{tmp_path}/{saved}")
    else:
        tokenizer.save(f"{tmp_path}/{saved}")
    other = load(f"{tmp_path}/{source}", **special)
    for text in (TEXT, ALL_BYTES):
        ours, theirs = tokenizer.encode(text), other.encode(text)
        assert (theirs.tokens, theirs.offsets) == (ours.tokens, ours.offsets)
        assert known.renumbers or theirs.ids == ours.ids
        assert other.decode(theirs.ids) == text
    assert other.vocab.keys() == tokenizer.vocab.keys()
    assert known.renumbers or other.vocab == tokenizer.vocab
    assert other.merges == tokenizer.merges
    assert [(merge.step, merge.token) for merge in other.history] == [
        (merge.step, merge.token) for merge in tokenizer.history
    ]
    assert (other.history[3].count, other.history[3].runners_up) == (None, [])
    for merges in (0, 7, len(other.merges)):
        then = other.at(merges).encode(TEXT)
        assert then.tokens == tokenizer.at(merges).encode(TEXT).tokens
        assert then.ids == [other.vocab[token] for token in then.tokens], "ids stay"
        assert other.at(merges).decode(then.ids) == TEXT
    # A loaded one is saved again, in any format that holds it.
    other.save(tmp_path / "again", "tokenizer.json")
    again = load(tmp_path / "again")
    assert again.encode(TEXT).ids == other.encode(TEXT).ids
    with pytest.warns(UserWarning, match="does not hold the special tokens; read it as load"):
        other.save(tmp_path / "ranks.tiktoken")


@pytest.mark.parametrize("alphabet", ["bytes", "observed"])
@pytest.mark.parametrize("name", PRESETS)
def test_a_saved_tokenizer_has_the_history_of_the_trained_one(
    name: str, alphabet: Any, tmp_path: Path
) -> None:
    texts = ["the lowest of the low", "newer than the newest"]
    if preset(name).symbols is Symbols.CHARACTERS:
        alphabet = "observed"
    trained = train(texts, preset=name, alphabet=alphabet, merges=12, min_frequency=1)
    trained.save(tmp_path / "x.json")
    loaded = load(tmp_path / "x.json")
    assert [(merge.left, merge.right, merge.token) for merge in loaded.history] == [
        (merge.left, merge.right, merge.token) for merge in trained.history
    ]
    for merges in (0, 5, 12):
        then, expected = loaded.at(merges).encode(TEXT), trained.at(merges).encode(TEXT)
        assert (then.tokens, then.offsets) == (expected.tokens, expected.offsets)
        assert then.ids == [loaded.vocab[token] for token in then.tokens]


def test_a_format_is_chosen_by_its_name(tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.save(tmp_path / "plain", "minbpe")
    assert load(tmp_path / "plain").merges == tokenizer.merges
    tokenizer.save(tmp_path / "PLAIN.JSON")
    assert load(tmp_path / "PLAIN.JSON").merges == tokenizer.merges
    with pytest.raises(ExportError, match="there is no format 'bin' to save in; choose one of "):
        tokenizer.save(tmp_path / "plain", format="bin")
    with pytest.raises(ExportError, match=r"no format 'json' .*; did you mean tokenizer\.json\?"):
        tokenizer.save(tmp_path / "plain", format="json")
    with pytest.raises(ExportError, match=r"plain\.bin"):
        tokenizer.save(tmp_path / "plain.bin")


@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize(
    ("folder", "format"),
    [("v1.0/", None), ("d/", None), ("d.json/", None), ("v1.0", "gpt2"), ("d", "gpt2")],
)
def test_a_folder_for_two_files_is_created(
    folder: str, format: str | None, loaded: bool, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    if loaded:
        tokenizer.save(tmp_path / "x.json")
        tokenizer = load(tmp_path / "x.json")
    tokenizer.save(f"{tmp_path}/{folder}", format)
    assert load(tmp_path / folder).encode(TEXT).ids == tokenizer.encode(TEXT).ids


def test_a_name_that_is_empty_or_of_another_file_is_refused(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for format in (None, "gpt2", "tokenizer.json"):
        with pytest.raises(ExportError, match="the name of a file is empty"):
            tokenizer.save("", format)
    with pytest.raises(ExportError, match=r"novel\.json is not a folder"):
        tokenizer.save("novel.json", "gpt2")
    with pytest.raises(ExportError, match="in a slash for a folder, or name the format"):
        tokenizer.save(tmp_path / "novel")
    assert not list(tmp_path.iterdir())


def test_what_a_format_cannot_hold_is_not_written(tmp_path: Path) -> None:
    tokenizer = train(["low lower"], preset="whitespace", merges=3)
    with pytest.raises(ExportError, match="tiktoken"):
        tokenizer.save(tmp_path / "x.tiktoken")
    assert not list(tmp_path.iterdir())


def test_what_would_be_read_otherwise_is_not_written(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = save.Agreement(0, problem="it reads nonsense")
    monkeypatch.setattr(save, "verify", lambda *arguments, **options: other)
    with pytest.raises(ExportError, match=r"x\.json is not written, because .* it reads nonsense"):
        tokenizer.save(tmp_path / "x.json")
    assert not list(tmp_path.iterdir())


# -- results --------------------------------------------------------------------------------------


def test_what_a_caller_does_with_results_changes_no_tokenizer() -> None:
    tokenizer = train(["low lower"], preset="whitespace", merges=2)
    asked: Any = tokenizer.vocab
    with pytest.raises(TypeError):
        asked["x"] = 5
    tokenizer.merges.clear()
    assert len(tokenizer.merges) == 2


def test_histories_are_equal_if_their_merges_are() -> None:
    texts = ["low lower newest"]
    history = train(texts, merges=5).history
    assert history == train(texts, merges=5).history
    assert history[:3] == train(texts, merges=3).history
    assert history[1:] != history[:4]
    assert history != list(history)


@pytest.mark.parametrize("copied", [lambda kept: pickle.loads(pickle.dumps(kept)), copy.deepcopy])
def test_trained_tokenizers_and_results_are_pickled_and_copied(copied: Any) -> None:
    tokenizer = train(iter(["low lower"]), merges=4, special_tokens=["<end>"])
    tokenizer.encode(TEXT)
    for kept in (tokenizer, tokenizer.at(2)):
        other = copied(kept)
        assert (other.name, other.vocab, other.merges) == (kept.name, kept.vocab, kept.merges)
        assert other.history == kept.history
        encoded = copied(kept.encode(TEXT))
        assert encoded == kept.encode(TEXT) == other.encode(TEXT)
        assert encoded._repr_html_() == kept.encode(TEXT)._repr_html_()


@pytest.mark.parametrize("known", save.FORMATS, ids=lambda known: known.name)
def test_loaded_tokenizers_are_pickled_and_copied(known: save.Format, tmp_path: Path) -> None:
    tokenizer = train([TEXT], merges=9)
    saved, source = FILES[known.name]
    tokenizer.save(f"{tmp_path}/{saved}")
    loaded = load(f"{tmp_path}/{source}")
    for other in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded)):
        assert other.encode(TEXT).ids == loaded.encode(TEXT).ids
        assert other.at(7).encode(TEXT).ids == loaded.at(7).encode(TEXT).ids


# -- at earlier merges ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_an_earlier_tokenizer_is_the_one_that_a_shorter_training_gives(name: str) -> None:
    texts = ["the lowest of the low", "newer than the newest"]
    whole = train(texts, preset=name, merges=12, min_frequency=1)
    shorter = train(texts, preset=name, merges=5, min_frequency=1)
    then = whole.at(5)
    assert (then.vocab, then.merges, list(then.history)) == (
        shorter.vocab, shorter.merges, list(shorter.history)
    )  # fmt: skip
    assert then.encode(texts[0]) == shorter.encode(texts[0])
    assert then.at(2).merges == whole.merges[:2]
    assert whole.history.stopped == "number of merges reached"


def test_an_earlier_tokenizer_is_saved(tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.at(9).save(tmp_path / "x.json")
    library = tokenizers.Tokenizer.from_file(str(tmp_path / "x.json"))
    assert library.encode(TEXT).ids == tokenizer.at(9).encode(TEXT).ids


def test_there_is_no_tokenizer_before_the_first_merge_or_after_the_last() -> None:
    tokenizer = train(["low low"], merges=2)
    for merges in (-1, 3):
        with pytest.raises(IndexError, match="gpt2 has 2 merges; choose a number from 0 to 2, not"):
            tokenizer.at(merges)
    with pytest.raises(IndexError, match="there are 2 merges, and none at 2"):
        tokenizer.history[2]


def test_earlier_tokenizers_have_the_name_of_the_whole_one() -> None:
    tokenizer = train(["low lower"], merges=4)
    assert tokenizer.at(3).at(1).name == "gpt2 at 1 merge"
    assert pickle.loads(pickle.dumps(tokenizer.at(3))).at(1).name == "gpt2 at 1 merge"


def test_what_is_of_another_type_is_refused(tokenizer: Tokenizer) -> None:
    asked: Any = tokenizer
    with pytest.raises(TypeError, match="a text to encode is a str, not bytes"):
        asked.encode(b"low")
    with pytest.raises(TypeError, match=r"pass the \.ids of the encoded text"):
        asked.decode(tokenizer.encode("low"))
    with pytest.raises(TypeError, match="merges are found by their number, not by str"):
        asked.history["a"]
    for ids in ("12", ["256"], [1.9]):
        with pytest.raises(TypeError):
            asked.decode(ids)
    with pytest.raises(TypeError):
        asked.at("3")
    with pytest.raises(EncodingError, match="half of a surrogate pair at character 1"):
        tokenizer.encode("a\ud800b")


def test_a_place_that_is_not_there_is_named(tokenizer: Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"^the folder .*none does not exist"):
        tokenizer.save(tmp_path / "none" / "x.json")


@needs_gpt2_ranks
def test_gpt2_is_followed_in_its_own_ids() -> None:
    gpt2 = load(f"{GPT2_RANKS}@gpt2")
    assert gpt2.merges[:2] == [("Ġ", "t"), ("Ġ", "a")]
    then = gpt2.at(1000).encode("Once upon a time<|endoftext|>")
    assert then.ids == [gpt2.vocab[token] for token in then.tokens]
    assert then.ids[-1] == 50256
    assert gpt2.at(50_000).encode(TEXT).ids == gpt2.encode(TEXT).ids
    with pytest.raises(ExportError, match="has the ids of its file"):
        gpt2.at(1000).save("gpt2.json")


# -- encodings of others -------------------------------------------------------------------------


@pytest.fixture
def wordpiece(tmp_path: Path) -> Tokenizer:
    library = tokenizers.Tokenizer(models.WordPiece({"[UNK]": 0, "low": 7, "##er": 3}))
    library.pre_tokenizer = pre_tokenizers.Whitespace()
    library.save(str(tmp_path / "words.json"))
    return load(tmp_path / "words.json")


def test_an_encoding_without_merges_says_so(wordpiece: Tokenizer, tmp_path: Path) -> None:
    encoded = wordpiece.encode("lower low")
    assert (encoded.ids, encoded.tokens) == ([7, 3, 7], ["low", "##er", "low"])
    assert wordpiece.vocab == {"[UNK]": 0, "##er": 3, "low": 7}
    for ask in (lambda: wordpiece.merges, lambda: wordpiece.history, lambda: wordpiece.at(1)):
        with pytest.raises(ExportError, match=r"^words.json has no merges"):
            ask()
    wordpiece.save(tmp_path / "copy.json")
    assert load(tmp_path / "copy.json").encode("lower").ids == [7, 3]


def test_what_is_cut_otherwise_than_by_its_merges_is_not_followed(tmp_path: Path) -> None:
    vocabulary = {character: token for token, character in enumerate(ALL_BYTES[33:127])}
    model = models.BPE({**vocabulary, "ed": 200}, [("e", "d")])
    library = tokenizers.Tokenizer(model)
    # Oniguruma takes \h for hexadecimal digits, Python's regex for white space.
    library.pre_tokenizer = pre_tokenizers.Split(tokenizers.Regex(r"\h+|\S|\s"), "isolated")
    library.save(str(tmp_path / "split.json"))
    tokenizer = load(tmp_path / "split.json")
    assert tokenizer.merges == [("e", "d")]
    with pytest.raises(ExportError, match=r"^split\.json .*: its merges alone encode texts diff"):
        tokenizer.at(1)


def test_what_is_no_tokenizer_is_told_as_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("low")
    with pytest.raises(EncodingError, match=r"x\.txt is not an encoding"):
        load(tmp_path / "x.txt")
    with pytest.raises(FileNotFoundError, match=r"nothing\.json"):
        load(tmp_path / "nothing.json")
    with pytest.raises(EncodingError, match="special_tokens is for rank files"):
        load(tmp_path / "x.txt", special_tokens={"<end>": 0})
    with pytest.raises(FileNotFoundError) as caught:
        load("gpt2")
    assert "tiktoken:NAME" in caught.value.__notes__[0]


def test_what_cannot_be_loaded_is_told_by_its_type(tmp_path: Path) -> None:
    train([TEXT], merges=9).save(tmp_path / "x.tiktoken")
    asked: Any = load
    for source in (5, b"x.json", None):
        with pytest.raises(TypeError, match="a source is a str or a path, not "):
            asked(source)
    for specials in ([("<end>", 300)], 5, {300: "<end>"}, {"<end>": "300"}):
        with pytest.raises(TypeError, match=r"^special_tokens "):
            asked(f"{tmp_path}/x.tiktoken@gpt2", special_tokens=specials)
    loaded = load(f"{tmp_path}/x.tiktoken@gpt2", special_tokens={"<end>": np.int64(300)})  # type: ignore[dict-item]
    assert loaded.encode("<end>").ids == [300]


def test_unknown_ids_are_refused(tokenizer: Tokenizer, wordpiece: Tokenizer) -> None:
    for asked in (tokenizer, wordpiece, tokenizer.at(3)):
        for token in (-1, 1000, 2**40):
            with pytest.raises(EncodingError, match=str(token)):
                asked.decode([3, token])
    assert tokenizer.decode(np.array([], np.int64)) == ""


def test_sentencepiece_has_vocabulary_and_merges(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["low lower lowest newest widest"] * 20),
        model_prefix=str(tmp_path / "x"), model_type="bpe", vocab_size=30, minloglevel=3,
    )  # fmt: skip
    tokenizer = load(tmp_path / "x.model")
    assert len(tokenizer.vocab) == 30
    assert {left + right for left, right in tokenizer.merges} <= set(tokenizer.vocab)
    made = [tokenizer.vocab[left + right] for left, right in tokenizer.merges]
    assert made == sorted(made)
    assert len(made) > 5


@pytest.mark.parametrize("ids", ["low", ["a"], 3, None, [1.5]])
def test_only_ids_are_decoded(ids: object) -> None:
    tokenizer = train(["low lower lowest"], preset="gpt2", merges=3)
    with pytest.raises(TypeError, match=r"^decode takes the ids of tokens, not "):
        tokenizer.decode(ids)  # type: ignore[arg-type]
