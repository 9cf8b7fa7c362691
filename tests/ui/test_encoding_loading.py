"""Encodings added from files and by name, and files that are dropped on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QPushButton,
)
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.bpe.tokenizer import Tokenizer, Tokens
from bpe_gui.encodings import (
    gpt2_files,
    huggingface_export,
    opening,
    tiktoken_files,
    tiktoken_names,
)
from bpe_gui.encodings import hub as hub_module
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.tiktoken_names import DownloadCancelled
from bpe_gui.encodings.trained import TrainedEncoding
from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.compare.rank_file_dialog import RankFileDialog
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.training import Phase
from tests.encodings.hub_server import Hub, serving
from tests.encodings.test_hub import point_to
from tests.ui.test_comparing import TEXT, act, settled, table, write
from tests.ui.widgets import child

Opened = Callable[..., MainWindow]
Bar = QDialogButtonBox.StandardButton


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    act(window, "compareAction")
    settled(qtbot, window)
    return window


def loaded(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.compare.loader.busy, timeout=60_000)
    settled(qtbot, window)


def waiting(window: MainWindow) -> list[tuple[str, str]]:
    """The lanes below the others, which have no tokens: their names, and why they have none."""
    view = window.compare.waiting
    if not view.isVisible():
        return []
    sentences = view.findChildren(QLabel, "waitingSentence")
    rows = sorted((label.parentWidget() for label in sentences), key=lambda row: row.y())
    texts = [child(row, QLabel, "waitingSentence").text() for row in rows]
    return [
        (row.accessibleName().removesuffix(f": {text}"), text)
        for row, text in zip(rows, texts, strict=True)
    ]


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left, none = (
        Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )  # fmt: skip
    place = QPoint(10, 10)
    QApplication.sendEvent(window, QDragEnterEvent(place, copy, data, left, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(place), copy, data, left, none))


def test_a_dropped_tokenizer_becomes_a_lane_whatever_it_is_called(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = window.player.history
    assert history is not None
    path = tmp_path / "notes.txt"
    huggingface_export.write(history, path)
    act(window, "exploreAction")
    drop(window, path)
    assert window.compare.isVisible()
    loaded(qtbot, window)
    row = table(window)[-1]
    text = window.compare.source.text()
    assert row[:2] == ["notes.txt", str(len(Tokenizer(history).encode(text)))]
    assert window.training.phase is Phase.FINISHED, "it is no corpus"


def test_a_dropped_text_is_a_corpus_in_explore_and_a_text_in_compare(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "rhyme.txt"
    path.write_text("the hat sat")
    drop(window, path)
    settled(qtbot, window)
    assert window.compare.source.text() == "the hat sat"
    act(window, "exploreAction")
    drop(window, path)
    qtbot.waitUntil(lambda: window.controls.corpus_box.currentText() == "rhyme.txt")


def test_a_tokenizer_dropped_before_comparing_stands_below_the_run(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    history = window.player.history
    assert history is not None
    huggingface_export.write(history, tmp_path / "first.json")
    drop(window, tmp_path / "first.json")
    loaded(qtbot, window)
    assert [row[0] for row in table(window)] == [FOLLOWING, BEHIND, "first.json"]
    for lane in window.compare.comparison.lanes[:2]:
        window.compare.comparison.remove(lane.key)
    window.open_sources([tmp_path / "story.txt"])
    qtbot.waitUntil(lambda: window.player.history not in (history, None), timeout=30_000)
    settled(qtbot, window)
    names = [row[0] for row in table(window)]
    assert FOLLOWING not in names, "the user has taken it away"


def test_a_pair_of_files_dropped_at_once_is_one_lane(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = window.player.history
    assert history is not None
    folder = tmp_path / "pair"
    folder.mkdir()
    gpt2_files.write(history, folder)
    text = tmp_path / "rhyme.txt"
    text.write_text("the hat sat")
    drop(window, folder / "merges.txt", text, folder / "vocab.json")
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[2:]] == ["pair/merges.txt"]
    assert table(window)[-1][1] == table(window)[0][1]
    assert window.compare.source.text() == "the hat sat"
    drop(window, folder)
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[3:]] == ["pair"]


def test_several_texts_dropped_in_compare_are_measured(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    paths = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for path in paths:
        path.write_text("the hat sat")
    with qtbot.waitSignal(window.compare.numbers.measured, timeout=60_000):
        drop(window, *paths)
    assert window.controls.corpus_box.currentText() == "story.txt", "the run stays"
    with qtbot.waitSignal(window.compare.numbers.measured, timeout=60_000):
        drop(window, tmp_path)
    qtbot.waitUntil(lambda: not window.compare.numbers.measuring.busy)


def test_tab_leads_from_the_lanes_to_those_that_failed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for name in ("gone.json", "lost.json"):
        window.compare.add_menu.add_path(tmp_path / name)
    loaded(qtbot, window)
    window.compare.lanes.setFocus()
    order = []
    for _ in range(5):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None
        order.append(focus.accessibleName())
    assert order == [
        "Try gone.json again", "Remove gone.json", "Try lost.json again", "Remove lost.json",
        "Numbers",
    ]  # fmt: skip


def test_what_cannot_be_read_says_why_and_the_window_goes_on(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"version": "1.0", "model": {"type": "BPE", "vocab": 7}}')
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *a, **k: ([str(path)], ""))
    act(window, "addFileAction")
    loaded(qtbot, window)
    assert [name for name, _ in waiting(window)] == ["broken.json"]
    assert "is not a tokenizer.json" in waiting(window)[0][1]
    assert window.message_bar.text == "", "it is said once"
    assert table(window)[-1][0].startswith("broken.json: ")
    assert len(table(window)[0][1]) > 0, "the other lanes are there"


def test_what_fails_unseen_is_told_by_the_window_until_its_lane_is_seen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    act(window, "exploreAction")
    for name in ("broken.json", "torn.json"):
        path = tmp_path / name
        path.write_text('{"version": "1.0", "model": {"type": "BPE", "vocab": 7}}')
        window.compare.add_menu.add_path(path)
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    said = window.message_bar.text.split("\n")
    assert ["broken.json" in said[0], "torn.json" in said[1]] == [True, True]
    act(window, "compareAction")
    assert window.message_bar.text == "", "the lanes tell it themselves"
    assert [name for name, _ in waiting(window)] == ["broken.json", "torn.json"]


def test_a_lane_that_failed_says_why_beside_the_numbers_of_a_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.compare.add_menu.add_path(tmp_path / "gone.json")
    loaded(qtbot, window)
    path = tmp_path / "rhyme.txt"
    path.write_text("the hat sat")
    window.compare.measure([str(path)])
    qtbot.waitUntil(lambda: "measured whole" in window.compare.numbers.bar.text, timeout=30_000)
    assert "gone.json: No such file or directory" in table(window)[-1][0]


def test_a_failed_lane_is_tried_again_by_its_button_and_by_key(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = window.player.history
    assert history is not None
    paths = [tmp_path / "first.json", tmp_path / "second.json"]
    for path in paths:
        window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    assert ["No such file" in sentence for _, sentence in waiting(window)] == [True, True]
    again = child(window, QAction, "tryAgainAction")
    assert again.isEnabled()
    huggingface_export.write(history, paths[1])
    button = window.compare.waiting.findChildren(QPushButton, "tryAgainButton")[1]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    loaded(qtbot, window)
    assert [name for name, _ in waiting(window)] == ["first.json"]
    assert table(window)[3][:2] == ["second.json", table(window)[0][1]], "it is where it was"
    huggingface_export.write(history, paths[0])
    QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[2:]] == ["first.json", "second.json"]
    assert not window.compare.waiting.isVisible()
    assert not again.isEnabled()


def test_a_failed_lane_is_removed_where_it_stands(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.compare.add_menu.add_path(tmp_path / "gone.json")
    loaded(qtbot, window)
    button = child(window.compare.waiting, QPushButton, "removeWaitingButton")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    assert len(table(window)) == 2
    assert waiting(window) == []
    assert not child(window, QAction, "tryAgainAction").isEnabled()


def test_an_encoding_that_cannot_cut_the_text_says_so_below_the_lanes(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = window.player.history
    assert history is not None
    odd = TrainedEncoding(history, name="odd")

    def refuses(text: str, *, specials_as_text: bool = False) -> Tokens:
        raise EncodingError("this text is too much for it; shorten the text")

    monkeypatch.setattr(odd, "encode", refuses)
    window.compare.comparison.add(odd)
    settled(qtbot, window)
    assert waiting(window) == [("odd", "This text is too much for it; shorten the text.")]
    assert not child(window, QAction, "tryAgainAction").isEnabled()


def test_files_of_one_name_are_told_apart(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = window.player.history
    assert history is not None
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "tokenizer.json"
        huggingface_export.write(history, path)
        window.compare.add_menu.add_path(path)
        window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[2:]] == [
        "first/tokenizer.json",
        "first/tokenizer.json (2)",
        "second/tokenizer.json",
        "second/tokenizer.json (2)",
    ]


def test_a_rank_file_asks_for_its_split(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = window.player.history
    assert history is not None
    path = tmp_path / "ranks"
    tiktoken_files.write(history, path)
    asked: list[str] = []

    def answer(dialog: RankFileDialog) -> int:
        asked.append(dialog.windowTitle())
        dialog.splits.setCurrentText("gpt2")
        return int(RankFileDialog.DialogCode.Accepted)

    monkeypatch.setattr(RankFileDialog, "exec", answer)
    drop(window, path)
    loaded(qtbot, window)
    assert asked == ["ranks"]
    assert table(window)[-1][1] == table(window)[0][1]
    monkeypatch.setattr(RankFileDialog, "exec", lambda dialog: 0)
    drop(window, path)
    assert len(window.compare.comparison.lanes) == 3, "who would rather not adds nothing"


def test_a_pattern_of_ones_own_has_to_be_one(qtbot: QtBot) -> None:
    dialog = RankFileDialog(Path("cl100k_base.tiktoken"))
    qtbot.addWidget(dialog)
    assert dialog.split == "cl100k_base", "by its name"
    ok = dialog.findChild(QDialogButtonBox)
    assert isinstance(ok, QDialogButtonBox)
    button = ok.button(Bar.Ok)
    assert button.isEnabled()
    assert not dialog.pattern.isEnabled()
    dialog.splits.setCurrentIndex(dialog.splits.count() - 1)
    assert not button.isEnabled()
    said = dialog.findChild(QLabel, "rankFileProblem")
    assert isinstance(said, QLabel)
    assert not said.text()
    for wrong, why in [
        (r"\w+|(", "Opening parenthesis without closing parenthesis"),
        (r"\w+|(?r)\W", "Unknown group flag"),  # known to the regex module, not to tiktoken
        (r"\w*", "can match no characters at all"),
        ("words", "there is no split pattern under the name"),
    ]:
        dialog.pattern.setText(wrong)
        assert not button.isEnabled()
        assert why.casefold() in said.text().casefold()
        assert said.text().startswith(("The split pattern", "There is"))
    dialog.pattern.setText(r"[[:alpha:]&&[a-z]]+|[\s\S]")
    assert button.isEnabled()
    dialog.pattern.setText(r"\w+|\W")
    assert button.isEnabled()
    assert dialog.split == r"\w+|\W"


def test_special_tokens_of_ones_own_have_ids(qtbot: QtBot) -> None:
    dialog = RankFileDialog(Path("ranks"))
    qtbot.addWidget(dialog)
    buttons = dialog.findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    ok = buttons.button(Bar.Ok)
    assert dialog.special_tokens is None, "those of the encoding, if it is that one"
    dialog.specials.setCurrentText("none")
    assert dialog.special_tokens == {}
    dialog.specials.setCurrentText("those of cl100k_base")
    assert dialog.special_tokens == "cl100k_base"
    dialog.specials.setCurrentText("of your own")
    said = dialog.findChild(QLabel, "rankFileProblem")
    assert isinstance(said, QLabel)
    for wrong, why in [
        ("<|end|>", "“<|end|>” has no id"),
        ("<|end|> one", "“one” should be the id"),
        ("<|end|> 1 <|end|> 2", "given twice"),
        ('<|end|> 1 "<|end|>" 2', "given twice"),
        ("a b 1", "“b” should be the id"),
        ('"a b 1', "is no text in quotation marks"),
        (r'"\x" 1', "is no text in quotation marks"),
        ("<|end|> 2147483648", "they go up to 2,147,483,647"),
        ("<|end|> 1234567890123456", "“1234567890123456” is no id"),
        ("<|end|> \u0663", "\u0663” is no id"),
    ]:
        dialog.tokens.setText(wrong)
        assert not ok.isEnabled()
        assert why in said.text()
    dialog.tokens.setText("<|end|> = 300, <|pad|> 301")
    assert ok.isEnabled()
    assert dialog.special_tokens == {"<|end|>": 300, "<|pad|>": 301}
    dialog.tokens.setText(r'"an end" 300, "a=b,\n\"" = 301 <|pad|> 2147483647')
    assert ok.isEnabled()
    assert dialog.special_tokens == {"an end": 300, 'a=b,\n"': 301, "<|pad|>": 2147483647}


def test_special_tokens_of_ones_own_are_found_in_the_text(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = window.player.history
    assert history is not None
    path = tmp_path / "ranks"
    tiktoken_files.write(history, path)
    window.compare.loader.load(f"{path}@gpt2", "ranks", {"<|end|>": 5000})
    loaded(qtbot, window)
    write(qtbot, window, "the cat<|end|>")
    result = window.compare.comparison.result
    assert result is not None
    cut = result.lanes[-1].cut
    assert cut is not None
    assert cut.tokens.ids[-1] == 5000
    assert cut.special[-1]
    child(window, QCheckBox, "specialsAsText").click()
    settled(qtbot, window)
    result = window.compare.comparison.result
    assert result is not None
    cut = result.lanes[-1].cut
    assert cut is not None
    assert 5000 not in cut.tokens.ids


def test_a_name_of_the_hub_and_one_of_tiktoken(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[str] = []
    history = window.player.history
    assert history is not None

    def opened_encoding(spec: str, **options: object) -> object:
        wanted.append(spec)
        return TrainedEncoding(history, name=spec)

    monkeypatch.setattr(opening, "open_encoding", opened_encoding)
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: (" someone/model ", True))
    act(window, "addHubAction")
    window.compare.add_menu.aboutToShow.emit()
    act(window, "add_gpt2")
    loaded(qtbot, window)
    assert wanted == ["hub:someone/model", "tiktoken:gpt2"]
    assert [row[0] for row in table(window)[2:]] == ["someone/model", "gpt2"]


def test_the_menu_says_what_is_to_be_fetched_until_it_is_here(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    here: set[str] = set()
    monkeypatch.setattr(tiktoken_names, "is_here", lambda name: name in here)
    menu = window.compare.add_menu
    menu.aboutToShow.emit()
    action = child(window, QAction, "add_gpt2")
    assert action.text() == "gpt2 (to be fetched)"
    here.add("gpt2")
    menu.aboutToShow.emit()
    assert action.text() == "gpt2"
    assert child(window, QAction, "add_o200k_base").text() == "o200k_base (to be fetched)"


def test_a_download_tells_how_far_it_is_and_is_cancelled_by_taking_its_lane_away(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, given_up = Event(), Event()

    def slow(
        spec: str,
        *,
        progress: Callable[[int, int | None], None],
        cancelled: Callable[[], bool],
        **options: object,
    ) -> object:
        progress(2_000_000, 8_000_000)
        begun.set()
        while not cancelled():
            Event().wait(0.001)
        given_up.set()
        raise DownloadCancelled

    monkeypatch.setattr(opening, "open_encoding", slow)
    window.compare.loader.load("hub:large", "large")
    assert begun.wait(5)
    qtbot.waitUntil(
        lambda: table(window)[-1][0] == "large: 2.0 of 8.0 MB fetched", timeout=5_000
    )
    qtbot.waitUntil(lambda: waiting(window) == [("large", "2.0 of 8.0 MB fetched")])
    cancel = child(window.compare.waiting, QPushButton, "removeWaitingButton")
    assert cancel.text() == "Cancel"
    QTest.mouseClick(cancel, Qt.MouseButton.LeftButton)
    assert given_up.wait(5)
    settled(qtbot, window)
    assert len(table(window)) == 2
    assert window.message_bar.text == ""


def test_closing_gives_up_a_download(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = Event()

    def endless(spec: str, *, cancelled: Callable[[], bool], **options: object) -> object:
        begun.set()
        while not cancelled():
            Event().wait(0.001)
        raise DownloadCancelled

    monkeypatch.setattr(opening, "open_encoding", endless)
    window.compare.loader.load("hub:large", "large")
    assert begun.wait(5)
    window.close()
    assert not window.compare.loader._thread.isRunning()


def test_a_library_that_dies_leaves_the_window_alive(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(spec: str, **options: object) -> object:
        raise RuntimeError("inner trouble")

    monkeypatch.setattr(opening, "open_encoding", dies)
    with qtbot.captureExceptions() as caught:
        window.compare.loader.load("hub:odd", "odd")
        qtbot.waitUntil(lambda: "inner trouble" in str(waiting(window)))
        qtbot.waitUntil(lambda: len(caught) == 1)
    assert child(window, QAction, "addEncodingAction").isEnabled()


def test_a_damaged_copy_of_the_hub_is_mended_by_trying_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = LibraryTokenizer(models.WordLevel({"the": 0}, unk_token="the"))
    with serving(Hub(files={"a/b": library.to_str().encode()})) as hub:
        point_to(hub.address, tmp_path, monkeypatch)
        hub_module.load("a/b")
        copy = hub_module._cached("a/b")
        assert copy is not None
        copy.write_bytes(b"<html>Log in</html>")
        hub.refused["a/b"] = (500, "")
        window.compare.loader.load("hub:a/b", "a/b")
        qtbot.waitUntil(lambda: not window.compare.loader.busy, timeout=60_000)
        [(name, said)] = waiting(window)
        assert name == "a/b"
        assert said.startswith("The copy of a/b on this computer is damaged (it is no JSON)")
        assert str(copy) in said
        hub.refused.clear()
        window.findChildren(QPushButton, "tryAgainButton")[0].click()
        loaded(qtbot, window)
        assert waiting(window) == []
        assert table(window)[-1][0] == "a/b"
