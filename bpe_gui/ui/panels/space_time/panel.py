"""Space and time: the text across, the run downwards, and which merge removed each boundary."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout

from bpe_gui.analysis.space_time import glyphs, log_spaced
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels import jit
from bpe_gui.bpe.recipe import PRESETS, RecipeError
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.text_files import CorpusError
from bpe_gui.bpe.training import train_corpus
from bpe_gui.ui.panels.space_time import wording
from bpe_gui.ui.panels.space_time.canvas import SpaceTimeCanvas
from bpe_gui.ui.panels.space_time.layout import Picture, RecipesPicture, View, bytes_of
from bpe_gui.ui.run.background import PATIENCE, BackgroundTask, Job
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.tokens.edited_text import EditedText
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.motion import JoinWait
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

MOST_ENTRIES = 20_000
"""The largest vocabulary that is trained: eight runs are kept at once."""
_MOST_UNSPLIT = 40_000_000
"""The largest corpus, in bytes, that a preset trains as one word: it takes 50 times the memory."""


class RecipeRuns(QObject):
    """Trains every preset on a corpus to one size, in turn; keeps those of one corpus."""

    changed = Signal()
    """Another preset is being trained, or the last one is done."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.task = BackgroundTask(
            "presets", self, expected=(CorpusError, PatternError), failure=wording.NOT_TRAINED,
            gives_way=True,
        )  # fmt: skip
        self.histories: dict[str, History] = {}
        """The runs that are done, by the names of their presets."""
        self.under_way = ""
        """The name of the preset that is being trained; empty if none is."""
        self.problem = ""
        """Why the presets cannot be trained, in one sentence."""
        self._wanted: tuple[Corpus, int] | None = None
        self._tried: set[str] = set()

    @property
    def left_out(self) -> list[str]:
        """The presets that cannot be trained on this corpus to this size."""
        return [name for name in PRESETS if name in self._tried and name not in self.histories]

    def want(self, corpus: Corpus, entries: int) -> None:
        """Train the presets that are not yet, unless that is being done."""
        if self._wanted is None or self._wanted[0] is not corpus or self._wanted[1] != entries:
            self.forget()
            self._wanted = corpus, entries
        names = [name for name in PRESETS if name not in self._tried]
        if not names or not self.task.at_rest or self.problem:
            return
        self.under_way = names[0]

        def train(job: Job) -> None:
            for name in names:
                job.check()
                job.report((name, None))
                job.report((name, _trained(corpus, name, entries, job)))

        self.task.ask(train, self._on_done, self._on_failed, self._on_progress)

    def stop(self) -> None:
        self.task.drop()
        self.under_way = ""

    def keep_those_of(self, corpus: Corpus | None) -> None:
        """Stop training, and forget all runs, unless they are of this corpus."""
        if self._wanted is not None and self._wanted[0] is not corpus:
            self.forget()

    def forget(self) -> None:
        """Stop training, and forget all runs."""
        self.stop()
        self._wanted, self.problem = None, ""
        self.histories, self._tried = {}, set()

    def _on_progress(self, told: tuple[str, History | None]) -> None:
        name, history = told
        if history is not None:
            self._tried.add(name)
            if len(history):
                self.histories[name] = history
        self.under_way = name
        self.changed.emit()

    def _on_done(self, _: object) -> None:
        self._tried.update(PRESETS)
        self.under_way = ""
        self.changed.emit()

    def _on_failed(self, problem: str) -> None:
        self.problem, self.under_way = problem, ""
        self.changed.emit()


def _trained(corpus: Corpus, name: str, entries: int, job: Job) -> History | None:
    """Train one preset; None if the corpus is too large for it, or has more symbols than this."""

    def go_on(*_: object) -> None:
        job.check()

    is_unsplit = PRESETS[name].split == "none"
    if is_unsplit and (corpus.size is None or corpus.size > _MOST_UNSPLIT):
        return None
    try:
        recipe = PRESETS[name].with_changes(vocabulary_size=entries)
        return train_corpus(corpus, recipe, go_on)
    except RecipeError:
        return None


MOST_CHARACTERS = 2_000
"""Characters of a text that are drawn; nobody reads a picture of more."""
_STRIPS = 8
_LOW = 260
"""A panel of fewer pixels has a caption of one line."""
_MERGES_AT_ONCE = 2_000
"""Merges of a run that are applied within a frame while the loops are interpreted."""


