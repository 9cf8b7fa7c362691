"""Around the lanes: those without tokens, which lanes are shown, and what can be done first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.add_menu import AddMenu
from bpe_gui.ui.compare.comparison import Comparison, Lane
from bpe_gui.ui.compare.loading import Loader
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.theme.text_size import FontFollower, scaled
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.layouts import FlowLayout, filled, scrolled
from bpe_gui.ui.widgets.naming import named, remark


class FirstSight(QFrame):
    """Buttons above the lanes of a run without merges, until another encoding is added."""

    def __init__(self, comparison: Comparison, menu: AddMenu) -> None:
        super().__init__()
        self._comparison = comparison
        self.setObjectName("firstSight")
        label = remark(wording.FIRST_SIGHT, "firstSightText")
        buttons = QWidget()
        row = FlowLayout(buttons, 8)
        for text, name, action in (
            ("Add a tokenizer from a file…", "firstFileButton", menu.file),
            ("From the Hugging Face hub…", "firstHubButton", menu.hub),
        ):
            button = named(QPushButton(text), name, text)
            button.clicked.connect(action.trigger)
            row.addWidget(button)
        filled(QVBoxLayout(self), label, buttons, spacing=6, margins=(2, 6, 2, 6))
        comparison.lanesChanged.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Show it if there is nothing else to see."""
        self.setVisible(self._comparison.is_untouched)


_WIDEST_NAME = 190
_TALLEST = 132
"""The greatest height of all rows in pixels; more rows scroll."""
_LOADING_AFTER = 400
"""Milliseconds before a lane that is being loaded is shown: most files take less, and the lanes
above should not jump for them."""
_SIGN = "!"


class WaitingLanes(QScrollArea):
    """A row for each of these lanes, with buttons to retry, cancel or remove it."""

    def __init__(self, comparison: Comparison, loader: Loader) -> None:
        super().__init__()
        self._comparison, self._loader = comparison, loader
        named(self, "waitingLanes", "Encodings that have no tokens")
        self._rows: dict[int, _Row] = {}
        self._loading = QTimer(self, singleShot=True, interval=_LOADING_AFTER)
        self._loading.timeout.connect(self._show_all)
        content = QWidget()
        self._column = filled(QVBoxLayout(content), spacing=4, margins=(0, 2, 0, 2))
        scrolled(self, content)
        self.hide()

    def update_lanes(self) -> None:
        """Update the rows; lanes that have just begun to load are shown a little later."""
        waiting = self._waiting()
        shown = [(lane, why) for lane, why in waiting if lane.key in self._rows or _failed(lane)]
        if len(shown) == len(waiting):
            self._loading.stop()
        elif not self._loading.isActive():
            self._loading.start()
        self._show(shown)

    @Slot()
    def _show_all(self) -> None:
        self._show(self._waiting())

    def _waiting(self) -> list[tuple[Lane, str]]:
        result = self._comparison.result
        problems = {lane.key: lane.problem for lane in result.lanes} if result is not None else {}
        lanes = [
            (lane, lane.status if lane.encoding is None else problems.get(lane.key, ""))
            for lane in self._comparison.lanes
        ]
        return [(lane, why) for lane, why in lanes if why]

    def _show(self, lanes: Sequence[tuple[Lane, str]]) -> None:
        for key in self._rows.keys() - {lane.key for lane, _ in lanes}:
            gone = self._rows.pop(key)
            gone.hide()
            self._column.removeWidget(gone)
            gone.deleteLater()
        for place, (lane, why) in enumerate(lanes):
            row = self._rows.get(lane.key)
            if row is None:
                row = self._rows[lane.key] = _Row(lane, self._comparison, self._loader)
            if self._column.indexOf(row) != place:
                self._column.insertWidget(place, row)
            row.show_lane(why)
        widest = max((row.name.sizeHint().width() for row in self._rows.values()), default=0)
        for row in self._rows.values():
            row.name.setFixedWidth(min(widest, scaled(_WIDEST_NAME, self.font())))
        self.setVisible(bool(lanes))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._rows:
            height = self._column.totalHeightForWidth(self.viewport().width())
            self.setFixedHeight(min(height, scaled(_TALLEST, self.font())))


def _failed(lane: Lane) -> bool:
    return lane.failed or lane.encoding is not None


