"""A session into a window, which then shows what was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_gui.analysis.branches import Branch
from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.sessions import Session, SessionError
from bpe_gui.ui.run.bookmarks import Bookmark
from bpe_gui.ui.run.branches import BranchesSnapshot
from bpe_gui.ui.session.lanes import restore_lanes
from bpe_gui.ui.session.window_layout import apply_look, apply_selection

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow


def restore(window: MainWindow, session: Session) -> None:
    """Show a session in a window, in the place of all that is there.

    When it returns, the player has the run, its position and its bookmarks, and the text, the
    lanes, the choices and the workspace are those of the session. What comes later, as for any
    run: panels are drawn by the frame clock; explanations, words and what lanes cut come from
    their threads; encodings of files are read in the background. Nothing is trained, and the
    corpus is not read. A run that had not stopped can be trained on.

    Raises SessionError, before anything is changed, for a corpus that cannot be.
    """
    reference = session.corpus
    choice = reference.sample if reference.sample is not None else reference.sources
    try:
        corpus = window.controls.restore(
            choice, reference.options, session.recipe, reference.name
        )
    except CorpusError as error:
        raise SessionError(f"the session's corpus cannot be: {error}") from None
    window.message_bar.withdraw()
    window.stage.leave()
    # What is own to the other workspaces is given to them when one comes to them.
    window.workspaces.explore()
    apply_look(window, session.layout)
    branches = [Branch(kept.name, session.words, kept.history) for kept in session.branches]
    for kept in session.branches:
        marks = (Bookmark(position, name) for position, name in kept.bookmarks)
        window.player.set_bookmarks(kept.history, marks)
        window.workspace.guess.bring_back(kept.history, kept.guesses)
    restore_lanes(window.compare, session.lanes)
    window.sample_text.set(session.text)
    shown = branches[session.shown].history
    window.branches.restore(BranchesSnapshot(tuple(branches), corpus, shown, session.position))
    window.experimenting.bring_back_lockstep(session.lockstep)
    # Now that what is chosen is in view, nobody begins anew for it.
    window.controls.changed.emit()
    apply_selection(window, session.layout)
