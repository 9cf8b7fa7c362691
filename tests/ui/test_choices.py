"""What is remembered: by itself, in its file, and through the window."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QSplitter, QTabWidget, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.folders import config_folder
from bpe_gui.ui.context.workspaces import WorkspaceId
from bpe_gui.ui.settings import choices_file, window_place
from bpe_gui.ui.settings.choices import Choices
from bpe_gui.ui.settings.remembering import EVERY
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.text_size import text_scale
from bpe_gui.ui.theme.theme import DARK, LIGHT
from tests.ui.widgets import child

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
names = st.from_regex(r"[a-z]+(-[a-z]+)*", fullmatch=True)


class Thing:
    """Something that can be chosen: a whole number from 0 to 9."""

    def __init__(self, number: int = 0) -> None:
        self.number = number

    def get(self) -> int:
        return self.number

    def choose(self, number: Any) -> None:
        if number not in range(10):
            raise ValueError(number)
        self.number = number

    def known_to(self, choices: Choices) -> Thing:
        choices.remember("thing", self.get, self.choose)
        return self


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., MainWindow]]:
    """Starts the program; what was started is ended at the next start, and in the end."""
    windows: list[MainWindow] = []
    # The screen that there is when there is none has no room for the window.
    monkeypatch.setattr(window_place, "room_at", lambda point: QRect(0, 0, 1920, 1080))

    def end() -> None:
        while windows:
            window = windows.pop()
            window.close()
            window.deleteLater()

    def start(*arguments: str) -> MainWindow:
        end()
        windows.append(app.create(arguments)[1])
        return windows[0]

    yield start
    end()


# -- by itself ---------------------------------------------------------------------------------


def test_what_is_chosen_is_chosen_again(tmp_path: Path) -> None:
    choices = Choices(tmp_path)
    thing = Thing().known_to(choices)
    thing.number = 7
    choices.close()
    assert Thing().known_to(Choices(tmp_path)).number == 7


def test_what_is_left_as_it_began_is_not_kept(tmp_path: Path) -> None:
    choices = Choices(tmp_path)
    Thing(3).known_to(choices)
    choices.close()
    assert Thing(5).known_to(Choices(tmp_path)).number == 5


def test_what_the_command_line_asks_for_is_not_kept(tmp_path: Path) -> None:
    for chosen, asked, kept in ((4, None, 4), (None, 8, 4), (6, 9, 6)):
        choices = Choices(tmp_path)
        thing = Thing().known_to(choices)
        if asked is not None:
            thing.number = asked
        choices.begin()
        if chosen is not None:
            thing.number = chosen
        choices.close()
        assert choices_file.read(tmp_path) == {"thing": kept}


def test_what_makes_no_sense_is_named_and_left_out(tmp_path: Path) -> None:
    choices_file.write(tmp_path, {"thing": 99, "later": [1]})
    choices = Choices(tmp_path)
    assert Thing(5).known_to(choices).number == 5
    assert choices.left_out == (
        "Some of what you chose before makes no sense here, and is as at first: the thing."
    )
    choices.close()
    assert choices_file.read(tmp_path) == {"later": [1]}


def test_all_is_forgotten_and_brought_back(tmp_path: Path, qtbot: QtBot) -> None:
    choices_file.write(tmp_path, {"thing": 4, "later": 1})
    choices = Choices(tmp_path)
    thing = Thing(2).known_to(choices)
    choices.forget()
    choices.save()
    qtbot.waitUntil(lambda: choices_file.read(tmp_path) == {})
    assert thing.number == 2
    choices.recall()
    choices.close()
    assert (thing.number, choices_file.read(tmp_path)) == (4, {"thing": 4, "later": 1})
    choices.recall()
    assert thing.number == 4


# -- the file ----------------------------------------------------------------------------------


@given(st.dictionaries(names, values, max_size=5))
def test_the_file_holds_any_values(
    tmp_path_factory: pytest.TempPathFactory, kept: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("choices")
    choices_file.write(folder, kept)
    assert choices_file.read(folder) == kept


DAMAGED = (
    b"\x00\xff\xfe",
    b"garbage",
    b"thing=@Variant(\\0\\0\\0\\x7f)",
    b"thing=1, 2",
    b"=1",
    b"thing=1e999",
    b"thing=NaN",
    b"thing=" + b"9" * 5_000,
    b"thing=" + b"[" * 100_000,
    b"thing=1\n" + b"x" * 300_000,
)


@pytest.mark.parametrize("data", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_put_aside(tmp_path: Path, data: bytes) -> None:
    (tmp_path / choices_file.NAME).write_bytes(data)
    choices = Choices(tmp_path)
    assert "put aside as choices-damaged.ini" in choices.problem
    assert (tmp_path / choices_file.ASIDE).read_bytes() == data
    thing = Thing().known_to(choices)
    thing.number = 1
    choices.close()
    assert choices_file.read(tmp_path) == {"thing": 1}


@given(st.binary(max_size=200))
def test_no_file_does_harm(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("choices")
    (folder / choices_file.NAME).write_bytes(b"[General]\nthing=" + data)
    thing = Thing().known_to(Choices(folder))
    assert thing.number in range(10)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / choices_file.NAME)
    assert "it is no file" in Choices(tmp_path).problem


def test_what_another_window_has_chosen_meanwhile_stays(tmp_path: Path) -> None:
    first, second = Choices(tmp_path), Choices(tmp_path)
    one, other = Thing(), Thing()
    first.remember("one", one.get, one.choose)
    second.remember("other", other.get, other.choose)
    one.number, other.number = 3, 4
    first.close()
    second.close()
    assert choices_file.read(tmp_path) == {"one": 3, "other": 4}


def test_what_cannot_be_written_is_told_until_it_can_be(tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "file").touch()
    choices = Choices(tmp_path / "file")
    thing = Thing().known_to(choices)
    thing.number = 3
    with qtbot.waitSignal(choices.told) as signal:
        choices.save()
    path = tmp_path / "file" / choices_file.NAME
    assert signal.args == [f"{path} cannot be written: File exists"]
    (tmp_path / "file").unlink()
    thing.number = 4
    with qtbot.waitSignal(choices.told) as signal:
        choices.save()
    assert signal.args == [""]
    assert choices_file.read(tmp_path / "file") == {"thing": 4}
    choices.close()


def test_a_folder_that_cannot_be_made_is_said_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    choices = Choices(tmp_path / "file")
    Thing().known_to(choices).number = 1
    choices.close()
    assert "what you chose is not remembered" in capsys.readouterr().err


# -- through the window ------------------------------------------------------------------------


def test_looks_are_remembered(start: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = start()
    assert (window.theme.name, window.theme_choice.chosen) == (DARK.name, "system")
    window.theme_choice.choose("light")
    window.actions_.larger_text.trigger()
    window.actions_.larger_text.trigger()
    window.actions_.animate.trigger()
    window.player.set_speed(1.0)
    window.palette_choice.choose("strong")
    window.resize(1100, 720)
    window = start()
    assert (window.theme.name, window.theme_choice.chosen) == (LIGHT.name, "light")
    assert text_scale(window.vocabulary.font()) == pytest.approx(1.25)
    assert not window.actions_.animate.isChecked()
    assert window.player.speed == 1.0
    assert window.palette_choice.palette.name == "strong"
    assert (window.width(), window.height()) == (1100, 720)


def test_the_layout_of_each_workspace_is_remembered(
    start: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = start()
    qtbot.waitExposed(window)
    docks = window.workspace.docks
    docks["whyDock"].hide()
    docks["curvesDock"].raise_()
    window.resizeDocks([docks["pairDock"]], [300], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: abs(docks["pairDock"].width() - 300) < 20)
    width = docks["pairDock"].width()
    window.workspaces.laboratory()
    across = window.findChild(QSplitter, "laboratorySplitter")
    assert isinstance(across, QSplitter)
    qtbot.waitUntil(lambda: all(across.sizes()))
    across.setSizes([500, across.width() - 500 - across.handleWidth()])
    wanted = across.sizes()
    window.workspaces.compare()
    window = start()
    assert window.workspaces.shown is WorkspaceId.COMPARE
    window.workspaces.laboratory()
    across = window.findChild(QSplitter, "laboratorySplitter")
    assert isinstance(across, QSplitter)
    share = across.sizes()[0] / sum(across.sizes())
    assert share == pytest.approx(wanted[0] / sum(wanted), abs=0.02)
    window.workspaces.explore()
    docks = window.workspace.docks
    qtbot.waitUntil(lambda: docks["curvesDock"].widget().isVisible())
    assert docks["whyDock"].isHidden()
    assert docks["pairDock"].width() == pytest.approx(width, abs=8)


def test_the_handle_of_the_lockstep_is_remembered_when_there_is_one(
    start: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    def divided() -> QSplitter:
        window.workspaces.laboratory()
        bench = window.laboratory.bench
        bench.tabs.setCurrentWidget(bench.lockstep)
        assert window.choices.remembers("parts-of-the-laboratory")
        assert not window.choices.remembers("parts-of-the-lockstep")
        qtbot.waitUntil(lambda: window.player.history is not None)
        bench.lockstep.train_presets("whitespace", "raw")
        handles = child(bench, QSplitter, "lockstepSplitter")
        qtbot.waitUntil(lambda: handles.count() == 2 and all(handles.sizes()))
        assert window.choices.remembers("parts-of-the-lockstep")
        qtbot.waitUntil(lambda: not bench.lockstep.runs.busy)
        return handles

    window = start()
    handles = divided()
    whole = sum(handles.sizes())
    handles.setSizes([whole // 3, whole - whole // 3])
    sizes = handles.sizes()
    window = start()
    assert divided().sizes()[0] / whole == pytest.approx(sizes[0] / whole, abs=0.02)


def test_the_command_line_wins_over_what_was_chosen(start: Callable[..., MainWindow]) -> None:
    window = start()
    window.controls.choose_preset("gpt4")
    window.controls.size_box.setValue(700)
    controls = start().controls
    assert (controls.chosen_recipe().name, controls.vocabulary_size) == ("gpt4", 700)
    controls = start("open", "--preset", "lines", "--vocab-size", "90").controls
    assert (controls.chosen_recipe().name, controls.vocabulary_size) == ("lines", 90)
    controls = start().controls
    assert (controls.chosen_recipe().name, controls.vocabulary_size) == ("gpt4", 700)


def test_a_recipe_that_is_gone_is_named(start: Callable[..., MainWindow]) -> None:
    choices_file.write(config_folder(), {"recipe": "own:mine", "workspace": "cellar"})
    window = start()
    assert "as at first: the workspace, the recipe." in window.message_bar.text
    assert window.controls.chosen_recipe().name == "whitespace"


def test_hostile_values_do_no_harm(start: Callable[..., MainWindow]) -> None:
    names = start().choices.names
    for value in (None, True, -1, 1e300, 10**30, "", "x" * 9_000, [], [0] * 99, {}, {"width": -5}):
        choices_file.write(config_folder(), dict.fromkeys(names, value))
        window = start()
        assert window.workspaces.shown is WorkspaceId.EXPLORE
        assert (window.width(), window.height()) == (1280, 800)


def test_a_damaged_file_is_told_in_the_window(start: Callable[..., MainWindow]) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / choices_file.NAME).write_bytes(b"\0")
    assert "All is as at the first start." in start().message_bar.text


def test_choices_are_forgotten_and_brought_back(
    start: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = start()
    window.theme_choice.choose("light")
    window.actions_.larger_text.trigger()
    window.workspaces.compare()
    window.controls.choose_preset("gpt4")
    window.controls.size_box.setValue(700)
    window.actions_.forget_choices.trigger()
    assert (window.theme_choice.chosen, window.text_sizing.scale) == ("system", 1.0)
    # No other run is begun, and it is said that this one stays.
    controls = window.controls
    assert (controls.chosen_recipe().name, controls.vocabulary_size) == ("gpt4", 700)
    assert "only the run that is here keeps its recipe and its size" in window.message_bar.text
    assert window.workspaces.shown is WorkspaceId.EXPLORE
    assert "Ctrl+Shift+Y brings back what you chose" in window.message_bar.text
    qtbot.waitUntil(lambda: choices_file.read(config_folder()) == {})
    window.actions_.recall_choices.trigger()
    assert (window.theme_choice.chosen, window.text_sizing.scale) == ("light", 1.1)
    assert window.workspaces.shown is WorkspaceId.COMPARE
    assert not window.actions_.recall_choices.isEnabled()
    window.actions_.forget_choices.trigger()
    buttons = window.message_bar.findChildren(QToolButton)
    [button for button in buttons if button.text() == "Bring it back"][-1].click()
    assert window.theme_choice.chosen == "light"
    window.actions_.forget_choices.trigger()
    window = start()
    assert (window.theme_choice.chosen, window.text_sizing.scale) == ("system", 1.0)


def test_what_is_searched_for_is_forgotten_and_brought_back(
    start: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = start()
    qtbot.waitUntil(lambda: window.player.history is not None)
    searches = [child(window, QLineEdit, f"{name}Search") for name in ("vocabulary", "words")]
    order = child(window, QComboBox, "wordsOrder")
    for search in searches:
        search.setText("est")
    order.setCurrentIndex(1)
    window.workspaces.laboratory()
    tabs = child(window, QTabWidget, "laboratoryTabs")
    tabs.setCurrentIndex(1)
    window.actions_.forget_choices.trigger()
    assert [search.text() for search in searches] == ["", ""]
    assert (order.currentIndex(), tabs.currentIndex()) == (0, 0)
    window.actions_.recall_choices.trigger()
    assert [search.text() for search in searches] == ["est", "est"]
    assert (order.currentIndex(), tabs.currentIndex()) == (1, 1)
    # They are not for the next start.
    window = start()
    assert not child(window, QLineEdit, "wordsSearch").text()


def test_what_is_chosen_is_written_soon(start: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = start()
    window.remembering._looking.setInterval(1)
    window.actions_.larger_text.trigger()
    qtbot.waitUntil(lambda: choices_file.read(config_folder()).get("text-size") == 1.1)
    window.theme_choice.choose("light")
    qtbot.waitUntil(lambda: choices_file.read(config_folder()).get("colours") == "light")
    # The stage has colours of its own; but which panels are on it is chosen.
    window.actions_.present.trigger()
    window.theme_choice.choose("dark")
    window.stage.choice = {**window.stage.choice, "layout": 3}
    qtbot.waitUntil(lambda: choices_file.read(config_folder()).get("stage") is not None)
    window.stage.leave()
    assert choices_file.read(config_folder())["colours"] == "light"
    assert EVERY <= 2_000
