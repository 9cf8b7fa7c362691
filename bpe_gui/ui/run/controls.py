"""The inputs at the top of the window: which corpus, which preset, how large a vocabulary."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from bpe_gui.bpe.corpus import (
    SAMPLES,
    STANDARD_INPUT,
    Corpus,
    CorpusError,
    CorpusOptions,
    sample,
)  # fmt: skip
from bpe_gui.bpe.recipe import PRESETS, Alphabet, Recipe, Ties
from bpe_gui.encodings.base import GUESSED, REMARK_ON_GUESS
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower, scaled, set_least_width
from bpe_gui.ui.widgets.boxes import ElidingComboBox, SpinBox
from bpe_gui.ui.widgets.naming import named

DEFAULT_VOCABULARY = 2_000
LARGEST_VOCABULARY = 1_000_000

_OWN = "own:"
"""The prefix of the keys of the user's recipes; the key of a preset is its name."""
_MY_RECIPES, _UNSAVED = "My recipes", "Unsaved"
_NO_BOUND = "no bound"

_GAP = 7
"""Pixels between labels and boxes, and at both ends."""
_WIDEST_PRESET = 280
"""The greatest width of the names of recipes, in pixels."""
_LEAST_WITH_LABELS = 500
"""The width in which every box has a label, in pixels."""
_UNBOUNDED = (1 << 24) - 1
"""Qt's greatest width."""


