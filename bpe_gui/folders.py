"""Find the folders of the program: its own files, its user's choices, and what its user makes."""

from __future__ import annotations

from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "_resources"
"""Where a wheel has the program's own files; in a checkout they are beside the package."""


def resource(*parts: str) -> Path:
    """Find a file or folder that comes with the program: an icon, a style, a sample text.

    `resource("samples", "scripts.txt")` works from a checkout, from an editable install
    and from a wheel. Raises FileNotFoundError if there is no such file.
    """
    root = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent / "resources"
    path = root.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"the program's own file {'/'.join(parts)} is missing at {path}")
    return path


def config_folder() -> Path:
    """Find the folder of what the user chose, which need not exist.

    The environment may name another at any time.
    """
    return Path(platformdirs.user_config_dir("bpe-gui", appauthor=False))


def data_folder() -> Path:
    """Find the folder of what the user makes, recipes and sessions, which need not exist.

    The environment may name another at any time.
    """
    return Path(platformdirs.user_data_dir("bpe-gui", appauthor=False))
