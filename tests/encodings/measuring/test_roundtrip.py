"""What is said of texts that do not come back."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Prepend, Recipe, preset
from bpe_gui.encodings.differences.alignment import CachedEncoder
from bpe_gui.encodings.measuring.roundtrip import check_roundtrip
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.test_trainer import COURSE, corpora, recipes, texts, trained


@given(corpus=corpora, recipe=recipes(), text=texts, data=st.data())
def test_the_check_tells_the_truth(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, data: st.DataObject
) -> None:
    history = trained(corpus, recipe).history
    cut = CachedEncoder(TrainedEncoding(history, data.draw(st.integers(0, len(history))))).encode(
        text
    )
    check = check_roundtrip(cut)
    assert check.decoded == cut.encoding.decode(cut.tokens.ids.tolist())
    assert check.is_lossless == (check.decoded == text) == (check.label == "")
    if check.first is not None:
        pairs = zip(text, check.decoded, strict=False)
        assert check.first == len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        assert f"character {check.first + 1:,}" in check.label
    if "unknown" in check.label:
        spans = zip(cut.tokens.char_starts, cut.tokens.char_ends, cut.tokens.ids, strict=True)
        found = {
            place
            for start, end, token in spans
            for place in range(start, end)
            if cut.encoding.is_unknown(int(token)) and text[start:end] != "<unk>"
        }
        assert int(check.label.split()[1].replace(",", "")) == len(found)
    assert check.label.startswith(check.short.partition(" unknown")[0].partition("changes")[0])
    if "drops" in check.label:
        count = int(check.label.split()[2])
        assert count == len(text) - len(check.decoded)
        assert not Counter(check.decoded) - Counter(text)
    if "adds" in check.label:
        assert not Counter(text) - Counter(check.decoded)


@pytest.mark.parametrize(
    ("recipe", "text", "label"),
    [
        ("gpt2", "any\ttext  at all ß", ""),
        ("whitespace", "this is", ""),
        (
            "whitespace",
            "this  is a ",
            "lossy: drops 2 spaces, the first at character 6",
        ),
        ("whitespace", "this\nis", "lossy: from character 5 on “↵is” decodes to “␣is”"),
        ("whitespace", "is\n", "lossy: drops 1 newline, the first at character 3"),
        ("lines", "is\u0301 it", "lossy: drops 1 combining mark, the first at character 3"),
        ("lines", "thís", "lossy: from character 3 on “ís” decodes to “is”"),
        (
            "raw",
            "is ß it",
            "lossy: 1 unknown character; the first difference is at character 4",
        ),
        ("char-bpe", "is it.", "lossy: adds 1 space, the first at character 6"),
    ],
)
def test_labels(recipe: str, text: str, label: str) -> None:
    history = trained([(sentence, 3) for sentence in COURSE], preset(recipe)).history
    assert check_roundtrip(CachedEncoder(TrainedEncoding(history)).encode(text)).label == label


def test_what_is_put_in_and_unknown_is_no_character_of_the_text() -> None:
    recipe = preset("raw").with_changes(normalizers=(Prepend("▁"), "lowercase"))
    history = trained([("a", 1)], recipe.with_changes(normalizers=("lowercase",))).history
    encoding = TrainedEncoding(History(recipe, history.base, 1, 1))
    label = check_roundtrip(CachedEncoder(encoding).encode("A")).label
    assert label == "lossy: from character 1 on “A” decodes to “a”"


@pytest.mark.parametrize(
    ("recipe", "text", "short"),
    [
        ("gpt2", "any text", ""),
        ("whitespace", "this  is a ", "lossy: drops 2 spaces"),
        ("whitespace", "this\nis", "lossy: changes text"),
        ("raw", "is ß it", "lossy: 1 unknown char"),
        ("char-bpe", "is it.", "lossy: adds 1 space"),
    ],
)
def test_what_is_lost_in_a_table(recipe: str, text: str, short: str) -> None:
    history = trained([(sentence, 3) for sentence in COURSE], preset(recipe)).history
    assert check_roundtrip(CachedEncoder(TrainedEncoding(history)).encode(text)).short == short
