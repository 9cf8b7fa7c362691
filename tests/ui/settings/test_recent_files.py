"""The menu of what was opened last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.settings.recent_files import MOST, RecentFiles, shortened, shown
from bpe_gui.ui.shell.main_window import MainWindow


@pytest.fixture
def recent(qtbot: QtBot) -> RecentFiles:
    """A menu of recent corpora that belongs to a window."""
    window = QWidget()
    qtbot.addWidget(window)
    made = RecentFiles("corpora", "&Recent corpora", "recentCorpora", window)
    made.window = window  # type: ignore[attr-defined]  # it lives as long
    return made


def items(recent: RecentFiles) -> list[str]:
    return [action.text() for action in recent.menu.actions() if not action.isSeparator()]


def action(recent: RecentFiles, number: int) -> QAction:
    return recent.menu.actions()[number - 1]


def test_the_newest_comes_first_and_each_only_once(recent: RecentFiles, tmp_path: Path) -> None:
    assert items(recent) == ["None so far"]
    for name in ("a", "b", "a"):
        recent.note([tmp_path / name])
    assert recent.entries == [[str(tmp_path / "a")], [str(tmp_path / "b")]]
    assert [text.split()[:2] for text in items(recent)[:2]] == [["&1", "a"], ["&2", "b"]]
    assert items(recent)[2:] == ["&Clear"]


def test_ten_are_remembered_each_with_a_key(recent: RecentFiles, tmp_path: Path) -> None:
    for number in range(12):
        recent.note([tmp_path / str(number)])
    assert len(recent.entries) == MOST
    keys = [text.split()[0] for text in items(recent)[:MOST]]
    assert keys == [*(f"&{number}" for number in range(1, 10)), "1&0"]


def test_what_is_there_is_opened_again(
    recent: RecentFiles, tmp_path: Path, qtbot: QtBot
) -> None:
    paths = [tmp_path / "a & b.txt", tmp_path / "c.txt"]
    for path in paths:
        path.touch()
    recent.note(paths)
    assert "a && b.txt and 1 more" in action(recent, 1).text()
    with qtbot.waitSignal(recent.wanted) as caught:
        action(recent, 1).trigger()
    assert caught.args == [[str(path) for path in paths]]


def test_what_is_gone_is_told_and_taken_away(
    recent: RecentFiles, tmp_path: Path, qtbot: QtBot
) -> None:
    recent.note([tmp_path / "gone.txt"])
    with qtbot.waitSignal(recent.gone) as caught:
        action(recent, 1).trigger()
    assert caught.args == [
        f"{tmp_path / 'gone.txt'} cannot be found any more, so it is no longer among the recent "
        "corpora."
    ]
    assert recent.entries == []


def test_all_are_cleared(recent: RecentFiles, tmp_path: Path) -> None:
    recent.note([tmp_path])
    recent.menu.actions()[-1].trigger()
    assert items(recent) == ["None so far"]


@pytest.mark.parametrize(
    "entries", [None, "a", [[]], [["relative"]], [["/a\0b"]], [[1]], ["/a"], [["/a"]] * 11]
)
def test_what_is_no_list_of_paths_is_refused(recent: RecentFiles, entries: object) -> None:
    with pytest.raises(ValueError, match="no"):
        recent.set_entries(entries)


def test_names_that_no_menu_can_show_are_shown_all_the_same() -> None:
    assert shown(("/texts/a\nb\udce9.txt",)) == "a�b?.txt — /texts"
    assert shown(("/",)) == "/ — /"


def test_long_folders_are_cut_in_their_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert shortened(Path("/home/ada/texts")) == "~/texts"
    short = shortened(Path("/home/ada") / ("very/" * 30) / "deep")
    assert short.startswith("~/…/very")
    assert short.endswith("/very/deep")
    assert len(short) <= 60


def test_files_are_remembered_once_they_are_read(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened("text.txt", "low lower")
    recent = window.recent_corpora
    qtbot.waitUntil(lambda: recent.entries == [[str(tmp_path / "text.txt")]])
    window.controls.corpus_box.setCurrentIndex(window.controls.corpus_box.findData("scripts"))
    qtbot.waitUntil(lambda: window.player.history is not None)
    assert len(recent.entries) == 1
    recent.menu.actions()[0].trigger()
    assert window.controls.files == (str(tmp_path / "text.txt"),)


def test_a_file_that_is_gone_is_told_in_the_window(
    opened: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = opened("text.txt", "low lower")
    window.recent_corpora.note([tmp_path / "gone.txt"])
    window.recent_corpora.menu.actions()[0].trigger()
    assert "gone.txt cannot be found any more" in window.message_bar.text


def test_sessions_are_remembered_and_opened_again(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened("text.txt", "low lower", "--start")
    keeper, path = window.session_keeper, tmp_path / "talk.bpesession"
    qtbot.waitUntil(lambda: window.player.end > 0)
    with qtbot.waitSignal(keeper.saved):
        keeper.save_to(path)
    assert window.recent_sessions.entries == [[str(path)]]
    with qtbot.waitSignal(keeper.opened):
        window.recent_sessions.menu.actions()[0].trigger()
    assert window.recent_sessions.entries == [[str(path)]]
