"""The file of the settings: what is in it, and what becomes of an old, foreign or damaged one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMainWindow,
    QSpinBox,
    QSplitter,
    QTabBar,
)
from pytestqt.qtbot import QtBot

from tests.ui.driving import act, child

Start = Callable[..., QMainWindow]
DOCKS = (
    "textDock", "pairDock", "whyDock", "vocabularyDock", "treeDock", "wordsDock", "curvesDock",
    "branchesDock", "derivationDock",
)  # fmt: skip
OLD_FILE = Path(__file__).with_name("choices_before_settings.ini")
"""As the last version without QSettings wrote it, in an 818 by 700 window."""
OLD_DOCKS = {"pairDock", "branchesDock", "whyDock", "vocabularyDock", "curvesDock"}
NONSENSE = (
    "null", "true", "-1", "1e300", '""', '"00000000 "', "[]", "{}", "[[]]", "junk", "@Point(1)",
    '[{"area": 0, "group": {"items": [{"dock": "whyDock"}]}}]',
)  # fmt: skip


@pytest.fixture
def folder() -> Path:
    """Where the settings are."""
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "bpe-gui"
    path.mkdir(parents=True)
    return path


def seen(window: QMainWindow) -> dict[str, tuple[int, int]]:
    """Where the panels are that are shown, by name; of tabs the one in front."""
    docks = [child(window, QDockWidget, name) for name in DOCKS]
    return {d.objectName(): d.pos().toTuple() for d in docks if not d.visibleRegion().isEmpty()}


def messages(window: QMainWindow) -> list[str]:
    """The sentences over the lower edge of the window."""
    return [
        label.text() for label in window.findChildren(QLabel, "messageText") if label.isVisible()
    ]


def test_the_settings_of_earlier_versions_are_taken_over(
    folder: Path, start: Start, qtbot: QtBot
) -> None:
    shutil.copy(OLD_FILE, folder / "choices.ini")
    for _ in range(2):
        window = start()
        assert window.palette().color(QPalette.ColorRole.Window).lightness() > 200
        assert child(window, QAction, "strongPaletteAction").isChecked()
        assert not child(window, QAction, "animateAction").isChecked()
        assert child(window, QComboBox, "speedBox").currentText() == "20 a second"
        assert child(window, QComboBox, "presetBox").currentText() == "gpt4"
        assert child(window, QSpinBox, "vocabSizeBox").value() == 700
        assert child(window, QAction, "compareAction").isChecked()
        assert child(window, QAction, "recentCorpora1Action").data() == [
            "/texts/a.txt", "/texts/b.txt",
        ]  # fmt: skip
        assert window.height() == 700
        act(window, "exploreAction")
        # The text is behind the vocabulary, the branches are between the pairs and the reason.
        qtbot.waitUntil(lambda shown=window: seen(shown).keys() == OLD_DOCKS)
        places = seen(window)
        left = [places[name] for name in ("pairDock", "branchesDock", "whyDock")]
        right = [places[name] for name in ("vocabularyDock", "curvesDock")]
        assert left == sorted(left)
        assert right == sorted(right)
        assert {x for x, _ in left} == {0}
        assert len({x for x, _ in right}) == 1
        text = child(window, QDockWidget, "textDock")
        [other] = window.tabifiedDockWidgets(text)
        assert other.objectName() == "vocabularyDock"
        # Screen readers are told what the tabs that Qt makes of panels are for.
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        bars = window.findChildren(QTabBar, options=direct)
        assert {bar.accessibleName() for bar in bars} == {"Panels"}
        assert messages(window) == []
        act(window, "compareAction")
        act(window, "plainTextAction")
        window.close()
        assert (folder / "choices.ini").read_bytes() == OLD_FILE.read_bytes()


def test_values_that_make_no_sense_are_ignored(folder: Path, start: Start, qtbot: QtBot) -> None:
    window = start()
    usual = seen(window)
    act(window, "compareAction")
    window.close()
    path = str(folder / "settings.ini")
    names = QSettings(path, QSettings.Format.IniFormat).allKeys()
    assert {"window", "layout", "workspace"} <= set(names)
    old = QSettings(str(OLD_FILE), QSettings.Format.IniFormat).allKeys()
    for value in NONSENSE:
        settings = QSettings(path, QSettings.Format.IniFormat)
        for name in {*names, *old}:
            settings.setValue(name, value)
        settings.sync()
        window = start()
        assert child(window, QAction, "exploreAction").isChecked()
        assert (window.width(), window.height()) == (1280, 800)
        qtbot.waitUntil(lambda shown=window: seen(shown).keys() == usual.keys())
        assert messages(window) == []
        window.close()
    Path(path).write_bytes(b"\0\xff\n]]=\n" * 99)
    assert child(start(), QAction, "exploreAction").isChecked()


def test_a_layout_with_a_changed_bit_is_not_used(folder: Path, start: Start, qtbot: QtBot) -> None:
    """Qt would not survive some of them."""
    window = start()
    usual = seen(window).keys()
    child(window, QDockWidget, "whyDock").close()
    window.close()
    path = str(folder / "settings.ini")
    layout = QSettings(path, QSettings.Format.IniFormat).value("layout")
    for place in range(20, len(layout) - 4, 262):
        other = "A" if layout[place] != "A" else "B"
        settings = QSettings(path, QSettings.Format.IniFormat)
        settings.setValue("layout", layout[:place] + other + layout[place + 1 :])
        settings.sync()
        window = start()
        qtbot.waitUntil(lambda shown=window: seen(shown).keys() == usual)
        window.close()


def test_a_window_beyond_all_screens_is_brought_back(start: Start) -> None:
    window = start()
    window.setGeometry(5_000, 4_000, 700, 700)
    window.close()
    second = start()
    available = QGuiApplication.primaryScreen().availableGeometry()
    assert available.contains(second.geometry().center())
    second.setGeometry(-40, -30, 3_000, 3_000)
    second.close()
    third = start()
    assert third.width() <= max(available.width(), third.minimumSizeHint().width())
    assert third.height() <= max(available.height(), third.minimumSizeHint().height())


def test_a_folder_that_cannot_be_written_is_told_once(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    window = start()
    act(window, "strongPaletteAction")
    qtbot.waitUntil(lambda: len(messages(window)) == 1)
    assert messages(window)[0].startswith("What you choose cannot be remembered: ")
    act(window, "dismissAction")
    act(window, "patternsPaletteAction")
    qtbot.waitUntil(lambda: messages(window) == [])


def test_two_windows_do_not_undo_each_others_choices(start: Start) -> None:
    first, second = start(), start()
    act(first, "strongPaletteAction")
    child(second, QComboBox, "speedBox").setCurrentIndex(0)
    speed = child(second, QComboBox, "speedBox").currentText()
    first.close()
    second.close()
    third = start()
    assert child(third, QAction, "strongPaletteAction").isChecked()
    assert child(third, QComboBox, "speedBox").currentText() == speed


def test_the_layout_is_kept_whatever_workspace_was_shown_last(start: Start, qtbot: QtBot) -> None:
    window = start()
    pairs = child(window, QDockWidget, "pairDock")
    child(window, QDockWidget, "whyDock").close()
    child(window, QDockWidget, "curvesDock").raise_()
    window.resizeDocks([pairs], [400], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: abs(pairs.width() - 400) < 60)
    width, before = pairs.width(), seen(window).keys()
    act(window, "laboratoryAction")
    across = child(window, QSplitter, "laboratorySplitter")
    qtbot.waitUntil(lambda: all(across.sizes()))
    across.setSizes([500, across.width() - 500 - across.handleWidth()])
    share = across.sizes()[0] / sum(across.sizes())
    act(window, "compareAction")
    size = window.size()
    window.close()
    second = start()
    second.resize(size)  # which has no room on this screen
    assert child(second, QAction, "compareAction").isChecked()
    act(second, "laboratoryAction")
    across = child(second, QSplitter, "laboratorySplitter")
    qtbot.waitUntil(lambda: all(across.sizes()))
    assert across.sizes()[0] / sum(across.sizes()) == pytest.approx(share, abs=0.02)
    act(second, "exploreAction")
    qtbot.waitUntil(lambda: seen(second).keys() == before)
    ratio = child(second, QDockWidget, "pairDock").width() / second.width()
    assert ratio == pytest.approx(width / size.width(), abs=0.03)


def test_the_command_line_wins_and_is_not_kept(start: Start) -> None:
    def recipe(window: QMainWindow) -> tuple[str, int]:
        size = child(window, QSpinBox, "vocabSizeBox").value()
        return child(window, QComboBox, "presetBox").currentText(), size

    first = start()
    child(first, QComboBox, "presetBox").setCurrentText("gpt4")
    child(first, QSpinBox, "vocabSizeBox").setValue(700)
    first.close()
    second = start("open", "--preset", "lines", "--vocab-size", "90")
    assert recipe(second) == ("lines", 90)
    second.close()
    third = start()
    assert recipe(third) == ("gpt4", 700)
    act(third, "resetSettingsAction")
    assert recipe(third) == ("gpt4", 700), "the run that is there stays"
    third.close()
    assert recipe(start())[0] == "whitespace"


def test_a_reset_empties_searches_too_and_can_be_undone(start: Start, qtbot: QtBot) -> None:
    window = start()
    search = child(window, QLineEdit, "vocabularySearch")
    order = child(window, QComboBox, "wordsOrder")
    search.setText("est")
    order.setCurrentIndex(1)
    act(window, "compareAction")
    act(window, "resetSettingsAction")
    assert (search.text(), order.currentIndex()) == ("", 0)
    assert child(window, QAction, "exploreAction").isChecked()
    assert "Ctrl+Shift+Y brings back what you chose" in messages(window)[0]
    act(window, "acceptAction")
    assert (search.text(), order.currentIndex()) == ("est", 1)
    assert child(window, QAction, "compareAction").isChecked()
    assert not child(window, QAction, "undoResetAction").isEnabled()
    window.close()
    assert child(start(), QLineEdit, "vocabularySearch").text() == ""


def test_choices_are_written_soon_but_not_those_of_the_stage(start: Start, qtbot: QtBot) -> None:
    def stored(name: str) -> object:
        path = Path(os.environ["XDG_CONFIG_HOME"]) / "bpe-gui" / "settings.ini"
        return QSettings(str(path), QSettings.Format.IniFormat).value(name)

    window = start()
    act(window, "lightAction")
    qtbot.waitUntil(lambda: stored("colours") == '"light"')
    act(window, "presentAction")
    act(window, "darkAction")
    act(window, "strongPaletteAction")
    qtbot.waitUntil(lambda: stored("token-palette") == '"strong"')
    assert stored("colours") == '"light"'
    act(window, "presentAction")