class Controls(QWidget):
    """Holds what the user has chosen; `corpus()` and `recipe()` make it concrete."""

    changed = Signal()
    """The corpus or the recipe is another one now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options = CorpusOptions()
        """How corpora are read; see `set_options`."""
        self.ties = Ties.FIRST_SEEN
        """The chosen rule for ties; see `set_ties`."""
        self._recipes = dict(PRESETS)
        self._kept: dict[str, Recipe] = {}
        self._before_own: tuple[int | None, Ties] | None = None
        self._refused: tuple[str, ...] | None = None
        self._corpora: dict[tuple[object, CorpusOptions], Corpus] = {}
        # The encoding of one corpus would misread the next without a word.
        self._encodings: dict[object, str | None] = {}
        self._symbols: dict[tuple[object, str], int] = {}
        """How many symbols training begins with, by corpus and recipe, where that was found out."""
        self._names: dict[object, str] = {}
        """What the corpora are called, without their encodings."""
        self.corpus_box = named(ElidingComboBox(self), "corpusBox")
        self.preset_box = named(ElidingComboBox(self), "presetBox")
        self.size_box = named(SpinBox(self), "vocabSizeBox")
        self._of_recipe: list[QWidget] = []
        self._fill()
        self._lay_out()
        self.corpus_box.entryChosen.connect(self._on_corpus)
        self.preset_box.entryChosen.connect(self._on_preset)
        self.size_box.valueChanged.connect(self.changed)
        self.changed.connect(self._on_changed)

    def show_recipe(self, shown: bool) -> None:
        """Show or hide the recipe and the size."""
        for part in self._of_recipe:
            part.setVisible(shown)
        self._leave_out()

    def list_actions(self, *actions: QAction) -> None:
        """List below the corpora what opens another one."""
        self.corpus_box.insertSeparator(self.corpus_box.count())
        for action in actions:
            self.corpus_box.add_action(action)

    def corpus(self) -> Corpus:
        """Return the chosen corpus: the same object as long as the choice is the same.

        Raises CorpusError if it cannot be opened.
        """
        choice = self.corpus_box.currentData()
        key = (choice, self.options)
        if key not in self._corpora:
            if isinstance(choice, str):
                self._corpora[key] = sample(choice, self.options)
            else:
                self._corpora[key] = Corpus(choice, self.options)
        return self._corpora[key]

    def recipe(self) -> Recipe:
        """Return the chosen preset or recipe with the chosen size and rule for ties."""
        size = self.vocabulary_size
        return self.chosen_recipe().with_changes(vocabulary_size=size, ties=self.ties)

    def open(self, sources: Sequence[str | Path]) -> None:
        """Choose files and folders as the corpus, as if picked from the box.

        Choosing the same again reads them again. Raises CorpusError as `Corpus` does; then
        the choice stays as it was.
        """
        choice = tuple(str(source) for source in sources)
        for source in choice:
            if source != STANDARD_INPUT and not Path(source).exists():
                raise CorpusError(f"there is no file or folder {source}; check the name")
        options = self._options_for(choice)
        corpus = Corpus(choice, options)
        self.options = options
        self._corpora[choice, options] = corpus
        self._point_at(choice, corpus.name)
        self.changed.emit()

    def restore(
        self, choice: str | tuple[str, ...], options: CorpusOptions, recipe: Recipe, name: str
    ) -> Corpus:
        """Choose a corpus, how it is read, and a recipe, as they were chosen before.

        `choice` is the name of a sample, or paths, which need not exist any more. Returns the
        corpus. `changed` is not emitted: the caller does so when everything else is restored.
        Raises CorpusError as `Corpus` does; then nothing has changed.
        """
        if isinstance(choice, str):
            corpus = sample(choice, options)
        else:
            corpus = Corpus(choice, options, name=name, input_is_past=True)
        self.choose(corpus, choice, recipe)
        return corpus

    def choose(self, corpus: Corpus, choice: str | tuple[str, ...], recipe: Recipe) -> None:
        """Choose a corpus and a recipe; `choice` is what the box has for the corpus.

        `changed` is not emitted: the caller does so when everything else is restored.
        """
        self.options = corpus.options
        self._encodings[choice] = corpus.options.encoding
        self._corpora[choice, corpus.options] = corpus
        self._point_at(choice, corpus.name)
        with QSignalBlocker(self):
            self.preset_box.setCurrentIndex(self.preset_box.findData(self._key_of(recipe)))
            self._take_over(recipe)

    def _point_at(self, choice: str | tuple[str, ...], name: str) -> None:
        self._names.setdefault(choice, name)
        index = self._find(choice)
        with QSignalBlocker(self.corpus_box):
            if index < 0:
                index = 0
                tip = "\n".join(choice[:10]) + ("\n…" if len(choice) > 10 else "")
                self.corpus_box.add_entry(name, choice, tip, index)
            self.corpus_box.setCurrentIndex(index)
        self.show_encodings()

    def note_symbols(self, symbols: int) -> None:
        """Tell how many symbols training begins with, for what is chosen now."""
        self._symbols[self._key_of_symbols] = symbols
        self._describe_size()

    @property
    def _key_of_symbols(self) -> tuple[object, str]:
        return self.corpus_box.currentData(), str(self.preset_box.currentData())

    @Slot()
    def _describe_size(self) -> None:
        recipe = self.chosen_recipe()
        all_bytes = recipe.alphabet is Alphabet.BYTES
        symbols = 256 if all_bytes else self._symbols.get(self._key_of_symbols)
        self.size_box.setToolTip(
            size_in_words(
                self.vocabulary_size, symbols, len(recipe.special_tokens), all_bytes=all_bytes
            )
        )

    def show_encodings(self) -> None:
        """Write beside the corpora in what they are written, if that is not UTF-8.

        It is what was chosen for a corpus, or else what its files say that were read.
        """
        box = self.corpus_box
        with QSignalBlocker(box):
            for index in range(box.count()):
                choice = box.itemData(index)
                corpus = self._corpora.get((choice, self._options_for(choice)))
                chosen = self._encodings.get(choice)
                if chosen is not None:
                    encodings = [] if codecs.lookup(chosen).name == "utf-8" else [chosen]
                else:
                    encodings = sorted(corpus.other_encodings) if corpus is not None else []
                name = self._names.get(choice, box.itemText(index))
                label = f"{name} ({', '.join(encodings)})" if encodings else name
                if label != box.itemText(index):
                    box.setItemText(index, label)

    def _key_of(self, recipe: Recipe) -> str:
        """Return the key of a recipe in the box, whatever its size and ties.

        A recipe that is not in the box is added to it.
        """
        own = f"{_OWN}{recipe.name}"
        for key in (recipe.name, own) if recipe.vocabulary_size is not None else (own,):
            known = self._recipes.get(key)
            if known is not None and known.same_but(recipe, "vocabulary_size", "ties"):
                return key
        return self._offer_own(recipe)

    @property
    def files(self) -> tuple[str, ...]:
        """The files and folders that are chosen as the corpus; none for others."""
        choice = self.corpus_box.currentData()
        named = isinstance(choice, tuple) and STANDARD_INPUT not in choice
        return choice if named else ()

    def return_to(self, corpus: Corpus) -> None:
        """Choose a corpus that was chosen before: the one that is chosen now cannot be read.

        Nothing is emitted: the run of that corpus is still in view. Files that cannot be read leave
        the box, but another way of reading them may be tried: see `set_options`.
        """
        choice = next((key[0] for key, known in self._corpora.items() if known is corpus), None)
        index = -1 if choice is None else self._find(choice)
        if index < 0 or index == self.corpus_box.currentIndex():
            return
        with QSignalBlocker(self.corpus_box):
            failed = self.corpus_box.currentIndex()
            self.corpus_box.setCurrentIndex(index)
            self.options = self._options_for(choice)
            refused = self.corpus_box.itemData(failed)
            if not isinstance(refused, str):
                self._refused = refused
                self.corpus_box.removeItem(failed)

    def choose_preset(self, name: str) -> None:
        """Choose a preset by name. Raises KeyError for an unknown one."""
        self.preset_box.setCurrentIndex(list(PRESETS).index(PRESETS[name].name))

    def recipe_to_remember(self) -> str | None:
        """Return the key of the chosen recipe for the next start; None if it is not saved."""
        key = str(self.preset_box.currentData())
        own = key.startswith(_OWN) and key.removeprefix(_OWN) not in self._kept
        return None if own else key

    def choose_remembered(self, key: object) -> None:
        """Choose a recipe by the key from `recipe_to_remember`. Raises ValueError if it is gone.

        Nothing is emitted: the caller emits `changed`, or the window has not begun yet.
        """
        index = self.preset_box.findData(key) if isinstance(key, str) else -1
        if index < 0:
            raise ValueError(f"there is no recipe {key!r}")
        with QSignalBlocker(self):
            self.preset_box.setCurrentIndex(index)

    def choose_recipe(self, recipe: Recipe) -> None:
        """Choose a preset or a recipe of the user, its size and its rule for ties.

        A recipe of the user is listed after the presets, among those that are saved or as unsaved,
        and replaces one of the same name.
        """
        with QSignalBlocker(self):
            preset = PRESETS.get(recipe.name)
            ignored = ("ties",) if recipe.vocabulary_size is None else ("ties", "vocabulary_size")
            is_preset = preset is not None and preset.same_but(recipe, *ignored)
            key = recipe.name if is_preset else self._offer_own(recipe)
            index = self.preset_box.findData(key)
            if index == self.preset_box.currentIndex():
                self._on_preset()
            self.preset_box.setCurrentIndex(index)
            self._take_over(recipe)
        self.changed.emit()

    def offer_recipes(self, recipes: Iterable[Recipe]) -> None:
        """List the saved recipes; the chosen one stays, as unsaved if it is not among them."""
        self._kept = {recipe.name: recipe for recipe in recipes}
        chosen = self.preset_box.currentData()
        for key in [key for key in self._recipes if key.startswith(_OWN) and key != chosen]:
            del self._recipes[key]
        self._recipes |= {f"{_OWN}{name}": recipe for name, recipe in self._kept.items()}
        self._list_own()

    def chosen_recipe(self) -> Recipe:
        """Return the chosen preset or recipe with its own size and ties."""
        return self._recipes[self.preset_box.currentData()]

    def _offer_own(self, recipe: Recipe) -> str:
        key = f"{_OWN}{recipe.name}"
        self._recipes[key] = recipe
        self._list_own()
        return key

    def _list_own(self) -> None:
        """List the user's recipes after the presets: those that are saved, then the others."""
        box, chosen = self.preset_box, self.preset_box.currentData()
        with QSignalBlocker(box):
            while box.count() > len(PRESETS):
                box.removeItem(box.count() - 1)
            own = {key: recipe for key, recipe in self._recipes.items() if key.startswith(_OWN)}
            kept = {key: recipe for key, recipe in own.items() if recipe.name in self._kept}
            if own:
                box.insertSeparator(box.count())
            for heading, listed in (
                (_MY_RECIPES, kept),
                (_UNSAVED, {key: recipe for key, recipe in own.items() if key not in kept}),
            ):
                if listed:
                    box.add_heading(heading)
                for key, recipe in listed.items():
                    guessed = recipe.inherited is not None and recipe.description.endswith(
                        REMARK_ON_GUESS
                    )
                    shown = recipe.name + GUESSED if guessed else recipe.name
                    box.add_entry(shown, key, recipe.description)
            box.setCurrentIndex(box.findData(chosen))

    def _take_over(self, recipe: Recipe) -> None:
        self.ties = recipe.ties
        self._set_unbounded(recipe.vocabulary_size is None)
        if recipe.vocabulary_size is not None:
            self.size_box.setMaximum(max(LARGEST_VOCABULARY, recipe.vocabulary_size))
            self.size_box.setValue(recipe.vocabulary_size)

    def _set_unbounded(self, unbounded: bool) -> None:
        """Have no bound to the size, as the entry below the smallest, or no such entry."""
        recipe = self.chosen_recipe()
        least = 256 if recipe.alphabet is Alphabet.BYTES else 1
        least += len(recipe.special_tokens)
        bounded = self.vocabulary_size is not None
        self.size_box.setSpecialValueText(_NO_BOUND if unbounded else "")
        self.size_box.setMinimum(least - 1 if unbounded else least)
        if unbounded:
            self.size_box.setValue(least - 1)
        elif not bounded:
            self.size_box.setValue(DEFAULT_VOCABULARY)

    @property
    def vocabulary_size(self) -> int | None:
        """The chosen size, None for no bound."""
        box = self.size_box
        if box.specialValueText() and box.value() == box.minimum():
            return None
        return box.value()

    def set_options(self, options: CorpusOptions) -> None:
        """Read corpora in another way from now on, first the one that could not be read.

        The encoding is for the chosen corpus alone; others keep theirs.
        """
        corpus = self._refused or self.corpus_box.currentData()
        if options == self.options and options.encoding == self._encodings.get(corpus):
            return
        self.options = options
        self._encodings[corpus] = options.encoding
        self.show_encodings()
        if self._refused is not None:
            self.open(self._refused)
        else:
            self.changed.emit()

    def _options_for(self, choice: object) -> CorpusOptions:
        """Return how a corpus is read: like all others, but with the encoding chosen for it."""
        return replace(self.options, encoding=self._encodings.get(choice))

    def set_ties(self, ties: Ties) -> None:
        """Choose the rule for ties."""
        if ties is not self.ties:
            self.ties = ties
            self.changed.emit()

    def _find(self, choice: object) -> int:
        for index in range(self.corpus_box.count()):
            if self.corpus_box.itemData(index) == choice:
                return index
        return -1

    def _fill(self) -> None:
        for name, info in SAMPLES.items():
            self._names[name] = info.title
            self.corpus_box.add_entry(info.title, name, info.description)
        for name, recipe in PRESETS.items():
            self.preset_box.add_entry(name, name, recipe.description)
        self.size_box.setRange(1, LARGEST_VOCABULARY)
        self.size_box.setValue(DEFAULT_VOCABULARY)
        self.size_box.setSingleStep(100)
        self.size_box.setKeyboardTracking(False)
        # Training may end before, when no pair is left.
        self.size_box.setPrefix("max. ")
        self._describe_preset()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(_GAP, 0, _GAP, 0)
        row.setSpacing(_GAP)
        for name, box in (
            ("Cor&pus", self.corpus_box),
            ("Rec&ipe", self.preset_box),
            ("Voca&bulary", self.size_box),
        ):
            label = QLabel(name)
            label.setBuddy(box)
            box.setAccessibleName(name.replace("&", ""))
            row.addWidget(label)
            row.addWidget(box)
            if box is self.corpus_box:
                self._corpus_label = label
            else:
                self._of_recipe += [label, box]
        # Where there is little width the title of the corpus, which is longer, gives way first:
        # a preset can always be read.
        set_least_width(self.corpus_box, 42)
        set_least_width(self.preset_box, 122)
        # Names of files and of one's own recipes come later, and may be longer.
        self.preset_box.setSizeAdjustPolicy(ElidingComboBox.SizeAdjustPolicy.AdjustToContents)
        box = self.preset_box
        FontFollower(box, lambda: box.setMaximumWidth(scaled(_WIDEST_PRESET, box.font())))
        set_least_width(self.size_box, 90)
        RoomFollower(self, self._leave_out)
        self._describe_size()

    def _leave_out(self) -> None:
        """Where there is little width, leave its place to the name of the corpus itself.

        The label is not hidden: its key would be none then.
        """
        names_all = self.preset_box.isVisibleTo(self)
        low = names_all and self.width() < scaled(_LEAST_WITH_LABELS, self.font())
        self._corpus_label.setMaximumWidth(0 if low else _UNBOUNDED)

    def _describe_preset(self) -> None:
        self.preset_box.setToolTip(self.chosen_recipe().description)
        self._set_unbounded(False)

    @Slot()
    def _on_changed(self) -> None:
        self._refused = None
        self._describe_size()

    @Slot()
    def _on_corpus(self) -> None:
        self.options = self._options_for(self.corpus_box.currentData())
        self.changed.emit()

    @Slot()
    def _on_preset(self) -> None:
        """Take the size and ties of a recipe of the user; a preset keeps those chosen before."""
        with QSignalBlocker(self.size_box):
            before = self.vocabulary_size, self.ties
            self._describe_preset()
            own = self.preset_box.currentData().startswith(_OWN)
            if own:
                if self._before_own is None:
                    self._before_own = before
                self._take_over(self.chosen_recipe())
            elif self._before_own is not None:
                size, self.ties = self._before_own
                self._before_own = None
                if size is not None:
                    self.size_box.setValue(size)
        self.changed.emit()


def size_in_words(
    size: int | None, symbols: int | None, special: int, *, all_bytes: bool
) -> str:
    """Say what a vocabulary is made of; None for no bound, and for symbols that are not counted.

    >>> size_in_words(2000, 256, 1, all_bytes=True)
    'Training stops at 2,000 entries at the latest: 1 special token + 256 bytes + 1,743 merges'
    >>> size_in_words(20, None, 0, all_bytes=False)
    'Training stops at 20 entries at the latest: the tokens at first, and one more for every merge'
    """
    if size is None:
        return "No bound: training goes on until no pair is left that the recipe merges"
    stop = f"Training stops at {size:,} entries at the latest"
    if symbols is None:
        return f"{stop}: the tokens at first, and one more for every merge"
    merges = size - symbols - special
    if merges < 1:
        return f"{stop}: there is no room for a merge"
    parts = [f"{symbols:,} {'bytes' if all_bytes else 'tokens at first'}"]
    if special:
        parts.insert(0, f"{special:,} special token{'s' * (special > 1)}")
    parts.append(f"{merges:,} merge{'s' * (merges > 1)}")
    return f"{stop}: {' + '.join(parts)}"
