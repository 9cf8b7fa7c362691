"""The two colour schemes and what makes the widgets look alike in both.

A theme is plain data, so that what is painted by hand (plots, tokens) takes the same
colours as what Qt draws. `apply` gives the application the Fusion style and a palette, and the
window a style sheet. From there the palette passes down to every widget, as palettes do
in Qt, and tells who paints by hand in which theme: see `theme_of` and `ThemeFollower`. So
nothing has to be told, and a widget with another palette has another theme, with all that it
holds. All text keeps a contrast of at least 4.5:1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from msgspec import Struct
from msgspec.structs import asdict, replace
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from bpe_gui.folders import resource
from bpe_gui.ui.theme.text_size import application, plain_height
from bpe_gui.ui.theme.token_palettes import QUIET, ColourBy, TokenFills, TokenPalette


class Theme(Struct, frozen=True):
    """The colours of one scheme, each as "#rrggbb".

    `window` lies behind everything, `panel` behind content, `raised` behind what is
    out of it (buttons, headers, hover). `text`, `muted` and `error` are readable on all
    three, `accent` is too; `on_accent` is for text on the accent. `grid` draws quiet lines
    in plots and tables, `border` the edges of inputs. `tokens` are the colours of tokens,
    with the patterns that go with them, as the palette has them that was chosen;
    `token_text` is readable on each of them and on `selection`, the background of selected
    tokens and selected text. `lines` are for runs side by side, in plots and beside tokens:
    they stay apart for the colour-blind, the accent first, and are readable on a panel.
    `colour_by` is what the fill of a token depends on.
    """

    name: str
    dark: bool
    window: str
    panel: str
    raised: str
    text: str
    muted: str
    accent: str
    on_accent: str
    grid: str
    border: str
    error: str
    token_fills: TokenFills
    token_text: str
    selection: str
    lines: tuple[str, ...]
    colour_by: ColourBy = ColourBy.TOKEN

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.token_fills.colours

    @property
    def token_muted(self) -> str:
        """The colour of what is less important on a token: readable on all of them."""
        return self.token_fills.muted

    def on_paper(self) -> Theme:
        """Return this theme with one ground: that of content, also behind everything else."""
        return self if self.window == self.panel else replace(self, window=self.panel)

    def with_palette(self, palette: TokenPalette) -> Theme:
        """Return this theme with the tokens of a palette; itself, if it has them already."""
        fills = palette.fills(dark=self.dark)
        return self if fills == self.token_fills else replace(self, token_fills=fills)

    def coloured_by(self, by: ColourBy) -> Theme:
        """Return this theme with the fills of tokens for another reason."""
        return self if by is self.colour_by else replace(self, colour_by=by)


DARK = Theme(
    name="dark",
    dark=True,
    window="#15171c",
    panel="#1b1e24",
    raised="#272b34",
    text="#e7e9ee",
    muted="#a3abb9",
    accent="#6cb2ff",
    on_accent="#0b1420",
    grid="#2a2e37",
    border="#3d4451",
    error="#ff9389",
    token_fills=QUIET.dark,
    token_text="#f3f5f8",
    selection="#2168c6",
    lines=("#6cb2ff", "#ffb454", "#5fd3a1", "#ee9cc8", "#d9d36a", "#ff9389"),
)

LIGHT = Theme(
    name="light",
    dark=False,
    window="#f3f4f6",
    panel="#ffffff",
    raised="#e9ebef",
    text="#1b1f27",
    muted="#565e6c",
    accent="#1757b8",
    on_accent="#ffffff",
    grid="#e3e6eb",
    border="#c3c8d1",
    error="#b3261e",
    token_fills=QUIET.light,
    token_text="#1b1f27",
    selection="#6fb0ff",
    lines=("#1757b8", "#a35100", "#0a7553", "#a8327d", "#6b6400", "#b3261e"),
)


def system_theme() -> Theme:
    """Return the scheme that the desktop asks for; dark if it does not say."""
    scheme = QGuiApplication.styleHints().colorScheme()
    return LIGHT if scheme == Qt.ColorScheme.Light else DARK


def apply(window: QWidget, theme: Theme) -> None:
    """Give the application the colours of a theme, and a window the style sheet, live.

    Windows that belong to it have its style sheet, too. May be called again at any time to change
    the scheme.
    """
    # Else fonts do not pass from a window to what it holds, for there is a style sheet.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)
    apply_colours(theme)
    window.setProperty("light", not theme.dark)
    sheet = style_sheet(None)
    restyler = application().findChild(_Restyler) or _Restyler(application())
    looks_new = restyler.note_look()
    # A sheet visits every widget, also those that nobody sees, so it is set but once.
    if window.styleSheet() != sheet:
        window.setStyleSheet(sheet)
    elif looks_new:
        for each in QApplication.topLevelWidgets():
            restyler.restyle(each)


def apply_colours(theme: Theme) -> None:
    """Give an application the Fusion style in the colours of a theme, and no style sheet.

    A sheet of the application would be on whatever is made: whenever something gets a parent, it
    is looked through anew with all that it holds, which made views that are made later three times
    as slow. They get that of the window when they are put into it.
    """
    if QApplication.style().name() != "fusion":
        QApplication.setStyle("Fusion")
    QApplication.setPalette(palette(theme))


class _Restyler(QObject):
    """Has widgets take the colours and lengths of the style sheet again, when these have changed.

    Qt looks them up once for each widget. What is in view is done at once, and the rest when it
    is shown: that is most of a window.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._application = application
        self._look: object = None

    def note_look(self) -> bool:
        """Note what the style sheet depends on; tells whether it is another."""
        application, before = self._application, self._look
        colours = [application.palette().color(role).rgb() for role in _ROLES.values()]
        self._look = colours, application.font().pointSizeF(), application.font().pixelSize()
        return self._look != before

    def restyle(self, widget: QWidget) -> None:
        """Restyle a widget with all within it, or once it is shown."""
        if widget.isHidden():
            widget.installEventFilter(self)
            return
        widget.style().polish(widget)
        widget.update()
        for inner in directly_in(widget):
            self.restyle(inner)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            self.restyle(watched)
        return False


