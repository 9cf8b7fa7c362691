"""How a merge tree is drawn: the lines, and the nodes in the colours of what they are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from bpe_gui.analysis.derivation import NOWHERE, MergeTree
from bpe_gui.ui.panels.token.layout import Box, TreeFonts
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.fills import TokenFiller

_RADIUS = 5

MADE_LATER, WITHIN = -2, -1
"""What a node is filled with if it does not exist at the cursor, or is part of a token that
does. All other nodes have the number of a colour of tokens."""


def fills_of(tree: MergeTree, position: int, colours: int) -> list[int]:
    """What each node is filled with at a position, if tokens have so many colours."""
    fills: list[int] = []
    last = place = -1
    for node, step in enumerate(tree.steps):
        parent = tree.parents[node]
        if tree.lefts[node] == NOWHERE:
            place += 1
        if step >= position:
            fills.append(MADE_LATER)
        elif parent != NOWHERE and fills[parent] != MADE_LATER:
            fills.append(WITHIN)
        else:
            # As in a text, the colour goes with the place where a token begins.
            colour = max(place, 0) % colours
            last = colour if colour != last else (colour + 1) % colours
            fills.append(last)
    return fills


class TreeDrawing:
    """Paints the parts of a tree in the colours of a theme."""

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.background = QBrush(QColor(theme.panel))
        self.muted = QPen(QColor(theme.muted))
        self._raised = QBrush(QColor(theme.raised))
        self._selection = QBrush(QColor(theme.selection))
        self._tokens = TokenFiller(theme)
        self._text = QPen(QColor(theme.text))
        self._token_text = QPen(QColor(theme.token_text))
        self._token_muted = QPen(QColor(theme.token_muted))
        self._line = QPen(QColor(theme.muted), 1)
        self._later_line = QPen(QColor(theme.border), 1, Qt.PenStyle.DashLine)
        self._chosen_later = QPen(QColor(theme.accent), 1, Qt.PenStyle.DashLine)
        self._edge = QPen(QColor(theme.border), 1)
        self._accent = QPen(QColor(theme.accent), 2)

    @property
    def colours(self) -> int:
        """How many colours tokens have."""
        return len(self._tokens)

    def draw_lines(
        self,
        painter: QPainter,
        tree: MergeTree,
        boxes: Sequence[Box],
        fills: Sequence[int],
        stem: int,
    ) -> None:
        """Join each node with its two parts; `stem` is the room between them in pixels."""
        for node, (left, right) in enumerate(zip(tree.lefts, tree.rights, strict=True)):
            if left == NOWHERE:
                continue
            painter.setPen(self._later_line if fills[node] == MADE_LATER else self._line)
            box = boxes[node]
            bend = box.bottom + stem // 2
            painter.drawLine(box.middle, box.bottom, box.middle, bend)
            painter.drawLine(boxes[left].middle, bend, boxes[right].middle, bend)
            for part in (left, right):
                painter.drawLine(boxes[part].middle, bend, boxes[part].middle, boxes[part].top)

    def draw_node(
        self,
        painter: QPainter,
        box: Box,
        fonts: TreeFonts,
        fill: int,
        *,
        chosen: bool,
        hovered: bool,
        framed: bool,
    ) -> None:
        """Draw a box with its texts; a frame shows where the keyboard is."""
        if fill >= 0 and not chosen:
            text, quiet = self._token_text, self._token_muted
            ring = self._accent if framed else None
            self._tokens.paint(
                painter, fill, box.left, box.top, box.width, box.height, _RADIUS, ring
            )
        else:
            text, quiet = self._prepare(painter, fill, chosen=chosen, hovered=hovered)
            if framed:
                painter.setPen(self._accent)
            painter.drawRoundedRect(
                box.left, box.top, box.width - 1, box.height - 1, _RADIUS, _RADIUS
            )
        painter.setPen(text)
        painter.setFont(fonts.label)
        painter.drawText(box.label_left, box.top + fonts.label_baseline, box.label)
        if box.note:
            painter.setPen(quiet)
            painter.setFont(fonts.note)
            painter.drawText(box.note_left, box.top + fonts.note_baseline, box.note)

    def _prepare(
        self, painter: QPainter, fill: int, *, chosen: bool, hovered: bool
    ) -> tuple[QPen, QPen]:
        """Take edge and filling of a box that has no token's colour; returns pens for its texts."""
        later = fill == MADE_LATER
        painter.setPen(self._edge)
        if later:
            painter.setPen(self._chosen_later if chosen else self._later_line)
        if chosen and not later:
            painter.setBrush(self._selection)
            return self._token_text, self._token_text
        painter.setBrush(self._raised if hovered and not chosen else self.background)
        return self.muted if later else self._text, self.muted
