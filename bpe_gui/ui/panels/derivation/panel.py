"""How one word of the text is tokenized: merge by merge, from its symbols to its tokens."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton

from bpe_gui.analysis.derivation import WordDerivation
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.derivation.table import Column, DerivationModel, DerivationTable
from bpe_gui.ui.panels.derivation.wording import (
    NAME,
    NO_WORD,
    NOTHING_LOADED,
    PAUSE,
    PAUSE_TIP,
    PLAY,
    PLAY_TIP,
    TABLE,
    title,
)
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.motion import JoinWait
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_MILLISECONDS_A_ROW = 900


class DerivationPanel(BasePanel):
    """The merges that encoding applies to a word, lowest rank first.

    Above the line is what happens at the cursor, below it, muted, the merges that come
    later. Up and Down go from row to row, Space plays; Enter or a click takes the cursor
    to a merge and selects its token.
    """

    room = QSize(420, 320)
    least_room = QSize(240, 130)

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("derivationPanel", NAME, parts.parent)
        self.word = ""
        """The word that is shown."""
        self._stale = False
        self.task = BackgroundTask("derivation", self)
        """Derives a word with a regex that takes longer than the window can wait."""
        self.model = DerivationModel(self, parts.frequencies)
        """The rows that are shown."""
        self._table = DerivationTable(self.model, self)
        self._title = ElidingLabel(self)
        self._play = QToolButton(self)
        self._timer = QTimer(self, interval=_MILLISECONDS_A_ROW)
        self._timer.timeout.connect(self._next_row)
        self._wait = JoinWait(parts.motion, self)
        self._wait.joined.connect(self.show_position)
        self._build()
        self._derive()
        parts.frequencies.changed.connect(self._table.viewport().update)

    def _build(self) -> None:
        named(self._table, "derivationTable", TABLE)
        self._table.rowChosen.connect(self._choose)
        self._table.playWanted.connect(self.toggle_play)
        self._table.selectionModel().currentRowChanged.connect(self._current_changed)
        quiet(named(self._title, "derivationTitle")).setTextFormat(Qt.TextFormat.PlainText)
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._play.setObjectName("playDerivation")
        self._play.clicked.connect(self.toggle_play)
        self._show_playing()
        parts, margins = (self._title, self._play), (10, 6, 8, 4)
        top = filled(QHBoxLayout(), *parts, stretched=self._title, spacing=STYLED, margins=margins)
        self.fill(top, self._table, main=self._table)
        self.setContentsMargins(0, 0, 0, 4)
        RoomFollower(self, self._fit)

    # -- what is shown -------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        self._derive()

    @Slot(int, bool)
    def show_position(self, position: int, moving: bool) -> None:
        if self._wait.holds_back(position):
            return
        self._position = position
        if self._stale:
            self._derive()
            return
        row, merges = self._table.currentIndex().row(), None
        if row not in (-1, self.model.result_row):
            merges = self.model.merges_at(row)
        rows = self.model.rowCount()
        if self.model.set_position(position, exact=not moving):
            if merges is not None and not self.playing:
                self._go_to_row(merges + (merges > self.model.applied))
            self._table.follow()
        if self.model.rowCount() != rows:
            self._table.fit()
        self._write_title()

    def select_token(self, token: int) -> None:
        self._table.set_token(token)

    def set_word(self, text: str, *, to_its_end: bool = False) -> None:
        """Show another word as it is in the text, with the space that belongs to it.

        A long list of merges shows its first rows, or with `to_its_end` its last. The empty
        word shows none. Half characters that cannot be encoded become U+FFFD.
        """
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        self._table.keep_result(to_its_end)
        if text != self.word:
            self.word = text
            self._table.scrollToTop()
            self._derive()

    def _derive(self) -> None:
        self._stop()
        self.task.drop()
        self._stale = not self.isVisible()
        if self._stale:
            return
        history, word = self._history, self.word
        if history is None or not word:
            self._show_none(NOTHING_LOADED if history is None else NO_WORD)
        else:
            self.task.do(partial(WordDerivation, history, word), self._show, self._show_none)

    def _show_none(self, message: str) -> None:
        self._table.set_message(message)
        self._show(None)

    def _show(self, derivation: WordDerivation | None) -> None:
        if derivation is not None:
            derivation.extend()
            self._table.set_message("")
        self.model.set_derivation(derivation, self._position if derivation is not None else 0)
        self._play.setEnabled(self.model.applied > 0)
        self._table.fit()
        self._write_title()

    def _write_title(self) -> None:
        derivation = self.model.derivation
        text = ""
        if derivation is not None:
            text = title(derivation, self.model.applied, brief=self.presents)
        self._play.setEnabled(self.model.applied > 0 or self.playing)
        if text != self._title.text():
            self._title.setText(text)
            self._title.setToolTip(f"{text}\n{NO_WORD}" if text else "")
            self._table.setAccessibleDescription(text or NO_WORD)

    # -- going from row to row ----------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether rows are being revealed one by one."""
        return self._timer.isActive()

    @Slot()
    def toggle_play(self) -> None:
        """Play from the current row, or from the start if it is the last; or pause."""
        if self.playing:
            self._timer.stop()
            self._show_playing()
            return
        if self.model.applied == 0:
            return
        current = self._table.currentIndex()
        row = current.row() if current.isValid() else 0
        if row >= self.model.result_row or self._table.revealed is None:
            row = 0
        self._table.reveal(row)
        self._go_to_row(row)
        self._timer.start()
        self._show_playing()

    @Slot()
    def _next_row(self) -> None:
        row = self._table.currentIndex().row() + 1
        if row >= self.model.result_row:
            self._stop()
            self._go_to_row(self.model.result_row)
            return
        self._table.reveal(row)
        self._go_to_row(row)

    def _stop(self) -> None:
        self._timer.stop()
        self._table.reveal(None)
        self._show_playing()

    def _show_playing(self) -> None:
        self._play.setText(PAUSE if self.playing else PLAY)
        self._play.setToolTip(PAUSE_TIP if self.playing else PLAY_TIP)

    def _go_to_row(self, row: int) -> None:
        self._table.setCurrentIndex(self.model.index(row, Column.TOKENS))
        # Selecting scrolls sideways to the cell as well, whose start is what counts.
        self._table.horizontalScrollBar().setValue(0)

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        revealed = self._table.revealed
        if current.isValid() and revealed is not None and current.row() > revealed:
            if current.row() >= self.model.result_row:
                self._stop()
            else:
                self._table.reveal(current.row())

    @Slot(int, int)
    def _choose(self, row: int, token: int) -> None:
        merge = self.model.merge(row)
        if token == NO_TOKEN and merge is not None:
            token = merge.new_id
        if token != NO_TOKEN:
            self.tokenSelected.emit(token)
        if merge is not None:
            self._stop()
            self.positionSelected.emit(merge.step + 1)

    # -- events ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._derive()

    def _fit(self) -> None:
        font = self.title_font()
        for part in (self._title, self._play):
            part.setFont(font)
        self._write_title()

    def hideEvent(self, event: QHideEvent) -> None:
        self._stop()
        super().hideEvent(event)
