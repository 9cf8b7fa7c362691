"""A line over the lower edge of the window for problems, successes and suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.actions.action_words import announce, keys_of
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named, quiet

RUN = "run"
"""The subject of messages that are withdrawn when another run begins."""

_PROBLEM, _SUCCESS, _OFFER, _PROGRESS = "!", "✓", "?", "…"
_SUCCESS_STAYS = 8_000
"""Milliseconds that it is read that something went well."""
_WHILE_NEWS_WAITS = 4_000
"""The same where the message lies over news that nobody has read."""
_SIDE, _ABOVE_AND_BELOW = 9, 4
"""What the style sheet adds around a message, its line included, in pixels."""


class MessageBar(QWidget):
    """Shows each sentence until it is closed or withdrawn; is hidden when there is none.

    It lies over other widgets of its window and moves none of them: see `lie_over`. A success
    leaves after some seconds by itself.

    Each message has a subject, `about`, for internal use: a later message on the same subject
    replaces it, so that a success ends the problem before it. Only the newest message is visible,
    and the others are counted; closing it shows the one before.
    """

    dismissed = Signal(str)
    """The user has closed a message; what it was about."""
    accepted = Signal(str)
    """The user accepts a suggestion, or wants to see the rest; what that was about."""
    chosen = Signal(str, str)
    """The user has chosen one of several things offered; what that was about, and which."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("messageBar")
        self.setAutoFillBackground(True)
        self._line: QWidget | None = None
        self._messages: list[_Message] = []
        self._take, self._dismiss = QAction(self), QAction(self)
        self._column = filled(QVBoxLayout(self))
        window.installEventFilter(self)
        self._successes_end = QTimer(self, singleShot=True)
        self._successes_end.setObjectName("successesEnd")
        self._successes_end.timeout.connect(self._withdraw_successes)
        self.hide()

    def use_actions(self, take: QAction, dismiss: QAction) -> None:
        """Let two actions accept and close the visible message; its buttons show their keys."""
        self._take, self._dismiss = take, dismiss
        take.triggered.connect(self._accept)
        dismiss.triggered.connect(self._close)
        self._show_newest()

    def lie_over(self, line: QWidget) -> None:
        """Lie over a line at the lower edge of the window, from the left side to its end.

        Longer sentences reach higher.
        """
        self._line = line
        line.installEventFilter(self)

    @property
    def text(self) -> str:
        """All messages, a line each, the newest last."""
        return "\n".join(message.text for message in self._messages)

    @Slot(str)
    def show_message(self, text: str, choices: Sequence[str] = ()) -> None:
        """Show a problem with the run, with buttons to choose what may help: see `chosen`."""
        self._show(_Message(text, RUN, _PROBLEM, *choices))

    @Slot(str)
    def show_lasting(self, text: str) -> None:
        """Show a problem until it is closed."""
        self._show(_Message(text, text, _PROBLEM))

    @Slot(str, str)
    def tell_problem(self, about: str, text: str, action: str = "") -> None:
        """Show a problem with something, with a button `action` that shows the rest.

        Without a text, withdraw it.
        """
        if text:
            self._show(_Message(text, about, _PROBLEM, *filter(None, [action])))
        else:
            self.withdraw(about)

    @Slot(str, str)
    def tell_success(self, about: str, text: str) -> None:
        """Show a success of something."""
        self._show(_Message(text, about, _SUCCESS))

    def tell_progress(self, about: str, text: str) -> None:
        """Show what is being done, until another message on it."""
        self._show(_Message(text, about, _PROGRESS))

    def offer(self, about: str, text: str, *actions: str, refusal: str = "Dismiss") -> None:
        """Show a suggestion, with buttons that accept it, see `chosen`, and one that closes."""
        self._show(_Message(text, about, _OFFER, *actions, refusal=refusal))

    @Slot(str)
    def retract(self, text: str) -> None:
        """Remove the messages with this text."""
        self._remove([message for message in self._messages if message.text == text])

    @Slot()
    def withdraw(self, about: str = RUN) -> None:
        """Remove the messages about something."""
        self._remove([message for message in self._messages if message.about == about])

    def withdraw_all(self) -> None:
        """Remove all messages."""
        self._remove(list(self._messages))

    @Slot()
    def make_way(self) -> None:
        """Let successes leave sooner: there is news in the line below."""
        if self._successes_end.remainingTime() > _WHILE_NEWS_WAITS:
            self._successes_end.start(_WHILE_NEWS_WAITS)

    @Slot()
    def _withdraw_successes(self) -> None:
        self._remove([message for message in self._messages if message.is_success])

    def _show(self, message: _Message) -> None:
        before = [m for m in self._messages if m.about == message.about or m.text == message.text]
        self._messages.append(message)
        message.show_keys(keys_of(self._take), keys_of(self._dismiss))
        # Only the newest is visible, so that its buttons are about it.
        message.close_button.clicked.connect(self._close)
        for button in message.buttons:
            button.clicked.connect(partial(self._accept_choice, message, button.text()))
        self._column.addWidget(message)
        self._discard(before)
        self._show_newest()
        if message.is_success:
            self._successes_end.start(_SUCCESS_STAYS)
        announce(self, message.text, at_once=message.is_problem)

    def _remove(self, messages: list[_Message]) -> None:
        if messages:
            self._discard(messages)
            self._show_newest()

    def _discard(self, messages: list[_Message]) -> None:
        for message in messages:
            if message not in self._messages:
                continue  # it was replaced while its button was pressed
            self._messages.remove(message)
            self._column.removeWidget(message)
            message.hide()
            message.deleteLater()

    def _show_newest(self) -> None:
        for message in self._messages:
            message.show_beside(len(self._messages) - 1)
            message.setVisible(message is self._messages[-1])
        last = self._messages[-1] if self._messages else None
        self._take.setEnabled(last is not None and bool(last.buttons))
        self._dismiss.setEnabled(last is not None)
        self.setAccessibleName(self.text)
        self.setVisible(last is not None)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self._fit()
        return False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.isVisible():
            self._fit()

    def _fit(self) -> None:
        if not self._messages:
            return
        window, line = self.window(), self._line
        width, bottom, least = window.width(), window.height(), 0
        if line is not None and line.isVisible():
            width = line.mapTo(window, QPoint(line.width(), 0)).x()
            # As much above the line as there is below it; a pixel more would lie over tabs.
            least = 2 * (bottom - line.mapTo(window, QPoint()).y()) - line.height()
        height = max(self._messages[-1].fit(width), least)
        self.setGeometry(0, bottom - height, width, height)
        self.raise_()

    @Slot()
    def _accept(self) -> None:
        if self._messages and self._messages[-1].buttons:
            self._accept_choice(self._messages[-1], self._messages[-1].buttons[0].text())

    def _accept_choice(self, message: _Message, choice: str, *_: object) -> None:
        if not message.is_problem:
            self._remove([message])
        self.accepted.emit(message.about)
        self.chosen.emit(message.about, choice)

    @Slot()
    def _close(self) -> None:
        if self._messages:
            message = self._messages[-1]
            self._remove([message])
            self.dismissed.emit(message.about)


