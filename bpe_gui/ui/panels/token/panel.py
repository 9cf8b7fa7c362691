"""The selected token: its merge tree, the tokens made of it, and whether it is still in use."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.analysis.derivation import NOWHERE, MergeTree, made_at, made_of, merge_tree
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.token import wording
from bpe_gui.ui.panels.token.canvas import TreeCanvas
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.token_chips import Chip, TokenChips, merge_chip
from bpe_gui.ui.tokens.token_words import label, merge_sentence
from bpe_gui.ui.widgets.labels import LinkLabel
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval

_MOST_CHIPS = 60
_SMALL_HEIGHT, _SMALL_WIDTH = 280, 320
"""A smaller panel shows only what is most important; in pixels, for text of the plain size."""
_TIGHT_HEIGHT = 150
"""A lower panel has the tree, and below it only the facts."""
_BESIDE = 20
"""Pixels that are left free beside the texts below the tree."""


class TokenTree(BasePanel):
    """The merge tree of the selected token, drawn for the cursor.

    A click on a node selects its token and takes the cursor to the merge that made it; the
    tree stays. A double-click shows that token's own tree.
    """

    tokenSelected = Signal(int)
    """The id of a token that the user chose, in the tree or among those made of it."""
    positionSelected = Signal(int)
    """Where the cursor shall go: just behind a merge, where its token is the newest."""
    scaffoldingWanted = Signal(int, int)
    """A token and a position, at rest: does it still occur in the corpus there, and which
    merge took it over? The answer comes through `set_scaffolding`, if ever."""

    room = QSize(390, 300)
    least_room = QSize(240, 140)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("tokenTree", "The selected token", parent)
        self._moving = False
        self._root = self._token = NO_TOKEN
        self._chosen = False
        self._tree: MergeTree | None = None
        self._stale = True
        self._asked = (NO_TOKEN, 0)
        self._taken_over: int | None = None
        self._children: dict[int, Chip] = {}
        self._canvas = TreeCanvas(self)
        self._facts = LinkLabel("tokenFacts", self)
        self._scaffolding = LinkLabel("scaffolding", self)
        self._chips = TokenChips("madeOfIt", "Tokens made of the selected token", self)
        self._build()
        ThemeFollower(self, self._take_colours)
        self._refresh()
        self._fit()
        RoomFollower(self, self._fit)

    def _build(self) -> None:
        self._canvas.nodeChosen.connect(self._choose)
        self._canvas.nodeOpened.connect(self._open)
        self._chips.tokenChosen.connect(self._choose_child)
        self._scaffolding.linkActivated.connect(self._go_to)
        below = QVBoxLayout()
        below.setContentsMargins(10, 4, 10, 8)
        below.setSpacing(4)
        for part in (self._facts, self._scaffolding, self._chips):
            below.addWidget(part)
        column = self.fill(self._canvas, below, main=self._canvas)
        # What is below the tree must not force a small panel to grow.
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)

    # -- what is shown -------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none. Nothing is selected any more."""
        super().set_history(history)
        self._chosen = False
        self._set_root(NO_TOKEN)
        self._refresh()

    def show_position(self, position: int, moving: bool) -> None:
        """Draw the tree for another position. While `moving`, nothing is asked for.

        Until a token is selected, it is the tree of the newest one, wherever the cursor rests.
        """
        if self._history is None:
            return
        self._position = position
        self._moving = moving
        if not self._chosen:
            if moving:
                return  # the newest token is shown when the cursor rests
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
        return self._root == NO_TOKEN

    @Slot(int, object)
    def set_scaffolding(self, token: int, taken_over_step: int | None) -> None:
        """Show which merge used up a token's last occurrences in the corpus.

        None: it still occurs. An answer about another token is ignored.
        """
        if token != self._token:
            return
        if taken_over_step is not None and taken_over_step >= self._position:
            return
        self._taken_over = taken_over_step
        self._write_scaffolding()

    def _set_root(self, token: int) -> None:
        self._root = self._token = token
        self._taken_over = None
        self._asked = (NO_TOKEN, 0)
        self._stale = True

    def _refresh(self) -> None:
        """Draw what has changed, if the panel is visible."""
        if not self.isVisible():
            return
        another = self._stale
        if another:
            self._stale = False
            self._find_tree()
        if self._taken_over is not None and self._taken_over >= self._position:
            self._taken_over = None
        self._write()
        self._canvas.set_position(self._position)
        if another:
            # After the texts below it, which decide its height.
            self._plant()
        self._ask()

    def _find_tree(self) -> None:
        """Find the tree of the selected token, if there is one."""
        history, root = self._history, self._root
        self._tree = None
        self._children.clear()
        if history is not None and 0 <= root < history.vocabulary_size(len(history)):
            self._tree = merge_tree(history, root)

    def _plant(self) -> None:
        """Draw the tree, or say why there is none."""
        history, tree = self._history, self._tree
        if history is None or tree is None:
            self._canvas.set_message(
                wording.NOTHING_LOADED if history is None else wording.NOTHING_SELECTED
            )
            return
        labels = {token: label(history.token_bytes(token)) for token in set(tree.tokens)}
        notes = tuple(wording.node_note(tree, node) for node in range(len(tree)))
        tips = tuple(wording.node_tip(history, tree, node) for node in range(len(tree)))
        self._canvas.set_tree(tree, tuple(labels[t] for t in tree.tokens), notes, tips)

    # -- texts below the tree --------------------------------------------------------------

    def _write(self) -> None:
        """Write the texts below the tree."""
        self._write_facts()
        self._write_chips()
        self._write_scaffolding()

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
        self._facts.setVisible(not (self._is_tight and self._facts_wrap()))

    def _facts_wrap(self) -> bool:
        height = self._facts.heightForWidth(self.width() - _BESIDE)
        return height >= 2 * self._facts.fontMetrics().height()

    def _write_chips(self) -> None:
        history = self._history
        if history is None or self._tree is None or self._is_tight:
            self._chips.hide()
            return
        steps = made_of(history, self._token, self._position).tolist()
        for step in steps[:_MOST_CHIPS]:
            if step not in self._children:
                self._children[step] = merge_chip(history, step)
        chips = [self._children[step] for step in steps[:_MOST_CHIPS]]
        newest = NO_TOKEN
        if steps and steps[-1] == self._position - 1:
            newest = int(history.new_id[self._position - 1])
        heading = wording.PART_OF if steps else wording.NOTHING_MADE
        self._chips.set_tokens(heading, chips, len(steps), newest)
        self._chips.show()

    def _write_scaffolding(self) -> None:
        history, step = self._history, self._taken_over
        if history is None or self._tree is None or step is None or self._is_tight:
            self._scaffolding.hide()
            return
        text = wording.scaffolding_text(history, step, self._theme, short=self._is_small)
        self._scaffolding.setToolTip(merge_sentence(history, step))
        if text != self._scaffolding.text():
            self._scaffolding.setText(text)
        self._scaffolding.show()

    def _ask(self) -> None:
        """Ask whether the token is still in use, once for each place where the cursor rests."""
        history = self._history
        if history is None or self._tree is None or self._moving:
            return
        wanted = (self._token, self._position)
        if wanted != self._asked and 0 <= made_at(history, self._token) < self._position:
            self._asked = wanted
            self.scaffoldingWanted.emit(*wanted)

    # -- what the user does ------------------------------------------------------------------

    @Slot(int)
    def _choose(self, node: int) -> None:
        """Select a node's token within the tree, and go to where it was made."""
        assert self._tree is not None
        token, step = self._tree.tokens[node], self._tree.steps[node]
        self._canvas.set_chosen(node)
        if token != self._token:
            self._token = token
            self._taken_over = None
            self._children.clear()
            self._refresh()
        self.tokenSelected.emit(token)
        if step != NOWHERE:
            self.positionSelected.emit(step + 1)

    @Slot(int)
    def _open(self, node: int) -> None:
        """Show the tree of a node's token."""
        assert self._tree is not None
        self._choose_child(self._tree.tokens[node])

    @Slot(int)
    def _choose_child(self, token: int) -> None:
        self._set_root(token)
        self._refresh()
        self.tokenSelected.emit(token)

    @Slot(str)
    def _go_to(self, step: str) -> None:
        self.positionSelected.emit(int(step) + 1)

    # -- events ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _fit(self) -> None:
        """Fit the texts below the tree, which are shorter in a small panel."""
        self._chips.set_rows(1 if self._is_small else 2)
        font = self.title_font()
        for part in (self._facts, self._scaffolding, self._chips):
            part.setFont(font)
        self._write()

    @property
    def _is_small(self) -> bool:
        height, width = (scaled(size, self.font()) for size in (_SMALL_HEIGHT, _SMALL_WIDTH))
        return self.height() < height or self.width() < width

    @property
    def _is_tight(self) -> bool:
        """Whether the panel only shows the tree and the facts."""
        return self.height() < scaled(_TIGHT_HEIGHT, self.font())


def _make(parts: PanelParts) -> TokenTree:
    panel, queries = TokenTree(parts.parent), parts.queries
    panel.scaffoldingWanted.connect(queries.find_scaffolding)
    queries.scaffoldingFound.connect(panel.set_scaffolding)
    return panel


TOKEN = PanelSpec(
    name="tree",
    title="The selected token",
    make=_make,
    area=(2, 1),
    refresh=RefreshInterval(0.2, 0.2),
    help_page="token",
    keywords="tree parents children node",
    dock="treeDock",
    tour_places={"tree": ""},
    choices=("treeCanvas",),
    emptiness=lambda panel: wording.WHY_EMPTY if panel.is_empty else "",
    tells_next=True,
)
