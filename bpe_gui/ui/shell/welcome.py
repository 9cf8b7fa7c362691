"""Say in the first window what one may begin with."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from bpe_gui.ui.actions.action_words import keys_of
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.theme.text_size import set_width
from bpe_gui.ui.widgets.layouts import filled, row
from bpe_gui.ui.widgets.naming import mark, named
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

_FIRST_CORPUS = "four-words"
_MARGIN = 10
"""Pixels between the card and the edges of what it lies over."""
_SHARE = 0.38
"""The part of the width that it may cover at most: four short words leave more than that free."""
_WIDTH = 208
"""Of its sentence, in pixels for text of the plain size."""
_SENTENCE = (
    "Each letter here is a token. Byte-pair encoding merges the most frequent pair of tokens, "
    "again and again."
)
_WATCH = "Train on the four words, and replay the run from its start"


class Welcome(QFrame):
    """Lies over the free room beside the first words until something begins, or it is closed.

    It shows only while the user has never begun anything, and moves no panel.
    """

    def __init__(self, context: Context, host: QWidget) -> None:
        """`host` is what it lies over, at the right."""
        super().__init__(context.window)
        named(self, "welcome", "Welcome: what to begin with")
        self._context, self._host = context, host
        self.begun = False
        """Whether the user has ever begun something, or closed this; it is stored."""
        self._fresh = self._watches = False
        self._lay_out()
        for watched in (context.window, host, context.explore.docks["wordsDock"]):
            watched.installEventFilter(self)
        training, actions = context.training, context.actions
        training.changed.connect(self._on_phase)
        context.player.moved.connect(self._on_moved)
        context.workspaces.changed.connect(self._look)
        context.sample_text.changed.connect(self._look)
        context.controls.changed.connect(self._look)
        for action in (
            actions.tour, actions.open_tour, actions.present, actions.guess, actions.watch,
        ):  # fmt: skip
            action.triggered.connect(self.end)
        self.hide()

    def begin(self) -> None:
        """Show it if nothing has begun; from now on it watches whether something does."""
        self._fresh = True
        self._look()

    def set_begun(self, begun: bool) -> None:
        """Restore whether something has ever begun.

        Once this is reset it is shown at once where the window is as at first; else by the next
        window.
        """
        if not isinstance(begun, bool):
            raise TypeError(f"{begun!r} is neither true nor false")
        self.begun = begun
        self._fresh = self._fresh and (begun or self._is_first)
        self._place()

    @Slot()
    def end(self) -> None:
        """Go for good."""
        if self._fresh and not self.begun:
            had_keyboard = self.isAncestorOf(self._context.window.focusWidget())
            self.begun = True
            self.hide()
            if had_keyboard:
                self._context.window.setFocus()

    # -- what has begun ---------------------------------------------------------------------

    @property
    def _is_first(self) -> bool:
        """Whether the window is as it is at first."""
        context = self._context
        return (
            context.controls.corpus_box.currentData() == _FIRST_CORPUS
            and context.player.end == 0
            and context.training.phase in (Phase.IDLE, Phase.READING, Phase.PREPARED)
            and context.workspaces.shown is WorkspaceId.EXPLORE
            and not context.sample_text.is_written
        )

    @Slot()
    def _look(self) -> None:
        if not self._is_first:
            self.end()
        self._place()

    @Slot()
    def _on_phase(self) -> None:
        if self._watches and self._context.training.phase is Phase.FINISHED:
            self._watches = False
            self._context.actions.watch.trigger()
        self._look()

    @Slot()
    def _on_moved(self) -> None:
        if self._context.player.position:
            self.end()

    @Slot()
    def _watch(self) -> None:
        self._watches = True
        self._context.actions.train.trigger()
        self.end()

    # -- the card -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        actions = self._context.actions
        close = named(
            QToolButton(self), "welcomeClose", "Close the welcome",
            "Close; the menu Help has the tour, and much more",
        )  # fmt: skip
        close.setText("✕")
        mark(close, "small", True)
        close.clicked.connect(self.end)
        sentence = named(QLabel(_SENTENCE, self), "welcomeSentence")
        sentence.setWordWrap(True)
        set_width(sentence, _WIDTH)
        watch = self._line("Watch the four words", "welcomeWatch", _WATCH, self._watch)
        filled(
            QVBoxLayout(self),
            sentence,
            row(watch, close, stretched=watch, spacing=4),
            self._for_action("Open a text…", "welcomeOpen", actions.open),
            self._for_action("Compare encodings", "welcomeCompare", actions.compare),
            self._for_action("Take the tour", "welcomeTour", actions.tour),
            spacing=2,
            margins=(6, 6, 6, 6),
        )

    def _for_action(self, text: str, name: str, action: QAction) -> QPushButton:
        keys = keys_of(action)
        spoken = f"{text} ({keys})" if keys else text
        return self._line(text, name, action.toolTip(), action.trigger, spoken)

    def _line(
        self, text: str, name: str, tip: str, do: Callable[[], object], spoken: str = ""
    ) -> QPushButton:
        button = named(QPushButton(text, self, autoDefault=False), name, spoken or text, tip)
        mark(button, "welcome", True)
        button.clicked.connect(do)
        return button

    def _place(self) -> None:
        """Lie at the right of the host, or hide where it would cover what is there."""
        host, window = self._host, self._context.window
        size = self.sizeHint()
        room = host.size()
        fits = size.width() <= _SHARE * room.width() and size.height() <= room.height()
        shown = (
            self._fresh and not self.begun and self._is_first
            and fits and host.isVisible() and host.window() is window
        )  # fmt: skip
        if shown:
            corner = host.mapTo(window, host.rect().topRight())
            across = corner.x() - size.width() - _MARGIN
            self.setGeometry(across, corner.y() + (room.height() - size.height()) // 2,
                             size.width(), size.height())  # fmt: skip
            self.raise_()
        self.setVisible(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moves = (
            QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide,
            QEvent.Type.StyleChange,
        )  # fmt: skip
        if self._fresh and not self.begun and event.type() in moves:
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)
