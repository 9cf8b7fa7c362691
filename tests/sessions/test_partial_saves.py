"""Of a session that is too much, what can be opened again is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_gui.sessions import NamedLane, SessionError, load_session, validate
from bpe_gui.sessions.file import MAX_JSON, MAX_TEXT
from bpe_gui.sessions.partial_save import save_what_fits
from tests.sessions.made import four_words


def test_all_is_written_that_can_be(tmp_path: Path) -> None:
    path = tmp_path / "all.bpesession"
    assert save_what_fits(path, four_words()) == ""
    assert len(load_session(path).branches) == 2


def test_what_is_beside_the_run_goes_first(tmp_path: Path) -> None:
    path = tmp_path / "much.bpesession"
    session = four_words(lanes=(NamedLane("large", "x" * (MAX_JSON + 1)),))
    lacking = save_what_fits(path, session)
    assert lacking.startswith("branches, lanes and runs side by side cannot be saved, because the")
    found = load_session(path)
    assert [branch.name for branch in found.branches] == ["without es + t"]
    assert (found.position, found.text) == (session.position, session.text)
    assert (found.lanes, found.lockstep, found.shown) == (None, (), 0)


def test_then_the_later_merges_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.bpesession"
    session = four_words(shown=0, position=5)
    run = session.branches[0].history
    monkeypatch.setattr(validate, "MAX_TOKEN", 4)
    assert save_what_fits(path, session).startswith("merges after the first ")
    found = load_session(path)
    kept = found.branches[0]
    assert kept.history.equals(run.until(len(kept.history)))
    assert 0 < len(kept.history) < len(run)
    assert kept.history.stopped is None
    assert found.position == min(5, len(kept.history))
    assert kept.bookmarks == session.branches[0].bookmarks


def test_where_nothing_can_be_kept_what_was_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "odd.bpesession"
    save_what_fits(path, four_words())
    before = path.read_bytes()
    text = "x" * (MAX_TEXT + 1)
    with pytest.raises(SessionError, match="too large to be opened again"):
        save_what_fits(path, four_words(text=text))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
