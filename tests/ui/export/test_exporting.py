"""Exporting is asked for by key or menu, proposes a panel and a name, and says what fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QMenu,
    QPushButton,
    QSpinBox,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export import dialog as dialog_module
from bpe_gui.ui.export.dialog import ExportDialog
from bpe_gui.ui.export.panels import ExportPanel, bring_into_view, panels_of
from bpe_gui.ui.export.targets import Options, paint
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import active, child
from tests.ui.export.export_dialogs import export, refused, settings, window
from tests.ui.save_dialogs import answered, press

__all__ = ["window"]


def check_the_panel_with_the_keyboard_is_proposed_and_choices_are_remembered(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    active(qtbot, window)
    table = window.explore.vocabulary.findChild(QComboBox) or window.explore.vocabulary
    table.setFocus()
    proposed: list[str] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        proposed.append(f"{dialog.subject.name} {dialog.offer.name}")
        dialog.reject()

    answered(window.actions_.export, [look])
    export(qtbot, window, tmp_path / "v.csv", "vocabulary", "csv")
    answered(window.actions_.export, [look])
    window.player_bar.timeline.setFocus()
    answered(window.actions_.export, [look])
    assert proposed == ["vocabulary png", "vocabulary csv", "vocabulary csv"]
    assert window.exporting.choices.folder == str(tmp_path)
    assert window.actions_.export.shortcut().toString() == "Ctrl+Shift+E"
    window.actions_.compare.trigger()
    window.player_bar.timeline.setFocus()
    answered(window.actions_.export, [look])
    assert proposed[-1].startswith("lanes "), "what is in view comes first"
    assert window.workspaces.shown is WorkspaceId.COMPARE
    window.actions_.explore.trigger()


def check_the_buttons_stay_in_sight_where_text_is_large(window: MainWindow) -> None:
    fits: list[bool] = []

    def look(dialog: QDialog) -> None:
        room = dialog.screen().availableSize()
        button = child(dialog, QPushButton, "exportButton")
        at = button.rect().translated(button.mapTo(dialog, QPoint()))
        fits.append(dialog.size().boundedTo(room) == dialog.size())
        fits.append(dialog.rect().contains(at))
        dialog.reject()

    window.text_sizing.set_scale(3.0)
    answered(window.actions_.export, [look])
    window.text_sizing.set_scale(1.0)
    assert fits == [True, True]


def check_a_name_of_another_kind_of_file_gets_the_right_ending(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    said = export(qtbot, window, tmp_path / "chart.png", "pairs", "svg")
    assert said.startswith("Saved chart.png.svg, ")
    assert [path.name for path in tmp_path.glob("chart*")] == ["chart.png.svg"]
    export(qtbot, window, tmp_path / "chart.png", "pairs", "svg", more=[press("Yes")])
    said = export(qtbot, window, tmp_path / "bare", "pairs", "csv")
    assert said.startswith("Saved bare.csv, ")
    said = export(qtbot, window, tmp_path / "figure.2", "pairs", "png")
    assert said.startswith("Saved figure.2.png, ")
    said = export(qtbot, window, tmp_path / "merges.txt", "merges", "md")
    assert said.startswith("Saved merges.txt, ")


def test_what_cannot_be_written_is_said_and_nothing_is_left(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.exporting.write(tmp_path / "no" / "such" / "folder.csv", lambda: "a,b\n")
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    assert "folder.csv cannot be written: No such file or directory" in window.message_bar.text
    window.exporting.write(tmp_path / "good.csv", lambda: "a,b\n")
    qtbot.waitUntil(lambda: "Saved good.csv, 4 bytes." in window.message_bar.text)
    assert not list(tmp_path.glob(".*"))


def test_where_there_is_nothing_yet_it_is_said(qtbot: QtBot, window: MainWindow) -> None:
    window.player.load(None)
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date)
    for subject, offer, sentence in (
        ("merges", "csv", "There is no run yet; train first."),
        ("text", "html", "The text is not cut into tokens yet; train first, or wait for it."),
        ("vocabulary", "csv", "This table is empty as yet: there is no run yet."),
        ("curves", "png", "There is nothing to export yet: there is no run yet."),
    ):
        said: list[str] = []
        answered(window.actions_.export, [refused(subject, offer, said)])
        assert said == [sentence]


def ask_for_menu(widget: QWidget) -> None:
    """Press the right button in the middle of a widget."""
    place = widget.rect().center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place)
    )
    QApplication.sendEvent(widget, event)


def check_panels_of_the_laboratory_have_such_a_menu_too(qtbot: QtBot, window: MainWindow) -> None:
    bring_into_view(window.context, panels_of(window.context)["boundaries"])
    ask_for_menu(window.laboratory.view.boundaries)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == [
        "Export: Picture (PNG)…", "Export: Drawing (SVG)…",
        "Export: Drawing (PDF)…",
        "Export: Blocked pairs (CSV)…", "Export: Tokens across boundaries (CSV)…",
    ]  # fmt: skip
    menu.close()


def check_the_right_button_on_a_panel_offers_to_export_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    table = child(window.explore.vocabulary, QTableView, "vocabularyTable")
    ask_for_menu(table.viewport())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    exports = [action for action in menu.actions() if action.text().startswith("Export")]
    assert [action.text() for action in exports] == [
        "Export: Picture (PNG)…", "Export: Drawing (SVG)…",
        "Export: Drawing (PDF)…", "Export: The vocabulary (CSV)…",
    ]  # fmt: skip
    assert "Words" in [action.text() for action in menu.actions()]
    chosen: list[str] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        chosen.append(f"{dialog.subject.name} {dialog.offer.name}")
        dialog.reject()

    answered(exports[3], [look])
    assert chosen == ["vocabulary csv"]


def check_what_is_chosen_at_once_is_painted_once(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[str] = []

    def counted(context: Context, panel: ExportPanel, options: Options) -> QImage:
        painted.append(panel.name)
        return paint(context, panel, options)

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        painted.clear()
        dialog.choose("words", "csv")
        assert painted == [], "a table is no picture"
        dialog.choose("curves", "svg")
        assert painted == ["curves"]
        dialog.choose("curves", "pdf")
        assert painted == ["curves", "curves"]
        dialog.reject()

    monkeypatch.setattr(dialog_module, "paint", counted)
    answered(window.actions_.export, [look])


def check_nothing_is_painted_while_a_name_is_asked_for(qtbot: QtBot, window: MainWindow) -> None:
    def is_painting() -> bool:
        dialog = child(window, QDialog, "exportDialog")
        return any(timer.isActive() for timer in dialog.findChildren(QTimer, "previews"))

    def hidden(dialog: QDialog) -> None:
        assert not is_painting()
        dialog.reject()

    def again(dialog: QDialog) -> None:
        assert is_painting()
        dialog.reject()

    answered(window.actions_.export, [settings(qtbot, "pairs", "png"), hidden, again])


def check_everything_in_the_dialog_has_a_name_and_is_reached_by_tab(
    qtbot: QtBot, window: MainWindow
) -> None:
    def look(dialog: QDialog) -> None:
        boxes = [*dialog.findChildren(QComboBox), *dialog.findChildren(QSpinBox)]
        assert all(box.accessibleName() and box.objectName() for box in boxes)
        reached = set()
        for _ in range(12):
            focus = QApplication.focusWidget()
            assert focus is not None
            reached.add(focus.objectName())
            QTest.keyClick(focus, Qt.Key.Key_Tab)
        assert {box.objectName() for box in boxes if box.isVisible()} <= reached
        dialog.reject()

    answered(child(window, QAction, "exportAction"), [look])


@pytest.mark.qt_log_ignore("does not support")
def test_the_dialog_proposes_and_remembers(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_what_is_chosen_at_once_is_painted_once(window, monkeypatch)
    check_nothing_is_painted_while_a_name_is_asked_for(qtbot, window)
    check_the_panel_with_the_keyboard_is_proposed_and_choices_are_remembered(
        qtbot, window, tmp_path
    )
    check_the_right_button_on_a_panel_offers_to_export_it(qtbot, window)
    check_everything_in_the_dialog_has_a_name_and_is_reached_by_tab(qtbot, window)
    check_the_buttons_stay_in_sight_where_text_is_large(window)
    check_a_name_of_another_kind_of_file_gets_the_right_ending(qtbot, window, tmp_path)
    check_panels_of_the_laboratory_have_such_a_menu_too(qtbot, window)
