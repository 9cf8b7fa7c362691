"""The thread that looks through the words."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QThread
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.explain import explain
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.word_list import WordFilter, WordList, WordQuery, WordSort
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.recipe import preset
from bpe_gui.ui.panels.words.rows import cut_rows
from bpe_gui.ui.run import corpus_queries as module
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from tests.conftest import PATIENCE
from tests.ui.histories import FOUR_WORDS
from tests.ui.panels.stories import four_words_run, train_words


def test_explains_every_merge(qtbot: QtBot, teller: CorpusQueries) -> None:
    words, history = four_words_run()
    teller.set_run(words, history)
    corpus = SegmentedCorpus(words, history)
    for step in range(len(history)):
        with qtbot.waitSignal(teller.explained) as answer:
            teller.explain(step)
        assert answer.args == [explain(corpus, step)]


def test_counts_the_symbols(qtbot: QtBot, teller: CorpusQueries) -> None:
    words, history = four_words_run()
    teller.set_run(words, history)
    with qtbot.waitSignal(teller.symbolsCounted) as answer:
        teller.count_symbols()
    assert answer.args[0] is history
    assert answer.args[1].tolist() == SegmentedCorpus(words, history).token_counts(0).tolist()


def test_works_in_a_thread_of_its_own(
    qtbot: QtBot, teller: CorpusQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def noting(corpus: SegmentedCorpus, step: int) -> object:
        seen.append(QThread.currentThread().objectName())
        return explain(corpus, step)

    monkeypatch.setattr(module, "explain", noting)
    teller.set_run(*four_words_run())
    with qtbot.waitSignal(teller.explained):
        teller.explain(0)
    assert seen == ["corpus queries"]


def test_questions_about_few_words_are_answered_at_once(
    qtbot: QtBot, teller: CorpusQueries
) -> None:
    teller.set_run(*four_words_run())
    with qtbot.waitSignal(teller.explained):
        teller.explain(0)  # in the background the words are segmented
    for step in (1, 2):
        told = QSignalSpy(teller.explained)
        teller.explain(step)
        assert told.count() == 1
        assert told.at(0)[0].step == step
    told = QSignalSpy(teller.wordsCut)
    teller.cut_words(3, WordQuery())
    assert told.count() == 1
    assert told.at(0)[0].position == 3


class SlowExplaining:
    """Takes its time over the first explanation, until it is told to go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go_on = Event(), Event()
        monkeypatch.setattr(module, "explain", self._explain)

    def _explain(self, corpus: SegmentedCorpus, step: int) -> object:
        self.begun.set()
        assert self.go_on.wait(PATIENCE / 1000)
        return explain(corpus, step)


