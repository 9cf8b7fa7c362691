"""Labels: one that elides its text, one that moves nothing around it, notes, one with links."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.text_lines import lines_of

_ANY_WIDTH = _ANY_HEIGHT = 1 << 20
_LEAST_AROUND = 8
"""With fewer characters and the ellipsis in its middle a text tells nothing."""


_CLAUSE = re.compile("[,;:] ")


class ElidingLabel(QLabel):
    """Draws plain text with an ellipsis if its line is too long, or if it wraps into too many.

    `text` stays whole. A line without room for a letter before the ellipsis is empty, and so is one
    with the ellipsis in its middle that has room for a few letters only. `by_clauses` leaves out
    whole clauses instead of letters, so that no number is cut.

    Text with a "<" that is not marked as plain may be rich, and is cut off.
    """

    elide = Qt.TextElideMode.ElideRight
    by_clauses = False

    # superqt's QElidingLabel gives Qt the elided text, so that screen readers read no more of
    # it; setting it takes forty times as long, and importing superqt a tenth of the start.

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return hint if self.wordWrap() else QSize(0, hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self._fitting()
        if shown == self.text():
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter, self.contentsRect(), self.alignment().value, self.palette(),
                self.isEnabled(), shown, self.foregroundRole(),
            )  # fmt: skip

    def width_of_clause(self) -> int:
        """Return the width of the first clause, with an ellipsis if others follow; 0 if clauses are
        not left out whole.
        """
        return self.fontMetrics().horizontalAdvance(self._clauses()[-1] if self.by_clauses else "")

    def _clauses(self) -> list[str]:
        """Return the text, then with ever fewer clauses."""
        ends = [found.start() for found in _CLAUSE.finditer(self.text())]
        return [self.text(), *(f"{self.text()[:end]}…" for end in reversed(ends))]

    def _fitting(self) -> str:
        """Return the text, or as much of its beginning as fits, with an ellipsis."""
        text, area, metrics = self.text(), self.contentsRect(), self.fontMetrics()
        rich = self.textFormat() is not Qt.TextFormat.PlainText and "<" in text
        if rich or metrics.horizontalAdvance(text) <= area.width():
            return text
        if self.by_clauses and len(clauses := self._clauses()) > 1:
            fitting = (it for it in clauses if metrics.horizontalAdvance(it) <= area.width())
            return next(fitting, "")
        if not self.wordWrap():
            shown = metrics.elidedText(text, self.elide, area.width())
            least = _LEAST_AROUND if self.elide is Qt.TextElideMode.ElideMiddle else 1
            return shown if len(shown) > least else ""
        # To ask a label whose text can be selected for its height would paint it again, forever.
        room = QRect(0, 0, area.width(), _ANY_HEIGHT)
        if metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text).height() <= area.height():
            return text
        lines = lines_of(text, self.font(), area.width())
        whole = min(len(lines), max(1, area.height() // metrics.lineSpacing())) - 1
        rest = metrics.elidedText("".join(lines[whole:]), self.elide, area.width())
        return "\n".join([*lines[:whole], rest])


class SteadyLabel(QWidget):
    """Shows a `label` of plain text in any width.

    In a layout, every new text of a label lays out the whole window and paints most of it,
    which takes half a frame. This one only asks for another height, when a text that may wrap
    needs more lines or fewer.
    """

    def __init__(self, parent: QWidget | None = None, *, wraps: bool = False) -> None:
        super().__init__(parent)
        self.label: QLabel = ElidingLabel(self)
        # Tokens may look like tags.
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        # A label that never had a text keeps the height of its first font.
        self.label.setText(" ")
        self.label.setText("")
        self.set_wraps(wraps)
        FontFollower(self, self.updateGeometry)

    def set_wraps(self, wraps: bool) -> None:
        """Write on as many lines as are needed, or on one that may be elided."""
        self.label.setWordWrap(wraps)
        # A given width may need more lines than the hint has.
        vertical = QSizePolicy.Policy.Minimum if wraps else QSizePolicy.Policy.Fixed
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, vertical)
        policy.setHeightForWidth(wraps)
        self.setSizePolicy(policy)

    def text(self) -> str:
        return self.label.text()

    def set_text(self, text: str) -> None:
        if text == self.label.text():
            return
        self.label.setText(text)
        if self.label.wordWrap() and self.heightForWidth(self.width()) > self.height():
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the height of one line and any width, which decides the number of lines."""
        if self.label.wordWrap():
            return QSize(1, self.label.heightForWidth(_ANY_WIDTH))
        return QSize(1, self.label.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def heightForWidth(self, width: int) -> int:
        return self.label.heightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.label.resize(event.size())
        if self.label.wordWrap() and self.heightForWidth(self.width()) != self.height():
            self.updateGeometry()


class Note(ElidingLabel):
    """A quiet sentence that is hidden while it is empty.

    It has as many lines as it needs, or without word wrap one that may be elided.
    """

    def __init__(self, name: str) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        quiet(named(self, name)).setContentsMargins(10, 0, 6, 2)
        self.hide()

    def say(self, text: str) -> None:
        """Show another sentence, or none."""
        self.setText(text)
        self.setVisible(bool(text))


class LinkLabel(QLabel):
    """A label of rich text that wraps; a long text does not widen its parent."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent, wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.setObjectName(name)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        self.setSizePolicy(policy)

    def changeEvent(self, event: QEvent) -> None:
        """Write the text again in another theme: links keep the colour of their first one."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and (text := self.text()):
            self.clear()
            self.setText(text)
