"""The tour that comes with the program, played whole in the window: is all that it says so?"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.encodings.trained import TrainedEncoding
from bpe_gui.tours.tour import PresetLane
from bpe_gui.ui.compare.metrics_model import MetricsRow
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.touring.touring import Touring
from tests.ui.test_touring import points_beside_the_panel
from tests.ui.widgets import child


@pytest.fixture
def window(at_the_start: MainWindow) -> MainWindow:
    return at_the_start


def pieces(history: History, text: str, position: int | None = None) -> list[bytes]:
    """A text as the run cuts it."""
    encoding = TrainedEncoding(history, position)
    return [history.content(token) for token in encoding.encode(text).ids.tolist()]



def lanes(window: MainWindow) -> list[int]:
    """How many tokens each lane has of the compared text, as the numbers in Compare tell it."""
    return [row.metrics.tokens for row in _measured(window)]


def _measured(window: MainWindow) -> list[MetricsRow]:
    return [row for row in window.compare.numbers._rows if row.metrics is not None]


# What pages say besides figures: each is asked of the window when the page is there, revealed.

FACTS: dict[str, Callable[[MainWindow, History, str], bool]] = {
    "Neighbours": lambda w, h, text: "6 times in newest and 3 times in widest" in text,
    "One merge": lambda w, h, text: (
        "e + s is es now" in text and int(h.new_id[0]) == len(h.base) and "number 11" in text
    ),
    "What a merge takes away": lambda w, h, text: "Only in lower, 2 times" in text,
    "Again, and again": lambda w, h, text: (
        w.player.position == 10 and "took 24 tokens, and takes 9 now" in text
    ),
    "A word that it has never seen": lambda w, h, text: "low | est</w>" in text,
    "A pair counts as often as its word": lambda w, h, text: (
        "5 times in low and 2 times in lower make 7" in text and "6 times of newest" in text
    ),
    "A rare word learns last": lambda w, h, text: (
        int(h.count[0]) == 9 and int(h.count[-1]) == 2 and sorted(h.count)[::-1] == list(h.count)
    ),
    "Equals": lambda w, h, text: "3 pairs occur 9 times" in text and "e + s" in text,
    "Another rule": lambda w, h, text: "it was es + t." in text and "merge 2 is t + </w>" in text,
    "Does it matter?": lambda w, h, text: (
        "wid | e | r | </w>" in text and "w | i | d | er | </w>" in text
    ),
    "Letters are bytes": lambda w, h, text: "é takes 2, the Russian г takes 2" in text,
    "How many tokens is a sign?": lambda w, h, text: (
        len(pieces(h, "€")) == 3 and "256 different bytes" in text
    ),
    "Half a character": lambda w, h, text: (
        all(_is_part(h.content(int(token))) for token in h.new_id[1:4])
        and h.content(int(h.new_id[3])) == "🙂".encode()[:2] == "🎉".encode()[:2]
    ),
    "Whole at last": lambda w, h, text: (
        len(pieces(h, "é", 8)) == 2 and len(pieces(h, "é")) == 1 and len(pieces(h, "🙂")) > 1
    ),
    "Nothing is unknown": lambda w, h, text: b"".join(pieces(h, "☃")) == "☃".encode(),
    "No walls at all": lambda w, h, text: h.content(int(h.top(0).right[0])) == b" ",
    "Tokens across words": lambda w, h, text: (
        h.content(int(h.new_id[13])) == b"he " and h.content(int(h.new_id[21])) == b" the "
    ),
    "A wall between words": lambda w, h, text: (
        pieces(h, "The birds sing.") == [b"The", b" birds", b" sing", b"."]
    ),
    "Numbers": lambda w, h, text: (
        max(len(re.findall(rb"\d", h.content(int(token)))) for token in h.new_id) <= 3
        and pieces(h, " 12345") == [b" ", b"123", b"4", b"5"]
    ),
    "A real corpus": lambda w, h, text: h.corpus_bytes > 10_000_000,
    "The first merge": lambda w, h, text: "␣ + ␣" in text,
    "Thousands of merges": lambda w, h, text: (
        h.vocabulary_size(len(h)) == 3000 and int(h.count[0]) > 100 * int(h.count[99])
    ),
    "What it has learnt": lambda w, h, text: len(pieces(h, "def __init__(self, name):")) < 10,
    "Less and less": lambda w, h, text: (
        _saved(h, 0, 100) / 100 > _saved(h, 100, 1000) / 900 > _saved(h, 1000, len(h)) / 1744
    ),
    "Any moment again": lambda w, h, text: w.player.position == 25 and len(h) > 2000,
    "More merges": lambda w, h, text: _grow(lanes(w)),
    "Another split": lambda w, h, text: "split pattern" in w.compare.differences.card.toPlainText(),
    "Another corpus": lambda w, h, text: _grow(lanes(w)[::-1]),
    "Another beginning": lambda w, h, text: (
        [row.metrics.unknowns for row in _measured(w)] == [1, 0]
    ),
    "The bill": lambda w, h, text: _costs(text)[0] > 3,
    "Where it comes from": lambda w, h, text: "has 6 characters and 18 bytes" in text,
    "Another corpus, another bill": lambda w, h, text: (
        _costs(text)[0] < _costs(text)[1] / 2 and _english(text)[0] > _english(text)[1]
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


def _costs(text: str) -> list[float]:
    """How many times the tokens of English, as the page tells it, first of the last lane."""
    if (found := re.search(r"costs ([\d.]+) times .*not ([\d.]+) times", text)) is not None:
        return [float(found[1]), float(found[2])]
    found = re.search(r"tokens, ([\d.]+) times as many", text)
    assert found is not None
    return [float(found[1])]


def _english(text: str) -> list[int]:
    found = re.search(r"with ([\d,]+) tokens instead of ([\d,]+)", text)
    assert found is not None
    return [int(number.replace(",", "")) for number in found.groups()]


def check(window: MainWindow, touring: Touring) -> None:
    """What holds of every page."""
    page, moment = touring._page, touring._moment
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
    assert window.text_panel.text() == moment.scene.text
    lanes_there = [lane.name for lane in window.compare.comparison.lanes]
    for lane in moment.scene.lanes:
        if isinstance(lane, PresetLane) and window.compare.isVisible():
            assert any(name.startswith(lane.preset) for name in lanes_there), place
    if page.question is not None:
        verdict = child(panel, QLabel, "tourVerdict").text()
        assert bool(verdict) == moment.revealed, place


def test_all_that_the_tour_says_is_so(window: MainWindow, qtbot: QtBot) -> None:
    touring = window.touring
    with qtbot.waitSignal(touring.arrived, timeout=60_000):
        QTest.keyClick(window, Qt.Key.Key_F12)
    proven = set()
    while True:
        check(window, touring)
        qtbot.waitUntil(lambda: points_beside_the_panel(window))
        history = window.player.history
        assert history is not None
        title = touring._page.title
        if title in FACTS and (touring._moment.revealed or not touring._page.reveals):
            qtbot.waitUntil(
                lambda: FACTS[title](window, history, touring.panel.text),  # noqa: B023
                timeout=10_000,
            )
            proven.add(title)
        if touring.number + 1 == touring.count:
            break
        with qtbot.waitSignal(touring.arrived, timeout=120_000):
            touring.step_on()
    assert proven == set(FACTS)
    touring.leave()
    assert window.text_panel.text() == "low lower newest widest"
