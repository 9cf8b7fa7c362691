"""Borders and differences of lanes against looking at every byte of every lane."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.differences.alignment import Alignment, CachedEncoder, Cut, align
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.test_trainer import COURSE, corpora, recipes, texts, trained

Spans = list[tuple[int, int]]


def cut(encoding: TrainedEncoding, text: str) -> Cut:
    return CachedEncoder(encoding).encode(text)


def lanes_over(text: str, *encodings: TrainedEncoding) -> Alignment:
    return align(text, [cut(encoding, text) for encoding in encodings])


def spans(tokens: Tokens) -> Spans:
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))


def slow_borders(found: Spans, size: int) -> list[bool]:
    """Position by position: something begins or ends there, and nothing reaches across."""
    return [
        place in (0, size)
        or (
            any(start < end and place in (start, end) for start, end in found)
            and not any(start < place < end for start, end in found)
        )
        for place in range(size + 1)
    ]


def slow_reading(lane: Cut, start: int, end: int) -> tuple[object, ...]:
    """What a lane makes of a stretch between two of its borders, token by token."""
    encoding, data = lane.encoding, lane.text.encode()
    count, content, covered, special, unknown = 0, b"", set[int](), False, False
    for token, (begin, stop) in zip(lane.tokens.ids.tolist(), spans(lane.tokens), strict=True):
        place = begin if begin < stop else max(begin - 1, 0)
        if not start <= place < end:
            continue
        count += 1
        covered |= set(range(begin, stop))
        is_spelled = (
            token != NO_TOKEN and begin < stop and encoding.token_bytes(token) == data[begin:stop]
        )
        if encoding.is_unknown(token) and not is_spelled:
            unknown = True
            continue
        special |= encoding.is_special(token) and is_spelled and not lane.specials_as_text
        content += encoding.token_bytes(token)
    return count, content, covered, special, unknown


def some_lanes(
    data: st.DataObject, corpus: list[tuple[str, int]], text: str, *, most: int = 4
) -> list[Cut]:
    lanes = []
    for recipe in data.draw(st.lists(recipes(), min_size=1, max_size=most)):
        history = trained(corpus, recipe).history
        position = data.draw(st.integers(0, len(history)))
        encoding = TrainedEncoding(history, position, name=f"lane {len(lanes)}")
        lanes.append(
            CachedEncoder(encoding).encode(text, specials_as_text=data.draw(st.booleans()))
        )
    return lanes


@given(corpus=corpora, text=texts, data=st.data())
def test_equals_looking_at_every_byte(
    corpus: list[tuple[str, int]], text: str, data: st.DataObject
) -> None:
    lanes = some_lanes(data, corpus, text)
    found = align(text, lanes)
    size = len(text.encode())
    borders = [slow_borders(spans(lane.tokens), size) for lane in lanes]
    assert found.borders.tolist() == borders
    standing = [sum(column) for column in zip(*borders, strict=True)]
    assert found.shared.tolist() == [p for p in range(size + 1) if standing[p] == len(lanes)]
    assert found.partial.tolist() == [p for p in range(size + 1) if 0 < standing[p] < len(lanes)]
    expected_differences = []
    shared = found.shared.tolist()
    for start, end in pairwise(shared):
        readings = [
            (borders[index][start : end + 1], slow_reading(lane, start, end))
            for index, lane in enumerate(lanes)
        ]
        if any(reading != readings[0] for reading in readings):
            number = len(expected_differences)
            expected_differences.append((start, end))
            for group in found.groups(number):
                for lane in range(len(lanes)):
                    assert (lane in group) == (readings[lane] == readings[group[0]])
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == (
        expected_differences
    )


@given(corpus=corpora, text=texts, data=st.data())
def test_going_from_difference_to_difference(
    corpus: list[tuple[str, int]], text: str, data: st.DataObject
) -> None:
    found = align(text, some_lanes(data, corpus, text))
    starts, ends = found.starts.tolist(), found.ends.tolist()
    for place in range(-1, len(text.encode()) + 1):
        later = [index for index, start in enumerate(starts) if start > place]
        earlier = [index for index, start in enumerate(starts) if start < place]
        holding = [i for i in range(len(starts)) if starts[i] <= place < ends[i]]
        assert found.next_difference(place) == (later[0] if later else None)
        assert found.previous_difference(place) == (earlier[-1] if earlier else None)
        assert found.difference_at(place) == (holding[0] if holding else None)


def learnt(recipe: Recipe) -> TrainedEncoding:
    return TrainedEncoding(trained([(sentence, 3) for sentence in COURSE], recipe).history)


def test_a_dropped_space_is_a_difference() -> None:
    """Also where all have a border on both sides of it."""
    text = "how \nthey"
    found = lanes_over(text, learnt(preset("whitespace")), learnt(preset("gpt2")))
    data = text.encode()
    pieces = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    assert b" \n" in b"".join(data[start:end] for start, end in pieces)


def test_a_border_within_a_character() -> None:
    found = lanes_over("é", learnt(preset("gpt2")), learnt(preset("raw")))
    assert found.borders[:, 1].tolist() == [True, False]
    assert found.partial.tolist() == [1]
    assert (found.starts.tolist(), found.ends.tolist()) == ([0], [2])


def test_tokens_that_cover_the_same_character() -> None:
    """A composed letter of Hindi is taken apart, and each part covers the whole of it."""
    recipe = preset("raw").with_changes(normalizers=("nfd",), merges=0)
    encoding = TrainedEncoding(trained([("\u0915\u093c", 1)], recipe).history)
    text = "\u0958\u0915"
    assert spans(encoding.encode(text)) == [(0, 3), (0, 3), (3, 6)]
    found = lanes_over(text, encoding, encoding)
    assert found.shared.tolist() == [0, 3, 6]
    assert found.differences == 0


def test_the_empty_text() -> None:
    found = lanes_over("", learnt(preset("gpt2")), learnt(preset("raw")))
    assert found.shared.tolist() == [0]
    assert found.differences == 0
    assert found.next_difference(-1) is None
    assert found.previous_difference(5) is None


def test_what_cannot_be_aligned() -> None:
    encoding = learnt(preset("raw"))
    with pytest.raises(ValueError, match="at least one"):
        align("a", [])
    with pytest.raises(ValueError, match="same text"):
        align("a", [cut(encoding, "a"), cut(encoding, "b")])
