"""The help at the side of the window: one page, a field to search in all of them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextFormat
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.theme.theme import theme_of
from bpe_gui.ui.widgets.search_field import SearchField
from bpe_gui.ui.workspaces.dock_title import DockTitle

_WIDTH = 320


class HelpDock(QDockWidget):
    """Shows a page of Markdown in its `browser`, and passes on what the user wants to see next."""

    linkChosen = Signal(QUrl)
    """A link of the page."""
    searched = Signal(str)
    """Words to be looked for in all pages; none to show the page again."""
    backWanted = Signal()
    """The page before is to be shown again."""
    closed = Signal()
    """The user is done reading."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Help", parent)
        self.setObjectName("helpDock")
        feature = QDockWidget.DockWidgetFeature
        DockTitle(self)
        # There are actions of its own for that, which know what to show.
        self.toggleViewAction().setVisible(False)
        self.setFeatures(feature.DockWidgetMovable | feature.DockWidgetClosable)
        self.browser = _Page()
        self.field = SearchField("Search the help", "Words that a page is to hold", self)
        self.back, self.close_button = QToolButton(), QToolButton()
        self._build()
        self.browser.anchorClicked.connect(self.linkChosen)
        self.field.textChanged.connect(self.searched)
        self.field.downPressed.connect(self.browser.setFocus)
        self.back.clicked.connect(self.backWanted)
        self.close_button.clicked.connect(self.closed)

    def _build(self) -> None:
        self.browser.setObjectName("helpText")
        self.browser.setAccessibleName("Help")
        self.browser.setOpenLinks(False)
        self.browser.document().setDocumentMargin(8)
        self.browser.document().setIndentWidth(18)
        self.field.setObjectName("helpSearch")
        self.field.setAccessibleName("Search the help")
        for button, text, name, title in (
            (self.back, "‹", "helpBackButton", "Back to the page before"),
            (self.close_button, "×", "helpCloseButton", "Close the help (Esc)"),
        ):
            button.setText(text)
            button.setObjectName(name)
            button.setAccessibleName(title)
            button.setToolTip(title)
            button.setProperty("small", True)
        inner = _Inside(self)
        row = QHBoxLayout()
        row.setContentsMargins(8, 8, 8, 6)
        row.addWidget(self.back)
        row.addWidget(self.field, 1)
        row.addWidget(self.close_button)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.browser, 1)
        self.setWidget(inner)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends reading, wherever within the help the keyboard is."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class _Page(QTextBrowser):
    """Markdown, which keeps the colour of links and the gaps of when it was written."""

    def __init__(self) -> None:
        super().__init__()
        self._markdown = ""
        self._looks = theme_of(self), self.font()

    def show_markdown(self, markdown: str) -> None:
        """Show a page from its top."""
        self._markdown = markdown
        self._looks = theme_of(self), self.font()
        self.setMarkdown(markdown)
        self._soften()

    def changeEvent(self, event: QEvent) -> None:
        """Write it anew in other colours or in larger text, at the place that is read."""
        super().changeEvent(event)
        changes = (QEvent.Type.PaletteChange, QEvent.Type.FontChange)
        if event.type() in changes and self._looks != (theme_of(self), self.font()):
            bar = self.verticalScrollBar()
            place = bar.value()
            self.show_markdown(self._markdown)
            bar.setValue(place)

    def _soften(self) -> None:
        """Write headings only a little larger than the text."""
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


class _Inside(QWidget):
    """What stands in the dock, wide enough to be read."""

    def sizeHint(self) -> QSize:
        """A column of text."""
        return QSize(_WIDTH, 400)

    def minimumSizeHint(self) -> QSize:
        """The least that can be read."""
        return QSize(184, 120)
