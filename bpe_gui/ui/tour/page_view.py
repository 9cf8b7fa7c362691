"""Show what a page of a tour says and asks; it scrolls if there is little room."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QIntValidator, QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.tours.parse import MAX_CHOICES
from bpe_gui.ui.theme.text_size import RoomFollower, resized
from bpe_gui.ui.tour.page_words import Asked, PageWords, verdict
from bpe_gui.ui.widgets.layouts import filled, scrolled
from bpe_gui.ui.widgets.naming import mark, named, quiet
from bpe_gui.ui.widgets.presenting import Presentable, measure_anew
from bpe_gui.ui.widgets.sentences import as_written, unbroken
from bpe_gui.ui.widgets.text_lines import lines_of

_DIGITS = 3
_BAR = 5
"""The width of the longest bar in digits."""
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class HandCount(QWidget):
    """A number that the speaker types, and a bar for it; nothing is stored."""

    changed = Signal()
    """Another number is typed."""
    entered = Signal(int)
    """The speaker is done with this number: 1 if the next is to be typed, -1 for the one before."""

    def __init__(self, number: int) -> None:
        """Count for the choice with this number, from 1."""
        super().__init__()
        self.typed = named(
            _Typed(), f"tourHands{number}", f"Hands for answer {number}", "Hands for this answer"
        )
        """The field for the number."""
        self._bar = named(QProgressBar(), f"tourHandsBar{number}")
        self._bar.setTextVisible(False)
        filled(QHBoxLayout(self), self.typed, self._bar, spacing=6)
        self.typed.textChanged.connect(self.changed)
        self.typed.entered.connect(self.entered)
        self.hide()

    @property
    def hands(self) -> int:
        """How many hands are counted."""
        return int(self.typed.text() or 0)

    def begin(self) -> None:
        """Let the speaker type."""
        self.typed.setFocus()
        self.typed.selectAll()

    def show_share(self, most: int) -> None:
        """Draw the bar; `most` is the number of the longest."""
        # A range from 0 to 0 would be a bar that runs.
        self._bar.setRange(0, max(1, most))
        self._bar.setValue(self.hands)

    def set_text_font(self, font: QFont) -> None:
        """Write in this font."""
        self.typed.setFont(font)
        metrics = self.typed.fontMetrics()
        digit = metrics.horizontalAdvance("0")
        self.typed.setFixedWidth(digit * (_DIGITS + 2))
        self._bar.setFixedSize(digit * _BAR, metrics.xHeight())


class _Typed(QLineEdit):
    """A field for a number of up to three digits."""

    entered = Signal(int)
    """Enter or Tab is pressed in it (1), or Shift+Tab (-1)."""

    def __init__(self) -> None:
        super().__init__()
        self.setValidator(QIntValidator(0, 10**_DIGITS - 1, self))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep Enter, which turns the page around the field, and pass on H, which ends counting."""
        if event.key() in _ENTER:
            self.entered.emit(1)
        elif event.key() == Qt.Key.Key_H:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:
        """Go to the next number: beside it is an answer, which digits would choose."""
        self.entered.emit(1 if next_ else -1)
        return True


