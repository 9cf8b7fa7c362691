"""The tour that comes with the program, played whole in the window: is all that it says so?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.grouped_counts import TOKENS
from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import History
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.tours.files import load, own_tour, short_tour
from bpe_gui.tours.tour import PresetLane
from bpe_gui.ui.compare.metrics_table import MetricsRow
from bpe_gui.ui.laboratory.boundary_tables import BOUNDARY, SuperwordColumn
from bpe_gui.ui.panels.guess.board import GuessBoard
from bpe_gui.ui.panels.guess.game import question_at
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tour.targets import known_places
from bpe_gui.ui.tour.touring import Touring
from bpe_gui.ui.widgets.sentences import as_written
from tests.ui.driving import child
from tests.ui.tour.short_tour import points_beside_the_panel


def pieces(history: History, text: str, position: int | None = None) -> list[bytes]:
    """A text as the run cuts it."""
    encoding = TrainedEncoding(history, position)
    return [history.token_bytes(token) for token in encoding.encode(text).ids.tolist()]


def lanes(window: MainWindow) -> list[int]:
    """How many tokens each lane has of the compared text, as the numbers in Compare tell it."""
    return [row.metrics.tokens for row in _measured(window)]


def _measured(window: MainWindow) -> list[MetricsRow]:
    return [row for row in window.compare.numbers.table.metrics.rows if row.metrics is not None]


def _only_without_split(window: MainWindow) -> list[str]:
    """The tokens that the laboratory lists as learned without the split."""
    tokens = child(window, QTableView, "crossingTable").model()
    names = (tokens.index(row, SuperwordColumn.TOKEN).data() for row in range(tokens.rowCount()))
    return ["".join(name.split(f" {BOUNDARY} ")) for name in names]


# What pages say besides figures: each is asked of the window when the page is there, revealed.

FACTS: dict[str, Callable[[MainWindow, History, str], bool]] = {
    "Neighbours": lambda w, h, text: "6 times in “newest” and 3 times in “widest”" in text,
    "One merge": lambda w, h, text: (
        "e + s is now merged into “es” everywhere" in text
        and int(h.new_id[0]) == len(h.base)
        and "with id 11." in text
        # What it speaks of is marked, and not the pair that comes next.
        and w.explore.token == h.new_id[0]
        and not child(w, QWidget, "pairChart").isVisible()
    ),
    "What a merge takes away": lambda w, h, text: (
        "There “w” and “e” are neighbours 8 times" in text
        and "The panel Words shows it: only in “lower”" in text
        and child(w, QTableView, "wordsTable").isVisible()
        and [word for word, _ in w.branches.shown.words.items() if b"we" in word]
        == [b"lower", b"newest"]
    ),
    "Again, and again": lambda w, h, text: (
        w.player.position == 10 and "took 24 tokens at first, and takes 9 now" in text
    ),
    "A word never seen before": lambda w, h, text: "low | est</w>" in text,
    "A pair counts as often as its word": lambda w, h, text: (
        "5 times in “low” and 2 times in “lower”, which makes 7" in text
        and "“newest” with its 6 times" in text
    ),
    "Rare words are merged last": lambda w, h, text: (
        int(h.count[0]) == 9 and int(h.count[-1]) == 2 and sorted(h.count)[::-1] == list(h.count)
    ),
    "Equal counts": lambda w, h, text: (
        "3 pairs occur 9 times" in text and "merged, here e + s." in text
    ),
    "Now you": lambda w, h, text: (
        "only “lower” still has several tokens. It has 3 pairs, which occur 2 times" in text
        and "low + e comes first" in text
    ),
    "Another rule": lambda w, h, text: (
        "es + t and t + </w> are tied" in text and "“t” has id 9, and “es”, which is newer" in text
    ),
    "Does it matter?": lambda w, h, text: (
        "wid | e | r | </w>" in text and "w | i | d | er | </w>" in text
    ),
    "Letters are bytes": lambda w, h, text: "“é” takes 2, the Russian “г” takes 2" in text,
    "How many tokens is one character?": lambda w, h, text: (
        len(pieces(h, "€")) == 3 and "256 different bytes" in text
    ),
    "Half a character": lambda w, h, text: (
        all(_is_part(h.token_bytes(int(token))) for token in h.new_id[1:4])
        and h.token_bytes(int(h.new_id[3])) == "🙂".encode()[:2] == "🎉".encode()[:2]
    ),
    "Whole at last": lambda w, h, text: (
        len(pieces(h, "é", 8)) == 2 and len(pieces(h, "é")) == 1 and len(pieces(h, "🙂")) > 1
    ),
    "Nothing is unknown": lambda w, h, text: b"".join(pieces(h, "☃")) == "☃".encode(),
    "No split at all": lambda w, h, text: all(
        b" " in h.token_bytes(int(left)) + h.token_bytes(int(right))
        for left, right in zip(h.top(0).left[:5], h.top(0).right[:5], strict=True)
    ),
    "Tokens across words": lambda w, h, text: (
        h.token_bytes(int(h.new_id[13])) == b"he " and h.token_bytes(int(h.new_id[21])) == b" the "
    ),
    "A boundary between words": lambda w, h, text: (
        pieces(h, "The birds sing.") == [b"The", b" birds", b" sing", b"."]
    ),
    "Which merges the split blocks": lambda w, h, text: _only_without_split(w)[:1] == [",␣"],
    "Numbers": lambda w, h, text: (
        max(len(re.findall(rb"\d", h.token_bytes(int(token)))) for token in h.new_id) <= 3
        and pieces(h, " 12345") == [b" ", b"123", b"4", b"5"]
    ),
    "A real corpus": lambda w, h, text: h.corpus_bytes > 10_000_000,
    "The first merge": lambda w, h, text: "␣ + ␣" in text,
    "Thousands of merges": lambda w, h, text: (
        h.vocabulary_size(len(h)) == 3000 and int(h.count[0]) > 100 * int(h.count[99])
    ),
    "What it has learned": lambda w, h, text: len(pieces(h, "def __init__(self, name):")) < 10,
    "Less and less": lambda w, h, text: (
        _saved(h, 0, 100) / 100 > _saved(h, 100, 1000) / 900 > _saved(h, 1000, len(h)) / 1744
    ),
    "Any moment again": lambda w, h, text: w.player.position == 25 and len(h) > 2000,
    "More merges": lambda w, h, text: _grow(lanes(w)),
    "Another split": lambda w, h, text: (
        "before any merge" in w.compare.differences.card.toPlainText()
    ),
    "Another corpus": lambda w, h, text: _grow(lanes(w)[::-1]),
    "Spelling": lambda w, h, text: len(pieces(h, " strawberry")) > 1 == len(pieces(h, " harbour")),
    "Capitals": lambda w, h, text: _share_nothing(h, " harbour", " Harbour", " HARBOUR"),
    "One more space": lambda w, h, text: (
        pieces(h, "The  clock")[1] == b" "
        and pieces(h, "The clock ")[-1] == b" "
        and pieces(h, "in") == [b"in"]
        and pieces(h, " in") == [b" in"]
    ),
    "Digits": lambda w, h, text: (
        pieces(h, " 12345") == [b" 1234", b"5"]
        and pieces(h, " 54321") == [b" ", b"5", b"4", b"3", b"2", b"1"]
    ),
    "The same story in two languages": lambda w, h, text: _grow(lanes(w)[::-1]),
    "The most frequent pair": lambda w, h, text: (
        "e + s occurs 9 times" in text
        and "3 pairs occur 9 times, and e + s is the first of them in the corpus" in text
        and list(h.top(0).count[:4]) == [9, 9, 9, 8]
        and (1, 3) in [(spot.first, spot.last) for spot in w.touring.moment.scene.spotlight]
    ),
    "What a model reads": lambda w, h, text: (
        "“low” 5 times, “newest” 6 times" in text
        and "</w>, which marks the end of a word" in text
        and pieces(h, "low", 0) == [b"l", b"o", b"w", b"</w>"]
        and {(b"low", 5), (b"newest", 6)} <= set(w.branches.shown.words.items())
    ),
    "The whole method": lambda w, h, text: (
        w.player.position == 10
        and len(pieces(h, "newest")) == 1
        and "Written once each, the four words took 24 tokens at first, and take 9 now" in text
    ),
    "A new word": lambda w, h, text: pieces(h, "lowest") == [b"low", b"est</w>"],
    "The first merge of a story": lambda w, h, text: (
        [h.token_bytes(int(side[0])) for side in (h.top(0).left, h.top(0).right)] == [b"h", b"e"]
        and {b"the", b"he", b"When"} <= {word.strip() for word, _ in w.branches.shown.words.items()}
        and "there is no </w>" in text
        and "The first tokens are the 256 bytes" in text
        and pieces(h, " low", 0) == [b" ", b"l", b"o", b"w"]
    ),
    "Words appear": lambda w, h, text: (
        len([piece for piece in pieces(h, w.sample_text.text) if len(piece) > 2]) == 10
    ),
    "Later merges save less": lambda w, h, text: (
        _saved(h, 0, 100) / 100 > _saved(h, 100, len(h)) / (len(h) - 100)
    ),
    "Letters out of sight": lambda w, h, text: (
        len(pieces(h, " strawberry")) > 1 == len(pieces(h, " harbour"))
    ),
    "Two languages": lambda w, h, text: _grow(lanes(w)[::-1]),
    "Another beginning": lambda w, h, text: (
        [row.metrics.unknowns for row in _measured(w)] == [1, 0]
    ),
    "The bill": lambda w, h, text: (
        f"{_tokens(w, 'hi', 0) / _tokens(w, 'en', 0):.2f} times as many as in English" in text
    ),
    "Where it comes from": lambda w, h, text: (
        f"{_bytes('hi'):,} bytes in Hindi, and {_bytes('en'):,} in English" in text
        and _tokens(w, "hi", 0) > 0.99 * _bytes("hi")
    ),
    "Another corpus, another bill": lambda w, h, text: (
        _tokens(w, "hi", 1) / _tokens(w, "en", 1) < _tokens(w, "hi", 0) / _tokens(w, "en", 0) / 2
        and f"{_tokens(w, 'en', 1)} tokens now instead of {_tokens(w, 'en', 0)}" in text
    ),
}


def _grow(counts: list[int]) -> bool:
    """Whether there are two, the second greater."""
    return len(counts) == 2 and counts[0] < counts[1]


def _is_part(content: bytes) -> bool:
    """Whether bytes are the beginning of a character, and no character."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False


