"""The field in which a bookmark is named, at its place on the timeline."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from bpe_gui.ui.run.player import Bookmark
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.keyboard import KeyClaim

_WIDTH = 180


class BookmarkEditor(QLineEdit):
    """Edits a name: Enter or another focus accepts it, Escape keeps the old one."""

    named = Signal(int, str)
    """The position of the bookmark and its new name."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._timeline = parent
        self.setObjectName("bookmarkName")
        self.setAccessibleName("Name of the bookmark")
        self.setMaxLength(60)
        self._bookmark: Bookmark | None = None
        self.editingFinished.connect(self._take)
        # Escape is for this field, not for the work under way.
        KeyClaim(self, frozenset({Qt.Key.Key_Escape}))
        self.hide()

    def open_at(self, x: int, y: int, bookmark: Bookmark) -> None:
        """Edit the name of a bookmark at a place in the parent."""
        self._bookmark = bookmark
        self.setText(bookmark.name)
        self.selectAll()
        width = scaled(_WIDTH, self.font())
        room = self._timeline.width() - width
        self.setGeometry(max(0, min(x, room)), y, width, self.sizeHint().height())
        self.show()
        self.setFocus()

    def close_editor(self) -> None:
        """Close the field without another name."""
        self._bookmark = None
        self.hide()

    @Slot()
    def _take(self) -> None:
        # Hiding the field takes its focus, which finishes the editing again.
        bookmark, self._bookmark = self._bookmark, None
        if bookmark is None:
            return
        had_focus = self.hasFocus()
        self.hide()
        if had_focus:
            self._timeline.setFocus()
        self.named.emit(bookmark.position, self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_editor()
            self._timeline.setFocus()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
