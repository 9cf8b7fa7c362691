"""A report is saved from Compare: one page, or Markdown, written in the background."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QFileDialog, QFrame
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.compare.compare_workspace import afresh, settled, window
from tests.ui.driving import child
from tests.ui.in_turn import InTurn

__all__ = ["window"]


def save(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, path: Path, kind: str = ""
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), kind))
    child(window, QAction, "saveReportAction").trigger()
    qtbot.waitUntil(lambda: window.compare.at_rest)


def check_a_report_has_all_lanes_and_texts(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settled(qtbot, window)
    path = tmp_path / "report.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    child(window, QAction, "saveReportAction").trigger()
    [message] = window.message_bar.findChildren(QFrame, "message")
    assert (window.message_bar.text, message.property("success")) == ("Writing report.html…", True)
    qtbot.waitUntil(lambda: window.compare.at_rest)
    page = path.read_text("utf-8")
    for lane in window.compare.comparison.lanes:
        assert lane.name in page
    for heading in ("The built-in story", "Probes", "Suspicious tokens", "Differences from"):
        assert re.search(f"<h2[^>]*>{heading}", page)
    assert window.message_bar.text.startswith("Saved report.html")


def check_a_hidden_lane_is_left_out(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settled(qtbot, window)
    shown, hidden = window.compare.comparison.lanes[:2]
    window.compare.comparison.hide_or_show(hidden.key)
    settled(qtbot, window)
    save(qtbot, window, monkeypatch, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert f">{shown.name}<" in page
    assert f">{hidden.name}<" not in page


def check_the_format_follows_the_choice_if_the_name_says_none(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settled(qtbot, window)
    save(qtbot, window, monkeypatch, tmp_path / "mine", "Markdown (*.md)")
    assert (tmp_path / "mine.md").read_text("utf-8").startswith("# Encodings compared")


def check_a_folder_that_is_not_there_is_said(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settled(qtbot, window)
    save(qtbot, window, monkeypatch, tmp_path / "none" / "r.html")
    assert "cannot be written" in window.message_bar.text
    assert child(window, QComboBox, "textSet").currentIndex() == 0


def check_without_an_encoding_there_is_no_report(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window.compare.begin_without_lanes()
    save(qtbot, window, monkeypatch, tmp_path / "r.html")
    assert "There is no encoding to report on" in window.message_bar.text
    assert not (tmp_path / "r.html").exists()


def test_reports(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_a_report_has_all_lanes_and_texts,
        check_a_hidden_lane_is_left_out,
        check_the_format_follows_the_choice_if_the_name_says_none,
        check_a_folder_that_is_not_there_is_said,
        check_without_an_encoding_there_is_no_report,
    )