def _saved(history: History, begin: int, end: int) -> int:
    return int(history.tokens[begin] - history.tokens[end])


def _bytes(language: str) -> int:
    """How long the story is."""
    return len(languages()[language].text.encode())


def _tokens(window: MainWindow, language: str, lane: int) -> int:
    """How many tokens the table of languages tells of a lane."""
    story = window.compare.numbers.texts.model.columns[lane].story
    return int(story[list(languages()).index(language)].counts.groups[:, TOKENS].sum())


# What is right, found out in another way than by the figures of the tour.

ANSWERS: dict[str, Callable[[MainWindow, History], str]] = {
    "Neighbours": lambda w, h: "e + s",
    "What a merge takes away": lambda w, h: f"{_count(h, 1, b'w', b'e')} times",
    "A word never seen before": lambda w, h: _cut(h, "lowest"),
    "A pair counts as often as its word": lambda w, h: "l + o",
    "Now you": lambda w, h: "low + e",
    "Another rule": lambda w, h: "t + </w>",
    "How many tokens is one character?": lambda w, h: f"{len('€'.encode())} tokens",
    "No split at all": lambda w, h: ": + ␣",
    "Which merges the split blocks": lambda w, h: next(
        (token for token in _only_without_split(w) if token in ("␣moon", ",␣", "fish")), ""
    ),
    "Numbers": lambda w, h: _cut(h, " 12345"),
    "The first merge": lambda w, h: "␣ + ␣",
    "What it has learned": lambda w, h: f"{len(pieces(h, 'def __init__(self, name):'))} tokens",
    "Another corpus": lambda w, h: w.compare.comparison.lanes[lanes(w).index(min(lanes(w)))].name,
    "Spelling": lambda w, h: _cut(h, " strawberry"),
    "One more space": lambda w, h: "The | ␣ | ␣clock",
    "Digits": lambda w, h: "␣ | 5 | 4 | 3 | 2 | 1",
    "The same story in two languages": lambda w, h: (
        w.compare.comparison.lanes[lanes(w).index(min(lanes(w)))].name
    ),
    "The most frequent pair": lambda w, h: "e + s",
    "A new word": lambda w, h: _cut(h, "lowest"),
    "The first merge of a story": lambda w, h: "h + e",
    "Letters out of sight": lambda w, h: _cut(h, " strawberry"),
    "The bill": lambda w, h: f"{_tokens(w, 'hi', 0):,} tokens",
    "Another corpus, another bill": lambda w, h: (
        f"{_tokens(w, 'hi', 1) / _tokens(w, 'en', 1):.2f} times"
    ),
}

