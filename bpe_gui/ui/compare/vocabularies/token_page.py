"""The page of a token: what it is, its ids, its merges, its places, its life."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QLabel, QTabWidget, QVBoxLayout, QWidget

from bpe_gui.analysis.concordance import Occurrence
from bpe_gui.analysis.visible import visible_beginning
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.text_files import CorpusError
from bpe_gui.encodings.base import Encoding, EncodingError, Model
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.query import identity
from bpe_gui.encodings.vocabularies.suspicious import Suspicious
from bpe_gui.encodings.vocabularies.token_facts import (
    CorpusPlaces,
    TokenFacts,
    UsedToken,
    places_in_corpus,
    token_facts,
)
from bpe_gui.progress import times
from bpe_gui.ui.compare.vocabularies import wording
from bpe_gui.ui.panels.concordance.table import PlacesModel, PlacesTable
from bpe_gui.ui.panels.token.canvas import TreeCanvas
from bpe_gui.ui.panels.token.life import LifeCanvas
from bpe_gui.ui.panels.token.wording import node_note
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.theme.text_size import resized
from bpe_gui.ui.tokens.colours import TokenColouring
from bpe_gui.ui.tokens.token_chips import Chip, TokenChips
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named, quiet

_WIDTH, _HEIGHT = 760, 560
_TITLE = 1.6
"""The size of the token in the title, in proportion to other text."""


class TokenPage(QDialog):
    """Shows one token of an encoding; a click on another token in it shows that one.

    A node of the tree, a variant and a neighbour can be clicked. It is deleted when it is closed.
    """

    def __init__(
        self,
        encoding: Encoding,
        others: Sequence[Encoding],
        text: str,
        parent: QWidget,
        *,
        corpus: Corpus | None = None,
        known: Suspicious | None = None,
    ) -> None:
        """`others` have ids of the same bytes; `text` has examples, and else the `corpus`; `known`
        saves time.
        """
        super().__init__(parent)
        self.setObjectName("tokenPage")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._encoding, self._text, self._corpus = encoding, text, corpus
        self._others = [other for other in others if identity(other) != identity(encoding)]
        self._found: TokenFacts | None = None
        self._known = known
        self.task = BackgroundTask(
            "token-page", self, expected=(EncodingError, CorpusError),
            failure="Reading the token failed",
        )  # fmt: skip
        self._title = named(QLabel(), "tokenPageTitle")
        self._facts = quiet(named(QLabel(wordWrap=True), "tokenPageFacts"))
        self._ids = named(QLabel(wordWrap=True), "tokenPageIds")
        self._why = named(QLabel(wordWrap=True), "tokenPageSuspicious")
        self._variants = TokenChips("tokenPageVariants", "Tokens of the same form", self)
        self._neighbours = TokenChips("tokenPageNeighbours", "Tokens used about as often", self)
        self._tree = named(TreeCanvas(), "tokenPageTree", "Merge tree of the token")
        self._life = named(LifeCanvas(), "tokenPageLife", "The life of the token")
        self._model = PlacesModel(self)
        self._places = named(PlacesTable(self._model), "tokenPagePlaces", "Places in the text")
        self.tabs = named(QTabWidget(), "tokenPageTabs", "What is shown of the token")
        self._build()
        self.resize(_WIDTH, _HEIGHT)

    def _build(self) -> None:
        self._title.setFont(resized(self.font(), _TITLE))
        for text in (self._title, self._facts, self._ids, self._why):
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._tree, "Merge tree")
        self._of_places = self.tabs.addTab(self._places, wording.PLACES_IN_TEXT)
        life = self.tabs.addTab(self._life, "Life")
        self.tabs.setTabVisible(life, self._encoding.model is Model.BPE)
        for chips in (self._variants, self._neighbours):
            chips.set_rows(1)
            chips.tokenChosen.connect(self.show_token)
        self._tree.nodeChosen.connect(self._on_node)
        filled(
            QVBoxLayout(self), self._title, self._facts, self._ids, self._why, self._variants,
            self._neighbours, self.tabs, stretched=self.tabs, spacing=6, margins=(14, 12, 14, 12),
        )  # fmt: skip
        self._tree.setFocus()

    @Slot(int)
    def show_token(self, token: int) -> None:
        """Show a token of the encoding, by its id."""
        if self._found is None:
            self._facts.setText(wording.GATHERING)
        known = self._known

        def gather(job: Job) -> TokenFacts:
            text, others = self._text, self._others
            return token_facts(self._encoding, token, others, text, job.check, known)

        self.task.ask(gather, self._show, self._facts.setText)

    def _show(self, found: TokenFacts) -> None:
        self._found, self._known = found, found.found
        spelled = visible_beginning(found.marked(found.token))
        name = spelled or self._encoding.id_to_token(found.token)
        self.setWindowTitle(f"{name} in {self._encoding.name}")
        self._title.setText(name)
        self._facts.setText(wording.facts(found))
        for text, said in (
            (self._ids, wording.ids(found)),
            (self._why, "\n".join(f"{one}." for one in found.sentences())),
        ):
            text.setText(said)
            text.setVisible(bool(said))
        for chips, heading, tokens in (
            (self._variants, wording.VARIANTS, found.variants),
            (self._neighbours, wording.NEIGHBOURS, found.neighbours),
        ):
            chips.set_tokens(heading, [_chip(one) for one in tokens], len(tokens))
            chips.setVisible(bool(tokens))
        self._show_tree(found)
        self._show_places(found.places, wording.PLACES_IN_TEXT)
        encoding = self._encoding
        if not isinstance(encoding, TrainedEncoding):
            self._life.set_message(wording.LIFE_IN_EXPLORE)
        elif found.life is None:
            self._life.set_message(wording.NO_LIFE)
        else:
            self._life.set_life(encoding.history, found.life)
            self._life.set_position(encoding.position)

        if self._corpus is not None and not found.places:
            self._look_in_corpus(self._corpus, found.token)

    def _look_in_corpus(self, corpus: Corpus, token: int) -> None:
        """Look for examples in the corpus, since the text has none."""

        def look(job: Job) -> CorpusPlaces | None:
            return places_in_corpus(self._encoding, token, corpus, job.is_cancelled)

        self.task.ask(look, self._show_corpus_places, self._on_no_corpus)

    @Slot(object)
    def _show_corpus_places(self, searched: CorpusPlaces | None) -> None:
        assert self._found is not None, "it was looked for in the text before"
        self._facts.setText(wording.facts(self._found, searched))
        if searched is not None:
            self._show_places(searched.places, wording.PLACES_IN_CORPUS)

    @Slot(str)
    def _on_no_corpus(self, sentence: str) -> None:
        """Say why the corpus was not searched."""
        assert self._found is not None, "it was looked for in the text before"
        self._facts.setText(f"{wording.facts(self._found)}. {sentence}")

    def _show_places(self, places: Sequence[Occurrence], title: str) -> None:
        """List places; without any their tab is hidden, for the facts say that there are none."""
        found = self._found
        self._model.show(list(places), () if found is None else (label(found.content),))
        self.tabs.setTabText(self._of_places, title)
        self.tabs.setTabVisible(self._of_places, bool(places))
        if places and found is not None and found.tree is None:
            self.tabs.setCurrentIndex(self._of_places)

    def _show_tree(self, found: TokenFacts) -> None:
        tree = found.tree
        if tree is None:
            self._tree.set_message(wording.no_tree(found))
            return
        encoding = self._encoding
        colouring = None
        if isinstance(encoding, TrainedEncoding):
            colouring = TokenColouring(encoding.history)
        nodes = range(len(tree))
        self._tree.set_position(max(tree.steps) + 1)
        self._tree.set_tree(
            tree,
            tuple(label(found.marked(token)) for token in tree.tokens),
            tuple(node_note(tree, node) for node in nodes),
            tuple(map(partial(wording.node_tip, found), nodes)),
            colouring,
        )

    @Slot(int)
    def _on_node(self, node: int) -> None:
        found = self._found
        if found is not None and found.tree is not None:
            token = found.tree.tokens[node]
            if token != found.token:
                self.show_token(token)


def _chip(used: UsedToken) -> Chip:
    tip = f"id {used.token:,}, {times(used.uses)} in the text"
    return Chip(used.token, label(used.content, 16), tip)
