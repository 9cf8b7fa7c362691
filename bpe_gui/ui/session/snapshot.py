"""Capture a window as a session, and restore a session in a window."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from bpe_gui.analysis.branches import Branch
from bpe_gui.bpe.corpus import STANDARD_INPUT, Corpus, CorpusError, sample
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import RecipeError
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.sessions import (
    CorpusReference,
    FollowingLane,
    LaneReference,
    NamedLane,
    PastRun,
    RunLane,
    SavedBranch,
    Session,
    SessionError,
)
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.laboratory.draft_files import draft_from_object, draft_to_object
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.run.branches import BranchesSnapshot
from bpe_gui.ui.run.player import EACH_FRAME, SPEEDS
from bpe_gui.ui.settings.settings import valid_text
from bpe_gui.ui.theme.token_palettes import PALETTES, ColourBy
from bpe_gui.ui.timeline.strip import AUTOMATIC, LINEAR, LOGARITHMIC
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

if TYPE_CHECKING:
    from bpe_gui.ui.compare.comparison import Lane
    from bpe_gui.ui.compare.view import CompareView

_AT_FIRST = (FollowingLane(1), FollowingLane(10))
"""The lanes that a window begins with when there is a run."""
_OWN_TEXT = ("own", "", "")
"""What the compare view begins with: one's own text."""
_LONGEST_WORD = 10_000
"""Characters of the word whose cutting is shown; of a longer one the rest is left out."""


def capture(context: Context, saved_as: Path | None = None) -> Session | None:
    """Return everything that a window shows now, or None if it shows no run.

    `saved_as` is where the user has saved it, for the recovery file.

    It takes a millisecond whatever the size of the run, because nothing is copied: a run that is
    being trained grows in the session, and is written as far as it has got then.
    """
    branches, player = context.branches, context.player
    shown, corpus = branches.shown, branches.corpus
    if shown is None or corpus is None:
        return None
    return Session(
        corpus=_corpus_reference(corpus),
        words=shown.words,
        recipe=branches.chosen or shown.history.recipe,
        branches=_saved_branches(context, branches.all),
        shown=branches.all.index(shown),
        position=player.position,
        live=player.live,
        text=context.sample_text.text,
        lanes=_references_of(context.compare.comparison.lanes) if _compares(context) else None,
        lockstep=context.laboratory.runs.shown,
        past=tuple(
            _past_run(context, valid_text(name), run)
            for name, run in context.run_control.past.named
        ),
        saved_as=_as_text(saved_as),
        layout=layout_of(context),
    )


def _saved_branches(context: Context, branches: Sequence[Branch]) -> tuple[SavedBranch, ...]:
    return tuple(
        SavedBranch(
            valid_text(branch.name),
            branch.history,
            tuple(
                (mark.position, mark.name)
                for mark in context.player.bookmarks_of(branch.history)
            ),
            context.explore.guess.given(branch.history),
        )
        for branch in branches
    )


_captured: WeakKeyDictionary[BranchesSnapshot, PastRun] = WeakKeyDictionary()
"""Runs that have made way as they were captured before: each is packed once."""


def _past_run(context: Context, name: str, run: BranchesSnapshot) -> PastRun:
    """Capture a run that has made way; what trains it on is not kept."""
    found = _captured.get(run)
    if found is None:
        corpus, histories = run.corpus, [branch.history for branch in run.all]
        assert corpus is not None, "a run that has made way has a corpus"
        shown = histories.index(run.history) if run.history in histories else 0
        session = Session(
            corpus=_corpus_reference(corpus),
            words=run.all[0].words,
            recipe=histories[0].recipe,
            branches=_saved_branches(context, run.all),
            shown=shown,
            position=len(histories[shown]) if run.position is None else run.position,
        )
        found = _captured[run] = PastRun(name, session)
    found.name = name
    return found


def _compares(context: Context) -> bool:
    """Tell whether there is a compare view; before, its lanes are those of a new window."""
    return context.compare_controller.has_view


def _as_text(path: Path | None) -> str | None:
    return str(path) if path is not None and valid_text(str(path)) == str(path) else None


def _corpus_reference(corpus: Corpus) -> CorpusReference:
    sources = () if corpus.sample is not None else corpus.sources
    absolute = (s if s == STANDARD_INPUT else os.path.abspath(s) for s in sources)
    return CorpusReference(
        valid_text(corpus.name), tuple(absolute), corpus.sample, corpus.options
    )


