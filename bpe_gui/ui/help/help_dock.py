"""Show the help beside the panels, over them if there is no room, or over a dialog."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextFormat
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import theme_of
from bpe_gui.ui.widgets.keyboard import KeyClaim
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.search_tools import SearchField
from bpe_gui.ui.workspaces.workspaces import DockTitle

_WIDTH, _LEAST_WIDTH = 320, 190
"""A good column of text and the least that can be read, in pixels where text is plain."""
_SHARE = 0.45
"""The part of the window's width that it takes at most."""
_MARGIN = 12
_OVER_DIALOG = 460, 420
_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?:do|page|show):[^)]*\)")


class HelpDock(QDockWidget):
    """Shows a page of Markdown in its `browser`, below a `field` to search in all pages."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__("Help", window)
        self._window = window
        self._is_over = False
        self._before: dict[QDockWidget, int] = {}
        self.setObjectName("helpDock")
        # Escape is for who reads here, not for the work under way.
        KeyClaim(self, frozenset({Qt.Key.Key_Escape}))
        feature = QDockWidget.DockWidgetFeature
        DockTitle(self)
        # Other actions do that, which know what to show.
        self.toggleViewAction().setVisible(False)
        self.setFeatures(feature.DockWidgetMovable | feature.DockWidgetClosable)
        self.browser = HelpText("helpText")
        title = "Search the help"
        self.field = SearchField("helpSearch", title, title, "Words that a page is to hold", self)
        self.field.downPressed.connect(self.browser.setFocus)
        self.back = _button("‹", "helpBackButton", "Back to the page before")
        self.close_button = _button("×", "helpCloseButton", "Close the help (Esc)")
        parts, margins = (self.back, self.field, self.close_button), (8, 8, 8, 6)
        row = filled(
            QHBoxLayout(), *parts, stretched=self.field, spacing=STYLED, margins=margins
        )
        inner = _Inside(self)
        filled(QVBoxLayout(inner), row, self.browser, stretched=self.browser)
        self.setWidget(inner)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_button.click()
        else:
            super().keyPressEvent(event)

    def open(self) -> None:
        """Show the help with room to read it; Qt would give it the least."""
        window = self._window
        left = window.width() - window.minimumSizeHint().width()
        over = left < scaled(_LEAST_WIDTH, window.font())
        if over != self._is_over:
            self._is_over = over
            self.setFloating(over)
        width = min(scaled(_WIDTH, window.font()), round(window.width() * _SHARE))
        if over:
            place = QRect(0, 0, width, window.height() * 2 // 3)
            place.moveBottomRight(window.rect().bottomRight() - QPoint(_MARGIN, _MARGIN))
            self.setGeometry(place.translated(window.mapToGlobal(QPoint(0, 0))))
        columns = self._columns()
        self._before = {column: column.width() for column in columns}
        # Every column gives a part: Qt would take all of it from the one beside, if it can.
        share = 1 - width / window.width()
        widths = [*(round(column.width() * share) for column in columns), width]
        self.show()
        if not self.isFloating():
            window.resizeDocks([*columns, self], widths, Qt.Orientation.Horizontal)

    def put_away(self) -> None:
        """Hide the help, and restore the widths of the columns.

        Qt would share out the room by their present widths, and ignore what a column needs.
        """
        beside = self.isVisible() and not self.isFloating()
        columns = self._columns()
        self.hide()
        if beside and columns == list(self._before):
            widths = list(self._before.values())
            self._window.resizeDocks(columns, widths, Qt.Orientation.Horizontal)

    def _columns(self) -> list[QDockWidget]:
        """Return the docks that are side by side, the uppermost of every column."""
        docks = [
            dock
            for dock in self._window.findChildren(QDockWidget)
            if dock is not self and not dock.isFloating() and not dock.visibleRegion().isEmpty()
        ]
        top = min((dock.y() for dock in docks), default=0)
        return [dock for dock in docks if dock.y() == top]


class HelpText(QTextBrowser):
    """Shows Markdown, which keeps the colours of links and the gaps of when it was written."""

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name, "Help")
        self.setOpenLinks(False)
        self.document().setDocumentMargin(8)
        self.document().setIndentWidth(18)
        self._markdown = ""
        self._looks = theme_of(self), self.font()

    def show_markdown(self, markdown: str) -> None:
        """Show a page from its top."""
        self._markdown = markdown
        self._looks = theme_of(self), self.font()
        self.setMarkdown(markdown)
        self._soften()

    def changeEvent(self, event: QEvent) -> None:
        """Write the page again in other colours or larger text, and keep the place."""
        super().changeEvent(event)
        changes = (QEvent.Type.PaletteChange, QEvent.Type.FontChange)
        if event.type() in changes and self._looks != (theme_of(self), self.font()):
            bar = self.verticalScrollBar()
            place = bar.value()
            self.show_markdown(self._markdown)
            bar.setValue(place)

    def _soften(self) -> None:
        document = self.document()
        block = document.begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if level:
                self._set_heading(block.position(), block.length() - 1, level)
            block = block.next()

    def _set_heading(self, position: int, length: int, level: int) -> None:
        cursor = self.textCursor()
        cursor.setPosition(position)
        cursor.setPosition(position + length, cursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setProperty(QTextFormat.Property.FontSizeAdjustment, 1 if level == 1 else 0)
        cursor.mergeCharFormat(form)


class PageOverDialog(QDialog):
    """Shows a page over a dialog; links to elsewhere in the window are plain text there."""

    def __init__(self, markdown: str, dialog: QWidget) -> None:
        super().__init__(dialog)
        self.setObjectName("dialogHelp")
        self.setWindowTitle("Help")
        browser = HelpText("dialogHelpText")
        browser.show_markdown(_LINK.sub(r"\g<text>", markdown))
        buttons = QDialogButtonBox()
        buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)
        column = QVBoxLayout(self)
        for part in (browser, buttons):
            column.addWidget(part)
        buttons.setStandardButtons(QDialogButtonBox.StandardButton.Close)
        browser.setFocus()

    def sizeHint(self) -> QSize:
        return QSize(*(scaled(pixels, self.font()) for pixels in _OVER_DIALOG))


def _button(text: str, name: str, title: str) -> QToolButton:
    button = named(QToolButton(), name, title, title)
    button.setText(text)
    button.setProperty("small", True)
    return button


class _Inside(QWidget):
    """Holds the parts of the dock, wide enough to be read."""

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, 400)

    def minimumSizeHint(self) -> QSize:
        return QSize(184, 120)
