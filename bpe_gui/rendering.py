"""`bpe-gui render`: a session as pictures, animations, pages, texts and tables.

Qt is loaded only by what has to be painted, and needs no display.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.exporting.coloured_text import Scheme, coloured_text
from bpe_gui.exporting.html_text import About, html_text
from bpe_gui.exporting.player_page import PageError, player_page
from bpe_gui.exporting.svg import svg_text
from bpe_gui.exporting.tables import merges_as_csv, merges_as_markdown, merges_of
from bpe_gui.exporting.terminal_text import ansi_text
from bpe_gui.files import Content, check_writable, write_atomically
from bpe_gui.progress import counted, terminal_bars
from bpe_gui.render_request import (
    TABLES,
    TEXTS,
    RenderError,
    RenderRequest,
)
from bpe_gui.sessions import Session, load_session
from bpe_gui.ui.theme.token_palettes import QUIET, TokenPalette, palette_named


def render(requests: Sequence[RenderRequest]) -> None:
    """Write the files that were asked for of a session, each whole or not at all.

    An error leaves the files that were written before. Raises RenderError and SessionError with
    one sentence, and OSError.
    """
    for request in requests:
        if not request.in_folder:
            check_writable(request.output)
    session = load_session(requests[0].session)
    for request in requests:
        _check_positions(request, session)
    with _folders_of(requests):
        painted = []
        for request in requests:
            if request.player:
                _render_page(request, session)
            elif request.ending in TEXTS or request.whole:
                _render_text(request, session)
            elif request.ending in TABLES and (request.ending == ".md" or not request.panels):
                _render_merges(request, session)
            else:
                painted.append(request)
        if painted:
            _render_window(painted, session)


@contextmanager
def _folders_of(requests: Sequence[RenderRequest]) -> Iterator[None]:
    """Make the folders of outputs that are to be made; what stays empty goes again."""
    made: list[Path] = []
    try:
        for request in requests:
            folder = Path(request.output).parent
            if request.in_folder and not folder.exists():
                folder.mkdir(parents=True)
                made.append(folder)
            if request.in_folder:
                check_writable(request.output)
        yield
    finally:
        for folder in made:
            with suppress(OSError):  # it has files
                folder.rmdir()


def _render_window(requests: Sequence[RenderRequest], session: Session) -> None:
    """Write what the window has to draw or to list."""
    with terminal_bars() as bars:

        def tell(done: int, total: int) -> None:
            bars(done, total, "rendering")

        from bpe_gui.off_screen import paint

        paint(requests, session, tell)


def _check_positions(request: RenderRequest, session: Session) -> None:
    """Refuse positions that the run does not have."""
    end = len(session.branches[session.shown].history)
    for name in ("position", "start", "stop"):
        value = getattr(request, name)
        if value is not None and not 0 <= value <= end:
            raise RenderError(
                f"the run of the session has {counted(end, 'merge')}, so there is nothing at "
                f"{value:,}; choose a place from 0 to {end:,}"
            )


def _render_text(request: RenderRequest, session: Session) -> None:
    """Write the text of the session in the colours of its tokens."""
    if any(name.casefold() != "text" for name in request.panels):
        which = "--whole" if request.whole else request.ending
        raise RenderError(f"{which} is for the panel text; a picture can show any other")
    history = session.branches[session.shown].history
    position = session.position if request.position is None else request.position
    text = session.text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    schemes = _schemes(_palette(request, session))
    chosen = schemes[_is_dark(request, session)]
    try:
        tokens = Tokenizer(history, position).encode(text)
    except PatternError as error:
        raise RenderError(str(error)) from None
    from bpe_gui.ui.tokens.colours import colours_of

    colours = colours_of(text, tokens.starts).tolist()
    content = history.bytes_in_text
    coloured = coloured_text(
        text, tokens, colours, closes_word=history.ends_word, token_bytes=content
    ).with_ids(history.own_id)
    parts: Content
    if request.ending == ".html":
        said = f"Tokenized with {counted(position, 'merge')} of the recipe {history.recipe.name}."
        wanted = schemes if request.dark is None else (chosen,)
        parts = html_text(coloured, wanted, About(session.corpus.name, said))
    elif request.whole:
        parts = svg_text(coloured, chosen, session.corpus.name)
    else:
        parts = ansi_text(coloured, chosen, true_colour=request.true_colour)
    write_atomically(request.output, parts)


def _render_merges(request: RenderRequest, session: Session) -> None:
    """Write the merges of the run: all, or those before a position that was asked for."""
    history = session.branches[session.shown].history
    if request.panels:
        raise RenderError(
            f"{request.ending} is for the merges, which are in no panel; leave --panel out"
        )
    merges = merges_of(history, request.position)
    written = merges_as_csv if request.ending == ".csv" else merges_as_markdown
    write_atomically(request.output, written(merges))


def _schemes(palette: TokenPalette) -> Sequence[Scheme]:
    """Return the colours of tokens, light and dark."""
    from bpe_gui.ui.export.schemes import both_schemes

    return both_schemes(palette)


def _palette(request: RenderRequest, session: Session) -> TokenPalette:
    """Return the palette of tokens: the one that is asked for, or else that of the session."""
    return palette_named(request.palette or str(session.layout.get("palette")))


def _is_dark(request: RenderRequest, session: Session) -> bool:
    """Tell which colours are asked for, else those of the session; a window begins with dark
    ones.
    """
    return session.layout.get("theme") != "light" if request.dark is None else request.dark


def _render_page(request: RenderRequest, session: Session) -> None:
    history = session.branches[session.shown].history
    schemes: Sequence[Scheme] = ()
    if (palette := _palette(request, session)) is not QUIET:
        schemes = _schemes(palette)
    try:
        page = player_page(
            history,
            session.text,
            start=request.start or 0,
            stop=request.stop,
            title=session.corpus.name,
            schemes=schemes,
        )
    except (PageError, PatternError) as error:
        raise RenderError(str(error)) from None
    write_atomically(request.output, page)
