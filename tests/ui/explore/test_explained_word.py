"""The word that another panel explains has a line below it in the text."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK
from bpe_gui.ui.tokens.painting import MARGIN
from tests.end_to_end.window import WORDS, is_trained, write
from tests.ui.driving import act, child
from tests.ui.panels.painted import elements


def lines(window: MainWindow) -> list[tuple[float, float]]:
    """Where lines in the colour of the window's text begin and end, in pixels."""
    parts = elements(child(window, QWidget, "tokenView"))
    paths = (part for part in parts if part.get("fill") == DARK.text)
    drawn = [path.attrib["d"] for path in paths if "d" in path.attrib]
    found = []
    for path in drawn:
        across = [float(number) for number in re.findall(r"[MHL](-?[\d.]+)", path)]
        found.append((min(across), max(across)))
    return found


def go_to(window: MainWindow, place: int) -> None:
    editor = child(window, QPlainTextEdit, "sampleText")
    cursor = editor.textCursor()
    cursor.setPosition(place)
    editor.setTextCursor(cursor)


def test_of_two_equal_words_the_one_at_the_caret_is_marked(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("words.txt", WORDS, "--preset", "whitespace", "--start")
    window.resize(1280, 700)
    act(window, "darkAction")
    qtbot.waitUntil(lambda: is_trained(window))
    write(qtbot, window, "sampleText", "low lower low")
    go_to(window, 1)
    assert lines(window) == [], "nothing explains a word"
    window.explore.raise_dock("derivationDock")
    qtbot.waitUntil(lambda: [left < MARGIN + 1 for left, _ in lines(window)] == [True])
    first = lines(window)[0]
    go_to(window, 12)
    qtbot.waitUntil(lambda: lines(window) != [first])
    second = lines(window)[0]
    assert second[0] > first[1], "the same word, at another place"
    go_to(window, 6)
    qtbot.waitUntil(lambda: lines(window) not in ([first], [second]))
    middle = lines(window)[0]
    assert first[1] < middle[0] < middle[1] < second[0]
    window.explore.raise_dock("wordsDock")
    qtbot.waitUntil(lambda: lines(window) == [])