class HandCounts(QObject):
    """The counts for all choices of a question."""

    done = Signal()
    """The last number is typed, or the counts are hidden."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.counts = [HandCount(number + 1) for number in range(MAX_CHOICES)]
        self.shown = 0
        """For how many choices hands are counted; 0 while they are not."""
        for count in self.counts:
            count.changed.connect(self._compare)
            count.entered.connect(self._go_on)

    def begin(self, choices: int) -> None:
        """Let the speaker type a number for each choice."""
        self._show(choices)
        self.counts[0].begin()

    def end(self) -> None:
        """Hide the counts, and forget them."""
        self._show(0)
        for count in self.counts:
            count.typed.clear()
        self.done.emit()

    def _show(self, choices: int) -> None:
        self.shown = choices
        for number, count in enumerate(self.counts):
            count.setVisible(number < choices)

    @Slot()
    def _compare(self) -> None:
        most = max(count.hands for count in self.counts)
        for count in self.counts:
            count.show_share(most)

    @Slot(int)
    def _go_on(self, by: int) -> None:
        typed = [number for number, count in enumerate(self.counts) if count.typed.hasFocus()]
        if typed and 0 <= typed[0] + by < self.shown:
            self.counts[typed[0] + by].begin()
        else:
            self.done.emit()


_RIGHT, _WRONG = "✓", "✗"
_IN_A_LINE = 3
"""The most choices that are side by side."""
_TITLE = 1.15
_SMALLER = 0.9
"""How large a page is written that would have to scroll; charts on the stage are no larger."""


class PageView(Presentable, QScrollArea):
    """Shows one moment. With the answer it scrolls to its end.

    If there is not room for all, it is written a little smaller. In front of an audience nobody
    scrolls: words and title make way for the answer of a question, and for counting hands. In the
    window chapter and title make way, which the list of pages above them names.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tourScroll")
        self.chapter = quiet(_wrapping("tourChapter"))
        self._title = _wrapping("tourTitle")
        self._before = _wrapping("tourWords")
        self.choices = Choices()
        self._after = _wrapping("tourAfter")
        self._problem = _wrapping("tourProblem")
        self._problem.setProperty("problem", True)
        self._at_end = False
        self._font = self.font()
        self._is_smaller = False
        self._build()

    def _build(self) -> None:
        words = filled(QVBoxLayout(), self.chapter, self._title, self._before, None, spacing=8)
        asked = filled(QVBoxLayout(), self.choices, self._after, self._problem, None, spacing=10)
        inside, box = QWidget(), QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._parts = filled(box, words, asked, stretched=asked, spacing=12, margins=(0, 0, 4, 0))
        inside.setLayout(self._parts)
        scrolled(self, inside)
        for ground in (self.viewport(), inside):
            ground.setBackgroundRole(QPalette.ColorRole.Base)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range)
        bar.actionTriggered.connect(self._on_scrolled)
        RoomFollower(self, self._make_way)

    def set_wide(self, wide: bool) -> None:
        """Put the question beside the words, or below them."""
        direction = QBoxLayout.Direction
        self._parts.setDirection(direction.LeftToRight if wide else direction.TopToBottom)
        self._parts.setStretch(0, int(wide))
        self.choices.set_wide(wide)

    def set_text_font(self, font: QFont) -> None:
        """Write in this font, the title larger and bold."""
        self._font = font
        self._write_in(font)
        self._make_way()

    def _write_in(self, font: QFont) -> None:
        for label in (self._before, self._after, self._problem):
            label.setFont(font)
        self.choices.set_text_font(font)
        self._title.setFont(resized(font, _TITLE, bold=True))

    # -- what is written -----------------------------------------------------------------------

    def show_words(self, words: PageWords, guessed: int | None, *, revealed: bool) -> None:
        """Write a page, or the page with its answer."""
        self._title.setText(words.title)
        for label, text in (
            (self._before, "\n\n".join(words.before)),
            (self._after, "\n\n".join(words.after) if revealed else ""),
            (self._problem, words.problem),
        ):
            label.setText(unbroken(text))
            label.setVisible(bool(text))
        self.choices.show_question(words.question, guessed, revealed=revealed)
        # The answer is at the end of the page.
        self._at_end = revealed
        self._make_way()
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum() if revealed else 0)

    def _make_way(self) -> None:
        """Hide what the audience has read if the question would be out of sight with it."""
        self.chapter.setHidden(self.presents)
        self._before.setVisible(bool(self._before.text()))
        self._title.show()
        if self._is_smaller:
            self._write_in(self._font)
        # To measure a page takes long: that it fits is asked until it does.
        self._is_smaller = not self._fits
        if not self._is_smaller:
            return
        self._write_in(resized(self._font, _SMALLER))
        answers = bool(self.choices.verdict or self.choices.hands.shown)
        read = (self._before, self._title) if answers else ()
        for part in read if self.presents else (self.chapter, self._title):
            if self._fits:
                break
            part.hide()

    @property
    def _fits(self) -> bool:
        measure_anew(self)
        needed = self._parts.totalHeightForWidth(self.viewport().width())
        return needed <= self.viewport().height()

    def count_hands(self) -> None:
        """Let the speaker type how many hands are up for each choice, or count no more."""
        self.choices.count_hands()
        self._make_way()

    @property
    def text(self) -> str:
        """All that is written of the page."""
        parts = (self._title, self._before, self._after, self._problem)
        shown = [as_written(label.text()) for label in parts if label.text()]
        return "\n\n".join([*shown, *filter(None, [self.choices.verdict])])

    # -- scrolling -----------------------------------------------------------------------------

    def scroll_by(self, lines: int) -> None:
        """Scroll down, or up, by lines."""
        bar = self.verticalScrollBar()
        self._at_end = False
        bar.setValue(bar.value() + lines * self._before.fontMetrics().lineSpacing())

    @Slot(int, int)
    def _on_range(self, first: int, last: int) -> None:
        if self._at_end:
            self.verticalScrollBar().setValue(last)

    @Slot()
    def _on_scrolled(self) -> None:
        self._at_end = False


