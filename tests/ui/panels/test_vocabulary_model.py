"""The vocabulary as a table: any order, any search, any jump of the position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester

from bpe_gui.analysis.token_columns import BEGINNING, TokenColumns
from bpe_gui.analysis.token_life import is_residue, symbol_counts
from bpe_gui.analysis.visible import visible, visible_text
from bpe_gui.bpe.history import BaseVocabulary, History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.panels.vocabulary.columns import BYTES, COLUMNS, COUNT, ID, NOW, PARENTS, TOKEN
from bpe_gui.ui.panels.vocabulary.model import VocabularyModel
from tests.ui.histories import byte_level, four_words, grow, invented, trained

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder

TEXT = "the cat the hat that the жизнь жизни The CAT – – nice nicer 12 12 1 the␣"


def shown(model: VocabularyModel) -> list[int]:
    return [model.token_at(row) for row in range(model.rowCount())]


def searched_through(model: VocabularyModel) -> VocabularyModel:
    while model.searching:
        model.search_on()
    return model


def text(model: VocabularyModel, row: int, column: int) -> str:
    return str(model.data(model.index(row, column)))


# -- the slow and obvious answer -----------------------------------------------------------


@dataclass
class Entry:
    token: int
    content: bytes
    in_text: bytes
    written: str
    count: int
    parents: tuple[int, int] | None


def entries(history: History, position: int) -> list[Entry]:
    """All tokens that exist at a position, each with the first merge that made it."""
    base = history.base
    found = [
        Entry(i, content, b"" if content == b"</w>" else content, base.texts[i], 0, None)
        for i, content in enumerate(base.contents)
    ]
    for step in range(position):
        left, right = int(history.left[step]), int(history.right[step])
        if int(history.new_id[step]) == len(found):
            content = found[left].content + found[right].content
            written = found[left].written + found[right].written
            count = int(history.count[step])
            in_text = found[left].in_text + found[right].in_text
            found.append(Entry(len(found), content, in_text, written, count, (left, right)))
    return found


IN_HEX = {"65 73": b"es", "0x73": b"s", "0X7374": b"st", " 20  0x74 ": b" t", "d0 B6": "ж".encode()}
"""Searches for bytes in hex, and the bytes."""


def how_it_fits(entry: Entry, search: str) -> int | None:
    """How well a search fits a token, 0 is best; None if it is not in it.

    0 if it is the whole token, 1 if it is but for capitals, 2 if it is but for a space before it or
    the mark after it, 3 if it is its beginning, 4 if it is within it.
    """

    def fold(text: str) -> str:
        return text if search != search.lower() else text.lower()

    def bare(text: str) -> str:
        word = text[1:] if text.startswith("␣") else text
        return word[: -len("</w>")] if word.endswith("</w>") else word

    number = search.strip().replace(",", "")
    if number.isascii() and number.isdecimal() and int(number) == entry.token:
        return 0
    sought = [(search, fold(visible(entry.content))), (search, fold(entry.written))]
    sought += [(visible_text(search), text) for _, text in sought]
    places = [text.find(needle) for needle, text in sought]
    found = [
        0 if needle in (visible(entry.content), entry.written)
        else 1 if needle == text
        else 2 if needle == bare(text)
        else 3 if place == 0 else 4
        for (needle, text), place in zip(sought, places, strict=True)
        if place >= 0
    ]
    if search in IN_HEX and IN_HEX[search] in entry.in_text:
        place = entry.in_text.find(IN_HEX[search])
        found.append(0 if entry.in_text == IN_HEX[search] else 3 if place == 0 else 4)
    return min(found, default=None)


def counts_now(history: History, position: int) -> list[int | None]:
    """How often each token occurs at a position; None for those from the start."""
    counts: list[int | None] = [None] * len(history.base)
    counts += [0] * (history.vocabulary_size(position) - len(counts))
    for step in range(position):
        times = int(history.tokens[step] - history.tokens[step + 1])
        parents = history.left[step], history.right[step]
        for token, by in ((history.new_id[step], times), *((one, -times) for one in parents)):
            before = counts[int(token)]
            counts[int(token)] = None if before is None else before + by
    return counts


def expected(
    history: History, position: int, search: str, column: int, descending: bool
) -> list[int]:
    now = counts_now(history, position)
    keys = {
        NOW: lambda entry: (
            (now[entry.token] is None) != descending, now[entry.token] or 0
        ),
        ID: lambda entry: entry.token,
        TOKEN: lambda entry: entry.content,
        BYTES: lambda entry: len(entry.in_text),
        COUNT: lambda entry: ((entry.parents is None) != descending, entry.count),
        PARENTS: lambda entry: entry.parents or (-1, -1),
    }
    known = entries(history, position)
    found = [entry for entry in known if how_it_fits(entry, search) is not None]
    found.sort(key=lambda entry: entry.token)
    found.sort(key=keys[column], reverse=descending)
    if column == ID and not descending and search:
        found.sort(key=lambda entry: how_it_fits(entry, search) or 0)
    return [entry.token for entry in found]


HISTORIES = (
    byte_level(TEXT),
    four_words(),
    trained(
        [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)],
        preset("whitespace").with_changes(special_tokens=("<unk>", "est")),
    ),
)


@pytest.mark.parametrize("history", HISTORIES)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("position"), st.integers(0, 60)),
            st.tuples(
                st.just("search"),
                st.sampled_from(
                    ["", "t", "T", "th", " ", "␣", "Ġt", "</w>", "3", "12", "261", "‹", *IN_HEX]
                ),
            ),
            st.tuples(st.just("sort"), st.tuples(st.integers(0, len(COLUMNS) - 1), st.booleans())),
        ),
        max_size=12,
    ),
)
def test_any_jumps_show_what_a_plain_list_shows(
    history: History, actions: list[tuple[str, object]]
) -> None:
    model = VocabularyModel()
    model.set_history(history)
    position, search, column, descending = 0, "", ID, False
    resets: list[None] = []
    model.modelReset.connect(lambda: resets.append(None))
    for action, value in actions:
        if action == "position":
            assert isinstance(value, int)
            position = min(value, len(history))
            model.set_position(position)
        elif action == "search":
            search = str(value)
            model.set_search(search)
        else:
            assert isinstance(value, tuple)
            column, descending = value
            model.sort(column, DESCENDING if descending else ASCENDING)
        searched_through(model)
        assert shown(model) == expected(history, position, search, column, descending)
        assert model.size == len(entries(history, position))
        for row in (0, model.rowCount() - 1):
            if row in range(model.rowCount()):
                assert model.row_of(model.token_at(row)) == row


@pytest.mark.parametrize("column", range(len(COLUMNS)))
@pytest.mark.parametrize("search", ["", "e"])
@pytest.mark.parametrize("order", [ASCENDING, DESCENDING])
def test_the_rules_of_models(
    qtmodeltester: ModelTester, column: int, search: str, order: Qt.SortOrder
) -> None:
    history = four_words()
    model = VocabularyModel()
    qtmodeltester.check(model)
    model.set_history(history)
    model.sort(column, order)
    model.set_search(search)
    for position in (0, 1, len(history), 5, 4, 0, 9, 9):
        model.set_position(position)
        qtmodeltester.check(model)
    model.set_history(None)
    qtmodeltester.check(model)


def test_a_model_without_a_history_is_empty() -> None:
    model = VocabularyModel()
    model.set_position(7)
    model.set_search("e")
    model.sort(COUNT, DESCENDING)
    assert model.rowCount() == 0
    assert model.size == 0
    assert model.row_of(0) is None


def test_cells() -> None:
    history = four_words()
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(3)
    base = len(history.base)
    newest = [text(model, base + 2, column) for column in range(len(COLUMNS))]
    assert newest == [str(base + 2), "est</w>", "65 73 74", "9", "est + </w>", "9"]
    # Nothing is left of what was put into longer tokens.
    assert text(model, base, NOW) == "0"
    assert text(model, base, BYTES) == "65 73"
    marker = history.base.texts.index("</w>")
    assert text(model, marker, BYTES) == "–"
    tooltips = [
        model.data(model.index(row, 0), Qt.ItemDataRole.ToolTipRole) for row in (base + 2, marker)
    ]
    assert f"<b>{base + 2}&nbsp;&nbsp;“est" in tooltips[0]
    assert "<br>3 bytes, end of word<br>" in tooltips[0]
    assert "<br>0 bytes, end of word<br>" in tooltips[1]
    assert text(model, 0, COUNT) == "–"
    assert text(model, 0, PARENTS) == "–"
    assert model.token_at(4) == 4


def test_invisible_characters_and_parts_of_characters_are_marked() -> None:
    history = byte_level(TEXT)
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(len(history))
    texts = [text(model, row, TOKEN) for row in range(model.rowCount())]
    assert texts == [visible(history.token_bytes(token)) for token in range(len(texts))]
    assert "‹NUL›" in texts
    assert "␣the" in texts
    assert "↵" in texts
    assert "0xD0" in texts


def test_entries_without_a_count_come_last_in_both_directions() -> None:
    history = four_words()
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(4)
    base = len(history.base)
    for order in (ASCENDING, DESCENDING):
        model.sort(COUNT, order)
        assert sorted(shown(model)[:4]) == [base, base + 1, base + 2, base + 3]
        assert shown(model)[4:] == list(range(base))


@pytest.mark.parametrize("search", ["20 74", "0x20 0x74", "0x2074", "0x20 74"])
def test_bytes_in_hex_are_found(search: str) -> None:
    history = byte_level(TEXT)
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(len(history))
    model.set_search(search)
    found = [history.token_bytes(token) for token in shown(searched_through(model))]
    assert b" the" in found
    assert all(b" t" in content for content in found)


@pytest.mark.parametrize("search", ["20 7", "2", "0x", "0x2", "20 74 x", "0x20,0x74"])
def test_what_is_no_bytes_in_hex_finds_none(search: str) -> None:
    history = byte_level("the cat")
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(len(history))
    model.set_search(search)
    assert all(b" t" not in history.token_bytes(token) for token in shown(searched_through(model)))


def test_the_bytes_of_very_long_tokens_are_cut() -> None:
    model = VocabularyModel()
    model.set_history(trained([("ab" * 500, 1)], preset("raw")))
    model.set_position(9)
    row = model.rowCount() - 1
    assert text(model, row, BYTES) == "61 62 " * 16 + "…"
    assert "512 bytes" in model.data(model.index(row, 0), Qt.ItemDataRole.ToolTipRole)


def test_large_counts_have_separators() -> None:
    model = VocabularyModel()
    model.set_history(invented(10))
    model.set_position(10)
    assert text(model, 256, COUNT) == "800,000"


def test_special_tokens_say_what_they_are() -> None:
    model = VocabularyModel()
    model.set_history(HISTORIES[2])
    assert text(model, 0, TOKEN) == "<unk>"
    assert text(model, 0, PARENTS) == "special"
    tooltip = model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    assert "&lt;unk&gt;" in tooltip
    assert "special token" in tooltip


def test_tooltips_name_the_merge() -> None:
    history = four_words()
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(1)
    tooltip = model.data(model.index(len(history.base), 0), Qt.ItemDataRole.ToolTipRole)
    assert "merge 1: e + s, seen 9 times" in tooltip


def test_long_tokens_are_cut_for_display() -> None:
    model = VocabularyModel()
    model.set_history(trained([("ab" * 500, 1)], preset("raw")))
    model.set_position(9)
    assert text(model, model.rowCount() - 1, TOKEN) == "ab" * 60 + "…"


@pytest.mark.parametrize("size", [1, 27, 32, 33, 119, 120, 121, 155, 156, 160, 161, 300])
def test_a_row_tells_of_long_tokens_what_a_row_of_all_its_bytes_would(size: int) -> None:
    recipe = preset("whitespace").with_changes(vocabulary_size=None, merges=1000)
    word = ("abcdefghijklmnopqrstuvwxyz0123456789" * 9)[:size]
    history = trained([(word, 1)], recipe)
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(len(history))
    for row in range(model.rowCount()):
        token = model.token_at(row)
        content, data = history.token_bytes(token), history.bytes_in_text(token)
        shown = visible(content[:120]) + ("…" if len(content) > 120 else "")
        written = data[:32].hex(" ").upper() + (" …" if len(data) > 32 else "")
        assert model.index(row, TOKEN).data() == shown
        assert model.index(row, BYTES).data() == (written or "–")


def test_a_change_of_the_position_inserts_or_removes_one_block() -> None:
    history = four_words()
    model = VocabularyModel()
    model.set_history(history)
    changes: list[tuple[str, int, int]] = []
    model.rowsInserted.connect(lambda _, first, last: changes.append(("in", first, last)))
    model.rowsRemoved.connect(lambda _, first, last: changes.append(("out", first, last)))
    model.modelReset.connect(lambda: changes.append(("reset", 0, 0)))
    base = len(history.base)
    model.set_position(4)
    model.set_position(10)
    model.set_position(2)
    model.set_position(2)
    assert changes == [
        ("in", base, base + 3),
        ("in", base + 4, base + 9),
        ("out", base + 2, base + 9),
    ]
    model.sort(ID, DESCENDING)
    changes.clear()
    model.set_position(5)
    model.set_position(4)
    assert changes == [("in", 0, 2), ("out", 0, 0)]


def test_a_sorted_vocabulary_is_left_alone_if_its_rows_stay_the_same() -> None:
    model = VocabularyModel()
    model.set_history(four_words())
    model.sort(COUNT, DESCENDING)
    model.set_search("zzz")
    resets: list[None] = []
    model.modelReset.connect(lambda: resets.append(None))
    model.set_position(5)
    assert resets == []
    assert model.rowCount() == 0


def test_a_growing_history_is_taken_in() -> None:
    history = invented(300)
    model = VocabularyModel()
    model.set_history(history)
    model.sort(TOKEN, DESCENDING)
    model.set_search("a")
    model.set_position(300)
    grow(history, 400)
    model.set_position(700)
    searched_through(model)
    assert shown(model) == expected(history, 700, "a", TOKEN, True)


def test_a_long_search_goes_on_in_pieces() -> None:
    history = invented(30_000)
    history.id_to_token(0)
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(30_000)
    model.set_search("b")
    assert model.searching
    first = model.rowCount()
    model.search_on()
    assert model.rowCount() > first
    searched_through(model)
    assert shown(model) == expected(history, 30_000, "b", ID, False)
    model.set_position(100)
    assert shown(model) == expected(history, 100, "b", ID, False), "found already"


def test_headers() -> None:
    model = VocabularyModel()
    assert [
        model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())
    ] == ["id", "token", "bytes", "first count", "made from", "count now"]
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.headerData(9, Qt.Orientation.Horizontal) is None
    assert model.rowCount(QModelIndex()) == 0


def test_lengths_of_long_chains() -> None:
    """Each token is made of the one before it, more of them than passes are tried."""
    history = trained([("abcdefghijklmnopqrstuvwxyz" * 3, 1)], preset("raw"))
    columns = TokenColumns(history)
    columns.grow()
    assert columns.lengths.tolist() == [
        len(entry.in_text) for entry in entries(history, len(history))
    ]
    assert max(columns.lengths.tolist()) > 32


@pytest.mark.parametrize("order", [ASCENDING, DESCENDING])
def test_tokens_that_begin_alike_are_in_the_order_of_their_ids(order: Qt.SortOrder) -> None:
    history = trained([("a" * 1024, 1)], preset("raw"))
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(len(history))
    model.sort(TOKEN, order)
    long = [token for token in shown(model) if len(history.token_bytes(token)) >= BEGINNING]
    assert len(long) > 2
    assert long == sorted(long)


# -- filters, regular expressions, counts at the position -----------------------------------------


def filtered(history: History, *choices: str, search: str = "") -> list[bytes]:
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(len(history))
    model.set_choices(choices)
    model.set_search(search)
    return [history.token_bytes(token) for token in shown(searched_through(model))]


def test_filters_show_the_tokens_that_pass_all_of_them() -> None:
    history = byte_level(TEXT)
    every = [entry.content for entry in entries(history, len(history))]

    def is_broken(content: bytes) -> bool:
        return content.decode("utf-8", "replace") != content.decode("utf-8", "ignore")

    assert filtered(history, "space") == [one for one in every if one.startswith(b" ")]
    assert filtered(history, "digit") == [one for one in every if any(48 <= c < 58 for c in one)]
    assert filtered(history, "broken") == [one for one in every if is_broken(one)]
    letters = {content: content.decode("utf-8", "ignore") for content in every}
    assert filtered(history, "Cyrillic", "space") == [
        one for one in every
        if one.startswith(b" ") and any(letter in "жизньы" for letter in letters[one])
    ]  # fmt: skip


def test_residues_are_found() -> None:
    history = four_words()
    left = counts_now(history, len(history))
    found = filtered(history, "residue")
    assert b"es" in found
    base = len(history.base)
    for token in range(base, len(left)):
        made = sum(
            int(history.tokens[step] - history.tokens[step + 1])
            for step in range(len(history)) if history.new_id[step] == token
        )  # fmt: skip
        rare = is_residue(left[token] or 0, made, int(history.tokens[-1]))
        assert (history.token_bytes(token) in found) == rare


def test_tokens_that_a_text_does_not_have_are_found() -> None:
    history = four_words()
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(3)
    model.set_choices(["unused"])
    assert shown(searched_through(model)) == []
    model.set_used(np.array([1, 4, 9]))
    assert shown(searched_through(model)) == [
        token for token in range(history.vocabulary_size(3)) if token not in (1, 4, 9)
    ]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("(?s)^.$", lambda text: len(text) == 1),
     ("^ [tT]", lambda text: text.startswith((" t", " T"))),
     ("^␣t", lambda text: text.startswith(" t")), ("(?i)CAT", lambda text: "cat" in text.lower())],
)  # fmt: skip
def test_a_regular_expression_is_searched_for(
    pattern: str, found: Callable[[str], bool]
) -> None:
    history = byte_level(TEXT)
    every = [
        entry.content for entry in entries(history, len(history))
        if found(entry.content.decode("utf-8", "replace"))
    ]  # fmt: skip
    assert sorted(filtered(history, "regex", search=pattern)) == sorted(every)


def test_the_token_in_the_letters_of_the_search_is_first() -> None:
    history = trained([("TH", 9), ("Th", 8), ("th", 7), ("the", 6)], preset("whitespace"))
    assert filtered(history, search="th")[:2] == [b"th", b"TH"]


def test_whole_matches_of_a_regular_expression_are_first() -> None:
    found = filtered(byte_level(TEXT), "regex", search="nice?|e")
    assert found[0] == b"e"
    assert found.index(b"nice" if b"nice" in found else b" nice") > 0


@pytest.mark.parametrize(
    ("pattern", "told"),
    [("[a-", "The search '[a-' is not a regular expression: "), ("(", "missing )"),
     ("a" * 20_000, "A search of 20,000 characters is not read")],
)  # fmt: skip
def test_a_bad_pattern_has_one_sentence(pattern: str, told: str) -> None:
    model = VocabularyModel()
    model.set_history(four_words())
    model.set_choices(["regex"])
    model.set_search(pattern)
    assert told in model.problem
    assert model.problem.endswith(".")
    assert model.problem.count(". ") == 0
    assert not model.searching
    assert shown(model) == []
    model.set_search("l")
    assert model.problem == ""
    assert shown(searched_through(model))


def test_a_slow_pattern_is_given_up() -> None:
    model = VocabularyModel()
    history = trained([("a" * 40, 1)], preset("raw"))
    model.set_history(history)
    model.set_position(len(history))
    model.set_choices(["regex"])
    model.set_search("(a|aa)+$b")
    searched_through(model)
    assert "takes too long for the token 'aaaa" in model.problem
    assert "choose a simpler one." in model.problem


def test_counts_at_the_position_with_those_of_symbols() -> None:
    recipe = preset("raw")
    words = WordCounts.from_pairs([("lowlow", 3), ("l", 2)], recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(10)
    history = trainer.history
    model = VocabularyModel()
    model.set_history(history)
    assert {text(model, row, NOW) for row in range(3)} == {"–"}
    model.set_symbol_counts(symbol_counts(words, recipe))
    names = ["l", "o", "w", "lo", "low", "lowlow"]
    expected = {
        0: {"l": "8", "o": "6", "w": "6"},
        1: {"l": "2", "o": "0", "w": "6", "lo": "6"},
        3: {"l": "2", "o": "0", "w": "0", "lo": "0", "low": "0", "lowlow": "3"},
    }
    for position, counts in expected.items():
        model.set_position(position)
        rows = range(model.rowCount())
        assert {text(model, row, TOKEN): text(model, row, NOW) for row in rows} == counts
        assert [text(model, row, TOKEN) for row in rows] == names[: len(counts)]


def test_a_run_without_counts_has_none_now() -> None:
    recipe = preset("raw")
    history = History.from_merges(recipe, BaseVocabulary.of(recipe, "ab"), [(0, 1, 2)])
    model = VocabularyModel()
    model.set_history(history)
    model.set_position(1)
    assert text(model, 2, NOW) == "–"
