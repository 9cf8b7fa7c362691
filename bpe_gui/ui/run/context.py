"""What the parts of a window share that have to do with runs."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.run.branches import Branches
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.run.training import Training
from bpe_gui.ui.widgets.message_bar import MessageBar


class RunContext(Struct, frozen=True, eq=False):
    """The run, the position, the text, what is chosen for the next run, and the messages.

    when_loaded: calls a function once the modules of all parts are loaded.
    """

    actions: Actions
    message_bar: MessageBar
    training: Training
    player: Player
    sample_text: SampleText
    controls: Controls
    branches: Branches
    when_loaded: Callable[[Callable[[], object]], None]
