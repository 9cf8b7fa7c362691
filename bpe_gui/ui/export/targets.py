"""The formats of each panel. Files are made in two steps: on the window's thread what needs the
window, and the rest on another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from functools import partial

from msgspec import Struct
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
from bpe_gui.ui.export.figure import as_figure
from bpe_gui.ui.export.panels import WINDOW, ExportPanel, panels_of, why_not_told
from bpe_gui.ui.export.picture import Caption, PictureError, encoded, pdf_of, picture_of, room_above
from bpe_gui.ui.export.schemes import scheme_of, temporary_theme
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme

PAINTED = ("png", "svg", "pdf")
"""The names of the formats that show a panel as it looks."""
UNSEEN = "Not a picture: it is written with all that it has, also what is out of sight."
_ALL_MERGES = "Not a picture: all merges of the run are written, wherever the cursor is."
_MERGES_HERE = "Not a picture: only the merges before the cursor are written, none after it."


class Colours(StrEnum):
    """The colours of an export. The values are for people."""

    NOW = "Same as window"
    LIGHT = "Light"
    DARK = "Dark"
    BOTH = "Light or dark, as the reader wishes"


_ONE_SCHEME = (Colours.NOW, Colours.LIGHT, Colours.DARK)


class Options(Struct, frozen=True):
    """The looks of an export: `size` is that of the picture, by default that of the panel.

    caption: a sentence below the picture, which is in its size if that is given.
    """

    scale: int = 2
    size: QSize | None = None
    colours: Colours = Colours.NOW
    caption: str = ""


Work = Callable[[], Content]
"""Makes the content of a file, on any thread."""


class ExportFormat(Struct, frozen=True, eq=False):
    """One way to export something.

    stem, ending: the name that is proposed.
    make: called on the window's thread; raises PictureError if there is nothing to export.
    colours: those to choose from. scaled, sized: whether the options `scale` and `size` count.
    unseen: what is written, if it is no picture.
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


class ExportTarget(Struct, frozen=True, eq=False):
    """Something that can be exported: a panel, or the merges."""

    name: str
    title: str
    offers: Sequence[ExportFormat]
    panel: ExportPanel | None = None


def subjects_of(context: Context) -> list[ExportTarget]:
    """Return all that can be exported, in the order in which it is offered."""
    subjects = []
    for panel in panels_of(context).values():
        offers = [*_pictures(context, panel)]
        if panel.name == "text":
            offers += _texts(context)
        offers += _tables(context, panel)
        subjects.append(ExportTarget(panel.name, panel.title, offers, panel))
    subjects.append(ExportTarget("merges", "The merges of the run", [*_merges(context)]))
    return subjects


def theme_for(context: Context, colours: Colours) -> Theme:
    """Return the theme with these colours, and tokens as the window has them."""
    theme = {Colours.LIGHT: LIGHT, Colours.DARK: DARK}.get(colours, context.theme_choice.theme)
    by = context.colouring_choice.by
    return theme.with_palette(context.palette_choice.palette).coloured_by(by)


# -- panels --------------------------------------------------------------------------------------


def _pictures(context: Context, panel: ExportPanel) -> Iterator[ExportFormat]:
    # The colours of the whole window are those of the application.
    colours = () if panel.name == WINDOW else _ONE_SCHEME
    for name, title, make in (
        ("png", "Picture (PNG)", lambda *asked: partial(encoded, paint(*asked))),
        ("svg", "Drawing (SVG)", partial(_draw, drawing_of)),
        ("pdf", "Drawing (PDF)", partial(_draw, pdf_of)),
    ):
        yield ExportFormat(
            name, title, panel.name, f".{name}", partial(make, context, panel), colours,
            scaled=name == "png", sized=panel.name != WINDOW,
        )  # fmt: skip


def paint(context: Context, panel: ExportPanel, options: Options) -> QImage:
    """Paint a panel as a picture. Raises PictureError if it is empty, or too large."""
    with _figure(context, panel, options) as (theme, caption):
        return picture_of(panel.widget, options.scale, ground=theme.window, caption=caption)


@contextmanager
def _figure(
    context: Context, panel: ExportPanel, options: Options
) -> Iterator[tuple[Theme, Caption | None]]:
    """Give a panel its size and its colours in a figure for a while; the window stays as it is.

    Raises PictureError for a panel that is empty.
    """
    if reason := panel.emptiness():
        raise PictureError(f"There is nothing to export yet: {reason}.")
    theme, caption = theme_for(context, options.colours), None
    if options.caption:
        size = options.size or panel.widget.size()
        caption = Caption(options.caption, size, context.window.font(), theme)
    room = room_above(caption, options.size)
    with ExitStack() as looks:
        if panel.name != WINDOW:
            theme = theme.on_paper()
        looks.enter_context(temporary_theme(panel.widget, theme))
        if panel.name != WINDOW:
            looks.enter_context(as_figure(panel.widget, room))
        yield theme, caption


def _draw(
    draw: Callable[..., Content], context: Context, panel: ExportPanel, options: Options
) -> Work:
    with _figure(context, panel, options) as (theme, caption):
        drawing = draw(panel.widget, panel.title, ground=theme.window, caption=caption)
    return lambda: drawing


# -- the text ------------------------------------------------------------------------------------


def _texts(context: Context) -> Iterator[ExportFormat]:
    for name, kind, ending, make, colours in (
        ("html", "as a web page (HTML)", ".html", _html, (Colours.BOTH, *_ONE_SCHEME)),
        ("text-svg", "as a drawing (SVG)", ".svg", _text_svg, _ONE_SCHEME),
        ("ansi", "for a terminal (24-bit colours)", ".ansi", _ansi, _ONE_SCHEME),
        ("ansi-256", "for a terminal (256 colours)", ".ansi", partial(_ansi, true_colour=False),
         _ONE_SCHEME),
    ):
        title = f"The whole text {kind}"
        yield ExportFormat(name, title, "text", ending, partial(make, context), colours)


def _cut(context: Context) -> Callable[[], ColouredText]:
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
    history, position = context.player.history, context.player.position
    assert history is not None, "a run has tokenized the text"
    said = f"Cut by the recipe {history.recipe.name} after {counted(position, 'merge')}."
    return lambda: html_text(text(), schemes, About("A text and its tokens", said))


def _text_svg(context: Context, options: Options) -> Work:
    text, [scheme] = _cut(context), _schemes(context, options.colours)
    return lambda: svg_text(text(), scheme, "A text and its tokens")


def _ansi(context: Context, options: Options, *, true_colour: bool = True) -> Work:
    text, [scheme] = _cut(context), _schemes(context, options.colours)
    return lambda: ansi_text(text(), scheme, true_colour=true_colour)


# -- tables and merges ---------------------------------------------------------------------------


def _tables(context: Context, panel: ExportPanel) -> Iterator[ExportFormat]:
    for number, title in enumerate(panel.tables, 1):
        suffix = "" if number == 1 else f"-{number}"
        make = partial(_csv, context, panel, title)
        yield ExportFormat(f"csv{suffix}", f"{title} (CSV)", f"{panel.name}{suffix}", ".csv", make)


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
