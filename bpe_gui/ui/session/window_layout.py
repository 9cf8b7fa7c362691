"""How a window looks, as JSON: taken down, and brought back as far as it makes sense.

What is damaged or from another version of the program is passed over: a window that looks
otherwise is no reason to lose a session.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import RecipeError
from bpe_gui.ui.context.workspaces import WorkspaceId
from bpe_gui.ui.laboratory.recipe_draft import drafts_from_json, drafts_to_json
from bpe_gui.ui.run.player import EACH_FRAME, SPEEDS
from bpe_gui.ui.theme.token_palettes import PALETTES

if TYPE_CHECKING:
    from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
    from bpe_gui.ui.shell.main_window import MainWindow

_LONGEST_WORD = 10_000
"""Characters of the word whose cutting is shown; of a longer one the rest is left out."""


def layout_of(window: MainWindow) -> dict[str, Any]:
    """Return what `apply_look` and `apply_selection` take.

    `text` is of the compare view, where it is not one's own.
    """
    speed = window.player.speed
    source, text, note = window.compare.source.state()
    token = window.workspace.token
    return {
        "workspace": window.workspaces.shown.name.lower(),
        "theme": window.theme.name,
        "palette": window.palette_choice.palette.name,
        "speed": speed if isfinite(speed) else None,
        "token": None if token == NO_TOKEN else token,
        "compared": {"source": source, "text": "" if source == "own" else text, "note": note},
        "guessing": window.actions_.guess.isChecked(),
        "draft": _draft_of(window.experimenting.files),
        "word": window.workspace.derivation.word(),
        "choices": window.view_state.values(),
        "specials_as_text": window.compare.comparison.specials_as_text,
    }


def apply_look(window: MainWindow, layout: Mapping[str, Any]) -> None:
    """Bring back the colours and the speed."""
    for action in window.theme_actions.actions():
        if action.data() == layout.get("theme") != window.theme.name:
            action.trigger()
    if (palette := _text(layout.get("palette"))) in {known.name for known in PALETTES}:
        window.palette_choice.choose(palette)
    speed = EACH_FRAME if layout.get("speed", 0) is None else layout.get("speed")
    if isinstance(speed, int | float) and speed in SPEEDS:
        window.player.set_speed(float(speed))


def apply_selection(window: MainWindow, layout: Mapping[str, Any]) -> None:
    """Bring back which workspace is in view, its text, and which token is selected.

    For when the run is there.
    """
    compared = layout.get("compared")
    if isinstance(compared, dict):
        source, text, note = (_text(compared.get(key)) for key in ("source", "text", "note"))
        window.compare.source.restore(source, text, note)
    window.compare.specials.setChecked(layout.get("specials_as_text") is True)
    history, token = window.player.history, layout.get("token")
    size = history.vocabulary_size(len(history)) if history is not None else 0
    if type(token) is int and 0 <= token < size:
        window.workspace.select_token(token)
    if isinstance(guessing := layout.get("guessing"), bool):
        window.actions_.guess.setChecked(guessing)
    if word := _text(layout.get("word")):
        window.workspace.derivation.set_word(word[:_LONGEST_WORD])
    _bring_back_draft(window.experimenting.files, layout.get("draft"))
    place = _text(layout.get("workspace")).upper()
    if place in WorkspaceId.__members__:
        window.workspaces.show_place(WorkspaceId[place])
    # What is searched for is searched in the run that is there now.
    window.workspace.clock.catch_up()
    window.view_state.set_values(layout.get("choices"))


def _draft_of(files: RecipeFiles) -> object:
    """The recipe that is being written, as the file of drafts has it; None if there is none."""
    draft = files.draft
    return None if draft is None else json.loads(drafts_to_json((draft,)))[0]


def _bring_back_draft(files: RecipeFiles, written: object) -> None:
    if written is None:
        return
    try:
        [draft] = drafts_from_json(json.dumps([written]))
    except RecipeError:
        return  # of another version of the program
    files.go_on_with(draft)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