TIES = "Now you"
"""The page that asks for one of equals; on all others one pair is the most frequent."""


def _share_nothing(history: History, *texts: str) -> bool:
    found = [set(pieces(history, text)) for text in texts]
    return sum(map(len, found)) == len(set.union(*found))


def _count(history: History, position: int, left: bytes, right: bytes) -> int:
    top = history.top(position)
    rows = zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True)
    contents = {(history.token_bytes(a), history.token_bytes(b)): count for a, b, count in rows}
    return int(contents[left, right])


def _cut(history: History, text: str) -> str:
    return " | ".join(piece.decode().replace(" ", "␣") for piece in pieces(history, text))


def in_sight(window: MainWindow) -> str:
    """All that the window writes or says but on the page and where the choices stand again."""
    asking = (window.touring.dock, window.explore.guess)
    return "\n".join(
        text
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and not widget.visibleRegion().isEmpty()
        if not any(widget is one or one.isAncestorOf(widget) for one in asking)
        for text in (widget.accessibleDescription(), *_written(widget))
    )


def _written(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel | QLineEdit):
        yield widget.text()
    elif isinstance(widget, QTextEdit | QPlainTextEdit):
        yield widget.toPlainText()
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        columns = range(widget.model().columnCount())
        first, last = (
            widget.indexAt(QPoint(4, y)).row() for y in (4, widget.viewport().height() - 4)
        )
        for row in range(max(first, 0), (last if last >= 0 else widget.model().rowCount() - 1) + 1):
            yield " ".join(str(widget.model().index(row, column).data()) for column in columns)


