"""Present: F11 shows the panels that the speaker chose on the whole screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from bpe_gui.tours.tour import Moment, Workspace
from bpe_gui.ui.context.context import Context, all_parts, find_part
from bpe_gui.ui.explore.view import QUESTION
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.stage.board import BorrowedWidget
from bpe_gui.ui.stage.chooser import Choice, from_json
from bpe_gui.ui.stage.keys import Command
from bpe_gui.ui.stage.presenter import Presenter
from bpe_gui.ui.stage.show import (
    END_OF_RUN,
    END_OF_TOUR,
    NO_MERGES,
    THE_END,
    TRAINABLE,
    UNTRAINED,
    Show,
    changes_in_parts,
)
from bpe_gui.ui.theme.text_size import application
from bpe_gui.ui.tour.panel import TourPanel
from bpe_gui.ui.tour.touring import Touring
from bpe_gui.ui.widgets.keyboard import KeptFocus
from bpe_gui.ui.workspaces.frame_scheduler import Panel
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

TOUR = "guide"
"""The name of the panel of a tour."""
_LOOK_EVERY = 20
"""Milliseconds between two looks at whether panels have read what they show."""


class StagePanels:
    """Finds panels by name, with their titles and the widgets that the stage borrows."""

    def __init__(self, context: Context, tour_panel: TourPanel) -> None:
        """`tour_panel` cannot be chosen: it is shown while a tour is under way."""
        self._context = context
        self._tour_panel = tour_panel
        self._specs = {spec.name: spec for spec in all_parts() if spec.stage == spec.name}
        self.titles = {name: spec.title for name, spec in self._specs.items()}

    def title(self, name: str) -> str:
        """Return the present title of a panel; that of a dock may change."""
        if name == TOUR:
            return self._tour_panel.place
        spec = self._specs[name]
        docks = self._context.explore.docks
        return docks[spec.widget].windowTitle() if isinstance(spec, PanelSpec) else spec.title

    def widget(self, name: str) -> QWidget:
        """Return the widget of a panel; the view of the laboratory is made if need be."""
        return self._tour_panel if name == TOUR else find_part(self._specs[name], self._context)

    def seen_through(self, borrowed: Mapping[str, QWidget]) -> dict[Panel, list[QWidget]]:
        """Return the views of which only parts are on the stage, with those parts."""
        return {
            cast(Panel, view): [
                widget for name, widget in borrowed.items() if self.behind([name]) == {workspace}
            ]
            for workspace, view in self._context.late_views.items()
        }

    def follow_run(self, names: Sequence[str]) -> bool:
        """Tell whether some of these panels show the run at the cursor: lanes may, or not."""
        follows = any(lane.follows for lane in self._context.compare.comparison.lanes)
        specs = [self._specs[name] for name in names if name != TOUR]
        return any(
            isinstance(spec, PanelSpec)
            or (spec.shows_run and (follows or spec.workspace is not WorkspaceId.COMPARE))
            for spec in specs
        )

    def at_rest(self, names: Iterable[str]) -> bool:
        """Tell whether those of these panels that are parts of other workspaces show everything."""
        views = self._context.late_views
        specs = (self._specs[name] for name in names if name != TOUR)
        return all(
            spec.at_rest(views[spec.workspace].view)
            for spec in specs if isinstance(spec, PartSpec) and spec.workspace in views
        )  # fmt: skip

    def behind(self, names: Sequence[str]) -> set[WorkspaceId]:
        """Return the workspaces but Explore that these panels are parts of."""
        found = {self._specs[name].workspace for name in names if name != TOUR}
        return {place for place in found if place not in (None, WorkspaceId.EXPLORE)}


class Stage(QObject):
    """Shows panels of the window in a window that fills the screen, and puts them back.

    They are the same widgets, so they show what they always show. When the stage is left, they
    return to their places. Messages are shown in the main window meanwhile. While a tour is under
    way it chooses the panels, and takes the keys that step and answer.
    """

    tabbed = Signal()
    """On the stage the keyboard has gone on to another control by Tab."""
    toggled = Signal(bool)
    """The stage has come up, or is left."""

    def __init__(self, context: Context, touring: Touring) -> None:
        super().__init__(context.window)
        self._window = context.window
        self._explore = context.explore
        self._player = context.player
        self._run_control = context.run_control
        self._training = context.training
        self._workspaces = context.workspaces
        self._actions = context.actions
        self._themes = context.theme_choice
        self._touring = touring
        self._offers = StagePanels(context, touring.panel)
        self._borrowed: dict[str, BorrowedWidget] = {}
        self._homes: set[QWidget] = set()
        self._choice = Choice()
        self.on = False
        """Whether the stage is up."""
        self._focus = KeptFocus()
        self._colours = ""
        self._held = False
        self._blanks_end = False
        """Whether the empty stage is in the place of the end."""
        self._brings_question = False
        touring.leaving.connect(self._on_tour_leaving)
        touring.changed.connect(self._on_tour_changed)
        touring.arrived.connect(self._on_tour_arrived)
        touring.panel.placeChanged.connect(self._name_panels)
        # What was there before is restored first, which takes long by itself.
        self._after_tour = QTimer(self, singleShot=True, interval=0)
        self._after_tour.timeout.connect(self._show_choice)
        self._reading = QTimer(self, singleShot=True, interval=_LOOK_EVERY)
        self._reading.timeout.connect(self._uncover)
        self._leaving = QTimer(self, singleShot=True, interval=0)
        self._leaving.timeout.connect(self.leave)
        touring.ended.connect(self._show_end)
        context.run_control.refused.connect(self._show_end)

    # -- what others ask ---------------------------------------------------------------------

    @cached_property
    def show_window(self) -> Show:
        """The window that fills the screen; made when it is first asked for."""
        show = Show(self._offers.titles, self._actions, self._window)
        show.commanded.connect(self._obey)
        self._presenter = Presenter(self._touring, self._player, show)
        self._presenter.commanded.connect(self._obey)
        self._explore.scheduler.drawing.connect(self._presenter.follow)
        show.tabbed.connect(self.tabbed)
        show.closing.connect(self.leave)
        show.chooser.chosen.connect(self._set_choice)
        show.chooser.show_button.clicked.connect(self.show_panels)
        show.chooser.screen_button.clicked.connect(self._take_next_screen)
        self._watch_screens()
        self._explore.scheduler.drawing.connect(self._on_drawing)
        self._player.loaded.connect(self._tell_position)
        self._explore.motion.joined.connect(self._tell_position)
        self._explore.motion.ended.connect(self._tell_position)
        self._actions.tell_last.toggled.connect(self._tell_position)
        self._actions.guess.toggled.connect(self._on_guess)
        self._actions.guess.toggled.connect(self._tell_position)
        for dock in self._explore.docks.values():
            dock.windowTitleChanged.connect(self._name_panels)
        return show

    def _watch_screens(self) -> None:
        """Follow screens that come, go or change their size, after Qt has moved its windows."""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._fill_screen)
        application().screenAdded.connect(self._on_screen)
        application().screenRemoved.connect(self._later.start)
        for screen in QGuiApplication.screens():
            screen.geometryChanged.connect(self._later.start)

    @Slot(QScreen)
    def _on_screen(self, screen: QScreen) -> None:
        screen.geometryChanged.connect(self._later.start)
        self._later.start()

    @property
    def names(self) -> tuple[str, ...]:
        """The panels that there are to choose from."""
        return tuple(self._offers.titles)

    @property
    def choice(self) -> dict[str, Any]:
        """Panels, layout and colours, as JSON can hold them.

        What makes no sense in one that is set is as at first.
        """
        return self._choice.as_json()

    @choice.setter
    def choice(self, kept: Mapping[str, Any]) -> None:
        self._set_choice(from_json(kept, list(self._offers.titles)))

    @Slot()
    def toggle(self) -> None:
        """Go on the stage, or leave it."""
        if self.on:
            self.leave()
        else:
            self.enter()

    @Slot()
    def enter(self) -> None:
        """Show the chosen panels on the whole screen."""
        if self.on:
            return
        self.on = True
        self._focus.keep(self._window.focusWidget())
        self._colours = self._themes.name
        self.show_window.begin(self._screen)
        self._take_colours(self._choice.scheme)
        self._brings_question = self._actions.guess.isChecked() and not self._shows_question
        self._run_control.set_steps_train(False)
        self._bring_panels()
        self.show_panels()
        self._presenter.begin()
        self.toggled.emit(True)

    @Slot()
    def leave(self) -> None:
        """Put everything back."""
        if not self.on:
            return
        self.on = False
        self._run_control.set_steps_train(True)
        self._give_back(list(self._borrowed))
        self._explore.scheduler.look_into(None, {})
        self._presenter.hide()
        self.show_window.end()
        self.show_window.board.setUpdatesEnabled(True)
        self.show_window.board.line.show_position(None, 0, moving=False)
        self._workspaces.present(())
        self._themes.choose(self._colours)
        self._window.activateWindow()
        self._focus.give_back()
        self._explore.scheduler.request()
        self._go_on()
        self.toggled.emit(False)

    @Slot()
    def choose(self) -> None:
        """Let the speaker choose the panels."""
        self.enter()
        self.show_window.show_page(self.show_window.chooser)

    @Slot()
    def show_panels(self) -> None:
        show, guess = self.show_window, self._explore.guess
        show.show_page(show.board)
        (guess if guess.isVisible() else show).setFocus()
        self._go_on()

    def _go_on(self) -> None:
        """Play on if the empty stage has paused it."""
        if self._held:
            self._held = False
            self._player.play()

    # -- what follows ------------------------------------------------------------------------

    @Slot(bool)
    def _on_guess(self, asks: bool) -> None:
        """Show the question on the stage as long as it is asked, in the place of a panel."""
        if not self.on or self._touring.active:
            return
        before, self._brings_question = self._brings_question, asks and not self._shows_question
        if self._brings_question != before:
            self._bring_panels()
            self.show_panels()

    @property
    def _shows_question(self) -> bool:
        return QUESTION in self._choice.shown

    @Slot(object)
    def _set_choice(self, choice: Choice) -> None:
        if choice.shown != self._choice.shown:
            self._brings_question = False
        self._choice = choice
        if self.on:
            self._bring_panels()
            self._take_colours(choice.scheme)

    @Slot(object, object)
    def _on_tour_leaving(self, before: Moment, after: Moment) -> None:
        """Keep what is seen beside the tour until the next page is there as a whole."""
        if not self.on or TOUR not in self._borrowed:
            return
        self._reading.stop()
        show = self.show_window
        if show.page is show.board and changes_in_parts(before, after):
            show.last_picture.take(show.board.beside_first)

    @Slot()
    def _on_tour_changed(self) -> None:
        """Bring the chosen panels soon after a tour; until then all stays as it was painted."""
        if self.on and not self._touring.active:
            self.show_window.board.setUpdatesEnabled(False)
            self._after_tour.start()

    @Slot()
    def _show_choice(self) -> None:
        show = self.show_window
        if self.on and not self._touring.active:
            show.last_picture.hide()
            self._bring_panels()
        show.board.setUpdatesEnabled(True)

    @Slot()
    def _on_tour_arrived(self) -> None:
        if self.on:
            picture = self.show_window.last_picture
            if self._touring.moment.scene.workspace is not Workspace.LABORATORY:
                picture.hide()
            self._bring_panels()
            self.show_panels()
            self._presenter.follow_tour()
            picture.raise_()
            self._uncover()

    @Slot()
    def _uncover(self) -> None:
        """Show the panels of a page as soon as they have read what they show."""
        if self._offers.at_rest(self._borrowed):
            self.show_window.last_picture.hide()
        else:
            self._reading.start()

    def _names(self) -> tuple[str, ...]:
        if self._touring.active:
            return (TOUR, *self._touring.stage_panels)
        if self._brings_question:
            return (QUESTION, *self._choice.shown[:-1])
        return self._choice.shown

    def _bring_panels(self) -> None:
        show, names = self.show_window, self._names()
        self._workspaces.present(self._offers.behind(names))
        self._give_back([name for name in self._borrowed if name not in names])
        self._borrowed = {
            name: self._borrowed.get(name) or BorrowedWidget(self._offers.widget(name))
            for name in names
        }
        # A panel belongs to the wrapper of what it is put back into. Where Qt has made that, as
        # within tabs, nobody else keeps the wrapper, and all in the panel would go with it.
        self._homes |= {borrowed.home for borrowed in self._borrowed.values()}
        widgets = {name: borrowed.widget for name, borrowed in self._borrowed.items()}
        self._explore.scheduler.look_into(show, self._offers.seen_through(widgets))
        titled = [(self._offers.title(name), widget) for name, widget in widgets.items()]
        show.board.show_panels(titled)
        show.chooser.set_choice(self._choice)
        show.chooser.tell_screen(show.screen())
        self._tell_position()
        self._explore.scheduler.request()

    def _give_back(self, names: list[str]) -> None:
        given = [self._borrowed.pop(name) for name in names]
        for borrowed in given:
            borrowed.shrink()
            borrowed.end()
        # What is around them asks to be laid out anew, which would come after we are through.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        for borrowed in given:
            borrowed.settle()

    @property
    def _screen(self) -> QScreen:
        """The screen of the choice if there is that one, or a projector's, or the window's.

        A projector is any screen but the first, which is the speaker's own and shows the notes.
        """
        name, screens = self._choice.screen, QGuiApplication.screens()
        named = (screen for screen in screens if name and screen.name() == name)
        others = (screen for screen in screens if screen is not QGuiApplication.primaryScreen())
        return next(named, next(others, self._window.screen()))

    @Slot()
    def _fill_screen(self) -> None:
        """Go to the chosen screen; the one that the stage was on may be unplugged."""
        show, screen = self.show_window, self._screen
        if self.on and not show.fills(screen):
            show.fill(screen)
            self._presenter.make_way()
        show.chooser.tell_screen(screen)

    @Slot()
    def _take_next_screen(self) -> None:
        screens = QGuiApplication.screens()
        after = (screens.index(self.show_window.screen()) + 1) % len(screens)
        self._choice = replace(self._choice, screen=screens[after].name())
        self._fill_screen()

    def _take_colours(self, scheme: str) -> None:
        if scheme:
            self._themes.choose(scheme)

    @Slot(int, bool)
    def _on_drawing(self, position: int, moving: bool) -> None:
        if self.on:
            line = self.show_window.board.line
            line.setVisible(self._is_about_merges)
            told = self._told(position)
            under_way = told is not None and self._explore.motion.shows(position)
            history = self._player.history
            done = position - self._explore.motion.precedes(position)
            line.show_position(history, position, moving, told, under_way=under_way, done=done)
            about = self._touring.number if self._touring.active else position
            self.show_window.pen.show_page((tuple(self._borrowed), id(history), about))

    def _told(self, position: int) -> int | None:
        """Return the position before the merge that the panels show; None where one may guess."""
        if self._explore.motion.shows(position):
            return position - 1
        if self._touring.active or self._actions.guess.isChecked():
            return None
        return self._explore.told_position

    @property
    def _is_about_merges(self) -> bool:
        """Whether the panels show a merge that the line can name.

        A page of a tour that only shows a text is about its tokens, unless merges are walked
        through or it points to the timeline.
        """
        touring = self._touring
        if touring.active and touring.stage_panels == ["text"]:
            scene = touring.moment.scene
            return scene.go_to.plays or any(spot.place == "timeline" for spot in scene.spotlight)
        return self._offers.follow_run(tuple(self._borrowed))

    @Slot()
    def _tell_position(self) -> None:
        self._on_drawing(self._player.position, False)

    @Slot()
    def _name_panels(self) -> None:
        if self.on:
            names = [self._offers.title(name) for name in self._borrowed]
            self.show_window.board.name_panels(names)

    # -- keys --------------------------------------------------------------------------------

    @property
    def _asks(self) -> bool:
        guess, show = self._explore.guess, self.show_window
        if self._touring.active:
            return self.on and self._touring.asks
        return self.on and guess.covers and guess.isVisibleTo(show) and guess.window() is show

    @property
    def _counts_hands(self) -> bool:
        """Whether hands are counted for a question that is still open."""
        touring = self._touring
        return touring.active and touring.asks and touring.panel.counts_hands

    @Slot(object, int)
    def _obey(self, command: Command, number: int) -> None:
        show = self.show_window
        seen = show.page is show.board
        match command:
            case Command.LEAVE:
                self.leave()
            case Command.CLOSE if seen and show.pen.on:
                show.pen.toggle()
            case Command.CLOSE if seen and self._counts_hands:
                self._touring.panel.count_hands()
            case Command.CLOSE if seen:
                self.leave()
            case Command.CLOSE if show.page is show.end_page:
                self._leave_from_end()
            case Command.STEP if show.page is show.end_page:
                pass
            case Command.CHOOSE if show.page is not show.chooser:
                self.choose()
            case Command.BLANK if seen or show.page is show.end_page:
                self._go_blank()
            case Command.POINTER:
                show.toggle_dot()
            case Command.PEN if seen:
                show.pen.toggle()
            case Command.WIPE if seen:
                show.pen.wipe()
            case Command.HANDS if seen and self._touring.active:
                self._touring.panel.count_hands()
            case Command.HANDS if seen:
                pass
            case Command.NOTES:
                self._presenter.toggle()
            case Command.COLOURS:
                scheme = "light" if self._themes.theme.dark else "dark"
                self._set_choice(replace(self._choice, scheme=scheme))
            case Command.TRAIN if not self._touring.active:
                self.show_panels()
                self._actions.train.trigger()
            case Command.SCREEN:
                self._take_next_screen()
            case Command.NUMBER if show.page is show.chooser:
                show.chooser.put(number)
            case Command.NUMBER if seen and self._asks:
                guess = self._explore.guess
                answer = self._touring.answer if self._touring.active else guess.choose
                answer(number - 1)
            case Command.LAYOUT | Command.NUMBER if not self._touring.active:
                self._set_choice(replace(self._choice, layout=number))
                self.show_panels()
            case Command.STEP | Command.STEP_BACK if seen:
                self._step(back=command is Command.STEP_BACK)
            case _ if show.page is show.blank and self._blanks_end:
                show.show_page(show.end_page)
            case _:
                # Whatever is pressed brings the panels back; nothing happens unseen.
                self.show_panels()

    def _step(self, *, back: bool) -> None:
        if self._touring.active and back:
            self._touring.step_back()
        elif self._touring.active:
            self._touring.step_on()
        elif back:
            self._actions.step_back.trigger()
        elif self._asks:
            self._explore.guess.reveal()
        elif self._player.position < self._player.end:
            self._actions.step.trigger()
        else:
            self._show_end()

    @Slot()
    def _show_end(self) -> None:
        """Show that nothing follows; a training that is under way brings more by itself."""
        if not self.on:
            return
        title, sentence = THE_END, END_OF_TOUR
        if not self._touring.active:
            if self._training.phase is Phase.TRAINING:
                return
            history = self._player.history
            if not self._player.end:
                title, sentence = NO_MERGES, UNTRAINED
            elif history is not None and history.stopped is None:
                sentence = TRAINABLE
            else:
                sentence = END_OF_RUN
        self.show_window.end_page.show_end(title, sentence)
        self.show_window.show_page(self.show_window.end_page)

    def _leave_from_end(self) -> None:
        """End a tour behind the end page, and a turn later the stage: each takes long by itself."""
        if not self._touring.active:
            self.leave()
            return
        self._touring.leave()
        self._after_tour.stop()
        self._leaving.start()

    def _go_blank(self) -> None:
        self._blanks_end = self.show_window.page is self.show_window.end_page
        self._held = self._player.playing
        if self._held:
            self._player.pause()
        self.show_window.show_page(self.show_window.blank)
