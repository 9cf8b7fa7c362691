"""A window as a session: taken down in a moment, for others to write."""

from __future__ import annotations

import os
from pathlib import Path

from bpe_gui.bpe.corpus import STANDARD_INPUT, Corpus
from bpe_gui.sessions import CorpusReference, SavedBranch, Session
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.session.lanes import references_of
from bpe_gui.ui.session.window_layout import layout_of
from bpe_gui.ui.settings.names import valid_text


def capture(context: Context, saved_as: Path | None = None) -> Session | None:
    """All that a window shows now, or None if it shows no run.

    `saved_as` is where its user has saved it, for what the window keeps by itself.

    It takes a millisecond or so whatever the size of the run, for nothing is copied: a run that
    is being trained goes on growing in the session, and is written as far as it has got then.
    """
    branches, player = context.branches, context.player
    shown, corpus = branches.shown, branches.corpus
    if shown is None or corpus is None:
        return None
    kept = tuple(
        SavedBranch(
            valid_text(branch.name),
            branch.history,
            tuple((mark.position, mark.name) for mark in player.bookmarks_of(branch.history)),
            context.explore.guess.given(branch.history),
        )
        for branch in branches.all
    )
    return Session(
        corpus=_reference(corpus),
        words=shown.words,
        recipe=branches.chosen or shown.history.recipe,
        branches=kept,
        shown=branches.all.index(shown),
        position=player.position,
        live=player.live,
        text=context.sample_text.text,
        lanes=references_of(context.compare.comparison.lanes),
        lockstep=context.laboratory_controller.runs.shown,
        saved_as=_as_text(saved_as),
        layout=layout_of(context),
    )


def _as_text(path: Path | None) -> str | None:
    """A path as JSON can hold it, None if it cannot."""
    return str(path) if path is not None and valid_text(str(path)) == str(path) else None


def _reference(corpus: Corpus) -> CorpusReference:
    sources = () if corpus.sample is not None else corpus.sources
    absolute = (s if s == STANDARD_INPUT else os.path.abspath(s) for s in sources)
    return CorpusReference(
        valid_text(corpus.name), tuple(absolute), corpus.sample, corpus.options
    )
