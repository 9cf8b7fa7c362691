"""Regexes that take long: the window goes on, says what it is about, and shows what comes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import Alphabet, Recipe
from bpe_gui.bpe.recipe_io import save
from bpe_gui.ui.panels.text import panel as text_panel
from bpe_gui.ui.run import background
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.panels.text_panels import counts, editor, ids

EXPLODING = "regex:(?:a|aa)+b|[\\s\\S]"
OPEN = Callable[..., MainWindow]


@pytest.fixture
def window(opened: OPEN, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A run of a recipe with a regex that explodes, whose corpus it does not explode on."""
    path = tmp_path / "recipe.json"
    save(Recipe(name="mine", split=EXPLODING, alphabet=Alphabet.BYTES), path)
    made = opened("corpus.txt", "ab aab ab ab x", "--recipe", str(path), "--start")
    qtbot.waitUntil(lambda: len(made.player.history or ()) > 0)
    return made


def test_the_text_that_takes_too_long_is_named(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.bpe.regexes.SECONDS_A_MATCH", 0.5)
    panel = window.explore.text_panel
    panel.sample.set("a" * 3000)
    named = r"The split pattern '(?:a|aa)+b|[\s\S]' takes too long for this text, 'aaaa"
    qtbot.waitUntil(lambda: counts(panel).endswith("Trying again with more time…"))
    assert named in counts(panel)
    assert ids(panel) == ""
    qtbot.waitUntil(lambda: counts(panel).endswith("choose a simpler one."))
    assert named in counts(panel)
    assert panel.sample.text == "a" * 3000
    # Another text is cut at once.
    editor(panel).setPlainText("aab")
    qtbot.waitUntil(lambda: "1 token" in counts(panel))
    assert "takes too long" not in counts(panel)


def test_what_takes_long_is_shown_when_it_is_there(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_panel, "PATIENCE", 0.0)
    monkeypatch.setattr(background, "PATIENCE", 0.0)
    window.explore.docks["derivationDock"].raise_()
    panel = window.explore.text_panel
    panel.sample.set("aab aab")
    qtbot.waitUntil(lambda: "3 tokens" in counts(panel))
    assert "takes too long" not in counts(panel)
    assert window.explore.derivation.word == "aab"
    title = child(window.explore.derivation, QLabel, "derivationTitle")
    qtbot.waitUntil(lambda: "1 token" in title.text())


def test_what_took_long_is_shown_for_the_position_of_today(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_panel, "PATIENCE", 0.0)
    qtbot.waitUntil(lambda: window.player.end == 2 and not window.explore.scheduler.isActive())
    panel = window.explore.text_panel
    panel.show_position(0, moving=False)
    panel.sample.set("aab aab")
    # Nothing of the answer can have come yet.
    panel.show_position(2, moving=False)
    qtbot.waitUntil(lambda: "3 tokens" in counts(panel))
