"""What is written and read again is the same, in every question that a view may ask of it."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from msgspec.structs import replace
from numpy.typing import NDArray

from bpe_gui.bpe import utf8
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.sessions import (
    CorpusReference,
    NamedLane,
    PastRun,
    RunLane,
    SavedBranch,
    Session,
    SessionError,
    load_session,
    save_session,
)
from bpe_gui.sessions.file import from_bytes, to_bytes
from tests.sessions.made import four_words, sessions, trained


def assert_same_run(found: History, run: History) -> None:
    """Every answer of a history is that of another."""
    assert found.recipe == run.recipe
    assert found.base == run.base
    assert (len(found), found.stopped) == (len(run), run.stopped)
    assert (found.corpus_bytes, found.interventions) == (run.corpus_bytes, run.interventions)
    for name in ("left", "right", "new_id", "count", "tokens", "distinct"):
        np.testing.assert_array_equal(getattr(found, name), getattr(run, name), strict=True)
    for position in range(len(run) + 1):
        own, other = found.top(position), run.top(position)
        for name in ("left", "right", "count"):
            np.testing.assert_array_equal(getattr(own, name), getattr(other, name), strict=True)
        assert found.next_pair(position) == run.next_pair(position)
        assert found.vocabulary_size(position) == run.vocabulary_size(position)
    for token in range(run.vocabulary_size(len(run))):
        for question in (
            "id_to_token",
            "token_bytes",
            "bytes_in_text",
            "step",
            "parents",
            "is_special",
        ):
            assert getattr(found, question)(token) == getattr(run, question)(token)
        assert found.ends_word(token) == run.ends_word(token)
    assert found.equals(run)


def assert_same(found: Session, session: Session) -> None:
    assert found.corpus == session.corpus
    assert list(found.words.items()) == list(session.words.items())
    assert (found.recipe, found.shown) == (session.recipe, session.shown)
    assert (found.position, found.text) == (session.position, session.text)
    assert found.layout == session.layout
    for branch, other in zip(found.branches, session.branches, strict=True):
        assert (branch.name, branch.bookmarks) == (other.name, other.bookmarks)
        assert branch.guesses == other.guesses
        assert_same_run(branch.history, other.history)
    assert found.saved_as == session.saved_as
    for run, other_run in zip(found.lockstep, session.lockstep, strict=True):
        assert_same_run(run, other_run)
    assert (found.lanes is None) == (session.lanes is None)
    assert [past.name for past in found.past] == [past.name for past in session.past]
    for past, other_past in zip(found.past, session.past, strict=True):
        assert_same(past.session, other_past.session)
    for lane, own in zip(found.lanes or (), session.lanes or (), strict=True):
        if isinstance(lane, RunLane) and isinstance(own, RunLane):
            assert (lane.name, lane.position, lane.step) == (own.name, own.position, own.step)
            assert_same_run(lane.history, own.history)
        else:
            assert lane == own


@given(session=sessions())
def test_whatever_is_written_is_read(session: Session) -> None:
    written = to_bytes(session)
    found = from_bytes(written)
    assert_same(found, session)
    assert to_bytes(found) == written


def test_a_file_holds_all_of_a_session(tmp_path: Path) -> None:
    path, session = tmp_path / "one.bpesession", four_words()
    save_session(path, session)
    found = load_session(path)
    assert_same(found, session)
    assert list(tmp_path.iterdir()) == [path]
    lanes = found.lanes
    assert lanes is not None
    # A lane of a branch is of that very branch, as it was.
    assert isinstance(lanes[2], RunLane)
    assert isinstance(lanes[3], RunLane)
    assert lanes[2].history is found.branches[0].history
    assert found.lockstep[0] is found.branches[0].history
    assert lanes[3].history is found.lockstep[1]


def test_a_run_that_was_read_can_be_trained_on_from_its_words() -> None:
    session = four_words()
    original = session.branches[0].history
    found = from_bytes(to_bytes(session))
    again = trained(found.words, found.branches[0].history.recipe)
    assert_same_run(again, original)
    assert all(array.flags.writeable for array in (found.words.text, found.words.counts))


def test_a_run_that_grows_meanwhile_is_written_as_far_as_it_was() -> None:
    recipe = preset("whitespace").with_changes(vocabulary_size=20)
    words = WordCounts.from_pairs([("low", 5), ("lower", 2), ("newest", 6)], recipe)
    trainer = Trainer(words, recipe)
    trainer.advance(3)
    part = trainer.history.until(3)
    trainer.advance(3)
    assert len(part) == 3
    assert part.stopped is None
    session = Session(
        CorpusReference("words", ("/words.csv",)), words, recipe, (SavedBranch("Original", part),)
    )
    assert_same_run(from_bytes(to_bytes(session)).branches[0].history, trained(words, recipe, 3))
    follows = Session(
        session.corpus, words, recipe, (SavedBranch("Original", trainer.history),), live=True
    )
    assert from_bytes(to_bytes(follows)).position == 6
    for run in (trainer.history.until(6), trainer.history):
        assert_same_run(run, trained(words, recipe, 6))


def test_a_text_with_lone_surrogates_loses_only_those() -> None:
    found = from_bytes(to_bytes(four_words(text="a\ud800b")))
    assert found.text == "a?b"


def test_what_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "large.bpesession"
    lane = NamedLane("large", "x" * (17 << 20))
    with pytest.raises(SessionError, match=r"too large to be opened again; save the"):
        save_session(path, four_words(lanes=(lane,)))
    assert list(tmp_path.iterdir()) == []


def test_what_would_not_open_again_takes_no_file_s_place(tmp_path: Path) -> None:
    path = tmp_path / "talk.bpesession"
    save_session(path, four_words())
    before = path.read_bytes()
    odd = four_words(corpus=CorpusReference("odd", ("/texts/\ud800.txt",)))
    with pytest.raises(
        SessionError,
        match=r"would not open again: .*valid text - at `\$.corpus.sources\[0\]`; save the token",
    ):
        save_session(path, odd)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_tokens_may_be_far_longer_together_than_the_corpus(tmp_path: Path) -> None:
    """A corpus that is one word: nearly each merge lengthens the token at its beginning."""
    letters = np.random.default_rng(1).integers(ord("a"), ord("z") + 1, 50_000, np.uint8)
    text = letters.tobytes().decode()
    recipe = preset("raw").with_changes(vocabulary_size=None, merges=50_000)
    words = WordCounts.from_pairs([(text, 1)], recipe)
    run = trained(words, recipe, 50_000)
    lengths = [len(content) for content in run.base.contents]
    for left, right in zip(run.left.tolist(), run.right.tolist(), strict=True):
        lengths.append(lengths[left] + lengths[right])
    assert sum(lengths) > 1 << 28
    assert max(lengths) == len(text)
    path = tmp_path / "letters.bpesession"
    kept = (SavedBranch("Original", run),)
    lane = RunLane("letters", run, len(run))
    corpus = CorpusReference("letters", ("/letters.txt",))
    save_session(path, Session(corpus, words, recipe, kept, lanes=(lane,)))
    found = load_session(path).branches[0].history
    assert found.equals(run)
    assert found.stopped == run.stopped
    assert found.token_bytes(lengths.index(len(text))) == text.encode()


@pytest.mark.parametrize(
    "name", [b"/texts/od\xff.txt", "/texts/\u00fc\n.txt".encode(), b"/\xed\xb2\x80"]
)
def test_a_file_whose_name_is_no_text_is_named(name: bytes) -> None:
    source = os.fsdecode(name)
    session = four_words(corpus=CorpusReference("odd", (source,)))
    found = from_bytes(to_bytes(session))
    assert found.corpus.sources == (source,)
    assert os.fsencode(found.corpus.sources[0]) == name
    for odd in ("/texts/\ud800.txt", "/texts/\udfff"):
        with pytest.raises(SessionError, match="valid text"):
            from_bytes(to_bytes(four_words(corpus=CorpusReference("odd", (odd,)))))


def past_run(name: str, **changes: Any) -> PastRun:
    return PastRun(name, replace(four_words(), lanes=None, lockstep=(), layout={}, **changes))


def test_runs_that_have_made_way_are_kept_with_their_names(tmp_path: Path) -> None:
    path = tmp_path / "past.bpesession"
    session = replace(four_words(), past=(past_run("first try"), past_run("", position=1)))
    save_session(path, session)
    assert_same(load_session(path), session)
    # What was loaded is saved again as it is.
    assert to_bytes(load_session(path)) == path.read_bytes()


def test_without_such_runs_older_programs_can_read_it() -> None:
    assert b'"session": 4' in _header(to_bytes(four_words()))
    assert b'"session": 6' in _header(to_bytes(replace(four_words(), past=(past_run(""),))))


@pytest.mark.parametrize(
    "inner",
    [
        b"no session",
        to_bytes(replace(four_words(), past=(past_run("inner"),))),
        to_bytes(four_words())[:-30],
    ],
    ids=["not a session", "with past runs of its own", "truncated"],
)
def test_what_cannot_have_made_way_is_refused(inner: bytes) -> None:
    run = past_run("")
    run.packed = to_bytes(four_words())
    data = io.BytesIO(to_bytes(replace(four_words(), past=(run,))))
    other = io.BytesIO()
    with zipfile.ZipFile(data) as parts, zipfile.ZipFile(other, "w") as file:
        for name in parts.namelist():
            is_past = name == "past/0.bpesession"
            file.writestr(name, inner if is_past else parts.read(name))
    with pytest.raises(SessionError, match="try another copy"):
        from_bytes(other.getvalue())


def test_the_same_words_are_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    session, looked_at = four_words(), []

    def is_first_byte(text: NDArray[np.uint8]) -> NDArray[np.bool_]:
        looked_at.append(text)
        return utf8.is_first_byte(text)

    monkeypatch.setattr("bpe_gui.sessions.validate.is_first_byte", is_first_byte)
    assert to_bytes(session) == to_bytes(session)
    assert len(looked_at) == 1


def _header(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return file.read("session.json")
