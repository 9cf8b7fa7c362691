"""A session in a window that nobody sees, for pictures and animations without a display."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QByteArray,
    QCoreApplication,
    QEvent,
    QEventLoop,
    QObject,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QImage, QImageWriter

from bpe_gui.exporting.stretch import AnimationError
from bpe_gui.exporting.tables import csv_parts
from bpe_gui.files import replacing, write_atomically
from bpe_gui.render_arguments import RenderError, RenderRequest
from bpe_gui.sessions import Session
from bpe_gui.ui.exporting.animation_choice import AnimationChoice
from bpe_gui.ui.exporting.coming_to_rest import come_to_rest, interruptible, until
from bpe_gui.ui.exporting.filming import Filming
from bpe_gui.ui.exporting.hidden_panels import HiddenPanels
from bpe_gui.ui.exporting.panels import ExportPanel, bring_into_view, panels_of
from bpe_gui.ui.exporting.picture import PictureError, drawing_of, picture_of
from bpe_gui.ui.exporting.scene import PANELS, WINDOW, Look
from bpe_gui.ui.exporting.tables import tables_of
from bpe_gui.ui.keeping.restoring import restore
from bpe_gui.ui.text_size import LARGEST, SMALLEST, set_text_scale
from bpe_gui.ui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from bpe_gui.ui.main_window import MainWindow


def picture(request: RenderRequest, session: Session) -> None:
    """Write a panel as .png or .svg, at the session's position or another."""
    with _window(request, session) as window:
        panel = _panel(window, request)
        try:
            if panel.name in PANELS:
                _following_panel(window, request, panel)
            else:
                _any_panel(window, request, panel)
        except PictureError as error:
            raise RenderError(str(error).rstrip(".")) from None
        except AnimationError as error:
            raise RenderError(str(error)) from None


def _following_panel(window: MainWindow, request: RenderRequest, panel: ExportPanel) -> None:
    """Write a panel that is a function of the position: it says when it is drawn."""
    scene = window.animating.scene()
    assert scene is not None, "a session has a run"
    width, height = request.size or panel.widget.size().toTuple()
    text = (request.text_size or 100) / 100
    look = Look((panel.name,), width, height, request.scale, window.theme, text, caption=False)
    hidden = HiddenPanels(scene, look)
    try:
        with until(hidden.drawn):
            hidden.ask(window.player.position)
        if request.ending == ".svg":
            write_atomically(request.output, hidden.drawing(panel.title))
        else:
            _save(hidden.picture(), request.output)
    finally:
        hidden.close()


def _any_panel(window: MainWindow, request: RenderRequest, panel: ExportPanel) -> None:
    """Write a panel of the window, once it has come to rest."""
    size = QSize(*request.size) if request.size is not None else None
    bring_into_view(window, panel)
    if panel.name == WINDOW and size is not None:
        window.resize(size)
    least = panel.widget.minimumSizeHint()
    if size is not None and size.expandedTo(least) != size:
        raise RenderError(
            f"the panel {panel.name} needs {least.width():,} by {least.height():,} at least, and "
            f"would have {size.width():,} by {size.height():,}; make the picture larger"
        )
    come_to_rest(window, panel)
    if request.ending == ".svg":
        write_atomically(request.output, drawing_of(panel.widget, panel.title, size))
    else:
        _save(picture_of(panel.widget, request.scale, size), request.output)


def table(request: RenderRequest, session: Session) -> None:
    """Write the table of a panel as .csv, with all of its rows."""
    with _window(request, session) as window:
        panel = _panel(window, request)
        tables = tables_of(window)
        if panel.name not in tables:
            raise RenderError(f"the panel {panel.name} has no table; {', '.join(tables)} have")
        bring_into_view(window, panel)
        come_to_rest(window, panel)
        lines = tables[panel.name][0].take()
        if lines is None:
            raise RenderError(f"the table of the panel {panel.name} has no rows yet")
        write_atomically(request.output, csv_parts(lines))


def animate(request: RenderRequest, session: Session, tell: Callable[[int, int], None]) -> None:
    """Write an animation; `tell` is told how many frames of all are drawn."""
    with _window(request, session) as window:
        end = window.player.end
        scene = window.animating.scene()
        width, height = request.size or (1280, 720)
        choice = AnimationChoice(
            start=request.start or 0,
            stop=end if request.stop is None else request.stop,
            ending=request.ending,
            panels=request.panels or (WINDOW,),
            merges=request.merges,
            most_frames=request.frames,
            frames_a_second=request.frames_a_second,
            hold=request.hold,
            loop=request.loop,
            width=width,
            height=height,
            scale=request.scale,
            text=(request.text_size or 100) / 100,
            caption=request.caption,
        )
        assert scene is not None, "a session has a run"
        filming = Filming(polite=False)
        waiting = _Waiting(filming, tell)
        try:
            look, stretch = choice.look(window.theme), choice.stretch()
            filming.start(Path(request.output), scene, look, stretch, loop=choice.loop)
            waiting.wait()
        except AnimationError as error:
            raise RenderError(str(error)) from None
        finally:
            filming.close()


class _Waiting(QObject):
    """Handles events until an animation is complete."""

    def __init__(self, filming: Filming, tell: Callable[[int, int], None]) -> None:
        super().__init__()
        self._tell = tell
        self._filming = filming
        self._problem: str | None = None
        self._loop = QEventLoop()
        filming.progressed.connect(self._on_progress)
        filming.finished.connect(self._loop.quit)
        filming.failed.connect(self._on_failed)

    def wait(self) -> None:
        """Return when it is; raises RenderError if it never will be, KeyboardInterrupt."""
        with interruptible(self._filming.cancel) as interrupted:
            self._loop.exec()
        if interrupted:
            raise KeyboardInterrupt
        if self._problem is not None:
            raise RenderError(self._problem.rstrip("."))

    @Slot(int, int)
    def _on_progress(self, done: int, total: int) -> None:
        self._tell(done, total)

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._problem = problem
        self._loop.quit()


@contextmanager
def _window(request: RenderRequest, session: Session) -> Iterator[MainWindow]:
    """The window with the session in it, off the screen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from bpe_gui.app import make_application
    from bpe_gui.ui.main_window import MainWindow

    make_application()
    window = MainWindow()
    try:
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        restore(window, session)
        if request.dark is not None:
            window.set_theme(DARK if request.dark else LIGHT)
        if request.position is not None:
            window.player.scrub(request.position)
        if request.text_size is not None:
            if not SMALLEST <= request.text_size / 100 <= LARGEST:
                raise RenderError(
                    f"text can be between {SMALLEST:.0%} and {LARGEST:.0%} of its size"
                )
            set_text_scale(window, request.text_size / 100)
        window.show()
        yield window
    finally:
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete.value)


def _panel(window: MainWindow, request: RenderRequest) -> ExportPanel:
    panels = panels_of(window)
    if len(request.panels) > 1:
        raise RenderError(
            f"{request.ending} is for one panel; --panel window is a picture of all of them"
        )
    name = request.panels[0] if request.panels else WINDOW
    if name not in panels:
        raise RenderError(f"there is no panel {name!r}; there are {', '.join(panels)}")
    return panels[name]


def _save(image: QImage, output: str) -> None:
    """Write a picture as PNG, whole or not at all."""
    with replacing(output) as beside:
        writer = QImageWriter(str(beside), QByteArray(b"png"))
        if not writer.write(image):
            raise RenderError(f"{output} cannot be written: {writer.errorString()}")