class _Row(QFrame):
    """The name, the status and the buttons of one lane."""

    def __init__(self, lane: Lane, comparison: Comparison, loader: Loader) -> None:
        super().__init__()
        self._lane = lane
        self._sign = named(QLabel(_SIGN, alignment=Qt.AlignmentFlag.AlignCenter), "waitingSign")
        policy = self._sign.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._sign.setSizePolicy(policy)
        self.name = ElidingLabel(textFormat=Qt.TextFormat.PlainText)
        self.name.elide = Qt.TextElideMode.ElideMiddle
        self._sentence = remark(name="waitingSentence")
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._retry = named(QPushButton("Try again"), "tryAgainButton")
        self._remove = named(QPushButton(), "removeWaitingButton")
        parts = (self._sign, self.name, self._sentence, self._retry, self._remove)
        row, stretched, margins = QHBoxLayout(self), self._sentence, (8, 0, 2, 0)
        filled(row, *parts, stretched=stretched, spacing=8, margins=margins)
        self._retry.clicked.connect(lambda: loader.retry(lane))
        self._remove.clicked.connect(lambda: comparison.remove(lane.key))

    def show_lane(self, why: str) -> None:
        """Show the lane as it is now, and why it has no tokens."""
        lane = self._lane
        self.name.setText(lane.name)
        self.name.setToolTip(lane.name)
        self._sentence.setText(why)
        self.setAccessibleName(f"{lane.name}: {why}")
        self._retry.setAccessibleName(f"Try {lane.name} again")
        self._remove.setText("Remove" if _failed(lane) else "Cancel")
        self._remove.setAccessibleName(f"{self._remove.text()} {lane.name}")
        self._retry.setVisible(lane.failed)
        self._sign.setVisible(_failed(lane))


_ALL, _DIFFERING = 0, -1
"""Entries that are no key of a lane."""
_LEAST_LETTERS = 12
_WIDEST_CHOICE = 320
"""Pixels of the box in text of the plain size: the other boxes beside it get their room first."""


class LaneChoice(QObject):
    """A box to choose the lanes from, which is there with three lanes or more."""

    def __init__(self, comparison: Comparison, lanes: LaneView) -> None:
        super().__init__(comparison)
        self._comparison, self._lanes = comparison, lanes
        self._chosen = _ALL
        box = named(ElidingComboBox(), "laneChoice", "Lanes that are shown", wording.LANES)
        box.set_letters(_LEAST_LETTERS)
        self.box = box
        FontFollower(box, lambda: box.setMaximumWidth(scaled(_WIDEST_CHOICE, box.font())))
        self.box.activated.connect(self._on_activated)
        comparison.lanesChanged.connect(self._fill)
        comparison.referenceChanged.connect(self._on_reference)
        self._fill()

    @Slot(int)
    def _on_reference(self, before: int) -> None:
        """Hold the others against another lane."""
        if self._comparison.reference == self._chosen:
            self._chosen = before
        self._fill()
        self._apply()

    def follow(self) -> None:
        """Show the lanes of another result."""
        result = self._comparison.result
        if self._chosen == _DIFFERING and result is not None:
            self._lanes.show_beside(result.place_of(self._comparison.reference))
        else:
            self._lanes.show_beside(-1)

    def state(self) -> dict[str, object]:
        """Return the places of the chosen lane and of the one beside it, as JSON, for `restore`.
        """
        places = {lane.key: place for place, lane in enumerate(self._comparison.lanes)}
        return {
            "chosen": places.get(self._comparison.chosen),
            "beside": places.get(self._chosen),
            "differing": self._chosen == _DIFFERING,
        }

    def restore(self, state: object) -> None:
        """Choose what `state` returned among the same lanes; pass over what is damaged."""
        found = state if isinstance(state, dict) else {}
        keys = {place: lane.key for place, lane in enumerate(self._comparison.lanes)}
        chosen, beside = (
            keys.get(place, _ALL) if type(place) is int else _ALL
            for place in (found.get("chosen"), found.get("beside"))
        )
        if chosen != _ALL:
            self._comparison.set_reference(chosen)
        self._chosen = _DIFFERING if found.get("differing") is True else beside
        self._fill()
        self._apply()

    @Slot()
    def _fill(self) -> None:
        comparison = self._comparison
        lanes = [lane for lane in comparison.lanes if lane.encoding is not None]
        others = [lane for lane in lanes if lane.key != comparison.reference]
        # Two lanes that were restored are compared as soon as they are loaded.
        chosen = comparison.chosen if comparison.chosen > 0 else comparison.reference
        there = [lane.key for lane in comparison.lanes if not lane.failed and lane.key != chosen]
        if self._chosen > 0 and self._chosen not in there:
            self._chosen = _ALL
            self._apply()
        self.box.clear()
        self.box.addItem("All lanes", _ALL)
        self.box.addItem("Lanes that differ from the chosen one", _DIFFERING)
        for lane in others:
            self.box.addItem(f"The chosen lane and {lane.name}", lane.key)
        self.box.setCurrentIndex(max(self.box.findData(self._chosen), 0))
        self.box.setVisible(len(lanes) > 2)
        if self._chosen > 0:
            self._apply()

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        self._chosen = self.box.itemData(index)
        self._apply()

    def _apply(self) -> None:
        pair = frozenset((self._comparison.reference, self._chosen))
        self._comparison.set_pair(pair if self._chosen > 0 else None)
        self.follow()
