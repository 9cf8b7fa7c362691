"""What can be exported of each panel, and how it is made: first what needs the window, then the
rest, on another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

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
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.panels import WINDOW, ExportPanel, panels_of, why_not_told
from bpe_gui.ui.export.picture import PictureError, encoded, picture_of
from bpe_gui.ui.export.schemes import scheme_of, temporary_theme
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme

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


def subjects_of(context: Context) -> list[ExportTarget]:
    """All that can be exported, in the order in which it is offered."""
    subjects = []
    for panel in panels_of(context).values():
        offers = [*_pictures(context, panel)]
        if panel.name == "text":
            offers += _texts(context)
        offers += [
            _table(context, panel, number, title) for number, title in enumerate(panel.tables, 1)
        ]
        subjects.append(ExportTarget(panel.name, panel.title, offers, panel))
    subjects.append(ExportTarget("merges", "The merges of the run", [*_merges(context)]))
    return subjects


def theme_for(context: Context, colours: Colours) -> Theme:
    """The theme with these colours; tokens are as they are in the window."""
    theme = {Colours.LIGHT: LIGHT, Colours.DARK: DARK}.get(colours, context.theme_choice.theme)
    return theme.with_palette(context.palette_choice.palette)


# -- panels --------------------------------------------------------------------------------------


def _pictures(context: Context, panel: ExportPanel) -> Iterator[ExportFormat]:
    # The colours of the whole window are those of the application.
    colours = () if panel.name == WINDOW else _ONE_SCHEME
    yield ExportFormat(
        "png", "Picture (PNG)", panel.name, ".png", partial(_png, context, panel),
        colours, scaled=True, sized=panel.name != WINDOW,
    )  # fmt: skip
    yield ExportFormat(
        "svg", "Drawing (SVG)", panel.name, ".svg", partial(_svg, context, panel),
        colours, sized=panel.name != WINDOW,
    )  # fmt: skip


def paint(context: Context, panel: ExportPanel, options: Options) -> QImage:
    """A panel as a picture. Raises PictureError for one that is empty, or too large."""
    _check(panel)
    theme = theme_for(context, options.colours)
    with temporary_theme(panel.widget, theme):
        return picture_of(panel.widget, options.scale, options.size, theme.window)


def _check(panel: ExportPanel) -> None:
    """Raise PictureError for a panel that only invites to do something."""
    if reason := panel.emptiness():
        raise PictureError(f"There is nothing to export yet: {reason}.")


def _png(context: Context, panel: ExportPanel, options: Options) -> Work:
    return partial(encoded, paint(context, panel, options))


def _svg(context: Context, panel: ExportPanel, options: Options) -> Work:
    _check(panel)
    theme = theme_for(context, options.colours)
    with temporary_theme(panel.widget, theme):
        drawing = drawing_of(panel.widget, panel.title, options.size, theme.window)
    return lambda: drawing


# -- the text ------------------------------------------------------------------------------------


def _texts(context: Context) -> Iterator[ExportFormat]:
    both = (Colours.BOTH, *_ONE_SCHEME)
    yield ExportFormat(
        "html", "The whole text as a web page (HTML)", "text", ".html",
        partial(_html, context), both,
    )  # fmt: skip
    yield ExportFormat(
        "text-svg", "The whole text as a drawing (SVG)", "text", ".svg",
        partial(_text_svg, context), _ONE_SCHEME,
    )  # fmt: skip
    yield ExportFormat(
        "ansi", "The whole text for a terminal (24-bit colours)", "text", ".ansi",
        partial(_ansi, context, True), _ONE_SCHEME,
    )  # fmt: skip
    yield ExportFormat(
        "ansi-256", "The whole text for a terminal (256 colours)", "text", ".ansi",
        partial(_ansi, context, False), _ONE_SCHEME,
    )  # fmt: skip


def _cut(context: Context) -> Callable[[], ColouredText]:
    """What takes the text apart as it is shown now."""
    shown = context.explore.text_panel.shown_cut()
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


def _schemes(context: Context, colours: Colours) -> list[Scheme]:
    wanted = (Colours.LIGHT, Colours.DARK) if colours is Colours.BOTH else (colours,)
    return [scheme_of(theme_for(context, one)) for one in wanted]


def _html(context: Context, options: Options) -> Work:
    text, schemes = _cut(context), _schemes(context, options.colours)
    about = About("A text and its tokens", _said(context))
    return lambda: html_text(text(), schemes, about)


def _text_svg(context: Context, options: Options) -> Work:
    text, [scheme] = _cut(context), _schemes(context, options.colours)
    return lambda: svg_text(text(), scheme, "A text and its tokens")


def _ansi(context: Context, true_colour: bool, options: Options) -> Work:
    text, [scheme] = _cut(context), _schemes(context, options.colours)
    return lambda: ansi_text(text(), scheme, true_colour=true_colour)


def _said(context: Context) -> str:
    """What cut the text."""
    history, position = context.player.history, context.player.position
    assert history is not None, "what is cut was cut by a run"
    return f"Cut by the recipe {history.recipe.name} after {counted(position, 'merge')}."


# -- tables and merges ---------------------------------------------------------------------------


def _table(context: Context, panel: ExportPanel, number: int, title: str) -> ExportFormat:
    """A panel may have several tables."""
    behind = "" if number == 1 else f"-{number}"
    make = partial(_csv, context, panel, title)
    return ExportFormat(f"csv{behind}", f"{title} (CSV)", f"{panel.name}{behind}", ".csv", make)


def _csv(context: Context, panel: ExportPanel, title: str, options: Options) -> Work:
    if panel.tells_next and (sentence := why_not_told(context.actions)):
        raise PictureError(sentence)
    lines = panel.tables[title]()
    if lines is None:
        reason = panel.emptiness() or "train first, or wait for it"
        raise PictureError(f"This table is empty as yet: {reason}.")
    return partial(csv_parts, lines)


def _merges(context: Context) -> Iterator[ExportFormat]:
    for name, written in (("md", "table (Markdown)"), ("csv", "table (CSV)")):
        as_csv = name == "csv"
        yield ExportFormat(
            name, f"All of them: {written}", "merges", f".{name}",
            partial(_merge_table, context, as_csv, False), unseen=_ALL_MERGES,
        )  # fmt: skip
        yield ExportFormat(
            f"{name}-here", f"Those before the cursor: {written}", "merges", f".{name}",
            partial(_merge_table, context, as_csv, True), unseen=_MERGES_HERE,
        )  # fmt: skip


def _merge_table(context: Context, as_csv: bool, to_cursor: bool, options: Options) -> Work:
    history, position = context.player.history, context.player.position
    if history is None:
        raise PictureError("There is no run yet; train first.")
    if not to_cursor and (sentence := why_not_told(context.actions)):
        raise PictureError(sentence)
    merges = merges_of(history, position if to_cursor else len(history))
    return partial(merges_as_csv if as_csv else merges_as_markdown, merges)
