"""Two recipes in lockstep: trained at once, and shown side by side."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QPushButton, QSplitter, QVBoxLayout, QWidget

from bpe_gui.analysis.compare_runs import FROM_START, Lockstep
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.compare.merge_curves import MergeCurves, RunLane
from bpe_gui.ui.laboratory import lockstep_wording as wording
from bpe_gui.ui.laboratory.lockstep_controls import (
    IN_EDITOR,
    IN_VIEW,
    NONE,
    CommonSize,
    OwnRecipes,
    PresetPairs,
    RecipeChoice,
    same_but_size,
)
from bpe_gui.ui.laboratory.lockstep_runs import LockstepRuns, progress_of
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.laboratory.slope_chart import SlopeChart
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.theme.theme import DARK, Theme
from bpe_gui.ui.widgets.flowing_row import FlowingRow
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.sentences import as_sentence

_AGAINST = ("gpt4", "gpt2")
"""What stands against the run in view at first; the second if the first is in view itself."""
_LOW = 12
"""Lines in the height, from which on there is room for words below the chart."""
_SHARE_OF_CURVES = 0.55
"""Of the width, at most, on the stage."""
_NARROW = 50
"""Letters in the width, from which on there is room for curves beside the chart."""


class LockstepPanel(QWidget):
    """Choose recipes and train them; a slope chart, and the numbers over the merges beside it.

    The recipes are trained on the corpus of the run in view, all to the same size of the
    vocabulary, whatever their own; ties are broken as each of them says.
    """

    presents = False
    """Whether an audience looks on."""
    tokenSelected = Signal(int)
    """A token of the run in view that the user has chosen in the chart."""
    divided = Signal(QWidget)
    """There is a handle from now on: within this widget, between the chart and the curves."""

    def __init__(
        self, runs: LockstepRuns, own_recipes: OwnRecipes, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lockstepPanel")
        self.setAccessibleName("Recipes in lockstep")
        self._run: Run | None = None
        self._reading = ""
        self._edited: Recipe | None = None
        self._text = ""
        self._theme = DARK
        self._problem = ""
        self._curves: MergeCurves | None = None
        self.runs = runs
        self.chart = SlopeChart()
        self._choices = (
            RecipeChoice("firstRecipe", "First recipe"),
            RecipeChoice("secondRecipe", "Second recipe"),
            RecipeChoice("thirdRecipe", "Third recipe"),
        )
        self.common_size = CommonSize()
        self._train = QPushButton("Train both")
        self._pairs = PresetPairs()
        self._summary = SteadyLabel(self, wraps=True)
        self._known = SteadyLabel(self, wraps=True)
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._rows = (QWidget(), QWidget())
        self._alone = False
        self._said = ""
        self._lay_out()
        self._connect()
        for choice in self._choices:
            choice.offer_own(own_recipes)
        runs.watch()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._tell()
        RoomFollower(self, self._share)

    def sizeHint(self) -> QSize:
        """Room for a dozen rows."""
        return QSize(760, 340)

    def minimumSizeHint(self) -> QSize:
        """The least that shows a few rows."""
        return QSize(320, 190)

    # -- building --------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        first, second, third = self._choices
        first.choose(IN_VIEW)
        second.choose_preset(_AGAINST[0])
        third.offer_none("no third recipe")
        self._train.setObjectName("trainBothButton")
        self._train.setToolTip("Train these recipes on the corpus, all at once")
        self._summary.label.setObjectName("lockstepSentence")
        self._known.label.setObjectName("lockstepToken")
        self._known.label.setProperty("quiet", True)
        orders = (self.common_size, self._train, self._pairs)
        for place, controls in zip(self._rows, (self._choices, orders), strict=True):
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
        third = self._choices[2]
        third.setVisible(not crowded or third.key != NONE)
        if self._curves is not None:
            needed = self._curves.minimumSizeHint().width()
            wide = self.presents and needed > _SHARE_OF_CURVES * self.width()
            self._curves.setVisible(not (self._alone or wide))
        self._write_summary()

    def _connect(self) -> None:
        self._train.clicked.connect(self._on_button)
        self._pairs.pairChosen.connect(self.train_presets)
        self.runs.changed.connect(self._tell)
        self.runs.compared.connect(self._on_compared)
        self.runs.failed.connect(self._on_failed)
        self.chart.tokenChosen.connect(self._on_token)
        self.chart.described.connect(self._on_described)
        for choice in self._choices:
            choice.currentIndexChanged.connect(self._tell)

    # -- what it is about ------------------------------------------------------------------------

    def set_run(self, run: Run | None) -> None:
        """Train on the corpus of another run; what was trained on another one is forgotten."""
        before, self._run = self._run, run
        if before is not None and (run is None or run.corpus is not before.corpus):
            self.chart.set_lockstep(None)
            self._problem = ""
        if run is not None and not self.runs.lanes and run.history.recipe.name == _AGAINST[0]:
            self._choices[1].choose_preset(_AGAINST[1])
        name = f"In view: {run.history.recipe.name}" if run is not None else "In view"
        for choice in self._choices:
            choice.name_item(IN_VIEW, name)
        self._tell()

    def set_recipe(self, recipe: Recipe) -> None:
        """Offer another recipe as the one in the editor."""
        self._edited = recipe
        for choice in self._choices:
            choice.name_item(IN_EDITOR, f"In the editor: {recipe.name}")

    def set_size(self, size: int | None) -> None:
        """Train to the size that is chosen in the toolbar, if one is."""
        self.common_size.follow(size)

    def set_text(self, text: str) -> None:
        """Measure the numbers on another sample text."""
        self._text = text
        self._draw_curves()

    def set_reading(self, corpus: str) -> None:
        """Say that a corpus of that name is being read, while there is no run."""
        self._reading = corpus
        self._tell()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.chart.set_theme(theme)
        if self._curves is not None:
            self._curves.set_theme(theme)

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

    @Slot(str, str)
    def train_presets(self, first: str, second: str) -> None:
        """Choose two presets, and train both."""
        self._choices[0].choose_preset(first)
        self._choices[1].choose_preset(second)
        self._choices[2].choose(NONE)
        self.train()

    def train(self) -> None:
        """Train what is chosen."""
        if self._run is None:
            return
        self._problem = ""
        try:
            recipes = self._recipes(self._run.history.recipe)
        except RecipeError as error:
            self._on_failed(as_sentence(error))
            return
        self.runs.train(self._run.corpus, recipes, self._run)
        self._tell()

    def _recipes(self, in_view: Recipe) -> list[Recipe]:
        """The chosen recipes; raises RecipeError for one that makes no sense."""
        found = []
        for choice in self._choices:
            recipe = choice.recipe()
            if choice.key == IN_VIEW:
                recipe = in_view
            elif choice.key == IN_EDITOR:
                recipe = self._edited or in_view
            if recipe is not None:
                found.append(self.common_size.of(recipe))
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
        self._tell()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._problem = problem
        self._tell()

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
            told = self._known.text()
            self._known.set_text(f"{told} The run in view does not have it.".strip())

    def _token_in_view(self, found: Lockstep, run: int, step: int) -> int | None:
        lane = self._lane_in_view()
        if lane is None or self._run is None:
            return None
        history = found.histories[lane]
        made = step if lane == run else int(found.steps[lane, found.contents[run][step]])
        if made >= 0:
            # The run in view may not be as far as the one that was trained here.
            return int(history.new_id[made]) if made < len(self._run.history) else None
        if made != FROM_START:
            return None
        content = found.histories[run].bytes_in_text(int(found.histories[run].new_id[step]))
        symbols = history.base.symbol_ids
        return next((t for t in symbols if history.bytes_in_text(t) == content), None)

    def _lane_in_view(self) -> int | None:
        """Which of the runs is the one in view, or would be if that went on."""
        if self._run is None or self._run.history.interventions:
            return None
        recipe = self._run.history.recipe
        for number, lane in enumerate(self.runs.lanes):
            if lane.corpus is self._run.corpus and same_but_size(lane.recipe, recipe):
                return number
        return None

    # -- saying it -------------------------------------------------------------------------------

    def _draw_curves(self) -> None:
        found = self.chart.lockstep
        if found is None:
            return
        if self._curves is None:
            self._curves = curves = MergeCurves()
            curves.set_theme(self._theme)
            curves.logarithmic.hide()
            self._sides.addWidget(curves)
            self._sides.setStretchFactor(0, 3)
            self._sides.setStretchFactor(1, 2)
            self.divided.emit(self)
        called: dict[History, list[str]] = {}
        for name, history in zip(self.chart.names, found.histories, strict=True):
            called.setdefault(history, []).append(name)
        lanes = [
            RunLane(name, history, length, called=wording.joined(called[history]))
            for name, history, length in zip(
                self.chart.names, found.histories, found.lengths, strict=True
            )
        ]
        self._curves.show_runs(self._text, lanes, alone=wording.ONE_RUN)

    @Slot()
    def _tell(self) -> None:
        """Say what is shown, what goes on, and why nothing is shown."""
        three = self._choices[2].key != NONE
        train = "Train all" if three else "Train both"
        self._train.setText("Cancel" if self.runs.busy else train)
        for button in (self._train, self._pairs):
            button.setEnabled(self._run is not None)
        self._said, message = self._sentences()
        self.setAccessibleDescription(self._said)
        self.chart.set_message(message)
        self._share()

    def _write_summary(self) -> None:
        """All that there is to say above the chart, or the first sentence if that is alone."""
        text, found = self._said, self.chart.lockstep
        if self._alone and found is not None and not self._problem:
            text = wording.parting_sentence(found, self.chart.names)
        self._summary.set_text(text)
        alone = wording.only_listed(found, self.chart.names) if found is not None else ""
        self._summary.setToolTip(alone)

    def _sentences(self) -> tuple[str, str]:
        """The sentence above the chart, and the one in its place."""
        found = self.chart.lockstep
        if self._run is None:
            return "", wording.nothing_loaded(self._reading)
        if self._problem:
            return self._problem, ""
        if self.runs.busy:
            parts = [progress_of(lane) for lane in self.runs.lanes]
            return f"Training: {wording.joined(parts)}.", ""
        if found is None or not all(found.lengths):
            return "", wording.NOTHING_TRAINED
        return wording.summary(found, self.chart.names), ""
