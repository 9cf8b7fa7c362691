"""The laboratory: a recipe to edit at the left, and what it does to a text at the right.

Nothing of it is made before it comes into sight for the first time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, Recipe
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.laboratory.draft_store import DraftStore
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_shelf import RecipeShelf
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.theme.theme import DARK, Theme
from bpe_gui.ui.widgets.tab_order import set_tab_order

if TYPE_CHECKING:
    from bpe_gui.ui.laboratory.bench import Bench


class Laboratory(QWidget):
    """Holds the bench once there is one, and tells it what it has missed. A panel of the clock."""

    made = Signal(QWidget)
    """There is more to see from now on: the bench, or a part of it."""
    textChanged = Signal(str)
    """The user has written another text."""
    tokenSelected = Signal(int)
    """A token of the run in view that the user has selected."""
    wanted = Signal()
    """What was asked for is to be seen here: this view has to be in sight."""
    trainWanted = Signal(object)
    """The user wants to train with this Recipe."""
    keptChanged = Signal()
    """Another recipe is kept, or one no longer is."""
    lockstepChanged = Signal(object)
    """Other runs stand side by side, or they have got on: a Lockstep of them."""
    succeeded = Signal(str)
    """Something was saved; a sentence that says so."""
    problem = Signal(str)
    """Something that cannot be done; one sentence for the user."""
    overcome = Signal(str)
    """That no longer holds; the same sentence."""

    def __init__(self, actions: Actions, folder: Path, parent: QWidget | None = None) -> None:
        """`folder` is where recipes and drafts of them are kept."""
        super().__init__(parent)
        self.shelf = RecipeShelf(folder / "recipes")
        self._store = DraftStore(folder / "drafts.json")
        self._actions = actions
        self._begins_with = PRESETS["gpt2"]
        self._asked_for: Recipe | None = None
        self._chosen: tuple[Recipe, Recipe | None] | None = None
        self._draft: RecipeDraft | None = None
        self.setObjectName("laboratoryView")
        self._bench: Bench | None = None
        self._theme = DARK
        self._text = ""
        self._corpus: Corpus | None = None
        self._size: int | None = None
        self._reading = ""
        actions.train_recipe.triggered.connect(self.train)
        actions.save_recipe.triggered.connect(self.save)
        actions.load_recipe.triggered.connect(self.ask_what_to_load)
        actions.guess.toggled.connect(self._on_guessing)
        self._history: History | None = None
        self._position = 0
        self._run: Run | None = None
        self._lockstep: tuple[History, ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(8, 6, 8, 6)

    @property
    def bench(self) -> Bench:
        """What there is to see; made when it is first asked for."""
        if self._bench is None:
            # Half a hundred modules are loaded when they are needed, not with the window.
            from bpe_gui.ui.laboratory.bench import Bench

            self._bench = bench = Bench(self._actions, self.shelf, self._store, self)
            self._layout.addWidget(bench)
            set_tab_order([bench])
            bench.show()
            bench.set_theme(self._theme)
            bench.set_text(self._text)
            bench.set_run(self._run)
            if self._lockstep:
                bench.lockstep.bring_back(self._lockstep)
            bench.set_history(self._history)
            bench.show_position(self._position, False)
            bench.set_reading(self._reading)
            bench.set_size(self._size)
            bench.set_corpus(self._corpus)
            bench.set_covered(self._actions.guess.isChecked())
            for passed_on, to in (
                (bench.tokenSelected, self.tokenSelected),
                (bench.trainWanted, self.trainWanted),
                (bench.divided, self.made),
                (bench.keptChanged, self.keptChanged),
                (bench.lockstep.runs.compared, self.lockstepChanged),
                (bench.succeeded, self.succeeded),
                (bench.problem, self.problem),
                (bench.overcome, self.overcome),
            ):
                passed_on.connect(to)
            bench.textChanged.connect(self._on_text)
            if self._asked_for is not None:
                bench.desk.begin_anew(self._asked_for)
            else:
                bench.desk.begin(self._begins_with)
            if self._draft is not None:
                bench.editor.drafts.go_on_with(self._draft)
            self.made.emit(bench)
            if self._chosen is not None:
                bench.desk.set_chosen(*self._chosen)
        return self._bench

    @property
    def has_bench(self) -> bool:
        """Whether somebody has looked at it already."""
        return self._bench is not None

    def begin_with(self, recipe: Recipe) -> None:
        """Start from a recipe when the bench is made, unless another was left unsaved."""
        self._begins_with = recipe

    def ask_for(self, recipe: Recipe) -> None:
        """Start from a recipe, even if another was left unsaved: that one is left aside.

        The bench need not be made for it.
        """
        if self._bench is not None:
            self._bench.editor.drafts.begin(recipe)
        else:
            self._asked_for = recipe

    @property
    def draft(self) -> RecipeDraft | None:
        """The recipe that is being written; None if nobody has looked at it yet."""
        return self._draft if self._bench is None else self._bench.editor.draft

    def go_on_with(self, draft: RecipeDraft) -> None:
        """Go on with a draft from elsewhere; what is unsaved here is left aside."""
        self._draft = draft
        if self._bench is not None:
            self._bench.editor.drafts.go_on_with(draft)

    def set_chosen(self, recipe: Recipe, trained: Recipe | None) -> None:
        """Another recipe is chosen in the toolbar; see `RecipeDesk.set_chosen`."""
        self._chosen = recipe, trained
        if self._bench is not None:
            self._bench.desk.set_chosen(recipe, trained)

    @Slot()
    def train(self) -> None:
        """Train with the recipe that is being written."""
        self.wanted.emit()
        self.bench.editor.train()

    @Slot()
    def save(self) -> None:
        """Save the recipe that is being written."""
        self.wanted.emit()
        self.bench.editor.save()

    @Slot()
    def ask_what_to_load(self) -> None:
        """Let the user pick a recipe file to start from."""
        self.wanted.emit()
        self.bench.desk.ask_what_to_load()

    def load(self, path: Path) -> None:
        """Start from the recipe in a file."""
        self.wanted.emit()
        self.bench.desk.load(path)

    def text(self) -> str:
        """The sample text."""
        return self._text

    def set_text(self, text: str) -> None:
        """Work on another sample text."""
        self._text = text
        if self._bench is not None:
            self._bench.set_text(text)

    def set_run(self, run: Run | None) -> None:
        """Look at another run together with what it was trained on, or at none."""
        before, self._run = self._run, run
        if before is None or run is None or run.corpus is not before.corpus:
            self._lockstep = ()
        if self._bench is not None:
            self._bench.set_run(run)

    @property
    def lockstep(self) -> tuple[History, ...]:
        """The runs that stand side by side."""
        return self._lockstep if self._bench is None else self._bench.lockstep.runs.shown

    def bring_back_lockstep(self, histories: Sequence[History]) -> None:
        """Put runs side by side that were trained on the corpus of the run in view before."""
        self._lockstep = tuple(histories)
        if self._bench is not None and histories:
            self._bench.lockstep.bring_back(histories)

    def set_reading(self, corpus: str) -> None:
        """Say that a corpus of that name is being read; empty for none."""
        self._reading = corpus
        if self._bench is not None:
            self._bench.set_reading(corpus)

    def set_size(self, size: int | None) -> None:
        """Compare recipes at the size that is chosen in the toolbar, None for no bound."""
        self._size = size
        if self._bench is not None:
            self._bench.set_size(size)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Work with another corpus, or with none."""
        self._corpus = corpus
        if self._bench is not None:
            self._bench.set_corpus(corpus)

    def set_active(self, active: bool) -> None:
        """The view has come into sight, or gone out of it."""
        if active or self._bench is not None:
            self.bench.set_active(active)

    def close_threads(self) -> None:
        """End what goes on in the background."""
        if self._bench is not None:
            self._bench.close_threads()

    # -- a panel of the clock ------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Follow another run, or none."""
        self._history, self._position = history, 0
        if self._bench is not None:
            self._bench.set_history(history)

    def show_position(self, position: int, live: bool) -> None:
        """Go to where the cursor is."""
        self._position = position
        if self._bench is not None:
            self._bench.show_position(position, live)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        if self._bench is not None:
            self._bench.set_theme(theme)

    def select_token(self, token: int) -> None:
        """Mark a token of the run in view."""
        if self._bench is not None:
            self._bench.select_token(token)

    @Slot(bool)
    def _on_guessing(self, on: bool) -> None:
        if self._bench is not None:
            self._bench.set_covered(on)

    @Slot(str)
    def _on_text(self, text: str) -> None:
        self._text = text
        self.textChanged.emit(text)
