"""Animations written in the background, opened again by their libraries, cancelled, or refused."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QLabel,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.exporting.animation import AnimationError
from bpe_gui.ui.export import animating, picture
from bpe_gui.ui.export import animation_recorder as filming
from bpe_gui.ui.export.hidden_panels import AnimationChoice, HiddenPanels, RenderState
from bpe_gui.ui.export.panels import animated
from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK, LIGHT
from tests.ui.driving import child
from tests.ui.export.animations import (
    SMALL,
    TEXT,
    Opened,
    begin,
    chart,
    frames_of,
    hidden_window,
    made,
    nearly,
    said,
    window,
)
from tests.ui.pace import Rations, Shut
from tests.ui.panels.painted import painted_texts
from tests.ui.save_dialogs import answered

__all__ = ["window"]


def check_what_was_said_of_an_export_is_over_when_the_next_begins(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    assert made(qtbot, window, tmp_path / "first.gif", SMALL).startswith("first.gif is complete")
    begin(window, tmp_path / "second.gif", SMALL)
    assert window.animating.busy
    assert window.message_bar.text == ""
    assert said(qtbot, window).startswith("second.gif is complete")


def check_a_webp_in_the_other_colours_at_twice_the_pixels(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "run.webp"
    window.theme_choice.choose(DARK.name)
    choice = replace(SMALL, ending=".webp", dark=False, scale=2, stop=2, loop=False)
    assert "run.webp is complete: 3 frames" in made(qtbot, window, path, choice)
    frames, durations = frames_of(path)
    assert durations == [200, 200, 2200]
    for position, frame in enumerate(frames):
        assert frame.shape == (960, 1280, 3)
        assert np.array_equal(frame, chart(window, position, LIGHT, scale=2))
    assert window.theme_choice.theme.name == "dark"


def check_a_film(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "run.mp4"
    choice = replace(SMALL, ending=".mp4", frames_a_second=Fraction(10), hold=Fraction(1))
    assert "run.mp4 is complete: 13 frames" in made(qtbot, window, path, choice)
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(stream)]
        assert (stream.average_rate, stream.width, stream.height) == (10, 640, 480)
    assert len(frames) == 13 + 10
    for number_, frame in enumerate(frames):
        meant = chart(window, min(number_, 12)).astype(int)
        assert np.abs(frame - meant).mean() < 4


def check_all_panels_with_what_they_have_to_say(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "run.gif"
    choice = replace(SMALL, panels=tuple(animated()), width=1200, height=1000, stop=1)
    made(qtbot, window, path, replace(choice, caption=True, hold=Fraction(0)))
    frames, _ = frames_of(path)
    assert [frame.shape for frame in frames] == [(1000, 1200, 3)] * 2
    made(qtbot, window, path, replace(choice, panels=("window",), height=800))
    assert [frame.shape for frame in frames_of(path)[0]] == [(800, 1200, 3)] * 2
    assert not np.array_equal(*frames_of(path)[0][:2])


def check_the_window_and_the_export_do_not_disturb_each_other(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "run.gif"
    window.player.scrub(4)
    begin(window, path, SMALL)
    window.animating.recorder.progressed.connect(window.player.step)
    said(qtbot, window)
    frames, _ = frames_of(path)
    assert len(frames) == 13
    for position, frame in enumerate(frames):
        assert nearly(frame, chart(window, position))
    assert window.player.position == min(4 + 13, window.player.end)


def test_no_more_frames_are_drawn_than_are_about_to_be_written(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, shut: Shut
) -> None:
    gate = shut(filming, "pixels")
    films = window.animating.recorder
    drawn: list[int] = []
    films.progressed.connect(lambda done, total: drawn.append(done))
    begin(window, tmp_path / "run.gif", SMALL)
    timers = window.animating.findChildren(QTimer)
    qtbot.waitUntil(lambda: len(drawn) > 3 and not any(timer.isActive() for timer in timers))
    # One is held by who writes, three wait.
    assert drawn == [1, 2, 3, 4]
    gate.open()
    assert "run.gif is complete: 13 frames" in said(qtbot, window)
    assert drawn == list(range(1, 14))


def check_a_cancelled_export_leaves_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    button = child(window, QToolButton, "cancelExport")
    for ending in (".gif", ".webp", ".mp4"):
        choice = replace(SMALL, ending=ending, width=1600, height=1200)
        begin(window, folder / f"run{ending}", choice)
        assert button.isVisible()
        if ending != ".webp":
            qtbot.waitUntil(lambda: any(folder.iterdir()))
        button.click()
        assert said(qtbot, window) == f"run{ending} was cancelled; no file is left of it."
        window.message_bar.withdraw_all()
        assert not button.isVisible()
        assert not any(folder.iterdir())
        assert window.actions_.export_animation.isEnabled()


def test_a_page_that_is_cancelled_is_not_written(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, shut: Shut
) -> None:
    gate = shut(animating, "write_atomically")
    folder = tmp_path / "out"
    folder.mkdir()
    begin(window, folder / "run.html", replace(SMALL, ending=".html"))
    qtbot.waitUntil(lambda: gate.arrived == 1)
    child(window, QToolButton, "cancelExport").click()
    gate.open()
    assert said(qtbot, window) == "run.html was cancelled; no file is left of it."
    end_tasks(window.animating)
    assert not any(folder.iterdir())


def check_panels_with_nothing_in_them_are_told(window: MainWindow, tmp_path: Path) -> None:
    window.sample_text.set("")
    with pytest.raises(AnimationError) as told:
        begin(window, tmp_path / "run.gif", replace(SMALL, panels=("pairs", "text")))
    assert str(told.value) == "the panel “Your text” has nothing to show: there is no text"


def test_a_run_in_training_is_shown_as_it_is_when_it_is_asked_for(
    qtbot: QtBot, opened: Opened, rations: Rations
) -> None:
    rations.merges = 5
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.player.end == 5)
    summary: list[str] = []

    def look(dialog: QDialog) -> None:
        summary.append(child(dialog, QLabel, "animationSummary").text())
        dialog.reject()

    scene = RenderState.of(window.context)
    answered(window.actions_.export_animation, [look])
    assert summary[0].endswith(
        "The run is still being trained; this shows it as it is now, with 5 merges."
    )
    rations.more()
    qtbot.waitUntil(lambda: window.player.end == 10)
    assert scene is not None
    assert len(scene.history) == 5


def test_a_window_that_is_closed_gives_up_its_export(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    begin(window, folder / "run.gif", replace(SMALL, width=1600, height=1200))
    window.close()
    assert not any(folder.iterdir())


def check_it_cannot_be_written_as(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / "nowhere" / f"run{ending}"
    told = made(qtbot, window, path, replace(SMALL, ending=ending))
    assert told == f"{path} cannot be written: No such file or directory; save it elsewhere."
    assert made(qtbot, window, tmp_path / f"run{ending}", replace(SMALL, ending=ending)) != told


def check_what_cannot_be_written_is_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for ending in [".gif", ".html"]:
        check_it_cannot_be_written_as(qtbot, window, tmp_path, ending)


def check_panels_without_room_are_told(window: MainWindow, tmp_path: Path) -> None:
    with pytest.raises(AnimationError) as told:
        begin(window, tmp_path / "run.gif", replace(SMALL, width=64, height=64))
    assert str(told.value).startswith("these panels need")
    assert "make the picture larger or take fewer panels" in str(told.value)
    assert not (tmp_path / "run.gif").exists()


def test_frames_that_cannot_be_painted_are_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    monkeypatch.setattr(picture, "LONGEST_SIDE", 10)
    told = made(qtbot, window, folder / "run.gif", SMALL)
    assert re.fullmatch(r"A picture of .* is too large; .*\.", told)
    assert not any(folder.iterdir())
    monkeypatch.undo()
    assert "is complete" in made(qtbot, window, folder / "run.gif", SMALL)


def check_a_merge_is_seen_under_way_in_every_panel(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path, still = tmp_path / "run.webp", tmp_path / "still.webp"
    choice = replace(SMALL, ending=".webp", panels=("text", "pairs", "words"), stop=2)
    made(qtbot, window, still, choice)
    states, durations = frames_of(still)
    assert durations == [200, 200, 2200]
    said = made(qtbot, window, path, replace(choice, motion=True))
    assert "run.webp is complete: 9 frames" in said
    frames, durations = frames_of(path)
    assert durations == [80, 40, 40, 40, 80, 40, 40, 40, 2200]
    for frame, state in zip(frames[::4], states, strict=True):
        assert np.array_equal(frame, state), "states are the same with motion and without"
    for rows, columns, moving in (
        (slice(0, 200), slice(0, 300), 3),
        (slice(0, 400), slice(340, 600), 3),
        # The box of two tokens that have joined may be as wide as theirs.
        (slice(260, 400), slice(0, 300), 2),
    ):
        for one, other in pairwise(frame[rows, columns] for frame in frames[:moving]):
            assert not np.array_equal(one, other), "each panel moves from picture to picture"


def check_a_film_counts_a_merge_when_its_tokens_join(qtbot: QtBot, window: MainWindow) -> None:
    scene = RenderState.of(window.context)
    assert scene is not None
    choice = AnimationChoice(panels=("text", "pairs"), stop=3)
    hidden = HiddenPanels(scene, choice, window.theme_choice.theme)
    numbers, named = [], []
    for position, share in ((1, 1.0), (2, 0.2), (2, 0.6), (2, 1.0)):
        with qtbot.waitSignal(hidden.drawn):
            hidden.ask(position, share)
        film = hidden_window()
        written = painted_texts(child(film, QWidget, "timeline"))
        numbers.append((written[-2], child(film, QLabel, "textCounts").text()))
        named.append(child(film, QLabel, "captionMerge").text().partition(":")[0])
    assert [number for number, _ in numbers] == ["1", "1", "2", "2"]
    assert numbers[0] == numbers[1] != numbers[2] == numbers[3]
    assert named == ["Next", "Now", "Now", "Next"]
    hidden.close()


def check_text_is_read_from_the_back_row_by_default(qtbot: QtBot, window: MainWindow) -> None:
    scene = RenderState.of(window.context)
    assert scene is not None
    choice = AnimationChoice(panels=("text", "pairs"), stop=3)
    hidden = HiddenPanels(scene, choice, window.theme_choice.theme)
    with qtbot.waitSignal(hidden.drawn):
        hidden.ask(2)
    film = hidden_window()
    assert QFontInfo(child(film, QWidget, "tokenView").font()).pixelSize() >= 28
    assert not child(film, QAbstractButton, "copyIdsButton").isVisible()
    hidden.close()


def test_text_is_read_from_the_back_row_beside_three_other_panels(
    qtbot: QtBot, window: MainWindow
) -> None:
    scene = RenderState.of(window.context)
    assert scene is not None
    choice = AnimationChoice(panels=("text", "pairs", "words", "why"), stop=3)
    hidden = HiddenPanels(scene, choice, window.theme_choice.theme)
    with qtbot.waitSignal(hidden.drawn):
        hidden.ask(2)
    film = hidden_window()
    for name in ("tokenView", "pairChart", "wordsTable", "whyText"):
        assert QFontInfo(child(film, QWidget, name).font()).pixelSize() >= 24, name
    hidden.close()


def test_animations_one_after_another(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    check_panels_without_room_are_told(window, tmp_path)
    check_text_is_read_from_the_back_row_by_default(qtbot, window)
    check_what_was_said_of_an_export_is_over_when_the_next_begins(qtbot, window, tmp_path)
    check_what_cannot_be_written_is_told(qtbot, window, tmp_path)
    check_a_film(qtbot, window, tmp_path)
    check_a_webp_in_the_other_colours_at_twice_the_pixels(qtbot, window, tmp_path)
    check_a_merge_is_seen_under_way_in_every_panel(qtbot, window, tmp_path)
    check_a_film_counts_a_merge_when_its_tokens_join(qtbot, window)
    check_all_panels_with_what_they_have_to_say(qtbot, window, tmp_path)
    check_a_cancelled_export_leaves_nothing(qtbot, window, tmp_path)
    check_the_window_and_the_export_do_not_disturb_each_other(qtbot, window, tmp_path)
    check_panels_with_nothing_in_them_are_told(window, tmp_path)
