"""What if another pair had been merged? The run branches, and the first one is still there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QMainWindow, QScrollArea, QTableView, QWidget
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    MERGES,
    SYMBOLS,
    bring_up,
    end,
    focus,
    go_to,
    is_enabled,
    messages,
    rows,
    said,
    tokens,
)
from tests.ui.driving import act, child

OTHER = ["lo", "low", "es", "t</w>", "est</w>"]
"""The first merges if `t + </w>` is the fourth."""

MERGED = str(len(MERGES))
"""How many merges each of the two runs has in the end, as the table tells."""


def branch(trained: QMainWindow, qtbot: QtBot) -> None:
    """Merge `t + </w>` in the place of `es + t`, the fourth merge."""
    go_to(qtbot, trained, 3)
    qtbot.waitUntil(lambda: "es + t" in said(trained, "pairChart"))
    qtbot.keyClick(focus(qtbot, trained, "pairChart"), Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "t + </w>" in said(trained, "pairChart"))
    act(trained, "forceAction")
    qtbot.waitUntil(lambda: [row[2] for row in rows(trained, "branchTable")] == 2 * [MERGED])
    qtbot.waitUntil(lambda: rows(trained, "branchTable")[1][0].startswith("▸"))
    bring_up(trained, "vocabularyDock")
    act(trained, "endAction")
    qtbot.waitUntil(lambda: tokens(trained)[SYMBOLS : SYMBOLS + 5] == OTHER)


def test_the_chosen_pair_is_merged_instead(trained: QMainWindow, qtbot: QtBot) -> None:
    branch(trained, qtbot)
    _, second = rows(trained, "branchTable")
    assert "t + </w>" in second[0]
    assert end(trained) == len(MERGES)
    qtbot.waitUntil(lambda: "merge 4" in said(trained, "branchesPanel"))


def test_one_goes_back_to_the_run_that_was_first(trained: QMainWindow, qtbot: QtBot) -> None:
    branch(trained, qtbot)
    table = focus(qtbot, trained, "branchTable")
    qtbot.keyClick(table, Qt.Key.Key_Up)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    act(trained, "endAction")
    qtbot.waitUntil(lambda: tokens(trained)[SYMBOLS:] == MERGES)
    act(trained, "nextBranchAction")
    act(trained, "endAction")
    qtbot.waitUntil(lambda: tokens(trained)[SYMBOLS : SYMBOLS + 5] == OTHER)
    # The branch can go, the first run stays.
    qtbot.keyClick(focus(qtbot, trained, "branchTable"), Qt.Key.Key_Delete)
    act(trained, "endAction")
    qtbot.waitUntil(lambda: tokens(trained)[SYMBOLS:] == MERGES)
    assert not is_enabled(trained, "nextBranchAction")


def test_the_next_pair_is_forbidden(trained: QMainWindow, qtbot: QtBot) -> None:
    act(trained, "homeAction")
    qtbot.waitUntil(lambda: "l + o" in said(trained, "pairChart"))
    act(trained, "forbidAction")
    qtbot.waitUntil(lambda: [row[2] for row in rows(trained, "branchTable")[1:]] > ["0"])
    bring_up(trained, "vocabularyDock")
    act(trained, "endAction")
    qtbot.waitUntil(lambda: tokens(trained)[SYMBOLS : SYMBOLS + 1] == ["ow"])
    assert "lo" not in tokens(trained)


def test_what_is_merged_anyway_makes_no_branch(trained: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, trained, 3)
    qtbot.waitUntil(lambda: "es + t" in said(trained, "pairChart"))
    act(trained, "forceAction")
    qtbot.waitUntil(lambda: len(messages(trained)) == 1)
    assert len(rows(trained, "branchTable")) == 1


def test_in_large_text_the_names_of_branches_keep_their_room(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    branch(trained, qtbot)
    bring_up(trained, "branchesDock")
    table = child(trained, QTableView, "branchTable")
    qtbot.waitUntil(table.isVisible)
    panel = child(trained, QWidget, "branchesPanel")
    font = panel.font()
    font.setPointSizeF(2.5 * font.pointSizeF())
    panel.setFont(font)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert table.columnWidth(0) > table.viewport().width() / 2
    assert not table.isColumnHidden(2)
    font.setPointSizeF(2 * font.pointSizeF())
    panel.setFont(font)
    other = child(trained, QComboBox, "comparedBranch")
    [label] = [each for each in panel.findChildren(QLabel) if each.buddy() is other]
    qtbot.waitUntil(lambda: label.width() >= label.sizeHint().width())


def test_no_line_of_the_comparison_is_cut(trained: QMainWindow, qtbot: QtBot) -> None:
    branch(trained, qtbot)
    bring_up(trained, "branchesDock")
    view = child(trained, QScrollArea, "branchComparisonArea")
    text = child(view, QLabel, "secondBranch")
    qtbot.waitUntil(lambda: view.isVisible() and "bytes per token" in text.text())
    heights = set()
    for height in range(660, 760, 7):
        trained.resize(1024, height)
        qtbot.waitUntil(lambda height=height: trained.height() == height)
        check_no_letter_is_at_the_lower_edge(view)
        heights.add(view.viewport().height())
    assert len(heights) > 1


def test_no_line_of_the_first_comparison_is_cut(trained: QMainWindow, qtbot: QtBot) -> None:
    """The panel is there before its texts are, in a size that stays."""
    trained.resize(1024, 700)
    bring_up(trained, "branchesDock")
    qtbot.waitUntil(lambda: trained.height() == 700)
    branch(trained, qtbot)
    view = child(trained, QScrollArea, "branchComparisonArea")
    text = child(view, QLabel, "secondBranch")
    qtbot.waitUntil(lambda: view.isVisible() and "bytes per token" in text.text())
    qtbot.waitUntil(lambda: check_no_letter_is_at_the_lower_edge(view))


def check_no_letter_is_at_the_lower_edge(view: QScrollArea) -> None:
    image = view.grab().toImage()
    bottom = view.viewport().geometry().bottom()
    row = {image.pixelColor(x, bottom).rgb() for x in range(view.viewport().width())}
    assert len(row) == 1, f"letters end at the lower edge of {view.height()} pixels"
