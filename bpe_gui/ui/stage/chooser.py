"""Let the speaker choose the panels of the stage; what is chosen, as it is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace
from PySide6.QtCore import QMargins, Qt, Signal, Slot
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QScreen
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from bpe_gui.ui.stage.keys import KEYS
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.keyboard import KeyClaim
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.naming import named, quiet

MOST = 4
"""Panels that are seen at once."""
SCHEMES = ("", "dark", "light")
"""The colours of the stage: those of the window, or the dark ones or the light ones."""


class Choice(Struct, frozen=True):
    """Up to four panels by name, the first of which are shown, and in which colours.

    `layout` is how many are shown: if fewer are chosen, all are. `screen` is the name of the screen
    for the stage, empty for the one that the window is on.
    """

    panels: tuple[str, ...] = ("pairs", "text", "why", "vocabulary")
    layout: int = 2
    scheme: str = ""
    screen: str = ""

    @property
    def shown(self) -> tuple[str, ...]:
        """The panels that are seen, in the order of their places."""
        return self.panels[: self.layout]

    def toggled(self, name: str) -> Choice:
        """Add a panel behind the others, or remove it; all are shown then.

        A fifth panel replaces the last. The only one stays.
        """
        if name not in self.panels:
            panels = (*self.panels[: MOST - 1], name)
        elif len(self.panels) > 1:
            panels = tuple(other for other in self.panels if other != name)
        else:
            panels = self.panels
        return replace(self, panels=panels, layout=len(panels))

    def placed(self, name: str, place: int) -> Choice:
        """Put a panel at a place counted from 0, or at the end if that is sooner.

        The panel that was there goes to the place of the other, or is removed.
        """
        panels = list(self.panels)
        place = min(max(place, 0), len(panels), MOST - 1)
        if name in panels:
            place = min(place, len(panels) - 1)
            before = panels.index(name)
            panels[before], panels[place] = panels[place], panels[before]
        else:
            panels[place : place + 1] = [name]
        return replace(self, panels=tuple(panels), layout=max(self.layout, place + 1))

    def as_json(self) -> dict[str, Any]:
        """Return what JSON can hold; `from_json` reads it."""
        return {**asdict(self), "panels": list(self.panels)}


_RENAMED = {"token": "tree", "wall": "boundaries"}
"""What panels were called in settings of older versions."""


def from_json(kept: object, known: Sequence[str]) -> Choice:
    """Read a stored choice; what does not fit is replaced by the default.

    `known` are the panels that there are. Settings may be from another version, or edited by hand:
    no error is raised.

    >>> from_json({"panels": ["why", "why", "moon"], "layout": 99}, ["pairs", "why"])
    Choice(panels=('why',), layout=2, scheme='', screen='')
    """
    first = Choice()
    found = kept if isinstance(kept, Mapping) else {}
    named, layout, scheme, screen = (
        found.get(key) for key in ("panels", "layout", "scheme", "screen")
    )
    strings = filter(lambda name: isinstance(name, str), named if isinstance(named, list) else ())
    names = dict.fromkeys(_RENAMED.get(name, name) for name in strings)
    panels = tuple(name for name in names if name in known)[:MOST]
    # JSON's true is a whole number in Python.
    if type(layout) is not int or not 1 <= layout <= MOST:
        layout = first.layout
    scheme = scheme if scheme in SCHEMES else first.scheme
    screen = screen if isinstance(screen, str) else first.screen
    return Choice(panels or first.panels, layout, scheme, screen)


_COLUMNS = 3
_BESIDE_KEYS = 32
"""Pixels between a key and what it does."""
_MARGIN = 24
_AROUND = QMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
_TRIES = 3
"""How often the size of the text is corrected: what is around it does not grow with it."""
_LARGEST = 1.6
"""So many times as large as the text of the stage it is written at most."""
_HEADING = "Panels on the stage"
_HOW = (
    "Enter or a click adds a panel or removes it; 1 to 4 puts it at that place;\n"
    "the arrows go to the others; C shows the chosen ones."
)
_ARROWS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down})
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class Chooser(QWidget):
    """Shows all panels by name; those that are chosen have the number of their place."""

    chosen = Signal(object)
    """Another Choice was made."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        """`titles` are the titles of panels by their names."""
        super().__init__()
        named(self, "stageChooser", _HEADING)
        KeyClaim(self, _ARROWS)
        self._titles = dict(titles)
        self._choice = Choice()
        self._buttons: dict[str, QPushButton] = {}
        self._inside = QWidget(self)
        self._grid = QGridLayout()
        rows = -(-len(self._titles) // _COLUMNS)
        for number, name in enumerate(self._titles):
            self._add_button(name, number % rows, number // rows)
        self.show_button = named(QPushButton("Show them (C)"), "stageShow")
        self.screen_button = named(QPushButton(), "stageScreen")
        self._lay_out()
        self.set_choice(self._choice)
        self.setFocusProxy(next(iter(self._buttons.values())))
        RoomFollower(self, self._fit)

    def set_choice(self, choice: Choice) -> None:
        self._choice = choice
        for name, button in self._buttons.items():
            taken = name in choice.panels
            place = f"{choice.panels.index(name) + 1}" if taken else "–"
            button.setText(f"{place}   {self._titles[name]}")
            button.setChecked(taken)
            state = f"at place {place}" if taken else "not on the stage"
            button.setAccessibleName(f"{self._titles[name]}, {state}")

    def tell_screen(self, screen: QScreen) -> None:
        """Show which screen the stage is on, if there are several."""
        self.screen_button.setVisible(len(QGuiApplication.screens()) > 1)
        size = screen.size() * screen.devicePixelRatio()
        described = f"{screen.name()}, {size.width():,} × {size.height():,}"
        self.screen_button.setText(f"Screen: {described}. Take the next (S)")

    @Slot(int)
    def put(self, place: int) -> None:
        """Put the panel with the focus at a place from 1 to 4."""
        name = next((name for name, button in self._buttons.items() if button.hasFocus()), None)
        if name is not None:
            self.chosen.emit(self._choice.placed(name, place - 1))

    def _fit(self) -> None:
        """Write as large as there is room for: the whole page is for choosing."""
        font = QFont(self.font())
        self._write_in(font)
        most, largest = self.size().shrunkBy(_AROUND), _LARGEST * font.pointSizeF()
        for _ in range(_TRIES):
            needed = self._inside.sizeHint()
            share = min(most.width() / needed.width(), most.height() / needed.height())
            font.setPointSizeF(max(1.0, min(font.pointSizeF() * share, largest)))
            self._write_in(font)

    def _write_in(self, font: QFont) -> None:
        self._inside.setFont(font)
        self._page.activate()  # what it needs is known anew then

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a panel or remove it by Enter; the buttons handle the arrows."""
        focus = QApplication.focusWidget()
        if event.key() in _ENTER and isinstance(focus, QPushButton):
            focus.click()
        else:
            super().keyPressEvent(event)

    def _add_button(self, name: str, row: int, column: int) -> None:
        button = named(QPushButton(), f"stagePanel_{name}")
        button.setCheckable(True)
        button.setProperty("stagePanel", True)
        button.clicked.connect(lambda: self.chosen.emit(self._choice.toggled(name)))
        self._buttons[name] = button
        self._grid.addWidget(button, row, column)

    def _lay_out(self) -> None:
        keys = QGridLayout()
        for row, (key, what) in enumerate(KEYS):
            keys.addWidget(quiet(QLabel(key)), row, 0)
            keys.addWidget(quiet(QLabel(what)), row, 1)
        keys.setColumnStretch(1, 1)
        keys.setHorizontalSpacing(_BESIDE_KEYS)
        # What is written large for one screen keeps the stage from no smaller one.
        self.setMinimumSize(1, 1)
        centred = QGridLayout(self)
        centred.setContentsMargins(0, 0, 0, 0)
        centred.addWidget(self._inside, 0, 0, Qt.AlignmentFlag.AlignCenter)
        self._page = page = QVBoxLayout(self._inside)
        filled(page, _HEADING, self._grid, _HOW, spacing=STYLED)
        page.addWidget(self.show_button, 0, Qt.AlignmentFlag.AlignLeft)
        page.addWidget(self.screen_button, 0, Qt.AlignmentFlag.AlignLeft)
        page.addSpacing(_MARGIN)
        page.addLayout(keys)
