"""Folders of a test's own for what the program keeps for its user."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test finds or leaves recipes of the user's, or what the user has chosen."""
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path_factory.mktemp("own")))
