"""Bind what is chosen in the window to the stored settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSignalBlocker, QTimer, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.help.action_search import ActionSearch
from bpe_gui.ui.run.player import ACCELERATING, EACH_FRAME, SPEEDS
from bpe_gui.ui.session.session_keeper import SessionKeeper
from bpe_gui.ui.settings.recent_files import RecentFiles
from bpe_gui.ui.settings.settings import Settings, whole
from bpe_gui.ui.settings.view_state import set_sizes, sizes_of
from bpe_gui.ui.settings.window_state import arrange_docks, decoded, encoded, put_window
from bpe_gui.ui.theme.choices import MotionChoice, TextSizing
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

if TYPE_CHECKING:
    from bpe_gui.ui.stage.stage import Stage
    from bpe_gui.ui.tour.touring import Touring

EVERY = 1_000
"""Milliseconds between two looks at what is chosen: so much of it may be lost."""
_RECENT = ("recent-corpora", "recent-sessions", "recent-encodings")
"""What is stored even when the window has gone: a session may be saved until then."""
_ON_STAGE = (
    "stage", "text-size", "token-palette", "token-colours", "merge-explained", *_RECENT,
)  # fmt: skip
"""What is chosen for good while the stage is up, which has the rest for itself."""
_ABOUT = "choices"
"""What messages about settings are about."""
_IS_RESET = (
    "All settings are reset; the run that is here keeps its recipe and its size. {keys} brings "
    "back what you chose."
)
_SPLITTERS = {
    "textSplitter": "parts-of-the-text-panel",
    "compareSplitter": "parts-of-the-compare-view",
    "differenceSplitter": "parts-below-the-lanes",
    "laboratorySplitter": "parts-of-the-laboratory",
    "laboratoryTextSplitter": "parts-right-in-the-laboratory",
    "boundarySplitter": "parts-of-the-wall",
    "lockstepSplitter": "parts-of-the-lockstep",
}
"""The names of settings by the object names of splitters."""
_MERGES = ("next", "last")
"""The merge that is explained, without and with the action for it."""
_IN_WORDS = {EACH_FRAME: "each frame", ACCELERATING: "ever faster"}
_SPEED_NAMES = {speed: _IN_WORDS.get(speed, f"{speed:g}") for speed in SPEEDS}
_SPEEDS = {name: speed for speed, name in _SPEED_NAMES.items()}


class SettingsBinding(QObject):
    """Stores what is chosen in a window, resets it, and undoes a reset."""

    def __init__(
        self,
        settings: Settings,
        context: Context,
        *,
        text_sizing: TextSizing,
        motion: MotionChoice,
        search: ActionSearch,
        in_tour: Callable[[], bool],
        keeper: SessionKeeper,
        corpora: RecentFiles,
        sessions: RecentFiles,
        encodings: RecentFiles,
    ) -> None:
        super().__init__(context.window)
        self._settings = settings
        self._context = context
        self._stage: Stage | None = None
        self._in_tour = in_tour
        self._keeper = keeper
        self._corpora, self._sessions, self._encodings = corpora, sessions, encodings
        self._bind(text_sizing, motion, search)
        actions = context.actions
        actions.reset_settings.triggered.connect(self.reset)
        actions.undo_reset.triggered.connect(self.undo_reset)
        actions.undo_reset.setEnabled(False)
        sessions.wanted.connect(self._open_session)
        for recent in (corpora, sessions, encodings):
            recent.changed.connect(self.save)
            recent.gone.connect(context.message_bar.show_lasting)
        context.training.prepared.connect(self._note_corpus)
        # What the user has chosen for all windows stays so, however a session looks.
        keeper.replacing.connect(self.save)
        keeper.replaced.connect(settings.begin)
        for signal in (keeper.opened, keeper.saved):
            signal.connect(self._note_session)
        context.message_bar.accepted.connect(self._on_accepted)
        for workspace in context.late_views.values():
            workspace.made.connect(self.bind_splitters)
        context.compare_controller.made.connect(self._bind_compare)
        if context.compare_controller.has_view:  # it is what the window begins with
            self._bind_compare()
        settings.failed.connect(self._on_failed)
        self._timer = QTimer(self, interval=EVERY)
        self._timer.timeout.connect(self.save)
        self._timer.start()
        self._ends = False
        self._views: dict[str, Any] = {}
        """What was chosen within the panels before a reset."""

    def _bind(self, sizing: TextSizing, motion: MotionChoice, search: ActionSearch) -> None:
        context = self._context
        themes, palettes = context.theme_choice, context.palette_choice
        colourings = context.colouring_choice
        controls, player, workspaces = context.controls, context.player, context.workspaces
        bind = self._settings.bind
        bind("window", lambda: encoded(self._context.window.saveGeometry()), self._set_geometry)
        bind("text-size", lambda: sizing.scale, sizing.set_scale)
        bind("colours", lambda: themes.name, themes.choose)
        bind("token-palette", lambda: palettes.name, palettes.choose)
        bind("token-colours", lambda: colourings.name, colourings.choose)
        bind("animation", lambda: motion.chosen, motion.choose)
        bind(
            "speed",
            lambda: _SPEED_NAMES[player.speed],
            lambda name: player.set_speed(_SPEEDS[name]),
        )
        timeline = context.timeline
        bind("timeline", lambda: timeline.chosen_scale, timeline.choose_scale)
        last = context.actions.tell_last
        bind(
            "merge-explained",
            lambda: _MERGES[last.isChecked()],
            lambda merge: last.setChecked(bool(_MERGES.index(merge))),
        )
        replay = context.actions.replay
        bind("replay-after-training", replay.isChecked, replay.setChecked)
        bind("actions-used", lambda: search.used, search.set_used)
        # The workspace comes after it: docks are arranged while they are in view.
        bind("layout", self._layout, self._set_layout)
        bind(
            "workspace",
            lambda: workspaces.shown.name.lower(),
            lambda name: workspaces.show_place(WorkspaceId[name.upper()]),
        )
        layout = context.window.layout()
        if self._settings.is_chosen("window") and layout is not None:
            # Until here panels may have been in view that need more room than the window had.
            layout.activate()
            self._settings.restore("window")
        self.bind_splitters(context.window)
        corpora, sessions = self._corpora, self._sessions
        bind("recent-corpora", lambda: corpora.entries, corpora.set_entries)
        bind("recent-sessions", lambda: sessions.entries, sessions.set_entries)
        bind("recent-encodings", lambda: self._encodings.entries, self._encodings.set_entries)
        # What is being trained is not begun anew because settings are reset.
        bind("recipe", controls.recipe_to_remember, controls.choose_remembered, stays=True)
        bind("vocabulary-size", lambda: controls.vocabulary_size, self._set_size, stays=True)

    def bind_stage(self, stage: Stage) -> None:
        """Store what is chosen for the stage, which is made later."""
        self._stage = stage
        self._settings.bind("stage", lambda: stage.choice, partial(setattr, stage, "choice"))

    def bind_tours(self, touring: Touring) -> None:
        """Store on which pages tours were left; what guides through them is made later."""
        set_pages = partial(setattr, touring, "stopped_at")
        self._settings.bind("tours", lambda: touring.stopped_at, set_pages)

    # -- what the user asks for ----------------------------------------------------------------

    @Slot()
    def reset(self) -> None:
        """Reset everything except the run, and offer to undo that."""
        view_state = self._context.view_state
        self._views = view_state.values()
        with self._context.theme_choice.at_once():
            self._settings.reset()
        view_state.set_values({})
        self._after(can_undo=True)
        keys = self._context.actions.undo_reset.shortcut().toString()
        self._context.message_bar.offer(_ABOUT, _IS_RESET.format(keys=keys), "Bring it back")

    @Slot()
    def undo_reset(self) -> None:
        """Bring back what was reset."""
        with self._context.theme_choice.at_once():
            self._settings.undo_reset()
        self._context.view_state.set_values(self._views)
        self._after(can_undo=False)
        self._context.message_bar.tell_success(_ABOUT, "What you chose before is back.")

    def _after(self, *, can_undo: bool) -> None:
        self._context.actions.undo_reset.setEnabled(can_undo)
        self.save()

    @Slot(str)
    def _on_accepted(self, about: str) -> None:
        if about == _ABOUT:
            self.undo_reset()

    # -- writing -------------------------------------------------------------------------------

    @Slot()
    def save(self) -> None:
        """Write what is chosen, in case the program does not come to its end.

        Nothing is written during a tour, which chooses by itself.
        """
        if not self._in_tour():
            on_stage = _ON_STAGE if self._stage is not None and self._stage.on else None
            self._settings.save(_RECENT if self._ends else on_stage)

    def take_down(self) -> None:
        """Write what is chosen while the window is there."""
        self._timer.stop()
        self._settings.save()
        self._ends = True

    def close(self) -> None:
        """Write what was saved since; the window is gone."""
        self._settings.close(_RECENT)

    @Slot(str)
    def _on_failed(self, reason: str) -> None:
        said = f"What you choose cannot be remembered: {reason}." if reason else ""
        self._context.message_bar.tell_problem(_ABOUT, said)

    # -- values --------------------------------------------------------------------------------

    def _set_geometry(self, value: Mapping[str, Any] | str) -> None:
        if isinstance(value, str):
            self._context.window.restoreGeometry(decoded(value))
        else:
            put_window(self._context.window, value)

    def _layout(self) -> dict[str, Any]:
        context = self._context
        docks = encoded(context.workspaces.arrangement())
        return {"docks": docks, "by-hand": context.explore.layout.by_hand}

    def _set_layout(self, value: dict[str, Any] | list[dict[str, Any]] | str) -> None:
        # Earlier versions stored docks alone, whose heights may be of the user's hand.
        context, by_hand = self._context, True
        # How much room docks need depends on the style sheet.
        context.theme_choice.complete()
        docks: list[dict[str, Any]] | str
        if isinstance(value, dict):
            docks, by_hand = value["docks"], value["by-hand"] is True
        else:
            docks = value
        if isinstance(docks, str):
            context.workspaces.arrange(decoded(docks))
        else:
            arrange_docks(context.window, docks)
        context.explore.layout.by_hand = by_hand

    def _set_size(self, size: object) -> None:
        controls = self._context.controls
        number = whole(size, 1, controls.size_box.maximum())
        with QSignalBlocker(controls):
            controls.size_box.setValue(number)

    @Slot(QWidget)
    def bind_splitters(self, within: QWidget) -> None:
        """Store where the handles in a widget are."""
        for splitter in within.findChildren(QSplitter):
            name = _SPLITTERS.get(splitter.objectName())
            # With one part, as before two recipes have been trained, there is no handle.
            if name is not None and splitter.count() > 1 and not self._settings.is_bound(name):
                self._settings.bind(name, partial(sizes_of, splitter), partial(set_sizes, splitter))

    @Slot()
    def _bind_compare(self) -> None:
        """Store the user's own numbers and texts, which are there when the view is."""
        numbers = self._context.compare.numbers
        if not self._settings.is_bound("compare-own"):
            self._settings.bind("compare-own", numbers.own, numbers.set_own)

    # -- recent files --------------------------------------------------------------------------

    @Slot(History)
    def _note_corpus(self) -> None:
        paths = self._context.controls.files
        if paths and not self._in_tour():
            self._corpora.note(paths)

    @Slot(str)
    def _note_session(self, path: str) -> None:
        self._sessions.note([path])

    @Slot(list)
    def _open_session(self, paths: list[str]) -> None:
        self._keeper.open_session(paths[0])
