"""Animations and pages exported through the window, and opened again by their libraries."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QPushButton,
    QSpinBox,
    QTabBar,
    QTableView,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import WordCounts
from bpe_gui.exporting.stretch import AnimationError, Frame
from bpe_gui.ui.exporting import animating, filming, picture
from bpe_gui.ui.exporting.animation_choice import AnimationChoice
from bpe_gui.ui.exporting.filming import pixels
from bpe_gui.ui.exporting.hidden_panels import HiddenPanels
from bpe_gui.ui.exporting.picture import picture_of
from bpe_gui.ui.exporting.scene import PANELS, TITLES, Look, Scene, chosen_in
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.panels.branches import BranchesPanel
from bpe_gui.ui.panels.pair_chart import PairChart
from bpe_gui.ui.theme import DARK, LIGHT, Theme
from bpe_gui.ui.timeline import Timeline
from bpe_gui.ui.training import Phase
from tests.ui.histories import FOUR_WORDS, four_words
from tests.ui.pace import Rations, Shut
from tests.ui.save_dialogs import Answer, answered, named, press, reject
from tests.ui.widgets import child

TEXT = "the cat sat on the mat and the hat\n" * 30
Opened = Callable[..., MainWindow]

SMALL = AnimationChoice(panels=("pairs",), width=640, height=480, stop=12, caption=False)


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    return window


def said(qtbot: QtBot, window: MainWindow) -> str:
    """What the window says when an export has ended."""
    qtbot.waitUntil(lambda: not window.animating.busy, timeout=60_000)
    return window.message_bar.text


def made(qtbot: QtBot, window: MainWindow, path: Path, choice: AnimationChoice) -> str:
    """Export without the dialogs; what the window says of it."""
    window.message_bar.withdraw("animation")
    window.animating.begin(path, choice)
    return said(qtbot, window)


def frames_of(path: Path) -> tuple[list[Frame], list[int]]:
    frames, durations = [], []
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            durations.append(image.info["duration"])
            frames.append(np.asarray(image.convert("RGB")))
    return frames, durations


def chart(window: MainWindow, position: int, theme: Theme = DARK, scale: int = 1) -> Frame:
    """The chart as a window of its own shows it, at rest."""
    alone = PairChart()
    alone.set_animated(False)
    alone.set_theme(theme)
    alone.set_history(window.player.history)
    alone.show_position(position, False)
    alone.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    alone.resize(640, 480)
    alone.show()
    drawn = pixels(picture_of(alone, scale))
    alone.close()
    alone.deleteLater()
    return drawn


def nearly(frame: Frame, meant: Frame) -> bool:
    """Whether a frame of a GIF, which has 255 colours, is the one that is meant."""
    far = np.abs(frame.astype(int) - meant).max(axis=2)
    return bool((far == 0).mean() > 0.995 and far.max() < 64)


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
        for name in PANELS:
            child(dialog, QCheckBox, f"animation_{name}").setChecked(name in names)
        child(dialog, QCheckBox, "animationCaption").setChecked(False)

    return choose


def test_a_gif_asked_for_by_its_action(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "run.gif"
    size = (number("animationWidth", 640), number("animationHeight", 480))
    steps = (number("animationStart", 2), number("animationStop", 9), number("animationMerges", 3))
    action = child(window, QAction, "exportAnimationAction")
    assert action.shortcut().toString() == "Ctrl+Shift+F"
    answered(action, export(path, panels("pairs"), *size, *steps))
    assert not action.isEnabled()
    assert said(qtbot, window).startswith("run.gif is complete: 4 frames, ")
    frames, durations = frames_of(path)
    assert durations == [200, 200, 200, 2200]
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


def test_what_was_said_of_an_export_is_over_when_the_next_begins(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    assert made(qtbot, window, tmp_path / "first.gif", SMALL).startswith("first.gif is complete")
    window.animating.begin(tmp_path / "second.gif", SMALL)
    assert window.animating.busy
    assert window.message_bar.text == ""
    assert said(qtbot, window).startswith("second.gif is complete")


def test_no_file_is_replaced_unasked(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    kept = tmp_path / "run.v2.gif"
    kept.write_bytes(b"kept")
    action = child(window, QAction, "exportAnimationAction")
    few = (number("animationStart", 2), number("animationStop", 3))
    asked = answered(action, [*export(tmp_path / "run.v2", panels("pairs"), *few), press("No")])
    assert asked[-1] == "run.v2.gif is there already. Replace?"
    assert action.isEnabled()
    assert kept.read_bytes() == b"kept"


def test_a_webp_in_the_other_colours_at_twice_the_pixels(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "run.webp"
    window.set_theme(DARK)
    choice = replace(SMALL, ending=".webp", dark=False, scale=2, stop=2, loop=False)
    assert "run.webp is complete: 3 frames" in made(qtbot, window, path, choice)
    frames, durations = frames_of(path)
    assert durations == [200, 200, 2200]
    for position, frame in enumerate(frames):
        assert frame.shape == (960, 1280, 3)
        assert np.array_equal(frame, chart(window, position, LIGHT, scale=2))
    assert window.theme.name == "dark"


def test_a_film(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
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


def test_all_panels_with_what_they_have_to_say(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "run.gif"
    choice = replace(SMALL, panels=tuple(PANELS), width=1200, height=1000, stop=1)
    made(qtbot, window, path, replace(choice, caption=True, hold=Fraction(0)))
    frames, _ = frames_of(path)
    assert [frame.shape for frame in frames] == [(1000, 1200, 3)] * 2
    made(qtbot, window, path, replace(choice, panels=("window",), height=800))
    assert [frame.shape for frame in frames_of(path)[0]] == [(800, 1200, 3)] * 2
    assert not np.array_equal(*frames_of(path)[0][:2])


def test_the_window_and_the_export_do_not_disturb_each_other(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "run.gif"
    window.player.scrub(4)
    window.animating.begin(path, SMALL)
    window.animating.made_frames.connect(window.player.step)
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
    films = window.animating._films()
    drawn: list[int] = []
    films.progressed.connect(lambda done, total: drawn.append(done))
    window.animating.begin(tmp_path / "run.gif", SMALL)
    qtbot.waitUntil(lambda: len(drawn) > 3 and not (films._next.isActive() or films._drawing))
    # One is held by who writes, three wait.
    assert drawn == [1, 2, 3, 4]
    gate.open()
    assert "run.gif is complete: 13 frames" in said(qtbot, window)
    assert drawn == list(range(1, 14))


def test_a_cancelled_export_leaves_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    button = child(window, QToolButton, "cancelExport")
    for ending in (".gif", ".webp", ".mp4"):
        choice = replace(SMALL, ending=ending, width=1600, height=1200)
        window.animating.begin(folder / f"run{ending}", choice)
        assert button.isVisible()
        if ending != ".webp":
            qtbot.waitUntil(lambda: any(folder.iterdir()), timeout=10_000)
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
    window.animating.begin(folder / "run.html", replace(SMALL, ending=".html"))
    qtbot.waitUntil(lambda: gate.arrived == 1)
    child(window, QToolButton, "cancelExport").click()
    gate.open()
    assert said(qtbot, window) == "run.html was cancelled; no file is left of it."
    window.animating.close()
    assert not any(folder.iterdir())


def test_panels_with_nothing_in_them_are_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.text_panel.set_text("")
    told = made(qtbot, window, tmp_path / "run.gif", replace(SMALL, panels=("pairs", "text")))
    assert told == "The panel “Text” has nothing to show: there is no text."


def test_a_run_in_training_is_shown_as_it_is_when_it_is_asked_for(
    qtbot: QtBot, opened: Opened, rations: Rations
) -> None:
    rations.merges = 5
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.player.end == 5, timeout=60_000)
    summary: list[str] = []

    def look(dialog: QDialog) -> None:
        summary.append(child(dialog, QLabel, "animationSummary").text())
        dialog.reject()

    scene = window.animating.scene()
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
    window.animating.begin(folder / "run.gif", replace(SMALL, width=1600, height=1200))
    window.close()
    assert not any(folder.iterdir())


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
    assert data["text"]["shown"] == window.text_panel.text()
    assert "<h1>story.txt</h1>" in page


@pytest.mark.parametrize("ending", [".gif", ".html"])
def test_what_cannot_be_written_is_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / "nowhere" / f"run{ending}"
    told = made(qtbot, window, path, replace(SMALL, ending=ending))
    assert told == f"{path} cannot be written: No such file or directory; save it elsewhere."
    assert made(qtbot, window, tmp_path / f"run{ending}", replace(SMALL, ending=ending)) != told


def test_panels_without_room_are_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    told = made(qtbot, window, tmp_path / "run.gif", replace(SMALL, width=64, height=64))
    assert "These panels need" in told
    assert "make the picture larger or take fewer panels" in told
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


def test_the_dialog_says_what_comes_of_it(qtbot: QtBot, window: MainWindow) -> None:
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
        dialog.reject()

    answered(window.actions_.export_animation, [look])
    merges = window.player.end
    assert summary[0] == (
        f"{merges + 1} frames, {(merges + 1) / 5 + 2:.1f} seconds, 1,280 × 720 pixels."
    )
    assert summary[1].startswith(f"4 frames, each {-(-merges // 3)} merges further, 2.8 seconds")
    assert summary[2] == ("An animation goes from one merge to a later one, and not from 9 to 8.")
    assert summary[3] == "Choose a panel that is to be seen."
    assert summary[4:] == [
        "One file that plays 3 merges in any browser, without a network.",
        "One file that shows the run after 12 merges, and nothing else, in any browser, without a "
        "network.",
        "A page goes from one merge to a later one, and not from 12 to 11.",
    ]


def test_unknown_panels_are_named() -> None:
    with pytest.raises(AnimationError, match="'lanes' is no panel that follows the merges; these"):
        replace(SMALL, panels=("pairs", "lanes")).look(DARK)
    with pytest.raises(AnimationError, match="'window' is no panel"):
        replace(SMALL, panels=("pairs", "window")).look(DARK)
    assert list(TITLES) == list(PANELS)


def test_a_position_looks_the_same_wherever_one_comes_from(qtbot: QtBot) -> None:
    """All panels are functions of the run, the position and the text, and are drawn whole."""
    history, words = four_words(), WordCounts.from_pairs(list(FOUR_WORDS), preset("whitespace"))
    scene = Scene(history, words, "low newest widest", "newest", chosen={"wordsOrder": 1})
    look = Look(tuple(PANELS), 1900, 1200, 1, LIGHT)

    def drawn(*positions: int) -> dict[int, Frame]:
        hidden = HiddenPanels(scene, look)
        frames = {}
        for position in positions:
            with qtbot.waitSignal(hidden.drawn):
                hidden.ask(position)
            frames[position] = pixels(hidden.picture())
        hidden.close()
        return frames

    along = drawn(0, 3, 4, 15, 9)
    for position in (9, 4, 0):
        assert np.array_equal(along[position], drawn(position)[position]), position
    assert not np.array_equal(along[3], along[4])


def test_what_is_chosen_in_a_panel_is_chosen_in_its_picture(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.workspace.docks["curvesDock"].raise_()
    qtbot.waitUntil(lambda: window.findChild(QTabBar, "curveTabs") is not None)
    child(window, QTabBar, "curveTabs").setCurrentIndex(2)
    child(window, QComboBox, "wordsOrder").setCurrentIndex(1)
    scene = window.animating.scene()
    assert scene is not None
    assert scene.chosen == {"curveTabs": 2, "wordsOrder": 1}
    hidden = HiddenPanels(scene, Look(("curves", "words"), 900, 400, 1, DARK))
    assert chosen_in(hidden._window) == scene.chosen
    hidden.close()


def test_a_chosen_token_and_a_word_are_those_of_the_window(qtbot: QtBot) -> None:
    """Each panel shows in the picture what it was told to, whatever the position."""
    history = four_words()
    drawn = {}
    for token, word in ((NO_TOKEN, ""), (12, "widest")):
        scene = Scene(history, None, "low newest", word, token)
        look = Look(("tree", "derivation"), 900, 600, 1, LIGHT)
        hidden = HiddenPanels(scene, look)
        for position in (15, 3):
            with qtbot.waitSignal(hidden.drawn):
                hidden.ask(position)
            drawn[token, position] = pixels(hidden.picture())
        hidden.close()
    assert not np.array_equal(drawn[NO_TOKEN, 15], drawn[12, 15])
    assert not np.array_equal(drawn[12, 3], drawn[12, 15])
    assert len(FOUR_WORDS) == 4


def test_the_panels_of_a_film_know_of_branches_and_bookmarks(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.player.scrub(5)
    window.player.add_bookmark(3)
    window.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2, timeout=60_000)
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    branch = window.branches.shown
    assert branch is not None
    assert branch.history.interventions
    scene = window.animating.scene()
    assert scene is not None
    hidden = HiddenPanels(scene, Look(("window",), 1600, 1000, 1, DARK))
    with qtbot.waitSignal(hidden.drawn):
        hidden.ask(7)
    shown = hidden._window
    rows = child(shown, QTableView, "branchTable").model()
    cells = [[rows.index(row, column).data() for column in range(2)] for row in range(2)]
    assert cells == [["Original", "finished"], [f"▸ {branch.name}", "finished"]]
    assert child(shown, QComboBox, "comparedBranch").currentText() == "Original"
    panel = child(shown, BranchesPanel, "branchesPanel")
    assert panel.accessibleDescription().startswith(f"“{branch.name}” and “Original” part at")
    assert [flag.bookmark.position for flag in child(shown, Timeline, "timeline").flags] == [3]
    told = [label.text() for label in shown.findChildren(QLabel)]
    assert any(text.startswith(f"“{branch.name}”, merge 7:") for text in told)
    hidden.close()
