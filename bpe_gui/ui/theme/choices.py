"""Let the user choose colours, the fills of tokens, the size of text, and animations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow, QStyle, QWidget

from bpe_gui.ui.actions.action_words import set_keywords
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.theme.text_size import application, set_text_scale, text_scale
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, apply, apply_colours, system_theme
from bpe_gui.ui.theme.token_palettes import PALETTES, ColourBy, TokenPalette, palette_named

SYSTEM = "system"
"""The name of the choice to have what the desktop has."""
MOVING, STILL = "moving", "still"
STEPS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
"""How many times as large as the desktop asks for text can be; keys go from one to the next."""

_THEMES = {theme.name: theme for theme in (DARK, LIGHT)}
_SCHEMES = (
    (SYSTEM, "As the s&ystem", "Dark or light, as the desktop is, and with it", "auto"),
    ("dark", "&Dark", "Light writing on dark panels", "black night"),
    ("light", "L&ight", "Dark writing on light panels", "white bright day"),
)
_ALSO_SCHEMES = "mode theme scheme contrast appearance"
_COLOURINGS = (
    (ColourBy.TOKEN, "Colour by &token", "The same token has the same colour in every panel",
     "identity"),
    (ColourBy.AGE, "Colour by &age", "From tokens of early merges to tokens of late ones",
     "rank merge number early late"),
    (ColourBy.LENGTH, "Colour by &length (bytes per token)",
     "A heat map, from short tokens to long ones",
     "size compression"),
    (ColourBy.FREQUENCY, "Colour by &frequency", "From rare tokens to frequent ones: how often "
     "each occurs in the corpus now", "count counts often rare common heat map"),
    (ColourBy.PLACE, "Only tell neigh&bours apart", "No two tokens side by side have one colour",
     "alternate alternating"),
)  # fmt: skip
_ALSO_COLOURINGS = "colors legend meaning scale reason"
_ALSO_PALETTES = "palette color blind colour blindness accessibility"


class Choice(QObject):
    """Has an action for every one of several things, of which the first is checked at first."""

    changed = Signal()
    """Something else was chosen."""

    def __init__(
        self,
        choices: Iterable[tuple[str, str, str, str, str]],
        parent: QObject,
        choose_next: QAction | None = None,
    ) -> None:
        """Make actions for names with object names, texts, tips and keywords."""
        super().__init__(parent)
        self._group = QActionGroup(self)
        for name, object_name, text, tip, keywords in choices:
            action = QAction(text, self._group, checkable=True, toolTip=tip, statusTip=tip)
            action.setObjectName(object_name)
            action.setData(name)
            set_keywords(action, keywords)
        self.actions = self._group.actions()
        """In the order in which they are offered."""
        self.actions[0].setChecked(True)
        self._group.triggered.connect(self.changed)
        if choose_next is not None:
            choose_next.triggered.connect(self.choose_next)

    @property
    def name(self) -> str:
        """The name of what is chosen."""
        return str(self._group.checkedAction().data())

    def choose(self, name: str) -> None:
        """Choose by name. Raises KeyError for an unknown one."""
        action = {action.data(): action for action in self.actions}[name]
        if not action.isChecked():
            action.trigger()

    @Slot()
    def choose_next(self) -> None:
        """Choose what is after this, or the first after the last."""
        actions = self.actions
        actions[(actions.index(self._group.checkedAction()) + 1) % len(actions)].trigger()


class PaletteChoice(Choice):
    """Lets the user choose the palette of tokens."""

    def __init__(self, next_palette: QAction, parent: QObject) -> None:
        choices = [
            (one.name, f"{one.name}PaletteAction", f"&{one.title}", one.tip, _ALSO_PALETTES)
            for one in PALETTES
        ]
        super().__init__(choices, parent, next_palette)

    @property
    def palette(self) -> TokenPalette:
        return palette_named(self.name)


class ColouringChoice(Choice):
    """Lets the user choose what the fill of a token depends on."""

    def __init__(self, next_colouring: QAction, parent: QObject) -> None:
        choices = [
            (by.value, f"{by.value}ColoursAction", text, tip, f"{also} {_ALSO_COLOURINGS}")
            for by, text, tip, also in _COLOURINGS
        ]
        super().__init__(choices, parent, next_colouring)

    @property
    def by(self) -> ColourBy:
        """What was chosen."""
        return ColourBy(self.name)


class ThemeChoice(Choice):
    """Lets the user choose the colours of the desktop, dark or light.

    The application has the chosen colours from the start, and the window a style sheet once it is
    made: see `complete`.
    """

    def __init__(
        self, palettes: PaletteChoice, colouring: ColouringChoice, window: QWidget
    ) -> None:
        """`palettes` is the choice of what tokens are filled with, `colouring` of the reason."""
        choices = [
            (name, f"{name}Action", text, tip, f"{also} {_ALSO_SCHEMES}")
            for name, text, tip, also in _SCHEMES
        ]
        super().__init__(choices, window)
        self._window = window
        self._palettes = palettes
        self._colouring = colouring
        for choice in (self, palettes, colouring):
            choice.changed.connect(self.apply)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.apply)
        self._complete = False
        self.apply()

    @property
    def theme(self) -> Theme:
        """The colours that are chosen, of tokens too."""
        theme = _THEMES.get(self.name) or system_theme()
        return theme.with_palette(self._palettes.palette).coloured_by(self._colouring.by)

    @Slot()
    def apply(self) -> None:
        """Give the application the colours, and the window a style sheet for its size of text."""
        if self._complete:
            apply(self._window, self.theme)
        else:
            apply_colours(self.theme)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Give the window the style sheet once, however much of its look is chosen within."""
        self._complete = False
        try:
            yield
        finally:
            self.complete()

    def complete(self) -> None:
        """Give the window the style sheet, now that all that it shows first is made."""
        self._complete = True
        self.apply()


