"""While a merge is seen to happen, all panels tell that merge, and then all tell the next."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple
from xml.etree.ElementTree import Element

from PySide6.QtCore import QVariantAnimation
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.panels.words.panel import WordsPanel
from bpe_gui.ui.shell.main_window import MainWindow
from tests.end_to_end.window import MERGES, WORDS, is_trained, said, write
from tests.ui.driving import act, child
from tests.ui.panels.painted import elements, texts_of

ACCENT, MARK = "#6cb2ff", 6
"""The colour of frames and of the leading bar in the dark scheme; more than the size of the mark of
a space."""
TEXT = "low lower newest widest"
SYLLABLES = "ba", "be", "bi", "da", "de", "di", "ga", "go", "ka", "ki", "ma", "me", "mi", "na"


class Box(NamedTuple):
    """Where a path of a drawing is."""

    left: float
    top: float
    right: float
    bottom: float


class Told(NamedTuple):
    """What is told in one frame.

    card: the number of the merge. chart, words: the token that it makes; empty if none is told.
    text: the numbers of the framed words of `TEXT`.
    """

    card: int
    chart: str
    words: str
    text: frozenset[int]


def box(path: Element) -> Box:
    """Read where a path is: all its commands are absolute."""
    x: list[float] = []
    y: list[float] = []
    for command, numbers in re.findall(r"([MHVLC])([^MHVLCZ]*)", path.attrib["d"]):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        x += values if command == "H" else values[::2] if command != "V" else []
        y += values if command == "V" else values[1::2] if command != "H" else []
    return Box(min(x), min(y), max(x), max(y))


def framed(parts: list[Element]) -> list[Box]:
    """Where the frames in a drawing are."""
    return [box(part) for part in parts if part.get("stroke") == ACCENT]


def told_by_chart(window: MainWindow) -> str:
    """The tokens beside the star, which are bold, joined; the count is to the right of its bar."""
    chart = elements(child(window, QWidget, "pairChart"))
    leading = (part for part in chart if part.get("fill") == ACCENT)
    bars = [box(part) for part in leading if "d" in part.attrib]
    bold = [text for text in texts_of(chart) if text.get("font-weight") == "700"]
    end = max((bar.left for bar in bars), default=0.0)
    pair = [text for text in bold if float(text.attrib["x"]) < end]
    return "".join("".join(text.itertext()) for text in pair)


def told_by_words(window: MainWindow) -> str:
    """What is within the first frame among the words."""
    table = elements(child(window, QWidget, "wordsTable"))
    frames = framed(table)
    inside = []
    for text in texts_of(table):
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        if frames and frames[0].left < x < frames[0].right and frames[0].top < y < frames[0].bottom:
            inside.append("".join(text.itertext()))
    return "".join(inside)


def told_by_text(window: MainWindow) -> frozenset[int]:
    """The words of the text that have a frame: marks of spaces are between words."""
    parts = elements(child(window, QWidget, "tokenView"))
    boxes = [box(part) for part in parts if "d" in part.attrib]
    sizes = ((one.left, one.right - one.left, one.bottom - one.top) for one in boxes)
    marks = sorted(left for left, width, height in sizes if 0 < width < MARK > height > 0)
    assert len(marks) == len(TEXT.split()) - 1
    return frozenset(bisect(marks, (one.left + one.right) / 2) for one in framed(parts))


def told(window: MainWindow) -> Told:
    """Look at all panels within one frame."""
    found = re.search(r"merge (\d+)", said(window, "whyText"))
    assert found is not None
    card = int(found[1])
    return Told(card, told_by_chart(window), told_by_words(window), told_by_text(window))


def words_with(merge: int) -> frozenset[int]:
    """The words of `TEXT` in which a merge, counted from 1, is done."""
    found = set()
    for number, word in enumerate(TEXT.split()):
        tokens = [*word, "</w>"]
        for made in MERGES[:merge]:
            before = len(tokens)
            pairs = [at for at, pair in enumerate(pairwise(tokens)) if "".join(pair) == made]
            for at in reversed(pairs):
                tokens[at : at + 2] = [made]
            if made == MERGES[merge - 1] and len(tokens) < before:
                found.add(number)
    return frozenset(found)


def check(window: MainWindow, merge: int) -> None:
    """Check that no two panels tell different merges where a merge is told."""
    made, seen = MERGES[merge - 1], told(window)
    assert seen.card == merge
    assert seen.chart == made
    assert seen.words in ("", made)
    assert seen.text in (frozenset(), words_with(merge))
    assert seen.text or not words_with(merge)


def counted_by_timeline(window: MainWindow) -> str:
    """The number of merges that are done, and that of all."""
    written = texts_of(elements(child(window, QWidget, "timeline")))
    reached, total = ("".join(text.itertext()) for text in written[-2:])
    return reached + total


def counted(window: MainWindow) -> tuple[str, str, str]:
    """The numbers of the timeline, the text and the vocabulary."""
    beside = counted_by_timeline(window)
    return beside, said(window, "textCounts"), said(window, "vocabularyCount")


def boxes_of_words(window: MainWindow) -> int:
    """How many boxes and frames the words have, which are fewer when tokens have joined."""
    return sum("d" in part.attrib for part in elements(child(window, QWidget, "wordsTable")))


def see_a_merge(qtbot: QtBot, window: MainWindow) -> None:
    """Look at frames of the merge that has just begun, and at the one in which it has ended."""
    clock = child(window, QVariantAnimation, "mergeMotion")

    def hold() -> None:
        """Stop at once: on a busy machine much may be due before the state is looked at."""
        clock.stateChanged.disconnect(hold)
        window.player.pause()
        clock.pause()
        clock.setCurrentTime(0)

    clock.stateChanged.connect(hold)
    qtbot.waitUntil(lambda: clock.state() is QVariantAnimation.State.Paused)
    merge = window.player.position
    shown = child(window, WordsPanel, "wordsPanel").model
    explore = window.explore
    qtbot.waitUntil(lambda: explore.scheduler.up_to_date and explore.queries.task.at_rest)
    before, status = counted(window), said(window, "statusText")
    assert before[0] == f"{merge - 1} / {len(MERGES)}"
    assert f"After {merge} of" not in status
    boxes = boxes_of_words(window)
    for share in (0.0, 0.2, 0.6, 0.9):
        clock.setCurrentTime(round(share * clock.duration()))
        check(window, merge)
        assert told(window).words == MERGES[merge - 1], "the pair that slides has a frame"
        is_apart = boxes_of_words(window) == boxes
        assert is_apart is (share < 0.5)
        if is_apart:
            assert counted(window) == before, "no number is one in between"
        else:
            assert counted(window)[0] == f"{merge} / {len(MERGES)}"
            assert all(now != then for now, then in zip(counted(window), before, strict=True))
            labels = child(window, WordsPanel, "wordsPanel").findChildren(QLabel)
            said_below = " ".join(label.text() for label in labels)
            assert f"at merge {merge}" in said_below
            history = window.player.history
            assert history is not None
            assert f"; {history.tokens[merge]:,} tokens in the corpus" in said_below
    assert "Now: merge" in said(window, "whyText")
    clock.resume()
    clock.setCurrentTime(clock.duration())
    check(window, merge + 1)
    assert counted(window)[0] == f"{merge} / {len(MERGES)}"
    assert shown.words is not None
    assert shown.words.position == merge


def test_no_two_panels_tell_different_merges(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("words.txt", WORDS, "--preset", "whitespace", "--start")
    window.resize(1280, 700)  # so low that the text has one row
    act(window, "darkAction")
    qtbot.waitUntil(lambda: is_trained(window))
    write(qtbot, window, "sampleText", TEXT)  # before, the run would bring a text of its own
    act(window, "watchAction")
    for _ in range(4):
        see_a_merge(qtbot, window)
        window.player.play()
    see_a_merge(qtbot, window)
    for _ in range(2):
        qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())
        act(window, "stepAction")
        see_a_merge(qtbot, window)
        assert said(window, "statusText").startswith(f"After {window.player.position} of")


def test_the_timeline_waits_for_no_motion_that_nobody_sees(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("words.txt", WORDS, "--preset", "whitespace", "--start")
    qtbot.waitUntil(lambda: is_trained(window))
    act(window, "homeAction")
    act(window, "compareAction")
    qtbot.waitUntil(child(window, QWidget, "timeline").isVisible)
    for merge in (1, 2, 3):
        qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())
        act(window, "stepAction")
        qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date)
        assert counted_by_timeline(window) == f"{merge} / {len(MERGES)}"


def test_all_panels_tell_one_merge_in_a_fast_replay(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    words = [left + right for left in SYLLABLES for right in (*SYLLABLES, "")]
    window = opened("words.txt", " ".join(words), "--preset", "whitespace", "--start")
    act(window, "darkAction")
    qtbot.waitUntil(lambda: is_trained(window))
    scheduler, queries = window.explore.scheduler, window.explore.queries
    history = window.player.history
    assert history is not None
    seen = []

    def look() -> None:
        position = window.player.position
        # The first question is answered when all words have been segmented.
        if not scheduler.up_to_date or not window.player.playing or not queries.task.at_rest:
            return
        seen.append(position)
        assert f"On the way: merge {position + 1:,}. " in said(window, "whyText")
        shown = child(window, WordsPanel, "wordsPanel").model.words
        assert shown is not None
        assert shown.position == position
        entries = history.vocabulary_size(position)
        assert said(window, "vocabularyCount").startswith(f"{entries:,} ")
        if len(seen) % 10 == 1:
            assert counted_by_timeline(window) == f"{position:,} / {len(history):,}"
            made = history.id_to_token(int(history.new_id[position]))
            assert told_by_chart(window) == told_by_words(window) == made

    window.player.set_speed(200.0)
    act(window, "homeAction")
    qtbot.waitUntil(lambda: window.explore.at_rest)
    window.player.play()
    qtbot.waitUntil(lambda: window.player.moving and scheduler.up_to_date)
    scheduler.drew.connect(look)
    qtbot.waitUntil(lambda: not window.player.playing)
    assert seen