def check_question(window: MainWindow, touring: Touring) -> None:
    """Nothing tells the answer, and of pairs one alone is the most frequent."""
    page, history = touring.page, window.player.history
    words = touring.first_words[touring.number]
    assert words.question is not None
    assert history is not None
    choices = words.question.choices
    assert len(set(choices)) == len(choices), page.title
    said, told = "\n".join(words.before), in_sight(window)
    if "afterwards" in words.question.text:
        assert not window.explore.why.isVisible(), "it tells how rare a merge makes which pairs"
    # What the page itself names, or what lanes are called, tells nothing by standing there.
    told_choices = [
        choice
        for choice in choices
        if choice not in said and re.search(rf"(?<![\d,.]){re.escape(choice)}", told)
    ]
    assert not told_choices or len(told_choices) == len(choices), (page.title, told_choices)
    if all(" + " in choice for choice in choices):
        position = window.player.position
        top = history.top(position)
        counts = {
            visible_pair(history.token_bytes(left), history.token_bytes(right)): count
            for left, right, count in zip(
                top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True
            )
        }
        offered = sorted((counts[choice] for choice in choices), reverse=True)
        assert (offered[0] == offered[-1]) == (page.title in (TIES, "Another rule"))
        if page.title != "Another rule":
            assert touring.moment.covers
            assert window.explore.guess.covers
            assert page.title == TIES or offered[0] > offered[1], page.title


