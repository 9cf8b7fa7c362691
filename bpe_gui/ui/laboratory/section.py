"""A part of a form that folds away behind its title and one line that sums it up."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

_INDENT = 22


class ElidedLabel(QLabel):
    """One line that ends in an ellipsis where there is no room; all of it is in the tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_whole(self, text: str) -> None:
        """Show another text."""
        if text != self._whole:
            self._whole = text
            self.setToolTip(text)
            self._fit()

    def whole(self) -> str:
        """All of the text."""
        return self._whole

    def minimumSizeHint(self) -> QSize:
        """One line; any width will do."""
        return QSize(1, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find out anew what fits."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width = self.contentsRect().width()
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, width))


class Section(QWidget):
    """A title to open and close by mouse or keyboard, and what it holds."""

    toggled = Signal(bool)
    """The user has opened it, or (False) closed it."""

    def __init__(self, title: str, name: str, content: QWidget) -> None:
        super().__init__()
        self.content = content
        self._title = title
        self._button = QToolButton()
        self._button.setObjectName(f"{name}Section")
        self._button.setProperty("sectionTitle", True)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setText(title)
        self._button.setCheckable(True)
        self._summary = ElidedLabel()
        self._summary.setObjectName(f"{name}Summary")
        self._summary.setProperty("quiet", True)
        header = QHBoxLayout()
        header.setContentsMargins(0, 0, 8, 0)
        header.setSpacing(8)
        header.addWidget(self._button)
        header.addWidget(self._summary, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(header)
        column.addWidget(content)
        content.setContentsMargins(_INDENT, 0, 8, 10)
        content.hide()
        self._button.toggled.connect(self._on_toggled)
        self._show_arrow()
        self._name()

    @property
    def is_open(self) -> bool:
        """Whether what it holds is shown."""
        return self._button.isChecked()

    def set_open(self, opened: bool) -> None:
        """Show what it holds, or only the line that sums it up."""
        self._button.setChecked(opened)

    def set_summary(self, text: str, *, changed: bool, wrong: bool) -> None:
        """What it holds in a few words; whether that was changed, and whether it is wrong."""
        self._summary.set_whole(text)
        for key, value in (("changed", changed), ("problem", wrong)):
            if bool(self._summary.property(key)) != value:
                self._summary.setProperty(key, value)
                self._summary.style().unpolish(self._summary)
                self._summary.style().polish(self._summary)
        self._name()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The whole line of the title opens and closes, not only its words."""
        if event.button() is Qt.MouseButton.LeftButton and event.position().y() <= (
            self._button.geometry().bottom()
        ):
            self._button.toggle()
            return
        super().mousePressEvent(event)

    def _name(self) -> None:
        self._button.setAccessibleName(f"{self._title}: {self._summary.whole()}")

    def _show_arrow(self) -> None:
        opened = self._button.isChecked()
        self._button.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)

    @Slot(bool)
    def _on_toggled(self, opened: bool) -> None:
        self._show_arrow()
        self.content.setVisible(opened)
        self.toggled.emit(opened)
