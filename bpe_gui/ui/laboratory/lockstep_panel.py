"""Two recipes in lockstep: trained at once, and shown side by side."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.branches import Branch
from bpe_gui.analysis.compare_runs import FROM_START, Lockstep
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import MAX_NUMBER, PRESETS, Recipe, RecipeError
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.merge_curves import CurveLane, MergeCurves
from bpe_gui.ui.laboratory import lockstep_wording as wording
from bpe_gui.ui.laboratory.lockstep_runs import LockstepRuns, progress_of
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.laboratory.slope_chart import SlopeChart
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower
from bpe_gui.ui.widgets.boxes import ComboBox, SpinBox
from bpe_gui.ui.widgets.flowing_row import FlowingRow
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.sentences import as_sentence

_AGAINST = ("gpt4", "gpt2")
"""What the run in view is compared with at first; the second if the first is in view itself."""
_LOW = 12
"""Lines of height below which there are no words under the chart."""
_SHARE_OF_CURVES = 0.55
"""The part of the width that curves take at most, on the stage."""
_NARROW = 50
"""Letters of width below which there are no curves beside the chart."""


IN_VIEW, IN_EDITOR, NONE = "in view", "in the editor", "none"
"""The data of items that are no recipe themselves; that of presets is `preset:` and the name, that
of the user's recipes `own:` and the name."""
_PRESET, _OWN = "preset:", "own:"


