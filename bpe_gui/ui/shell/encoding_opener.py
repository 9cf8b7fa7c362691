"""Open an encoding in Explore, as a run that goes on from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from bpe_gui.bpe.recipe import Recipe
from bpe_gui.encodings.base import (
    Encoding,
    EncodingError,
    ExportError,
    LeavesOut,
    is_guessed,
    remark_about,
)
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.background import BackgroundTask, Job

_OPENING = "opening an encoding"

_SpecialTokens = Mapping[str, int] | str | None

_ENDINGS = frozenset({".json", ".tiktoken", ".model", ".bpe", ".codes", ".gguf", ".gz"})
"""Files with no such ending are corpora: the libraries of encodings need not be loaded for them."""
_IN_NAMES = ("vocab", "merges")
"""Texts with one of these in their name may hold an encoding after all."""
_IN_FOLDERS = (
    "tokenizer.json", "vocab.json", "encoder.json", "tekken.json", "vocab.txt", "tokenizer.model",
)
"""A folder without any of these is a corpus, too."""


class EncodingOpener(QObject):
    """Chooses an encoding as the recipe, and has its merges done again on the corpus."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._task = BackgroundTask(
            "opening", self, expected=(EncodingError, ExportError, OSError),
            failure="This encoding cannot be opened in Explore",
        )  # fmt: skip
        context.compare_controller.exploreWanted.connect(self.open)
        context.actions.cancel.triggered.connect(self._on_cancelled)

    def among(self, sources: Sequence[str | Path]) -> list[str]:
        """Find the files that hold an encoding; a split may follow the name of a rank file."""
        return [source for source in map(str, sources) if _holds_encoding(source)]

    @Slot(object)
    def open(self, encoding: Encoding | str) -> None:
        """Show an encoding, or the one in a file, or the run in view at the position of one."""
        if not isinstance(encoding, str) and self._show_in_view(encoding):
            return
        name = Path(encoding).name if isinstance(encoding, str) else encoding.name
        special_tokens: _SpecialTokens = None
        # The command line says how to name a split; only the window asks for it.
        asks = self._context.window.isVisible()
        if asks and isinstance(encoding, str) and _needs_split(encoding):
            from bpe_gui.ui.compare.rank_file_dialog import ask_beside

            beside = ask_beside(Path(encoding), self._context.window)
            if beside is None:
                return
            split, special_tokens = beside
            encoding = f"{encoding}@{split}"
        self._say_what_is_read(name)
        self._task.ask(
            partial(_recipe_of, encoding, special_tokens), self._on_opened, self._on_failed
        )

    def _show_in_view(self, encoding: Encoding) -> bool:
        """Go to the position of an encoding of the run in view; tells whether it is one."""
        from bpe_gui.encodings.ours import TrainedEncoding

        player = self._context.player
        if not isinstance(encoding, TrainedEncoding) or encoding.history is not player.history:
            return False
        self._context.workspaces.explore()
        player.scrub(encoding.position)
        return True

    def _say_what_is_read(self, name: str) -> None:
        """Say that a file is being read, until it is; empty for none. Esc cancels that then."""
        self._context.status.set_reading(name)
        self._context.run_control.set_waiting(bool(name))

    @Slot()
    def _on_cancelled(self) -> None:
        if not self._task.at_rest:
            self._task.drop()
            self._say_what_is_read("")

    def _on_opened(self, opened: tuple[Recipe, str]) -> None:
        recipe, notes = opened
        context = self._context
        self._say_what_is_read("")
        context.message_bar.withdraw(_OPENING)
        context.controls.choose_recipe(recipe)
        context.workspaces.explore()
        context.run_control.train()
        if notes:
            context.message_bar.tell_success(_OPENING, notes)

    def _on_failed(self, message: str) -> None:
        self._say_what_is_read("")
        self._context.message_bar.tell_problem(_OPENING, message)


def _holds_encoding(source: str) -> bool:
    path = Path(source)
    if path.is_dir():
        if not any((path / name).is_file() for name in _IN_FOLDERS):
            return False
    else:
        # Mistral's models have a version behind their ending: tokenizer.model.v1.
        endings = {ending.lower() for ending in path.suffixes}
        named = any(part in path.name.lower() for part in _IN_NAMES)
        may_be = named or not _ENDINGS.isdisjoint(endings)
        if not may_be and not ("@" in source and not path.exists()):
            return False
    from bpe_gui.encodings.load import holds_encoding

    try:
        return holds_encoding(source)
    except OSError:
        return False


def _needs_split(source: str) -> bool:
    from bpe_gui.encodings.load import needs_split

    try:
        return needs_split(source)
    except (EncodingError, OSError):
        return False  # opening it says what is wrong


def _recipe_of(
    encoding: Encoding | str, special_tokens: _SpecialTokens, job: Job
) -> tuple[Recipe, str]:
    """Return the recipe that goes on from an encoding, as large as it is, and what is left out
    or unlike a run that was trained here.
    """
    # The libraries of all formats are loaded when they are needed, not with the window.
    from bpe_gui.encodings.going_on import note_on, recipe_going_on
    from bpe_gui.encodings.load import open_encoding

    notes = []
    if isinstance(encoding, str):
        if Path(encoding).is_dir():
            notes.append(
                f"{Path(encoding).name} holds an encoding, and was opened as one. To use its files "
                "as a corpus, open them as files."
            )
        encoding = open_encoding(
            encoding, special_tokens=special_tokens, cancelled=job.is_cancelled
        )
    if isinstance(encoding, LeavesOut) and encoding.left_out:
        notes.append(f"{encoding.name}: {encoding.left_out}.")
    recipe = recipe_going_on(encoding)
    if is_guessed(encoding):
        # The recipe says it for good; a message would have to be dismissed.
        remark = remark_about(encoding)
        recipe = recipe.with_changes(description=remark[0].upper() + remark[1:])
    assert recipe.inherited is not None
    if note := note_on(recipe):
        notes.append(note)
    recipe = recipe.with_changes(vocabulary_size=recipe.inherited.vocabulary_size)
    return recipe, " ".join(notes)
