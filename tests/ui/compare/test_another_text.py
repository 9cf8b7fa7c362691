"""A text that is no longer wanted is not tokenized to its end."""

from __future__ import annotations

from threading import Event

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.comparison import Comparison, Lane
from bpe_gui.ui.compare.cutting import CutResult
from tests.bpe.test_trainer import COURSE, trained


class Waiting(TrainedEncoding):
    """A run that waits before it tokenizes, and notes what."""

    def __init__(self, begun: Event, goes_on: Event, noted: list[str]) -> None:
        super().__init__(trained([(text, 1) for text in COURSE], preset("gpt2")).history)
        self._begun, self._goes_on, self._noted = begun, goes_on, noted

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        self._noted.append(text)
        self._begun.set()
        assert self._goes_on.wait(60)
        return super().encode(text, specials_as_text=specials_as_text)


def test_lanes_are_not_tokenized_for_a_text_that_another_has_replaced(qtbot: QtBot) -> None:
    begun, goes_on = Event(), Event()
    parent = QWidget()
    qtbot.addWidget(parent)
    comparison, results = Comparison(parent), list[CutResult]()
    comparison.compared.connect(results.append)
    noted: list[list[str]] = [[], []]
    comparison.set_lanes(
        [Lane(str(n), Waiting(begun, goes_on, own)) for n, own in enumerate(noted)]
    )
    comparison.set_text("low")
    comparison.set_active(True)
    qtbot.waitUntil(begun.is_set)
    comparison.set_text("new")
    goes_on.set()
    qtbot.waitUntil(lambda: comparison.up_to_date)
    assert [result.text for result in results] == ["new"]
    assert noted[0] == ["low", "new"]
    assert noted[1] == ["new"]
