"""A session says when the files of its corpus are not what they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.corpus_changes import Changes
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import count_corpus
from bpe_gui.sessions import (
    CorpusReference,
    SavedBranch,
    Session,
    load_session,
    save_session,
)
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.session import corpus_watch
from bpe_gui.ui.session.corpus_watch import changes_sentence
from bpe_gui.ui.shell.main_window import MainWindow
from tests.sessions.made import four_words, trained
from tests.ui.pace import Shut

Begun = Callable[[Path], MainWindow]


@pytest.fixture
def begun(qtbot: QtBot) -> Iterator[Begun]:
    """Opens windows with a session, which are closed in the end."""
    windows: list[MainWindow] = []

    def begun(path: Path) -> MainWindow:
        _, window = app.create(["open", str(path)])
        windows.append(window)
        with qtbot.waitSignal(window.session_keeper.opened):
            pass
        return window

    yield begun
    for window in windows:
        window.close()
        window.deleteLater()


def session_of(tmp_path: Path, *sources: Path, merges: int = 3) -> Path:
    """The file of a session that was trained a little on some files."""
    recipe = preset("whitespace").with_changes(vocabulary_size=20)
    corpus = Corpus(sources)
    words = count_corpus(corpus, recipe, compiled=False)
    run = SavedBranch("Original", trained(words, recipe, merges))
    reference = CorpusReference(corpus.name, corpus.sources)
    path = tmp_path / "talk.bpesession"
    save_session(path, Session(reference, words, recipe, (run,), position=merges - 1))
    return path


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "story.txt"
    path.write_text("low low lower newest newest widest\n" * 3)
    return path


def looked(qtbot: QtBot, window: MainWindow) -> str:
    """What the window says once it has looked at the corpus."""
    qtbot.waitUntil(lambda: window.session_keeper.corpus_watch.task.at_rest)
    return window.message_bar.text


def button_texts(window: MainWindow) -> list[str]:
    return [b.text() for b in window.message_bar.findChildren(QToolButton) if b.isVisible()]


def test_a_corpus_that_has_changed_is_trained_on_again(
    tmp_path: Path, story: Path, begun: Begun, qtbot: QtBot
) -> None:
    path = session_of(tmp_path, story)
    story.write_text("slow slower slowest\n" * 20)
    window = begun(path)
    assert looked(qtbot, window) == (
        "Since this corpus was read, story.txt has changed: the run shows the text as it was; "
        "train again to use the new text."
    )
    # What was shown is shown.
    assert (window.player.position, window.player.end) == (2, 3)
    window.actions_.take_up.trigger()
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    shown = window.branches.shown
    assert shown is not None
    assert dict(shown.words.items()) == {b"slow": 20, b"slower": 20, b"slowest": 20}
    assert window.message_bar.text.startswith("The last run, with its 3 merges, is kept under Runs")
    # Saved again, it is a session of the text as it is.
    with qtbot.waitSignal(window.session_keeper.saved):
        window.session_keeper.save()
    [stamp] = load_session(path).words.files or ()
    assert stamp.size == story.stat().st_size


def test_a_corpus_that_is_as_it_was_is_not_spoken_of(
    tmp_path: Path, story: Path, begun: Begun, qtbot: QtBot
) -> None:
    path = session_of(tmp_path, story)
    assert looked(qtbot, begun(path)) == ""


def test_a_corpus_that_is_gone_leaves_the_words(
    tmp_path: Path, story: Path, begun: Begun, qtbot: QtBot
) -> None:
    path = session_of(tmp_path, story)
    story.unlink()
    window = begun(path)
    assert looked(qtbot, window) == (
        "Since this corpus was read, story.txt is no longer there: the run shows the text as it "
        "was; it can be continued with the words in the session."
    )
    assert button_texts(window) == ["Dismiss"]
    window.actions_.train.trigger()
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    assert window.player.end > 3
    # That is still so.
    assert "no longer there" in window.message_bar.text


def test_what_is_said_goes_with_the_session(
    tmp_path: Path, story: Path, begun: Begun, qtbot: QtBot
) -> None:
    path = session_of(tmp_path, story)
    story.write_text("other")
    window = begun(path)
    assert "has changed" in looked(qtbot, window)
    other = tmp_path / "other.bpesession"
    save_session(other, four_words(lanes=None, layout={}))
    with qtbot.waitSignal(window.session_keeper.opened):
        window.session_keeper.open_session(other)
    assert "has changed" not in looked(qtbot, window)
    with qtbot.waitSignal(window.session_keeper.opened):
        window.session_keeper.open_session(path)
    assert "has changed" in looked(qtbot, window)
    window.controls.open([story])
    qtbot.waitUntil(lambda: "has changed" not in window.message_bar.text)


def test_folders_are_looked_through(tmp_path: Path, begun: Begun, qtbot: QtBot) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in "abcdef":
        (folder / f"{name}.txt").write_text(f"low {name}")
    path = session_of(tmp_path, folder, merges=1)
    for name in "abc":
        (folder / f"{name}.txt").write_text("other words")
    (folder / "d.txt").unlink()
    (folder / "new\n.txt").write_text("new")
    window = begun(path)
    assert looked(qtbot, window) == (
        "Since this corpus was read, a.txt, b.txt and 1 more have changed, d.txt is no longer "
        "there and new�.txt is new: the run shows the text as it was; train again to use the new "
        "text."
    )
    assert "Train again" in button_texts(window)


def test_who_closes_the_window_waits_for_nothing(
    tmp_path: Path, story: Path, begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look that would go on for ever is given up."""
    path = session_of(tmp_path, story)

    def look_for_ever(files: object, corpus: object, check: Callable[[], None]) -> Changes:
        while True:
            check()

    monkeypatch.setattr(corpus_watch, "changes_since", look_for_ever)
    window = begun(path)
    assert not window.session_keeper.corpus_watch.task.at_rest
    window.close()
    assert window.session_keeper.corpus_watch.task.at_rest


def test_what_is_seen_late_is_not_said_of_another_session(
    tmp_path: Path, story: Path, begun: Begun, qtbot: QtBot, shut: Shut
) -> None:
    path = session_of(tmp_path, story)
    story.write_text("other")
    gate = shut(corpus_watch, "_look")
    window = begun(path)
    qtbot.waitUntil(lambda: gate.arrived > 0)
    window.controls.open([story])
    qtbot.waitUntil(lambda: window.session_keeper.corpus_watch.task.at_rest)
    gate.open()
    # The thread's answer comes before it has ended.
    window.session_keeper.corpus_watch.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.MetaCall.value)
    assert "has changed" not in window.message_bar.text


@pytest.mark.parametrize("can_train", [True, False])
def test_sentences_name_what_there_is(can_train: bool) -> None:
    for changes in (
        Changes(("/a",), ("/b", "/c"), ("/d", "/e", "/f", "/g")),
        Changes(missing=("/x/odd\udcff",)),
        Changes(new=tuple(f"/{number}" for number in range(1_236))),
    ):
        said = changes_sentence(changes, can_train=can_train)
        assert said.isprintable()
        assert said.count(".") == 1
        assert ("train again" in said) is can_train
    assert "0, 1 and 1,234 more are new" in said