class RecipeChoice(ComboBox):
    """One recipe: that of the run in view, that in the editor, a preset, or one of the user's."""

    def __init__(self, name: str, spoken: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own: dict[str, Recipe] = {}
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setToolTip(spoken)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(9)
        self.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.addItem("In view", IN_VIEW)
        self.addItem("In the editor", IN_EDITOR)
        self.insertSeparator(self.count())
        for preset, recipe in PRESETS.items():
            self.addItem(preset, f"{_PRESET}{preset}")
            self.setItemData(self.count() - 1, recipe.description, Qt.ItemDataRole.ToolTipRole)

    def name_item(self, key: str, text: str) -> None:
        """Call an item otherwise."""
        index = self.findData(key)
        if index >= 0 and self.itemText(index) != text:
            self.setItemText(index, text)

    def choose(self, key: str) -> None:
        """Choose an item by its data."""
        self.setCurrentIndex(self.findData(key))

    @property
    def key(self) -> str:
        """The data of the chosen item."""
        return str(self.currentData())

    def recipe(self) -> Recipe | None:
        """The chosen preset or recipe of the user; None for what the window knows."""
        return PRESETS.get(self.key.removeprefix(_PRESET), self._own.get(self.key))

    def offer(self, recipes: Iterable[Recipe]) -> None:
        """Offer the user's own recipes."""
        for recipe in recipes:
            key = f"{_OWN}{recipe.name}"
            if key not in self._own:
                if not self._own:
                    self.insertSeparator(self.count())
                self.addItem(recipe.name, key)
            self._own[key] = recipe


_FIRST = 2_000
_SIZE_TIP = (
    "All recipes are trained up to this number of entries, whatever their own vocabulary size or "
    "number of merges. Their own minimum frequency may end them before; ties are broken as each "
    "recipe says."
)


class CommonSize(SpinBox):
    """Follows the size in the toolbar until the user sets another one here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._followed: int | None = None
        self.setObjectName("lockstepSizeBox")
        self.setAccessibleName("Entries that all recipes are trained to")
        self.setToolTip(_SIZE_TIP)
        self.setRange(1, MAX_NUMBER)
        self.setSingleStep(500)
        self.setValue(_FIRST)
        self.setPrefix("up to ")
        self.setSuffix(" entries")
        self.setGroupSeparatorShown(True)
        self.setAccelerated(True)
        self.setKeyboardTracking(False)
        FontFollower(self, self._fit)

    def _fit(self) -> None:
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(" up to 1,000,000 entries ") + 34)

    def follow(self, size: int | None) -> None:
        """Take the number of the toolbar if that is another one now; None is no number."""
        if size is not None and size != self._followed:
            self.setValue(size)
        self._followed = size


class LockstepPanel(QWidget):
    """Choose recipes and train them; a slope chart, and the numbers over the merges beside it.

    The recipes are trained on the corpus of the run in view, all to the same vocabulary size;
    ties are broken as each of them says.
    """

    presents = False
    """Whether an audience looks on."""
    tokenSelected = Signal(int)
    """A token of the run in view that the user has chosen in the chart."""
    divided = Signal(QWidget)
    """There is a handle from now on: within this widget, between the chart and the curves."""

    def __init__(self, runs: LockstepRuns, files: RecipeFiles, sample_text: SampleText) -> None:
        super().__init__()
        self.setObjectName("lockstepPanel")
        self.setAccessibleName("Recipes in lockstep")
        self._history: History | None = None
        self._corpus: Corpus | None = None
        self._reading = ""
        self._edited: Recipe | None = None
        self._files = files
        self._sample_text = sample_text
        self._problem = ""
        self._curves: MergeCurves | None = None
        self.runs = runs
        self.chart = SlopeChart()
        self.choices = (
            RecipeChoice("firstRecipe", "First recipe"),
            RecipeChoice("secondRecipe", "Second recipe"),
            RecipeChoice("thirdRecipe", "Third recipe"),
        )
        self.common_size = CommonSize()
        self._train = QPushButton("Train both")
        self._pairs = QPushButton("Presets")
        self._summary = SteadyLabel(self, wraps=True)
        self._known = SteadyLabel(self, wraps=True)
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._rows = (QWidget(), QWidget())
        self._alone = False
        self._sentence = ""
        self._lay_out()
        self._train.clicked.connect(self._on_button)
        self._pairs.menu().triggered.connect(self._on_pair)
        runs.changed.connect(self._update_texts)
        runs.compared.connect(self._on_compared)
        runs.failed.connect(self._on_failed)
        self.chart.tokenChosen.connect(self._on_token)
        self.chart.described.connect(self._on_described)
        for choice in self.choices:
            choice.currentIndexChanged.connect(self._update_texts)
        sample_text.changed.connect(self._draw_curves)
        files.keptChanged.connect(self._offer)
        self._offer()
        runs.watch()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._update_texts()
        RoomFollower(self, self._share)

    def sizeHint(self) -> QSize:
        return QSize(760, 340)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 190)

    # -- building --------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        first, second, third = self.choices
        first.choose(IN_VIEW)
        second.choose(f"{_PRESET}{_AGAINST[0]}")
        third.insertItem(0, "no third recipe", NONE)
        third.setCurrentIndex(0)
        self._pairs.setObjectName("presetPairButton")
        self._pairs.setAccessibleName("Preset against preset")
        self._pairs.setToolTip("Preset against preset: choose two, and both are trained at once")
        menu = QMenu(self._pairs)
        for name in PRESETS:
            against = menu.addMenu(name)
            for other in PRESETS:
                if other != name:
                    against.addAction(f"against {other}").setData((name, other))
        self._pairs.setMenu(menu)
        self._train.setObjectName("trainBothButton")
        self._train.setToolTip("Train these recipes on the corpus, all at once")
        self._summary.label.setObjectName("lockstepSentence")
        self._known.label.setObjectName("lockstepToken")
        self._known.label.setProperty("quiet", True)
        orders = (self.common_size, self._train, self._pairs)
        for place, controls in zip(self._rows, (self.choices, orders), strict=True):
            row = FlowingRow(place, spacing=6)
            for control in controls:
                row.addWidget(control)
        self._sides.setObjectName("lockstepSplitter")
        self._sides.setChildrenCollapsible(False)
        self._sides.addWidget(self.chart)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 6)
        layout.setSpacing(4)
        for place in self._rows:
            layout.addWidget(place)
        layout.addWidget(self._summary)
        layout.addWidget(self._sides, 1)
        layout.addWidget(self._known)

    def _share(self) -> None:
        """Where there is little height, the chart has that of the words below it; on the stage,
        where little is chosen, it has all of little room once there is something to look at."""
        metrics = self.fontMetrics()
        low = self.height() < _LOW * metrics.lineSpacing()
        narrow = self.width() < _NARROW * metrics.averageCharWidth()
        trained = self.chart.lockstep is not None and not self.runs.busy
        self._alone = (low or narrow) and trained and self.presents
        self._known.setVisible(not (low or self._alone))
        for place in self._rows:
            place.setVisible(not self._alone)
        # Before there is anything to look at, what is chosen needs the room.
        crowded = low and not trained and self.presents
        self._sides.setVisible(not crowded)
        third = self.choices[2]
        third.setVisible(not crowded or third.key != NONE)
        if self._curves is not None:
            needed = self._curves.minimumSizeHint().width()
            wide = self.presents and needed > _SHARE_OF_CURVES * self.width()
            self._curves.setVisible(not (self._alone or wide))
        self._write_summary()

    # -- what it is about ------------------------------------------------------------------------

    def set_run(self, branch: Branch | None, corpus: Corpus | None) -> None:
        """Train on the corpus of another run, or of none; runs on another corpus are dropped."""
        before, self._corpus = self._corpus, corpus
        self._history = branch.history if branch is not None else None
        if before is not None and corpus is not before:
            self.chart.set_lockstep(None)
            self._problem = ""
        name = "In view"
        if self._history is not None:
            name = f"In view: {self._history.recipe.name}"
            if not self.runs.lanes and self._history.recipe.name == _AGAINST[0]:
                self.choices[1].choose(f"{_PRESET}{_AGAINST[1]}")
        for choice in self.choices:
            choice.name_item(IN_VIEW, name)
        self._update_texts()

    def set_recipe(self, recipe: Recipe) -> None:
        """Offer another recipe as the one in the editor."""
        self._edited = recipe
        for choice in self.choices:
            choice.name_item(IN_EDITOR, f"In the editor: {recipe.name}")

    @Slot()
    def _offer(self) -> None:
        """Offer the recipes that the user has saved, too."""
        for choice in self.choices:
            choice.offer(self._files.own_recipes())

    def set_reading(self, corpus: str) -> None:
        """Say that a corpus of that name is being read, while there is no run."""
        self._reading = corpus
        self._update_texts()

    @property
    def at_rest(self) -> bool:
        """Whether nothing is being trained, compared or measured."""
        measures = self._curves is not None and self._curves.busy
        return not (self.runs.busy or self.runs.comparing or measures)

    def close_threads(self) -> None:
        """End what goes on in the background."""
        if self._curves is not None:
            self._curves.close_threads()

    # -- training --------------------------------------------------------------------------------

    @Slot(QAction)
    def _on_pair(self, action: QAction) -> None:
        self.train_presets(*action.data())

    def train_presets(self, first: str, second: str) -> None:
        """Choose two presets, and train both."""
        self.choices[0].choose(f"{_PRESET}{first}")
        self.choices[1].choose(f"{_PRESET}{second}")
        self.choices[2].choose(NONE)
        self.train()

    def train(self) -> None:
        """Train what is chosen."""
        if self._history is None or self._corpus is None:
            return
        self._problem = ""
        try:
            recipes = self._recipes(self._history.recipe)
        except RecipeError as error:
            self._on_failed(as_sentence(error))
            return
        self.runs.train(self._corpus, recipes, self._history)
        self._update_texts()

    def _recipes(self, in_view: Recipe) -> list[Recipe]:
        """The chosen recipes; raises RecipeError for one that makes no sense."""
        found = []
        for choice in self.choices:
            recipe = choice.recipe()
            if choice.key == IN_VIEW:
                recipe = in_view
            elif choice.key == IN_EDITOR:
                recipe = self._edited or in_view
            if recipe is not None:
                size = self.common_size.value()
                found.append(recipe.with_changes(vocabulary_size=size, merges=None))
        return found

    @Slot()
    def _on_button(self) -> None:
        if self.runs.busy:
            self.runs.cancel()
        else:
            self.train()

    @Slot(object)
    def _on_compared(self, found: Lockstep) -> None:
        recipes = [lane.recipe.name for lane in self.runs.lanes]
        self.chart.set_lockstep(found, wording.run_names(recipes))
        self._draw_curves()
        self._update_texts()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._problem = problem
        self._update_texts()

    # -- choosing --------------------------------------------------------------------------------

    @Slot(str)
    def _on_described(self, text: str) -> None:
        self._known.set_text(text or wording.HINT)

    @Slot(int, int)
    def _on_token(self, run: int, step: int) -> None:
        """Go to a token, if the run in view is one of those in the chart and has it."""
        found = self.chart.lockstep
        if found is None:
            return
        token = self._token_in_view(found, run, step)
        if token is not None:
            self.tokenSelected.emit(token)
        else:
            self._known.set_text(f"{self._known.text()} {wording.NOT_IN_VIEW}".strip())

    def _token_in_view(self, found: Lockstep, run: int, step: int) -> int | None:
        in_view = self._history
        lane = self._lane_in_view()
        if lane is None or in_view is None:
            return None
        history = found.histories[lane]
        made = step if lane == run else int(found.steps[lane, found.contents[run][step]])
        if made >= 0:
            # The run in view may not be as far as the one that was trained here.
            return int(history.new_id[made]) if made < len(in_view) else None
        if made != FROM_START:
            return None
        content = found.histories[run].bytes_in_text(int(found.histories[run].new_id[step]))
        symbols = history.base.symbol_ids
        return next((t for t in symbols if history.bytes_in_text(t) == content), None)

    def _lane_in_view(self) -> int | None:
        """Which of the runs is the one in view, but for its size."""
        in_view = self._history
        if in_view is None or in_view.interventions:
            return None
        for number, lane in enumerate(self.runs.lanes):
            same = lane.recipe.same_but(in_view.recipe, "vocabulary_size", "merges")
            if lane.corpus is self._corpus and same:
                return number
        return None

    # -- saying it -------------------------------------------------------------------------------

    @Slot()
    def _draw_curves(self) -> None:
        found = self.chart.lockstep
        if found is None:
            return
        if self._curves is None:
            self._curves = curves = MergeCurves()
            curves.logarithmic.hide()
            self._sides.addWidget(curves)
            self._sides.setStretchFactor(0, 3)
            self._sides.setStretchFactor(1, 2)
            self.divided.emit(self)
        called: dict[History, list[str]] = {}
        for name, history in zip(self.chart.names, found.histories, strict=True):
            called.setdefault(history, []).append(name)
        lanes = [
            CurveLane(
                name,
                TrainedEncoding(history, length, name=name),
                called=wording.joined(called[history]),
            )
            for name, history, length in zip(
                self.chart.names, found.histories, found.lengths, strict=True
            )
        ]
        self._curves.show_runs(self._sample_text.text, lanes, alone=wording.ONE_RUN)

    @Slot()
    def _update_texts(self) -> None:
        """Say what is shown, what goes on, and why nothing is shown."""
        three = self.choices[2].key != NONE
        train = "Train all" if three else "Train both"
        self._train.setText("Cancel" if self.runs.busy else train)
        for button in (self._train, self._pairs):
            button.setEnabled(self._history is not None)
        self._sentence, message = self._sentences()
        self.setAccessibleDescription(self._sentence)
        self.chart.set_message(message)
        self._share()

    def _write_summary(self) -> None:
        """All that there is to say above the chart, or the first sentence if that is alone."""
        text, found = self._sentence, self.chart.lockstep
        if self._alone and found is not None and not self._problem:
            text = wording.divergence(found, self.chart.names)
        self._summary.set_text(text)
        alone = wording.only_listed(found, self.chart.names) if found is not None else ""
        self._summary.setToolTip(alone)

    def _sentences(self) -> tuple[str, str]:
        """The sentence above the chart, and the one in its place."""
        found = self.chart.lockstep
        if self._history is None:
            return "", wording.nothing_loaded(self._reading)
        if self._problem:
            return self._problem, ""
        if self.runs.busy:
            parts = [progress_of(lane) for lane in self.runs.lanes]
            return f"Training: {wording.joined(parts)}.", ""
        if found is None or not all(found.lengths):
            return "", wording.NOTHING_TRAINED
        return wording.summary(found, self.chart.names), ""
