"""Where the program keeps what its user makes: recipes, and drafts of them."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """The folder, which need not be there yet; the environment may name another each time."""
    return Path(platformdirs.user_data_dir("bpe-gui", appauthor=False))
