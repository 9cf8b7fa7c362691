"""The row under the toolbar: the buttons that move the cursor, its speed, the timeline."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QWidget

from bpe_gui.ui.actions.action_words import keys_of
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.actions.icons import icon
from bpe_gui.ui.run.player import ACCELERATING, EACH_FRAME, SPEEDS, Player
from bpe_gui.ui.timeline.strip import LINEAR, LOGARITHMIC
from bpe_gui.ui.timeline.timeline import Timeline
from bpe_gui.ui.widgets.boxes import ElidingComboBox, SteadyButton, leave_field
from bpe_gui.ui.widgets.motion import MergeMotion
from bpe_gui.ui.widgets.naming import named

_FOLLOW_EVERY = 80
"""Milliseconds between two moves of the handle while it follows a training."""
_SKIPPING = 100
"""Merges a second from which the screen leaves some out."""
_LARGEST_WRITTEN = 2**31 - 1
"""What a field of Qt can hold."""


class PlayerBar(QWidget):
    """Connects a player with its actions, buttons and timeline."""

    def __init__(self, player: Player, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("playerBar")
        self._player = player
        self._actions = actions
        self._play_icon = icon("play")
        self._pause_icon = icon("pause")
        self._shown = QElapsedTimer()
        self._motion: MergeMotion | None = None
        self.timeline = Timeline(self)
        self.speed_box = self._make_speed_box()
        self._lay_out()
        self._connect()
        self._show_playing(False)
        self._enable()

    def follow(self, motion: MergeMotion) -> None:
        """Show a merge that is seen under way as done when its tokens have joined, as panels do."""
        self._motion = motion
        motion.joined.connect(self._put_handle)

    @Slot(int, bool)
    def show_position(self, position: int, moving: bool) -> None:
        """Put the handle where the cursor is; at rest, also describe it.

        While it follows a training it moves in steps, to save time in each frame.
        """
        player = self._player
        following = moving and player.live and player.growing
        if following and self._shown.isValid() and self._shown.elapsed() < _FOLLOW_EVERY:
            return
        self._shown.start()
        self._put_handle()
        self.timeline.set_loop(player.loop)
        self._enable()
        if not moving:
            self.timeline.update_accessible()

    @Slot()
    def _put_handle(self) -> None:
        position = self._player.position
        apart = self._motion is not None and self._motion.precedes(position)
        self.timeline.set_position(position, apart=apart)

    # -- building --------------------------------------------------------------------------

    def _make_speed_box(self) -> ElidingComboBox:
        box = named(ElidingComboBox(self), "speedBox", "Speed")
        box.setToolTip(
            f"How fast the merges are replayed ({keys_of(self._actions.slower)}, "
            f"{keys_of(self._actions.faster)})"
        )
        for index, speed in enumerate(SPEEDS):
            box.addItem(speed_text(speed), speed)
            if speed == EACH_FRAME:
                tip = "As fast as the screen goes: each frame shows one merge"
            elif speed == ACCELERATING:
                tip = "Slowly at first, and faster the more merges are done"
            elif speed >= _SKIPPING:
                tip = "Faster than the screen: some merges are left out"
            else:
                tip = "Every merge is shown"
            box.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)
        box.setCurrentIndex(SPEEDS.index(self._player.speed))
        return box

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 8, 0)
        row.setSpacing(2)
        actions = self._actions
        for action in (actions.home, actions.step_back, actions.play, actions.step, actions.end):
            row.addWidget(self._button(action))
        row.addSpacing(6)
        row.addWidget(self.speed_box)
        row.addSpacing(4)
        row.addWidget(SteadyButton(actions.live, Qt.ToolButtonStyle.ToolButtonTextOnly, self))
        row.addWidget(self._button(actions.bookmark))
        row.addSpacing(6)
        row.addWidget(self.timeline, 1)

    def _button(self, action: QAction) -> SteadyButton:
        button = SteadyButton(action, Qt.ToolButtonStyle.ToolButtonIconOnly, self)
        button.setAutoRepeat(action in (self._actions.step, self._actions.step_back))
        return button

    def _connect(self) -> None:
        player, actions, timeline = self._player, self._actions, self.timeline
        actions.play.triggered.connect(player.toggle)
        actions.watch.triggered.connect(player.watch)
        actions.step_back.triggered.connect(player.step_back)
        actions.home.triggered.connect(player.go_home)
        actions.end.triggered.connect(player.go_to_end)
        actions.faster.triggered.connect(player.faster)
        actions.slower.triggered.connect(player.slower)
        actions.go_to.triggered.connect(self._ask_where)
        timeline.numberClicked.connect(actions.go_to.trigger)
        actions.bookmark.triggered.connect(player.toggle_bookmark)
        actions.next_bookmark.triggered.connect(player.next_bookmark)
        actions.previous_bookmark.triggered.connect(player.previous_bookmark)
        actions.live.setChecked(player.live)
        actions.live.triggered.connect(self._follow)
        actions.loop.triggered.connect(self._play_loop)
        player.loopsChanged.connect(self._show_loop)
        actions.logarithmic.setChecked(timeline.is_logarithmic)
        actions.logarithmic.triggered.connect(self._choose_scale)
        timeline.logarithmicChanged.connect(actions.logarithmic.setChecked)
        timeline.seekRequested.connect(player.scrub)
        timeline.bookmarkRequested.connect(player.add_bookmark)
        timeline.bookmarkRenamed.connect(player.rename_bookmark)
        timeline.bookmarkRemoved.connect(player.remove_bookmark)
        self.speed_box.currentIndexChanged.connect(self._choose_speed)
        player.liveChanged.connect(actions.live.setChecked)
        player.movingChanged.connect(self._show_playing)
        player.speedChanged.connect(self._show_speed)
        player.bookmarksChanged.connect(self._show_bookmarks)
        player.loaded.connect(self._load)
        player.moved.connect(self._enable)
        player.liveChanged.connect(self._enable)

    # -- what follows from it --------------------------------------------------------------

    @Slot()
    def _load(self) -> None:
        self.timeline.set_history(self._player.history)
        self._enable()

    @Slot()
    def _follow(self) -> None:
        """Go to the end and stay live, also if live was on: moving the cursor ends it."""
        self._player.go_to_end()
        self._actions.live.setChecked(True)

    @Slot()
    def _ask_where(self) -> None:
        player = self._player
        # Beyond the end is the end: a field that refuses a digit would go to another merge.
        position, accepted = QInputDialog.getInt(
            self.window(), "Go to a merge", f"Merges done, from 0 to {player.end:,}:",
            player.position, 0, _LARGEST_WRITTEN,
        )  # fmt: skip
        if accepted:
            player.scrub(min(position, player.end))
            leave_field(self.window())

    @Slot(bool)
    def _show_playing(self, playing: bool) -> None:
        play = self._actions.play
        play.setIcon(self._pause_icon if playing else self._play_icon)
        play.setText("&Hold" if playing else "&Play")
        tip = "Pause" if playing else "Play"
        play.setToolTip(f"{tip} ({keys_of(play)})")

    @Slot()
    def _enable(self) -> None:
        player, actions = self._player, self._actions
        for action in (
            actions.play, actions.watch, actions.step_back, actions.home, actions.go_to,
        ):  # fmt: skip
            action.setEnabled(player.end > 0)
        follows_end = player.live and player.position == player.end
        actions.end.setEnabled(player.end > 0 and not follows_end)
        actions.bookmark.setEnabled(player.history is not None)

    @Slot(int)
    def _choose_speed(self, index: int) -> None:
        self._player.set_speed(SPEEDS[index])

    @Slot(float)
    def _show_speed(self, speed: float) -> None:
        self.speed_box.setCurrentIndex(SPEEDS.index(speed))

    @Slot(bool)
    def _choose_scale(self, logarithmic: bool) -> None:
        self.timeline.choose_scale(LOGARITHMIC if logarithmic else LINEAR)

    @Slot(bool)
    def _play_loop(self, loops: bool) -> None:
        """Play between two bookmarks from now on, or to the end; what is at rest begins to play."""
        self._player.set_loops(loops)
        if self._player.loop is not None and not self._player.moving:
            self._player.play()

    @Slot()
    def _show_loop(self) -> None:
        self._actions.loop.setChecked(self._player.loops)
        self.timeline.set_loop(self._player.loop)

    @Slot()
    def _show_bookmarks(self) -> None:
        bookmarks = self._player.bookmarks
        self.timeline.set_bookmarks(bookmarks)
        self._actions.loop.setEnabled(len(bookmarks) > 1 or self._player.loops)
        self._show_loop()
        for action in (self._actions.next_bookmark, self._actions.previous_bookmark):
            action.setEnabled(len(bookmarks) > 0)


def speed_text(speed: float) -> str:
    """Return a speed as the box shows it.

    >>> [speed_text(speed) for speed in (0.5, 1, 1000)]
    ['1 in 2 seconds', '1 a second', '1,000 a second']
    """
    if speed == EACH_FRAME:
        return "Each frame"
    if speed == ACCELERATING:
        return "Ever faster"
    if speed < 1:
        return f"1 in {1 / speed:.0f} seconds"
    return f"{speed:,.0f} a second"
