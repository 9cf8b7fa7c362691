"""Puts the lanes of a scene into Compare: the run in view, and presets that are trained for it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.corpus import SAMPLES, Corpus, CorpusError, sample
from bpe_gui.bpe.recipe import PRESETS, RecipeError
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.tours.tour import Compared, Lane, PresetLane, Scene
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.tour.lane_runs import LaneRuns, WantedRun
from bpe_gui.ui.widgets.sentences import as_sentence


class SceneLanes(QObject):
    """Makes lanes, and tells when all stand there and are compared."""

    arrived = Signal()
    """The lanes that were asked for last are in view, and their text is cut."""
    failed = Signal(str)
    """They cannot be had; one sentence for the user."""

    def __init__(
        self,
        compare: CompareView,
        controls: Controls,
        player: Player,
        workspace: ExploreView,
        sample_text: SampleText,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._compare = compare
        self._controls = controls
        self._player = player
        self._workspace = workspace
        self._sample_text = sample_text
        self._scene: Scene | None = None
        self._folder = Path()
        self._stands = False
        self._corpora: dict[tuple[Path, str], Corpus] = {}
        self._runs = LaneRuns(self)
        self._runs.done.connect(self._put)
        self._runs.failed.connect(self._fail)
        compare.comparison.compared.connect(self._on_compared)
        compare.comparison.failed.connect(self._fail)

    @property
    def encodings(self) -> list[TrainedEncoding]:
        """What is compared, from the uppermost lane on."""
        lanes = (lane.encoding for lane in self._compare.comparison.lanes)
        return [encoding for encoding in lanes if isinstance(encoding, TrainedEncoding)]

    def show(self, scene: Scene, folder: Path) -> None:
        """Have the lanes of a scene; files beside its tour lie in `folder`."""
        self._scene, self._folder = scene, folder
        self._stands = False
        try:
            wanted = [self._wanted(lane) for lane in scene.lanes if isinstance(lane, PresetLane)]
        except (CorpusError, RecipeError) as error:
            self._fail(as_sentence(error))
            return
        self._runs.ask(wanted)

    def drop(self) -> None:
        """Want nothing any more."""
        self._scene = None
        self._stands = False
        self._runs.drop()

    def close(self) -> None:
        """End the thread."""
        self._runs.close()

    def _wanted(self, lane: PresetLane) -> WantedRun:
        assert self._scene is not None
        size = lane.vocabulary or self._scene.vocabulary
        recipe = PRESETS[lane.preset].with_changes(vocabulary_size=size)
        return WantedRun(self._corpus(lane.corpus or self._scene.corpus), recipe)

    def _corpus(self, name: str) -> Corpus:
        """The same object for the same name, so that runs on it are known again."""
        key = (self._folder, name)
        if key not in self._corpora:
            shipped = name in SAMPLES
            made = sample(name) if shipped else Corpus([self._folder / name])
            self._corpora[key] = made
        return self._corpora[key]

    @Slot()
    def _put(self) -> None:
        """All runs are there: put them under each other, and have the text cut."""
        if self._scene is None:
            return
        # Compare gives itself lanes when it first hears of a run.
        self._workspace.clock.catch_up()
        comparison, source = self._compare.comparison, self._compare.source
        comparison.set_position(self._player.position)
        comparison.set_lanes([])
        for lane in self._scene.lanes:
            self._add(lane)
        if self._scene.compare_on is Compared.STORY:
            source.show_story()
        else:
            self._sample_text.set(self._scene.text)
            source.show_own()
        self._stands = True
        self._on_compared()

    def _add(self, lane: Lane) -> None:
        comparison = self._compare.comparison
        if isinstance(lane, PresetLane):
            history = self._runs.history(self._wanted(lane))
            assert history is not None, "it was asked for"
            name = lane.preset
            if lane.corpus is not None:
                name += f" on {self._corpus(lane.corpus).name}"
            comparison.add(TrainedEncoding(history, name=name))
        elif lane.merges is None:
            comparison.add_following()
        else:
            comparison.at_positions([lane.merges])

    @Slot()
    def _on_compared(self) -> None:
        # What was asked for before the lanes stood there is of other lanes.
        if self._stands and self._compare.comparison.up_to_date:
            self._arrive()

    def _arrive(self) -> None:
        scene, self._scene = self._scene, None
        self._stands = False
        if scene is None:
            return
        number = scene.difference
        if number is not None and not self._compare.differences.look_at(number - 1):
            self.failed.emit(f"There is no difference {number} between these lanes.")
            return
        self.arrived.emit()

    @Slot(str)
    def _fail(self, sentence: str) -> None:
        if self._scene is not None:
            self._scene = None
            self.failed.emit(sentence)

