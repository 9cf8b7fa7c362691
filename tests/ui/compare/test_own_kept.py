"""One's own texts and numbers in Compare: kept by sessions and by settings."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QFileDialog, QTableView, QTabWidget
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.sessions import Session
from bpe_gui.ui.compare.own_numbers_dialog import OwnNumbersDialog
from bpe_gui.ui.session.snapshot import restore
from bpe_gui.ui.shell.main_window import MainWindow
from tests.sessions.made import four_words
from tests.ui.compare.compare_workspace import settled, window
from tests.ui.driving import act, child
from tests.ui.session.recorded_sessions import second, taken

__all__ = ["second", "window"]

PRICE = "price/M chars"


def in_front(window: MainWindow) -> None:
    act(window, "compareAction")
    child(window, QTabWidget, "numbersTabs").setCurrentWidget(window.compare.numbers.texts)


def names(window: MainWindow) -> list[str]:
    model = child(window, QTableView, "languageTable").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def headings(window: MainWindow) -> list[str]:
    return [str(row) for row in window.compare.numbers.table.metrics.lines()[0]]


@pytest.fixture
def tsv(tmp_path: Path) -> Path:
    path = tmp_path / "talk.tsv"
    with path.open("w", newline="") as file:
        lines = [[f"the hat {n}", f"der Hut {n}", f"le chapeau {n}"] for n in range(9)]
        csv.writer(file, "excel-tab").writerows([["en", "de", "fr"], *lines])
    return path


@pytest.fixture
def chosen(
    qtbot: QtBot, window: MainWindow, tsv: Path, monkeypatch: pytest.MonkeyPatch
) -> MainWindow:
    """A window in which texts and a price of one's own are chosen."""
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(tsv)], ""))

    def answer(dialog: OwnNumbersDialog) -> int:
        dialog.price.setValue(2.5)
        return int(OwnNumbersDialog.DialogCode.Accepted)

    monkeypatch.setattr(OwnNumbersDialog, "exec", answer)
    in_front(window)
    child(window, QAction, "textsOfFiles").trigger()
    qtbot.waitUntil(lambda: names(window) == ["en", "de", "fr"])
    reference = child(window, QComboBox, "parityReference")
    reference.setCurrentIndex(reference.findText("fr"))
    child(window, QAction, "ownNumbersAction").trigger()
    assert PRICE in headings(window)
    return window


def is_there(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the texts are measured, and look at what is shown of them."""
    in_front(window)
    qtbot.waitUntil(lambda: names(window) == ["en", "de", "fr"])
    assert child(window, QComboBox, "textSet").currentText() == "talk.tsv"
    assert child(window, QComboBox, "parityReference").currentText() == "fr"
    assert PRICE in headings(window)


def window_value(window: MainWindow, name: str) -> Any:
    model = child(window, QTableView, "languageTable").model()
    return model.index(names(window).index(name), 1).data()


def test_a_session_has_them(qtbot: QtBot, chosen: MainWindow, second: MainWindow) -> None:
    assert window_value(chosen, "fr") == "1.00 ×", "a TSV is a parallel corpus"
    restore(second.context, taken(chosen))
    is_there(qtbot, second)
    number = child(chosen, QComboBox, "languageNumber")
    assert number.currentText() == "Relative to"
    number.setCurrentText("Tokens")
    number.activated.emit(number.currentIndex())  # as a click does
    restore(second.context, taken(chosen))
    is_there(qtbot, second)
    assert child(second, QComboBox, "languageNumber").currentText() == "Tokens"
    number.setCurrentText("Price of a million")
    number.activated.emit(number.currentIndex())
    restore(second.context, taken(chosen))
    is_there(qtbot, second)
    assert child(second, QComboBox, "languageNumber").currentText() == "Price of a million"


def test_settings_have_them(qtbot: QtBot, chosen: MainWindow) -> None:
    chosen.close()
    _, another = app.create(["open"])
    try:
        another.show()
        act(another, "compareAction")
        settled(qtbot, another)
        is_there(qtbot, another)
    finally:
        another.close()
        another.deleteLater()


def test_older_and_damaged_sessions_leave_everything_as_it_is(second: MainWindow) -> None:
    for own in [
        None,
        {},
        [1],
        {"numbers": {"price": -1}, "texts": {"own": {"paths": []}, "chosen": 3}},
        {"numbers": {"price": "2"}, "texts": {"own": {"paths": [1]}, "chosen": -1}},
        {"numbers": 3, "texts": {"own": "x", "chosen": True, "reference": []}},
        {"texts": {"chosen": 9}},
        {"texts": {"numbers": [["Relative to", "Tokens"]]}},
        {"texts": {"numbers": {"Relative to": "Nothing"}}},
    ]:
        layout: dict[str, object] = {"workspace": "compare"}
        if own is not None:
            layout["own"] = own
        session = four_words(layout=json.loads(json.dumps(layout)))
        assert isinstance(session, Session)
        restore(second.context, session)
        assert child(second, QComboBox, "textSet").currentText() == "Languages", own
        assert child(second, QComboBox, "languageNumber").currentText() == "Relative to", own
        assert PRICE not in headings(second), own
