"""A browser for what tests look at in pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser import Browser, browser


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser in which pages are shown, one after another."""
    with browser(tmp_path_factory.mktemp("browser")) as made:
        yield made
