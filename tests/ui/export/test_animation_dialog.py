"""Animations asked for in dialogs: what is chosen, what is said of it, and what is replaced."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QLabel,
    QPushButton,
    QSpinBox,
)
from pytestqt.qtbot import QtBot

from bpe_gui.exporting.animation import AcceleratingRange
from bpe_gui.ui.export.panels import animated
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.export.animations import chart, frames_of, nearly, said, window
from tests.ui.save_dialogs import Answer, answered, named, press, reject

__all__ = ["window"]


def export(path: Path, *changes: Answer) -> list[Answer]:
    """Change what is chosen, and save under a name."""

    def choose(dialog: QDialog) -> None:
        for change in changes:
            change(dialog)
        child(dialog, QPushButton, "animationExport").click()

    return [choose, named(path)]


def format_of(title: str) -> Answer:
    return lambda dialog: child(dialog, QComboBox, "animationFormat").setCurrentText(title)


def number(name: str, value: int) -> Answer:
    return lambda dialog: child(dialog, QSpinBox, name).setValue(value)


def panels(*names: str) -> Answer:
    def choose(dialog: QDialog) -> None:
        child(dialog, QCheckBox, "animationWindow").setChecked(False)
        for name in animated():
            child(dialog, QCheckBox, f"animation_{name}").setChecked(name in names)
        child(dialog, QCheckBox, "animationCaption").setChecked(False)

    return choose


def test_a_film_without_its_library_is_refused_where_it_is_chosen(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else has the name of the library, or is left of it."""
    for left in ("nothing", "a folder", "a file", "a package"):
        with monkeypatch.context() as patch:
            take_library_away(patch, tmp_path / left, left)
            check_a_film_is_refused(window)


def take_library_away(patch: pytest.MonkeyPatch, here: Path, left: str) -> None:
    if left == "nothing":
        patch.setitem(sys.modules, "av", None)
        return
    patch.delitem(sys.modules, "av", raising=False)
    folder = here / "av"
    (here if left == "a file" else folder).mkdir(parents=True)
    if left != "a folder":
        file = folder / "__init__.py" if left == "a package" else here / "av.py"
        file.write_text("raise ImportError")
    patch.setattr(sys, "meta_path", [_OnlyIn(here), *sys.meta_path])


