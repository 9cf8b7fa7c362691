"""Checks that are done one after another in one window: to make one takes longer than most."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow


class InTurn(Protocol):
    """Does checks one after another. Before each, something brings all back to where it was."""

    def __call__(self, again: Callable[[], object], *checks: Callable[..., None]) -> None: ...


@pytest.fixture
def in_turn(request: pytest.FixtureRequest, tmp_path: Path) -> InTurn:
    """Gives checks what they ask for by name, each a folder and a monkey patch of its own."""

    def in_turn(again: Callable[[], object], *checks: Callable[..., None]) -> None:
        for check in checks:
            folder = tmp_path / check.__name__
            folder.mkdir()
            again()
            with pytest.MonkeyPatch.context() as patch:
                own = {"tmp_path": folder, "monkeypatch": patch}
                names = inspect.signature(check).parameters
                check(**{name: own.get(name) or request.getfixturevalue(name) for name in names})

    return in_turn


def explore_again(qtbot: QtBot, window: MainWindow) -> Callable[[], None]:
    """Brings Explore back to how it is now, with the run that was trained first alone."""
    position, size, text = window.player.position, window.size(), window.sample_text.text

    def again() -> None:
        window.actions_.guess.setChecked(False)
        window.actions_.explore.trigger()
        if window.branches.all:
            window.branches.show(0)
        for branch in reversed(range(1, len(window.branches.all))):
            window.branches.remove(branch)
        window.sample_text.set(text)
        window.player.scrub(position)
        window.resize(size)
        qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)

    return again
