"""The concordance: where in the corpus the selected token or pair occurs, line by line."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout

from bpe_gui.analysis.concordance import Occurrence, find_places
from bpe_gui.analysis.token_life import token_life
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import RecipeError
from bpe_gui.bpe.text_files import CorpusError
from bpe_gui.ui.panels.concordance import wording
from bpe_gui.ui.panels.concordance.table import PlacesModel, PlacesTable
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.motion import JoinWait
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_MOST_UNSPLIT = 40_000_000
"""Bytes of a corpus that is one word: to tokenize it takes 24 bytes of memory for each."""


class ConcordancePanel(BasePanel):
    """Lists where the selected token or pair occurs, when it is in view and the cursor rests.

    Until one is selected, it is the newest token.

    The corpus is read again for that, in the background; the first places are shown at once.
    """

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("concordance", "Concordance", parts.parent)
        self.task = BackgroundTask(
            "concordance", self, expected=(CorpusError, PatternError, RecipeError),
            failure=wording.FAILED, gives_way=True,
        )  # fmt: skip
        self._queries = parts.queries
        self._wait = JoinWait(parts.motion, self)
        self._wait.joined.connect(self.show_position)
        self._tokens: tuple[int, ...] = ()
        self._moving = False
        self._asked: tuple[tuple[int, ...], int] | None = None
        self._fresh = False
        self._names: tuple[str, ...] = ()
        self.model = PlacesModel(self)
        """The places that are listed."""
        self._table = PlacesTable(self.model, self)
        self._title, self._count = SteadyLabel(self), SteadyLabel(self)
        self._build()
        self._refresh()

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(10, 6, 10, 4)
        for part, name in ((self._title, "placesTitle"), (self._count, "placesCount")):
            quiet(named(part.label, name))
            part.label.setTextFormat(Qt.TextFormat.PlainText)
        self._count.label.setAlignment(Qt.AlignmentFlag.AlignRight)
        top.addWidget(self._title, 3)
        top.addWidget(self._count, 2)
        self.fill(top, self._table, main=self._table)
        RoomFollower(self, self._fit)

    @property
    def emptiness(self) -> str:
        """Why there are no places, as the end of a sentence; empty if there may be some."""
        history, tokens = self._history, self._wanted
        if history is None or not tokens:
            return wording.NO_TOKEN_YET
        is_later = any(history.step(token) >= self._position for token in tokens)
        return wording.not_made(wording.name_of(history, tokens)) if is_later else ""

    @property
    def _wanted(self) -> tuple[int, ...]:
        history, position = self._history, self._position
        if self._tokens or history is None or not position:
            return self._tokens
        return (int(history.new_id[position - 1]),)

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        self.task.drop()
        self._tokens = ()
        self._asked = None
        self._refresh()

    @Slot(int, bool)
    def show_position(self, position: int, moving: bool) -> None:
        if self._wait.holds_back(position):
            return
        self._position, self._moving = position, moving
        self._refresh()

    def select_pair(self, left: int, right: int) -> None:
        """Look for a pair instead of a token. Emits nothing."""
        self._tokens = left, right
        self._refresh()

    def select_token(self, token: int) -> None:
        """Look for a token. Emits nothing."""
        self._tokens = () if token == NO_TOKEN else (token,)
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible() or (self._moving and self._history is not None):
            return
        history, tokens = self._history, self._wanted
        if history is None or not tokens:
            nothing = wording.NOTHING_LOADED if history is None else wording.NOTHING_SELECTED
            self._show_message(nothing)
            return
        wanted = tokens, self._position
        if wanted == self._asked:
            return
        self._asked = wanted
        name = wording.name_of(history, tokens)
        corpus = self._queries.corpus
        if reason := self.emptiness:
            self._show_message(f"{reason}.")
        elif corpus is None:
            self._show_message(wording.NO_CORPUS)
        elif history.recipe.split == "none" and history.corpus_bytes > _MOST_UNSPLIT:
            self._show_message(wording.TOO_LONG)
        else:
            self._search(corpus, history, tokens, name)

    def _search(self, corpus: Corpus, history: History, tokens: tuple[int, ...], name: str) -> None:
        position = self._position
        self._fresh = True
        self._names = tuple(label(history.token_bytes(token)) for token in tokens)
        self._title.set_text(wording.title(name, position))
        self._count.set_text(wording.SEARCHING)
        self._table.set_message(wording.SEARCHING)
        self._describe()

        def search(job: Job) -> bool:
            return find_places(corpus, history, position, tokens, job.report, check=job.check)

        done = partial(self._on_searched, history, tokens, position)
        self.task.ask(search, done, self._show_message, self._on_found)

    def _on_found(self, places: list[Occurrence]) -> None:
        if self._fresh:
            self._fresh = False
            self.model.show(places, self._names)
        else:
            self.model.add(places)
        self._write_count(ended=False)

    def _on_searched(
        self, history: History, tokens: tuple[int, ...], position: int, whole: bool
    ) -> None:
        if self._fresh:
            self._fresh = False
            self.model.show([])
            self._table.set_message(wording.nowhere(wording.name_of(history, tokens)))
        total = None
        if not whole and len(tokens) == 1:
            total = token_life(history, tokens[0]).count_at(position)
        self._write_count(ended=True, whole=whole, total=total)

    def _show_message(self, message: str) -> None:
        self.task.drop()
        self.model.show([])
        self._table.set_message(message)
        self._title.set_text("")
        self._count.set_text("")
        self._table.setAccessibleDescription(message)

    def _write_count(self, *, ended: bool, whole: bool = False, total: int | None = None) -> None:
        places = self.model.places
        occurrences = sum(place.count for place in places)
        self._count.set_text(
            wording.count_text(len(places), occurrences, ended=ended, whole=whole, total=total)
        )
        self._describe()

    def _describe(self) -> None:
        self._table.setAccessibleDescription(f"{self._title.text()}. {self._count.text()}")

    def _fit(self) -> None:
        for part in (self._title, self._count):
            part.setFont(self.title_font())
