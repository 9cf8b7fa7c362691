"""Encodings like CLIP's as runs: bytes, some at the ends of words, and a split that drops text."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
from tokenizers.trainers import BpeTrainer

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.recipe import Alphabet, EndOfWord, Recipe, RecipeError, Symbols
from bpe_gui.bpe.tokenizer import StepwiseEncoding
from bpe_gui.bpe.tokenizer import Tokenizer as OurTokenizer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.formats import clip, huggingface_export
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.split_patterns import CLIP_PATTERNS
from bpe_gui.encodings.going_on import recipe_going_on
from bpe_gui.encodings.import_history import history_with_ids
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.sessions import CorpusReference, SavedBranch, Session
from bpe_gui.sessions.file import from_bytes, to_bytes
from tests.bpe.test_trainer import assert_equals_oracle
from tests.encodings.runs import corpora, texts, train
from tests.encodings.test_fallback_runs import with_first_merges
from tests.encodings.test_going_on import gone_on
from tests.sessions.made import trained
from tests.sessions.test_round_trip import assert_same

PATTERN = CLIP_PATTERNS[1]
END = "<|endoftext|>"


def clip_of(corpus: list[str], merges: int = 30) -> Tokenizer:
    """A file of CLIP's shape, as its converter writes it."""
    recipe = Recipe(
        normalizers=("nfc", "lowercase"),
        split="matches:" + PATTERN,
        end_of_word=EndOfWord.JOINED,
        alphabet=Alphabet.BYTES,
    )
    history = train(recipe, corpus, merges)
    sides = zip(history.left.tolist(), history.right.tolist(), strict=True)
    pairs = [tuple(map(history.id_to_token, pair)) for pair in sides]
    ends = [letter + "</w>" for letter in CHARACTER_OF_BYTE]
    known = [*CHARACTER_OF_BYTE, *ends, *(left + right for left, right in pairs)]
    vocabulary = {text: number for number, text in enumerate([*dict.fromkeys(known), END])}
    made = Tokenizer(models.BPE(vocabulary, pairs, end_of_word_suffix="</w>", unk_token=END))
    made.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), "removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(END, normalized=False)])
    # Behind the split its regex splits nothing, but the format says that it does.
    state = json.loads(made.to_str())
    state["pre_tokenizer"]["pretokenizers"][-1]["use_regex"] = False
    return Tokenizer.from_str(json.dumps(state))


def words_of_library(
    split: pre_tokenizers.PreTokenizer, corpus: list[str], merges: int = 30
) -> Tokenizer:
    """A file as the library's own tutorials train it: its words drop white space."""
    made = Tokenizer(models.BPE(unk_token="[UNK]"))
    made.pre_tokenizer = split
    size = len({*"".join(corpus)}) + merges + 1
    trainer = BpeTrainer(vocab_size=size, special_tokens=["[UNK]"], show_progress=False)
    made.train_from_iterator(corpus, trainer)
    return made


KINDS = {
    "CLIP": clip_of,
    "Whitespace": partial(words_of_library, pre_tokenizers.Whitespace()),
    "WhitespaceSplit": partial(words_of_library, pre_tokenizers.WhitespaceSplit()),
}

hostile = st.lists(
    st.one_of(texts, st.sampled_from([END, "Low LOWER", "it's", "<|", "</w>", "é", "日本", "  "])),
    max_size=6,
).map("".join)


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from([*KINDS]), corpora, hostile, st.data())
def test_a_run_has_the_ids_of_the_library_at_every_position(
    kind: str, corpus: list[str], text: str, data: st.DataObject
) -> None:
    whole = KINDS[kind](corpus)
    encoding = HuggingFaceEncoding(whole, kind)
    history, numbers = history_with_ids(encoding)
    ids = np.array(numbers, np.int64)
    last = OurTokenizer(history, compiled=False).encode(text)
    theirs = encoding.encode(text)
    assert ids[last.ids].tolist() == theirs.ids.tolist() == whole.encode(text).ids
    assert last.starts.tolist() == theirs.starts.tolist()
    assert last.ends.tolist() == theirs.ends.tolist()
    position = data.draw(st.integers(0, len(history)))
    stepwise = StepwiseEncoding(history, text, compiled=False)
    found = ids[stepwise.tokens(position).ids].tolist()
    assert found == with_first_merges(whole, position).encode(text).ids
    at = OurTokenizer(history, position, compiled=False)
    assert ids[at.encode_ids(text)].tolist() == found


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from([*KINDS]), corpora, corpora, hostile)
def test_the_library_reads_a_run_that_went_on(
    kind: str, first: list[str], second: list[str], text: str
) -> None:
    old = KINDS[kind](first)
    history = gone_on(HuggingFaceEncoding(old, kind), second, 20)
    assert_equals_oracle([(each, 1) for each in second], history.recipe, compiled=False)
    new = Tokenizer.from_str(huggingface_export.to_json(history))
    old_ids, new_ids = old.get_vocab(), new.get_vocab()
    assert {token: new_ids[token] for token in old_ids} == old_ids
    tokenizer = OurTokenizer(history, compiled=False)
    for each in (text, END.join(second), *first):
        found = new.encode(each).ids
        assert history.own_ids(tokenizer.encode_ids(each)).tolist() == found
        if max(found, default=0) < len(old_ids):
            assert found == old.encode(each).ids


