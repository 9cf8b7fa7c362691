"""A small session, and what `bpe-gui render` makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QApplication

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.sessions import CorpusReference, SavedBranch, Session, save_session
from tests.ui.histories import FOUR_WORDS

TEXT = "low lower\nnewest <b>widest</b>"


@pytest.fixture(scope="module")
def history() -> History:
    """The run that the session has."""
    return trained()[1]


def trained() -> tuple[WordCounts, History]:
    """The four words, and the run over them to its end."""
    recipe = preset("whitespace")
    words = WordCounts.from_pairs(list(FOUR_WORDS), recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(1000)
    return words, trainer.history


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The four words, trained to the end, with the cursor at merge 7."""
    words, history = trained()
    path = tmp_path / "talk.bpesession"
    save_session(
        path,
        Session(
            corpus=CorpusReference("Four words", sample="four-words"),
            words=words,
            recipe=history.recipe,
            branches=(SavedBranch("Original", history),),
            position=7,
            text=TEXT,
        ),
    )
    return path


@pytest.fixture
def rendered(run, session: Path, tmp_path: Path, qapp: QApplication):
    """Render the session to a file of that ending; gives its path."""

    def render(ending: str, *arguments: object) -> Path:
        folder = tmp_path / "out"
        folder.mkdir(exist_ok=True)
        output = folder / f"out{ending}"
        output.unlink(missing_ok=True)
        write_files(run, session, qapp, [output], "-o", output, *arguments)
        return output

    return render


@pytest.fixture
def rendered_panels(run, session: Path, tmp_path: Path, qapp: QApplication):
    """Render panels, each to files of these endings, by one window; gives their paths."""

    def render(panels: Iterable[str], endings: Iterable[str], *arguments: object) -> list[Path]:
        folder = tmp_path / "panels"
        folder.mkdir()
        outputs = [folder / f"{panel}{ending}" for panel in panels for ending in endings]
        asked = [word for output in outputs for word in ("--panel", output.stem, "-o", output)]
        write_files(run, session, qapp, outputs, *asked, *arguments)
        return outputs

    return render


def write_files(
    run: Callable[..., SimpleNamespace],
    session: Path,
    qapp: QApplication,
    outputs: list[Path],
    *arguments: object,
) -> None:
    """Render a session to these files, and see that nothing else is written or said."""
    before = set(session.parent.rglob("*"))
    # The program renders once, in a process that has no style sheet yet.
    qapp.setStyleSheet("")
    result = run("render", session, *arguments)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert set(session.parent.rglob("*")) - before == {*outputs}


def rgb(colour: str) -> tuple[int, ...]:
    """The three numbers of a colour that is written as #rrggbb."""
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
