"""The vocabularies of lanes: browsed, searched, filtered, and held against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox, QLineEdit, QTableView, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.token_properties import SCRIPTS
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.formats import bert
from bpe_gui.encodings.formats.tiktoken_ranks import from_ranks
from bpe_gui.encodings.measuring.file_measuring import FileNumbers, MeasureRequest
from bpe_gui.encodings.measuring.measure import Document, measure
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.overlap import overlap
from bpe_gui.encodings.vocabularies.query import Answer, Column, Part, Query, Reader
from bpe_gui.encodings.vocabularies.suspicious import Reason
from bpe_gui.encodings.vocabularies.vocabulary import vocabulary_of
from bpe_gui.ui.compare.vocabularies import wording
from bpe_gui.ui.compare.vocabularies.facts import VocabularyFacts
from bpe_gui.ui.compare.vocabularies.matrix import OverlapMatrix
from bpe_gui.ui.compare.vocabularies.page import VocabulariesPage
from bpe_gui.ui.compare.vocabularies.table import TokensTable
from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.widgets.tables import CellText, plainly
from tests.ui.compare.compared import TEXT, encodings, lanes
from tests.ui.driving import child, picture, shown
from tests.ui.histories import four_words, trained

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[VocabulariesPage]:
    made = shown(qtbot, VocabulariesPage(), 1100, 400)
    ids = {key: encoding.encode(TEXT).ids for key, encoding in lanes().items()}
    made.set_lanes(lanes(), ids)
    qtbot.waitUntil(lambda: made.at_rest)
    yield made
    end_tasks(made)


def tokens(page: VocabulariesPage) -> list[str]:
    model = child(page, QTableView, "tokensTable").model()
    return [model.index(row, 1).data() for row in range(model.rowCount())]


def search(qtbot: QtBot, page: VocabulariesPage, text: str) -> list[str]:
    child(page, QLineEdit, "tokensSearch").setText(text)
    qtbot.waitUntil(lambda: page.at_rest)
    return tokens(page)


def choose(qtbot: QtBot, page: VocabulariesPage, action: str) -> list[str]:
    child(page, QAction, action).trigger()
    qtbot.waitUntil(lambda: page.at_rest)
    return tokens(page)


def offered_scripts(page: VocabulariesPage) -> list[str]:
    """The scripts that the filter has."""
    found = [page.findChildren(QAction, f"tokens{name}Action") for name in SCRIPTS]
    return [action.text() for actions in found for action in actions if action.isVisible()]


def click_cell(qtbot: QtBot, page: VocabulariesPage, one: int, other: int) -> None:
    """Click where the two lanes meet."""
    matrix = child(page, OverlapMatrix, "vocabularyMatrix")
    area = matrix.viewport().rect()
    points = (QPoint(x, y) for y in range(0, area.height(), 4) for x in range(60, area.width(), 4))
    where = next(
        point for point in points
        if matrix.place_at(point) == (one, other) and "share" in matrix.tooltip_at(point)
    )
    qtbot.mouseClick(matrix.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.waitUntil(lambda: page.at_rest)


def test_all_tokens_of_the_first_lane_are_listed(page: VocabulariesPage) -> None:
    assert len(tokens(page)) == encodings()[0].vocabulary_size
    assert page.about == "bytes: 256 tokens"
    QAbstractItemModelTester(page.model)


def test_nobody_is_asked_for_encodings_that_are_being_read(qtbot: QtBot) -> None:
    page = shown(qtbot, VocabulariesPage(), 1100, 400)
    table = child(page, TokensTable, "tokensTable")
    around = [child(page, QWidget, name) for name in ("vocabularyMatrix", "vocabularyFacts")]
    assert table.message == wording.NO_LANES
    page.set_lanes(lanes(), {})
    child(page, QLineEdit, "tokensSearch").setText("e")
    assert table.message == f"Reading the vocabularies: 0 of {len(lanes())}…"
    assert not any(part.isVisible() for part in around), "they would be empty columns"
    qtbot.waitUntil(lambda: page.at_rest)
    assert all(part.isVisible() for part in around)
    page.set_lanes({}, {})
    qtbot.waitUntil(lambda: table.message == wording.NO_LANES)
    assert not any(part.isVisible() for part in around)
    end_tasks(page)


def test_the_tokens_of_one_lane_are_listed_while_the_others_are_read(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, may_answer, answer = shown(qtbot, VocabulariesPage(), 1100, 400), Event(), Reader.answer

    def answer_of_all_later(self: Reader, query: Query, *arguments: Any) -> Answer:
        if len(query.encodings) > 1:
            may_answer.wait()
        return answer(self, query, *arguments)

    monkeypatch.setattr(Reader, "answer", answer_of_all_later)
    page.set_lanes(lanes(), {})
    qtbot.waitUntil(lambda: len(tokens(page)) == encodings()[0].vocabulary_size)
    matrix = child(page, QWidget, "vocabularyMatrix")
    assert not page.at_rest
    assert not matrix.isVisible()
    may_answer.set()
    qtbot.waitUntil(lambda: page.at_rest)
    assert matrix.isVisible()
    assert page.about == "bytes: 256 tokens"
    end_tasks(page)


def test_how_many_vocabularies_are_read_is_reported() -> None:
    query = Query(lanes(), "", {}, 1, None, Part.SHARED, "", (), Column.ID, False)
    read: list[tuple[int, int]] = []
    Reader().answer(query, lambda: None, read.append)
    total = len(query.encodings)
    assert read == [(number, total) for number in range(1, total + 1)]


def test_the_chosen_lane_is_listed(qtbot: QtBot, page: VocabulariesPage) -> None:
    page.choose_lane(2)
    qtbot.waitUntil(lambda: page.at_rest)
    assert len(tokens(page)) == encodings()[1].vocabulary_size


def test_the_mark_of_the_end_of_a_word_is_written(
    qtbot: QtBot, page: VocabulariesPage
) -> None:
    encoding = TrainedEncoding(four_words())
    page.set_lanes({1: encoding}, {1: encoding.encode("low").ids})
    qtbot.waitUntil(lambda: page.at_rest and "low</w>" in tokens(page))
    assert {"</w>", "low", "low</w>"} <= {*tokens(page)}
    assert "" not in tokens(page)
    assert search(qtbot, page, "low</w>") == ["low</w>"]
    assert "low</w>" not in search(qtbot, page, "/")


def test_the_mark_of_a_continued_word_is_written(
    qtbot: QtBot, page: VocabulariesPage, tmp_path: Path
) -> None:
    """Else two tokens of one vocabulary look alike."""
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join([*SPECIALS, "est", "##est", "low", "#"]))
    encoding = bert.read(path)
    page.set_lanes({1: encoding}, {1: encoding.encode("lowest").ids})
    qtbot.waitUntil(lambda: page.at_rest and tokens(page)[5:] == ["est", "##est", "low", "#"])
    assert search(qtbot, page, "est") == ["est", "##est"]
    assert search(qtbot, page, "##est") == ["##est"]
    assert search(qtbot, page, "#") == ["#"]
    matrix = child(page, OverlapMatrix, "vocabularyMatrix")
    names = (QPoint(16, y) for y in range(matrix.height()))
    name = next(point for point in names if matrix.place_at(point) == (0, 0))
    said = "vocab.txt: 3 tokens of different bytes, without special ones"
    assert matrix.tooltip_at(name) == said


def test_searching(qtbot: QtBot, page: VocabulariesPage) -> None:
    page.choose_lane(2)
    assert "␣the" in search(qtbot, page, " the")
    assert "␣the" in search(qtbot, page, "␣THE".lower())
    assert search(qtbot, page, "THE") == []
    assert search(qtbot, page, "97") == [visible(encodings()[1].token_bytes(97))]
    assert all("th" in token for token in search(qtbot, page, "74 68"))


def test_filters_list_as_many_tokens_as_the_bars_say(qtbot: QtBot) -> None:
    recipe = preset("gpt2").with_changes(special_tokens=("<|end|>",))
    encoding = TrainedEncoding(trained([("low", 5), ("newest", 6)], recipe), name="a run")
    page = shown(qtbot, VocabulariesPage(), 1100, 400)
    page.set_lanes({1: encoding}, {1: encoding.encode(TEXT).ids})
    qtbot.waitUntil(lambda: page.at_rest)
    counted = vocabulary_of(encoding).script_counts()["Latin"]
    assert len(choose(qtbot, page, "tokensLatinAction")) == counted
    choose(qtbot, page, "tokensLatinAction")
    assert "<|end|>" not in choose(qtbot, page, "tokens7–12BytesAction")
    choose(qtbot, page, "tokens7–12BytesAction")
    assert offered_scripts(page) == ["Latin"]
    ranks = {bytes([b]): b for b in range(256)} | {"λ".encode(): 256, "ж ".encode(): 257}
    greek = from_ranks(ranks, "gpt2", name="greek")
    page.set_lanes({1: encoding, 2: greek}, {})
    page.choose_lane(2)
    qtbot.waitUntil(lambda: page.at_rest and "λ" in tokens(page))
    assert offered_scripts(page) == ["Latin", "Greek", "Cyrillic"]
    assert choose(qtbot, page, "tokensGreekAction") == ["λ"]
    page.choose_lane(1)
    qtbot.waitUntil(lambda: page.at_rest)
    assert offered_scripts(page) == ["Latin", "Greek"], "one that is chosen can be turned off"
    end_tasks(page)


def test_filters(qtbot: QtBot, page: VocabulariesPage) -> None:
    assert choose(qtbot, page, "tokensUnreachableAction") == []
    choose(qtbot, page, "tokensAllAction")
    assert choose(qtbot, page, "tokensDigitsAction") == list("0123456789")
    assert choose(qtbot, page, "tokensLatinAction") == []
    choose(qtbot, page, "tokensAllAction")
    unused = choose(qtbot, page, "tokensNeverUsedAction")
    assert {"t", "␣"}.isdisjoint(unused)


def test_what_all_lanes_have_and_what_no_other_has(qtbot: QtBot, page: VocabulariesPage) -> None:
    ranks = {bytes([b]): b for b in range(256)}
    words = [{b"low", b"est", b"er"}, {b"est", b"er", b"ing"}, {b"er", b"ing", b"ab"}]
    page.set_lanes({
        key: from_ranks(
            ranks | {word: n for n, word in enumerate(sorted(own), 256)}, "gpt2", name=str(key)
        )
        for key, own in enumerate(words)
    }, {})  # fmt: skip
    page.choose_lane(0)
    qtbot.waitUntil(lambda: page.at_rest)
    assert choose(qtbot, page, "tokensInNoOtherAction") == ["low"]
    shared = choose(qtbot, page, "tokensInAllEncodingsAction")
    assert (len(shared), shared[256:]) == (257, ["er"])
    page.choose_lane(1)
    qtbot.waitUntil(lambda: page.at_rest)
    assert page.about == "1: 257 of 259 tokens"
    assert choose(qtbot, page, "tokensInNoOtherAction") == []


def whys(page: VocabulariesPage) -> dict[str, str]:
    model = child(page, QTableView, "tokensTable").model()
    rows = range(model.rowCount())
    return {model.index(row, 1).data(): model.index(row, 7).data() for row in rows}


def test_tokens_that_a_corpus_never_has_are_listed_apart(
    qtbot: QtBot, page: VocabulariesPage
) -> None:
    """Else they would bury the other reasons: no text has most tokens of a large vocabulary."""
    page.set_lanes(lanes(), {key: one.encode("the").ids for key, one in lanes().items()})
    qtbot.waitUntil(lambda: page.at_rest)
    assert "never used" not in whys(page)["z"]
    assert "z" not in choose(qtbot, page, "tokensAnyReasonAction")
    text = b"the hat " * 100
    measured = {
        key: measure(encoding, Document([text], "novel.txt")) for key, encoding in lanes().items()
    }
    request = MeasureRequest(("novel.txt",), lanes())
    page.set_corpus(FileNumbers(request, "novel.txt", len(text), measured, {}))
    qtbot.waitUntil(lambda: page.at_rest and page.about.endswith("novel.txt"))
    assert "z" not in tokens(page)
    choose(qtbot, page, "tokensNeverUsedAction")
    assert whys(page)["z"] == ""
    assert "h" not in tokens(page)
    answer = page.model.answer
    assert answer is not None
    row = answer.source.row_of(ord("z"))
    assert row is not None
    assert answer.found.sentence(row, Reason.UNUSED) == "It is never used in novel.txt"
    choose(qtbot, page, "tokensAllAction")
    model = child(page, QTableView, "tokensTable").model()
    uses = {model.index(at, 1).data(): model.index(at, 5).data() for at in range(model.rowCount())}
    assert uses["h"] == "200"
    page.set_corpus(None)
    qtbot.waitUntil(lambda: page.at_rest and not page.about.endswith("novel.txt"))


def test_reasons_are_seen_in_a_narrow_window_where_they_are_asked_for(
    qtbot: QtBot, page: VocabulariesPage
) -> None:
    page.resize(620, 400)
    table = child(page, QTableView, "tokensTable")
    assert table.isColumnHidden(Column.WHY)
    choose(qtbot, page, "tokensAnyReasonAction")
    assert not table.isColumnHidden(Column.WHY)
    choose(qtbot, page, "tokensAllAction")
    assert table.isColumnHidden(Column.WHY)


def test_what_columns_usually_have_fits_into_them(page: VocabulariesPage) -> None:
    page.resize(1600, 400)
    table = child(page, QTableView, "tokensTable")
    fit = CellText(QFontMetrics(plainly(table.font()))).fit
    for column, text in ((Column.KIND, "space-initial"), (Column.SCRIPTS, "Devanagari")):
        assert fit(text, table.columnWidth(column) - 16) == text


def test_a_click_on_a_bar_lists_its_tokens_and_another_one_all(
    qtbot: QtBot, page: VocabulariesPage
) -> None:
    facts = child(page, VocabularyFacts, "vocabularyFacts")
    everything = tokens(page)
    area = facts.viewport().rect()
    points = (QPoint(40, y) for y in range(area.height()))
    where = next(point for point in points if facts.tooltip_at(point).startswith("digits: 10\n"))
    qtbot.mouseClick(facts.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.waitUntil(lambda: page.at_rest and tokens(page) == list("0123456789"))
    qtbot.mouseClick(facts.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.waitUntil(lambda: page.at_rest and tokens(page) == everything)


def test_the_gravest_reasons_are_first(qtbot: QtBot, page: VocabulariesPage) -> None:
    """Bytes that UTF-8 never has are in every vocabulary of all bytes: they are no suspects."""
    table = {bytes([byte]): byte for byte in range(256)}
    table |= {b"x ": 256, b"x\xe2": 257, b"a b": 258, b" b": 259}
    encoding = from_ranks(table, r"[a-z] ?|[\s\S]", {}, name="ranks")
    page.set_lanes({1: encoding}, {})
    qtbot.waitUntil(lambda: page.at_rest)
    choose(qtbot, page, "tokensAnyReasonAction")
    qtbot.waitUntil(lambda: page.at_rest)
    gravest = [why.partition(",")[0] for why in whys(page).values()]
    assert gravest == ["unreachable", "unreachable", "incomplete UTF-8", "odd white space"]
    choose(qtbot, page, "tokensAllAction")
    qtbot.waitUntil(lambda: page.at_rest)
    assert tokens(page)[-4:] == ["x␣", "x 0xE2", "a␣b", "␣b"], "by their ids again"


def test_headings_sort(qtbot: QtBot, page: VocabulariesPage) -> None:
    page.choose_lane(2)
    header = child(page, QTableView, "tokensTable").horizontalHeader()
    header.setSortIndicator(2, Qt.SortOrder.DescendingOrder)
    qtbot.waitUntil(lambda: page.at_rest)
    vocabulary = vocabulary_of(encodings()[1])
    order = np.argsort(-vocabulary.properties.lengths, kind="stable")
    answer = page.model.answer
    assert answer is not None
    assert answer.rows.tolist() == order.tolist()


def test_columns_without_room_for_their_numbers_are_scrolled_to(qtbot: QtBot) -> None:
    matrix = shown(qtbot, OverlapMatrix(), 270, 200)
    shares = np.full((12, 12), 0.5)
    matrix.set_matrix(tuple(f"tokenizer-{n}.json" for n in range(12)), (50_257,) * 12, shares)

    def columns() -> Counter[int]:
        """The columns in sight, and their widths; that of the first has the names, too."""
        y = matrix.fontMetrics().height() * 2
        places = (matrix.place_at(QPoint(x, y)) for x in range(matrix.viewport().width()))
        return Counter(place[1] for place in places if place is not None)

    widest = matrix.fontMetrics().horizontalAdvance("0.50")
    assert all(width >= widest for width in columns().values())
    assert 11 not in columns()
    chosen: list[tuple[int, int]] = []
    matrix.cellChosen.connect(lambda *cell: chosen.append(cell))
    for _ in range(11):
        qtbot.keyClick(matrix, Qt.Key.Key_Right)
    qtbot.keyClick(matrix, Qt.Key.Key_Return)
    assert chosen == [(0, 11)]
    assert 11 in columns()
    matrix.set_chosen(0, 1)
    assert 1 in columns()
    assert 11 not in columns()
    matrix.resize(900, 200)
    qtbot.waitUntil(lambda: {*columns()} == {*range(12)})


def test_a_cell_of_the_matrix_lists_what_two_share(qtbot: QtBot, page: VocabulariesPage) -> None:
    click_cell(qtbot, page, 1, 2)
    found = overlap(*(vocabulary_of(encoding) for encoding in encodings()[1:]))
    part = child(page, QComboBox, "tokensPart")
    assert [part.itemText(n) for n in range(3)] == [
        f"{len(found.both):,} in both",
        f"{len(found.only_one):,} only in all, of “the”",
        f"{len(found.only_other):,} only in other",
    ]
    model = page.model
    for row in range(model.rowCount()):
        one, other = (int(model.index(row, column).data()) for column in (0, 6))
        assert encodings()[1].token_bytes(one) == encodings()[2].token_bytes(other)
    assert model.rowCount() == len(found.both)
    for number, expected in ((1, found.only_one), (2, found.only_other)):
        part.setCurrentIndex(number)
        part.activated.emit(number)
        qtbot.waitUntil(lambda: page.at_rest)
        assert model.answer is not None
        assert model.answer.rows.tolist() == expected.tolist()
        encoding = encodings()[number]
        target = encodings()[3 - number]
        for row in range(model.rowCount()):
            content = encoding.token_bytes(int(model.index(row, 0).data()))
            now = map(target.token_bytes, target.encode(content.decode()).ids.tolist())
            assert model.index(row, 6).data() == " + ".join(map(visible, now))


def test_what_is_listed_of_another_question_is_dimmed(
    qtbot: QtBot, page: VocabulariesPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, may_answer, answer = child(page, QTableView, "tokensTable"), Event(), Reader.answer

    def answer_later(*arguments: Any) -> Answer:
        may_answer.wait()
        return answer(*arguments)

    veil = child(table, QWidget, "veil")
    assert not veil.isVisible()
    monkeypatch.setattr(Reader, "answer", answer_later)
    page.choose_lane(2)
    qtbot.waitUntil(veil.isVisible)
    assert len(tokens(page)) == encodings()[0].vocabulary_size
    may_answer.set()
    qtbot.waitUntil(lambda: page.at_rest)
    assert not veil.isVisible()
    assert len(tokens(page)) == encodings()[1].vocabulary_size


def test_lanes_that_go_are_gone(qtbot: QtBot, page: VocabulariesPage) -> None:
    click_cell(qtbot, page, 1, 2)
    page.set_lanes({1: encodings()[0]}, {})
    qtbot.waitUntil(lambda: page.at_rest)
    assert len(tokens(page)) == 256
    page.set_lanes({}, {})
    qtbot.waitUntil(lambda: page.at_rest)
    assert tokens(page) == []


def test_enter_opens_a_token(qtbot: QtBot, page: VocabulariesPage) -> None:
    table = child(page, QTableView, "tokensTable")
    table.setCurrentIndex(table.model().index(5, 1))
    with qtbot.waitSignal(page.tokenOpened) as opened:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert opened.args[1] == int(table.model().index(5, 0).data())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("width", [420, 760, 1600])
def test_it_is_drawn_at_any_width(
    qtbot: QtBot, page: VocabulariesPage, theme: object, width: int
) -> None:
    page.setPalette(palette(theme))
    page.resize(width, 300)
    assert not picture(page).isNull()
    click_cell(qtbot, page, 0, 1)
    assert not picture(page).isNull()