class _OnlyIn(MetaPathFinder):
    """Finds the library in one folder only. The window goes on loading its own modules."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] != "av":
            return None
        return PathFinder.find_spec(name, [str(self._folder)] if path is None else path, target)


def check_a_film_is_refused(window: MainWindow) -> None:
    seen: list[tuple[str, bool]] = []

    def look(dialog: QDialog) -> None:
        for title in ("MP4 video", "Animated GIF"):
            format_of(title)(dialog)
            summary = child(dialog, QLabel, "animationSummary").text()
            seen.append((summary, child(dialog, QPushButton, "animationExport").isEnabled()))
        dialog.reject()

    answered(child(window, QAction, "exportAnimationAction"), [look])
    [(film, can_film), (other, can_other)] = seen
    assert film.startswith("MP4 needs a library that is not installed")
    assert not can_film
    assert can_other
    assert "frames" in other


def check_buttons_in_sight_at(
    window: MainWindow, scale: float
) -> None:
    fits: list[bool] = []

    def look(dialog: QDialog) -> None:
        room = dialog.screen().availableSize()
        button = child(dialog, QPushButton, "animationExport")
        at = button.rect().translated(button.mapTo(dialog, QPoint()))
        fits.append(dialog.size().boundedTo(room) == dialog.size())
        fits.append(dialog.rect().contains(at))
        last = child(dialog, QCheckBox, "animationLoop")
        last.setFocus()
        fits.append(last.visibleRegion().boundingRect().height() == last.height())
        dialog.reject()

    window.text_sizing.set_scale(scale)
    answered(child(window, QAction, "exportAnimationAction"), [look])
    window.text_sizing.set_scale(1.0)
    assert fits == [True, True, True]


def check_the_buttons_stay_in_sight_however_large_the_text_is(window: MainWindow) -> None:
    for scale in [1.0, 2.0, 3.0]:
        check_buttons_in_sight_at(window, scale)


def test_a_gif_asked_for_by_its_action(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "run.gif"
    size = (number("animationWidth", 640), number("animationHeight", 480))
    steps = (number("animationStart", 2), number("animationStop", 9), number("animationMerges", 3))
    action = child(window, QAction, "exportAnimationAction")
    assert action.shortcut().toString() == "Ctrl+Shift+F"
    size = (*size, number("animationText", 100))
    answered(action, export(path, panels("pairs"), *size, *steps))
    assert not action.isEnabled()
    assert said(qtbot, window).startswith("run.gif is complete: 4 frames, ")
    frames, durations = frames_of(path)
    assert durations == [1000, 1000, 1000, 3000], "few frames are followed one by one"
    for frame, position in zip(frames, (2, 5, 8, 9), strict=True):
        assert nearly(frame, chart(window, position))
    assert action.isEnabled()
    # What was chosen stands there the next time; nothing comes of a dialog that is given up.
    seen = []
    remembered: list[Answer] = [
        lambda dialog: seen.append(child(dialog, QSpinBox, "animationWidth").value()),
        reject,
    ]
    answered(action, [lambda dialog: [look(dialog) for look in remembered] and None])
    assert seen == [640]
    assert [entry.name for entry in tmp_path.glob("run*")] == ["run.gif"]


def test_no_file_is_replaced_unasked(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    kept = tmp_path / "run.v2.gif"
    kept.write_bytes(b"kept")
    action = child(window, QAction, "exportAnimationAction")
    few = (number("animationStart", 2), number("animationStop", 3))
    asked = answered(action, [*export(tmp_path / "run.v2", panels("pairs"), *few), press("No")])
    assert asked[-1] == "run.v2.gif is there already. Replace?"
    assert action.isEnabled()
    assert kept.read_bytes() == b"kept"


def check_a_size_without_room_is_refused_before_a_name_is_asked_for(
    window: MainWindow,
) -> None:
    said: list[str] = []

    def small(dialog: QDialog) -> None:
        panels("pairs", "vocabulary")(dialog)
        number("animationWidth", 64)(dialog)
        child(dialog, QPushButton, "animationExport").click()
        said.append(child(dialog, QLabel, "animationSummary").text())
        assert not child(dialog, QPushButton, "animationExport").isEnabled()
        number("animationWidth", 640)(dialog)
        assert child(dialog, QPushButton, "animationExport").isEnabled()
        dialog.reject()

    answered(child(window, QAction, "exportAnimationAction"), [small])
    assert "make the picture larger or take fewer panels" in said[0]


def test_a_page_that_plays_the_run(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    action = child(window, QAction, "exportAnimationAction")
    steps = (number("animationStart", 1), number("animationStop", 7))
    answered(action, export(path, format_of("Web page with a slider"), *steps))
    assert "run.html is complete: open it in any browser" in said(qtbot, window)
    page = path.read_text(encoding="utf-8")
    found = re.search(r'<script id="run" type="application/json">(.*?)</script>', page, re.S)
    assert found is not None
    data = json.loads(found[1])
    assert (data["start"], data["stop"]) == (1, 7)
    assert data["text"]["shown"] == window.sample_text.text
    assert "<h1>story.txt</h1>" in page


def check_number_boxes_are_equally_wide_at(window: MainWindow, scale: float) -> None:
    window.text_sizing.set_scale(scale)
    wide: set[int] = set()
    needed: list[int] = []

    def look(dialog: QDialog) -> None:
        for box in dialog.findChildren(QAbstractSpinBox):
            wide.add(box.width())
            needed.append(box.sizeHint().width())
        dialog.reject()

    answered(window.findChild(QAction, "exportAnimationAction"), [look])
    assert len(wide) == 1
    assert max(needed) <= wide.pop()


def check_all_number_boxes_are_equally_wide(window: MainWindow) -> None:
    for scale in [1.0, 2.0]:
        check_number_boxes_are_equally_wide_at(window, scale)


def check_the_dialog_says_what_comes_of_it(qtbot: QtBot, window: MainWindow) -> None:
    summary: list[str] = []

    def look(dialog: QDialog) -> None:
        label = child(dialog, QLabel, "animationSummary")
        button = child(dialog, QPushButton, "animationExport")
        summary.append(label.text())
        number("animationFrames", 4)(dialog)
        summary.append(label.text())
        number("animationStart", 9)(dialog)
        number("animationStop", 8)(dialog)
        summary.append(label.text())
        assert label.property("problem")
        assert not button.isEnabled()
        number("animationStop", 12)(dialog)
        panels()(dialog)
        summary.append(label.text())
        format_of("Web page with a slider")(dialog)
        summary.append(label.text())
        assert button.isEnabled()
        number("animationStart", 12)(dialog)
        summary.append(label.text())
        assert button.isEnabled()
        number("animationStop", 11)(dialog)
        summary.append(label.text())
        assert not button.isEnabled()
        for field in dialog.findChildren(QSpinBox):
            assert field.accessibleName()
        speed = child(dialog, QDoubleSpinBox, "animationSpeed")
        assert speed.text() == "Automatic"
        dialog.reject()

    answered(window.actions_.export_animation, [look])
    merges = window.player.end
    frames = AcceleratingRange(0, merges)
    seconds = sum(frames.durations(1000)) / 1000
    assert summary[0] == f"{len(frames)} frames, {seconds:.1f} seconds, 1,280 × 720 pixels."
    assert summary[1].startswith(
        f"4 frames, {-(-merges // 3)} merges per frame (raised from 1 to stay within 4 frames), "
    )
    assert summary[1].endswith("pixels. Merges are too fast to be shown under way.")
    assert summary[2] == ("An animation goes from one merge to a later one, and not from 9 to 8.")
    assert summary[3] == "Choose a panel that is to be seen."
    assert summary[4:] == [
        "One file that plays 3 merges in any browser, without a network.",
        "One file that shows the run after 12 merges, and nothing else, in any browser, without a "
        "network.",
        "A page goes from one merge to a later one, and not from 12 to 11.",
    ]


def test_the_dialog_as_it_opens(qtbot: QtBot, window: MainWindow) -> None:
    check_the_dialog_says_what_comes_of_it(qtbot, window)
    check_a_size_without_room_is_refused_before_a_name_is_asked_for(window)
    check_the_buttons_stay_in_sight_however_large_the_text_is(window)
    check_all_number_boxes_are_equally_wide(window)
