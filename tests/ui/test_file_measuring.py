"""Files and folders measured in the background: progress, cancelling, errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import EncodingError, lock_of
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare import file_measuring
from bpe_gui.ui.compare.file_measuring import (
    FileMeasuring,
    FileNumbers,
    MeasureLane,
    MeasureProgress,
    MeasureWorker,
)
from bpe_gui.ui.compare.measure_bar import MeasureBar
from tests.ui.compared import STORY, encodings, english, file, lanes, numbers
from tests.ui.pace import Shut
from tests.ui.widgets import child, shown

__all__ = ["file"]


@pytest.fixture
def measuring(qtbot: QtBot) -> Iterator[FileMeasuring]:
    made = FileMeasuring()
    yield made
    made.close()


def measure(qtbot: QtBot, measuring: FileMeasuring, *sources: Path) -> list[FileNumbers]:
    found: list[FileNumbers] = []
    measuring.measured.connect(found.append)
    with qtbot.waitSignal(measuring.ended) as ended:
        measuring.measure(sources, lanes())
    assert ended.args == [False]
    return found


class Refusing(TrainedEncoding):
    """An encoding that cannot cut."""

    def encode_bytes(self, *_: object, **__: object) -> None:  # type: ignore[override]
        raise EncodingError("this encoding has no token for é")


def test_a_file_has_the_numbers_of_its_text(
    qtbot: QtBot, measuring: FileMeasuring, file: Path
) -> None:
    last = measure(qtbot, measuring, file)[-1]
    assert {key: one.metrics for key, one in last.measured.items()} == {
        key: numbers(one, STORY) for key, one in enumerate(encodings(), 1)
    }
    assert last.about == "story.txt, 2.2 kB, measured whole"


def test_the_numbers_come_lane_by_lane(
    qtbot: QtBot, measuring: FileMeasuring, file: Path
) -> None:
    found = measure(qtbot, measuring, file)
    assert [list(one.measured) for one in found] == [[1], [1, 2], [1, 2, 3]]
    assert [one.finished for one in found] == [False, False, True]
    assert found[0].about == "story.txt, 2.2 kB, being measured"


def test_a_folder_is_measured_as_one(
    qtbot: QtBot, measuring: FileMeasuring, file: Path
) -> None:
    (file.parent / "more.txt").write_text("the tent")
    last = measure(qtbot, measuring, file.parent)[-1]
    whole, more = numbers(encodings()[0], STORY), numbers(encodings()[0], "the tent")
    assert last.measured[1].documents == 2
    assert last.measured[1].metrics.tokens == whole.tokens + more.tokens
    assert last.name == file.parent.name


def test_a_lane_that_cannot_cut_does_not_keep_the_others_from_it(
    qtbot: QtBot, measuring: FileMeasuring, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_measuring, "_apart", lambda encoding: encoding)
    found: list[FileNumbers] = []
    measuring.measured.connect(found.append)
    refusing = MeasureLane(7, "refusing", Refusing(english()))
    with qtbot.waitSignal(measuring.ended):
        measuring.measure([file], [refusing, *lanes()])
    assert dict(found[-1].problems) == {7: "This encoding has no token for é."}
    assert set(found[-1].measured) == {1, 2, 3}


@pytest.mark.parametrize("what", ["missing", "binary", "empty", "no folder of texts"])
def test_what_cannot_be_read_is_one_sentence(
    qtbot: QtBot, measuring: FileMeasuring, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "thing"
    if what == "binary":
        path.write_bytes(b"\0\1\2" * 100)
    elif what == "empty":
        path.write_text("")
    elif what == "no folder of texts":
        path.mkdir()
    told: list[str] = []
    measuring.failed.connect(told.append)
    with qtbot.waitSignal(measuring.ended):
        measuring.measure([path], lanes())
    (message,) = told
    assert "thing" in message
    assert message.endswith(".")
    assert "\n" not in message
    assert not measuring.busy


def test_it_goes_on_after_an_error(qtbot: QtBot, measuring: FileMeasuring, file: Path) -> None:
    with qtbot.waitSignal(measuring.failed):
        measuring.measure([file.parent / "missing"], lanes())
    qtbot.waitUntil(lambda: not measuring.busy)
    assert measure(qtbot, measuring, file)[-1].finished


def test_cancelling_gives_up_and_tells_so(
    qtbot: QtBot, measuring: FileMeasuring, file: Path, shut: Shut
) -> None:
    gate = shut(MeasureWorker, "_measure")
    measuring.measure([file], lanes())
    qtbot.waitUntil(lambda: gate.arrived == 1)
    with qtbot.waitSignal(measuring.ended) as ended:
        measuring.cancel()
    assert ended.args == [True]
    with qtbot.assertNotEmitted(measuring.measured):
        gate.open()
        qtbot.waitUntil(lambda: gate.arrived == 1)
    assert not measuring.busy


def test_a_lane_under_way_is_given_up_in_the_middle(
    qtbot: QtBot, measuring: FileMeasuring, tmp_path: Path
) -> None:
    path = tmp_path / "lines.txt"
    path.write_text(STORY * 3000)
    started: list[MeasureProgress] = []
    measuring.progressed.connect(started.append)
    measuring.measure([path], lanes())
    qtbot.waitUntil(lambda: bool(started))
    measuring.cancel()
    assert not measuring.busy


def test_a_new_file_gives_up_the_one_before(
    qtbot: QtBot, measuring: FileMeasuring, file: Path, shut: Shut
) -> None:
    gate = shut(MeasureWorker, "_measure")
    measuring.measure([file], lanes())
    qtbot.waitUntil(lambda: gate.arrived == 1)
    second = file.parent / "second.txt"
    second.write_text("the tent")
    found: list[FileNumbers] = []
    measuring.measured.connect(found.append)
    with qtbot.waitSignal(measuring.ended):
        measuring.measure([second], lanes()[:1])
        gate.open()
    assert [one.name for one in found] == ["second.txt"]


def test_closing_ends_what_is_under_way(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(STORY * 3000)
    made = FileMeasuring()
    made.measure([path], lanes())
    made.close()


def test_the_text_can_be_cut_while_a_file_is_measured(
    qtbot: QtBot, measuring: FileMeasuring, tmp_path: Path
) -> None:
    """Who asks for a turn gets it between two documents, not after the whole file."""
    path = tmp_path / "lines.jsonl"
    path.write_text('{"text": "tent"}\n' * 3)
    inside, go_on, order = Event(), Event(), []

    class Foreign:
        """An encoding of no kind that is known, which cuts one document after another."""

        name = "foreign"
        vocabulary_size = 256

        def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
            order.append(text)
            inside.set()
            go_on.wait()
            return TrainedEncoding(english()).encode(text)

        def is_unknown(self, token: int) -> bool:
            return False

    foreign: Any = Foreign()
    turns = lock_of(foreign)

    def cut_a_text() -> None:
        with turns.hold():
            order.append("mine")

    thread = Thread(target=cut_a_text)
    with qtbot.waitSignal(measuring.ended):
        measuring.measure([path], [MeasureLane(1, "foreign", foreign)])
        inside.wait()
        thread.start()
        qtbot.waitUntil(lambda: turns.waiting == 1)
        go_on.set()
    thread.join()
    assert order == ["tent", "mine", "tent", "tent"]


# -- progress -----------------------------------------------------------------------------------


def test_progress_goes_over_all_lanes() -> None:
    progress = MeasureProgress(1, 4, "gpt2", 500_000, 2_000_000)
    assert progress.share == 0.3125
    assert progress.sentence == "measuring with gpt2 (2 of 4): 500.0 kB of 2.0 MB"
    endless = MeasureProgress(0, 1, "gpt2", 5, None)
    assert endless.share is None
    assert endless.sentence == "measuring with gpt2 (1 of 1): 5 bytes"


def test_the_bar_is_there_while_there_is_something_to_tell(
    qtbot: QtBot, measuring: FileMeasuring, file: Path, shut: Shut
) -> None:
    window = MeasureBar(measuring)
    around = QWidget()
    QVBoxLayout(around).addWidget(window)
    shown(qtbot, around, 600, 40)
    bar = child(window, QProgressBar, "measureProgress")
    cancel = child(window, QAction, "cancelMeasureAction")
    assert not bar.isVisible()
    gate = shut(MeasureWorker, "_measure")
    measuring.measure([file], lanes())
    assert bar.isVisible()
    assert cancel.isEnabled()
    assert window.text == "measuring story.txt"
    measuring.progressed.emit(MeasureProgress(1, 2, "gpt2", 5, 10))
    assert bar.value() / bar.maximum() == 0.75
    assert window.text == "measuring with gpt2 (2 of 2): 5 bytes of 10 bytes"
    cancel.trigger()
    gate.open()
    assert not measuring.busy
    assert not bar.isVisible()
    assert not cancel.isEnabled()
