"""The panel of recipes in lockstep: trained at once, and shown side by side."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from bpe_gui.analysis.compare_runs import FROM_START, Lockstep
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import MAX_NUMBER, PRESETS, Recipe, RecipeError
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import listed
from bpe_gui.ui.compare.merge_curves import MergeCurves
from bpe_gui.ui.laboratory import lockstep_wording as wording
from bpe_gui.ui.laboratory.lockstep_runs import LockstepRuns, progress_of
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.laboratory.slope_chart import SlopeChart
from bpe_gui.ui.run.background import all_at_rest
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower
from bpe_gui.ui.widgets.boxes import ElidingComboBox, SpinBox
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import FlowLayout, filled
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.workspaces.panel import BasePanel

_AGAINST = ("gpt4", "gpt2")
"""Presets to compare the run in view with at first: the second if it is the first."""
_LOW = 12
"""Lines of height below which there is no description under the chart."""
_NARROW = 50
"""Letters of width below which there are no curves beside the chart."""

IN_VIEW, IN_EDITOR, NONE = "in view", "in the editor", "none"
"""The data of items without a recipe; presets have `preset:` and the name, saved recipes `own:`."""
_PRESET, _OWN = "preset:", "own:"


class RecipeChoice(ElidingComboBox):
    """Chooses the recipe of the run in view, that in the editor, a preset, or a saved one."""

    def __init__(self, name: str, spoken: str) -> None:
        super().__init__()
        self._own: dict[str, Recipe] = {}
        named(self, name, spoken, spoken)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_letters(9)
        self.addItem("In view", IN_VIEW)
        self.addItem("In the editor", IN_EDITOR)
        self.insertSeparator(self.count())
        for preset, recipe in PRESETS.items():
            self.addItem(preset, f"{_PRESET}{preset}")
            self.setItemData(self.count() - 1, recipe.description, Qt.ItemDataRole.ToolTipRole)

    def name_item(self, key: str, text: str) -> None:
        self.setItemText(self.findData(key), text)

    def choose(self, key: str) -> None:
        """Choose an item by its data."""
        self.setCurrentIndex(self.findData(key))

    @property
    def key(self) -> str:
        """The data of the chosen item."""
        return str(self.currentData())

    def recipe(self) -> Recipe | None:
        """Return the chosen preset or saved recipe; None for the others."""
        return PRESETS.get(self.key.removeprefix(_PRESET), self._own.get(self.key))

    def offer(self, recipes: Iterable[Recipe]) -> None:
        for recipe in recipes:
            key = f"{_OWN}{recipe.name}"
            if key not in self._own:
                if not self._own:
                    self.insertSeparator(self.count())
                self.addItem(recipe.name, key)
            self._own[key] = recipe


_SIZE_TIP = (
    "All recipes are trained up to this number of entries, whatever their own vocabulary size or "
    "number of merges. Their own minimum frequency may end them before; ties are broken as each "
    "recipe says."
)


class CommonSize(SpinBox):
    """Follows the size in the toolbar until the user sets another one here."""

    def __init__(self) -> None:
        super().__init__()
        self._followed: int | None = None
        named(self, "lockstepSizeBox", "Entries that all recipes are trained to", _SIZE_TIP)
        self.setRange(1, MAX_NUMBER)
        self.setSingleStep(500)
        self.setValue(2_000)
        self.setSuffix(" entries")
        self.setKeyboardTracking(False)
        widest = " 1,000,000 entries "
        FontFollower(
            self, lambda: self.setFixedWidth(self.fontMetrics().horizontalAdvance(widest) + 34)
        )

    def follow(self, size: int | None) -> None:
        """Take the size of the toolbar if it has changed; None is no size."""
        if size is not None and size != self._followed:
            self.setValue(size)
        self._followed = size


class LockstepPanel(BasePanel):
    """Trains recipes on the corpus of the run in view, and shows a slope chart and curves of them.

    All are trained to the same vocabulary size.
    """

    room, least_room, least_lines = QSize(760, 340), QSize(320, 190), 19
    tokenSelected = Signal(int)
    """The user has chosen a token of the run in view in the chart."""
    divided = Signal(QWidget)
    """The curves are beside the chart from now on, in this widget."""

    def __init__(self, run: RunContext, runs: LockstepRuns, files: RecipeFiles) -> None:
        super().__init__("lockstepPanel", "Recipes in lockstep")
        self._corpus: Corpus | None = None
        self._branches, self._training = run.branches, run.training
        self._edited: Recipe | None = None
        self._files = files
        self._sample_text = run.sample_text
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
        tip = "Train these recipes on the corpus, all at once"
        self._train = named(QPushButton("Train both"), "trainBothButton", tip=tip)
        self._summary = SteadyLabel(self, wraps=True)
        self._known = SteadyLabel(self, wraps=True)
        self._sides = named(QSplitter(Qt.Orientation.Horizontal), "lockstepSplitter")
        self._rows = (QWidget(), QWidget())
        self._sentence = ""
        self._lay_out()
        self._train.clicked.connect(self._on_button)
        runs.changed.connect(self._update_texts)
        runs.compared.connect(self._on_compared)
        runs.failed.connect(self._on_failed)
        self.chart.tokenChosen.connect(self._on_token)
        self.chart.described.connect(self._on_described)
        for choice in self.choices:
            choice.currentIndexChanged.connect(self._update_texts)
        run.sample_text.changed.connect(self._draw_curves)
        files.keptChanged.connect(self._offer)
        self._offer()
        runs.watch()
        run.player.loaded.connect(self._on_loaded)
        run.training.changed.connect(self._update_texts)
        self._on_loaded()
        RoomFollower(self, self._relayout)

    # -- building --------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        first, second, third = self.choices
        first.choose(IN_VIEW)
        second.choose(f"{_PRESET}{_AGAINST[0]}")
        third.insertItem(0, "no third recipe", NONE)
        third.setCurrentIndex(0)
        self._summary.label.setObjectName("lockstepSentence")
        quiet(named(self._known.label, "lockstepToken"))
        buttons = (self.common_size, self._train)
        for place, controls in zip(self._rows, (self.choices, buttons), strict=True):
            row = FlowLayout(place, spacing=6)
            for control in controls:
                row.addWidget(control)
        self._sides.setChildrenCollapsible(False)
        self._sides.addWidget(self.chart)
        parts = (*self._rows, self._summary, self._sides, self._known)
        margins = (10, 8, 10, 6)
        filled(QVBoxLayout(self), *parts, stretched=self._sides, spacing=4, margins=margins)

    def _relayout(self) -> None:
        """Hide what has no room; on the stage also what is not for an audience.

        There the description goes; the choices once the recipes are trained, and the chart before
        that, if there is little height; the curves if the chart would have little room beside them.
        """
        metrics = self.fontMetrics()
        low = self.height() < _LOW * metrics.lineSpacing()
        narrow = self.width() < _NARROW * metrics.averageCharWidth()
        found = self.chart.lockstep if not self.runs.busy else None
        self._known.setVisible(not (low or self.presents))
        shows = self.presents and found is not None and not self._problem
        for place in self._rows:
            place.setVisible(not shows)
        crowded = self.presents and low and not found
        self._sides.setVisible(not crowded)
        third = self.choices[2]
        third.setVisible(not crowded or third.key != NONE)
        if self._curves is not None:
            self._curves.setVisible(not (self.presents and (low or narrow)))
        names = self.chart.names
        text = wording.divergence(found, names) if shows and found else self._sentence
        self._summary.set_text(text)
        self._summary.setToolTip(wording.only_listed(found, names) if found else "")
        # The chart shows where they diverge.
        self._summary.setVisible(not (shows and low))

    # -- what is compared ------------------------------------------------------------------------

    @Slot()
    def _on_loaded(self) -> None:
        """Take the run in view, or none; runs on another corpus are dropped."""
        before, shown = self._corpus, self._branches.shown
        self._corpus = corpus = self._branches.corpus if shown is not None else None
        self._history = shown.history if shown is not None else None
        if before is not None and corpus is not before:
            self.chart.set_lockstep(None)
            self._draw_curves()
            self._problem = ""
        name = "In view"
        if self._history is not None:
            name = f"In view: {self._history.recipe.name}"
            if not self.runs.all and self._history.recipe.name == _AGAINST[0]:
                self.choices[1].choose(f"{_PRESET}{_AGAINST[1]}")
        for choice in self.choices:
            choice.name_item(IN_VIEW, name)
        self._update_texts()

    def set_recipe(self, recipe: Recipe) -> None:
        """Take another recipe as the one in the editor."""
        self._edited = recipe
        for choice in self.choices:
            choice.name_item(IN_EDITOR, f"In the editor: {recipe.name}")

    @Slot()
    def _offer(self) -> None:
        for choice in self.choices:
            choice.offer(self._files.own_recipes())

    @property
    def at_rest(self) -> bool:
        """Whether nothing is being trained, compared or measured."""
        return all_at_rest(self) and not (self.runs.busy or self.runs.comparing)

    # -- training --------------------------------------------------------------------------------

    def train(self) -> None:
        """Train the chosen recipes."""
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
        size = self.common_size.value()
        known = {IN_VIEW: in_view, IN_EDITOR: self._edited or in_view}
        recipes = (known.get(choice.key, choice.recipe()) for choice in self.choices)
        return [
            recipe.with_changes(vocabulary_size=size, merges=None)
            for recipe in recipes
            if recipe is not None
        ]

    @Slot()
    def _on_button(self) -> None:
        if self.runs.busy:
            self.runs.cancel()
        else:
            self.train()

    @Slot(object)
    def _on_compared(self, found: Lockstep) -> None:
        recipes = [run.recipe.name for run in self.runs.all]
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
        """Select a token everywhere, if the run in view is in the chart and has it."""
        found = self.chart.lockstep
        token = None if found is None else self._token_in_view(found, run, step)
        if token is not None:
            self.tokenSelected.emit(token)
        else:
            self._known.set_text(f"{self._known.text()} {wording.NOT_IN_VIEW}".strip())

    def _token_in_view(self, found: Lockstep, run: int, step: int) -> int | None:
        in_view = self._history
        own = self._run_in_view()
        if own is None or in_view is None:
            return None
        history = found.histories[own]
        made = step if own == run else int(found.steps[own, found.contents[run][step]])
        if made >= 0:
            # The run in view may not be as far as the one that was trained here.
            return int(history.new_id[made]) if made < len(in_view) else None
        if made != FROM_START:
            return None
        content = found.histories[run].bytes_in_text(int(found.histories[run].new_id[step]))
        symbols = history.base.symbol_ids
        return next((t for t in symbols if history.bytes_in_text(t) == content), None)

    def _run_in_view(self) -> int | None:
        """Return which of the runs equals the one in view but for its size."""
        in_view = self._history
        if in_view is None or in_view.interventions:
            return None
        for number, run in enumerate(self.runs.all):
            same = run.recipe.same_but(in_view.recipe, "vocabulary_size", "merges")
            if run.corpus is self._corpus and same:
                return number
        return None

    # -- texts ----------------------------------------------------------------------------------

    @Slot()
    def _draw_curves(self) -> None:
        found = self.chart.lockstep
        if found is None:
            if self._curves is not None:
                self._curves.show_runs("", (), {})
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
        encodings = map(TrainedEncoding, found.histories, found.lengths)
        names = {history: listed(all_names) for history, all_names in called.items()}
        self._curves.show_runs(
            self._sample_text.text, list(encodings), names, alone=wording.ONE_RUN
        )

    @Slot()
    def _update_texts(self) -> None:
        three = self.choices[2].key != NONE
        train = "Train all" if three else "Train both"
        self._train.setText("Cancel" if self.runs.busy else train)
        self._train.setEnabled(self._history is not None)
        self._sentence, message = self._sentences()
        self.setAccessibleDescription(self._sentence)
        self.chart.set_message(message)
        self._relayout()

    def _sentences(self) -> tuple[str, str]:
        found = self.chart.lockstep
        if self._history is None:
            return "", self._training.reading_or(wording.NOTHING_LOADED)
        if self._problem:
            return self._problem, ""
        if self.runs.busy:
            parts = [progress_of(run) for run in self.runs.all]
            return f"Training: {listed(parts)}.", ""
        if found is None or not all(found.lengths):
            return "", wording.NOTHING_TRAINED
        return wording.summary(found, self.chart.names), ""
