"""The pages of a tour: what they show, and how one goes from one to another."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.corpus import sample
from bpe_gui.bpe.training import train_corpus
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tour import scene_setting
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child
from tests.ui.tour.short_tour import begin, go_back, go_on, go_to

KEY, ALT = Qt.Key, Qt.KeyboardModifier.AltModifier


def state(window: MainWindow) -> tuple[object, ...]:
    """What a page is about, as it stands in the window."""
    history = window.player.history
    assert history is not None
    return (
        window.touring.panel.text,
        window.controls.corpus_box.currentText(),
        history.recipe,
        len(history),
        window.player.position,
        window.sample_text.text,
        window.workspaces.shown,
        [lane.name for lane in window.compare.comparison.lanes if window.compare.isVisible()],
        window.actions_.guess.isChecked(),
    )


def check_pages_follow_each_other_by_keys_and_going_back_shows_the_same(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    touring = window.touring
    seen = [state(window)]
    while touring.number + 1 < len(touring.moments):
        go_on(qtbot, window)
        seen.append(state(window))
    assert len(seen) == 8
    assert "There are 4 words." in str(seen[0][0])
    assert "It was e + s, 9 times; n | e | w | es | t | </w>." in str(seen[2][0])
    assert "Merge 2 is t + </w>." in str(seen[5][0])
    for number in reversed(range(len(seen) - 1)):
        go_back(qtbot, window)
        assert state(window) == seen[number], number
    QTest.keyClick(touring.panel, KEY.Key_PageUp)
    assert touring.number == 0, "nothing comes before the first page"
    window.touring.leave()


def check_each_page_can_be_gone_to_directly(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_on(qtbot, window)
    go_on(qtbot, window)
    revealed = state(window)
    go_to(qtbot, window, 4)
    assert window.workspaces.shown is WorkspaceId.COMPARE
    go_to(qtbot, window, 1)
    assert window.player.position == 0
    assert window.actions_.guess.isChecked(), "what comes next is covered"
    go_on(qtbot, window)
    assert state(window) == revealed
    window.touring.leave()


def check_the_cursor_walks_only_from_the_moment_before(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 2)
    seen: list[int] = []
    played: list[bool] = []
    window.player.moved.connect(seen.append)
    window.player.movingChanged.connect(played.append)
    go_on(qtbot, window)
    assert seen[-1] == 15
    assert seen == sorted(set(seen))
    assert played == [True, False], "merge by merge, as far as the machine keeps up"
    go_on(qtbot, window)
    played.clear()
    go_back(qtbot, window)
    assert window.player.position == 15
    assert played == [], "it goes along with the merges at most"
    go_back(qtbot, window)
    window.actions_.animate.setChecked(False)
    seen.clear()
    played.clear()
    go_on(qtbot, window)
    assert (seen[-1], played) == (15, []), "nothing moves where nothing is to move"
    window.touring.leave()


def check_actions_and_keys(window: MainWindow, qtbot: QtBot, short: Path) -> None:
    actions = {
        name: child(window, QAction, f"{name}Action")
        for name in ("nextPage", "previousPage", "leaveTour", "tour", "openTour")
    }
    assert actions["tour"].shortcut().toString() == "F12"
    assert not actions["nextPage"].isEnabled()
    begin(qtbot, window, short)
    window.player_bar.timeline.setFocus()
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window, KEY.Key_Right, ALT)
    assert window.touring.number == 1
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window, KEY.Key_Left, ALT)
    assert window.touring.number == 0
    assert not actions["previousPage"].isEnabled()
    actions["leaveTour"].trigger()
    assert not window.touring.active


def check_keys_go_from_chapter_to_chapter(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    on, back = window.actions_.next_chapter, window.actions_.previous_chapter
    assert on.isEnabled()
    assert not back.isEnabled()
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window, KEY.Key_PageDown, ALT)
    assert window.touring.number == 5
    assert "Merge 2 is" in window.touring.panel.text
    assert not on.isEnabled()
    go_on(qtbot, window)
    for number in (5, 0):
        with qtbot.waitSignal(window.touring.arrived):
            QTest.keyClick(window, KEY.Key_PageUp, ALT)
        assert window.touring.number == number
    window.stage.enter()
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window.stage.show_window, KEY.Key_PageDown, ALT)
    assert window.touring.number == 5
    window.touring.leave()
    assert not on.isEnabled()
    window.stage.leave()


def check_the_list_of_pages_goes_to_each(window: MainWindow, qtbot: QtBot, short: Path) -> None:
    begin(qtbot, window, short)
    pages = child(window.touring.panel, QComboBox, "tourPages")
    titles = [pages.itemText(index) for index in range(pages.count())]
    assert [re.sub(r" \(about .*\)", "", title) for title in titles] == [
        "1 · First", "Words", "A question", "Another question",
        "2 · Second", "Another rule", "Side by side", "The laboratory",
    ]
    with qtbot.waitSignal(window.touring.arrived):
        pages.activated.emit(5)
    assert "Merge 2 is" in window.touring.panel.text
    assert child(window.touring.panel, QLabel, "tourPlace").text() == "Page 4 of 6"
    window.touring.leave()


def check_lanes_are_those_of_the_page(window: MainWindow, qtbot: QtBot, short: Path) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 4)
    names = [lane.name for lane in window.compare.comparison.lanes]
    assert names == ["whitespace recipe, 3 merges", "whitespace"]
    assert "8 against 2: whitespace." in window.touring.panel.text
    assert window.compare.comparison.text == "newest low"
    window.touring.leave()


def check_what_a_page_cannot_show_is_told_on_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "odd.tour"
    path.write_text(
        "bpe-gui tour 1\ntitle: Odd\n# A\n## One\ngo to: 99\nWords.\n## Two\nselect: xyz\nMore.\n"
        "## Three\ngo to: 0\nHere {last pair}.\n"
    )
    begin(qtbot, window, path)
    assert "This run ends after 15 merges; the page asks for 99." in window.touring.panel.text
    go_to(qtbot, window, 2)
    assert "“last pair” has no value: nothing is merged yet." in window.touring.panel.text
    window.touring.leave()


def test_a_corpus_beside_the_tour(own: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "beside"
    folder.mkdir()
    (folder / "mine.csv").write_text("word,count\nhaha,3\n")
    path = folder / "mine.tour"
    path.write_text(
        "bpe-gui tour 1\ntitle: Mine\n# A\n## One\ncorpus: mine.csv\n"
        "Next is {next pair}, {next count} times.\n"
    )
    begin(qtbot, own, path)
    assert "Next is h + a, 6 times." in own.touring.panel.text
    assert own.controls.corpus_box.currentText() == "mine.csv"
    own.touring.leave()
    names = [own.controls.corpus_box.itemText(n) for n in range(own.controls.corpus_box.count())]
    assert "mine.csv" not in names


def check_a_screen_reader_is_told_of_each_page(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    panel = window.touring.panel
    assert panel.accessibleDescription() == "Words There are 4 words."
    go_on(qtbot, window)
    assert "Which pair comes next?" in panel.accessibleDescription()
    assert "1: " in panel.accessibleDescription()
    for widget in panel.findChildren(QPushButton) + panel.findChildren(QComboBox):
        assert widget.accessibleName() or not widget.isVisible()
    window.touring.leave()


def check_a_page_that_takes_long_says_so_rather_than_what_the_page_before_said(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    panel = window.touring.panel
    before = panel.text
    progress = child(panel, QProgressBar, "tourProgress")
    panel.show_waiting(1, "A slow page", goes_on=False)
    assert panel.text == before
    assert progress.value() == 1, "the words of the first page are in view"
    qtbot.waitUntil(lambda: panel.text != before)
    assert progress.value() == 2
    assert panel.text.startswith("A slow page")
    assert "Preparing this page" in panel.text
    window.touring.go_to_page(0)
    qtbot.waitUntil(lambda: panel.text == before)
    window.touring.leave()


def test_pages_are_turned_listed_and_told(
    window: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path
) -> None:
    check_actions_and_keys(window, qtbot, short)
    check_pages_follow_each_other_by_keys_and_going_back_shows_the_same(window, qtbot, short)
    check_each_page_can_be_gone_to_directly(window, qtbot, short)
    check_the_list_of_pages_goes_to_each(window, qtbot, short)
    check_lanes_are_those_of_the_page(window, qtbot, short)
    check_a_screen_reader_is_told_of_each_page(window, qtbot, short)
    check_what_a_page_cannot_show_is_told_on_it(window, qtbot, tmp_path)
    check_a_page_that_takes_long_says_so_rather_than_what_the_page_before_said(window, qtbot, short)
    check_keys_go_from_chapter_to_chapter(window, qtbot, short)
    check_the_cursor_walks_only_from_the_moment_before(window, qtbot, short)


def test_lanes_of_later_pages_are_trained_while_the_first_is_read(
    window: MainWindow, qtbot: QtBot, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = noted(monkeypatch, "train_words")
    begin(qtbot, window, short)
    qtbot.waitUntil(lambda: len(trained) == 1)
    go_to(qtbot, window, 4)
    assert [lane.name for lane in window.compare.comparison.lanes][1] == "whitespace"
    assert len(trained) == 1


LANES_OF_A_STORY = (
    "gpt2 on story-english to 300", "gpt2 on story-english to 290", "gpt4 on story-english to 290",
)  # fmt: skip


def test_a_corpus_is_read_once_for_lanes_that_split_it_alike(
    window: MainWindow, qtbot: QtBot, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one in view is not read for lanes at all."""
    lanes = "".join(f"lane: {lane}\n" for lane in LANES_OF_A_STORY)
    with short.open("a") as file:
        file.write(f"\n## A story\nworkspace: compare\ntext: low\n{lanes}\nLanes.\n")
    counted, trained = noted(monkeypatch, "count_words"), noted(monkeypatch, "train_words")
    begin(qtbot, window, short)
    go_to(qtbot, window, 6)
    recipes = [recipe for _, recipe in trained if recipe.name != "whitespace"]
    assert sorted((recipe.name, recipe.vocabulary_size) for recipe in recipes) == [
        ("gpt2", 290), ("gpt2", 300), ("gpt4", 290),
    ]  # fmt: skip
    assert [(corpus.name, recipe.split) for corpus, recipe in counted] == [
        ("A story in English", "gpt2"), ("A story in English", "cl100k"),
    ]  # fmt: skip
    runs = {encoding.name: encoding.history for encoding in window.touring.scene_setting.compared}
    for name, history in runs.items():
        alone = train_corpus(sample("story-english"), history.recipe, lambda *_: None)
        assert history.equals(alone), name


def noted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[tuple[Any, Any]]:
    """The first two arguments of each call of a function with which lanes are trained."""
    calls: list[tuple[Any, Any]] = []
    function = getattr(scene_setting, name)

    def note(first: Any, second: Any, *rest: Any, **options: Any) -> Any:
        calls.append((first, second))
        return function(first, second, *rest, **options)

    monkeypatch.setattr(scene_setting, name, note)
    return calls
