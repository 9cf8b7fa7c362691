"""The training thread through its face: phases, orders, errors, and how soon it answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from time import monotonic

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.corpus import Corpus, sample
from bpe_gui.bpe.history import StopReason
from bpe_gui.bpe.recipe import Ties, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.going_on import recipe_going_on
from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.run.run_status import describe
from bpe_gui.ui.run.training import Phase, Training
from bpe_gui.ui.run.worker import TrainingControl
from tests.conftest import PATIENCE
from tests.encodings.test_fallback_runs import llama, with_fallback
from tests.ui.pace import Shut

FOUR_WORDS = preset("whitespace")
ANSWER = 0.05
"""Seconds within which pause, resume and stop are answered."""


def close(training: Training) -> None:
    """End the run and the thread, as a window does that closes."""
    training.stop()
    end_tasks(training)


@pytest.fixture
def training() -> Iterator[Training]:
    training = Training()
    yield training
    close(training)


@pytest.fixture
def large_text(tmp_path: Path) -> Path:
    path = tmp_path / "large.txt"
    words = [f"{index * 7919 % 100_003:x}" for index in range(50_000)]
    with path.open("w") as file:
        for _ in range(60):
            file.write(" ".join(words))
    return path


def until(qtbot: QtBot, training: Training, phase: Phase) -> None:
    def reached() -> bool:
        return training.phase is phase

    qtbot.waitUntil(reached)


def test_four_words_are_prepared_then_trained(qtbot: QtBot, training: Training) -> None:
    training.prepare(sample("four-words"), FOUR_WORDS)
    until(qtbot, training, Phase.PREPARED)
    assert training.history is not None
    assert len(training.history) == 0
    assert training.history.top(0).count[0] == 9
    training.train()
    until(qtbot, training, Phase.FINISHED)
    assert training.history.stopped is StopReason.NO_PAIR


def test_steps_do_one_merge_each(qtbot: QtBot, training: Training) -> None:
    training.prepare(sample("four-words"), FOUR_WORDS)
    until(qtbot, training, Phase.PREPARED)
    history = training.history
    assert history is not None
    for merges in (1, 2):
        with qtbot.waitSignal(training.progressed):
            training.step()
        assert len(history) == merges
        assert training.phase is Phase.PREPARED


def test_train_at_once(qtbot: QtBot, training: Training) -> None:
    training.prepare(sample("four-words"), FOUR_WORDS, train=True)
    assert training.seconds is None
    until(qtbot, training, Phase.FINISHED)
    seconds = training.seconds
    assert seconds is not None
    assert seconds > 0
    history, words = training.history, training.words
    training.adopt(None, None)
    assert training.seconds is None
    training.adopt(words, history)
    assert training.seconds == seconds, "it is that of the run"


def test_a_run_that_is_trained_in_parts_has_no_time(qtbot: QtBot, training: Training) -> None:
    training.prepare(sample("four-words"), FOUR_WORDS)
    until(qtbot, training, Phase.PREPARED)
    with qtbot.waitSignal(training.progressed):
        training.step()
    training.train()
    until(qtbot, training, Phase.FINISHED)
    assert training.seconds is None


def test_a_failing_corpus_says_why_and_the_next_one_works(
    qtbot: QtBot, training: Training, tmp_path: Path
) -> None:
    with qtbot.waitSignal(training.failed) as failed:
        training.prepare(Corpus([tmp_path / "missing.txt"]), FOUR_WORDS)
    assert "missing.txt" in failed.args[0]
    assert training.phase is Phase.IDLE
    training.prepare(sample("four-words"), FOUR_WORDS)
    until(qtbot, training, Phase.PREPARED)


def test_a_vocabulary_too_small_says_so(qtbot: QtBot, training: Training) -> None:
    with qtbot.waitSignal(training.failed) as failed:
        training.prepare(sample("four-words"), FOUR_WORDS.with_changes(vocabulary_size=2))
    assert "at least 11" in failed.args[0]


def test_pause_holds_and_train_goes_on(qtbot: QtBot, training: Training, shut: Shut) -> None:
    merging = shut(Trainer, "advance")
    leave = shut(TrainingControl, "allowed_merges")
    leave.open()
    training.prepare(sample("four-words"), FOUR_WORDS, train=True)
    merging.let_through()
    # The worker may be there before its report of the history is read.
    qtbot.waitUntil(lambda: merging.arrived == 2 and training.history is not None)
    history = training.history
    assert history is not None
    assert len(history) == 1
    # The second call is under way, and would be followed by others.
    training.pause()
    assert training.paused
    merging.open()
    qtbot.waitUntil(lambda: leave.arrived == 1)
    assert merging.arrived == 2, "it asks for leave before it goes on"
    held = len(history)
    assert history.stopped is None
    assert training.phase is Phase.TRAINING
    training.train()
    assert not training.paused
    until(qtbot, training, Phase.FINISHED)
    assert len(history) > held
    assert training.seconds is None, "the pause is no training"


def test_a_run_that_was_cancelled_goes_on_only_when_asked(
    qtbot: QtBot, training: Training, shut: Shut
) -> None:
    merging = shut(Trainer, "advance")
    leave = shut(TrainingControl, "allowed_merges")
    leave.open()
    training.prepare(sample("four-words"), FOUR_WORDS, train=True)
    merging.let_through()
    # The worker may be there before its report of the history is read.
    qtbot.waitUntil(lambda: merging.arrived == 2 and training.history is not None)
    history = training.history
    assert history is not None
    training.cancel()
    merging.open()
    qtbot.waitUntil(lambda: leave.arrived == 1)
    assert training.phase is Phase.PREPARED
    done = len(history)
    training.step()
    qtbot.waitUntil(lambda: leave.arrived == 2)
    assert len(history) == done + 1
    training.train()
    until(qtbot, training, Phase.FINISHED)


def test_pause_and_stop_while_reading(
    qtbot: QtBot, training: Training, large_text: Path, shut: Shut
) -> None:
    reading = shut(TrainingControl, "may_read")
    spy = QSignalSpy(training.prepared)
    training.prepare(Corpus([large_text]), preset("gpt2"))
    for _ in range(3):
        reading.let_through()
    qtbot.waitUntil(lambda: reading.arrived == 4 and training.bytes_read > 0)
    training.pause()
    assert training.paused
    reading.open()
    # A reader that is not held would be through with all of it by then.
    qtbot.wait(int(ANSWER * 1000))
    assert reading.arrived == 4
    assert training.phase is Phase.READING
    training.stop()
    training.prepare(sample("four-words"), FOUR_WORDS)
    until(qtbot, training, Phase.PREPARED)
    assert spy.count() == 1


def test_a_corpus_that_is_counted_is_not_said_to_be_read(
    qtbot: QtBot, training: Training, large_text: Path
) -> None:
    corpus, recipe = Corpus([large_text]), preset("gpt2")
    training.prepare(corpus, recipe)
    until(qtbot, training, Phase.PREPARED)
    told: list[str] = []
    training.progressed.connect(lambda: told.append(describe(training)))
    training.prepare(corpus, recipe.with_changes(ties=Ties.LOWEST_ID))
    until(qtbot, training, Phase.PREPARED)
    assert told == ["The words are counted, counting their pairs…"]
    training.prepare(corpus, recipe, words=training.words)
    assert describe(training) == "The words are counted, counting their pairs…"
    until(qtbot, training, Phase.PREPARED)


def test_batches_come_at_most_sixty_times_a_second(
    qtbot: QtBot, training: Training, large_text: Path
) -> None:
    recipe = preset("gpt2").with_changes(vocabulary_size=100_000)
    training.prepare(Corpus([large_text]), recipe)
    until(qtbot, training, Phase.PREPARED)
    spy = QSignalSpy(training.progressed)
    begin = monotonic()
    training.train()
    until(qtbot, training, Phase.FINISHED)
    assert spy.count() <= 60 * (monotonic() - begin) + 2


def test_closing_in_the_middle_of_reading(
    qtbot: QtBot, training: Training, large_text: Path, shut: Shut
) -> None:
    reading = shut(TrainingControl, "may_read")
    training.prepare(Corpus([large_text]), preset("gpt2"), train=True)
    reading.let_through()
    qtbot.waitUntil(lambda: reading.arrived == 2)
    training.stop()
    reading.open()
    end_tasks(training)
    assert training.history is None
    assert reading.arrived == 2, "nothing more was read"


def writer_of(qtbot: QtBot, pipe: Path) -> int:
    """A descriptor that writes to a named pipe, as soon as somebody reads from it."""
    opened: list[int] = []

    def open_it() -> None:
        # Fails with OSError until then.
        opened.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))

    def is_read() -> bool:
        try:
            open_it()
        except OSError:
            return False
        return True

    qtbot.waitUntil(is_read)
    return opened[0]


def test_cancelling_and_closing_while_a_pipe_is_silent(
    qtbot: QtBot, training: Training, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    training.prepare(Corpus([pipe]), preset("gpt2"), train=True)
    writer = writer_of(qtbot, pipe)
    rescue = Timer(PATIENCE / 1000, os.close, [writer])
    rescue.start()
    training.cancel()
    assert training.phase is Phase.IDLE
    training.prepare(sample("four-words"), FOUR_WORDS)
    until(qtbot, training, Phase.PREPARED)
    assert rescue.is_alive(), "the pipe was given up only when it ended"
    training.prepare(Corpus([pipe]), preset("gpt2"), train=True)
    qtbot.wait(int(ANSWER * 1000))
    close(training)
    assert rescue.is_alive(), "closing waited until the pipe ended"
    rescue.cancel()
    rescue.join()
    os.close(writer)


def test_bytes_of_new_symbols_are_tokens_of_the_encoding(
    qtbot: QtBot, training: Training, tmp_path: Path
) -> None:
    encoding, path = llama(), tmp_path / "cats.txt"
    path.write_text("the low แมว", "utf-8")
    recipe = recipe_going_on(HuggingFaceEncoding(encoding, "llama.json"))
    recipe = with_fallback(recipe, keeps=False)
    assert recipe.inherited is not None
    recipe = recipe.with_changes(vocabulary_size=None, merges=len(recipe.inherited))
    training.prepare(Corpus([path]), recipe, train=True)
    until(qtbot, training, Phase.FINISHED)
    before = len(encoding.encode("the low แมว", add_special_tokens=False).ids)
    # Each of the three new symbols has three bytes.
    assert describe(training).endswith(
        f": {before} tokens, {before - 6} with 3 new single symbols."
    )
