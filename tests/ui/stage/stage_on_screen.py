"""Puts the program on the stage of a screen of some size, and measures what is written there.

Called by `test_stage_type`: `python -m tests.ui.stage.stage_on_screen CORPUS LAYOUTS`. The
screen is that of QT_QPA_PLATFORM. Prints one JSON object: the size of the screen; for each
panel in each of the layouts what it is called, and how large the texts are: the height of an x
as a share of that of the screen; which controls are squeezed; which rows are cut; and how light
the stage is in each layout and scheme.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from xml.etree import ElementTree

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QPoint, QRect, QTimer
from PySide6.QtGui import QFont, QFontMetricsF, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsView,
    QHeaderView,
    QLineEdit,
    QTabBar,
    QWidget,
)

from bpe_gui import app
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.run.background import all_at_rest
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage.stage import StagePanels
from tests.conftest import PATIENCE
from tests.ui.driving import child
from tests.ui.stage.stages import is_at_rest

CONTROLS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)
LEAST_OF_NOTES = 1 / 62
"""The least height of a lower-case x in notes beside the text, as a share of the screen's: the name
of a panel or a lane."""
LEAST_OF_MARKS = 1 / 75
"""That of the mark of a word's end, which is known once it has been read: 11 minutes of arc from
four screen heights away."""
ROUNDING = 0.98
"""Sizes of type are whole pixels in some panels."""
BESIDE = ("text", "why", "vocabulary", "words")
"""What stands beside the panel that is measured."""


def wait_until(condition: Callable[[], object]) -> None:
    """Let the program go on until something is so, or for a minute."""
    deadline = QDeadlineTimer(PATIENCE)
    while not deadline.hasExpired():
        loop = QEventLoop()
        QTimer.singleShot(20, loop.quit)
        loop.exec()
        if condition():
            break


def opened(corpus: str) -> MainWindow:
    """The window, with a run that is trained to its end."""
    _, window = app.create(["open", corpus, "--preset", "whitespace", "--start"])
    wait_until(lambda: window.training.phase is Phase.FINISHED)
    window.player.scrub(7)
    window.explore.select_token(int(window.player.history.new_id[6]))
    return window


def shares(widget: QWidget, screen_height: int) -> list[tuple[float, str]]:
    """The texts that a widget paints, and how high an x of each is in shares of the screen."""
    ratio = QFontMetricsF(_sized(widget.font(), 1000)).xHeight() / 1000
    found = []
    for text in ElementTree.fromstring(drawing_of(widget, "stage")).iter():
        if text.tag.endswith("text") and "".join(text.itertext()).strip():
            size = float(text.attrib["font-size"].removesuffix("px"))
            found.append((size * ratio / screen_height, "".join(text.itertext())))
    return sorted(found)


def _sized(font: QFont, pixels: int) -> QFont:
    sized = QFont(font)
    sized.setPixelSize(pixels)
    return sized


@dataclass(frozen=True)
class Face:
    """What a panel of the stage may look like, and how it comes to that."""

    name: str
    panel: str
    prepare: Callable[[MainWindow], None]


def faces_of(window: MainWindow) -> list[Face]:
    """Each panel that can be chosen, some of them with all that they can show."""
    tabs = window.compare.numbers.tabs
    found = [Face(name, name, _as_it_is) for name in window.stage.names]
    found += [Face("guess", "pairs", _guess), Face("answered guess", "pairs", _answer)]
    found += [
        Face(f"numbers, {tabs.tabText(tab)}", "numbers", partial(_turn, tab=tab))
        for tab in range(1, tabs.count())
    ]
    found += [Face(f"curves {tab}", "curves", partial(_turn_curves, tab=tab)) for tab in (1, 2, 3)]
    return found


def _as_it_is(window: MainWindow) -> None:
    window.actions_.guess.setChecked(False)
    window.compare.numbers.tabs.setCurrentIndex(0)


def _guess(window: MainWindow) -> None:
    window.actions_.guess.setChecked(True)


def _answer(window: MainWindow) -> None:
    _guess(window)
    window.explore.guess.choose(0)


def _turn(window: MainWindow, tab: int) -> None:
    _as_it_is(window)
    if window.compare.source.text != joined().text:
        window.compare.source.show_story()
        wait_until(lambda: is_at_rest(window))
    window.compare.numbers.tabs.setCurrentIndex(tab)


def _turn_curves(window: MainWindow, tab: int) -> None:
    _curve_tabs(window).setCurrentIndex(tab)


def _curve_tabs(window: MainWindow) -> QTabBar:
    tabs = window.explore.curves.findChild(QTabBar, "curveTabs")
    assert tabs is not None
    return tabs


def _train_in_lockstep(window: MainWindow) -> None:
    lockstep = window.laboratory.view.lockstep
    if not lockstep.runs.all:
        lockstep.train()
        wait_until(lambda: not lockstep.runs.busy and lockstep.chart.lockstep is not None)


def squeezed(widget: QWidget) -> list[str]:
    """The controls in view in a widget that have less room than what is written on them."""
    found = []
    controls = [
        control
        for control in widget.findChildren(QWidget)
        if isinstance(control, CONTROLS) and not isinstance(control.parent(), QLineEdit)
    ]
    for control in controls:
        if not control.isVisibleTo(widget) or control.visibleRegion().isEmpty():
            continue
        place = QRect(control.mapTo(widget, QPoint()), control.size())
        least = min(control.minimumSizeHint().width(), control.maximumWidth())
        cut = place.width() < least or place.height() < control.fontMetrics().height()
        seen = control.visibleRegion().boundingRect().size()
        if cut or seen != control.size() or _overlaps(control, controls):
            found.append(f"{control.objectName()} {_words_on(control)}".strip())
    return found


def _overlaps(control: QWidget, others: Sequence[QWidget]) -> bool:
    return any(
        control.geometry().intersects(other.geometry())
        for other in others
        if other is not control and other.isVisible() and other.parent() is control.parent()
    )


def cut_rows(widget: QWidget) -> list[str]:
    """The views in a widget whose last row is cut off: letters or boxes are at the lower edge."""
    return [
        view.objectName()
        for view in widget.findChildren(QAbstractScrollArea)
        # Headings and plots have no rows.
        if view.isVisibleTo(widget) and not isinstance(view, QGraphicsView | QHeaderView)
        if _marked_at_the_edge(_lower_edge(view.viewport()))
    ]


def _lower_edge(widget: QWidget) -> QImage:
    """The last line of a widget alone: to paint all of it takes long on a large screen."""
    return widget.grab(QRect(0, widget.height() - 1, widget.width(), 1)).toImage()


def _marked_at_the_edge(image: QImage) -> bool:
    """Whether more than some thin lines are in the last line of pixels."""
    pixels = [image.pixel(x, image.height() - 1) for x in range(image.width())]
    _, ground = Counter(pixels).most_common(1)[0]
    return len(pixels) - ground > len(pixels) // 20


def _words_on(control: QWidget) -> str:
    return control.text() if isinstance(control, QAbstractButton) else ""


def _once_laid_out(window: MainWindow, faces: Sequence[Face]) -> tuple[list[str], dict[str, Any]]:
    """What is squeezed in panels when all has found its place, and the texts of each."""
    height = window.stage.show_window.height()
    without_room: list[str] = []
    texts: dict[str, list[tuple[float, str]]] = {}

    def done() -> bool:
        nonlocal without_room, texts
        if not is_at_rest(window) or not all_at_rest(window.stage.show_window):
            return False
        places = {
            face.name: child(window.stage.show_window, QWidget, f"stagePlace{place}")
            for place, face in enumerate(faces, 1)
        }
        without_room = [
            f"{name}: {what}"
            for name, frame in places.items()
            for what in squeezed(frame) + [f"{view} cuts a row" for view in cut_rows(frame)]
        ]
        texts = {name: shares(frame, height) for name, frame in places.items()}
        large = (found and found[0][0] > LEAST_OF_MARKS * ROUNDING for found in texts.values())
        return not without_room and all(large)

    wait_until(done)
    return without_room, texts


def measured(window: MainWindow, counts: Sequence[int]) -> tuple[dict[str, Any], list[str]]:
    """Each face among so many panels: its texts with their sizes; and what is squeezed.

    It ends with the first that is: each would be waited for for minutes.
    """
    stage = window.stage
    found: dict[str, Any] = {}
    problems = []
    looks = [(count, faces) for count in counts for faces in side_by_side(window, count)]
    # Last of all, for it stays trained.
    trained = Face("trained lockstep", "lockstep", _train_in_lockstep)
    for count, faces in [*looks, *((count, [trained]) for count in counts)]:
        scheme = "light" if count % 2 else "dark"
        panels = [face.panel for face in faces]
        panels += [name for name in BESIDE if name not in panels]
        stage.choice = {"panels": panels[:count], "layout": count, "scheme": scheme}
        for face in faces:
            face.prepare(window)
        without_room, texts = _once_laid_out(window, faces)
        for face in faces:
            title = StagePanels(window.context, window.touring.panel).title(face.panel)
            found[f"{face.name} in {count}"] = (title, texts[face.name])
        problems += [f"in {count}: {what}" for what in without_room]
        if problems:
            break
    _as_it_is(window)
    return found, problems


def side_by_side(window: MainWindow, count: int) -> list[list[Face]]:
    """All faces, as many at a time as have the same room: those of a panel one after another."""
    places = 1 if count == 3 else count  # the first of three is larger than the others
    groups: list[list[Face]] = []

    def alone(face: Face) -> bool:
        # To guess changes other panels; a text that scrolls is cut where others want more height.
        return face.prepare in (_guess, _answer) or face.panel == "branches"

    for face in faces_of(window):
        for group in groups:
            if alone(face) or alone(group[0]) or len(group) == places:
                continue
            if face.panel not in {other.panel for other in group}:
                group.append(face)
                break
        else:
            groups.append([face])
    return groups


def main(corpus: str, layouts: str) -> None:
    """Measure all panels, in these layouts of the stage."""
    window = opened(corpus)
    stage = window.stage
    stage.enter()
    show = stage.show_window
    wait_until(lambda: is_at_rest(window))
    counts = [int(layout) for layout in layouts]
    corners = _corners(window, counts)
    found, problems = measured(window, counts)
    bars = (window.compare.numbers.tabs.tabBar(), _curve_tabs(window))
    tabs = [bar.tabText(tab) for bar in bars for tab in range(bar.count())]
    screen = show.screen()
    size = [show.width(), show.height(), screen.devicePixelRatio()]
    window.close()
    told = {
        "size": size, "texts": found, "squeezed": problems, "tabs": tabs, "corners": corners,
    }  # fmt: skip
    print(json.dumps(told))


def _corners(window: MainWindow, counts: Sequence[int]) -> list[tuple[int, str, float]]:
    """How light a corner of the stage is, in each layout and scheme."""
    found = []
    for count in counts:
        for scheme in ("dark", "light"):
            panels = ["pairs", "text", "why", "words"][:count]
            window.stage.choice = {"panels": panels, "layout": count, "scheme": scheme}
            wait_until(lambda: is_at_rest(window))
            corner = window.stage.show_window.grab(QRect(1, 1, 1, 1)).toImage()
            found.append((count, scheme, corner.pixelColor(0, 0).lightnessF()))
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
