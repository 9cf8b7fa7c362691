"""Help in dialogs: F1 shows its page over a dialog, where the window's own help is out of reach."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.help.navigation_targets import PAGES_OF_DIALOGS
from bpe_gui.ui.theme.text_size import scaled

_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?:do|page|show):[^)]*\)")
_WIDTH, _HEIGHT = 460, 420
_SHORTCUT = "dialogHelp"


class DialogHelp(QObject):
    """Gives each dialog that a page is about the key F1, when the keyboard first comes there."""

    def __init__(self, written: Callable[[str], str], parent: QObject) -> None:
        """`written` gives the Markdown of a page by its name."""
        super().__init__(parent)
        self._written = written
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        dialog = now.window() if now is not None else None
        # Qt moves the focus even within a dialog that it deletes. Such a dialog is hidden, and
        # PySide must not look for its children, of which some are gone.
        if dialog is None or not dialog.isVisible():
            return
        if dialog.objectName() not in PAGES_OF_DIALOGS:
            return
        if dialog.findChild(QShortcut, _SHORTCUT) is None:
            key = QShortcut(QKeySequence(QKeySequence.StandardKey.HelpContents), dialog)
            key.setObjectName(_SHORTCUT)
            key.activated.connect(self._show)

    @Slot()
    def _show(self) -> None:
        dialog = QApplication.activeWindow()
        if dialog is not None and dialog.objectName() in PAGES_OF_DIALOGS:
            page = PageOverDialog(self._written(PAGES_OF_DIALOGS[dialog.objectName()]), dialog)
            page.open()


class PageOverDialog(QDialog):
    """A page to be read over a dialog; what leads to elsewhere in the window is plain text here."""

    def __init__(self, markdown: str, dialog: QWidget) -> None:
        super().__init__(dialog)
        self.setObjectName("dialogHelp")
        self.setWindowTitle("Help")
        self.browser = QTextBrowser()
        self.browser.setObjectName("dialogHelpText")
        self.browser.setAccessibleName("Help")
        self.browser.setOpenLinks(False)
        self.browser.document().setDocumentMargin(8)
        self.browser.setMarkdown(_LINK.sub(r"\g<text>", markdown))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)
        column = QVBoxLayout(self)
        column.addWidget(self.browser, 1)
        column.addWidget(buttons)
        self.browser.setFocus()

    def sizeHint(self) -> QSize:
        """Room for a column of text."""
        return QSize(scaled(_WIDTH, self.font()), scaled(_HEIGHT, self.font()))
