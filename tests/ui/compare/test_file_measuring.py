"""Files and folders measured in the background: progress, cancelling, errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import Encoding, EncodingError, Model, lock_of
from bpe_gui.encodings.measuring import file_measuring
from bpe_gui.encodings.measuring.file_measuring import (
    FileNumbers,
    MeasureProgress,
    MeasureRequest,
    measure_files,
)
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.numbers_panel import NumbersPanel
from bpe_gui.ui.run.background import BackgroundTask, Job, end_tasks
from tests.ui.compare.compared import STORY, encodings, english, file, lanes, numbers
from tests.ui.driving import child, shown
from tests.ui.pace import Shut

__all__ = ["file"]


class Measuring:
    """Measures files in the background, and keeps what it is told of them."""

    def __init__(self) -> None:
        self.task = BackgroundTask("measuring", expected=(CorpusError, OSError))
        self.found: list[FileNumbers] = []
        self.progress: list[MeasureProgress] = []
        self.problems: list[str] = []

    def begin(self, path: Path, measured: dict[int, Encoding] | None = None) -> None:
        request = MeasureRequest((str(path),), lanes() if measured is None else measured)

        def work(job: Job) -> None:
            job.wait_for_kernels()
            measure_files(request, job.report, job.is_cancelled)

        self.task.ask(work, self._end, self.problems.append, self._hear)

    def _end(self, _: None) -> None:
        assert self.found[-1].finished

    def _hear(self, report: FileNumbers | MeasureProgress) -> None:
        told: list[Any] = self.found if isinstance(report, FileNumbers) else self.progress
        told.append(report)


@pytest.fixture
def measuring(qtbot: QtBot) -> Iterator[Measuring]:
    made = Measuring()
    yield made
    made.task.close()


def measure(
    qtbot: QtBot, measuring: Measuring, path: Path, measured: dict[int, Encoding] | None = None
) -> list[FileNumbers]:
    measuring.begin(path, measured)
    qtbot.waitUntil(lambda: measuring.task.at_rest)
    return measuring.found


class Refusing(TrainedEncoding):
    """An encoding that cannot cut."""

    def encode_pre_tokens(self, *_: object, **__: object) -> None:  # type: ignore[override]
        raise EncodingError("this encoding has no token for é")


def test_a_file_has_the_numbers_of_its_text(qtbot: QtBot, measuring: Measuring, file: Path) -> None:
    last = measure(qtbot, measuring, file)[-1]
    assert {key: one.metrics for key, one in last.measured.items()} == {
        key: numbers(one, STORY) for key, one in enumerate(encodings(), 1)
    }
    assert last.about == "story.txt, 2.2 kB, measured whole"


def test_the_numbers_come_lane_by_lane(qtbot: QtBot, measuring: Measuring, file: Path) -> None:
    found = measure(qtbot, measuring, file)
    assert [len(one.measured) for one in found] == [1, 2, 3]
    assert found[-1].measured.keys() == {1, 2, 3}
    assert [one.finished for one in found] == [False, False, True]
    assert found[0].about == "story.txt, 2.2 kB, being measured"


def test_a_folder_is_measured_as_one(qtbot: QtBot, measuring: Measuring, file: Path) -> None:
    (file.parent / "more.txt").write_text("the tent")
    last = measure(qtbot, measuring, file.parent)[-1]
    whole, more = numbers(encodings()[0], STORY), numbers(encodings()[0], "the tent")
    assert last.measured[1].documents == 2
    assert last.measured[1].metrics.tokens == whole.tokens + more.tokens
    assert last.name == file.parent.name


def test_a_lane_that_cannot_cut_does_not_keep_the_others_from_it(
    qtbot: QtBot, measuring: Measuring, file: Path
) -> None:
    found = measure(qtbot, measuring, file, {7: Refusing(english()), **lanes()})
    (problem,) = found[-1].problems.items()
    assert (problem[0], str(problem[1])) == (7, "this encoding has no token for é")
    assert set(found[-1].measured) == {1, 2, 3}


@pytest.mark.parametrize("what", ["missing", "binary", "empty", "no folder of texts"])
def test_what_cannot_be_read_is_one_sentence(
    qtbot: QtBot, measuring: Measuring, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "thing"
    if what == "binary":
        path.write_bytes(b"\0\1\2" * 100)
    elif what == "empty":
        path.write_text("")
    elif what == "no folder of texts":
        path.mkdir()
    measure(qtbot, measuring, path)
    (message,) = measuring.problems
    assert "thing" in message
    assert message.endswith(".")
    assert "\n" not in message


def test_it_goes_on_after_an_error(qtbot: QtBot, measuring: Measuring, file: Path) -> None:
    assert not measure(qtbot, measuring, file.parent / "missing")
    assert measure(qtbot, measuring, file)[-1].finished


def test_a_lane_under_way_is_given_up_in_the_middle(
    qtbot: QtBot, measuring: Measuring, tmp_path: Path
) -> None:
    path = tmp_path / "lines.txt"
    path.write_text(STORY * 3000)
    measuring.begin(path)
    qtbot.waitUntil(lambda: bool(measuring.progress))
    measuring.task.close()
    assert not measuring.found


def test_a_new_file_gives_up_the_one_before(
    qtbot: QtBot, measuring: Measuring, file: Path, shut: Shut
) -> None:
    gate = shut(file_measuring, "measure_lane")
    measuring.begin(file)
    qtbot.waitUntil(lambda: gate.arrived > 0)
    second = file.parent / "second.txt"
    second.write_text("the tent")
    measuring.begin(second, {1: lanes()[1]})
    gate.open()
    qtbot.waitUntil(lambda: measuring.task.at_rest)
    assert [one.name for one in measuring.found] == ["second.txt"]


def test_the_text_can_be_cut_while_a_file_is_measured(
    qtbot: QtBot, measuring: Measuring, tmp_path: Path
) -> None:
    """Who asks for a turn gets it between two documents, not after the whole file."""
    path = tmp_path / "lines.jsonl"
    path.write_text('{"text": "tent"}\n' * 3)
    inside, go_on, order = Event(), Event(), []

    class Foreign:
        """An encoding of no kind that is known, which cuts one document after another."""

        name = "foreign"
        model = Model.WORDPIECE
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
    measuring.begin(path, {1: foreign})
    inside.wait()
    thread.start()
    qtbot.waitUntil(lambda: turns.waiting == 1)
    go_on.set()
    qtbot.waitUntil(lambda: measuring.task.at_rest)
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
    qtbot: QtBot, file: Path, shut: Shut
) -> None:
    panel = shown(qtbot, NumbersPanel(), 900, 320)
    bar = child(panel, QProgressBar, "measureProgress")
    cancel = child(panel, QAction, "cancelMeasureAction")
    about = child(panel, QLabel, "metricsAbout")
    assert not bar.isVisible()
    gate = shut(file_measuring, "measure_lane")
    panel.measure([file], lanes())
    assert bar.isVisible()
    assert cancel.isEnabled()
    assert about.text() == "measuring story.txt"
    gate.let_through()
    qtbot.waitUntil(lambda: "(1 of 3): " in about.text())
    assert bar.maximum() > 0
    cancel.trigger()
    gate.open()
    assert not panel.measuring
    assert not bar.isVisible()
    assert not cancel.isEnabled()
    end_tasks(panel)


def test_encodings_that_failed_are_not_said_to_have_numbers_when_measuring_is_cancelled() -> None:
    problems = {1: EncodingError("no place to split")}
    found = FileNumbers(MeasureRequest(("a.txt",), lanes()), "a.txt", 9, {}, problems, True)
    assert found.note == "Measuring was cancelled: 0 of 3 encodings have numbers of all of a.txt."