class SpaceTimePanel(BasePanel):
    """Shows the sample text over the whole run in one still picture.

    Only the cursor in it moves. A text that takes long to split is tokenized by a `task`.
    """

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("spaceTime", "Space and time", parts.parent)
        self.sample = parts.sample_text
        self._queries, self._frequencies = parts.queries, parts.frequencies
        self.recipes = RecipeRuns(self)
        """The runs of all presets."""
        self.recipes.changed.connect(self._draw_recipes)
        self._drawn_recipes: tuple[str, tuple[History, ...]] | None = None
        self.task = BackgroundTask("space and time", self)
        self._wait = JoinWait(parts.motion, self)
        self._wait.joined.connect(self.show_position)
        self._edited: EditedText | None = None
        self._stale = True
        self._drawn = -1
        """How many merges the picture has; -1 for no picture."""
        self._canvas = SpaceTimeCanvas(self)
        self._canvas.tokenChosen.connect(self.tokenSelected)
        self._canvas.positionChosen.connect(self.positionSelected)
        self._told = "", "", 0
        self._caption = SteadyLabel(self, wraps=True)
        quiet(named(self._caption.label, "spaceTimeCaption"))
        self._views = named(ComboBox(self), "spaceTimeView", wording.VIEWS_TIP, wording.VIEWS_TIP)
        self._views.addItems([wording.BOUNDARIES, wording.STRIPS, wording.RECIPES])
        self._views.currentIndexChanged.connect(self._on_view)
        views, caption, margins = self._views, self._caption, (10, 4, 8, 2)
        top = filled(QHBoxLayout(), views, caption, stretched=caption, spacing=10, margins=margins)
        self.fill(top, self._canvas, main=self._canvas)
        RoomFollower(self, self._fit)
        self._canvas.viewChanged.connect(self._update_caption)
        self.sample.changed.connect(self._on_text)
        self._frequencies.changed.connect(self._canvas.recolour)
        self._refresh()

    @property
    def has_text(self) -> bool:
        return bool(self.sample.text)

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        self.task.drop()
        self._edited = None
        self._stale = True
        self.recipes.keep_those_of(self._queries.corpus)
        if not self.recipes.histories:
            self._drawn_recipes = None
        if history is None:
            self._show_message(wording.NOTHING_LOADED)
        self._refresh()

    @Slot(int, bool)
    def show_position(self, position: int, moving: bool) -> None:
        if self._wait.holds_back(position):
            return
        self._position = position
        self._refresh()

    def select_token(self, token: int) -> None:
        self._canvas.select_token(token)

    @Slot(str)
    def _on_text(self, text: str) -> None:
        self._stale = True
        self._refresh()

    @Slot(int)
    def _on_view(self, index: int) -> None:
        self._drawn = -1
        self._drawn_recipes = None
        if not self.shows_recipes:
            self.recipes.forget()
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self.recipes.stop()
        super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        if self.shows_recipes:
            self._draw_recipes()
            return
        if self._stale:
            self._tokenize()
            return
        edited = self._edited
        if edited is None:
            return
        history = edited.history
        if len(history) == 0:
            self._show_message(wording.NOTHING_TRAINED)
            return
        if self._drawn != len(history):
            self._draw(edited)
        self._canvas.set_position(self._position, edited.cut(self._position))

    def _tokenize(self) -> None:
        history, text = self._history, _beginning(self.sample.text)
        self._drawn = -1
        self.task.drop()
        if history is None or not text:
            self._edited = None
            self._show_message(wording.NOTHING_LOADED if history is None else wording.NO_TEXT)
            return
        edited = self._edited or EditedText(history, self._frequencies)
        self._edited, self._stale = None, False

        def work() -> EditedText:
            edited.edit(text)
            return edited

        if jit.compiled_by_default() or len(history) <= _MERGES_AT_ONCE:
            self.task.do(work, self._on_tokenized, self._show_message)
        else:
            self.task.ask(lambda job: work(), self._on_tokenized, self._show_message)

    def _on_tokenized(self, edited: EditedText) -> None:
        self._edited = edited
        self._refresh()

    def _draw(self, edited: EditedText) -> None:
        history = edited.history
        length = len(history)
        strips = self.view is View.STRIPS
        positions = log_spaced(length, _STRIPS) if strips else [length]
        cuts = [edited.cut(position) for position in positions]
        symbols = edited.symbols()
        data = edited.text.encode("utf-8")
        if not len(symbols):
            self._show_message(wording.NO_TEXT)
            return
        written = glyphs(symbols, history, data)
        self._canvas.set_picture(
            Picture(history, data, symbols, written, positions, cuts), self.view
        )
        self._drawn = length
        backwards = cuts[-1].characters.turns(0, len(edited.text))
        told, brief = (
            wording.caption(strips, backwards=backwards, brief=brief) for brief in (False, True)
        )
        self._write_caption(told, brief, len(edited.text))

    @Slot()
    def _draw_recipes(self) -> None:
        history, corpus = self._history, self._queries.corpus
        text, runs = _beginning(self.sample.text), self.recipes
        if not self.isVisible() or not self.shows_recipes:
            return
        if history is None or not text or corpus is None:
            missing = wording.NO_TEXT if corpus is not None else wording.NO_CORPUS
            self._show_message(wording.NOTHING_LOADED if history is None else missing)
            return
        entries = min(history.recipe.vocabulary_size or MOST_ENTRIES, MOST_ENTRIES)
        runs.want(corpus, entries)
        shown = text, tuple(runs.histories.values())
        told = wording.recipes_caption(
            entries, runs.under_way, runs.left_out, len(runs.histories), len(PRESETS)
        )
        if runs.problem or not runs.histories:
            self._show_message(runs.problem or told)
            return
        if shown != self._drawn_recipes:
            self._drawn_recipes = shown
            try:
                with timeout(PATIENCE):
                    picture = _picture_of(text, runs.histories)
            except PatternError as error:
                self._show_message(as_sentence(error))
                return
            self._canvas.set_picture(picture, View.STRIPS)
        brief = "" if runs.under_way or runs.left_out else wording.BRIEF_RECIPES_CAPTION
        self._write_caption(told, brief or told, len(text))

    def _show_message(self, message: str) -> None:
        self._drawn = -1
        self._canvas.set_message(message)
        self._write_caption("", "", 0)

    def _write_caption(self, told: str, brief: str, drawn: int) -> None:
        """Say what is drawn, and which of the text's characters; `brief` where room is short."""
        self._told = told, brief, drawn
        self._update_caption()

    @Slot()
    def _update_caption(self) -> None:
        told, brief, drawn = self._told
        # Others than an audience see the rest when they scroll.
        first, last, *strips = self._canvas.in_view() if self.presents else (0, drawn, 0, 0)
        part = wording.part_in_view(first, last, len(self.sample.text), *strips) if told else ""
        told, brief = (" ".join(filter(None, (text, part))) for text in (told, brief))
        advance, room = self._caption.fontMetrics().horizontalAdvance, self._caption.width()
        low = self.height() < scaled(_LOW, self.font())
        text = brief if low and advance(told) > room else told
        # An audience sees no tooltip.
        self._caption.set_wraps(not low or (self.presents and advance(text) > room))
        self._caption.set_text(text)
        self._caption.setToolTip(told)

    @property
    def view(self) -> View:
        """What is drawn below the text."""
        return View(min(self._views.currentIndex(), View.STRIPS))

    @property
    def shows_recipes(self) -> bool:
        """Whether the strips are those of all presets."""
        return self._views.currentIndex() > View.STRIPS

    def _fit(self) -> None:
        """Write the caption larger on a large panel; an audience chooses no view."""
        for part in (self._caption, self._views):
            part.setFont(self.title_font())
        self._views.setVisible(not self.presents)
        self._update_caption()


def _picture_of(text: str, histories: Mapping[str, History]) -> RecipesPicture:
    cuts = []
    for history in histories.values():
        edited = EditedText(history)
        edited.edit(text)
        cut = edited.cut(len(history))
        # Ids of several runs have no colours in common.
        cut.colouring = None
        cuts.append(cut)
    data = text.encode("utf-8")
    symbols, ends = bytes_of(data), [len(history) for history in histories.values()]
    history = next(iter(histories.values()))
    written = glyphs(symbols, history, data)
    return RecipesPicture(history, data, symbols, written, ends, cuts, dict(histories))


def _beginning(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    part = text[:MOST_CHARACTERS]
    for place in range(len(part) - 1, MOST_CHARACTERS * 9 // 10, -1):
        if part[place].isspace():
            return part[:place]
    return part
