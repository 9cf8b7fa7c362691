"""What-if branches: the runs of one corpus and recipe that were decided otherwise somewhere."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.analysis.branches import Branch, BranchState, decided_text
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import Decision, History, Intervention
from bpe_gui.bpe.recipe import BOUNDS, Recipe
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.training import Phase, Training

ORIGINAL = "Original"
"""The name of the run in which nobody has decided anything."""


class _Beginning(Struct, frozen=True):
    """A branch that is about to begin, or has not yet got to where the cursor is to be."""

    name: str
    renews: Branch | None
    """The branch of which the merges are done once more; None for a new one."""
    interventions: tuple[Intervention, ...]
    like: tuple[History, int]
    """A history that it repeats, and up to which position."""
    position: int | None
    """Where the cursor is to be; None if it follows the end from the start."""
    follows: bool = False
    """Whether the cursor follows the end from that position on."""
    train: bool = True
    merges: int = 0
    """How many merges are done, unless it is trained to its end."""
    recipe: Recipe | None = None
    """What it is trained by; None for what is chosen then."""
    shows: bool = True
    """Whether it is to be shown; not if the user has gone to another meanwhile."""
    history: History | None = None
    """Its own; None while its words are being prepared."""


class BranchesSnapshot(Struct, frozen=True, eq=False, weakref=True):
    """The branches of a run at one moment, for `Branches.restore`."""

    all: tuple[Branch, ...]
    corpus: Corpus | None
    history: History | None
    """What is in view."""
    position: int | None
    """Where the cursor is; None while it follows the end."""
    training: _Beginning | None = None
    """What does the merges of the branch that is being trained once more, and goes on."""


class Branches(QObject):
    """Keeps the branches and begins new ones; the player shows one of them.

    One branch at a time is trained, and stays as far as it is when another is. To train it on, its
    merges are done again, which gives the same ones. All branches have one corpus and one recipe,
    except for the size of the vocabulary: every branch is trained to the size that is chosen then.
    """

    changed = Signal()
    """A branch was added, renewed, renamed, removed, or another is shown."""
    refused = Signal(str)
    """What was asked for cannot be done; one sentence for the user."""
    renewed = Signal(object, object)
    """The merges of a branch are done once more: its History before, and its new one."""
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
        self._begun: _Beginning | None = None
        self.corpus: Corpus | None = None
        """What all branches are trained on; None as long as there are none."""
        training.prepared.connect(self._on_prepared)
        training.progressed.connect(self._arrive)
        training.changed.connect(self._arrive)

    @property
    def shown(self) -> Branch | None:
        """The branch that the player shows, None if it shows nothing."""
        return next((branch for branch in self.all if branch.history is self._player.history), None)

    @property
    def trains(self) -> bool:
        """Whether the branch that is shown is the one that can be trained on at once."""
        return self._player.history is self._training.history

    @property
    def chosen(self) -> Recipe | None:
        """The recipe that is chosen now, if the branches can be trained to it.

        None if another corpus is chosen, or more of a recipe than where it stops.
        """
        if not self.all or self._controls.corpus() is not self.corpus:
            return None
        chosen = self._controls.recipe()
        # Where the chosen one stops may be too soon for the run.
        same = self.all[0].history.recipe.same_but(chosen, *BOUNDS)
        return chosen if same else None

    @property
    def awaits(self) -> bool:
        """Whether a branch is about to begin."""
        return self._begun is not None and self._begun.history is None

    @property
    def trained(self) -> Branch | None:
        """The branch that is being trained, or was last."""
        if self._renewed is not None:
            return self._renewed
        history = self._training.history
        return next((branch for branch in self.all if branch.history is history), None)

    def state(self, branch: Branch) -> BranchState:
        """Return what is being done with a branch now."""
        begins = self._renewed is branch
        if branch.history.stopped is not None and not begins:
            return BranchState.FINISHED
        trains = branch is self.trained and self._training.phase is Phase.TRAINING
        if not begins and not trains:
            return BranchState.STOPPED
        return BranchState.PAUSED if self._training.paused else BranchState.TRAINING

    def give_up(self) -> bool:
        """Cancel a branch that is about to begin; tells whether there was one."""
        awaited, self._begun = self.awaits, None
        return awaited

    def snapshot(self) -> BranchesSnapshot:
        """Record what is in view and what is trained."""
        player = self._player
        position = None if player.live else player.position
        training = self._as_begun_now()
        if training is not None:
            training = replace(training, recipe=self._training.recipe)
        return BranchesSnapshot(tuple(self.all), self.corpus, player.history, position, training)

    def _as_begun_now(self) -> _Beginning | None:
        """Return the beginning that repeats the training under way; None if it is paused."""
        training, branch = self._training, self.trained
        if self.awaits:
            return self._begun
        if branch is None or training.phase is not Phase.TRAINING or training.paused:
            return None
        if self._begun is not None:
            return replace(_again(branch, self._begun.position), follows=self._begun.follows)
        follows, shows = self._player.live, branch is self.shown
        position = len(branch.history) if follows else self._player.position
        return replace(_again(branch, position), follows=follows, shows=shows)

    def restore(self, snapshot: BranchesSnapshot) -> None:
        """Replace everything by branches that were recorded before.

        Those that have not stopped can be trained on like any other. If one was being trained, its
        merges are done again, and it goes on.
        """
        self.give_up()
        history, position = snapshot.history, snapshot.position
        self.all, self.corpus = list(snapshot.all), snapshot.corpus
        self._training.adopt(self.all[0].words if self.all else None, history)
        at_end = history is None or position == len(history)
        self._player.load(history, None if at_end else position)
        if snapshot.training is not None:
            self._begin(snapshot.training)
        self.changed.emit()

    def decide(self, decision: Decision, left: int, right: int) -> None:
        """Train a branch in which a pair is forbidden, or forced, where the cursor is.

        The cursor stays at its position, in the branch. A pair of which a token does not exist
        there is refused.
        """
        branch, step = self.shown, self._player.position
        if branch is None or self._begun is not None:
            return
        if not 0 <= min(left, right) <= max(left, right) < branch.history.vocabulary_size(step):
            self.refused.emit(
                f"A token of this pair does not exist at merge {step + 1:,}, so the pair can be "
                "neither forbidden nor forced there; move the cursor to a later merge."
            )
            return
        intervention = Intervention(step, decision, left, right)
        name = self._new_name(decided_text(branch.history, intervention))
        like = branch.history, branch.shared(intervention)
        self._begin(_Beginning(name, None, branch.then(intervention), like, step))

    def resume(self, *, train: bool) -> None:
        """Train on the branch that is shown, or do one merge more of it."""
        branch = self.shown
        if branch is None:
            return
        begun = self._begun
        if self.awaits and begun is not None and (begun.shows or begun.renews is None):
            # It will be in view as soon as its words are there; no branch is lost before that.
            if train:
                self._training.train()
            return
        merges = 0 if train else len(branch.history) + 1
        begun = _again(branch, merges or None)
        self._begin(replace(begun, follows=not train, train=train, merges=merges))

    def _begin(self, begun: _Beginning) -> None:
        if self.corpus is None:
            return
        history, interventions = begun.like[0], begun.interventions
        recipe = begun.recipe or self.chosen or history.recipe
        size = recipe.vocabulary_size
        last = max((decided.step for decided in interventions), default=0)
        if interventions and size is not None and history.vocabulary_size(last) >= size:
            self.refused.emit(
                f"A vocabulary of {size:,} is full before merge {last + 1:,}, where this branch "
                "begins; choose a larger one, or move the cursor to an earlier merge."
            )
            return
        self._begun = begun
        self._training.prepare(
            self.corpus,
            recipe,
            train=begun.train,
            merges=begun.merges,
            interventions=interventions,
            words=self.all[0].words,
        )

    @property
    def _renewed(self) -> Branch | None:
        """The branch that is about to begin anew, or has not got to the cursor yet."""
        return self._begun.renews if self._begun is not None else None

    @Slot(int)
    def show(self, index: int) -> None:
        """Show another branch, at the position of this one as far as it goes."""
        begun, self._begun = self._begun, None
        if begun is not None and begun.history is None:
            self._begun = replace(begun, shows=False)
        elif begun is not None:
            self._renew(begun)
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
        """Remove a branch, but not the original, which is shown if that branch was."""
        if not 0 < index < len(self.all):
            return
        branch = self.all[index]
        is_trained = branch is self.trained
        if is_trained:
            self._begun = None
        if branch is self.shown:
            self.show(0)
        self.all.remove(branch)
        if is_trained:
            self._training.cancel()
        self.changed.emit()

    @Slot(object)
    def _on_prepared(self, history: History) -> None:
        words, begun = self._training.words, self._begun if self.awaits else None
        former = self.all if begun is None else []
        former_corpus, self.corpus = self.corpus, self._training.corpus
        assert words is not None, "what is prepared has words"
        self._begun = None
        if begun is None:
            self.all = [Branch(ORIGINAL, words, history)]
            self._player.load(history)
        else:
            begun = replace(begun, history=history)
            if begun.renews is None:
                self._player.carry_bookmarks(begun.like[0], history, begun.like[1])
                self.all.append(Branch(begun.name, words, history))
            if begun.shows and begun.position is not None:
                self._begun = begun
                self._arrive()
            else:
                self._renew(begun)
                if begun.shows:
                    self._player.load(history)
        self.changed.emit()
        if former:
            self.madeWay.emit(former, former_corpus)

    def _renew(self, begun: _Beginning) -> None:
        branch, history = begun.renews, begun.history
        if branch is not None and history is not None:
            self._player.carry_bookmarks(branch.history, history, len(branch.history))
            former = Branch(branch.name, branch.words, branch.history)
            self.renewed.emit(former.history, history)
            branch.history = history
            before, recipe = former.history.recipe, history.recipe
            if recipe != before and not recipe.goes_on_from(before):
                # It stops sooner, so merges would be lost.
                self.madeWay.emit([former], self.corpus)

    @Slot()
    def _arrive(self) -> None:
        """Show a new branch as soon as it has got to where the cursor is."""
        begun = self._begun
        if begun is None or begun.history is None or begun.position is None:
            return
        history, position = begun.history, begun.position
        ended = history.stopped is not None or history is not self._training.history
        if len(history) >= position or ended:
            self._begun = None
            self._renew(begun)
            self._player.load(history, None if begun.follows else position)
            self.changed.emit()

    def _new_name(self, name: str) -> str:
        taken = {branch.name for branch in self.all}
        number = 2
        unique = name
        while unique in taken:
            unique = f"{name} ({number})"
            number += 1
        return unique


def _again(branch: Branch, position: int | None) -> _Beginning:
    """Return the beginning that does the merges of a branch again, and goes on."""
    like = branch.history, len(branch.history)
    return _Beginning(branch.name, branch, branch.history.interventions, like, position)
