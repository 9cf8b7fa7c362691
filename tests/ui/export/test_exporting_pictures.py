"""Panels exported as pictures and drawings, in any size and colours, and what has none."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.encodings.measuring.curve_measuring import CurveMeasurer
from bpe_gui.render_request import RenderError
from bpe_gui.ui.actions.action_words import disabled_reason
from bpe_gui.ui.compare.merge_curves import MergeCurves
from bpe_gui.ui.export import wait_until_idle as coming_to_rest
from bpe_gui.ui.export.dialog import ExportDialog
from bpe_gui.ui.export.panels import bring_into_view, panel_names, panels_of
from bpe_gui.ui.export.picture import picture_of
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import LIGHT
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child, picture
from tests.ui.export.export_dialogs import EMPTY, export, refused, rows, texts, window
from tests.ui.export.test_pictures import pixels
from tests.ui.in_turn import InTurn, explore_again
from tests.ui.laboratory.lockstep_training import train_presets
from tests.ui.pace import Shut
from tests.ui.save_dialogs import Answer, answered

__all__ = ["window"]

MANY_SCRIPTS = "the hat – the –\n東京 naïve 👩‍👧🎉 \nשלום עולם\nمرحبا"
SVG = "{http://www.w3.org/2000/svg}"
XLINK = "http://www.w3.org/1999/xlink"
_BLOCK, _NEAR, _SHRUNK = 8, 4, 12
"""Pixels: of a square; as far something may be above or below; as far from its place the end of a
text may be, for Qt's reader does not stretch it to the width that it says of itself."""


def as_in_a_browser(drawing: str, size: QSize) -> QImage:
    """What Qt's own reader makes of a drawing, and of each part within its clip, which it ignores.

    A clip is a rectangle in the coordinates of the page.
    """
    ElementTree.register_namespace("", SVG[1:-1])
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(drawing)
    clips = {f"url(#{clip.get('id')})": clip[0].get("d") for clip in root.iter(f"{SVG}clipPath")}
    parts = [part for part in root if part.tag not in (f"{SVG}title", f"{SVG}defs")]
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    painter = QPainter(image)
    for part in parts:
        for other in parts:
            root.remove(other) if other in root else None
        root.append(part)
        painter.setClipping(False)
        if clip := clips.get(part.get("clip-path", "")):
            left, top, right, bottom, _ = map(float, re.findall(r"[-.\d]+", clip))
            painter.setClipRect(QRectF(QPointF(left, top), QPointF(right, bottom)))
        QSvgRenderer(ElementTree.tostring(root)).render(painter)
    painter.end()
    return image


