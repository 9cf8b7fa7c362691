"""Encoding with a memory gives what encoding without one gives."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from bpe_gui.bpe import tokenizer as tokenizer_module
from bpe_gui.bpe.recipe import PRESETS, Recipe, RecipeError, preset
from bpe_gui.bpe.tokenizer import StepwiseEncoding, Tokenizer, WordCache
from tests.bpe.custom_recipes import TELLING, custom_recipes
from tests.bpe.test_pre_tokenize import TEXTS
from tests.bpe.test_trainer import corpora, recipes, texts, trained


@given(corpus=corpora, recipe=recipes(), some=st.lists(texts, max_size=4), data=st.data())
def test_equals_a_trace_in_every_column(
    corpus: list[tuple[str, int]], recipe: Recipe, some: list[str], data: st.DataObject
) -> None:
    history = trained(corpus, recipe).history
    position = data.draw(st.integers(0, len(history)))
    as_text = data.draw(st.booleans())
    tokenizer = Tokenizer(history, position, compiled=data.draw(st.booleans()))
    for text in [*some, *some]:
        found = tokenizer.encode(text, specials_as_text=as_text)
        expected = StepwiseEncoding(history, text, specials_as_text=as_text).tokens(position)
        for column in ("ids", "starts", "ends", "char_starts", "char_ends"):
            assert getattr(found, column).tolist() == getattr(expected, column).tolist()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tokenizer_module, "_WORDS_AT_ONCE", data.draw(st.integers(1, 9)))
            ids = tokenizer.encode_ids(text, specials_as_text=as_text)
        assert ids.tolist() == expected.ids.tolist()


written = st.lists(st.sampled_from(["<m>", "<M> ", "a", "▁b ", ""])).map("".join)
marked = texts | st.text(TELLING + "▁<m>") | written
of_specials = st.sampled_from(["lstrip", "rstrip", "single_word", "normalized"])


@given(
    corpus=corpora,
    recipe=recipes() | custom_recipes(),
    specials=st.sets(st.sampled_from(["<m>", "a<m>", "<M> <m>"])),
    options=st.sets(of_specials),
    documents=st.lists(marked, max_size=5),
    as_text=st.booleans(),
)
def test_documents_do_not_touch(
    corpus: list[tuple[str, int]],
    recipe: Recipe,
    specials: set[str],
    options: set[str],
    documents: list[str],
    as_text: bool,
) -> None:
    added = tuple(sorted(specials.difference(recipe.special_tokens)))
    changed = {f"{name}_tokens": added for name in options}
    try:
        recipe = recipe.with_changes(special_tokens=(*recipe.special_tokens, *added), **changed)
    except RecipeError:
        reject()
    history = trained(corpus, recipe).history
    ends = np.cumsum([len(document.encode()) for document in documents]).astype(np.int64)
    text = "".join(documents).encode()
    tokenizer = Tokenizer(history)
    first, cut = tokenizer.encode_documents(text, ends, specials_as_text=as_text)
    begin = 0
    for number, (document, end) in enumerate(zip(documents, ends.tolist(), strict=True)):
        own = slice(first[number], first[number + 1])
        alone = StepwiseEncoding(history, document, specials_as_text=as_text)
        tokens = alone.tokens(len(history))
        assert cut.ids[own].tolist() == tokens.ids.tolist()
        assert cut.starts[own].tolist() == (tokens.starts + begin).tolist()
        assert cut.ends[own].tolist() == (tokens.ends + begin).tolist()
        begin = end
    assert first[0] == 0
    assert first[-1] == len(cut)


@pytest.mark.parametrize("name", ["gpt2", "whitespace", "categories", "raw"])
def test_forgetting_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(f"word{index % 97} x{index}\n" for index in range(500))
    history = trained([("word1 word22 x1 x2 x33\n", 9)], preset(name)).history
    expected = StepwiseEncoding(history, text).tokens(len(history))
    monkeypatch.setattr(tokenizer_module, "_WORDS_AT_ONCE", 10)
    monkeypatch.setattr(tokenizer_module, "MAX_WORDS", 50)
    found = Tokenizer(history).encode(text)
    assert found.ids.tolist() == expected.ids.tolist()
    assert found.ends.tolist() == expected.ends.tolist()
    assert Tokenizer(history).encode_ids(text).tolist() == expected.ids.tolist()


def test_what_fails_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that were found, but not cut any more."""
    text = " ".join(f"word{index % 97} x{index}\n" for index in range(500))
    history = trained([("word1 word22 x1 x2 x33\n", 9)], preset("gpt2")).history
    expected = Tokenizer(history).encode_ids(text).tolist()
    monkeypatch.setattr(tokenizer_module, "_WORDS_AT_ONCE", 100)
    cut, calls = WordCache.cut, count()

    def failing(self: WordCache, *words: Any) -> Any:
        if next(calls) in (0, 3, 8):
            raise MemoryError
        return cut(self, *words)

    monkeypatch.setattr(WordCache, "cut", failing)
    tokenizer = Tokenizer(history)
    for encode in (tokenizer.encode_ids, tokenizer.encode, tokenizer.encode_ids):
        with pytest.raises(MemoryError):
            encode(text)
    assert tokenizer.encode_ids(text).tolist() == expected
    assert tokenizer.encode(text).ids.tolist() == expected


