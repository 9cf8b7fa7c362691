"""A merge tree, painted: what exists at the cursor, what comes later, and what is selected."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from bpe_gui.analysis.derivation import NOWHERE, MergeTree
from bpe_gui.ui.panels.token.layout import TreeFonts, TreeLayout, lay_out, neighbour
from bpe_gui.ui.panels.token.painter import TreeDrawing, fills_of
from bpe_gui.ui.theme.painting import draw_message
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.widgets.guards import moves_the_cursor

SMALLEST_TEXT, LARGEST_TEXT = 11, 26
"""Sizes in pixels of labels that are plain, from the smallest panel to a full screen."""

_MARGIN = 10
_KEYS = frozenset(
    {
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)


class TreeCanvas(QAbstractScrollArea):
    """Draws a tree as large as it fits, and no smaller than can be read.

    Of what exists at the cursor, the outermost nodes have the colours that tokens have in
    a text: this is how the token is cut there. What is made later is only outlined.

    One node is current: the arrow keys, Home and End move it; Enter or a click chooses it.
    """

    nodeChosen = Signal(int)
    """A node that the user clicked, or pressed Enter on."""
    nodeOpened = Signal(int)
    """A node that the user double-clicked, or pressed Ctrl+Enter on."""
    currentChanged = Signal(int)
    """The node to which the user has moved."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tree: MergeTree | None = None
        self._labels: tuple[str, ...] = ()
        self._notes: tuple[str, ...] = ()
        self._tips: tuple[str, ...] = ()
        self._message = ""
        self._position = 0
        self._fills: list[int] = []
        self._layout = TreeLayout((), 0, 0)
        self._offset = QPoint()
        self._current = 0
        self._chosen = NOWHERE
        self._hovered = NOWHERE
        self._fonts = TreeFonts(self.font(), SMALLEST_TEXT)
        self._drawing = TreeDrawing()
        ThemeFollower(self, self._drawing.take_colours)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def minimumSizeHint(self) -> QSize:
        """The least that shows a node and what it is made of."""
        return QSize(160, 64)

    # -- what is shown -------------------------------------------------------------------

    def set_message(self, message: str) -> None:
        """Show a sentence instead of a tree."""
        self._tree = None
        self._message = message
        self._layout = TreeLayout((), 0, 0)
        self._set_ranges()

    def set_tree(
        self,
        tree: MergeTree,
        labels: tuple[str, ...],
        notes: tuple[str, ...],
        tips: tuple[str, ...],
    ) -> None:
        """Show another tree, its root in view and chosen.

        `labels`, `notes` (a second line) and `tips` (plain text for hovering) are one a
        node.
        """
        self._tree = tree
        self._labels, self._notes, self._tips = labels, notes, tips
        self._current = self._chosen = 0
        self._hovered = NOWHERE
        self._fills = self._made()
        self._fit()
        root = self._layout.boxes[0]
        bar = self.horizontalScrollBar()
        bar.setValue(root.middle + _MARGIN - self.viewport().width() // 2)
        self.verticalScrollBar().setValue(0)

    def set_position(self, position: int) -> None:
        """Tell what exists by the cursor."""
        self._position = position
        fills = self._made()
        if fills != self._fills:
            self._fills = fills
            self.viewport().update()

    def set_chosen(self, node: int) -> None:
        """Mark the node of the selected token; NOWHERE for none."""
        self._chosen = node
        if node != NOWHERE:
            self._current = node
        self.viewport().update()

    @property
    def current(self) -> int:
        """The node that the keyboard is at."""
        return self._current

    def _made(self) -> list[int]:
        if self._tree is None:
            return []
        return fills_of(self._tree, self._position, self._drawing.colours)

    # -- size ------------------------------------------------------------------------------

    def _fit(self) -> None:
        """Find the largest text with which the whole tree fits."""
        if self._tree is None:
            return
        width = self.viewport().width() - 2 * _MARGIN
        height = self.viewport().height() - 2 * _MARGIN
        smallest, largest = (scaled(size, self.font()) for size in (SMALLEST_TEXT, LARGEST_TEXT))
        self._lay_out(smallest, close=False)
        if self._layout.height > height:
            # What a merge is called gives way where the leaves are seen without it.
            whole = self._fonts, self._layout
            self._lay_out(smallest, close=True)
            if self._layout.height > height:
                self._fonts, self._layout = whole
        close = self._fonts.close
        share = min(width / self._layout.width, height / self._layout.height)
        size = max(smallest, min(largest, int(smallest * share)))
        if size > smallest:
            self._lay_out(size, close=close)
        while size > smallest and (self._layout.width > width or self._layout.height > height):
            size -= 1
            self._lay_out(size, close=close)
        self._set_ranges()

    def _lay_out(self, size: int, *, close: bool) -> None:
        assert self._tree is not None
        self._fonts = TreeFonts(self.font(), size, close=close)
        notes = ("",) * len(self._notes) if close else self._notes
        self._layout = lay_out(self._tree, self._labels, notes, self._fonts)

    def _set_ranges(self) -> None:
        view = self.viewport().size()
        for bar, size, room in (
            (self.horizontalScrollBar(), self._layout.width, view.width()),
            (self.verticalScrollBar(), self._layout.height, view.height()),
        ):
            bar.setPageStep(room)
            bar.setSingleStep(self._fonts.high)
            bar.setRange(0, max(0, size + 2 * _MARGIN - room))
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the tree to the new size."""
        self._fit()
        self._set_ranges()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the application's font."""
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        super().changeEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Painted anew, for the picture is small."""
        self.viewport().update()

    def _origin(self) -> tuple[int, int]:
        """Where the tree's upper left corner is: centred if there is room."""
        view = self.viewport()
        spare = max(_MARGIN, (view.width() - self._layout.width) // 2)
        below = max(_MARGIN, (view.height() - self._layout.height) // 2)
        left = spare - self.horizontalScrollBar().value()
        return left, below - self.verticalScrollBar().value()

    def _reveal(self, node: int) -> None:
        box = self._layout.boxes[node]
        for bar, start, size in (
            (self.horizontalScrollBar(), box.left, box.width),
            (self.verticalScrollBar(), box.top, box.height),
        ):
            least = start + size + 2 * _MARGIN - bar.pageStep()
            bar.setValue(min(max(bar.value(), least), start))

    # -- painting ----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is in view: the lines first, the boxes over their ends."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._drawing.background)
        tree = self._tree
        if tree is None:
            painter.setFont(self.font())
            draw_message(painter, self.viewport().rect(), self._message, self._drawing.muted)
            painter.end()
            return
        left, top = self._origin()
        painter.translate(left, top)
        boxes, fills, fonts = self._layout.boxes, self._fills, self._fonts
        self._drawing.draw_lines(painter, tree, boxes, fills, fonts.stem)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for node, box in enumerate(boxes):
            if -top - box.height <= box.top <= self.viewport().height() - top:
                self._drawing.draw_node(
                    painter,
                    box,
                    fonts,
                    fills[node],
                    chosen=node == self._chosen,
                    hovered=node == self._hovered,
                    framed=self.hasFocus() and node == self._current,
                )
        painter.end()

    # -- mouse -------------------------------------------------------------------------------

    def node_at(self, place: QPoint) -> int:
        """The node at a place of the viewport, NOWHERE for none."""
        left, top = self._origin()
        return self._layout.node_at(place.x() - left, place.y() - top)

    def place_of(self, node: int) -> QPoint:
        """The middle of a node in the viewport."""
        left, top = self._origin()
        box = self._layout.boxes[node]
        return QPoint(left + box.middle, top + box.top + box.height // 2)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Lift the node under the mouse."""
        self._hover(self.node_at(event.position().toPoint()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No node is under the mouse any more."""
        self._hover(NOWHERE)
        super().leaveEvent(event)

    def _hover(self, node: int) -> None:
        if node != self._hovered:
            self._hovered = node
            shape = Qt.CursorShape.ArrowCursor
            if node != NOWHERE:
                shape = Qt.CursorShape.PointingHandCursor
            self.viewport().setCursor(shape)
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the clicked node."""
        node = self.node_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or node == NOWHERE:
            super().mousePressEvent(event)
            return
        self._move_to(node)
        self.nodeChosen.emit(node)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the double-clicked node; the first click has chosen it."""
        node = self.node_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and node != NOWHERE:
            self.nodeOpened.emit(node)

    def viewportEvent(self, event: QEvent) -> bool:
        """Answer to hovering with all that is known about a node."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            node = self.node_at(event.pos())
            if node == NOWHERE:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self._tips[node], self.viewport())
            return True
        return super().viewportEvent(event)

    # -- keyboard ----------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Claim the keys that move here, which would otherwise step through the history."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in _KEYS
            and self._tree is not None
            and not moves_the_cursor(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the current node, or choose it."""
        tree, key = self._tree, event.key()
        if tree is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            opened = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            (self.nodeOpened if opened else self.nodeChosen).emit(self._current)
        elif tree is not None and key in _KEYS:
            node = neighbour(tree, self._current, Qt.Key(key))
            if node != NOWHERE:
                self._move_to(node)
        else:
            super().keyPressEvent(event)

    def _move_to(self, node: int) -> None:
        self._current = node
        self._reveal(node)
        self.viewport().update()
        self.currentChanged.emit(node)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The current node gets its frame."""
        self.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The frame around the current node goes."""
        self.viewport().update()
        super().focusOutEvent(event)
