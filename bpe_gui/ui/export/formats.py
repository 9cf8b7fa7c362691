"""What can be exported of each panel, and how it is made: first what needs the window, then the
rest, on another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.exporting.coloured_text import ColouredText, Scheme, coloured_text
from bpe_gui.exporting.html_text import About, html_text
from bpe_gui.exporting.svg import svg_text
from bpe_gui.exporting.tables import csv_parts, merges_as_csv, merges_as_markdown, merges_of
from bpe_gui.exporting.terminal_text import ansi_text
from bpe_gui.files import Content
from bpe_gui.progress import counted
from bpe_gui.ui.export.contents import nothing_in, why_not_told
from bpe_gui.ui.export.panels import WINDOW, ExportPanel, panels_of
from bpe_gui.ui.export.picture import PictureError, encoded, picture_of
from bpe_gui.ui.export.schemes import scheme_of
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.export.tables import ExportTable, tables_of
from bpe_gui.ui.export.temporary_theme import dressed
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow


UNSEEN = "Not a picture: it is written with all that it has, also what is out of sight."
_ALL_MERGES = "Not a picture: all merges of the run are written, wherever the cursor is."
_MERGES_HERE = "Not a picture: only the merges before the cursor are written, none after it."


class Colours(StrEnum):
    """In which colours something is exported. The values are for people."""

    NOW = "Same as window"
    LIGHT = "Light"
    DARK = "Dark"
    BOTH = "Light or dark, as the reader wishes"


_ONE_SCHEME = (Colours.NOW, Colours.LIGHT, Colours.DARK)


@dataclass(frozen=True)
class Options:
    """How it is to look: for pictures the scale, for what is painted the size of the panel (its
    present one by default)."""

    scale: int = 2
    size: QSize | None = None
    colours: Colours = Colours.NOW


Work = Callable[[], Content]
"""What is left to be done on another thread: the content of the file."""


@dataclass(frozen=True, eq=False)
class ExportFormat:
    """One way to export something.

    `stem` and `ending` make the name that is proposed. `make` is called on the window's thread;
    it raises PictureError if there is nothing that could be exported. `colours` can be chosen,
    if there are any; `scaled` and `sized` tell which options count. `unseen` says what is
    written where no picture shows it.
    """

    name: str
    title: str
    stem: str
    ending: str
    make: Callable[[Options], Work]
    colours: Sequence[Colours] = ()
    scaled: bool = False
    sized: bool = False
    unseen: str = UNSEEN


@dataclass(frozen=True, eq=False)
class ExportTarget:
    """Something that can be exported: a panel, or what is no panel."""

    name: str
    title: str
    offers: Sequence[ExportFormat]
    panel: ExportPanel | None = None


def subjects_of(window: MainWindow) -> list[ExportTarget]:
    """All that can be exported, in the order in which it is offered."""
    tables = tables_of(window)
    subjects = []
    for panel in panels_of(window).values():
        offers = [*_pictures(window, panel)]
        if panel.name == "text":
            offers += _texts(window)
        offers += [
            _table(window, panel.name, number, table)
            for number, table in enumerate(tables.get(panel.name, ()), 1)
        ]
        subjects.append(ExportTarget(panel.name, panel.title, offers, panel))
    subjects.append(ExportTarget("merges", "The merges of the run", [*_merges(window)]))
    return subjects


def theme_for(window: MainWindow, colours: Colours) -> Theme:
    """The theme with these colours; tokens are as they are in the window."""
    theme = {Colours.LIGHT: LIGHT, Colours.DARK: DARK}.get(colours, window.theme)
    return theme.with_palette(window.palette_choice.palette)


# -- panels --------------------------------------------------------------------------------------


def _pictures(window: MainWindow, panel: ExportPanel) -> Iterator[ExportFormat]:
    # The colours of the whole window are those of the application.
    colours = () if panel.name == WINDOW else _ONE_SCHEME
    yield ExportFormat(
        "png", "Picture (PNG)", panel.name, ".png", partial(_png, window, panel),
        colours, scaled=True, sized=panel.name != WINDOW,
    )  # fmt: skip
    yield ExportFormat(
        "svg", "Drawing (SVG)", panel.name, ".svg", partial(_svg, window, panel),
        colours, sized=panel.name != WINDOW,
    )  # fmt: skip


def paint(window: MainWindow, panel: ExportPanel, options: Options) -> QImage:
    """A panel as a picture. Raises PictureError for one that is empty, or too large."""
    _check(window, panel)
    theme = theme_for(window, options.colours)
    with dressed(panel.widget, theme, window.theme):
        return picture_of(panel.widget, options.scale, options.size, theme.window)


def _check(window: MainWindow, panel: ExportPanel) -> None:
    """Raise PictureError for a panel that only invites to do something."""
    if reason := nothing_in(window, panel.name):
        raise PictureError(f"There is nothing to export yet: {reason}.")


def _png(window: MainWindow, panel: ExportPanel, options: Options) -> Work:
    return partial(encoded, paint(window, panel, options))


def _svg(window: MainWindow, panel: ExportPanel, options: Options) -> Work:
    _check(window, panel)
    theme = theme_for(window, options.colours)
    with dressed(panel.widget, theme, window.theme):
        drawing = drawing_of(panel.widget, panel.title, options.size, theme.window)
    return lambda: drawing


# -- the text ------------------------------------------------------------------------------------


def _texts(window: MainWindow) -> Iterator[ExportFormat]:
    both = (Colours.BOTH, *_ONE_SCHEME)
    yield ExportFormat(
        "html", "The whole text as a web page (HTML)", "text", ".html",
        partial(_html, window), both,
    )  # fmt: skip
    yield ExportFormat(
        "text-svg", "The whole text as a drawing (SVG)", "text", ".svg",
        partial(_text_svg, window), _ONE_SCHEME,
    )  # fmt: skip
    yield ExportFormat(
        "ansi", "The whole text for a terminal (24-bit colours)", "text", ".ansi",
        partial(_ansi, window, True), _ONE_SCHEME,
    )  # fmt: skip
    yield ExportFormat(
        "ansi-256", "The whole text for a terminal (256 colours)", "text", ".ansi",
        partial(_ansi, window, False), _ONE_SCHEME,
    )  # fmt: skip


def _cut(window: MainWindow) -> Callable[[], ColouredText]:
    """What takes the text apart as it is shown now."""
    shown = window.text_panel.shown_cut()
    if shown is None:
        raise PictureError("The text is not cut into tokens yet; train first, or wait for it.")
    cut, history = shown
    tokens = Tokens(cut.ids, cut.starts, cut.ends, cut.firsts, cut.lasts)
    colours = cut.colours.tolist()
    text = cut.characters.text
    return partial(
        coloured_text,
        *(text, tokens, colours),
        closes_word=history.ends_word,
        token_bytes=history.bytes_in_text,
    )


def _schemes(window: MainWindow, colours: Colours) -> list[Scheme]:
    wanted = (Colours.LIGHT, Colours.DARK) if colours is Colours.BOTH else (colours,)
    return [scheme_of(theme_for(window, one)) for one in wanted]


def _html(window: MainWindow, options: Options) -> Work:
    text, schemes = _cut(window), _schemes(window, options.colours)
    about = About("A text and its tokens", _said(window))
    return lambda: html_text(text(), schemes, about)


def _text_svg(window: MainWindow, options: Options) -> Work:
    text, [scheme] = _cut(window), _schemes(window, options.colours)
    return lambda: svg_text(text(), scheme, "A text and its tokens")


def _ansi(window: MainWindow, true_colour: bool, options: Options) -> Work:
    text, [scheme] = _cut(window), _schemes(window, options.colours)
    return lambda: ansi_text(text(), scheme, true_colour=true_colour)


def _said(window: MainWindow) -> str:
    """What cut the text."""
    history, position = window.player.history, window.player.position
    assert history is not None, "what is cut was cut by a run"
    return f"Cut by the recipe {history.recipe.name} after {counted(position, 'merge')}."


# -- tables and merges ---------------------------------------------------------------------------


def _table(window: MainWindow, panel: str, number: int, table: ExportTable) -> ExportFormat:
    """A panel may have several tables."""
    behind = "" if number == 1 else f"-{number}"
    title = f"{table.title} (CSV)"
    make = partial(_csv, window, panel, table)
    return ExportFormat(f"csv{behind}", title, f"{panel}{behind}", ".csv", make)


def _csv(window: MainWindow, panel: str, table: ExportTable, options: Options) -> Work:
    if sentence := why_not_told(window, panel):
        raise PictureError(sentence)
    lines = table.take()
    if lines is None:
        reason = nothing_in(window, panel) or "train first, or wait for it"
        raise PictureError(f"This table is empty as yet: {reason}.")
    return partial(csv_parts, lines)


def _merges(window: MainWindow) -> Iterator[ExportFormat]:
    for name, written in (("md", "table (Markdown)"), ("csv", "table (CSV)")):
        as_csv = name == "csv"
        yield ExportFormat(
            name, f"All of them: {written}", "merges", f".{name}",
            partial(_merge_table, window, as_csv, False), unseen=_ALL_MERGES,
        )  # fmt: skip
        yield ExportFormat(
            f"{name}-here", f"Those before the cursor: {written}", "merges", f".{name}",
            partial(_merge_table, window, as_csv, True), unseen=_MERGES_HERE,
        )  # fmt: skip


def _merge_table(window: MainWindow, as_csv: bool, to_cursor: bool, options: Options) -> Work:
    history, position = window.player.history, window.player.position
    if history is None:
        raise PictureError("There is no run yet; train first.")
    if not to_cursor and (sentence := why_not_told(window)):
        raise PictureError(sentence)
    merges = merges_of(history, position if to_cursor else len(history))
    return partial(merges_as_csv if as_csv else merges_as_markdown, merges)
