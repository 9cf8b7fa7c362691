"""Set the scenes of a tour in the window: corpus, recipe, merges, cursor, text, lanes.

Reading and training take their time; their signals begin what comes next. A scene replaces another
one that is still being set.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot

from bpe_gui.bpe.corpus import SAMPLES, Corpus, CorpusError, CorpusOptions, sample
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, Recipe, RecipeError
from bpe_gui.bpe.training import count_words, is_compiling_worthwhile, train_words
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.tours.tour import THE_END, At, Compared, Lane, PresetLane, Scene, Workspace
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.player import SPEEDS
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.run.worker import SMALL_CORPUS
from bpe_gui.ui.widgets.sentences import as_sentence

_WALK_SECONDS = 5.0
"""How long the cursor may take for a walk; it is as slow as this allows, up to one a second."""

_Wanted: TypeAlias = tuple[Corpus, Recipe]
"""A lane that is not the run in view: a recipe, trained to its end on a corpus."""


class SceneSetting(QObject):
    """Sets one scene after another, on the window's thread."""

    arrived = Signal()
    """The scene that was asked for last is in view."""
    failed = Signal(str)
    """It cannot be set; one sentence for the user."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._training = training = context.training
        self._run_control = context.run_control
        self._player = player = context.player
        self._controls = context.controls
        self._sample_text = context.sample_text
        self._compare = compare = context.compare
        self._scheduler = context.explore.scheduler
        self.scene: Scene | None = None
        """What is being set; None when it is in view."""
        self._folder = Path()
        self._walking = False
        self._own: History | None = None
        self._corpora: dict[str, Corpus] = {}
        self._runs: dict[_Wanted, History] = {}
        """What was trained to be compared: a page that is seen again is there at once."""
        self._words: dict[object, WordCounts] = {}
        """Words by `_counting` of what was trained, so that no corpus is read twice."""
        self._stands = False
        """Whether the lanes are those of the scene; what is compared before is of others."""
        self._task = BackgroundTask(
            "lanes of a tour", self, expected=(ValueError, OSError), gives_way=True
        )
        self._early = BackgroundTask(
            "lanes of later pages", self, expected=(ValueError, OSError), gives_way=True
        )
        self._expected: list[Scene] = []
        self._in_advance: _Wanted | None = None
        """The lane that is being trained for a later page."""
        training.prepared.connect(self._on_prepared)
        training.progressed.connect(self._go_on)
        training.changed.connect(self._go_on)
        training.failed.connect(self._fail)
        player.movingChanged.connect(self._on_playing)
        compare.comparison.compared.connect(self._on_compared)
        compare.comparison.failed.connect(self._on_not_compared)

    @property
    def own(self) -> History | None:
        """The run that was begun for a scene; None before the first."""
        return self._own

    @property
    def compared(self) -> list[TrainedEncoding]:
        """What is compared, from the uppermost lane on."""
        lanes = (lane.encoding for lane in self._compare.comparison.lanes)
        return [encoding for encoding in lanes if isinstance(encoding, TrainedEncoding)]

    def show(self, scene: Scene, folder: Path) -> None:
        """Set a scene in the window; `arrived` or `failed` answers, maybe before this returns.

        Its workspace is in view already. Files that it names are in `folder`.
        """
        self.drop()
        self.scene, self._folder = scene, folder
        self._player.pause()
        try:
            changed = self._choose(scene)
            fits = self._fits(scene)
        except (CorpusError, RecipeError) as error:
            self._fail(as_sentence(error))
            return
        if not fits:
            self._own = None
        if changed:
            self._controls.changed.emit()
        if not fits:
            self._run_control.prepare()
        self._order(scene)
        self._go_on()

    def drop(self) -> None:
        """Cancel the scene that is being set."""
        self.scene = None
        self._stands = False
        self._task.drop()
        if self._walking:
            self._walking = False
            self._player.halt_where(None)

    def forget(self) -> None:
        """Cancel the scene, and forget the runs of the tour."""
        self.drop()
        self._early.drop()
        self._in_advance, self._expected = None, []
        self._own = None
        self._corpora.clear()
        self._runs.clear()
        self._words = {}  # a thread may still add to those before

    # -- the run ---------------------------------------------------------------------------

    def _choose(self, scene: Scene) -> bool:
        """Choose the corpus and the recipe of a scene; tells whether others were chosen."""
        controls = self._controls
        before = controls.corpus_box.currentData(), controls.recipe(), controls.options
        blocker = QSignalBlocker(controls)
        controls.set_options(CorpusOptions())
        if scene.corpus in SAMPLES:
            controls.corpus_box.setCurrentIndex(controls.corpus_box.findData(scene.corpus))
        else:
            file = (str(self._folder / scene.corpus),)
            if controls.corpus_box.currentData() != file:
                controls.open(file)
        controls.choose_preset(scene.preset)
        controls.size_box.setValue(scene.vocabulary)
        controls.set_ties(scene.ties)
        blocker.unblock()
        after = controls.corpus_box.currentData(), controls.recipe(), controls.options
        return after != before

    def _fits(self, scene: Scene) -> bool:
        """Tell whether the run in view is that of the scene, with no merge too many."""
        history = self._player.history
        chosen, training = self._controls.recipe(), self._training
        # A run of the user's is not to be trained on by a tour.
        if history is None or history is not self._own or history is not training.history:
            return False
        if training.corpus is not self._controls.corpus() or training.recipe != chosen:
            return False
        under_way = training.phase is Phase.TRAINING and scene.merges != THE_END
        return len(history) <= scene.merges and not under_way

    def _order(self, scene: Scene) -> None:
        history = self._training.history
        done = len(history) if history is not None else 0
        if self._training.phase is Phase.IDLE or done >= scene.merges:
            return
        if scene.go_to == At(scene.merges):
            self._player.go_to_end()
        elif scene.go_to.plays and history is not None:
            # It walks once they are there, and goes along with none of them.
            self._player.load(history, self._player.position)
        if scene.merges == THE_END:
            self._training.train()
        else:
            self._training.step(scene.merges - done)

    @Slot(object)
    def _on_prepared(self, history: History) -> None:
        scene, words = self.scene, self._training.words
        if scene is not None:
            self._own = history
            if words is not None:
                self._words[_counting(self._corpus(scene.corpus), history.recipe)] = words
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        scene, history = self.scene, self._training.history
        if self._stands or not self._task.at_rest:
            return  # the lanes are on their way
        if scene is None or history is None or not history is self._own is self._player.history:
            return
        stopped = self._training.phase is Phase.FINISHED
        if len(history) < scene.merges and not stopped:
            return
        if len(history) < scene.merges != THE_END:
            merges = f"{len(history):,} merges"
            self._fail(f"This run ends after {merges}; the page asks for {scene.merges:,}.")
            return
        if not self._walking:
            self._go_to(scene.go_to, history)

    # -- the cursor ------------------------------------------------------------------------

    def _go_to(self, at: At, history: History) -> None:
        player, target = self._player, min(at.merges, len(history))
        if at.plays and player.position < target:
            self._walking = True
            self._walk(target)
        else:
            player.scrub(target)
            self._dress()

    def _walk(self, target: int) -> None:
        player = self._player
        merges = target - player.position
        fast = (speed for speed in SPEEDS if speed >= 1 and merges / speed <= _WALK_SECONDS)
        player.set_speed(next(fast, SPEEDS[-1]))
        player.halt_where(target.__eq__)
        player.play()
        if not player.playing:
            self._on_playing()

    @Slot()
    def _on_playing(self) -> None:
        """Go to the target when the walk has ended, there or where somebody has paused it."""
        if not self._walking or self._player.playing or self.scene is None:
            return
        self._walking = False
        self._player.halt_where(None)
        history = self._training.history
        if history is not None:
            self._go_to(At(self.scene.go_to.merges), history)

    # -- text and lanes --------------------------------------------------------------------

    def _dress(self) -> None:
        """Set text and lanes; the run and the cursor are there."""
        scene = self.scene
        assert scene is not None
        if self._sample_text.text != scene.text:
            self._sample_text.set(scene.text)
        if scene.workspace is not Workspace.COMPARE:
            self._arrive()
            return
        try:
            missing = self._missing(scene)
        except (CorpusError, RecipeError) as error:
            self._fail(as_sentence(error))
            return
        if self._in_advance in missing:
            return  # it goes on when that is trained
        if missing:
            self._task.ask(partial(_trained, missing, self._words), self._on_trained, self._fail)
        else:
            self._put_lanes()

    def _missing(self, scene: Scene) -> list[_Wanted]:
        presets = [lane for lane in scene.lanes if isinstance(lane, PresetLane)]
        wanted = dict.fromkeys(self._wanted(lane, scene) for lane in presets)
        return [run for run in wanted if run not in self._runs]

    def _wanted(self, lane: PresetLane, scene: Scene) -> _Wanted:
        size = lane.vocabulary or scene.vocabulary
        recipe = PRESETS[lane.preset].with_changes(vocabulary_size=size)
        return self._corpus(lane.corpus or scene.corpus), recipe

    def expect(self, scenes: list[Scene]) -> None:
        """Train the lanes of scenes that may follow, one at a time while there is nothing to do."""
        self._expected = [scene for scene in scenes if scene.workspace is Workspace.COMPARE]
        if self._in_advance is None:
            self._train_in_advance()

    def _train_in_advance(self) -> None:
        try:
            missing = [run for scene in self._expected for run in self._missing(scene)]
        except (CorpusError, RecipeError):
            return  # its own page will tell why
        if missing:
            self._in_advance = missing[0]
            train = partial(_trained, missing[:1], self._words)
            self._early.ask(train, self._on_early, self._on_not_early)

    def _on_early(self, runs: dict[_Wanted, History]) -> None:
        self._runs |= runs
        self._in_advance = None
        self._go_on()
        if self._task.at_rest:  # else those of the page are being trained, and come first
            self._train_in_advance()

    @Slot(str)
    def _on_not_early(self, sentence: str) -> None:
        """Leave it to the page, which will say why it cannot be trained."""
        self._in_advance, self._expected = None, []
        self._go_on()

    def _corpus(self, name: str) -> Corpus:
        """Return the same object for the same name, so that its runs are found again."""
        if name not in self._corpora:
            shipped = name in SAMPLES
            self._corpora[name] = sample(name) if shipped else Corpus([self._folder / name])
        return self._corpora[name]

    def _on_trained(self, runs: dict[_Wanted, History]) -> None:
        self._runs |= runs
        self._put_lanes()

    def _put_lanes(self) -> None:
        """Show the lanes, for which all runs are there, and tokenize the text."""
        scene = self.scene
        assert scene is not None
        # Compare gives itself lanes when it first hears of a run.
        self._scheduler.catch_up()
        comparison, source = self._compare.comparison, self._compare.source
        comparison.set_position(self._player.position)
        comparison.set_lanes([])
        for lane in scene.lanes:
            self._add(lane)
        if scene.compare_on is Compared.STORY:
            source.show_story()
        else:
            source.show_own()
        self._stands = True
        self._on_compared()

    def _add(self, lane: Lane) -> None:
        comparison = self._compare.comparison
        if isinstance(lane, PresetLane):
            name = lane.preset
            if lane.corpus is not None:
                name += f" on {self._corpus(lane.corpus).name}"
            assert self.scene is not None
            run = self._runs[self._wanted(lane, self.scene)]
            comparison.add(TrainedEncoding(run, name=name))
        elif lane.merges is None:
            comparison.add_following()
        else:
            comparison.at_positions([lane.merges])

    @Slot()
    def _on_compared(self) -> None:
        if self.scene is None or not self._stands or not self._compare.comparison.up_to_date:
            return
        number = self.scene.difference
        if number is None or self._compare.differences.look_at(number - 1):
            self._arrive()
        else:
            self._fail(f"There is no difference {number} between these lanes.")

    @Slot(str)
    def _on_not_compared(self, sentence: str) -> None:
        if self._stands:
            self._fail(sentence)

    # -- the end ---------------------------------------------------------------------------

    def _arrive(self) -> None:
        self.scene = None
        self._stands = False
        self.arrived.emit()

    @Slot(str)
    def _fail(self, sentence: str) -> None:
        if self.scene is not None:
            self.drop()
            self.failed.emit(sentence)


def _counting(corpus: Corpus, recipe: Recipe) -> object:
    """Return what the words of a run depend on: recipes that split alike have the same words."""
    return corpus, recipe.split, recipe.normalizers


def _trained(
    wanted: Sequence[_Wanted], counted: dict[object, WordCounts], job: Job
) -> dict[_Wanted, History]:
    """Train recipes to their end, one after another, and add to `counted` the words they need.

    Raises ValueError and OSError.
    """

    def check(*progress: object) -> None:
        job.check()

    runs = {}
    for corpus, recipe in wanted:
        size = corpus.find_size(job.check)
        if size is None or size > SMALL_CORPUS:
            # The window has them compiled, in another process.
            job.wait_for_kernels()
        compiled = is_compiling_worthwhile(corpus.size)
        counting = _counting(corpus, recipe)
        if counting not in counted:
            counted[counting] = count_words(corpus, recipe, check, compiled=compiled)
        words = counted[counting]
        runs[corpus, recipe] = train_words(words, recipe, check, compiled=compiled)
    return runs