SPECIALS = st.sampled_from([(), ("a\nb", "a\nbc"), ("\n", "a a")])


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=settings.default.max_examples // 3)
@given(text=TEXTS, rest=TEXTS, specials=SPECIALS)
def test_a_safe_cut_changes_nothing_whatever_follows(
    name: str, text: str, rest: str, specials: tuple[str, ...]
) -> None:
    assert_a_safe_cut_changes_nothing(preset(name), text, rest, specials)


@given(recipe=custom_recipes(), text=texts, rest=texts, specials=SPECIALS)
def test_a_safe_cut_changes_nothing_for_recipes_of_ones_own(
    recipe: Recipe, text: str, rest: str, specials: tuple[str, ...]
) -> None:
    assert_a_safe_cut_changes_nothing(recipe, text, rest, specials)


def assert_a_safe_cut_changes_nothing(
    recipe: Recipe, text: str, rest: str, specials: tuple[str, ...]
) -> None:
    recipe = recipe.with_changes(special_tokens=(*recipe.special_tokens, *specials))
    history = trained([("abba a\nb 's 12 ab", 3), (text, 2)], recipe).history
    tokenizer = Tokenizer(history)
    place = tokenizer.safe_cut(text.encode())
    whole = text + rest
    data = whole.encode()
    _, one = tokenizer.encode_documents(data, np.array([len(data)]))
    ends = np.array([place, len(data)]) if place else np.array([len(data)])
    _, two = tokenizer.encode_documents(data, ends)
    assert one.ids.tolist() == two.ids.tolist()
    assert one.starts.tolist() == two.starts.tolist()
    assert one.ends.tolist() == two.ends.tolist()
    assert place == 0 or data[place - 1 : place].isspace() or data[place : place + 1].isspace()


def test_safe_cuts_are_found() -> None:
    tokenizer = Tokenizer(trained([("low lower", 1)], preset("gpt2")).history)
    assert tokenizer.safe_cut(b"low lower ne") == 9
    assert tokenizer.safe_cut(b"lowerlowest") == 0
    assert tokenizer.safe_cut("слово слово\n\nслово".encode()) == 21


def test_no_cut_within_a_special_token() -> None:
    recipe = preset("gpt2").with_changes(special_tokens=("end of text", "end of text!"))
    tokenizer = Tokenizer(trained([("low lower", 1)], recipe).history)
    assert tokenizer.safe_cut(b"low lower end of text and more of it") == 21
    assert tokenizer.safe_cut(b"low lower end of text") == 9
    assert tokenizer.safe_cut(b"low lower end of text" + b"9" * 20) == 9
    assert tokenizer.safe_cut(b"low lower end of text", specials_as_text=True) == 16


@pytest.mark.parametrize("ends", [[], [3], [3, 9]])
def test_documents_that_do_not_end_with_the_text_are_refused(ends: list[int]) -> None:
    tokenizer = Tokenizer(trained([("low", 2)], preset("gpt2")).history)
    with pytest.raises(ValueError, match="the last document ends at byte"):
        tokenizer.encode_documents(b"low lower lowest", np.array(ends, np.int64))
