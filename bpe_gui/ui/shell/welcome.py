"""Say in the first window what one may begin with, and what comes after the first run."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from bpe_gui.analysis.outcome import outcome
from bpe_gui.bpe.history import History
from bpe_gui.ui.actions.action_words import keys_of
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.theme.text_size import FontFollower, scaled
from bpe_gui.ui.widgets.layouts import filled, row
from bpe_gui.ui.widgets.naming import mark, named
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

_FIRST_CORPUS = "four-words"
_MARGIN = 10
"""Pixels between the card and the edges of what it lies over."""
_SHARE, _NEXT_SHARE = 0.38, 0.5
"""The part of the width that it may cover at most: four short words leave more than that free,
and still more where each is one token."""
_WIDTH, _NEXT_WIDTH = 208, 264
"""Of its sentence, in pixels for text of the plain size."""
_SENTENCE = (
    "A language model reads tokens. At first each is a letter, or </w> for the end of a word. "
    "Byte\u2011pair encoding merges the most frequent pair, again and again."
)
_WATCH = "Train on the four words, and replay the run from its start (Space)"
_NEXT_SENTENCE = (
    "Applied in their order, the merges join the letters of any text into the tokens that a "
    "language model reads."
)
_OPEN = "Choose another corpus from the list: a story, other samples, or files of your own"
_NEW_WORD = "lowest"
_MORE, _HOW = "What next?", "Tokenize a word"
_ABOUT = "welcome"
"""The subject of the message with what is left to begin with."""
_TOKENIZE = f"Write “{_NEW_WORD}” as the text, and show merge by merge how it is tokenized"


class Welcome(QFrame):
    """Lies over the free room beside the first words until something begins, or it is closed.

    It shows only while the user has never begun anything, and moves no panel. It comes
    back when the four words have been replayed, and says what to do next. When a new text is
    written then, and once at the end of a replay of another corpus, a message at the lower edge of
    the window has what is left to begin with.
    """

    def __init__(self, context: Context, host: QWidget) -> None:
        """`host` is what it lies over, at the right."""
        super().__init__(context.window)
        named(self, "welcome", "Welcome: what to begin with")
        self._context, self._host = context, host
        self.begun = False
        """Whether the user has ever begun something, or closed this; it is stored."""
        self._fresh = self._watches = False
        self._follows = False
        """Whether the four words were replayed, and nothing else has begun since."""
        self._is_new = True
        """Whether the user is new, and may be asked what comes next."""
        self._awaits_end = False
        """Whether another corpus is replayed, at whose end that is asked."""
        actions = context.actions
        self._ways: dict[str, Callable[[], object]] = {
            "Open a text…": self._open,
            "Take the tour": actions.short_tour.trigger,
            "Compare encodings": self._compare,
        }
        """What may be begun with besides the four words."""
        self._lay_out()
        for watched in (context.window, host, context.explore.docks["wordsDock"]):
            watched.installEventFilter(self)
        context.training.changed.connect(self._on_phase)
        context.run_control.trained.connect(self._on_trained)
        context.player.moved.connect(self._on_moved)
        context.explore.scheduler.drew.connect(self._on_seen)
        context.explore.motion.ended.connect(self._on_seen)
        context.workspaces.changed.connect(self._look)
        context.sample_text.changed.connect(self._look)
        context.controls.changed.connect(self._look)
        leading_away = actions.tour, actions.short_tour, actions.open_tour, actions.present
        for action in (*leading_away, actions.guess, actions.watch):
            action.triggered.connect(self.end)
        for action in leading_away:
            action.triggered.connect(self._withdraw)
        context.message_bar.chosen.connect(self._on_chosen)
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
        self.begun, self._is_new = begun, not begun
        self._fresh = self._fresh and (begun or self._is_first)
        self._place()

    @Slot()
    def end(self) -> None:
        """Go for good."""
        if self._is_wanted:
            had_keyboard = self.isAncestorOf(self._context.window.focusWidget())
            self.begun = True
            self._follows = False
            self.hide()
            self._context.status.set_guides(True)
            if had_keyboard:
                self._context.window.setFocus()

    # -- what has begun ---------------------------------------------------------------------

    @property
    def _is_wanted(self) -> bool:
        """Whether it shows now or may show later."""
        return self._follows or (self._fresh and not self.begun)

    @property
    def _has_the_words(self) -> bool:
        """Whether corpus and workspace are those of the start."""
        return (
            self._context.controls.corpus_box.currentData() == _FIRST_CORPUS
            and self._context.workspaces.shown is WorkspaceId.EXPLORE
        )

    @property
    def _is_untouched(self) -> bool:
        """Whether corpus, text and workspace are those of the start."""
        return self._has_the_words and not self._context.sample_text.is_written

    @property
    def _has_the_run(self) -> bool:
        """Whether the run of the four words is in view, with any text."""
        return self._has_the_words and self._has_a_run

    @property
    def _has_a_run(self) -> bool:
        """Whether a run that is trained is in view."""
        is_shown = self._context.workspaces.shown is WorkspaceId.EXPLORE
        return is_shown and self._context.training.phase is Phase.FINISHED

    @property
    def _is_first(self) -> bool:
        """Whether the window is as it is at first."""
        return (
            self._is_untouched
            and self._context.player.end == 0
            and self._context.training.phase in (Phase.IDLE, Phase.READING, Phase.PREPARED)
        )

    @property
    def _is_next(self) -> bool:
        """Whether the window is as it is after the four words were replayed."""
        return self._has_the_run and self._is_untouched

    @property
    def _is_at_end(self) -> bool:
        """Whether the state after the last merge is seen."""
        player, explore = self._context.player, self._context.explore
        moves = player.moving or explore.motion.goes_on or not explore.scheduler.up_to_date
        return not moves and player.position == player.end

    @Slot()
    def _look(self) -> None:
        if not (self._is_next if self._follows else self._is_first):
            offers = self._follows and self._has_the_run
            self.end()
            if offers:
                self._offer()
        if not self._has_a_run:
            self._awaits_end = False
            self._withdraw()
        self._place()

    @Slot()
    def _withdraw(self) -> None:
        self._context.message_bar.withdraw(_ABOUT)

    @Slot(str, str)
    def _on_chosen(self, about: str, way: str) -> None:
        if about == _ABOUT:
            (self._show_how if way == _HOW else self._ways[way])()

    @Slot()
    def _on_phase(self) -> None:
        if self._watches and self._context.training.phase is Phase.FINISHED:
            self._watches = False
            if not self._context.player.moving:
                self._context.actions.watch.trigger()
            self._follows = self._is_next
        self._look()

    @Slot()
    def _on_trained(self) -> None:
        """Wait for the end of what has just been trained, if it is replayed."""
        if self._is_new and self._context.player.moving:
            self._follows = self._is_next
            self._awaits_end = not self._has_the_words

    @Slot()
    def _on_moved(self) -> None:
        if not self._follows and self._context.player.position:
            self.end()
        self._on_seen()

    @Slot()
    def _on_seen(self) -> None:
        if self._follows:
            self._place()
        elif self._awaits_end and self._is_at_end:
            self._awaits_end = self._is_new = False
            self._offer()

    def _offer(self) -> None:
        """Ask at the lower edge what comes next."""
        is_seen = not self._context.explore.docks["derivationDock"].visibleRegion().isEmpty()
        ways = self._ways if is_seen else (_HOW, *self._ways)
        self._context.message_bar.offer(_ABOUT, _MORE, *ways)

    @Slot()
    def _dismiss(self) -> None:
        """Go, and say nothing at the end of a run either."""
        self.end()
        self._is_new = False

    @Slot()
    def watch(self) -> None:
        """Train on the four words, and replay the run once it is trained."""
        self._watches = True
        self._context.actions.train.trigger()
        self.end()

    @Slot()
    def _open(self) -> None:
        self._context.controls.corpus_box.showPopup()

    @Slot()
    def _compare(self) -> None:
        """Compare the run with its beginning; train it before, without merges they are alike."""
        if self._is_first:
            self._context.actions.train.trigger()
        self._context.actions.compare.trigger()

    def _show_how(self) -> None:
        explore = self._context.explore
        explore.docks["derivationDock"].show()
        explore.raise_dock("derivationDock")

    @Slot()
    def _tokenize(self) -> None:
        self._show_how()
        self._context.sample_text.set(_NEW_WORD)
        # Not to the text: Space and the arrows are for the cursor until somebody types.
        self._context.window.setFocus()

    # -- the card -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        actions = self._context.actions
        short = actions.short_tour
        close = named(
            QToolButton(self), "welcomeClose", "Close the welcome",
            "Close; the menu Help has the tour, and much more",
        )  # fmt: skip
        close.setText("✕")
        mark(close, "small", True)
        close.clicked.connect(self._dismiss)
        self._sentence = named(QLabel(_SENTENCE, self), "welcomeSentence")
        self._sentence.setWordWrap(True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        FontFollower(self._sentence, self._fit)
        self._first = self._line("Watch the four words", "welcomeWatch", _WATCH, self.watch)
        self._next = self._line(
            f"Tokenize a new word: {_NEW_WORD}", "welcomeTokenize", _TOKENIZE, self._tokenize
        )
        self._first_row = row(
            self._first, self._next, close, stretched=self._first, spacing=4
        )
        text, tour, compare = self._ways
        filled(
            QVBoxLayout(self),
            self._sentence,
            self._first_row,
            row(
                self._line(text, "welcomeOpen", _OPEN, self._open),
                self._for_action(tour, "welcomeTour", short, short.trigger),
                spacing=2,
            ),
            self._for_action(compare, "welcomeCompare", actions.compare, self._compare),
            spacing=2,
            margins=(6, 6, 6, 6),
        )
        self._write()

    def _write(self) -> None:
        """Write what to begin with, or what to do next."""
        history = self._context.player.history if self._follows else None
        self._sentence.setText(_SENTENCE if history is None else _next_sentence(history))
        self._fit()
        self._first.setVisible(not self._follows)
        self._next.setVisible(self._follows)
        # Or it would ask for the width of the other button until the next event.
        self._first_row.updateGeometry()
        self.setAccessibleName(
            "Welcome: what to do next" if self._follows else "Welcome: what to begin with"
        )

    def _fit(self) -> None:
        """Give the sentence the width that leaves the words free."""
        width = _NEXT_WIDTH if self._follows else _WIDTH
        self._sentence.setFixedWidth(scaled(width, self._sentence.font()))

    def _for_action(
        self, text: str, name: str, action: QAction, do: Callable[[], object]
    ) -> QPushButton:
        keys = keys_of(action)
        spoken = f"{text} ({keys})" if keys else text
        return self._line(text, name, action.toolTip(), do, spoken)

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
        self._write()
        room = host.size()
        # On a low screen the lines alone have room.
        self._sentence.show()
        self._sentence.setVisible(self.sizeHint().height() <= room.height())
        size = self.sizeHint()
        share = _NEXT_SHARE if self._follows else _SHARE
        fits = size.width() <= share * room.width() and size.height() <= room.height()
        is_time = (
            self._is_next and self._is_at_end if self._follows
            else self._is_wanted and self._is_first
        )  # fmt: skip
        shown = is_time and fits and host.isVisible() and host.window() is window
        if shown:
            corner = host.mapTo(window, host.rect().topRight())
            across = corner.x() - size.width() - _MARGIN
            self.setGeometry(across, corner.y() + (room.height() - size.height()) // 2,
                             size.width(), size.height())  # fmt: skip
            self.raise_()
        self.setVisible(shown)
        self._context.status.set_guides(not shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moves = (
            QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide,
            QEvent.Type.StyleChange,
        )  # fmt: skip
        if self._is_wanted and event.type() in moves:
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._dismiss()
        else:
            super().keyPressEvent(event)


def _next_sentence(history: History) -> str:
    """Say what the merges of a run are for, and what they have changed in numbers."""
    return f"{_NEXT_SENTENCE} {outcome(history)}."
