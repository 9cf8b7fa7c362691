"""Where the nodes of a merge tree stand: the root on top, all leaves in the lowest row.

Each node has a stretch of the width to itself, which those below it share; so no box and
no line ever touches another's.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

from bpe_gui.analysis.derivation import NOWHERE, MergeTree

_NOTE = 0.8
_PADDING = 0.45
_GAP = 0.45
_STEM = 0.9
_CLOSE_STEM = 0.4
"""Sizes of the second line, around a label, between and below boxes, for a font of size 1."""


class TreeFonts:
    """The two fonts of a tree and their measures in pixels.

    `close` is for a tree without second lines, whose levels stand close to each other.
    """

    def __init__(self, family: QFont, size: int, *, close: bool = False) -> None:
        self.size = size
        self.close = close
        self.label = QFont(family)
        self.label.setPixelSize(size)
        self.note = QFont(family)
        self.note.setPixelSize(max(8, round(size * _NOTE)))
        self.labels = QFontMetrics(self.label)
        self.notes = QFontMetrics(self.note)
        self.padding = max(4, round(size * _PADDING))
        self.gap = max(4, round(size * _GAP))
        self.stem = max(9, round(size * (_CLOSE_STEM if close else _STEM)))
        line = self.labels.height()
        self.low = line + 2
        """Height of a box with a label alone."""
        self.high = self.low if close else line + self.notes.height() + 3
        self.label_baseline = 1 + self.labels.ascent()
        self.note_baseline = line + self.notes.ascent()


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its box, and where the two lines of text in it begin."""

    left: int
    top: int
    width: int
    height: int
    label: str
    label_left: int
    note: str
    note_left: int

    @property
    def middle(self) -> int:
        """The column at which lines come and go."""
        return self.left + self.width // 2

    @property
    def bottom(self) -> int:
        """The row below the box."""
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """The boxes of all nodes, in the tree's order, and the size of the whole."""

    boxes: tuple[Box, ...]
    width: int
    height: int

    def node_at(self, x: int, y: int) -> int | None:
        """The node whose box is at a place, None if none is."""
        for node, box in enumerate(self.boxes):
            if box.left <= x < box.left + box.width and box.top <= y < box.bottom:
                return node
        return None


def lay_out(
    tree: MergeTree, labels: tuple[str, ...], notes: tuple[str, ...], fonts: TreeFonts
) -> TreeLayout:
    """Place all nodes, with a label each and a note below it (empty for none)."""
    nodes = range(len(tree))
    label_widths = [fonts.labels.horizontalAdvance(text) for text in labels]
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
    boxes = []
    for node in nodes:
        height = fonts.high if notes[node] else fonts.low
        middle = lefts[node] + own[node] // 2
        boxes.append(
            Box(
                left=lefts[node],
                top=(levels[0] - levels[node]) * (fonts.high + fonts.stem),
                width=own[node],
                height=height,
                label=labels[node],
                label_left=middle - label_widths[node] // 2,
                note=notes[node],
                note_left=middle - note_widths[node] // 2,
            )
        )
    return TreeLayout(tuple(boxes), room[0], max(box.bottom for box in boxes))


def _lefts(tree: MergeTree, own: list[int], room: list[int], gap: int) -> list[int]:
    """Left edges of the boxes, each over the middle of its two parts."""
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


def neighbour(tree: MergeTree, node: int, key: Qt.Key) -> int:
    """The node that a key leads to, NOWHERE if it leads nowhere.

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
