"""Begin runs, train them, go one merge forward and cancel, as the user asks for."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.branches import Branch
from bpe_gui.bpe.corpus import Corpus, CorpusError
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.actions.action_words import set_disabled_reason
from bpe_gui.ui.actions.actions import TRAINED, TRAINING
from bpe_gui.ui.run.branches import BranchesSnapshot
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.run.past_runs import PastRuns
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.widgets.message_bar import RUN
from bpe_gui.ui.widgets.sentences import as_sentence

_READ = "what was read"
"""What messages about files that were left out or misread are about."""
_UTF8 = "UTF-8"
"""What the button says that reads such files as what they are, each by its mark."""
_OUTDATED_AFTER = 250
"""Milliseconds that another run may take to begin before the old one is said to be outdated."""


class Edited(Struct, frozen=True):
    """The recipe in the laboratory.

    recipe: None while it is being checked, or is none; then the `problem` is why, in one sentence.
    """

    recipe: Recipe | None = None
    problem: str = ""


class RunSnapshot(Struct, frozen=True):
    """The runs of a window; see `RunControl.snapshot`."""

    branches: BranchesSnapshot
    reads: bool = False
    """Whether what is chosen is being read, to take their place."""
    trains: bool = False
    paused: bool = False


class RunControl(QObject):
    """Begins runs with what is chosen, trains them on, and enables what can be asked next.

    The run before stays in view until another has begun, and where nothing can be read.
    """

    outdated = Signal(bool)
    """Whether what is in view is of another run than what is chosen, and is not to be taken for it.
    """
    refused = Signal()
    """A step was asked for at the end of the run while steps do not train."""
    trained = Signal()
    """A run was trained in one go, and the cursor has followed it to its end."""

    def __init__(self, run: RunContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._training = training = run.training
        self._branches = branches = run.branches
        self._player = player = run.player
        self._controls = controls = run.controls
        self._sample_text = run.sample_text
        self._actions = actions = run.actions
        self._train_tip = actions.train.toolTip()
        self._messages = messages = run.message_bar
        self._left: BranchesSnapshot | None = None
        """What was in view when another run was asked for, until that is there."""
        self.past = PastRuns(branches, controls, run.sample_text, actions.runs, parent)
        self._waits = False
        self._steps_train = self._in_view = True
        self._edited: Edited | None = None
        self._is_watched = False
        """Whether `trained` says when the run is trained."""
        self._outdating = QTimer(self, singleShot=True, interval=_OUTDATED_AFTER)
        self._outdating.timeout.connect(self._on_outdated)
        actions.pause.triggered.connect(training.pause)
        actions.step.triggered.connect(self.step)
        actions.cancel.triggered.connect(self._on_cancel)
        controls.changed.connect(self._on_choice)
        training.changed.connect(self._enable)
        training.changed.connect(self._tell_trained)
        training.prepared.connect(self._on_prepared)
        training.failed.connect(self._show_failure)
        training.failed.connect(self._on_failed)
        messages.chosen.connect(self._on_chosen)
        branches.changed.connect(messages.withdraw)
        branches.madeWay.connect(self._on_made_way)
        player.loaded.connect(self._end_outdating)
        player.loaded.connect(self._enable)
        player.moved.connect(self._enable_step)
        self._enable()

    # -- what the user asks for ---------------------------------------------------------

    @Slot()
    def prepare(self, *, train: bool = False) -> None:
        """Begin a new run with what is chosen."""
        self._is_watched = False
        if self._player.history is not None:
            self._left = self._branches.snapshot()
        self._branches.give_up()
        try:
            corpus, recipe = self._controls.corpus(), self._controls.recipe()
        except (CorpusError, RecipeError) as error:
            self._training.stop()
            self._messages.show_message(as_sentence(error))
            self._on_failed()
            return
        self._messages.withdraw()
        self._training.prepare(corpus, recipe, train=train)
        self._outdating.start()

    @Slot()
    def train(self, *, is_watched: bool = False) -> None:
        """Train: go on if the run can, else begin a new one.

        With `is_watched`, `trained` says when one that begins now is trained.
        """
        if self._is_complete(self._branches.chosen) or self._goes_on():
            return
        if self._begins_anew():
            is_watched = is_watched and self._player.end == 0
            self._branches.resume(train=True)
        elif self._is_current():
            self._training.train()
        else:
            self.prepare(train=True)
        self._is_watched = is_watched

    @Slot()
    def step(self) -> None:
        """Go one merge on; at the end, train one, unless steps do not train."""
        if self._player.position < self._player.end:
            self._player.step()
            return
        if not self._steps_train:
            self.refused.emit()
            return
        if self._goes_on(merges=1):
            return
        if self._begins_anew():
            self._branches.resume(train=False)
            return
        if not self._is_current():
            self.prepare()
        self._training.step()

    def set_steps_train(self, train: bool) -> None:
        """Set whether a step at the end trains a merge; if not, `refused` answers it."""
        self._steps_train = train
        self._enable_step()

    @Slot(bool)
    def set_in_view(self, in_view: bool) -> None:
        """Set whether the bars of the run are in view. If not, a step trains nothing unseen."""
        self._in_view = in_view
        self._enable_step()

    def set_edited(self, edited: Edited | None) -> None:
        """Set the recipe that Train trains in the laboratory; None for the chosen one."""
        self._edited = edited
        self._enable()

    def set_waiting(self, waits: bool) -> None:
        """Set whether a file is being read to replace the run: Esc cancels that then."""
        self._waits = waits
        self._enable()

    @Slot()
    def _on_cancel(self) -> None:
        if not self._waits:
            self.cancel()

    @Slot()
    def cancel(self) -> None:
        """End the work under way; the merges stay in view, and Train goes on from them.

        If nothing is known of the run yet, the one before is shown again.
        """
        self._training.cancel()
        if self._training.phase is Phase.IDLE:
            self._on_failed()

    # -- before and after a tour ----------------------------------------------------------

    def snapshot(self) -> RunSnapshot:
        """Record the runs, and what is being done."""
        branches, training = self._branches.snapshot(), self._training
        if self._branches.awaits or training.phase not in (Phase.READING, Phase.WAITING):
            return RunSnapshot(branches)
        if self._left is not None:
            branches = replace(
                branches, history=self._left.history, position=self._left.position
            )
        return RunSnapshot(branches, reads=True, trains=training.wanted, paused=training.paused)

    def restore(self, snapshot: RunSnapshot) -> None:
        """Bring back recorded runs; what was chosen then is chosen again.

        A run that was being trained is trained again to where it was, and on; a corpus that was
        being read is read again.
        """
        self._branches.restore(snapshot.branches)
        if snapshot.reads:
            self.prepare(train=snapshot.trains)
            if snapshot.paused:
                self._training.pause()

    # -- what follows from it -------------------------------------------------------------

    @Slot()
    def _tell_trained(self) -> None:
        if self._is_watched and self._training.phase is Phase.FINISHED:
            self._is_watched = False
            if self._player.live and self._training.seconds is not None:
                self.trained.emit()

    def _is_complete(self, recipe: Recipe | None) -> bool:
        """Tell whether what is in view was trained by a recipe on the chosen corpus to its end.

        It is not if another run is about to take its place: nothing of that is trained yet.
        """
        shown = self._branches.shown
        makes_way = self._training.phase in (Phase.READING, Phase.WAITING)
        return (
            shown is not None
            and (not makes_way or self._branches.awaits)
            and shown.history.stopped is not None
            and shown.history.recipe == recipe
            and self._branches.corpus is self._controls.corpus()
        )

    def _goes_on(self, merges: int | None = None) -> bool:
        """Train on what is in view to where the chosen recipe stops; False if it cannot be."""
        chosen = self._branches.chosen
        if chosen is None or not self._branches.trains:
            return False
        return self._training.go_on(chosen, merges=merges)

    def _begins_anew(self) -> bool:
        """Tell whether the branch in view can only go on by doing its merges again.

        It is so if another one is trained, or it was trained to another size of the vocabulary.
        """
        shown, chosen = self._branches.shown, self._branches.chosen
        if shown is None or chosen is None:
            return False
        return not (self._branches.trains and self._is_current())

    def _is_current(self) -> bool:
        """Tell whether the run under way is the one that is chosen, and can go on."""
        if self._training.phase in (Phase.IDLE, Phase.FINISHED):
            return False
        return self._training.recipe == self._controls.recipe()

    @Slot()
    def _on_choice(self) -> None:
        """Show the beginning of a run at once, because another corpus or recipe was chosen.

        A run that has merges stays if only the vocabulary size is another one; Train trains it to
        that. So does one that has none yet, if the size is a larger one. A corpus that is being
        read is not read again from its start.
        """
        training = self._training
        begins = training.phase in (Phase.READING, Phase.WAITING)
        corpus, recipe = self._controls.corpus(), self._controls.recipe()
        if begins and training.corpus is corpus and training.recipe == recipe:
            self._enable()
            return
        shown, chosen = self._branches.shown, self._branches.chosen
        goes_on = shown and chosen and chosen.goes_on_from(shown.history.recipe)
        if (self._branches.awaits or not begins) and chosen and (self._player.end or goes_on):
            self._messages.withdraw()
            self._end_outdating()
            self._enable()
            return
        self.prepare()

    @Slot(object)
    def _on_prepared(self, history: History) -> None:
        self._left = None
        self._sample_text.suit(self._controls.corpus_box.currentData())
        corpus = self._training.corpus
        warning = corpus.warning if corpus is not None else ""
        is_misread = corpus is not None and bool(corpus.misread_files)
        self._messages.tell_problem(_READ, warning, _UTF8 if is_misread else "")
        self._controls.show_encodings()
        self._controls.note_symbols(len(history.base) - history.base.special)

    @Slot(list, object)
    def _on_made_way(self, former: list[Branch], corpus: Corpus) -> None:
        left = self._left or BranchesSnapshot((), None, former[0].history, None)
        self.past.keep(replace(left, all=tuple(former), corpus=corpus))

    @Slot(str)
    def _show_failure(self, sentence: str) -> None:
        self._messages.show_message(sentence, self._training.likely_encodings)

    @Slot(str, str)
    def _on_chosen(self, about: str, encoding: str) -> None:
        if about in (RUN, _READ):
            self._messages.withdraw(about)
            chosen = None if encoding == _UTF8 else encoding
            self._controls.set_options(replace(self._controls.options, encoding=chosen))

    @Slot()
    def _on_failed(self) -> None:
        """Show what was in view before, rather than nothing."""
        self._end_outdating()
        left, corpus = self._left, self._branches.corpus
        if not self._branches.give_up() and left is not None and corpus is not None:
            self._controls.return_to(corpus)
            if self._player.history is not left.history:
                self._player.load(left.history, left.position)
        shown = self._branches.shown
        if shown is None:
            self._player.load(None)
        else:
            self._training.adopt(shown.words, shown.history)
            if not self._shows_what_is_chosen():
                self.outdated.emit(True)

    def _shows_what_is_chosen(self) -> bool:
        try:
            return self._branches.chosen is not None
        except (CorpusError, RecipeError):
            return False

    @Slot()
    def _on_outdated(self) -> None:
        self.outdated.emit(self._player.history is not None)

    @Slot()
    def _end_outdating(self) -> None:
        self._outdating.stop()
        self.outdated.emit(False)

    @Slot()
    def _enable(self) -> None:
        training, actions = self._training, self._actions
        running = training.phase is Phase.TRAINING and not training.paused
        self._player.set_growing(running and self._branches.trains)
        refusal = self._refusal()
        set_disabled_reason(actions.train, refusal)
        actions.train.setEnabled(not refusal)
        actions.train.setToolTip(f"{self._train_tip}\n{refusal}" if refusal else self._train_tip)
        actions.pause.setEnabled(training.busy and not training.paused)
        self._enable_step()
        actions.cancel.setEnabled(training.busy or self._waits)
        for of_run in (
            actions.save, actions.save_here, actions.save_session, actions.save_session_as
        ):  # fmt: skip
            of_run.setEnabled(self._player.history is not None)
        history = self._player.history
        opened = history is not None and history.recipe.inherited is not None
        actions.save_used.setEnabled(opened)

    def _refusal(self) -> str:
        """Say why Train is not possible; empty if it is."""
        edited = self._edited
        if edited is None:
            grows, recipe = self._player.growing, self._branches.chosen
        elif edited.problem:
            return edited.problem
        else:
            grows = self._player.growing and self._training.recipe == edited.recipe
            recipe = edited.recipe
        if grows:
            return TRAINING
        return TRAINED if self._is_complete(recipe) else ""

    @Slot()
    def _enable_step(self) -> None:
        """Enable a step if a merge comes next that is done, or that can be trained.

        A step at the end must not end the training of another branch.
        """
        player, training = self._player, self._training
        elsewhere = training.phase is Phase.TRAINING and not training.paused
        elsewhere = elsewhere and not self._branches.trains
        stopped = player.history is not None and player.history.stopped is not None
        can_train = not (player.growing or stopped or elsewhere)
        can_train = can_train and (self._in_view or not self._steps_train)
        self._actions.step.setEnabled(can_train or player.position < player.end)
