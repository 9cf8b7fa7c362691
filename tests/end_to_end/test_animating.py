"""A run in motion: a GIF, a film, and a page that plays it."""

from __future__ import annotations

import re
from pathlib import Path

import av
from PIL import Image
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QMainWindow, QSpinBox
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import GPT2_MERGES, action, answered, choose, messages, named, press
from tests.ui.driving import child


def animate(qtbot: QtBot, gpt2_run: QMainWindow, path: Path, **numbers: int) -> Path:
    """Export the pair chart in motion."""

    def settle(dialog: QDialog) -> None:
        box = child(dialog, QComboBox, "animationFormat")
        choose(box, box.findData(path.suffix))
        child(dialog, QCheckBox, "animationWindow").setChecked(False)
        for name, value in numbers.items():
            child(dialog, QSpinBox, name).setValue(value)
        child(dialog, QCheckBox, "animation_pairs").setChecked(True)
        press(qtbot, dialog, "animationExport")

    export = action(gpt2_run, "exportAnimationAction")
    answered(qtbot, export.trigger, [settle, named(qtbot, path)])
    qtbot.waitUntil(lambda: path.exists() and path.name in "\n".join(messages(gpt2_run)))
    return path


SHORT = {
    "animationStart": 2, "animationStop": 8, "animationMerges": 2,
    "animationWidth": 480, "animationHeight": 360,
}  # fmt: skip


def test_a_run_is_an_animated_gif(qtbot: QtBot, gpt2_run: QMainWindow, tmp_path: Path) -> None:
    with Image.open(animate(qtbot, gpt2_run, tmp_path / "run.gif", **SHORT)) as image:
        assert image.n_frames == 4
        assert image.width / image.height == 480 / 360


def test_a_run_is_a_film(qtbot: QtBot, gpt2_run: QMainWindow, tmp_path: Path) -> None:
    path = animate(qtbot, gpt2_run, tmp_path / "run.mp4", **SHORT)
    with av.open(str(path)) as film:
        [stream] = film.streams.video
        assert stream.width / stream.height == 480 / 360
        assert sum(1 for _ in film.decode(video=0)) >= 4


def test_a_run_is_a_page_that_plays_it(qtbot: QtBot, gpt2_run: QMainWindow, tmp_path: Path) -> None:
    path, stop = tmp_path / "run.html", GPT2_MERGES
    animate(qtbot, gpt2_run, path, animationStart=0, animationStop=stop)
    page = path.read_text()
    assert 'type="range"' in page
    assert "lowest" in page
    assert not re.search(r"""(src|href)=["']https?:""", page), "it needs no network"