def restore(context: Context, session: Session) -> None:
    """Replace everything in a window by a session.

    When it returns, the player has the run, its position and its bookmarks, and the text, the
    lanes, the choices and the workspace are those of the session. Panels, explanations, tokenized
    lanes and encodings of files follow from the frame scheduler and the background, as for any run.
    Nothing is trained, and the corpus is not read. A run that had not stopped can be trained on.

    Raises SessionError, before anything is changed, for an impossible corpus.
    """
    reference = session.corpus
    choice = reference.sample if reference.sample is not None else reference.sources
    try:
        corpus = context.controls.restore(
            choice, reference.options, session.recipe, reference.name
        )
    except CorpusError as error:
        raise SessionError(f"the session's corpus cannot be: {error}") from None
    context.run_control.past.add([_restored(context, past) for past in session.past])
    context.run_control.past.keep(context.branches.snapshot())
    context.message_bar.withdraw()
    # What is own to the other workspaces is given to them when one comes to them.
    context.workspaces.explore()
    apply_look(context, session.layout)
    branches = _restored_branches(context, session)
    if _compares(context) or session.lanes is not None:
        _restore_lanes(context.compare, session.lanes)
    context.sample_text.set(session.text)
    shown = branches[session.shown].history
    context.branches.restore(BranchesSnapshot(branches, corpus, shown, session.position))
    context.laboratory.bring_back_lockstep(session.lockstep)
    # Now that what is chosen is in view, nobody begins anew for it.
    context.controls.changed.emit()
    apply_selection(context, session.layout)


def _restored_branches(context: Context, session: Session) -> tuple[Branch, ...]:
    """Build the branches of a session; their bookmarks and guesses are where they belong."""
    for kept in session.branches:
        context.player.set_bookmarks(kept.history, kept.bookmarks)
        context.explore.guess.bring_back(kept.history, kept.guesses)
    return tuple(Branch(kept.name, session.words, kept.history) for kept in session.branches)


def _restored(context: Context, past: PastRun) -> tuple[str, BranchesSnapshot]:
    """Build a run that had made way, with its name. Raises SessionError for its corpus."""
    session, reference = past.session, past.session.corpus
    try:
        corpus = (
            sample(reference.sample, reference.options)
            if reference.sample is not None
            else Corpus(
                reference.sources, reference.options, name=reference.name, input_is_past=True
            )
        )
    except CorpusError as error:
        raise SessionError(f"the session's corpus cannot be: {error}") from None
    branches = _restored_branches(context, session)
    shown = branches[session.shown].history
    run = BranchesSnapshot(branches, corpus, shown, session.position)
    _captured[run] = past
    return past.name, run


# -- The lanes of Compare, as references and as lanes again ---------------------------------------


def _references_of(lanes: Sequence[Lane]) -> tuple[LaneReference, ...] | None:
    """Return how lanes came to be there; None for those of a new window."""
    references = (_lane_reference(lane) for lane in lanes)
    found = tuple(reference for reference in references if reference is not None)
    return found if found and found != _AT_FIRST else None


def _lane_reference(lane: Lane) -> LaneReference | None:
    if lane.follows:
        return FollowingLane(lane.part)
    name = valid_text(lane.name)
    if isinstance(lane.encoding, TrainedEncoding):
        run = lane.encoding
        return RunLane(name, run.history, run.position, lane.step)
    return NamedLane(name, lane.spec, lane.special_tokens) if lane.spec else None


def _restore_lanes(view: CompareView, lanes: Sequence[LaneReference] | None) -> None:
    """Compare these lanes, and no others; None for those of a new window.

    Encodings are read in the background; nothing is downloaded.
    """
    comparison = view.comparison
    # All tables are filled anew for each change of the lanes.
    with comparison.at_once():
        view.begin_without_lanes()
        for lane in lanes or _AT_FIRST:
            if isinstance(lane, NamedLane):
                view.loader.load(lane.spec, lane.name, lane.special_tokens, fetches=False)
            elif isinstance(lane, RunLane):
                comparison.add_run(lane.name, lane.history, lane.position, step=lane.step)
            elif lane.part == 1:
                comparison.add_following()
            else:
                comparison.add_behind()


# -- How a window looks, as JSON ------------------------------------------------------------------


