"""Make the window and connect its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QContextMenuEvent, QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QMainWindow,
    QToolBar,
    QToolButton,
    QWidget,
)

from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.folders import Folders, user_folders
from bpe_gui.sessions.recognition import looks_like_session
from bpe_gui.tours import is_tour
from bpe_gui.ui.actions.action_words import keys_of
from bpe_gui.ui.actions.actions import make_actions
from bpe_gui.ui.compare.controller import CompareController
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.explore import registry
from bpe_gui.ui.explore.controllers import GuessController, WhatIf
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.export.exporting import Exporting
from bpe_gui.ui.help.help_dock import HelpDock
from bpe_gui.ui.help.helping import Helping
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.run.background import cancel_tasks, end_tasks
from bpe_gui.ui.run.branches import Branches
from bpe_gui.ui.run.compiler import Compiler
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.run_control import RunControl
from bpe_gui.ui.run.run_status import RunStatus
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.run.training import Phase, Training
from bpe_gui.ui.run.worker import SMALL_CORPUS
from bpe_gui.ui.session.session_keeper import SessionKeeper
from bpe_gui.ui.settings.recent_files import RecentFiles
from bpe_gui.ui.settings.settings import Settings
from bpe_gui.ui.settings.view_state import ViewState
from bpe_gui.ui.shell.after_first_frame import AfterFirstFrame
from bpe_gui.ui.shell.encoding_opener import EncodingOpener
from bpe_gui.ui.shell.menus import CorpusMenu, fill_menus
from bpe_gui.ui.shell.saving import Saver
from bpe_gui.ui.shell.settings_binding import SettingsBinding
from bpe_gui.ui.shell.welcome import Welcome
from bpe_gui.ui.theme.choices import (
    ColouringChoice,
    MotionChoice,
    PaletteChoice,
    TextSizing,
    ThemeChoice,
)
from bpe_gui.ui.timeline.player_bar import PlayerBar
from bpe_gui.ui.widgets.boxes import SteadyButton
from bpe_gui.ui.widgets.keyboard import (
    FocusRings,
    KeyGuard,
    focus_is_going,
    go_by_tab,
    goes_by_keyboard,
    set_tab_order,
)
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.message_bar import MessageBar
from bpe_gui.ui.widgets.naming import mark
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

if TYPE_CHECKING:
    # What the first frame does not show is loaded and made after it.
    from bpe_gui.ui.compare.view import CompareView
    from bpe_gui.ui.export.animating import Animating
    from bpe_gui.ui.stage.stage import Stage
    from bpe_gui.ui.tour.touring import Touring


_DROPPED, _TOUR = "dropped", "tour"
"""What messages about dropped files and about the tour are about."""


class MainWindow(QMainWindow):
    """Shows a run as it trains. Everything is drawn for the player's position."""

    _tour_changed = Signal()
    """Emitted when a tour changes; the welcome, which is made before the tours, listens to it."""

    def __init__(self, folders: Folders | None = None) -> None:
        """`folders` are for settings and unsaved work, by default those of the user."""
        super().__init__()
        self.setObjectName("mainWindow")
        self._welcome: Welcome | None = None
        self._folders = folders or user_folders()
        # Each part is made of parts before it.
        self._make_looks()
        self._make_bars()
        self._make_panels()
        self._lay_out()
        self._say_what_is_late()
        self._make_workspaces()
        self.view_state = ViewState(
            self.explore, self.compare_controller, self.laboratory, self.actions_
        )
        self.context = self._context()
        self.saver = Saver(self.context)
        self.encoding_opener = EncodingOpener(self.context)
        self._make_guides()
        self._make_menus()
        self.session_keeper = SessionKeeper(
            self.context, self.compiler, self._folders.data / "sessions",
            self.in_tour,
        )  # fmt: skip
        self.exporting = Exporting(self.context)
        self._connect_late()
        self._connect()
        self._connect_windows()
        self._connect_run()
        self.motion_choice = MotionChoice(self.actions_.animate, self)
        self.theme_choice.complete()
        self.explore.layout.arrange()
        self._order_tabs()
        self.laboratory.offer_kept()
        self.settings = Settings(self._folders.config, self)
        self.settings_binding = SettingsBinding(
            self.settings, self.context, text_sizing=self.text_sizing, motion=self.motion_choice,
            search=self.helping.search, in_tour=self.in_tour,
            keeper=self.session_keeper, corpora=self.recent_corpora, sessions=self.recent_sessions,
            encodings=self.recent_encodings,
        )  # fmt: skip
        self.recent_corpora.wanted.connect(self.open_sources)

    # -- building ---------------------------------------------------------------------

    def _make_looks(self) -> None:
        self.actions_ = make_actions(self)
        self.palette_choice = PaletteChoice(self.actions_.next_palette, self)
        self.text_sizing = TextSizing(self.actions_, self)
        self.colouring_choice = ColouringChoice(self.actions_.next_colouring, self)
        self.theme_choice = ThemeChoice(self.palette_choice, self.colouring_choice, self)
        self.text_sizing.changed.connect(self.theme_choice.apply)

    def _make_bars(self) -> None:
        self.training = Training(self)
        self.player = Player(self)
        self.sample_text = SampleText(self)
        self.compiler = Compiler(self)
        self.controls = Controls(self)
        self.controls.list_actions(self.actions_.open, self.actions_.open_folder)
        self.message_bar = MessageBar(self)
        self.message_bar.use_actions(self.actions_.accept, self.actions_.dismiss)
        cancel, leave_tour = self.actions_.cancel, self.actions_.leave_tour
        self.status = RunStatus(self.training, self.player, cancel, leave_tour, self)
        self.player_bar = PlayerBar(self.player, self.actions_, self)
        self.branches = Branches(self.training, self.player, self.controls, self)
        self._run = RunContext(
            self.actions_, self.message_bar, self.training, self.player, self.sample_text,
            self.controls, self.branches, self._when_loaded,
        )  # fmt: skip
        self._bars = self._bar("Training", "trainingBar"), self._bar("Cursor", "cursorBar")

    def _make_panels(self) -> None:
        self.compare_controller = CompareController(self._run, self)
        self.laboratory = Laboratory(self._folders.data, self._run, self)
        self.explore = ExploreView(
            self, self.player, self.sample_text, (self.compare_controller, self.laboratory)
        )
        self.explore.text_panel.offer_colours(self.colouring_choice.actions)
        self.explore.why.offer_switch(self.actions_.tell_last)
        self.help_dock = HelpDock(self)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.help_dock)
        self.help_dock.hide()

    def _lay_out(self) -> None:
        training, cursor = self._bars
        training.addWidget(self.controls)
        actions = self.actions_
        right = QWidget()
        runs, self._train_button, self._watch_button, self._pause_button = (
            SteadyButton(action, Qt.ToolButtonStyle.ToolButtonTextBesideIcon, right)
            for action in (actions.runs, actions.train, actions.watch, actions.pause)
        )
        # Qt lets Tab pass over buttons that a bar makes of actions.
        parts = (None, runs, self._train_button, self._watch_button, self._pause_button)
        filled(QHBoxLayout(right), *parts, spacing=6, margins=(0, 0, 4, 0))
        self._watch_button.hide()
        policy = self._pause_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the others stay in their places
        self._pause_button.setSizePolicy(policy)
        training.addWidget(right)
        self.insertToolBarBreak(cursor)
        cursor.addWidget(self.player_bar)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self.status, 1)
        self.message_bar.lie_over(self.status.sentence)
        self.status.finished.connect(self.message_bar.make_way)
        self.resize(1280, 800)
        # Space plays and the arrows step from the start, and not only once one has clicked.
        self.setFocusProxy(self.player_bar.timeline)
        self.setFocus()

    def _bar(self, title: str, name: str) -> QToolBar:
        bar = QToolBar(title, self, movable=False)
        bar.setObjectName(name)
        self.addToolBar(bar)
        return bar

    def _make_workspaces(self) -> None:
        self.run_control = RunControl(self._run, self)
        self.what_if = WhatIf(self._run, self.explore, self)
        views: dict[WorkspaceId, QWidget] = {
            WorkspaceId.COMPARE: self.compare_controller, WorkspaceId.LABORATORY: self.laboratory,
        }  # fmt: skip
        steady = (self.help_dock,)
        actions = self.actions_
        choices = (actions.explore, actions.compare, actions.laboratory)
        self.workspaces = Workspaces(
            self, self.explore.docks, views, choices, steady, self._bars
        )
        self.workspaces.barsShown.connect(self.status.set_in_view)
        self.workspaces.barsShown.connect(self.run_control.set_in_view)
        self.guess_controller = GuessController(
            self.player, self.explore, self.workspaces, self.player_bar.timeline, actions
        )
        select = self.explore.select_token
        self.compare_controller.join(self.workspaces, self.run_control.past, select)
        self.explore.vocabulary.pageWanted.connect(self.compare_controller.show_token_page)
        self.laboratory.join(self.workspaces, self.run_control, select)

    def _context(self) -> Context:
        return Context(
            **asdict(self._run), window=self, status=self.status, timeline=self.player_bar.timeline,
            run_control=self.run_control, workspaces=self.workspaces, explore=self.explore,
            compare_controller=self.compare_controller, laboratory=self.laboratory,
            theme_choice=self.theme_choice, palette_choice=self.palette_choice,
            colouring_choice=self.colouring_choice, view_state=self.view_state,
        )  # fmt: skip

    def _make_guides(self) -> None:
        """Make the tours, the help, and the ring around what has the keyboard."""
        boxes = (self.controls.corpus_box, self.controls.preset_box, self.player_bar.speed_box)
        self.focus_rings = FocusRings(self)
        self.controls.size_box.lineEdit().returnPressed.connect(self.setFocus)
        self.helping = Helping(self.context, self.help_dock, boxes)
        self.helping.navigator.went.connect(self.focus_rings.use_keyboard)

    def _make_menus(self) -> None:
        self.corpus_menu = CorpusMenu(self.controls, self)
        self.recent_corpora = RecentFiles("corpora", "&Recent corpora", "recentCorpora", self)
        self.recent_sessions = RecentFiles("sessions", "Recent sessio&ns", "recentSessions", self)
        self.recent_encodings = RecentFiles("encodings", "&Recent files", "recentEncodings", self)
        self.compare_controller.made.connect(self._offer_recent_encodings)
        corpora, sessions = self.recent_corpora.menu, self.recent_sessions.menu
        fill_menus(self.menuBar(), self.context, self.corpus_menu, corpora, sessions)

    @Slot(QWidget)
    def _offer_recent_encodings(self, view: CompareView) -> None:
        view.add_menu.offer_recent(self.recent_encodings.menu)
        view.add_menu.opened.connect(self.recent_encodings.note)
        self.recent_encodings.wanted.connect(view.add_menu.add_paths)

    def _order_tabs(self) -> None:
        """Let Tab go from the bars through the panels, column by column."""
        docks, views = self.explore.docks.values(), self.centralWidget()
        assert views is not None
        self._tab_parts = [
            self.workspaces.tabs, *self._bars, self.message_bar, *docks, views, self.statusBar(),
            self.help_dock,
        ]  # fmt: skip

    def _connect(self) -> None:
        actions = self.actions_
        actions.open.triggered.connect(self.ask_for_files)
        actions.open_folder.triggered.connect(self.ask_for_folder)
        actions.quit.triggered.connect(self.close)
        actions.runs.triggered.connect(self._open_runs)
        actions.guess.toggled.connect(self._on_branches)
        # The layout is that of Explore.
        actions.reset_layout.triggered.connect(self.workspaces.explore)
        actions.reset_layout.triggered.connect(self.explore.layout.arrange_anew)
        self.workspaces.changed.connect(self.explore.layout.share_height)
        actions.places.triggered.connect(self.workspaces.explore)
        actions.places.triggered.connect(self.explore.show_places)
        self.workspaces.changed.connect(self.explore.scheduler.request)
        self.workspaces.changed.connect(self._show_one_recipe)
        actions.train.enabledChanged.connect(self._offer_to_train)
        actions.replay.setChecked(True)
        actions.animate.toggled.connect(self.explore.pair_chart.set_animated)
        actions.tell_last.toggled.connect(self.explore.tell_last)
        actions.guess.toggled.connect(actions.tell_last.setDisabled)

    def _connect_windows(self) -> None:
        self._keys = KeyGuard(self)
        self._drops = FileDrops(self)
        self._drops.dropped.connect(self.take_dropped)
        self.actions_.menu_here.triggered.connect(self._open_menu_here)
        for window in (self, *self.explore.docks.values()):
            window.setAcceptDrops(True)
            window.installEventFilter(self._keys)
            window.installEventFilter(self._drops)

    def _connect_run(self) -> None:
        self.session_keeper.renamed.connect(self._show_title)
        self.session_keeper.replacing.connect(self._leave_all)
        self.training.progressed.connect(self.explore.scheduler.request)
        self.training.changed.connect(self._on_phase)
        self.training.changed.connect(self._offer_to_train)
        self.player.movingChanged.connect(self._offer_to_train)
        self.run_control.outdated.connect(self.explore.dim)
        self.run_control.trained.connect(self._replay)
        self.branches.changed.connect(self._on_branches)
        self.branches.renewed.connect(self.explore.guess.carry)
        self.compiler.failed.connect(self.message_bar.show_lasting)
        self.player.loaded.connect(self._on_loaded)
        for part in (self.player_bar, self.status):
            self.explore.scheduler.drawing.connect(part.show_position)
            part.follow(self.explore.motion)

    # -- what is made after the first frame, or for whoever first needs it -------------------

    def _say_what_is_late(self) -> None:
        self.after_first_frame = AfterFirstFrame(self.explore, self.training, (
            self._make_welcome,
            # Before there is anything to save; the disk may be slow.
            lambda: self.session_keeper.autosave.is_possible(),
            # What takes longest, before anybody can train twice: the first run goes there.
            lambda: self.compare,
            *(partial(self.explore.panel, spec.name) for spec in registry.PANELS),
            lambda: self.touring, lambda: self.stage, lambda: self.animating,
            # That of Qt, which it goes by in another window: a dock that floats.
            lambda: set_tab_order(self._tab_parts),
        ))  # fmt: skip

    def _when_loaded(self, then: Callable[[], object]) -> None:
        # Nobody asks before all that is in the first frame is made.
        self.after_first_frame.when_loaded(then)

    def _connect_late(self) -> None:
        self.after_first_frame.kernelsFound.connect(self.compiler.start)
        actions = self.actions_
        begin, load = self._begin_when_made, self._when_loaded
        actions.tour.triggered.connect(lambda: begin(lambda: self.touring.begin()))
        actions.short_tour.triggered.connect(lambda: begin(lambda: self.touring.begin_short()))
        actions.open_tour.triggered.connect(lambda: begin(lambda: self.touring.ask_for_file()))
        actions.present.triggered.connect(lambda: load(lambda: self.stage.toggle()))
        actions.choose_panels.triggered.connect(lambda: load(lambda: self.stage.choose()))
        actions.export_animation.triggered.connect(lambda: load(lambda: self.animating.ask()))
        for action in (
            actions.next_page, actions.previous_page, actions.next_chapter,
            actions.previous_chapter, actions.leave_tour,
        ):  # fmt: skip
            action.setEnabled(False)

    def _begin_when_made(self, begin: Callable[[], object]) -> None:
        """Begin something of the tour, which needs all late parts, and say so if they are made."""

        def begin_at_last() -> None:
            self.message_bar.withdraw(_TOUR)
            begin()

        if not self.after_first_frame.finish(begin_at_last):
            self.message_bar.tell_progress(_TOUR, "Preparing the tour…")

    def _make_welcome(self) -> None:
        """Make the card that says what to begin with, for who has never begun anything."""
        host = self.findChild(QWidget, "wordsTable")
        self._welcome = welcome = Welcome(self.context, host)
        self._tab_parts.insert(1, welcome)
        used = any(map(self.settings.is_chosen, ("recent-corpora", "recent-sessions")))
        self.settings.bind("begun", lambda: welcome.begun, welcome.set_begun)
        if used:
            welcome.set_begun(True)
        self._tour_changed.connect(welcome.end)
        welcome.begin()

    @property
    def compare(self) -> CompareView:
        return self.compare_controller.view

    @cached_property
    def touring(self) -> Touring:
        """The guide through a tour."""
        from bpe_gui.ui.tour.touring import Touring

        touring = Touring(self.context)
        touring.changed.connect(self._tour_changed)
        self.settings_binding.bind_tours(touring)
        return touring

    @cached_property
    def stage(self) -> Stage:
        from bpe_gui.ui.stage.stage import Stage

        stage = Stage(self.context, self.touring)
        stage.tabbed.connect(self.focus_rings.show_once)
        self.settings_binding.bind_stage(stage)
        return stage

    @cached_property
    def animating(self) -> Animating:
        """What exports animations."""
        from bpe_gui.ui.export.animating import Animating

        return Animating(self.context)

    def _has(self, name: str) -> bool:
        return name in vars(self)

    def findChild(self, *wanted: Any, **options: Any) -> Any:
        """Find what has a name, also where it would be made later: it is made first.

        Tests and scripts, which know names, need not know what is made when. `findChildren` finds
        only what is there.
        """
        found = super().findChild(*wanted, **options)
        is_named = len(wanted) > 1
        while found is None and is_named and self.after_first_frame.do_next():
            found = super().findChild(*wanted, **options)
        if found is None and is_named:
            self.laboratory.view  # noqa: B018
            found = super().findChild(*wanted, **options)
        return found

    def in_tour(self) -> bool:
        """Tell whether a tour is under way."""
        return self._has("touring") and self.touring.active

    @Slot()
    def _leave_all(self) -> None:
        if self.in_tour():
            self.touring.leave()
        if self._has("stage"):
            self.stage.leave()

    # -- what the user asks for ---------------------------------------------------------

    @Slot(list)
    def open_sources(self, sources: Sequence[str | Path], *, train: bool = False) -> None:
        """Open files and folders as the corpus; what is wrong with them is shown.

        The file of a session or of a tour is opened as that, an encoding as a run on the corpus,
        which the other files are if there are others, several encodings as lanes of Compare; a tour
        that is under way ends.
        """
        if len(sources) == 1 and looks_like_session(sources[0]):
            self.session_keeper.open_session(sources[0])
            return
        if len(sources) == 1 and is_tour(sources[0]):
            self.touring.open(Path(sources[0]))
            return
        if self.in_tour():
            self.touring.leave()
        encodings = self.encoding_opener.among(sources)
        sources = [source for source in sources if str(source) not in encodings]
        try:
            if sources:
                self.controls.open(sources)
        except CorpusError as error:
            self.message_bar.show_message(as_sentence(error))
            return
        if len(encodings) == 1:
            self.encoding_opener.open(encodings[0])
            return
        if encodings:
            if not sources and self.branches.shown is None:
                self.run_control.prepare()
            self.compare_controller.add_encodings(encodings)
        if train:
            self.run_control.train()

    @Slot(list)
    def take_dropped(self, paths: list[str]) -> None:
        """Open a session, a tour and a recipe, and encodings; other files become the corpus."""
        # What reads recipes is loaded when it is needed, not with the window.
        from bpe_gui.bpe.recipe_io import holds_recipe

        kinds: tuple[tuple[str, Callable[[str], bool], Callable[[Path], object]], ...] = (
            ("session", looks_like_session, self.session_keeper.open_session),
            ("tour", is_tour, lambda path: self.touring.open(path)),
            ("recipe", holds_recipe, self.laboratory.load),
        )
        self.message_bar.withdraw(_DROPPED)
        for kind, holds, open_one in kinds:
            found = [path for path in paths if holds(path)]
            paths = [path for path in paths if path not in found]
            if found:
                open_one(Path(found[0]))
            if len(found) > 1:
                self.message_bar.tell_problem(
                    _DROPPED, f"One {kind} at a time: {Path(found[0]).name} is opened. Drop the "
                    "others one by one.",
                )  # fmt: skip
        if paths:
            paths = self.compare_controller.take_dropped(paths)
        if paths:
            self.open_sources(paths)

    @Slot()
    def ask_for_files(self) -> None:
        """Let the user pick files for the corpus."""
        names, _ = QFileDialog.getOpenFileNames(self, "Open files as the corpus")
        if names:
            self.open_sources(names)

    @Slot()
    def ask_for_folder(self) -> None:
        """Let the user pick a folder for the corpus."""
        name = QFileDialog.getExistingDirectory(self, "Open a folder as the corpus")
        if name:
            self.open_sources([name])

    # -- what follows from it -------------------------------------------------------------

    @Slot()
    def _on_loaded(self) -> None:
        shown = self.branches.shown
        if shown is not None and len(shown.words.text) > SMALL_CORPUS:
            # What is small comes into view first; this would take long without the kernels.
            self.compiler.start()
        words = shown.words if shown is not None else None
        self.explore.set_run(words, self.player.history, self.branches.corpus)
        self._on_phase()

    @Slot()
    def _on_phase(self) -> None:
        self._show_title()
        if self.training.phase is Phase.WAITING:
            self.compiler.start()
        self.explore.scheduler.request()

    @Slot()
    def _show_title(self) -> None:
        corpus = self.controls.corpus_box.currentText()
        name = f"{self.session_keeper.name} — " if self.session_keeper.name else ""
        recipe = self.controls.preset_box.currentText()
        self.setWindowTitle(f"{name}{corpus} · {recipe} — bpe-gui")

    @Slot()
    def _on_branches(self) -> None:
        trained = self.branches.trained
        # The name of a branch tells what is merged in it.
        named = len(self.branches.all) > 1 and not self.actions_.guess.isChecked()
        self.status.set_name(f"“{trained.name}”" if trained is not None and named else "")

    @Slot()
    def _show_one_recipe(self) -> None:
        """Hide the recipe of the toolbar in the laboratory, which has one and a button to train."""
        self.controls.show_recipe(self.workspaces.shown is not WorkspaceId.LABORATORY)
        self._offer_to_train()

    @Slot()
    def _offer_to_train(self) -> None:
        """Show the button to train, or, once nothing is left to train, the button to watch the run.

        In the laboratory neither is shown: it has a button to train. Where nothing is left to train
        there is nothing to pause, and a second pause beside that of a replay would mislead.
        """
        shown = self.workspaces.shown is not WorkspaceId.LABORATORY
        is_done = self.training.phase is Phase.FINISHED and not self.actions_.train.isEnabled()
        self._train_button.setVisible(shown and not is_done)
        self._watch_button.setVisible(shown and is_done)
        self._pause_button.setHidden(is_done)
        mark(self._watch_button, "offers", not self.player.moving)

    @Slot()
    def _replay(self) -> None:
        """Replay what Train has just trained, where it is in view."""
        if self.actions_.replay.isChecked() and self.workspaces.shown is WorkspaceId.EXPLORE:
            self.player.watch()

    @Slot()
    def _open_runs(self) -> None:
        """Open the list of past runs by its key, where its button is."""
        button = self.findChild(QToolButton, "runsButton")
        assert button is not None
        self.run_control.past.menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    @Slot()
    def _open_menu_here(self) -> None:
        """Ask what has the keyboard for its menu, as Qt does for the menu key."""
        widget = QApplication.focusWidget()
        if widget is None:
            return
        caret = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        within = isinstance(caret, QRect) and widget.rect().contains(caret.center())
        place: QPoint = caret.center() if within else widget.rect().center()
        reason = QContextMenuEvent.Reason.Keyboard
        event = QContextMenuEvent(reason, place, widget.mapToGlobal(place))
        QApplication.sendEvent(widget, event)

    # -- events ---------------------------------------------------------------------------

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go to the next visible control by Tab, and show which it is.

        Qt asks for it too when what has the keyboard is hidden or disabled. Who has not come there
        by Tab has the timeline then, and its keys; but in the laboratory, which has a history of
        its own to undo, what is next there.
        """
        going = focus_is_going()
        edits = self.workspaces.shown is WorkspaceId.LABORATORY
        if going and not goes_by_keyboard() and not edits:
            self.setFocus()
            return True
        moved = go_by_tab(self, self._tab_parts, forward=forward)
        if not going:
            self.focus_rings.use_keyboard()
        return moved

    def event(self, event: QEvent) -> bool:
        """Leave the status bar to the run: tips of actions are shown at the mouse."""
        return event.type() == QEvent.Type.StatusTip or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Watch the four words, or say what to do first, where Space has nothing to play."""
        plays = QKeySequence(event.keyCombination()) == self.actions_.play.shortcut()
        if plays and self.player.end == 0 and not self.training.busy:
            if self._welcome is not None and self._welcome.isVisible():
                self._welcome.watch()
            else:
                keys = keys_of(self.actions_.train)
                self.status.note(f"Nothing to play yet: press Train ({keys}).")
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.after_first_frame.close()
        if self._has("stage"):
            self.stage.leave()
        if self._has("touring"):
            self.touring.leave()
        self.settings_binding.take_down()
        self.session_keeper.autosave.take_down()
        # What is under way may take a moment to end: nobody need look on.
        self.hide()
        for dialog in self.findChildren(QDialog):
            dialog.close()
        # Nobody waits for these any more: they do not take the processors from what is written.
        self.training.stop()
        self.laboratory.runs.clear()
        cancel_tasks(self.explore)
        # The merges under way are saved, too.
        end_tasks(self.training)
        # What is to be written is written to its end.
        self.laboratory.files.close()
        self.saver.close()
        self.exporting.close()
        if self._has("animating"):
            self.animating.cancel()
        self.player.pause()
        self.explore.scheduler.stop()
        self.session_keeper.close()
        self.settings_binding.close()
        end_tasks(self)
        # Last: what is still under way must not begin to compile.
        self.compiler.close()
        super().closeEvent(event)


class FileDrops(QObject):
    """Watches windows and docks; what is dropped on something in them comes to them last."""

    dropped = Signal(list)
    """The paths of files and folders that the user has dropped."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take files that are dragged in or dropped; leave all else alone."""
        dragged = event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop)
        if not dragged or not isinstance(event, QDropEvent):
            return False
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if not paths:
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self.dropped.emit(paths)
        return True
