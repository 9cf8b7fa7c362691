"""Work on threads of their own: the newest question wins, and nobody is told twice or too late."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import partial
from threading import Event, get_ident
from weakref import ref

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from bpe_gui.bpe.regexes import compiled, spans
from bpe_gui.ui.run.background import NO_MEMORY, BackgroundTask, Job


class Owner(QObject):
    """Asks, and remembers what it was told."""

    def __init__(self, **options: object) -> None:
        super().__init__()
        self.task = BackgroundTask("test", self, **options)  # type: ignore[arg-type]
        self.told: list[tuple[str, object]] = []
        self.threads: set[int] = set()

    def done(self, result: object) -> None:
        self.threads.add(get_ident())
        self.told.append(("done", result))

    def failed(self, sentence: str) -> None:
        self.told.append(("failed", sentence))

    def progress(self, progress: object) -> None:
        self.told.append(("progress", progress))

    def ask(self, work: object, *, too: bool = False) -> Job:
        ask = self.task.ask_too if too else self.task.ask
        return ask(work, self.done, self.failed, self.progress)  # type: ignore[arg-type]


@pytest.fixture
def owner(qapp: object) -> Iterator[Owner]:
    made = Owner(expected=(KeyError,), failure="The answer was not found")
    yield made
    made.task.close()


def endless(begun: Event) -> object:
    def work(job: Job) -> None:
        while True:
            begun.set()
            job.check()

    return work


def test_work_is_done_elsewhere_and_told_here(owner: Owner, qtbot: QtBot) -> None:
    def work(job: Job) -> int:
        for part in (1, 2):
            job.report(part)
        return get_ident()

    with qtbot.waitSignal(owner.task.rested):
        owner.ask(work)
        assert not owner.task.at_rest
    assert owner.task.at_rest
    told = dict(owner.told)
    assert [kind for kind, _ in owner.told] == ["progress", "progress", "done"]
    assert told["done"] != get_ident()
    assert owner.threads == {get_ident()}


def test_the_newest_question_wins(owner: Owner, qtbot: QtBot) -> None:
    begun = Event()
    owner.ask(endless(begun))
    qtbot.waitUntil(begun.is_set)
    owner.ask(lambda job: 2)
    qtbot.waitUntil(lambda: owner.task.at_rest)
    assert owner.told == [("done", 2)]


def test_what_is_not_wanted_any_more_leaves_it_at_rest(owner: Owner, qtbot: QtBot) -> None:
    owner.ask(endless(Event()))
    with qtbot.waitSignal(owner.task.rested):
        owner.task.drop()
    with qtbot.assertNotEmitted(owner.task.rested):
        owner.task.drop()


def test_questions_can_wait_for_each_other(owner: Owner, qtbot: QtBot) -> None:
    for number in (1, 2, 3):
        owner.ask(lambda job, number=number: number, too=True)
    qtbot.waitUntil(lambda: owner.task.at_rest)
    assert owner.told == [("done", 1), ("done", 2), ("done", 3)]


def test_one_of_several_can_be_cancelled(owner: Owner, qtbot: QtBot) -> None:
    begun = Event()
    first = owner.ask(endless(begun), too=True)
    owner.ask(lambda job: 2, too=True)
    qtbot.waitUntil(begun.is_set)
    first.cancel()
    qtbot.waitUntil(lambda: owner.task.at_rest)
    assert owner.told == [("done", 2)]


@pytest.mark.parametrize("ends", ["close", "drop", "delete"])
def test_nobody_is_told_when_nobody_waits(owner: Owner, qtbot: QtBot, ends: str) -> None:
    begun, told = Event(), owner.told
    owner.ask(endless(begun))
    qtbot.waitUntil(begun.is_set)
    if ends == "delete":
        gone = Owner()
        gone.ask(endless(begun := Event()))
        qtbot.waitUntil(begun.is_set)
        told = gone.told
        delete(gone)
    elif ends == "close":
        owner.task.close()
    else:
        owner.task.drop()
        assert owner.task.at_rest
    assert told == []


def test_a_regex_that_is_matched_ends_with_its_question(owner: Owner, qtbot: QtBot) -> None:
    begun = Event()

    def work(job: Job) -> None:
        while True:
            begun.set()
            spans(compiled("a"), "a" * 1_000_000)

    owner.ask(work)
    qtbot.waitUntil(begun.is_set)
    owner.ask(lambda job: "the next")
    qtbot.waitUntil(lambda: owner.told == [("done", "the next")])


def test_all_that_was_asked_for_is_done_before_the_end(owner: Owner) -> None:
    for number in (1, 2):
        owner.ask(lambda job, number=number: number, too=True)
    owner.task.finish()
    assert owner.told == [("done", 1), ("done", 2)]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (KeyError("no such word"), "no such word"),
        (MemoryError(), NO_MEMORY),
        (RuntimeError("odd"), "The answer was not found (RuntimeError: odd); report it if it"),
    ],
)
def test_errors_are_sentences(
    owner: Owner, qtbot: QtBot, error: Exception, sentence: str
) -> None:
    def work(job: Job) -> None:
        raise error

    with qtbot.captureExceptions() as caught:
        owner.ask(work)
        qtbot.waitUntil(lambda: owner.task.at_rest)
        qtbot.waitUntil(lambda: bool(caught) == isinstance(error, RuntimeError))
    kind, told = owner.told[0]
    assert kind == "failed"
    assert sentence.lower() in str(told).lower()
    owner.ask(lambda job: "the next")
    qtbot.waitUntil(lambda: owner.told[-1] == ("done", "the next"))


@pytest.mark.parametrize("key", ["there", "missing"])
def test_who_keeps_a_job_that_has_ended_does_not_keep_what_it_was_about(
    owner: Owner, qtbot: QtBot, key: str
) -> None:
    class Corpus:
        """Something large."""

    def read(corpus: Corpus, job: Job) -> int:
        return {"there": 1}[key]

    corpus = Corpus()
    large = ref(corpus)
    job = owner.ask(partial(read, corpus))
    del corpus
    qtbot.waitUntil(lambda: bool(owner.told))
    gc.collect()
    assert large() is None
    assert not job.is_cancelled()


@pytest.mark.parametrize("is_answered", [True, False])
def test_who_keeps_a_job_that_has_ended_does_not_keep_who_asked(
    qapp: object, qtbot: QtBot, is_answered: bool
) -> None:
    """The thread keeps the job for a moment: there the owner, a QObject, must not be deleted."""
    owner = Owner()
    asked = ref(owner)
    job = owner.ask(lambda job: 1)
    if is_answered:
        qtbot.waitUntil(partial(bool, owner.told))
    else:
        job.cancel()
    del owner
    gc.collect()
    assert asked() is None