def lost(
    before: NDArray[np.int64], after: NDArray[np.int64], left: int = 2, right: int = 2,
    near: int = _NEAR,
) -> list[tuple[int, int]]:
    """Where one picture has something and another nothing as strong: corners of small squares.

    So many pixels to the left and the right of where it was, and above and below, it may be found.
    """

    height, width = (-(-size // _BLOCK) * _BLOCK for size in before.shape[:2])

    def contrast(seen: NDArray[np.int64], above: int, left: int, right: int) -> NDArray[np.int64]:
        """The contrast in and around each square; beyond the edges all is as at the edges."""
        more = ((above, above + _BLOCK), (left, right + _BLOCK), (0, 0))
        padded = np.pad(seen, more, "edge")
        found = []
        for extreme in (np.maximum, np.minimum):
            lines = [padded[y : y + height : _BLOCK] for y in range(_BLOCK + 2 * above)]
            bands = extreme.reduce(lines)
            columns = [bands[:, x : x + width : _BLOCK] for x in range(_BLOCK + left + right)]
            found.append(extreme.reduce(columns))
        greatest: NDArray[np.int64] = (found[0] - found[1]).max(axis=2)
        return greatest

    weaker = contrast(after, near, left, right) < contrast(before, 0, 0, 0) * 0.6 - 20
    return [(x * _BLOCK, y * _BLOCK) for y, x in np.argwhere(weaker).tolist()]


def check_a_panel_as_a_picture_in_the_scale_that_is_chosen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "pairs.png"
    # A message lies over the window.
    size = window.explore.pair_chart.size() * 3

    def at_three(dialog: ExportDialog) -> None:
        child(dialog, QComboBox, "exportScale").setCurrentIndex(2)
        said = child(dialog, QLabel, "exportPixels").text()
        assert said == f"{size.width():,} by {size.height():,} pixels"

    said = export(qtbot, window, path, "pairs", "png", at_three)
    assert said.startswith("Saved pairs.png, ")
    image = QImage(str(path))
    assert image.size() == size


def check_with_a_caption_below(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "words.svg"

    def captioned(dialog: ExportDialog) -> None:
        child(dialog, QSpinBox, "exportWidth").setValue(640)
        child(dialog, QSpinBox, "exportHeight").setValue(300)
        edit = child(dialog, QLineEdit, "exportCaption")
        edit.setText("much too long " * 200)
        assert dialog.refused
        said = child(dialog, QLabel, "exportPreview").text()
        assert said.startswith("The caption would take more than half of 300 pixels; shorten it")
        edit.setText("Words before the merge")
        assert not dialog.refused

    export(qtbot, window, path, "words", "svg", captioned)
    drawing = ElementTree.parse(path).getroot()
    assert (drawing.get("width"), drawing.get("height")) == ("640", "300")
    assert "Words before the merge" in "".join(drawing.itertext())


def check_in_another_size_and_other_colours_and_the_window_stays_as_it_was(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "words.png"
    bring_into_view(window.context, panels_of(window.context)["words"])
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)
    before = picture(window.explore.words)

    def light(dialog: ExportDialog) -> None:
        child(dialog, QSpinBox, "exportWidth").setValue(640)
        child(dialog, QSpinBox, "exportHeight").setValue(300)
        box = child(dialog, QComboBox, "exportColours")
        box.setCurrentIndex(box.findText("Light"))
        child(dialog, QComboBox, "exportScale").setCurrentIndex(0)

    export(qtbot, window, path, "words", "png", light)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (640, 300)
    assert image.pixelColor(QPoint(1, 1)) == QColor(LIGHT.panel)
    window.message_bar.withdraw("export")
    qtbot.waitUntil(lambda: picture(window.explore.words) == before)


def check_nothing_to_show_in(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    bring_into_view(window.context, panels_of(window.context)[name])
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    qtbot.waitUntil(lambda: window.compare.comparison.up_to_date)
    said: list[str] = []
    for offer in ("png", "svg", "csv"):
        answered(window.actions_.export, [refused(name, offer, said)])
    nothing = f"There is nothing to export yet: {EMPTY[name]}."
    empty = f"This table is empty as yet: {EMPTY[name]}."
    assert said == [nothing, nothing, empty]


def check_a_panel_that_has_nothing_to_show_is_not_exported(
    qtbot: QtBot, window: MainWindow
) -> None:
    for name in EMPTY:
        check_nothing_to_show_in(qtbot, window, name)


def test_what_comes_into_being_while_one_chooses_can_be_exported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "languages.png"

    def compare_on_the_story(dialog: ExportDialog) -> None:
        assert dialog.refused
        window.compare.numbers.texts.story_button.click()

    said = export(qtbot, window, path, "languages", "png", compare_on_the_story)
    assert said.startswith("Saved languages.png, ")


def check_a_panel_behind_a_tab_is_exported_as_large_as_in_the_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.explore.docks["wordsDock"].raise_()
    front = window.explore.words.size()
    for name in ("derivation", "curves"):
        export(qtbot, window, tmp_path / f"{name}.png", name, "png", None)
        image = QImage(str(tmp_path / f"{name}.png"))
        scale = window.exporting.choices.scale
        # The tabs below are a pixel higher or lower, by which of them is in front; and what was
        # said of the export before took some rows.
        assert abs(image.width() - front.width() * scale) <= 2 * scale
        assert image.height() > front.height() * scale * 0.8
        window.message_bar.withdraw("export")


def check_in_the_end_the_window_shows_what_it_showed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    docks = window.explore.docks
    docks["wordsDock"].raise_()
    docks["whyDock"].hide()
    qtbot.waitUntil(lambda: not window.explore.words.visibleRegion().isEmpty())

    def in_view() -> list[str]:
        return [name for name, dock in docks.items() if not dock.visibleRegion().isEmpty()]

    before = in_view()
    assert "wordsDock" in before
    assert "whyDock" not in before
    for name in ("lockstep", "languages", "why", "curves"):
        answered(window.actions_.export, [wander(name)])
        qtbot.waitUntil(lambda: in_view() == before)
    window.workspaces.compare()
    tab = window.compare.numbers.tabs.currentIndex()
    for name in ("languages", "why", "curves"):
        answered(window.actions_.export, [wander(name)])
        assert window.workspaces.shown is WorkspaceId.COMPARE
        assert window.compare.numbers.tabs.currentIndex() == tab
    window.workspaces.explore()
    qtbot.waitUntil(lambda: in_view() == before)


def check_the_whole_window_is_as_it_stood_before_other_panels_were_looked_at(
    qtbot: QtBot, window: MainWindow
) -> None:
    docks, tabs = window.explore.docks, window.compare.numbers.tabs
    docks["wordsDock"].raise_()
    shown: list[WorkspaceId] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        for name in ("lockstep", "window", "languages", "window", "curves"):
            dialog.choose(name)
            shown.append(window.workspaces.shown)
        qtbot.waitUntil(lambda: not window.explore.curves.visibleRegion().isEmpty())
        dialog.choose("window")
        qtbot.waitUntil(lambda: not window.explore.words.visibleRegion().isEmpty())
        dialog.reject()

    tab = tabs.currentIndex()
    answered(window.actions_.export, [look])
    explore = WorkspaceId.EXPLORE
    assert shown == [WorkspaceId.LABORATORY, explore, WorkspaceId.COMPARE, explore, explore]
    assert tabs.currentIndex() == tab


def wander(name: str) -> Answer:
    """Only look at what could be exported of a panel."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        dialog.choose(name)
        dialog.reject()

    return answer


def check_a_picture_too_large_is_told_before_it_is_asked_for(window: MainWindow) -> None:
    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        dialog.choose("pairs", "png")
        child(dialog, QSpinBox, "exportWidth").setValue(8000)
        child(dialog, QComboBox, "exportScale").setCurrentIndex(3)
        assert dialog.refused
        preview = child(dialog, QLabel, "exportPreview")
        assert preview.text().startswith("A picture of 32,000 by ")
        assert preview.accessibleName() == preview.text()
        child(dialog, QComboBox, "exportScale").setCurrentIndex(1)
        assert not dialog.refused
        dialog.reject()

    answered(window.actions_.export, [look])


def check_what_is_being_guessed_is_not_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.player.scrub(5)
    window.actions_.guess.setChecked(True)
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)
    said: list[str] = []
    for name in ("pairs", "branches", "derivation", "merges"):
        answered(window.actions_.export, [refused(name, "csv", said)])
    assert set(said) == {
        "The next merge is being guessed, and this would tell it; end the guessing first."
    }
    qtbot.waitUntil(lambda: not window.actions_.export_animation.isEnabled())
    assert "being guessed" in disabled_reason(window.actions_.export_animation)
    export(qtbot, window, tmp_path / "pairs.svg", "pairs", "svg")
    history = window.player.history
    assert history is not None
    answer = visible(history.token_bytes(int(history.new_id[5])))
    assert answer not in texts(tmp_path / "pairs.svg")
    export(qtbot, window, tmp_path / "merges.csv", "merges", "csv-here")
    assert len(rows(tmp_path / "merges.csv")) == 1 + 5
    export(qtbot, window, tmp_path / "why.svg", "why", "svg")
    assert texts(tmp_path / "why.svg") == ["Hidden, because it shows which pair is merged next."]
    window.actions_.guess.setChecked(False)
    assert window.actions_.export_animation.isEnabled()
    export(qtbot, window, tmp_path / "pairs.csv", "pairs", "csv")


def check_every_panel_makes_a_drawing_with_texts(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    def there(dialog: ExportDialog) -> None:
        preview = child(dialog, QLabel, "exportPreview")
        qtbot.waitUntil(lambda: not preview.pixmap().isNull())

    written: dict[str, list[str]] = {}
    for name in panel_names():
        # The run has no branches, though its table has the run.
        if name in ("window", "branches", *EMPTY):
            continue
        path = tmp_path / f"{name}.svg"
        said = export(qtbot, window, path, name, "svg", there)
        assert said.startswith(f"Saved {name}.svg, ")
        written[name] = texts(path)
        assert written[name], f"there is something to be read in {name}"
        window.message_bar.withdraw("export")
    history = window.player.history
    assert history is not None
    top = history.top(window.player.position)
    shown = {visible(history.token_bytes(int(token))) for token in top.left[:3]}
    assert shown <= set(written["pairs"])
    tokens = {visible(history.token_bytes(int(token))) for token in history.new_id}
    assert len(tokens & set(written["vocabulary"])) >= 3


def check_drawings_have_all_that_the_pictures_have(qtbot: QtBot, window: MainWindow) -> None:
    theme = window.theme_choice.theme
    window.sample_text.set(MANY_SCRIPTS)
    window.player.scrub(len(window.player.history or ()) // 2)
    written: dict[str, list[str | None]] = {}
    for name in ("pairs", "text", "curves", "tree", "vocabulary", "lanes", "pipeline"):
        found = panels_of(window.context)[name]
        with coming_to_rest.Interrupts() as interrupts:
            bring_into_view(window.context, found)
            coming_to_rest.come_to_rest(window.context, found, interrupts)
        seen = pixels(picture_of(found.widget, 1, ground=theme.window))
        drawing = drawing_of(found.widget, name, ground=theme.window)
        drawn = pixels(as_in_a_browser(drawing, found.widget.size()))
        # The name of an axis of a curve is written upwards.
        near = _SHRUNK if name == "curves" else _NEAR
        assert lost(seen, drawn, left=_SHRUNK, near=near) == [], name
        over = lost(drawn, seen, right=_SHRUNK, near=near)
        assert over == [], f"nothing hangs over an edge of {name}"
        written[name] = [text.text for text in ElementTree.fromstring(drawing).iter(f"{SVG}text")]
    # As Qt paints them: a run of one direction is one text, in the order in which it is read.
    assert {"the hat – the –", "東京", "naïve 👩‍👧🎉", "שלום עולם"} <= set(written["text"])
    for name in ("text", "lanes"):
        assert {"0xE2", "0x80", "0x93", "0xF0", "0xD7"} <= set(written[name]), name
        assert any("hat" in text for text in written[name][10:] if text), name
    assert {"–", "ï", "👩", "🎉", "東"} <= set(written["pipeline"])


def check_the_whole_window_can_be_drawn(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "window.svg"
    export(qtbot, window, path, "window", "svg")
    written = texts(path)
    assert {"Pair frequencies", "Why this pair", "Explore", "Watch it"} <= set(written)


def test_panels_and_the_window_are_exported(
    qtbot: QtBot, window: MainWindow, in_turn: InTurn
) -> None:
    arrangement, colours = window.workspaces.arrangement(), window.theme_choice.theme.name
    explore = explore_again(qtbot, window)

    def again() -> None:
        window.message_bar.withdraw("export")
        window.theme_choice.choose(colours)
        window.workspaces.arrange(arrangement)
        explore()

    in_turn(
        again,
        check_the_whole_window_can_be_drawn,
        check_a_panel_as_a_picture_in_the_scale_that_is_chosen,
        check_a_panel_behind_a_tab_is_exported_as_large_as_in_the_window,
        check_a_picture_too_large_is_told_before_it_is_asked_for,
        check_every_panel_makes_a_drawing_with_texts,
        check_what_is_being_guessed_is_not_told,
        check_in_the_end_the_window_shows_what_it_showed,
        check_the_whole_window_is_as_it_stood_before_other_panels_were_looked_at,
        check_a_panel_that_has_nothing_to_show_is_not_exported,
        check_with_a_caption_below,
        check_in_another_size_and_other_colours_and_the_window_stays_as_it_was,
        check_drawings_have_all_that_the_pictures_have,
    )


def test_a_panel_rests_when_its_curves_are_measured(
    qtbot: QtBot, window: MainWindow, shut: Shut, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coming_to_rest, "_LONGEST", 500)
    gate = shut(CurveMeasurer, "_measured")
    found = panels_of(window.context)["lockstep"]
    bring_into_view(window.context, found)
    panel = window.laboratory.view.lockstep
    train_presets(panel, PRESETS["gpt2"].name, PRESETS["gpt4"].name)
    qtbot.waitUntil(lambda: not panel.runs.busy and gate.arrived > 0)
    with coming_to_rest.Interrupts() as interrupts:
        with pytest.raises(RenderError, match="lockstep does not come to rest"):
            coming_to_rest.come_to_rest(window.context, found, interrupts)
        gate.open()
        monkeypatch.setattr(coming_to_rest, "_LONGEST", 60_000)
        coming_to_rest.come_to_rest(window.context, found, interrupts)
    assert not child(panel, MergeCurves, "mergeCurves").is_empty