# What is damaged or from another version of the program is passed over: a window that looks
# otherwise is no reason to lose a session.


def layout_of(context: Context) -> dict[str, Any]:
    """Return what `apply_look` and `apply_selection` take.

    `text` is of the compare view, where it is not one's own.
    """
    speed = context.player.speed
    source, text, note = context.compare.source.state() if _compares(context) else _OWN_TEXT
    token = context.explore.token
    return {
        "workspace": context.workspaces.shown.name.lower(),
        "theme": context.theme_choice.theme.name,
        "palette": context.palette_choice.palette.name,
        "colouring": context.colouring_choice.name,
        "tells_last": context.actions.tell_last.isChecked(),
        "speed": speed if isfinite(speed) else None,
        "timeline": context.timeline.chosen_scale,
        "loops": context.player.loops,
        "token": None if token == NO_TOKEN else token,
        "compared": {"source": source, "text": "" if source == "own" else text, "note": note},
        "guessing": context.actions.guess.isChecked(),
        "draft": _draft_of(context.laboratory.files),
        "word": context.explore.word,
        "choices": context.view_state.values(),
        "lanes": context.compare.comparison.looks() if _compares(context) else None,
        "lanes_shown": context.compare.choice.state() if _compares(context) else None,
        "own": context.compare.numbers.own() if _compares(context) else None,
        "specials_as_text": _compares(context) and context.compare.comparison.specials_as_text,
    }


def apply_look(context: Context, layout: Mapping[str, Any]) -> None:
    """Restore the colours, the speed, and which merge is explained."""
    for action in context.theme_choice.actions:
        if action.data() == layout.get("theme") != context.theme_choice.theme.name:
            action.trigger()
    if (palette := _text(layout.get("palette"))) in {known.name for known in PALETTES}:
        context.palette_choice.choose(palette)
    if (by := _text(layout.get("colouring"))) in set(ColourBy):
        context.colouring_choice.choose(by)
    if isinstance(tells_last := layout.get("tells_last"), bool):
        context.actions.tell_last.setChecked(tells_last)
    speed = EACH_FRAME if layout.get("speed", 0) is None else layout.get("speed")
    if isinstance(speed, int | float) and speed in SPEEDS:
        context.player.set_speed(float(speed))
    if (scale := _text(layout.get("timeline"))) in (LINEAR, LOGARITHMIC, AUTOMATIC):
        context.timeline.choose_scale(scale)
    context.player.set_loops(layout.get("loops") is True)


def apply_selection(context: Context, layout: Mapping[str, Any]) -> None:
    """Restore the workspace in view, its text, and the selected token, once the run is there."""
    compared = layout.get("compared")
    if isinstance(compared, dict):
        said = tuple(_text(compared.get(key)) for key in ("source", "text", "note"))
        if _compares(context) or said != _OWN_TEXT:
            context.compare.source.restore(*said)
    if _compares(context):
        context.compare.comparison.dress(layout.get("lanes"))
        context.compare.choice.restore(layout.get("lanes_shown"))
    own = layout.get("own")
    if _compares(context) or own:
        context.compare.numbers.set_own(own)
    specials = layout.get("specials_as_text") is True
    if _compares(context) or specials:
        context.compare.specials.setChecked(specials)
    history, token = context.player.history, layout.get("token")
    size = history.vocabulary_size(len(history)) if history is not None else 0
    if type(token) is int and 0 <= token < size:
        context.explore.select_token(token)
    if isinstance(guessing := layout.get("guessing"), bool):
        context.actions.guess.setChecked(guessing)
    if word := _text(layout.get("word")):
        context.explore.derivation.set_word(word[:_LONGEST_WORD])
    _bring_back_draft(context.laboratory.files, layout.get("draft"))
    place = _text(layout.get("workspace")).upper()
    if place in WorkspaceId.__members__:
        context.workspaces.show_place(WorkspaceId[place])
    # What is searched for is searched in the run that is there now.
    context.explore.scheduler.catch_up()
    context.view_state.set_values(layout.get("choices"))


def _draft_of(files: RecipeFiles) -> object:
    draft = files.draft
    return None if draft is None else draft_to_object(draft)


def _bring_back_draft(files: RecipeFiles, written: object) -> None:
    if written is None:
        return
    with suppress(RecipeError):  # of another version of the program
        files.drafts.begin(draft_from_object(written))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
