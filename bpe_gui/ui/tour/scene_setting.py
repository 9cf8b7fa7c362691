"""Brings the window to a scene of a tour: corpus, recipe, merges, cursor, text, lanes.

Reading and training take their time; what comes next is begun by their signals. A scene that
is asked for while another is being set takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot

from bpe_gui.bpe.corpus import SAMPLES, Corpus, CorpusError, CorpusOptions, sample
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.jit import wait_until_loaded
from bpe_gui.bpe.recipe import PRESETS, Recipe, RecipeError
from bpe_gui.bpe.training import train_corpus
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.tours.tour import THE_END, At, Compared, Lane, PresetLane, Scene, Workspace
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.player import SPEEDS
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.run.worker import SMALL_CORPUS
from bpe_gui.ui.widgets.sentences import as_sentence

_WALK_SECONDS = 4.0
"""How long the cursor may take for a walk; it is as slow as this allows, up to one a second."""

_Wanted: TypeAlias = tuple[Corpus, Recipe]
"""A lane that is not the run in view: a recipe, trained to its end on a corpus."""


class SceneSetting(QObject):
    """Sets one scene after another. All of it is for the GUI thread."""

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
        self._clock = context.explore.clock
        self._scene: Scene | None = None
        self._folder = Path()
        self._walking = False
        self._own: History | None = None
        self._corpora: dict[str, Corpus] = {}
        self._runs: dict[_Wanted, History] = {}
        """What was trained to be compared: a page that is seen again is there at once."""
        self._stands = False
        """Whether the lanes are those of the scene; what is compared before is of others."""
        self._task = BackgroundTask(
            "lanes of a tour", self, expected=(ValueError, OSError), gives_way=True
        )
        training.prepared.connect(self._on_prepared)
        training.progressed.connect(self._go_on)
        training.changed.connect(self._go_on)
        training.failed.connect(self._fail)
        player.movingChanged.connect(self._on_playing)
        compare.comparison.compared.connect(self._on_compared)
        compare.comparison.failed.connect(self._on_not_compared)

    @property
    def busy(self) -> bool:
        """Whether a scene is still to come."""
        return self._scene is not None

    @property
    def compared(self) -> list[TrainedEncoding]:
        """What is compared, from the uppermost lane on."""
        lanes = (lane.encoding for lane in self._compare.comparison.lanes)
        return [encoding for encoding in lanes if isinstance(encoding, TrainedEncoding)]

    def show(self, scene: Scene, folder: Path) -> None:
        """Bring the window to a scene; `arrived` or `failed` answers, maybe before this returns.

        Its workspace is in view already. Files that it names lie in `folder`.
        """
        self.drop()
        self._scene, self._folder = scene, folder
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
        """Want no scene any more."""
        self._scene = None
        self._stands = False
        self._task.drop()
        if self._walking:
            self._walking = False
            self._player.halt_where(None)

    def forget(self) -> None:
        """Want no scene, and take no run for one of the tour's own."""
        self.drop()
        self._own = None
        self._corpora.clear()
        self._runs.clear()

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self._task.close()

    # -- the run ---------------------------------------------------------------------------

    def _choose(self, scene: Scene) -> bool:
        """Have the corpus and the recipe of a scene chosen; whether others were."""
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
        """Whether the run in view is that of the scene, and has no merge that it has not."""
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
        """Have the merges done that are missing."""
        history = self._training.history
        done = len(history) if history is not None else 0
        if self._training.phase is Phase.IDLE or done >= scene.merges:
            return
        if self._follows(scene):
            self._player.go_to_end()
        elif scene.go_to.plays and history is not None:
            # It walks once they are there, and goes along with none of them.
            self._player.load(history, self._player.position)
        if scene.merges == THE_END:
            self._training.train()
        else:
            self._training.step(scene.merges - done)

    def _follows(self, scene: Scene) -> bool:
        """Whether the cursor goes along while merges are done."""
        return scene.go_to == At(scene.merges)

    @Slot(object)
    def _on_prepared(self, history: History) -> None:
        if self._scene is not None:
            self._own = history
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        """Do what can be done now."""
        scene, history = self._scene, self._training.history
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
        """Let the cursor play up to a position."""
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
        """The walk has ended: where it should, or where somebody has stopped it."""
        if not self._walking or self._player.playing or self._scene is None:
            return
        self._walking = False
        self._player.halt_where(None)
        history = self._training.history
        if history is not None:
            self._go_to(At(self._scene.go_to.merges), history)

    # -- text and lanes --------------------------------------------------------------------

    def _dress(self) -> None:
        """The run and the cursor are there: have text and lanes."""
        scene = self._scene
        assert scene is not None
        if self._sample_text.text != scene.text:
            self._sample_text.set(scene.text)
        if scene.workspace is not Workspace.COMPARE:
            self._arrive()
            return
        try:
            wanted = [self._wanted(lane) for lane in scene.lanes if isinstance(lane, PresetLane)]
        except (CorpusError, RecipeError) as error:
            self._fail(as_sentence(error))
            return
        if missing := [run for run in wanted if run not in self._runs]:
            self._task.ask(partial(_trained, missing), self._on_trained, self._fail)
        else:
            self._put_lanes()

    def _wanted(self, lane: PresetLane) -> _Wanted:
        assert self._scene is not None
        size = lane.vocabulary or self._scene.vocabulary
        recipe = PRESETS[lane.preset].with_changes(vocabulary_size=size)
        return self._corpus(lane.corpus or self._scene.corpus), recipe

    def _corpus(self, name: str) -> Corpus:
        """The same object for the same name, so that runs on it are known again."""
        if name not in self._corpora:
            shipped = name in SAMPLES
            self._corpora[name] = sample(name) if shipped else Corpus([self._folder / name])
        return self._corpora[name]

    def _on_trained(self, runs: dict[_Wanted, History]) -> None:
        self._runs |= runs
        self._put_lanes()

    def _put_lanes(self) -> None:
        """All runs are there: put them under each other, and have the text cut."""
        scene = self._scene
        assert scene is not None
        # Compare gives itself lanes when it first hears of a run.
        self._clock.catch_up()
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
            comparison.add(TrainedEncoding(self._runs[self._wanted(lane)], name=name))
        elif lane.merges is None:
            comparison.add_following()
        else:
            comparison.at_positions([lane.merges])

    @Slot()
    def _on_compared(self) -> None:
        if self._scene is None or not self._stands or not self._compare.comparison.up_to_date:
            return
        number = self._scene.difference
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
        self._scene = None
        self._stands = False
        self.arrived.emit()

    @Slot(str)
    def _fail(self, sentence: str) -> None:
        if self._scene is not None:
            self.drop()
            self.failed.emit(sentence)


def _trained(wanted: Sequence[_Wanted], job: Job) -> dict[_Wanted, History]:
    """Train recipes to their end, one after another. Raises ValueError and OSError."""

    def check(*progress: object) -> None:
        job.check()

    runs = {}
    for corpus, recipe in wanted:
        size = corpus.find_size(job.check)
        if size is None or size > SMALL_CORPUS:
            # The window has them compiled, in another process.
            while not wait_until_loaded(0.02):
                job.check()
        runs[corpus, recipe] = train_corpus(corpus, recipe, check)
    return runs
