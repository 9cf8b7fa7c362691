"""The selected token: its merge tree, its life in the corpus, and the tokens made of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QTabBar, QVBoxLayout

from bpe_gui.analysis.derivation import NOWHERE, MergeTree, made_at, made_of, merge_tree
from bpe_gui.analysis.token_life import TokenLife, is_counted, residues, token_life
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.token import wording
from bpe_gui.ui.panels.token.canvas import TreeCanvas
from bpe_gui.ui.panels.token.life import LifeCanvas
from bpe_gui.ui.theme.text_size import RoomFollower, scaled, text_scale
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.colours import TokenColouring
from bpe_gui.ui.tokens.token_chips import Chip, TokenChips, merge_chip
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.labels import LinkLabel, SteadyLabel
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.motion import JoinWait
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_MOST_CHIPS = 60
_SMALL_HEIGHT, _SMALL_WIDTH = 280, 320
"""A smaller panel shows only what is most important; in pixels, for text of the plain size."""
_TIGHT_HEIGHT = 150
"""A lower panel has the tree, and below it only the facts."""
_LOW_HEIGHT = 180
"""A lower panel does not list the tokens made of the selected one."""
_BESIDE = 20
"""Pixels that are left free beside the texts below the tree."""
_BOTH_WIDTH, _BOTH_HEIGHT = 760, 520
"""The size from which the tree and the life are beside or below each other, not behind tabs."""
_BOTH_IN_FIGURE = 640
"""The width from which they are beside each other in a figure, which has no tabs."""
_TREE, _LIFE = range(2)


class TokenPanel(BasePanel):
    """The merge tree of the selected token and its life in the corpus, drawn for the cursor.

    A click on a node selects its token and takes the cursor to the merge that made it; the
    tree stays. A double-click shows that token's own tree. A click on what was taken of the token
    takes the cursor to that merge. A small panel has the tree and the life behind tabs.
    """

    placesWanted = Signal()
    """The user wants to see where in the corpus the token occurs."""

    room = QSize(390, 300)
    least_room = QSize(240, 140)

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("tokenTree", "The selected token", parts.parent)
        self._queries, self._frequencies = parts.queries, parts.frequencies
        self._wait = JoinWait(parts.motion, self)
        self._wait.joined.connect(self.show_position)
        self._moving = False
        self._root = self._token = NO_TOKEN
        self._chosen = False
        self._tree: MergeTree | None = None
        self._stale = True
        self._asked = False
        self._symbol_counts: NDArray[np.int64] | None = None
        self._life: TokenLife | None = None
        self._lived: tuple[int, int, bool] | None = None
        """The token and the length of the run that the life is for, and whether it has counts."""
        self._children: dict[int, Chip] = {}
        self._tabs = QTabBar(self)
        self._canvas = TreeCanvas(self)
        self._life_canvas = LifeCanvas(self, parts.frequencies)
        self._facts = LinkLabel("tokenFacts", self)
        self._life_text = LinkLabel("scaffolding", self)
        self._residues = SteadyLabel(self)
        self._chips = TokenChips("madeOfIt", wording.MADE_OF_IT, self)
        self._build()
        ThemeFollower(self, self._take_colours)
        self._refresh()
        self._fit()
        RoomFollower(self, self._fit)
        parts.frequencies.changed.connect(self._canvas.viewport().update)
        parts.queries.symbolsCounted.connect(self.set_symbol_counts)

    def _build(self) -> None:
        self._canvas.nodeChosen.connect(self._choose)
        self._canvas.nodeOpened.connect(self._open)
        self._chips.tokenChosen.connect(self._choose_chip)
        self._life_text.linkActivated.connect(self._go_to)
        self._life_canvas.stepChosen.connect(self._go_to_step)
        quiet(named(self._residues.label, "residueCount", tip=wording.RESIDUES_TIP))
        self._residues.label.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._build_tabs()
        self._main = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._main.setSpacing(0)
        self._main.addWidget(self._canvas, 1)
        self._main.addWidget(self._life_canvas, 1)
        facts = (self._facts, self._life_text, self._chips)
        below = filled(QVBoxLayout(), *facts, spacing=4, margins=(10, 4, 10, 8))
        tops = (self._tabs, self._residues)
        top = QHBoxLayout()
        filled(top, *tops, stretched=self._residues, spacing=STYLED, margins=(0, 0, 10, 0))
        column = self.fill(top, self._main, below, main=self._canvas, grows=self._main)
        # What is below the tree must not force a small panel to grow.
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)

    def _build_tabs(self) -> None:
        tabs = named(self._tabs, "tokenTabs", wording.SPOKEN_TABS)
        tabs.setDrawBase(False)
        tabs.setExpanding(False)
        tabs.setUsesScrollButtons(False)
        tabs.setElideMode(Qt.TextElideMode.ElideRight)
        for name, tip in ((wording.TREE, wording.TREE_TIP), (wording.LIFE, wording.LIFE_TIP)):
            tabs.setTabToolTip(tabs.addTab(name), tip)
        tabs.currentChanged.connect(self._on_tab)

    # -- what is shown -------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        self._chosen = False
        self._asked = False
        self._symbol_counts = None
        self._set_root(NO_TOKEN)
        self._refresh()

    @Slot(int, bool)
    def show_position(self, position: int, moving: bool) -> None:
        """Draw the tree for another position. While `moving`, nothing is asked for.

        Until a token is selected, it is the tree of the newest one where the cursor rests. While
        it moves that tree stays, with what holds of its token at the position.
        """
        if self._history is None or self._wait.holds_back(position):
            return
        self._position = position
        self._moving = moving
        if not self._chosen and not moving:
            newest = int(self._history.new_id[position - 1]) if position else NO_TOKEN
            if newest != self._root:
                self._set_root(newest)
        self._refresh()

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._write()

    def select_token(self, token: int) -> None:
        """Show the tree of a token. Emits no selection.

        If its node was clicked in the tree, that stays as it is.
        """
        self._chosen = token != NO_TOKEN
        if token != self._token:
            self._set_root(token)
            self._refresh()

    @property
    def is_empty(self) -> bool:
        """Whether no token is selected, and none has been made yet."""
        # Behind others, it has no run before it comes into view.
        return self._root == NO_TOKEN and self._history is not None

    @Slot(object, object)
    def set_symbol_counts(self, history: History, counts: NDArray[np.int64]) -> None:
        """Take how often each symbol occurs before the first merge of a run, indexed by id."""
        if history is self._history:
            self._symbol_counts = counts
            self._refresh()

    def _set_root(self, token: int) -> None:
        self._root = self._token = token
        self._lived = None
        self._stale = True

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        another = self._stale
        if another:
            self._stale = False
            self._find_tree()
        self._find_life()
        self._write()
        self._canvas.set_position(self._position)
        self._life_canvas.set_position(self._position)
        if another:
            # After the texts below it, which decide its height.
            self._show_tree()
        self._ask()

    def _find_tree(self) -> None:
        history, root = self._history, self._root
        self._tree = None
        self._children.clear()
        if history is not None and 0 <= root < history.vocabulary_size(len(history)):
            self._tree = merge_tree(history, root)

    def _show_tree(self) -> None:
        history, tree = self._history, self._tree
        if history is None or tree is None:
            self._canvas.set_message(
                wording.NOTHING_LOADED if history is None else wording.NOTHING_SELECTED
            )
            return
        labels = {token: label(history.token_bytes(token)) for token in set(tree.tokens)}
        notes = tuple(wording.node_note(tree, node) for node in range(len(tree)))
        tips = tuple(wording.node_tip(history, tree, node) for node in range(len(tree)))
        texts = tuple(labels[token] for token in tree.tokens)
        self._canvas.set_tree(tree, texts, notes, tips, TokenColouring(history, self._frequencies))

    def _find_life(self) -> None:
        history = self._history
        if history is None or self._tree is None:
            self._life, self._lived = None, None
            nothing = wording.NOTHING_LOADED if history is None else wording.NO_LIFE
            self._life_canvas.set_message(nothing)
            return
        wanted = self._token, len(history), self._symbol_counts is not None
        if wanted == self._lived:
            return
        self._lived = wanted
        self._life = token_life(history, self._token, self._symbol_counts)
        if not is_counted(history):
            self._life = None
            self._life_canvas.set_message(wording.NO_COUNTS)
        elif self._life.initial is None:
            self._life_canvas.set_message(wording.COUNTING)
        elif not self._life.total:
            self._life_canvas.set_message(wording.NOWHERE_IN_CORPUS)
        else:
            self._life_canvas.set_life(history, self._life)

    # -- texts below the tree --------------------------------------------------------------

    def _write(self) -> None:
        self._write_facts()
        self._write_chips()
        self._write_life()
        self._write_residues()

    def _write_facts(self) -> None:
        history, tree = self._history, self._tree
        # Unseen, the tree may still be that of a token before.
        if history is None or tree is None or self._stale:
            self._facts.hide()
            return
        text = wording.facts_text(
            history, self._token, self._position, tree, self._theme.muted, short=self._is_small
        )
        if text != self._facts.text():
            self._facts.setText(text)
        # The leaves are seen rather than a second line.
        height = self._facts.heightForWidth(self.width() - _BESIDE)
        wraps = height >= 2 * self._facts.fontMetrics().height()
        self._facts.setVisible(not (self._is_tight and wraps))

    def _write_chips(self) -> None:
        history = self._history
        low = self.height() < scaled(_LOW_HEIGHT, self.font())
        if history is None or self._tree is None or low:
            self._chips.hide()
            return
        steps = made_of(history, self._token, self._position).tolist()
        newest = NO_TOKEN
        if steps and steps[-1] == self._position - 1:
            newest = int(history.new_id[self._position - 1])
        if self._life is not None:
            steps = self._life.until(self._position).consumers[0].tolist()
        for step in steps[:_MOST_CHIPS]:
            if step not in self._children:
                self._children[step] = merge_chip(history, step)
        chips = [self._children[step] for step in steps[:_MOST_CHIPS]]
        heading = wording.PART_OF if steps else wording.NOTHING_MADE
        self._chips.set_tokens(heading, chips, len(steps), newest)
        # A small panel has no line to spare for what is not there.
        self._chips.setVisible(bool(steps) or not self._is_small)

    def _write_life(self) -> None:
        """Say how often the token occurs, and since when only within others."""
        history, life = self._history, self._life
        text = ""
        if history is not None and life is not None and not self._is_tight and not self._stale:
            small = self._is_small
            text = wording.life_text(
                history, life, self._position, self._theme, short=small, asks=not self.presents
            )
        if text != self._life_text.text():
            self._life_text.setText(text)
        self._life_text.setVisible(bool(text))

    def _write_residues(self) -> None:
        history = self._history
        shown = history is not None and self._life is not None and self._life_canvas.isVisible()
        if history is not None and shown:
            found = residues(history, self._position)
            count = int(np.count_nonzero(found))
            self._residues.set_text(wording.residues_text(count, len(found)))
        self._residues.setVisible(shown and not self._is_tight)

    def _ask(self) -> None:
        life = self._life
        if life is not None and life.initial is None and not self._asked and not self._moving:
            self._asked = True
            self._queries.count_symbols()

    # -- what the user does ------------------------------------------------------------------

    @Slot(int)
    def _choose(self, node: int) -> None:
        assert self._tree is not None
        token, step = self._tree.tokens[node], self._tree.steps[node]
        self._canvas.set_chosen(node)
        if token != self._token:
            self._token = token
            self._lived = None
            self._children.clear()
            self._refresh()
        self.tokenSelected.emit(token)
        if step != NOWHERE:
            self.positionSelected.emit(step + 1)

    @Slot(int)
    def _open(self, node: int) -> None:
        assert self._tree is not None
        self._choose_child(self._tree.tokens[node])

    @Slot(int)
    def _choose_child(self, token: int) -> None:
        self._set_root(token)
        self._refresh()
        self.tokenSelected.emit(token)

    @Slot(int)
    def _choose_chip(self, token: int) -> None:
        assert self._history is not None
        step = made_at(self._history, token)
        self._choose_child(token)
        self.positionSelected.emit(step + 1)

    @Slot(str)
    def _go_to(self, link: str) -> None:
        if link == wording.PLACES:
            self.tokenSelected.emit(self._token)
            self.placesWanted.emit()
        else:
            self.positionSelected.emit(int(link) + 1)

    @Slot(int)
    def _go_to_step(self, step: int) -> None:
        self.positionSelected.emit(step + 1)

    @Slot()
    def _on_tab(self) -> None:
        self._arrange()
        self._refresh()

    # -- events ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _fit(self) -> None:
        self._chips.set_rows(1 if self._is_small else 2)
        font = self.title_font()
        for part in (self._facts, self._life_text, self._chips, self._residues, self._tabs):
            part.setFont(font)
        self._arrange()
        self._write()

    def _arrange(self) -> None:
        wide = self.width() >= scaled(self._wide, self.font())
        both = wide or self.height() >= scaled(_BOTH_HEIGHT, self.font())
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._main.setDirection(across if wide else down)
        self._tabs.setVisible(not both and not self._is_tight)
        alone = _TREE if self._is_tight else self._tabs.currentIndex()
        self._canvas.setVisible(both or alone == _TREE)
        self._life_canvas.setVisible(both or alone == _LIFE)
        self.setFocusProxy(self._life_canvas if self._canvas.isHidden() else self._canvas)

    @property
    def _wide(self) -> int:
        return _BOTH_IN_FIGURE if self.is_still else _BOTH_WIDTH

    @property
    def is_cut(self) -> bool:
        """Tell whether smaller text, but none below the plain size, would show both parts."""
        has_room = self.width() >= self._wide or self.height() >= _BOTH_HEIGHT
        alone = self._canvas.isHidden() or self._life_canvas.isHidden()
        return has_room and alone and text_scale(self.font()) > 1

    @property
    def _is_small(self) -> bool:
        height, width = (scaled(size, self.font()) for size in (_SMALL_HEIGHT, _SMALL_WIDTH))
        return self.height() < height or self.width() < width

    @property
    def _is_tight(self) -> bool:
        """Whether the panel only shows the tree and the facts."""
        return self.height() < scaled(_TIGHT_HEIGHT, self.font())