def directly_in(widget: QWidget) -> list[QWidget]:
    """Return the widgets whose parent this one is.

    findChildren would have it hold every wrapper for good, also of what Qt makes and deletes.
    """
    return [each for each in widget.children() if isinstance(each, QWidget)]


_marked: list[Theme] = []
"""The themes of which there is a palette, in the order of their marks."""


def _mark(theme: Theme) -> QColor:
    """Return the colour that identifies a theme in a palette.

    It is the colour of visited links, which our texts do not have: the accent, a little less opaque
    for every theme.
    """
    if theme not in _marked:
        _marked.append(theme)
    colour = QColor(theme.accent)
    colour.setAlpha(254 - _marked.index(theme))
    return colour


def theme_of(widget: QWidget) -> Theme:
    """Return the theme of the palette of a widget; the dark one if it has none of ours."""
    mark = 254 - widget.palette().color(QPalette.ColorRole.LinkVisited).alpha()
    return _marked[mark] if 0 <= mark < len(_marked) else DARK


class ThemeFollower(QObject):
    """Calls a function with the theme of a widget at once, and again whenever it changes.

    It is for what is made of the theme and cached, such as pens and brushes.
    """

    def __init__(self, widget: QWidget, take: Callable[[Theme], None]) -> None:
        super().__init__(widget)
        self._take = take
        self._theme = theme_of(widget)
        take(self._theme)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange and isinstance(watched, QWidget):
            theme = theme_of(watched)
            if theme is not self._theme:
                self._theme = theme
                self._take(theme)
        return False


_ROLES = {
    "window": QPalette.ColorRole.Window,
    "panel": QPalette.ColorRole.Base,
    "raised": QPalette.ColorRole.Button,
    "text": QPalette.ColorRole.Text,
    "muted": QPalette.ColorRole.PlaceholderText,
    "accent": QPalette.ColorRole.Link,
    "on_accent": QPalette.ColorRole.Shadow,
    "grid": QPalette.ColorRole.Midlight,
    "border": QPalette.ColorRole.Mid,
    "error": QPalette.ColorRole.BrightText,
    "token_text": QPalette.ColorRole.HighlightedText,
    "selection": QPalette.ColorRole.Highlight,
}
"""Where a palette has the colours of a theme."""


def palette(theme: Theme) -> QPalette:
    """Make a palette with every role that Fusion draws with, so that no system colour is left."""
    made = QPalette()
    role = QPalette.ColorRole
    for name, which in _ROLES.items():
        made.setColor(which, getattr(theme, name))
    for which, colour in (
        (role.WindowText, theme.text),
        (role.AlternateBase, theme.window),
        (role.ButtonText, theme.text),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.Light, theme.raised),
        (role.Dark, theme.border),
        (role.LinkVisited, _mark(theme)),
        (role.Accent, theme.accent),
    ):
        made.setColor(which, colour)
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.muted))
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(theme.raised))
    return made


_CHECKS_ON_LIGHT = """
QWidget[light="true"] QTableView::indicator:checked,
QWidget[light="true"] QCheckBox::indicator:checked { image: icon(check-on-light); }
"""


def style_sheet(theme: Theme | None) -> str:
    """Fill in the style sheet for a theme, or for the palette and the font of the application.

    In the file, `@name` is a colour of the theme, and `icon(name)` a file of resources/icons, of
    which `icon(check)` is the one to be seen on the accent. `sp` are pixels where text is plain.
    """
    return _filled_in(theme, 1 if theme is not None else plain_height())


@cache
def _filled_in(theme: Theme | None, pixels: int) -> str:
    """Fill in the style sheet; `pixels` is the unit of lengths, the height of plain text or 1."""
    sheet = resource("style.qss").read_text(encoding="utf-8")
    if theme is None:
        sheet += _CHECKS_ON_LIGHT
        names = (re.sub(r"\B([A-Z])", r"-\1", role.name).lower() for role in _ROLES.values())
        colours = {name: f"palette({role})" for name, role in zip(_ROLES, names, strict=True)}
        unit = "em"
    else:
        colours = {name: value for name, value in asdict(theme).items() if isinstance(value, str)}
        unit = "px"
    sheet = re.sub(
        r"\b(?P<length>\d+)sp\b",
        lambda sp: f"{int(sp['length']) / pixels:.4g}{unit}",
        sheet,
    )
    # Longest names first: "token_text" holds "text".
    for name in sorted(colours, key=len, reverse=True):
        sheet = sheet.replace(f"@{name}", colours[name])

    def url(icon: re.Match[str]) -> str:
        name = icon["name"]
        if name == "check":
            name = "check-on-dark" if theme is None or theme.dark else "check-on-light"
        return f'url("{resource("icons", f"{name}.svg").as_posix()}")'

    return re.sub(r"\bicon\((?P<name>[a-z-]+)\)", url, sheet)
