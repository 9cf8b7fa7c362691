"""Where the program remembers what its user chose: how the window stands, how large text is."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def config_folder() -> Path:
    """The folder, which need not be there yet; the environment may name another each time."""
    return Path(platformdirs.user_config_dir("bpe-gui", appauthor=False))
