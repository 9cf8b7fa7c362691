"""Paint a merge tree: what exists at the cursor, what is merged later, and what is selected."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.derivation import NOWHERE, MergeTree
from bpe_gui.ui.panels.token.wording import NOT_MADE_YET, SPOKEN_TREE
from bpe_gui.ui.theme.painting import CENTERED, brush, pen
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.theme.token_palettes import TOKEN_COLOURS
from bpe_gui.ui.tokens.box_pictures import TokenFiller
from bpe_gui.ui.tokens.colours import TokenColouring, fill_of
from bpe_gui.ui.tokens.fonts import LabelFont
from bpe_gui.ui.widgets.canvas import MOVES, Canvas

_SMALLEST_TEXT, _LARGEST_TEXT = 11, 26
"""Sizes in pixels of labels that are plain, from the smallest panel to a full screen."""

_MARGIN = 8
_RADIUS = 5
_MADE_LATER, _WITHIN = -2, -1
"""What a node is filled with if it does not exist at the cursor, or is part of a token that
does. All other nodes have the number of a colour of tokens."""
_SOLID, _DASHED = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine
_NOTE = 0.8
_PADDING = 0.45
_GAP = 0.45
_STEM = 0.9
_CLOSE_STEM = 0.4
"""Sizes of the second line, around a label, between and below boxes, for a font of size 1."""


class TreeFonts:
    """The two fonts of a tree and their measures in pixels.

    `close` is for a tree without second lines and with less space between its levels.
    """

    def __init__(self, family: QFont, size: int, *, close: bool = False) -> None:
        self.size = size
        self.close = close
        self.label = QFont(family)
        self.label.setPixelSize(size)
        self.note = QFont(family)
        self.note.setPixelSize(max(8, round(size * _NOTE)))
        self.writer = LabelFont(self.label, family)
        self.labels = self.writer.metrics
        self.notes = QFontMetrics(self.note)
        self.padding = max(4, round(size * _PADDING))
        self.gap = max(4, round(size * _GAP))
        self.stem = max(7, round(size * (_CLOSE_STEM if close else _STEM)))
        line = self.labels.height()
        self.low = line + 2
        """Height of a box with a label alone."""
        self.high = self.low if close else line + self.notes.height() + 3


class Box(Struct, frozen=True):
    """A node: its box, and the two lines of text in it."""

    left: int
    top: int
    width: int
    height: int
    label: str
    note: str

    @property
    def middle(self) -> int:
        """The column at which lines come and go."""
        return self.left + self.width // 2

    @property
    def bottom(self) -> int:
        """The row below the box."""
        return self.top + self.height


class TreeCanvas(Canvas[int]):
    """Draws a tree as large as it fits, and no smaller than can be read.

    Of what exists at the cursor, the outermost nodes have the colours that tokens have in
    a text: these are the tokens there. Tokens of later merges are only outlined.

    One node is current: the arrow keys, Home and End move it; Enter or a click chooses it.
    """

    least_room = QSize(160, 64)
    nodeChosen = Signal(int)
    """A node that the user clicked, or pressed Enter on."""
    nodeOpened = Signal(int)
    """A node that the user double-clicked, or pressed Ctrl+Enter on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("treeCanvas", SPOKEN_TREE, parent)
        self.current = 0
        """The node that the keyboard is at."""
        self._tree: MergeTree | None = None
        self._labels: tuple[str, ...] = ()
        self._notes: tuple[str, ...] = ()
        self._tips: tuple[str, ...] = ()
        self._position = 0
        self._fills: list[int] = []
        self._colouring: TokenColouring | None = None
        self._boxes: list[Box] = []
        self._size = QSize()
        self._chosen = NOWHERE
        self._fonts = TreeFonts(self.font(), _SMALLEST_TEXT)
        ThemeFollower(self, self._take_colours)
        RoomFollower(self.viewport(), self._fit_anew)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _take_colours(self, theme: Theme) -> None:
        self._tokens = TokenFiller(theme)
        self._fills = self._made()

    # -- what is shown -------------------------------------------------------------------

    def set_message(self, message: str) -> None:
        self._tree = self._colouring = None
        self.message = message
        self._boxes, self._size = [], QSize(0, 0)
        self._set_ranges()
        self._describe()

    def set_tree(
        self,
        tree: MergeTree,
        labels: tuple[str, ...],
        notes: tuple[str, ...],
        tips: tuple[str, ...],
        colouring: TokenColouring | None,
    ) -> None:
        """Show another tree, its root in view and chosen.

        `labels`, `notes` (a second line) and `tips` (plain text for hovering) are one a
        node. `colouring` finds the fills of its tokens; without one they go by their places.
        """
        self._tree, self._colouring, self.message = tree, colouring, ""
        self._labels, self._notes, self._tips = labels, notes, tips
        self.current = self._chosen = 0
        self.hovered = None
        self._fills = self._made()
        self._fit()
        root = self._boxes[0]
        bar = self.horizontalScrollBar()
        bar.setValue(root.middle + _MARGIN - self.viewport().width() // 2)
        self.verticalScrollBar().setValue(0)
        self._describe()

    def _fit_anew(self) -> None:
        self._fit()
        if self._boxes:
            self._reveal(self.current)

    def set_position(self, position: int) -> None:
        self._position = position
        fills = self._made()
        if fills != self._fills:
            self._fills = fills
            self.viewport().update()
            self._describe()

    def set_chosen(self, node: int) -> None:
        self._chosen = self.current = node
        self.viewport().update()
        self._describe()

    def _describe(self) -> None:
        if self._tree is None:
            self.describe(self.message)
            return
        later = self._tree.steps[self.current] >= self._position
        said = self._tips[self.current].replace("\n", ". ")
        self.describe(said + NOT_MADE_YET if later else said)

    def _made(self) -> list[int]:
        tree, fills = self._tree, list[int]()
        if tree is None:
            return fills
        last, place, by = -1, -1, self._theme.colour_by
        for node, step in enumerate(tree.steps):
            parent = tree.parents[node]
            if tree.lefts[node] == NOWHERE:
                place += 1
            if step >= self._position:
                fills.append(_MADE_LATER)
            elif parent != NOWHERE and fills[parent] != _MADE_LATER:
                fills.append(_WITHIN)
            else:
                # As in a text, a colour by the place goes with where a token begins.
                colour = max(place, 0) % TOKEN_COLOURS
                last = colour if colour != last else (colour + 1) % TOKEN_COLOURS
                fills.append(fill_of(self._colouring, tree.tokens[node], by, last))
        return fills

    # -- size ------------------------------------------------------------------------------

    def _fit(self) -> None:
        if self._tree is not None:
            self._choose_size()
        self._set_ranges()

    def _choose_size(self) -> None:
        width = self.viewport().width() - 2 * _MARGIN
        height = self.viewport().height() - 2 * _MARGIN
        smallest, largest = (scaled(size, self.font()) for size in (_SMALLEST_TEXT, _LARGEST_TEXT))
        self._lay_out(smallest, close=False)
        if self._size.height() > height:
            # Leave the names of merges out if the leaves are in view then.
            whole = self._fonts, self._boxes, self._size
            self._lay_out(smallest, close=True)
            if self._size.height() > height:
                self._fonts, self._boxes, self._size = whole
        close = self._fonts.close
        share = min(width / self._size.width(), height / self._size.height())
        size = max(smallest, min(largest, int(smallest * share)))
        if size > smallest:
            self._lay_out(size, close=close)
        while size > smallest and (self._size.width() > width or self._size.height() > height):
            size -= 1
            self._lay_out(size, close=close)

    def _lay_out(self, size: int, *, close: bool) -> None:
        assert self._tree is not None
        self._fonts = TreeFonts(self.font(), size, close=close)
        notes = ("",) * len(self._notes) if close else self._notes
        self._boxes, self._size = _lay_out(self._tree, self._labels, notes, self._fonts)

    def _set_ranges(self) -> None:
        view = self.viewport().size()
        for bar, size, room in (
            (self.horizontalScrollBar(), self._size.width(), view.width()),
            (self.verticalScrollBar(), self._size.height(), view.height()),
        ):
            bar.setPageStep(room)
            bar.setSingleStep(self._fonts.high)
            bar.setRange(0, max(0, size + 2 * _MARGIN - room))
        self.viewport().update()

    def _origin(self) -> tuple[int, int]:
        view = self.viewport()
        spare = max(_MARGIN, (view.width() - self._size.width()) // 2)
        below = max(_MARGIN, (view.height() - self._size.height()) // 2)
        left = spare - self.horizontalScrollBar().value()
        return left, below - self.verticalScrollBar().value()

    def _reveal(self, node: int) -> None:
        box = self._boxes[node]
        for bar, start, size in (
            (self.horizontalScrollBar(), box.left, box.width),
            (self.verticalScrollBar(), box.top, box.height),
        ):
            least = start + size + 2 * _MARGIN - bar.pageStep()
            bar.setValue(min(max(bar.value(), least), start))

    # -- painting ----------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(area, brush(self._theme.panel))
        if self._tree is None:
            return
        left, top = self._origin()
        painter.translate(left, top)
        self._draw_lines(painter, self._tree)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for node, box in enumerate(self._boxes):
            if -top - box.height <= box.top <= self.viewport().height() - top:
                self._draw_node(painter, node, box)

    def _draw_lines(self, painter: QPainter, tree: MergeTree) -> None:
        boxes = self._boxes
        for node, (left, right) in enumerate(zip(tree.lefts, tree.rights, strict=True)):
            if left == NOWHERE:
                continue
            later = self._fills[node] == _MADE_LATER
            painter.setPen(pen(self._theme.border, 1, _DASHED) if later else pen(self._theme.muted))
            box = boxes[node]
            bend = box.bottom + self._fonts.stem // 2
            painter.drawLine(box.middle, box.bottom, box.middle, bend)
            painter.drawLine(boxes[left].middle, bend, boxes[right].middle, bend)
            for part in (left, right):
                painter.drawLine(boxes[part].middle, bend, boxes[part].middle, boxes[part].top)

    def _draw_node(self, painter: QPainter, node: int, box: Box) -> None:
        fill, fonts, chosen = self._fills[node], self._fonts, node == self._chosen
        theme = self._theme
        framed = node == self.current and self.hasFocus()
        if fill >= 0 and not chosen:
            text, quiet = theme.token_text, theme.token_muted
            ring = pen(theme.accent, 2) if framed else None
            self._tokens.paint(
                painter, fill, box.left, box.top, box.width, box.height, _RADIUS, ring
            )
        else:
            later = fill == _MADE_LATER
            edge = theme.accent if framed or (chosen and later) else theme.border
            dashed = later and not framed
            painter.setPen(pen(edge, 2 if framed else 1, _DASHED if dashed else _SOLID))
            if chosen and not later:
                painter.setBrush(brush(theme.selection))
                text = quiet = theme.token_text
            else:
                raised = node == self.hovered and not chosen
                painter.setBrush(brush(theme.raised if raised else theme.panel))
                text, quiet = theme.muted if later else theme.text, theme.muted
            painter.drawRoundedRect(
                box.left, box.top, box.width - 1, box.height - 1, _RADIUS, _RADIUS
            )
        painter.setPen(pen(text))
        line = fonts.labels.height()
        left = box.left + (box.width - fonts.writer.width(box.label)) // 2
        baseline = box.top + 1 + fonts.labels.ascent()
        fonts.writer.draw(painter, left, baseline, box.label, pen(quiet))
        if box.note:
            painter.setPen(pen(quiet))
            painter.setFont(fonts.note)
            note = fonts.notes.height()
            painter.drawText(box.left, box.top + line, box.width, note, CENTERED, box.note)

    # -- mouse -------------------------------------------------------------------------------

    def place_at(self, point: QPoint) -> int | None:
        left, top = self._origin()
        x, y = point.x() - left, point.y() - top
        for node, box in enumerate(self._boxes):
            if box.left <= x < box.left + box.width and box.top <= y < box.bottom:
                return node
        return None

    def place_of(self, node: int) -> QPoint:
        left, top = self._origin()
        box = self._boxes[node]
        return QPoint(left + box.middle, top + box.top + box.height // 2)

    def tooltip_at(self, point: QPoint) -> str:
        node = self.place_at(point)
        return "" if node is None else self._tips[node]

    def press(self, place: int) -> None:
        self._move_to(place)
        self.nodeChosen.emit(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the double-clicked node; the first click has chosen it."""
        node = self.place_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and node is not None:
            self.nodeOpened.emit(node)

    # -- keyboard ----------------------------------------------------------------------------

    def takes(self, event: QKeyEvent) -> bool:
        return self._tree is not None and event.key() in MOVES

    def keyPressEvent(self, event: QKeyEvent) -> None:
        tree, key = self._tree, event.key()
        if tree is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            opened = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            (self.nodeOpened if opened else self.nodeChosen).emit(self.current)
        elif tree is not None and key in MOVES:
            node = _neighbour(tree, self.current, Qt.Key(key))
            if node != NOWHERE:
                self._move_to(node)
        else:
            super().keyPressEvent(event)

    def _move_to(self, node: int) -> None:
        self.current = node
        self._reveal(node)
        self.viewport().update()
        self._describe()


def _lay_out(
    tree: MergeTree, labels: tuple[str, ...], notes: tuple[str, ...], fonts: TreeFonts
) -> tuple[list[Box], QSize]:
    """Place all nodes, with a label each and a note below it (empty for none).

    The root is on top, all leaves are in the lowest row. Each node has a part of the width to
    itself, which those below it share; so no box and no line ever touches another's. Gives the
    boxes in the tree's order, and the size of the whole.
    """
    nodes = range(len(tree))
    label_widths = [fonts.writer.width(text) for text in labels]
    note_widths = [fonts.notes.horizontalAdvance(text) if text else 0 for text in notes]
    own = [max(label_widths[n], note_widths[n], fonts.size) + 2 * fonts.padding for n in nodes]
    room = list(own)
    levels = [0] * len(tree)
    # Parts come after what was made of them.
    for node in reversed(nodes):
        left, right = tree.lefts[node], tree.rights[node]
        if left != NOWHERE:
            room[node] = max(own[node], room[left] + fonts.gap + room[right])
            levels[node] = max(levels[left], levels[right]) + 1
    lefts = _lefts(tree, own, room, fonts.gap)
    boxes: list[Box] = []
    for node in nodes:
        height = fonts.high if notes[node] else fonts.low
        boxes.append(
            Box(
                left=lefts[node],
                top=(levels[0] - levels[node]) * (fonts.high + fonts.stem),
                width=own[node],
                height=height,
                label=labels[node],
                note=notes[node],
            )
        )
    return boxes, QSize(room[0], max(box.bottom for box in boxes))


def _lefts(tree: MergeTree, own: list[int], room: list[int], gap: int) -> list[int]:
    starts = [0] * len(tree)
    for node, (left, right) in enumerate(zip(tree.lefts, tree.rights, strict=True)):
        if left != NOWHERE:
            spare = room[node] - room[left] - gap - room[right]
            starts[left] = starts[node] + spare // 2
            starts[right] = starts[left] + room[left] + gap
    lefts = [0] * len(tree)
    for node in reversed(range(len(tree))):
        left, right = tree.lefts[node], tree.rights[node]
        if left == NOWHERE:
            lefts[node] = starts[node] + (room[node] - own[node]) // 2
            continue
        middle = (lefts[left] + own[left] // 2 + lefts[right] + own[right] // 2) // 2
        last = starts[node] + room[node] - own[node]
        lefts[node] = max(starts[node], min(middle - own[node] // 2, last))
    return lefts


def _neighbour(tree: MergeTree, node: int, key: Qt.Key) -> int:
    """Return the node that a key leads to, NOWHERE if it leads nowhere.

    Up goes to what was made of a node, Down to its left part; Left and Right to the next
    node of the same depth, Home to the root, End to the last symbol.
    """
    if key == Qt.Key.Key_Up:
        return tree.parents[node]
    if key == Qt.Key.Key_Down:
        return tree.lefts[node]
    if key == Qt.Key.Key_Home:
        return 0
    if key == Qt.Key.Key_End:
        return len(tree) - 1
    others = range(node - 1, -1, -1) if key == Qt.Key.Key_Left else range(node + 1, len(tree))
    depth = tree.depth(node)
    return next((other for other in others if tree.depth(other) == depth), NOWHERE)
