"""Which choices of the window are remembered from one start to the next."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QObject, QTimer, Slot
from PySide6.QtWidgets import QDockWidget, QSplitter, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.context.workspaces import WorkspaceId
from bpe_gui.ui.run.player import EACH_FRAME, SPEEDS
from bpe_gui.ui.settings.choices import Choices, one_of, whole
from bpe_gui.ui.settings.dock_tree import TreeError, state_of, tree_of
from bpe_gui.ui.settings.recent_files import RecentFiles
from bpe_gui.ui.settings.widget_values import set_sizes, sizes_of
from bpe_gui.ui.settings.window_place import place_of, put
from bpe_gui.ui.theme.token_palettes import PALETTES

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow

EVERY = 1_000
"""Milliseconds from one look at what is chosen to the next: so much of it may be lost."""
_AT_LAST = ("recent-corpora", "recent-sessions")
"""What is still remembered when the window has gone: a session may be saved until then."""
_ON_STAGE = ("stage", "text-size", "token-palette", *_AT_LAST)
"""What is chosen for good while the stage is up, which has the rest for itself."""
_ABOUT = "choices"
"""What messages are about that tell of what is remembered."""
_FORGOTTEN = (
    "All is as at the first start; only the run that is here keeps its recipe and its size, till "
    "the next start. {keys} brings back what you chose."
)
_SPLITTERS = {
    "textSplitter": "parts-of-the-text-panel",
    "compareSplitter": "parts-of-the-compare-view",
    "differenceSplitter": "parts-below-the-lanes",
    "laboratorySplitter": "parts-of-the-laboratory",
    "laboratoryTextSplitter": "parts-right-in-the-laboratory",
    "wallSplitter": "parts-of-the-wall",
    "lockstepSplitter": "parts-of-the-lockstep",
}
"""What the places of handles are remembered as, by the names of the splitters."""
_SPEEDS = {"each frame" if speed == EACH_FRAME else f"{speed:g}": speed for speed in SPEEDS}


class SettingsBinding(QObject):
    """Has the choices of a window remembered, forgets them on demand, and brings them back."""

    def __init__(self, window: MainWindow, choices: Choices) -> None:
        super().__init__(window)
        self._window = window
        self._choices = choices
        self._corpora, self._sessions = window.recent_corpora, window.recent_sessions
        choices.remember("window", self._place, self._put)
        choices.remember("text-size", self._scale, window.text_sizing.set_scale)
        self._remember_looks()
        # The workspace comes first: docks that are out of view are put in place when they come.
        choices.remember("workspace", self._workspace, self._show_workspace)
        choices.remember("layout", self._docks, self._arrange)
        self.remember_splitters(window)
        self._remember_recent("recent-corpora", self._corpora)
        self._remember_recent("recent-sessions", self._sessions)
        controls = window.controls
        # What is being trained is not begun anew because choices are forgotten.
        choices.remember(
            "recipe", controls.recipe_to_remember, controls.choose_remembered, stays=True
        )
        choices.remember("vocabulary-size", self._size, self._choose_size, stays=True)
        forget, recall = window.actions_.forget_choices, window.actions_.recall_choices
        forget.triggered.connect(self.forget)
        recall.triggered.connect(self.recall)
        recall.setEnabled(False)
        self._corpora.wanted.connect(window.open_sources)
        self._sessions.wanted.connect(self._open_session)
        window.training.prepared.connect(self._note_corpus)
        for signal in (window.session_keeper.opened, window.session_keeper.saved):
            signal.connect(self._note_session)
        window.message_bar.taken_up.connect(self._on_taken_up)
        window.laboratory.made.connect(self.remember_splitters)
        choices.told.connect(self._on_told)
        self._looking = QTimer(self)
        self._looking.setInterval(EVERY)
        self._looking.timeout.connect(self.save)
        self._looking.start()
        self._ends = False
        self._views: dict[str, Any] = {}
        """What was chosen within the panels when all was forgotten."""
        for sentence in (choices.problem, choices.left_out):
            if sentence:
                window.message_bar.show_lasting(sentence)

    # -- what the user asks for ----------------------------------------------------------------

    @Slot()
    def forget(self) -> None:
        """Let all but the run be as at the first start, and say how it comes back."""
        self._views = self._window.view_choices.taken()
        self._choices.forget()
        self._window.view_choices.choose_first()
        self._after(can_recall=True)
        keys = self._window.actions_.recall_choices.shortcut().toString()
        self._window.message_bar.offer(_ABOUT, _FORGOTTEN.format(keys=keys), "Bring it back")

    @Slot()
    def recall(self) -> None:
        """Bring back what was forgotten."""
        self._choices.recall()
        self._window.view_choices.choose(self._views)
        self._after(can_recall=False)
        self._window.message_bar.tell_success(_ABOUT, "What you chose before is back.")

    @Slot()
    def save(self) -> None:
        """Have what is chosen written down, in case the program does not come to its end.

        What a tour shows is not chosen.
        """
        if not self._window.touring.active:
            on_stage = _ON_STAGE if self._window.stage.on else None
            self._choices.save(_AT_LAST if self._ends else on_stage)

    def take_down(self) -> None:
        """Take down what is chosen, which `close` keeps, while the window is there."""
        self._looking.stop()
        self._choices.save()
        self._ends = True

    def close(self) -> None:
        """Keep what is chosen, and what was saved since; nobody looks at it any more."""
        self._choices.close(_AT_LAST)

    @Slot(str)
    def _on_told(self, reason: str) -> None:
        said = f"What you choose cannot be remembered: {reason}." if reason else ""
        self._window.message_bar.tell_problem(_ABOUT, said)

    @Slot(QWidget)
    def remember_splitters(self, within: QWidget) -> None:
        """Have the handles in a widget stand where they stood."""
        for splitter in within.findChildren(QSplitter):
            name = _SPLITTERS.get(splitter.objectName())
            # With one part, as before two recipes have been trained, there is no handle.
            if name is not None and splitter.count() > 1 and not self._choices.remembers(name):
                get, put = partial(sizes_of, splitter), partial(set_sizes, splitter)
                self._choices.remember(name, get, put)

    def _after(self, *, can_recall: bool) -> None:
        self._window.actions_.recall_choices.setEnabled(can_recall)
        self.save()

    # -- what is remembered --------------------------------------------------------------------

    def _remember_looks(self) -> None:
        window, choices = self._window, self._choices
        themes, palettes = window.theme_choice, window.palette_choice
        motion = window.motion_choice

        def choose_palette(name: object) -> None:
            known = {palette.name: palette.name for palette in PALETTES}
            palettes.choose(one_of(name, known))

        def choose_speed(speed: object) -> None:
            window.player.set_speed(one_of(speed, _SPEEDS))

        choices.remember("colours", lambda: themes.chosen, themes.choose)
        choices.remember("token-palette", lambda: palettes.palette.name, choose_palette)
        choices.remember("animation", lambda: motion.chosen, motion.choose)
        names = {speed: name for name, speed in _SPEEDS.items()}
        choices.remember("speed", lambda: names[window.player.speed], choose_speed)
        search = window.helping.search
        choices.remember("actions-used", lambda: search.used, search.set_used)
        choices.remember("stage", lambda: window.stage.choice, self._choose_stage)

    def _place(self) -> dict[str, Any]:
        return place_of(self._window)

    def _put(self, place: Mapping[str, Any]) -> None:
        put(self._window, place)

    def _scale(self) -> float:
        return self._window.text_sizing.scale

    def _choose_stage(self, choice: Mapping[str, Any]) -> None:
        self._window.stage.choice = choice

    def _docks(self) -> object:
        try:
            return tree_of(bytes(self._window.workspaces.arrangement().data()))
        except TreeError:  # of a Qt that writes it otherwise
            return None

    def _arrange(self, tree: object) -> None:
        workspaces = self._window.workspaces
        present = bytes(workspaces.arrangement().data())
        docks = [dock.objectName() for dock in self._window.findChildren(QDockWidget)]
        workspaces.arrange(QByteArray(state_of(tree, present, docks)))

    def _workspace(self) -> str:
        return self._window.workspaces.shown.name.lower()

    def _show_workspace(self, name: object) -> None:
        self._window.workspaces.show_place(one_of(name, {p.name.lower(): p for p in WorkspaceId}))

    def _size(self) -> int | None:
        return self._window.controls.vocabulary_size

    def _choose_size(self, size: object) -> None:
        controls = self._window.controls
        number = whole(size, 1, controls.size_box.maximum())
        blocked = controls.blockSignals(True)
        controls.size_box.setValue(number)
        controls.blockSignals(blocked)

    def _remember_recent(self, name: str, recent: RecentFiles) -> None:
        self._choices.remember(name, lambda: recent.entries, recent.set_entries)
        recent.changed.connect(self.save)
        recent.gone.connect(self._window.message_bar.show_lasting)

    @Slot(History)
    def _note_corpus(self) -> None:
        paths = self._window.controls.files
        if paths and not self._window.touring.active:
            self._corpora.note(paths)

    @Slot(str)
    def _note_session(self, path: str) -> None:
        self._sessions.note([path])

    @Slot(list)
    def _open_session(self, paths: list[str]) -> None:
        self._window.session_keeper.open_session(paths[0])

    @Slot(str)
    def _on_taken_up(self, about: str) -> None:
        if about == _ABOUT:
            self.recall()