@given(corpora, hostile)
def test_a_run_is_saved_as_the_library_reads_it(corpus: list[str], text: str) -> None:
    recipe = Recipe(
        split="matches:" + PATTERN,
        end_of_word=EndOfWord.JOINED,
        alphabet=Alphabet.BYTES,
        special_tokens=(END,),
    )
    history = train(recipe, corpus, 20)
    try:
        saved = huggingface_export.to_json(history)
    except ExportError:
        assert "</w>" in "".join(corpus)  # two tokens are spelled alike
        return
    library = Tokenizer.from_str(saved)
    ours = OurTokenizer(history, compiled=False)
    found = ours.encode_ids(text).tolist()
    assert library.encode(text).ids == found
    decoded = library.decode(found, skip_special_tokens=False)
    assert decoded.removesuffix(" ") == ours.decode(found).removesuffix(" ")
    again, numbers = history_with_ids(HuggingFaceEncoding(library, "again"))
    assert numbers == [*range(history.vocabulary_size(len(history)))]
    assert again.recipe.same_but(recipe, "name", "alphabet")


@pytest.mark.parametrize("inherits", [True, False])
@pytest.mark.parametrize("alphabet", [*Alphabet])
def test_a_session_has_the_bytes_at_ends_of_words(inherits: bool, alphabet: Alphabet) -> None:
    recipe = Recipe(
        split="matches:" + PATTERN, end_of_word=EndOfWord.JOINED, alphabet=alphabet
    )
    if inherits:
        recipe = recipe_going_on(HuggingFaceEncoding(clip_of(["the lowest"]), "clip.json"))
    words = WordCounts.from_pairs([("the low é", 2)], recipe, compiled=False)
    session = Session(
        corpus=CorpusReference("Four words", sample="four-words"),
        words=words,
        recipe=recipe,
        branches=(SavedBranch("Original", trained(words, recipe)),),
    )
    assert_same(from_bytes(to_bytes(session)), session)


def test_tokens_are_spelled_with_their_ends(tmp_path: Path) -> None:
    merges = [("l", "o"), ("lo", "w</w>"), ("Ã", "©</w>")]
    path = tmp_path / "clip.txt"
    path.write_text("\n".join(['"bpe_simple_vocab', *map(" ".join, merges)]), "utf-8")
    history, _ = history_with_ids(clip.read(path))
    run = TrainedEncoding(history)
    tokens = run.encode("LOW\n lowé é").ids.tolist()
    assert [run.id_to_token(token) for token in tokens] == [
        "low</w>", "lo", "w", "Ã©</w>", "Ã©</w>"
    ]
    assert [run.token_bytes(token) for token in tokens] == [
        b"low", b"lo", b"w", b"\xc3\xa9", b"\xc3\xa9"
    ]
    assert run.decode(tokens) == "low lowé é"
    end = run.marked_token_to_id(b"low</w>")
    assert end == tokens[0]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"end_of_word": EndOfWord.OWN}, "no separate end-of-word marker; join it"),
        ({"split": "regex:a"}, "single symbols, which are no words and have no end"),
        ({"vocabulary_size": 511}, "use at least 512"),
        ({"split": "matches:"}, r'the regular expression of {"matches": REGEX} is empty'),
        ({"split": 'sequence:["matches:a", "gpt2"]'}, "drops or skips text"),
    ],
)
def test_what_no_recipe_with_ends_of_words_has(changes: dict[str, object], why: str) -> None:
    recipe = Recipe(
        end_of_word=EndOfWord.JOINED, alphabet=Alphabet.BYTES, symbols=Symbols.BYTES
    )
    with pytest.raises(RecipeError, match=why):
        recipe.with_changes(**changes)


