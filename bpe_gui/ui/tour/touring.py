"""Guide through the window by the pages of a tour, and restore what was there before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog

from bpe_gui.tours import ENDING
from bpe_gui.tours.figures import FigureError, InView, fill_in, find_token
from bpe_gui.tours.files import load, own_tour, short_tour
from bpe_gui.tours.tour import (
    Chapter,
    Cover,
    Moment,
    Page,
    Tour,
    TourErrors,
    chapter_starts,
    moments,
)
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.tour.mistakes import ABOUT, MistakeList
from bpe_gui.ui.tour.page_words import PageWords, words_after, words_before
from bpe_gui.ui.tour.panel import TourPanel
from bpe_gui.ui.tour.scene_setting import SceneSetting
from bpe_gui.ui.tour.spotlight import Spotlight
from bpe_gui.ui.tour.targets import Targets, known_places, panels_on_stage
from bpe_gui.ui.tour.tour_layout import TourLayout
from bpe_gui.ui.tour.window_snapshot import WindowSnapshot
from bpe_gui.ui.widgets.sentences import as_sentence

_NO_TOKEN = -1
_OF_RUN = "corpus", "preset", "vocabulary", "ties"
_AHEAD = 16
"""How many moments before they are in view their lanes are trained: some take seconds."""


class Touring(QObject):
    """Goes from moment to moment of a tour, and restores at its end what was there before.

    Every moment is a scene that is set as a whole, so that one can go to any of them. A moment
    replaces another one whose scene is still being set.
    """

    changed = Signal()
    """A tour has begun or ended, or goes to another moment."""
    leaving = Signal(object, object)
    """One Moment is still in view, and another one is about to be prepared."""
    arrived = Signal(int)
    """A moment is in view with all that belongs to it: its number, from 0."""
    ended = Signal()
    """The last moment is in view, and somebody wants to go on."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._window = window = context.window
        self._player = context.player
        self._branches = context.branches
        self._explore = context.explore
        self._past = context.run_control.past
        self._message_bar = context.message_bar
        self._mistakes = MistakeList(window, context.message_bar)
        self._actions = context.actions
        self.scene_setting = SceneSetting(context)
        self.targets = Targets(context)
        self._snapshot = WindowSnapshot(context)
        self._tour: Tour | None = None
        self._folder = Path()
        self.moments: list[Moment] = []
        """All moments of the tour."""
        self._chapters: list[int] = []
        self.number = 0
        """The moment that is in view or on its way, from 0."""
        self.first_words: dict[int, PageWords] = {}
        self._failed = False
        self.note = ""
        """What the speaker notes on the page that was written last."""
        self._guesses: dict[int, int] = {}
        self._stopped_at: dict[str, int] = {}
        self.panel = TourPanel(context.actions, window)
        self.spotlight = Spotlight(window)
        self._layout = TourLayout(context, self.panel)
        self.dock = self._layout.dock
        self._connect()
        self._enable()

    def _connect(self) -> None:
        actions, panel = self._actions, self.panel
        actions.next_page.triggered.connect(self.step_on)
        actions.previous_page.triggered.connect(self.step_back)
        actions.next_chapter.triggered.connect(self.next_chapter)
        actions.previous_chapter.triggered.connect(self.previous_chapter)
        actions.leave_tour.triggered.connect(self.leave)
        panel.pageWanted.connect(self.go_to_page)
        panel.chosen.connect(self.answer)
        self._explore.guess.answered.connect(self._on_board)
        self.scene_setting.arrived.connect(self._on_set)
        self.scene_setting.failed.connect(self._on_failed)
        self._explore.scheduler.drew.connect(self.spotlight.follow)
        self.targets.parts.moved.connect(self.spotlight.follow)
        self.dock.visibilityChanged.connect(self.spotlight.follow)
        # Later: an arrangement that is being brought back is not to be changed meanwhile.
        self.dock.visibilityChanged.connect(self._keep_away, Qt.ConnectionType.QueuedConnection)

    # -- for the stage and for others --------------------------------------------------------

    @property
    def active(self) -> bool:
        """Whether a tour is under way."""
        return self._tour is not None

    @property
    def waits(self) -> bool:
        """Whether the moment is still on its way."""
        return self.scene_setting.scene is not None

    @property
    def asks(self) -> bool:
        """Whether the page waits for an answer: then 1 to 4 may be passed to `answer`."""
        return self.active and not self.moment.revealed and self.page.question is not None

    @property
    def stage_panels(self) -> list[str]:
        """The panels that the page is about, from one to three, as the stage calls them."""
        return panels_on_stage(self.moment.scene, asks=self.moment.asks)

    @Slot()
    def step_on(self) -> None:
        """Reveal the answer, or go to the next page. Past the last one no key leads.

        Nothing is revealed of a page that nobody has seen yet: it asks about its own run, not about
        that of its answer.
        """
        if not self.active or (self.waits and self._reveals_unseen):
            return
        if self.number + 1 < len(self.moments):
            self._go_to(self.number + 1)
        elif not self.waits:
            self.ended.emit()

    @property
    def _reveals_unseen(self) -> bool:
        """Whether going on reveals the rest of a page whose first part was not seen."""
        following = self.moments[self.number + 1 : self.number + 2]
        return any(moment.revealed for moment in following) and self.number not in self.first_words

    @Slot()
    def step_back(self) -> None:
        """Go back to what was shown before; an answer is not shown before its question."""
        if not self.active or not self.number:
            return
        before = self.number - 1
        if self.moments[before].revealed and before - 1 not in self.first_words:
            before -= 1
        self._go_to(before)

    @Slot(int)
    def go_to_page(self, page: int) -> None:
        """Go to a page, counted from 0, as it is before it reveals anything."""
        if not self.active:
            return
        for number, moment in enumerate(self.moments):
            if moment.page == page:
                self._go_to(number)
                return

    @Slot()
    def next_chapter(self) -> None:
        """Go to the beginning of the next chapter."""
        later = [number for number in self._chapters if number > self.number]
        if later:
            self._go_to(later[0])

    @Slot()
    def previous_chapter(self) -> None:
        """Go to the beginning of this chapter, or if that is in view of the one before."""
        earlier = [number for number in self._chapters if number < self.number]
        if earlier:
            self._go_to(earlier[-1])

    @Slot(int)
    def answer(self, choice: int) -> None:
        """Answer the question of the page by a choice, from 0, and reveal what is right."""
        words = self.first_words.get(self.number)
        if not self.asks or words is None or words.question is None:
            return
        if choice < len(words.question.choices):
            self._guesses[self.moment.page] = choice
            self.step_on()

    # -- beginning and ending ----------------------------------------------------------------

    @Slot()
    def begin(self) -> None:
        """Begin the full tour that comes with the program; its first page offers the short one."""
        self._open_own(own_tour(), self._actions.short_tour, "Take the ten-minute tour")

    @Slot()
    def begin_short(self) -> None:
        """Begin the tour of ten minutes; its first page offers the full one."""
        self._open_own(short_tour(), self._actions.tour, "Take the full tour")

    def _open_own(self, path: Path, other: QAction, text: str) -> None:
        self.open(path)
        if self.active:
            self.panel.offer(other, text)

    @Slot()
    def ask_for_file(self) -> None:
        """Let the user pick a tour."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Open a guided tour", filter=f"Guided tours (*{ENDING})"
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Begin the tour in a file; what is wrong with it is shown."""
        try:
            tour = load(path, known_places())
        except TourErrors as error:
            self._mistakes.tell(path.name, error)
            return
        except OSError as error:
            self._message_bar.tell_problem(ABOUT, as_sentence(error))
            return
        self.start(tour, path.parent)

    def start(self, tour: Tour, folder: Path) -> None:
        """Begin a tour; the files that it names are in a folder."""
        self._mistakes.withdraw()
        if not self.active:
            self._snapshot.remember()
            self._explore.guess.set_asks(False)  # the page does
            self._layout.begin()
            self._past.set_keeping(False)
        self.scene_setting.forget()
        self._note_where()
        self._tour, self._folder = tour, folder
        self.moments, self.number = moments(tour), 0
        self._chapters = chapter_starts(self.moments)
        self.first_words.clear()
        self._guesses.clear()
        self.panel.set_tour(tour, self._stopped_at.get(tour.title, 0))
        self._enable()
        self._go_to(0)

    @Slot()
    def leave(self) -> None:
        """End the tour, and restore what was there before it."""
        if not self.active:
            return
        self._note_where()
        self._tour, self._chapters = None, []
        self.scene_setting.forget()
        self._actions.guess.setChecked(False)
        self._explore.cover_effect(False)
        self._explore.guess.hold(False)
        self._explore.guess.set_asks(True)
        self.spotlight.turn_off()
        self.targets.parts.forget()
        self.dock.hide()
        self._snapshot.bring_back()
        self._past.set_keeping(True)
        self._enable()
        self.changed.emit()

    def _note_where(self) -> None:
        """Note the page on which a tour stops, to go on there; from its end it begins anew."""
        if self._tour is not None:
            last = self.number + 1 == len(self.moments)
            self._stopped_at[self._tour.title] = 0 if last else self.moment.page

    @property
    def stopped_at(self) -> dict[str, int]:
        """The pages, from 0, on which tours were left, by the titles of the tours."""
        return dict(self._stopped_at)

    @stopped_at.setter
    def stopped_at(self, pages: Mapping[str, Any]) -> None:
        self._stopped_at = {
            str(title): page for title, page in pages.items() if isinstance(page, int) and page > 0
        }

    @Slot()
    def _keep_away(self) -> None:
        if not self.active:
            self.dock.hide()

    # -- moments -------------------------------------------------------------------------------

    @property
    def moment(self) -> Moment:
        """The moment that is in view or on its way."""
        return self.moments[self.number]

    @property
    def page(self) -> Page:
        """The page of the moment."""
        return self.pages[self.moment.page]

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The chapters of the tour that is under way."""
        assert self._tour is not None
        return self._tour.chapters

    @property
    def pages(self) -> list[Page]:
        """The pages of the tour that is under way."""
        assert self._tour is not None
        return self._tour.pages

    def _go_to(self, number: int) -> None:
        """Set the scene of a moment; only from the one before it the cursor plays."""
        steps_on = number == self.number + 1
        self.leaving.emit(self.moment, self.moments[number])
        self.number = number
        self._failed, moment = False, self.moment
        if not moment.revealed:
            self._guesses.pop(moment.page, None)
        goes_on = steps_on and moment.revealed
        self.panel.show_waiting(moment.page, self.page.title, goes_on=goes_on)
        animated = self._actions.animate.isChecked()
        scene = moment.scene if steps_on and animated else moment.scene.at_rest()
        self.spotlight.set_animated(animated)
        self.spotlight.turn_off()
        self._layout.make(scene, asks=moment.covers)
        self._explore.guess.hold(moment.covers and not moment.asks)
        self._actions.guess.setChecked(moment.covers)
        self._explore.cover_effect(moment.scene.cover is Cover.EFFECT)
        self.scene_setting.show(scene, self._folder)
        self._enable()
        self.changed.emit()

    @Slot()
    def _on_set(self) -> None:
        """Point to what the scene is about, and write the page."""
        moment, view = self.moment, self._view()
        if view is None:
            return
        self._explore.scheduler.catch_up()
        words = self._words(view)
        problem = self._select(view) or words.problem
        if problem != words.problem:
            words = replace(words, problem=problem)
        spots = moment.scene.spotlight
        self.targets.bring_into_view(spots)
        self._write(words)
        self.spotlight.point_to(self.targets.find(spots), (self.dock, self.panel), self.panel)
        if moment.scene.word is not None:
            self._explore.derivation.set_word(moment.scene.word, to_its_end=True)
        if self._actions.guess.isChecked():
            self._explore.guess.start_over()
        self.panel.setFocus()
        self._explore.scheduler.request()
        self.arrived.emit(self.number)
        later = self.moments[self.number + 1 : self.number + 1 + _AHEAD]
        self.scene_setting.expect([moment.scene for moment in later])

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if self.active:
            self._failed = True
            self._write(PageWords(self.page.title, problem=sentence))
            self.arrived.emit(self.number)

    def _view(self) -> InView | None:
        shown = self._branches.shown
        if not self.active or shown is None:
            return None
        compared = self._context.compare.comparison.text
        lanes = self.scene_setting.compared
        return InView(shown.history, self._player.position, shown.words, lanes, compared)

    def words_ahead(self) -> tuple[str, ...]:
        """Return what the next moment says first, if it is of the run in view; empty if not."""
        view, number = self._view(), self.number + 1
        if view is None or self.waits or self._failed or number == len(self.moments):
            return ()
        history, scene = view.history, self.moments[number].scene
        same = self.moment.scene.with_settings({name: getattr(scene, name) for name in _OF_RUN})
        if (
            history is not self.scene_setting.own
            or same != self.moment.scene
            or scene.go_to.merges > len(history)
        ):
            return ()
        # Its lanes are made when it comes into view.
        there = replace(view, position=scene.go_to.merges, lanes=())
        return words_before(self.pages[self.moments[number].page], there).before

    def _words(self, view: InView) -> PageWords:
        """Return what the page says; its first part as it was said before."""
        if not self.moment.revealed:
            self.first_words[self.number] = words_before(self.page, view)
            return self.first_words[self.number]
        # If the first part could not be shown, neither can its question.
        first = self.first_words.get(self.number - 1, PageWords(self.page.title))
        return words_after(self.page, first, view)

    def _write(self, words: PageWords) -> None:
        moment, self.note = self.moment, words.note
        self.panel.show_page(
            moment.page,
            words,
            revealed=moment.revealed,
            guessed=self._guesses.get(moment.page),
            first=self.number == 0,
            last=self.number == len(self.moments) - 1,
            has_more=moment.page in {later.page for later in self.moments[self.number + 1 :]},
        )

    def _select(self, view: InView) -> str:
        """Select the token of the page, or none; returns why it cannot be selected."""
        wanted = self.moment.scene.select
        if wanted is None:
            self._explore.select_token(_NO_TOKEN)
            self._explore.vocabulary.follow_newest()
            return ""
        try:
            token = find_token(view, fill_in(wanted, view))
        except FigureError as error:
            return as_sentence(error)
        # On the stage it comes into sight later, and what it does not have it cannot show.
        self._explore.vocabulary.show_position(self._player.position, moving=False)
        self._explore.select_token(token)
        return ""

    @Slot(int, bool)
    def _on_board(self, position: int, right: bool) -> None:
        """Take the answer from the panel that shows the question in the place of the pairs."""
        guessed = self._explore.guess.guessed
        if self.asks and guessed is not None:
            self.answer(guessed)

    def _enable(self) -> None:
        actions = self._actions
        actions.next_page.setEnabled(self.active)
        actions.next_chapter.setEnabled(self.active and self.number < self._chapters[-1])
        actions.previous_chapter.setEnabled(self.active and self.number > 0)
        actions.leave_tour.setEnabled(self.active)
        actions.previous_page.setEnabled(self.active and self.number > 0)
