"""A session in a window that nobody sees, for pictures and animations without a display."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QSize, Signal, Slot

from bpe_gui.app import window_off_screen
from bpe_gui.exporting.animation import AnimationError
from bpe_gui.exporting.tables import csv_parts
from bpe_gui.files import write_atomically
from bpe_gui.progress import counted
from bpe_gui.render_arguments import FIRST_PANELS
from bpe_gui.render_request import MOVING, PICTURES, RenderError, RenderRequest
from bpe_gui.sessions import Session
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.animation_recorder import AnimationRecorder
from bpe_gui.ui.export.figure import as_figure, give_size
from bpe_gui.ui.export.hidden_panels import AnimationChoice, HiddenPanels, RenderState
from bpe_gui.ui.export.panels import (
    WINDOW,
    ExportPanel,
    bring_into_view,
    name_of,
    panel_names,
    panels_of,
    way_back,
)
from bpe_gui.ui.export.picture import (
    Caption,
    PictureError,
    check_pixels,
    encoded,
    pdf_of,
    picture_of,
    room_above,
)
from bpe_gui.ui.export.schemes import temporary_theme
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.export.wait_until_idle import Interrupts, come_to_rest, until
from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.session.snapshot import restore
from bpe_gui.ui.theme.text_size import LARGEST, SMALLEST, set_text_scale
from bpe_gui.ui.widgets.sentences import as_reason

_SIZE = (1280, 720)
"""The default size of an animation."""


def paint(
    requests: Sequence[RenderRequest], session: Session, report: Callable[[int, int], None]
) -> None:
    """Write pictures, tables and animations of a session, one after another, by one window.

    Of several, a panel that has nothing to show keeps none of the others from being written;
    RenderError names all such panels at the end.
    `report` gets the number of frames that are drawn of an animation, and of all.
    """
    requests = [
        replace(request, panels=tuple(map(name_of, request.panels))) for request in requests
    ]
    try:
        for request in requests:
            _check(request, session)
        with Interrupts() as interrupts, window_off_screen() as context:
            _prepare(context, requests[0], session)
            empty = []
            for request in requests:
                try:
                    _paint(context, request, session, interrupts, report)
                except _EmptyPanelError as error:
                    empty.append(str(error))
            if empty:
                raise RenderError("; ".join(dict.fromkeys(empty)))
    except PictureError as error:
        raise RenderError(as_reason(error)) from None
    except AnimationError as error:
        raise RenderError(str(error)) from None


def _check(request: RenderRequest, session: Session) -> None:
    """Raise RenderError, PictureError or AnimationError for what no window is needed to refuse."""
    if request.ending in MOVING:
        choice = _choice(request, len(session.branches[session.shown].history))
        _check_text_size(request)
        choice.stretch()
        return
    _panel_of(request, panel_names())
    _check_text_size(request)
    if request.size is not None:
        # Now, not only when it is painted: its layout may take more memory than there is.
        check_pixels(QSize(*request.size), request.scale)


def _paint(
    context: Context,
    request: RenderRequest,
    session: Session,
    interrupts: Interrupts,
    report: Callable[[int, int], None],
) -> None:
    """Write a file. The window has its first arrangement and size again afterwards."""
    go_back, size = way_back(context), context.window.size()
    position = session.position if request.position is None else request.position
    if context.player.position != position:
        context.player.scrub(position)
    try:
        if request.ending in MOVING:
            _write_animation(context, request, interrupts, report)
        else:
            panel = panels_of(context)[_panel_of(request, panel_names())]
            write = _write_picture if request.ending in PICTURES else _write_table
            write(context, request, panel, interrupts)
    finally:
        go_back()
        context.window.resize(size)


def _write_picture(
    context: Context, request: RenderRequest, panel: ExportPanel, interrupts: Interrupts
) -> None:
    """Write a panel of the window, once it is idle."""
    size, caption = QSize(*request.size) if request.size is not None else None, None
    bring_into_view(context, panel)
    if request.caption:
        widget, theme = panel.widget, context.theme_choice.theme
        caption = Caption(request.caption, size or widget.size(), context.window.font(), theme)
        size = room_above(caption, size)
    if panel.name == WINDOW:
        if size is not None:
            context.window.resize(size)
        _write_painted(context, request, panel, interrupts, size, caption)
        return
    come_to_rest(context, panel, interrupts)
    _check_content(panel)
    scale = None if request.text_size is None else request.text_size / 100
    theme = context.theme_choice.theme.on_paper()
    with temporary_theme(panel.widget, theme), as_figure(panel.widget, size, scale):
        _write_painted(context, request, panel, interrupts, size, caption, theme.window)


def _write_painted(
    context: Context,
    request: RenderRequest,
    panel: ExportPanel,
    interrupts: Interrupts,
    size: QSize | None,
    caption: Caption | None,
    ground: str = "",
) -> None:
    least = panel.widget.minimumSizeHint()
    if size is not None and size.expandedTo(least) != size:
        raise RenderError(
            f"the panel {panel.name} needs {least.width():,} by {least.height():,} at least, and "
            f"would have {size.width():,} by {size.height():,}; make the picture larger"
        )
    come_to_rest(context, panel, interrupts)
    _check_content(panel)
    if context.message_bar.isVisible():
        # Messages are for somebody who sits at the window.
        context.message_bar.withdraw_all()
        come_to_rest(context, panel, interrupts)
    if size is not None:
        # What scrolls a panel has given it another size meanwhile.
        give_size(panel.widget, size)
    if request.ending == ".svg":
        drawing = drawing_of(panel.widget, panel.title, ground, caption)
        write_atomically(request.output, drawing)
    elif request.ending == ".pdf":
        ground = ground or context.theme_choice.theme.window
        write_atomically(request.output, pdf_of(panel.widget, panel.title, ground, caption))
    else:
        image = picture_of(panel.widget, request.scale, ground, caption)
        write_atomically(request.output, encoded(image))


def _write_table(
    context: Context, request: RenderRequest, panel: ExportPanel, interrupts: Interrupts
) -> None:
    """Write the table of a panel as .csv, with all of its rows."""
    tables, name = [*panel.tables.values()], panel.name
    if not tables:
        panels = panels_of(context).values()
        others = ", ".join(other.name for other in panels if other.tables)
        raise RenderError(f"the panel {name} has no table; {others} have")
    if not 1 <= request.table <= (count := len(tables)):
        raise RenderError(
            f"the panel {name} has {counted(count, 'table')}, so there is none with the "
            f"number {request.table:,}"
        )
    bring_into_view(context, panel)
    come_to_rest(context, panel, interrupts)
    lines = tables[request.table - 1]()
    if lines is None:
        reason = panel.emptiness()
        why = f": {reason}" if reason else " yet"
        raise RenderError(f"the table of the panel {name} has no rows{why}")
    write_atomically(request.output, csv_parts(lines))


def _write_animation(
    context: Context,
    request: RenderRequest,
    interrupts: Interrupts,
    report: Callable[[int, int], None],
) -> None:
    """Write panels as they change from merge to merge."""
    scene = RenderState.of(context)
    assert scene is not None, "a session has a run"
    choice = _choice(request, len(scene.history))
    found = panels_of(context)
    for name in choice.panels:
        _check_content(found[name])
    filming = AnimationRecorder(polite=False)
    outcome = _Outcome(filming, report)
    panels = HiddenPanels(scene, choice, context.theme_choice.theme)
    try:
        with until(outcome.ended, interrupts):
            filming.start(Path(request.output), panels, choice.stretch(), loop=choice.loop)
    finally:
        filming.cancel()
        end_tasks(filming)
    if problem := outcome.problem:
        named = problem.startswith(request.output)
        raise RenderError(problem.rstrip(".") if named else as_reason(problem))


def _choice(request: RenderRequest, end: int) -> AnimationChoice:
    """Return what a user would have chosen in the dialog; the run has `end` merges."""
    width, height = request.size or _SIZE
    return AnimationChoice(
        start=request.start or 0,
        stop=end if request.stop is None else request.stop,
        ending=request.ending,
        panels=request.panels or FIRST_PANELS,
        merges=request.merges,
        most_frames=request.frames,
        frames_a_second=request.frames_a_second,
        hold=request.hold,
        loop=request.loop,
        width=width,
        height=height,
        scale=request.scale,
        text=None if request.text_size is None else request.text_size / 100,
        caption=request.with_caption,
        motion=request.motion,
    )


class _Outcome(QObject):
    """Follows an animation to its end; `problem` is a sentence if it has failed."""

    ended = Signal()
    """The animation is complete, or has failed."""

    def __init__(self, filming: AnimationRecorder, report: Callable[[int, int], None]) -> None:
        super().__init__()
        self._report = report
        self.problem = ""
        filming.progressed.connect(self._on_progress)
        filming.finished.connect(self.ended)
        filming.failed.connect(self._on_failed)

    @Slot(int, int)
    def _on_progress(self, done: int, total: int) -> None:
        self._report(done, total)

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self.problem = problem
        self.ended.emit()


def _prepare(context: Context, request: RenderRequest, session: Session) -> None:
    """Bring the session into the window, as it is to be seen."""
    restore(context, session)
    if request.palette is not None:
        context.palette_choice.choose(request.palette)
    if request.dark is not None:
        context.theme_choice.choose("dark" if request.dark else "light")
    if request.text_size is not None:
        set_text_scale(context.window, request.text_size / 100)


class _EmptyPanelError(RenderError):
    """A panel has nothing to show."""


def _check_content(panel: ExportPanel) -> None:
    if reason := panel.emptiness():
        raise _EmptyPanelError(f"the panel {panel.name} has nothing to show: {reason}")


def _check_text_size(request: RenderRequest) -> None:
    if request.text_size is not None and not SMALLEST <= request.text_size / 100 <= LARGEST:
        raise RenderError(f"text can be between {SMALLEST:.0%} and {LARGEST:.0%} of its size")


def _panel_of(request: RenderRequest, names: Sequence[str]) -> str:
    """Return the panel that is asked for; the whole window if none is."""
    if len(request.panels) > 1:
        raise RenderError(
            f"{request.ending} is for one panel; --panel window is a picture of all of them, and "
            "-o with a folder makes one of each"
        )
    name = request.panels[0] if request.panels else WINDOW
    if name not in names:
        raise RenderError(f"there is no panel {name!r}; there are {', '.join(names)}")
    return name
