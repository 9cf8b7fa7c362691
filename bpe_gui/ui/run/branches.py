"""What-if branches: the runs of one corpus and recipe that were decided otherwise somewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.analysis.branches import Branch, BranchState, decided_text
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import Decision, History, Intervention
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.training import Phase, Training

ORIGINAL = "Original"
"""The name of the run in which nobody has decided anything."""


@dataclass(frozen=True)
class _Awaited:
    """A branch of which the words are being prepared: its name, or the one it renews."""

    name: str
    renews: Branch | None
    position: int | None
    like: tuple[History, int]
    """A history that it repeats, and up to which position."""
    shows: bool = True
    """Whether it is to be shown; not if the user has gone to another meanwhile."""


@dataclass(frozen=True)
class BranchesAside:
    """All that there is of branches, while the run is held; see `Branches.set_aside`."""

    all: tuple[Branch, ...]
    corpus: Corpus | None
    awaited: _Awaited | None
    arriving: tuple[History, int] | None
    interrupted: tuple[Branch, ...]
    history: History | None
    """What is in view."""
    position: int | None
    """None while the cursor follows the end."""


class Branches(QObject):
    """Keeps the branches and begins new ones; the player shows one of them.

    One branch at a time is trained; another that is shown can be trained on by doing its
    merges once more, which gives the same ones. A branch whose training made way for that
    of another goes on when that one is finished, in the background. All have one corpus and
    one recipe but for the size of the vocabulary: each is trained to the size that is chosen
    then.
    """

    changed = Signal()
    """A branch was added, renewed, renamed, removed, or another is shown."""
    states_changed = Signal()
    """A branch has begun to be trained, or is no longer; see `state`."""
    refused = Signal(str)
    """What was asked for cannot be done; one sentence for the user."""
    madeWay = Signal(list, object)
    """The branches of the run before, which another has taken the place of, and their Corpus."""

    def __init__(
        self,
        training: Training,
        player: Player,
        controls: Controls,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.all: list[Branch] = []
        """The branches in the order in which they were begun, the original first."""
        self._training = training
        self._player = player
        self._controls = controls
        self._awaited: _Awaited | None = None
        self._arriving: tuple[History, int] | None = None
        self._interrupted: list[Branch] = []
        self._corpus: Corpus | None = None
        training.prepared.connect(self._on_prepared)
        training.progressed.connect(self._arrive)
        training.changed.connect(self._arrive)
        training.changed.connect(self.states_changed)
        training.changed.connect(self._return_to_interrupted)

    @property
    def shown(self) -> Branch | None:
        """The branch that the player shows, None if it shows nothing."""
        history = self._player.history
        return next((branch for branch in self.all if branch.history is history), None)

    @property
    def corpus(self) -> Corpus | None:
        """What all branches are trained on; None as long as there are none."""
        return self._corpus

    @property
    def trains(self) -> bool:
        """Whether the branch that is shown is the one that can be trained on at once."""
        return self._player.history is self._training.history

    @property
    def chosen(self) -> Recipe | None:
        """The recipe that is chosen now, if the branches can be trained to it.

        None if another corpus is chosen, or more of a recipe than the size of the vocabulary.
        """
        if not self.all or self._controls.corpus() is not self._corpus:
            return None
        own, chosen = self.all[0].history.recipe, self._controls.recipe()
        # The size that is chosen may be too small for the recipe of the branches.
        rest = (field.name for field in fields(Recipe) if field.name != "vocabulary_size")
        same = all(getattr(own, name) == getattr(chosen, name) for name in rest)
        return chosen if same else None

    @property
    def awaits(self) -> bool:
        """Whether a branch is about to begin."""
        return self._awaited is not None

    @property
    def trained(self) -> Branch | None:
        """The branch that is being trained, or was last."""
        history = self._training.history
        return next((branch for branch in self.all if branch.history is history), None)

    def state(self, branch: Branch) -> BranchState:
        """What becomes of a branch just now."""
        begins = self._awaited is not None and self._awaited.renews is branch
        if branch.history.stopped is not None and not begins:
            return BranchState.FINISHED
        trains = branch is self.trained and self._training.phase is Phase.TRAINING
        if not begins and not trains:
            return BranchState.STOPPED
        return BranchState.PAUSED if self._training.paused else BranchState.TRAINING

    def give_up(self) -> bool:
        """Wait no longer for a branch to begin; whether one was waited for."""
        awaited, self._awaited = self._awaited, None
        self._arriving = None
        self._interrupted.clear()
        if awaited is not None:
            self.states_changed.emit()
        return awaited is not None

    def restore(
        self, branches: Sequence[Branch], corpus: Corpus, shown: int, position: int
    ) -> None:
        """Take over branches that were recorded before, and show one of them at a position.

        None of them is being trained; those that have not stopped can be trained on as any
        other. What was in view before is forgotten.
        """
        self.give_up()
        self.all, self._corpus = list(branches), corpus
        branch = self.all[shown]
        self._training.adopt(branch.words, branch.history)
        at_end = position == len(branch.history)
        self._player.load(branch.history, None if at_end else position)
        self.changed.emit()

    def set_aside(self) -> BranchesAside:
        """Hold what is under way and make way for other runs, until `take_up` is told to go on."""
        player = self._player
        aside = BranchesAside(
            all=tuple(self.all),
            corpus=self._corpus,
            awaited=self._awaited,
            arriving=self._arriving,
            interrupted=tuple(self._interrupted),
            history=player.history,
            position=None if player.live else player.position,
        )
        self.give_up()
        self._training.set_aside()
        return aside

    def take_up(self, aside: BranchesAside) -> None:
        """Have everything as it was when it was set aside: what is in view, and what is trained."""
        self.give_up()
        self._training.stop()
        # Who hears of what is in view asks which branch it is.
        self.all, self._corpus = list(aside.all), aside.corpus
        self._player.load(aside.history, aside.position)
        self._awaited, self._arriving = aside.awaited, aside.arriving
        self._interrupted = list(aside.interrupted)
        self._training.take_up()
        self.changed.emit()

    def decide(self, decision: Decision, left: int, right: int) -> None:
        """Train a branch in which a pair is forbidden, or forced, where the cursor is.

        The cursor stays at its position, in the branch.
        """
        branch, step = self.shown, self._player.position
        if branch is None or self._awaited is not None or self._arriving is not None:
            return
        intervention = Intervention(step, decision, left, right)
        name = self._new_name(decided_text(branch.history, intervention))
        like = branch.history, branch.shared(intervention)
        awaited = _Awaited(name, None, step, like)
        self._begin(awaited, branch.then(intervention), train=True)

    def resume(self, *, train: bool) -> None:
        """Train on the branch that is shown, or do one merge more of it."""
        branch = self.shown
        if branch is None:
            return
        begun = self._awaited
        if begun is not None and (begun.shows or begun.renews is None):
            # It will be in view as soon as its words are there; no branch is lost before that.
            if train:
                self._training.train()
            return
        merges = 0 if train else len(branch.history) + 1
        like = branch.history, len(branch.history)
        awaited = _Awaited(branch.name, branch, merges or None, like)
        self._begin(awaited, branch.history.interventions, train=train, merges=merges)

    def _begin(
        self,
        awaited: _Awaited,
        interventions: tuple[Intervention, ...],
        *,
        train: bool,
        merges: int = 0,
    ) -> None:
        if self._corpus is None:
            return
        history = awaited.like[0]
        recipe = self.chosen or history.recipe
        size = recipe.vocabulary_size
        last = max((decided.step for decided in interventions), default=0)
        if interventions and size is not None and history.vocabulary_size(last) >= size:
            self.refused.emit(
                f"A vocabulary of {size:,} is full before merge {last + 1:,}, where this branch "
                "parts; choose a larger one, or take the cursor to an earlier merge."
            )
            return
        interrupted = [*self._interrupted, *self._under_way()]
        self._awaited = awaited
        self._training.prepare(
            self._corpus,
            recipe,
            train=train,
            merges=merges,
            interventions=interventions,
            words=self.all[0].words,
        )
        self._interrupted = [other for other in interrupted if other is not awaited.renews]

    def _under_way(self) -> list[Branch]:
        """The branch that is being trained, or about to be, unless it is held; else none."""
        if not self._training.busy or self._training.paused:
            return []
        branch = self._awaited.renews if self._awaited is not None else self.trained
        return [branch] if branch is not None else []

    @Slot()
    def _return_to_interrupted(self) -> None:
        """Train on what made way for the branch that is finished now.

        Not if that was cancelled, or a step was asked for: then the user has other plans.
        """
        phase = self._training.phase
        if phase in (Phase.IDLE, Phase.PREPARED):
            self._interrupted.clear()
        if phase is Phase.FINISHED and self._awaited is None:
            self._train_interrupted()

    def _train_interrupted(self) -> None:
        """Train the branch that made way last, if there is one; what is in view stays so."""
        while self._interrupted:
            branch = self._interrupted.pop()
            if branch in self.all and branch.history.stopped is None:
                shows = branch is self.shown
                position = self._player.position if shows else None
                like = branch.history, len(branch.history)
                awaited = _Awaited(branch.name, branch, position, like, shows=shows)
                self._begin(awaited, branch.history.interventions, train=True)
                return

    @Slot(int)
    def show(self, index: int) -> None:
        """Show another branch, at the position of this one as far as it goes."""
        if self._awaited is not None:
            self._awaited = replace(self._awaited, shows=False)
        self._arriving = None
        if 0 <= index < len(self.all) and self.all[index] is not self.shown:
            self._player.load(self.all[index].history, self._player.position)
            self.changed.emit()

    @Slot()
    def show_next(self) -> None:
        """Show the branch after this one; after the last, the original."""
        branch = self.shown
        if branch is not None:
            self.show((self.all.index(branch) + 1) % len(self.all))

    @Slot(int, str)
    def rename(self, index: int, name: str) -> None:
        """Give a branch another name; an empty one, or that of another branch, is not taken."""
        name = " ".join(name.split())
        if name and all(branch.name != name for branch in self.all):
            self.all[index].name = name
            self.changed.emit()

    @Slot(int)
    def remove(self, index: int) -> None:
        """Forget a branch; the original is kept, and shown if that branch was."""
        if not 0 < index < len(self.all):
            return
        branch = self.all[index]
        if self._arriving is not None and self._arriving[0] is branch.history:
            self._arriving = None
        if branch is self.shown:
            self.show(0)
        self.all.remove(branch)
        if branch.history is self._training.history:
            interrupted = list(self._interrupted)
            self._training.cancel()
            self._interrupted = interrupted
            self._train_interrupted()
        self.changed.emit()

    @Slot(object)
    def _on_prepared(self, history: History) -> None:
        words, awaited = self._training.words, self._awaited
        former = self.all if awaited is None else []
        former_corpus, self._corpus = self._corpus, self._training.corpus
        assert words is not None, "what is prepared has words"
        self._awaited = None
        if awaited is not None:
            self._player.carry_bookmarks(awaited.like[0], history, awaited.like[1])
        if awaited is None:
            self.all = [Branch(ORIGINAL, words, history)]
        elif awaited.renews in self.all:
            awaited.renews.words, awaited.renews.history = words, history
        else:
            self.all.append(Branch(awaited.name, words, history))
        self._arriving = None
        if awaited is None or (awaited.shows and awaited.position is None):
            self._player.load(history)
        elif awaited.shows and awaited.position is not None:
            self._arriving = history, awaited.position
            self._arrive()
        self.changed.emit()
        if former:
            self.madeWay.emit(former, former_corpus)

    @Slot()
    def _arrive(self) -> None:
        """Show a new branch as soon as it has got to where the cursor is."""
        if self._arriving is None:
            return
        history, position = self._arriving
        ended = history.stopped is not None or history is not self._training.history
        if len(history) >= position or ended:
            self._arriving = None
            self._player.load(history, position)
            self.changed.emit()

    def _new_name(self, name: str) -> str:
        """The name, with a number behind it if there is a branch of that name already."""
        taken = {branch.name for branch in self.all}
        number = 2
        unique = name
        while unique in taken:
            unique = f"{name} ({number})"
            number += 1
        return unique
