"""The dialog that asks where to save, and those that come after it, answered as a person would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QWidget,
)

from bpe_gui.ui.shell.save_dialog import SaveDialog
from tests.conftest import PATIENCE
from tests.ui.driving import child

Answer = Callable[[QDialog], None]


def answered(action: QAction, answers: Sequence[Answer]) -> list[str]:
    """Trigger an action and answer the dialogs that it opens, one after another.

    Returns what each of them says: the text of a question, the name in a file dialog. They may come
    later: the first one waits for the modules that it needs.
    """
    waiting, said, last = list(answers), [], [None]
    loop = QEventLoop()

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if not waiting and dialog is None:
            loop.quit()
        if dialog is last[0]:
            return
        last[0] = dialog
        if isinstance(dialog, QDialog):
            said.append(dialog.text() if isinstance(dialog, QMessageBox) else "")
            answer = waiting.pop(0) if waiting else reject
            # A timer that is being answered does not look at what comes meanwhile.
            QTimer.singleShot(0, lambda: give(answer, dialog))

    def give(answer: Answer, dialog: QDialog) -> None:
        try:
            answer(dialog)
        except BaseException:
            waiting.clear()
            dialog.reject()  # else nobody would, and the test would wait for ever
            raise

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(5)
    action.trigger()
    if waiting:
        patience = QTimer(singleShot=True)
        patience.timeout.connect(loop.quit)
        patience.start(PATIENCE)
        loop.exec()
        patience.stop()
    timer.stop()
    assert len(said) == len(answers), "as many dialogs came as were to be answered"
    return said


def save_as(path: Path, format_title: str = "") -> Answer:
    """Choose a format, and write a name into the dialog."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, SaveDialog)
        dialog.setDirectory(str(path.parent))
        choose(dialog, format_title)
        child(dialog, QLineEdit, "fileNameEdit").setText(str(path))
        _press(dialog)

    return answer


def named(path: Path) -> Answer:
    """Write a name into a dialog of files, and save."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        child(dialog, QLineEdit, "fileNameEdit").setText(str(path))
        _press(dialog)

    return answer


def choose(dialog: SaveDialog, format_title: str) -> None:
    """Choose a format by how it begins."""
    box = child(dialog, QComboBox, "fileTypeCombo")
    for index, known in enumerate(dialog.nameFilters()):
        if format_title and known.startswith(format_title):
            box.setCurrentIndex(index)
            box.activated.emit(index)
            box.textActivated.emit(known)


def proposal(dialog: SaveDialog) -> str:
    """The name that stands in the dialog."""
    return child(dialog, QLineEdit, "fileNameEdit").text()


def press(name: str) -> Answer:
    """Press the button of a question that has this name or text."""

    def answer(dialog: QDialog) -> None:
        buttons = dialog.findChildren(QPushButton)
        found = [b for b in buttons if name in (b.objectName(), b.text().replace("&", ""))]
        assert found, [button.text() for button in buttons]
        found[0].click()

    return answer


def reject(dialog: QDialog) -> None:
    """Cancel a dialog."""
    dialog.reject()


def _press(dialog: QWidget) -> None:
    box = child(dialog, QDialogButtonBox, "buttonBox")
    box.button(QDialogButtonBox.StandardButton.Save).click()
