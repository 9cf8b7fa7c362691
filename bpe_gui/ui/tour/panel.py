"""Show a guided tour: where one is, what the page says, what it asks."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from bpe_gui.tours.parse import MAX_CHOICES
from bpe_gui.tours.tour import Tour, estimated_minutes
from bpe_gui.ui.actions.action_words import announce
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.theme.text_size import RoomFollower, resized, scaled
from bpe_gui.ui.tour.page_view import PageView
from bpe_gui.ui.tour.page_words import PageWords
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.keyboard import KeyClaim, is_plain
from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.layouts import STYLED, column, filled
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.presenting import Presentable

_ON = frozenset({Qt.Key.Key_PageDown, Qt.Key.Key_Return, Qt.Key.Key_Enter})
_BACK = frozenset({Qt.Key.Key_PageUp, Qt.Key.Key_Backspace})
_ANSWERS = tuple(Qt.Key(Qt.Key.Key_1 + index) for index in range(MAX_CHOICES))
_KEYS = _ON | _BACK | frozenset(_ANSWERS) | {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_H}
_LONG_MILLISECONDS = 400
"""After so long the page before makes way for a word on what is waited for."""
WAITING = "Preparing this page…"
_LARGER, _LARGER_BELOW = 1.2, 1.1
"""Words are larger than elsewhere by these factors: they are read from afar."""
_USUAL, _LARGEST = 46, 1.4
"""The letters in a usual line; in a wider column they grow, up to this factor."""
_LEAST_WIDTH, _LEAST_HEIGHT = 320, 150
"""Pixels that the panel has at any rate; in larger text it needs more for its buttons."""
_WIDE_HEAD, _ANY_WIDTH = 270, 16_777_215
"""Pixels that the head takes beside the words, for plain text, and may take above them."""
_MOST_OF_HEAD = 0.36
"""The part of the width that it takes beside the words at most."""
_ASIDE = 1.7
"""The ratio of width to height from which the question is beside the words."""


class TourPanel(Presentable, QWidget):
    """Shows one moment of a tour. Page Down or Enter goes on, Page Up back, 1 to 4 answer.

    H counts hands.
    """

    pageWanted = Signal(int)
    """A page that the user has picked, counted through the whole tour from 0."""
    chosen = Signal(int)
    """A choice by which the user answers."""
    placeChanged = Signal()
    """The words of another page are in view: `place` names it."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "tourPanel", "Guided tour")
        KeyClaim(self, _KEYS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._actions = actions
        self._asks = self._wide = self._is_first = self._is_last = self._presented = False
        self._written = self._on_its_way = 0
        """The page whose words are in view, and the one that is wanted, from 1; 0 for none."""
        self._waited_for = ""
        """The title of the page that is on its way."""
        self._long = QTimer(self, singleShot=True, interval=_LONG_MILLISECONDS)
        self._long.timeout.connect(self._say_that_it_comes)
        self._chapters: list[str] = []
        """The title of its chapter, for every page."""
        self._minutes = 0
        self._pages = named(ElidingComboBox(), "tourPages", "Page of the tour")
        self._progress = named(QProgressBar(), "tourProgress", "Progress of the tour")
        self._place = quiet(named(ElidingLabel(), "tourPlace"))
        self._page = PageView()
        self._back = _button("tourBack", "Back", actions.previous_page.toolTip())
        self._on = _button("tourNext", "Next", actions.next_page.toolTip())
        leave = QToolButton()
        self._leave = named(leave, "tourLeave", "Leave the tour", actions.leave_tour.toolTip())
        self._leave.setText("Leave")
        self._resume = _button("tourResume", "", "Go to the page on which you left this tour")
        self._other = _button("tourOther", "", "")
        self._offered: QAction | None = None
        self._stopped_at = 0
        self._build()
        self._resume.clicked.connect(self._on_resume)
        self._other.clicked.connect(self._on_other)
        self._back.clicked.connect(actions.previous_page.trigger)
        self._on.clicked.connect(self._on_clicked)
        self._leave.clicked.connect(actions.leave_tour.trigger)
        self._page.choices.chosen.connect(self.chosen)
        self._page.choices.hands.done.connect(self.setFocus)
        self._pages.activated.connect(self._on_page)
        RoomFollower(self, self._fit)

    def sizeHint(self) -> QSize:
        return QSize(340, 520)

    def minimumSizeHint(self) -> QSize:
        """Return the least size in which a page can be read; it scrolls."""
        # In so little height the page is beside head and foot.
        parts = [self._head.minimumSizeHint(), self._foot.minimumSizeHint()]
        margins = self._grid.contentsMargins()
        width = max(part.width() for part in parts) + margins.left() + margins.right()
        height = sum(part.height() for part in parts) + margins.top() + margins.bottom()
        height += self._grid.spacing()
        return QSize(width, height).expandedTo(QSize(_LEAST_WIDTH, _LEAST_HEIGHT))

    def _build(self) -> None:
        self._pages.setToolTip("Page of the tour")
        self._pages.setMinimumContentsLength(8)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self._pages.setSizeAdjustPolicy(policy)
        self._progress.setTextVisible(False)
        self._place.setMinimumWidth(1)  # where there is more to tell, it is cut
        pages, place = self._pages, self._place
        top = filled(QHBoxLayout(), pages, self._leave, stretched=pages, spacing=STYLED)
        self._head = column(top, self._progress, self._resume, spacing=STYLED)
        turn = filled(QHBoxLayout(), place, self._back, self._on, stretched=place, spacing=STYLED)
        self._foot = column(self._other, turn, spacing=STYLED)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 8, 12, 10)
        self._grid.setSpacing(8)
        self._arrange()

    def _arrange(self) -> None:
        grid = self._grid
        wide = self._wide and not self.presents
        for part in (self._head, self._page, self._foot):
            grid.removeWidget(part)
        grid.addWidget(self._head, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._page, *((0, 1, 2, 1) if wide else (1, 0, 1, 1)))
        grid.addWidget(self._foot, 1 if wide else 2, 0)
        grid.setColumnStretch(1, int(wide))
        grid.setColumnStretch(0, int(not wide))
        grid.setRowStretch(0, int(wide))
        grid.setRowStretch(1, int(not wide))
        self._page.set_wide(self._wide)
        self._scale()

    # -- what is shown -----------------------------------------------------------------------

    def set_tour(self, tour: Tour, stopped_at: int = 0) -> None:
        """List the pages of a tour, under the titles of its chapters and how long they take.

        `stopped_at` is the page, from 0, that the first page offers to go on with; 0 for none.
        """
        self._offered, self._is_first = None, False
        # They have no text before the first page is there, which may take long.
        self._resume.hide()
        self._other.hide()
        self._written = 0
        self._stopped_at = stopped_at if stopped_at < len(tour.pages) else 0
        self._pages.clear()
        self._chapters.clear()
        for place, chapter in enumerate(tour.chapters, 1):
            title = f"{place} · {chapter.title}"
            self._pages.add_heading(f"{title} (about {estimated_minutes([chapter])} min)")
            for page in chapter.pages:
                self._pages.addItem(page.title, len(self._chapters))
                self._chapters.append(title)
        self._progress.setRange(0, len(self._chapters))
        self._minutes = estimated_minutes(tour.chapters)

    def offer(self, action: QAction, text: str) -> None:
        """Offer on the first page what an action begins, on a button with this text."""
        self._offered = action
        self._other.setText(text)
        self._other.setToolTip(action.toolTip())

    def show_waiting(self, page: int, title: str, *, goes_on: bool) -> None:
        """Show which page is being prepared.

        The words of the page before stay if the page only `goes_on`, or else not for long.
        """
        self._point_to(page)
        self._on.setEnabled(False)
        self._waited_for = title
        if goes_on:
            self._long.stop()
        elif not self._long.isActive():
            self._long.start()

    @Slot()
    def _say_that_it_comes(self) -> None:
        self._asks = False
        self._tell_place()
        self._page.show_words(PageWords(self._waited_for, (WAITING,)), None, revealed=False)

    def show_page(
        self,
        page: int,
        words: PageWords,
        *,
        revealed: bool,
        guessed: int | None,
        first: bool,
        last: bool,
        has_more: bool,
    ) -> None:
        """Show a page.

        `first` and `last` tell whether there is none before it or after it, `has_more` whether its
        second part is still to come.
        """
        self._long.stop()
        self._point_to(page)
        self._asks = words.question is not None and not revealed
        self._tell_place()
        self._page.show_words(words, guessed, revealed=revealed)
        self._back.setEnabled(not first)
        self._on.setEnabled(True)
        self._is_last = last
        self._resume.setText(f"Go on with page {self._stopped_at + 1}")
        self._resume.setVisible(first and self._stopped_at > 0)
        self._is_first = first
        self._offer_other()
        on = "Finish" if last else "Next"
        self._on.setText("Reveal" if self._asks else "Go on" if has_more else on)
        self._on.setAccessibleName(self._on.text())
        self._announce(words, revealed=revealed)

    def _tell_place(self) -> None:
        """Tell where in the tour the page is whose words are written now."""
        page, total = self._on_its_way, self._progress.maximum()
        if self._written == page:
            return
        self._written = page
        self._page.chapter.setText(self._chapters[page - 1])
        self._progress.setValue(page)
        place = f"Page {page} of {total}"
        if page == 1:
            place += f", about {self._minutes} min"
        self._place.setText(place)
        self._place.setToolTip(place)
        self.placeChanged.emit()

    def _offer_other(self) -> None:
        """Offer the other tour, but not before an audience, which has come for this one."""
        offered = self._is_first and self._offered is not None
        self._other.setVisible(offered and not self.presents)

    def count_hands(self) -> None:
        """Let the speaker type how many hands are up for each choice, or count no more."""
        self._page.count_hands()

    @property
    def counts_hands(self) -> bool:
        """Whether fields for hands are in view."""
        return self._page.choices.hands.shown > 0

    @property
    def place(self) -> str:
        """Which page is written, and of which chapter."""
        page = self._written
        if not page:
            return ""
        return f"{page} / {self._progress.maximum()} · {self._chapters[page - 1]}"

    @property
    def text(self) -> str:
        """All that is written of the page."""
        return self._page.text

    def _point_to(self, page: int) -> None:
        self._pages.setCurrentIndex(self._pages.findData(page))
        self._on_its_way = page + 1

    def _announce(self, words: PageWords, *, revealed: bool) -> None:
        """Have a screen reader read the page."""
        verdict = self._page.choices.verdict
        told = [verdict, *words.after] if revealed else [words.title, *words.before]
        if words.question is not None and not revealed:
            told.append(words.question.text)
            told += [f"{n}: {choice}" for n, choice in enumerate(words.question.choices, 1)]
        text = " ".join(filter(None, [*told, words.problem]))
        self.setAccessibleDescription(text)
        announce(self, text)

    @Slot()
    def _on_clicked(self) -> None:
        """Go on; only this button ends a tour on its last page, no key does by mistake."""
        actions = self._actions
        (actions.leave_tour if self._is_last else actions.next_page).trigger()

    @Slot()
    def _on_resume(self) -> None:
        self.pageWanted.emit(self._stopped_at)

    @Slot()
    def _on_other(self) -> None:
        if self._offered is not None:
            self._offered.trigger()

    @Slot(int)
    def _on_page(self, index: int) -> None:
        page = self._pages.itemData(index)
        if page is not None:
            self.pageWanted.emit(page)

    # -- events --------------------------------------------------------------------------------

    def hideEvent(self, event: QHideEvent) -> None:
        """Show no waiting page later: the panel is hidden."""
        self._long.stop()
        super().hideEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if not is_plain(event) or key not in _KEYS:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._page.scroll_by(1 if key == Qt.Key.Key_Down else -1)
        elif event.isAutoRepeat():
            event.accept()
        elif key in _ON:
            self._actions.next_page.trigger()
        elif key in _BACK:
            self._actions.previous_page.trigger()
        elif key == Qt.Key.Key_H:
            self.count_hands()
        elif self._asks:
            self.chosen.emit(key - Qt.Key.Key_1)

    def _fit(self) -> None:
        wide = self.width() > _ASIDE * self.height()
        if (wide, self.presents) != (self._wide, self._presented):
            self._wide, self._presented = wide, self.presents
            self._arrange()
        else:
            self._scale()

    def _scale(self) -> None:
        """Fit head, foot and text to another width, or another font.

        In front of an audience the keys go from page to page, and the page has the room.
        """
        for control in (self._pages, self._leave, self._foot):
            control.setHidden(self.presents)
        self._offer_other()
        head = min(scaled(_WIDE_HEAD, self.font()), round(self.width() * _MOST_OF_HEAD))
        for part in (self._head, self._foot):
            beside = self._wide and not self.presents
            part.setMinimumWidth(head if beside else 0)
            part.setMaximumWidth(head if beside else _ANY_WIDTH)
        self._page.set_text_font(resized(self.font(), self._larger()))

    def _larger(self) -> float:
        """Return how many times as large the words are as the text around them."""
        if self.presents:
            return 1.0
        if self._wide:
            return _LARGER_BELOW
        letters = self.width() / self.fontMetrics().horizontalAdvance("x")
        return _LARGER * min(max(1.0, letters / _USUAL), _LARGEST)


def _button(name: str, text: str, tip: str) -> QPushButton:
    button = named(QPushButton(text), name, text, tip)
    # A click leaves the keys to the panel.
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