class Choices(QWidget):
    """Shows up to four choices under a question. Answered, they show which was right."""

    chosen = Signal(int)
    """The user answers with this choice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = _wrapping("tourQuestion")
        self._buttons = [QPushButton() for _ in range(MAX_CHOICES)]
        self._verdict = _wrapping("tourVerdict")
        self._grid = QGridLayout()
        self._grid.setSpacing(6)
        self.hands = HandCounts(self)
        self._wide, self._columns = False, 0
        self._texts = [""] * MAX_CHOICES
        filled(QVBoxLayout(self), self._question, self._grid, self._verdict, spacing=6)
        buttons = QButtonGroup(self)
        buttons.idClicked.connect(self.chosen)
        for number, button in enumerate(self._buttons):
            button.setObjectName(f"tourChoice{number + 1}")
            button.setProperty("choice", True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            # Its text goes on in a second line rather than widen the page.
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            buttons.addButton(button, number)
        RoomFollower(self, self._arrange)
        self.set_wide(False)

    def set_wide(self, wide: bool) -> None:
        """Put two choices side by side, or only if all of them are short."""
        self._wide = wide
        self._arrange()

    def _arrange(self) -> None:
        """Put two choices in a line if there is room, or three of three, to see all at once."""
        columns = 2 if self._wide or self._are_short(2) else 1
        if sum(map(bool, self._texts)) == _IN_A_LINE and self._are_short(_IN_A_LINE):
            columns = _IN_A_LINE
        if columns != self._columns:
            self._columns = columns
            for number, button in enumerate(self._buttons):
                row, column = divmod(number, columns)
                for place, part in enumerate((button, self.hands.counts[number])):
                    self._grid.removeWidget(part)
                    self._grid.addWidget(part, row, 2 * column + place)
            for column in range(_IN_A_LINE):
                self._grid.setColumnStretch(2 * column, int(column < columns))
        room = self._room(columns)
        for button, text in zip(self._buttons, self._texts, strict=True):
            button.setText(in_lines(text, self._bold(), room).replace("&", "&&"))

    def _are_short(self, columns: int) -> bool:
        """Tell whether every choice fits if a line has that many columns, in bold too."""
        metrics, room = QFontMetrics(self._bold()), self._room(columns)
        return all(metrics.horizontalAdvance(text) <= room for text in self._texts)

    def _room(self, columns: int) -> int:
        button = self._buttons[0]
        text = button.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, button.text())
        edges = button.sizeHint().width() - text.width()
        spacing = self._grid.spacing()
        if self.hands.shown:
            edges += self.hands.counts[0].sizeHint().width() + spacing
        return (self.width() - (columns - 1) * spacing) // columns - edges

    def _bold(self) -> QFont:
        return resized(self._buttons[0].font(), bold=True)

    def set_text_font(self, font: QFont) -> None:
        """Write all in this font, the question and the verdict bold."""
        for button in self._buttons:
            button.setFont(font)
        for count in self.hands.counts:
            count.set_text_font(font)
        for label in (self._question, self._verdict):
            label.setFont(resized(font, bold=True))
        self._arrange()

    @Slot()
    def count_hands(self) -> None:
        """Let the speaker type how many hands are up for each choice, or count no more."""
        if self.hands.shown:
            self.hands.end()
        elif not self.isHidden():
            self.hands.begin(sum(map(bool, self._texts)))
        self._arrange()

    @property
    def verdict(self) -> str:
        """What is said of the answer; empty before it."""
        return as_written(self._verdict.text())

    def show_question(self, asked: Asked | None, guessed: int | None, *, revealed: bool) -> None:
        """Show a question, or its answer; None hides everything."""
        self.setVisible(asked is not None)
        if self.hands.shown and not (revealed and asked is not None):
            self.hands.end()
        if asked is None:
            self._verdict.clear()
            return
        self._question.setText(unbroken(asked.text))
        self._texts = [""] * MAX_CHOICES
        for number, button in enumerate(self._buttons):
            button.setVisible(number < len(asked.choices))
            if number < len(asked.choices):
                text = asked.choices[number]
                tied = number == guessed and number in asked.tied
                right = revealed and (number == asked.right or tied)
                wrong = revealed and number == guessed and not right
                sign = _RIGHT if right else _WRONG if wrong else str(number + 1)
                self._texts[number] = f"{sign}   {text}"
                said = ", right" if right else ", your guess" if wrong else ""
                button.setAccessibleName(f"{number + 1}: {text}{said}")
                button.setToolTip(f"Answer with {number + 1}" if not revealed else "")
                mark(button, "right", right)
            button.setEnabled(not revealed)
        self._arrange()
        self._verdict.setText(unbroken(verdict(asked, guessed)) if revealed else "")
        self._verdict.setVisible(revealed)


def in_lines(text: str, font: QFont, width: int) -> str:
    """Break a text into lines of at most this width, within words only if need be."""
    lines = lines_of(unbroken(text), font, width)
    return as_written("\n".join(line.rstrip(" ") for line in lines))


def _wrapping(name: str) -> QLabel:
    label = named(QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True), name)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