def test_the_newest_question_wins(
    qtbot: QtBot, teller: CorpusQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowExplaining(monkeypatch)
    teller.set_run(*four_words_run())
    answered = []
    teller.explained.connect(answered.append)
    for step in range(4):  # all at once: only the newest is looked into
        teller.explain(step)
    qtbot.waitUntil(slow.begun.is_set)
    for step in range(4, 8):  # one is under way, one waits
        teller.explain(step)
    slow.go_on.set()
    qtbot.waitUntil(lambda: teller.task.at_rest)
    assert [explanation.step for explanation in answered] == [3, 7]


def test_a_history_that_grows(qtbot: QtBot, teller: CorpusQueries) -> None:
    words, trainer = train_words(list(FOUR_WORDS), preset("whitespace"), merges=2)
    teller.set_run(words, trainer.history)
    with qtbot.waitSignal(teller.explained):
        teller.explain(1)
    trainer.advance(3)
    with qtbot.waitSignal(teller.explained) as answer:
        teller.explain(4)
    assert answer.args == [explain(SegmentedCorpus(words, trainer.history), 4)]


def test_explains_the_first_merge_before_it_is_done(qtbot: QtBot, teller: CorpusQueries) -> None:
    words, untrained = four_words_run(0)
    teller.set_run(words, untrained)
    with qtbot.waitSignal(teller.explained) as answer:
        teller.explain(0)
    _, trained = four_words_run(1)
    assert answer.args == [explain(SegmentedCorpus(words, trained), 0)]


def test_has_nothing_to_say_of_what_will_never_be(qtbot: QtBot, teller: CorpusQueries) -> None:
    words, trainer = train_words([("a", 1), ("b", 2)], preset("gpt2"))
    assert len(trainer.history) == 0
    teller.set_run(words, trainer.history)
    with qtbot.assertNotEmitted(teller.explained):
        teller.explain(0)
        with qtbot.waitSignal(teller.wordsCut):
            teller.cut_words(0, WordQuery())


def test_another_run_drops_the_questions_of_the_last(
    qtbot: QtBot, teller: CorpusQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowExplaining(monkeypatch)
    teller.set_run(*four_words_run())
    answered = []
    teller.explained.connect(answered.append)
    teller.explain(3)
    qtbot.waitUntil(slow.begun.is_set)
    teller.explain(4)
    slow.go_on.set()
    words, trainer = train_words([("banana", 2)], preset("whitespace"))
    teller.set_run(words, trainer.history)
    teller.explain(1)
    qtbot.waitUntil(lambda: bool(answered))
    assert answered == [explain(SegmentedCorpus(words, trainer.history), 1)]
    teller.set_run(None, None)
    teller.explain(0)
    with qtbot.assertNotEmitted(teller.explained, wait=50):
        pass


def test_says_so_when_there_is_no_memory(
    qtbot: QtBot, teller: CorpusQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*arguments: object, **options: object) -> SegmentedCorpus:
        raise MemoryError

    teller.set_run(*four_words_run())
    with monkeypatch.context() as patch:
        patch.setattr(module, "QueriedCorpus", failing)
        with qtbot.waitSignal(teller.failed) as failed:
            teller.explain(0)
    assert "memory" in failed.args[0]
    with qtbot.waitSignal(teller.explained):
        teller.explain(0)


def test_gives_up_a_run_that_nobody_asks_about_any_more(
    qtbot: QtBot, teller: CorpusQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, given_up = Event(), Event()

    def endless(*_: object, cancelled: Callable[[], bool]) -> SegmentedCorpus:
        begun.set()
        while not cancelled():
            QThread.yieldCurrentThread()
        given_up.set()
        raise Cancelled

    teller.set_run(*four_words_run())
    with monkeypatch.context() as patch:
        patch.setattr(module, "QueriedCorpus", endless)
        teller.explain(0)
        qtbot.waitUntil(begun.is_set)
        teller.set_run(*four_words_run())
        assert given_up.wait(PATIENCE / 1000)
    with qtbot.waitSignal(teller.explained):
        teller.explain(0)


# -- words --------------------------------------------------------------------------------


def ask(qtbot: QtBot, teller: CorpusQueries, position: int, query: WordQuery) -> WordList:
    with qtbot.waitSignal(teller.wordsCut) as answer:
        teller.cut_words(position, query)
    words = answer.args[0]
    assert isinstance(words, WordList)
    return words


def shown(words: WordList) -> list[str]:
    return [words.corpus.words.word(row).decode() for row in words.rows.tolist()]


def test_orders(qtbot: QtBot, teller: CorpusQueries) -> None:
    others = ["pi"]
    pairs = [*FOUR_WORDS, *((word, 1) for word in others)]
    words, trainer = train_words(pairs, preset("whitespace"))
    teller.set_run(words, trainer.history)
    end = len(trainer.history)
    for sort, position, expected, touched in (
        (WordSort.CORPUS, 0, ["low", "lower", "newest", "widest", *others], 2),
        (WordSort.COUNT, 0, ["newest", "low", "widest", "lower", *others], 2),
        (WordSort.TOUCHED, 0, ["newest", "widest", "low", "lower", *others], 2),
        (WordSort.TOUCHED, 3, ["low", "lower", "newest", "widest", *others], 2),
        (WordSort.TOUCHED, end, ["newest", "low", "widest", "lower", *others], 0),
    ):
        words = ask(qtbot, teller, position, WordQuery(sort))
        assert (shown(words), words.touched) == (expected, touched)
        assert words.position == position


def test_few_words_keep_their_places(qtbot: QtBot, teller: CorpusQueries) -> None:
    _, history = four_words_run()
    teller.set_run(*four_words_run())
    for position in range(len(history) + 1):
        words = ask(qtbot, teller, position, WordQuery(WordSort.TOUCHED))
        assert shown(words) == [word for word, _ in FOUR_WORDS]


def test_touched_by_a_merge_that_is_still_to_come(qtbot: QtBot, teller: CorpusQueries) -> None:
    _, whole = four_words_run()
    for merges in range(len(whole)):
        words, history = four_words_run(merges)
        teller.set_run(words, history)
        words_cut = ask(qtbot, teller, merges, WordQuery())
        corpus = SegmentedCorpus(words, whole)
        expected = corpus.touched_by(merges)
        changed = [row.word for row in cut_rows(words_cut, 0, len(words_cut.rows)) if row.merging]
        assert changed == expected.tolist()
        assert words_cut.touched == len(changed)


def test_filters(qtbot: QtBot, teller: CorpusQueries) -> None:
    _, history = four_words_run()
    teller.set_run(*four_words_run())
    es = int(history.new_id[0])
    everything = ["low", "lower", "newest", "widest"]
    for position, wanted, expected, missing in (
        (0, WordFilter("e"), ["lower", "newest", "widest"], ()),
        (0, WordFilter("e s"), ["newest", "widest"], ()),
        (0, WordFilter("e r </w>"), ["lower"], ()),
        (0, WordFilter("s e"), [], ()),
        (1, WordFilter("es"), ["newest", "widest"], ()),
        (1, WordFilter("e s"), [], ()),
        (2, WordFilter(tokens=(es,)), [], ()),
        (0, WordFilter("es"), ["newest", "widest"], ("es",)),
        (0, WordFilter("wn"), [], ("wn",)),
        (0, WordFilter("q w"), [], ("q",)),
        (0, WordFilter("  "), everything, ()),
    ):
        words = ask(qtbot, teller, position, WordQuery(WordSort.CORPUS, wanted))
        assert (shown(words), words.missing) == (expected, missing), wanted


def test_a_filter_does_not_reach_from_word_to_word(qtbot: QtBot, teller: CorpusQueries) -> None:
    words, trainer = train_words([("ab", 1), ("cd", 1)], preset("lines"))
    teller.set_run(words, trainer.history)
    for text in ("b c", "bc"):
        found = ask(qtbot, teller, 0, WordQuery(filter=WordFilter(text)))
        assert shown(found) == []


def test_the_beginning_of_an_endless_word(qtbot: QtBot, teller: CorpusQueries) -> None:
    words, trainer = train_words([("abcab" * 9, 1)], preset("raw"))
    history = trainer.history
    teller.set_run(words, history)
    for position in range(len(history) + 1):
        corpus = ask(qtbot, teller, position, WordQuery()).corpus
        whole = corpus.segmented(position).ids
        for symbols in (1, 2, 7, 44, 45, 100):
            beginning = corpus.beginning(position, 0, symbols)
            assert np.array_equal(beginning, whole[: len(beginning)])
            spelled = sum(len(history.token_bytes(token)) for token in beginning.tolist())
            if symbols >= 45:
                assert len(beginning) == len(whole)
            else:
                following = len(history.token_bytes(int(whole[len(beginning)])))
                assert spelled <= symbols <= spelled + following