class _Message(QFrame):
    """One sentence, with a sign before it, buttons that act, and one that closes it."""

    def __init__(
        self, text: str, about: str, sign: str, *actions: str, refusal: str = "Dismiss"
    ) -> None:
        super().__init__()
        self.setObjectName("message")
        self.text, self.about = text, about
        self.is_problem, self.is_success = sign == _PROBLEM, sign == _SUCCESS
        label = named(QLabel(text, textFormat=Qt.TextFormat.PlainText), "messageText")
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        label.setWordWrap(True)  # after the policy, which it completes
        mark = named(QLabel(sign, alignment=Qt.AlignmentFlag.AlignCenter), "messageSign")
        self._others = quiet(QLabel())
        self.close_button = close = QToolButton()
        close.setText(refusal)
        close.setAccessibleName(f"{refusal}: {text}")
        for part in (self, mark):
            part.setProperty("success", not self.is_problem)
        row = filled(QHBoxLayout(), mark, label, self._others, stretched=label, spacing=10)
        self._lines = lines = filled(QVBoxLayout(self), row, margins=(10, 1, 6, 1))
        if len(actions) > 1 and self.is_problem:
            # Beside these buttons little room is left for the sentence; that of an offer is short.
            row = filled(QHBoxLayout(), None, spacing=10)
            lines.addLayout(row)
        self.buttons: list[QToolButton] = []
        """They do what the message offers, if it offers something."""
        for action in actions:
            take = QToolButton()
            take.setText(action)
            take.setAccessibleName(f"{action}: {text}")
            row.addWidget(take)
            self.buttons.append(take)
        row.addWidget(close)
        self.setAccessibleName(text)

    def show_keys(self, take: str, close: str) -> None:
        """Show the keys of the buttons in their tooltips."""
        first = [(button, take) for button in self.buttons[:1]]
        for button, keys in (*first, (self.close_button, close)):
            if keys:
                button.setToolTip(f"{button.text()} ({keys})")

    def show_beside(self, others: int) -> None:
        """Write how many other messages there are."""
        self._others.setText(f"and {others} more" if others else "")
        self._others.setVisible(others > 0)

    def fit(self, width: int) -> int:
        """Take the height that the sentence needs in a window of that width, and return it."""
        height = self._lines.heightForWidth(width - 2 * _SIDE) + _ABOVE_AND_BELOW
        self.setFixedHeight(max(height, self.minimumSizeHint().height()))
        return height

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())