def check_board(window: MainWindow, touring: Touring, qtbot: QtBot) -> None:
    """Beside the page stands the question of the position in view, with the same choices.

    Where the page asks otherwise, the board offers nothing.
    """
    history, place = window.player.history, touring.page.title
    assert history is not None
    board = child(window.explore.guess, GuessBoard, "guessBoard")
    assert not board.visibleRegion().isEmpty(), place
    question = question_at(history, window.player.position) if touring.moment.asks else None
    qtbot.waitUntil(lambda: board.question == question)
    if question is not None:
        offered = [
            visible_pair(history.token_bytes(pair.left), history.token_bytes(pair.right))
            for pair in question.candidates
        ]
        words = touring.first_words[touring.number].question
        assert words is not None
        assert offered == list(words.choices), place


def check(window: MainWindow, touring: Touring, qtbot: QtBot) -> None:
    """What holds of every page."""
    page, moment = touring.page, touring.moment
    panel = touring.panel
    place = f"{page.title}, {'revealed' if moment.revealed else 'first'}"
    assert not child(panel, QLabel, "tourProblem").text(), place
    assert window.message_bar.text == "", place
    history = window.player.history
    assert history is not None
    assert not history.interventions
    assert moment.scene.spotlight, place
    assert all(min(hole.width(), hole.height()) > 15 for hole in touring.spotlight.holes), place
    assert (window.width(), window.height()) == (1280, 800), place
    assert window.sample_text.text == moment.scene.text
    lanes_there = [lane.name for lane in window.compare.comparison.lanes]
    for lane in moment.scene.lanes:
        if isinstance(lane, PresetLane) and window.compare.isVisible():
            assert any(name.startswith(lane.preset) for name in lanes_there), place
    if page.question is not None:
        verdict = as_written(child(panel, QLabel, "tourVerdict").text())
        assert bool(verdict) == moment.revealed, place
        if moment.revealed:
            qtbot.waitUntil(lambda: verdict == f"Answer: {ANSWERS[page.title](window, history)}.")
        else:
            check_question(window, touring)
    if moment.covers:
        check_board(window, touring, qtbot)


@pytest.mark.parametrize("short", [False, True])
def test_all_that_the_tour_says_is_so(
    window: MainWindow, qtbot: QtBot, short: bool
) -> None:
    touring = window.touring
    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(window, Qt.Key.Key_F12, held if short else Qt.KeyboardModifier.NoModifier)
    proven: set[str] = set()
    asked = []
    while True:
        check(window, touring, qtbot)
        qtbot.waitUntil(lambda: points_beside_the_panel(window))
        history = window.player.history
        assert history is not None
        title = touring.page.title
        asked += [title] * touring.asks
        if title in FACTS and (touring.moment.revealed or not touring.page.reveals):
            qtbot.waitUntil(
                lambda: FACTS[title](window, history, touring.panel.text),  # noqa: B023,
            )
            proven.add(title)
        if touring.number + 1 == len(touring.moments):
            break
        with qtbot.waitSignal(touring.arrived):
            touring.step_on()
    tour = load(short_tour() if short else own_tour(), known_places())
    titles = [page.title for page in tour.pages]
    assert proven == set(FACTS).intersection(titles)
    assert asked == [title for title in titles if title in ANSWERS]
    touring.leave()
    assert window.sample_text.text == "low lower newest widest"