class TextSizing(QObject):
    """Writes larger or smaller in the whole program."""

    changed = Signal(float)
    """The factor by which all text is larger now than the desktop asks for."""

    def __init__(self, actions: Actions, parent: QObject) -> None:
        super().__init__(parent)
        self.scale = 1.0
        """How many times as large text is as the desktop asks for."""
        self._larger, self._smaller = actions.larger_text, actions.smaller_text
        self._larger.triggered.connect(self.write_larger)
        self._smaller.triggered.connect(self.write_smaller)
        actions.plain_text.triggered.connect(self.write_plainly)
        self._enable()
        if text_scale(QApplication.font()) != 1.0:  # by a window that was there before
            set_text_scale(application(), self.scale)

    def set_scale(self, scale: float) -> None:
        """Write in another size. Raises ValueError for one beyond all steps."""
        if not STEPS[0] <= scale <= STEPS[-1]:
            raise ValueError(f"text cannot be {scale} times as large as usual")
        if scale == self.scale:
            return
        self.scale = scale
        set_text_scale(application(), scale)
        self._enable()
        self.changed.emit(scale)

    @Slot()
    def write_larger(self) -> None:
        """Go to the next step above, if there is one."""
        self.set_scale(min((step for step in STEPS if step > self.scale), default=STEPS[-1]))

    @Slot()
    def write_smaller(self) -> None:
        """Go to the next step below, if there is one."""
        self.set_scale(max((step for step in STEPS if step < self.scale), default=STEPS[0]))

    @Slot()
    def write_plainly(self) -> None:
        """Write as large as the desktop asks for."""
        self.set_scale(1.0)

    def _enable(self) -> None:
        self._larger.setEnabled(self.scale < STEPS[-1])
        self._smaller.setEnabled(self.scale > STEPS[0])


class MotionChoice(QObject):
    """Keeps the action "Animate" checked as it was chosen, or as the desktop wishes.

    What moves by itself follows the action: bars, the spotlight of a tour, docks that make room.
    Playing is no animation: the user has asked for it.
    """

    def __init__(self, animate: QAction, window: QMainWindow) -> None:
        super().__init__(window)
        self._animate = animate
        self.chosen = SYSTEM
        """What was chosen: "system", "moving" or "still"."""
        animate.triggered.connect(self._on_action)
        animate.toggled.connect(window.setAnimated)
        animate.setChecked(True)
        self._follow()

    def choose(self, motion: str) -> None:
        """Choose by name. Raises ValueError for an unknown one."""
        if motion not in (SYSTEM, MOVING, STILL):
            raise ValueError(f"things cannot be {motion!r}")
        self.chosen = motion
        self._follow()

    @Slot(bool)
    def _on_action(self, moves: bool) -> None:
        self.chosen = MOVING if moves else STILL

    def _follow(self) -> None:
        if self.chosen == SYSTEM:  # the style asks the desktop
            hint = QStyle.StyleHint.SH_Widget_Animation_Duration
            self._animate.setChecked(QApplication.style().styleHint(hint) > 0)
        else:
            self._animate.setChecked(self.chosen == MOVING)
