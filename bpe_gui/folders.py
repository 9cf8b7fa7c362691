"""Find the folders of the program: its own files, its user's choices, and what its user makes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import platformdirs
from msgspec import Struct

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "_resources"
"""Where a wheel has the program's own files; in a checkout they are beside the package."""


@cache
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


class Folders(Struct, frozen=True):
    """Name the two folders of what a user has; they need not exist."""

    config: Path
    """What the user chose."""
    data: Path
    """What the user made: recipes and sessions."""


def user_folders() -> Folders:
    """Find the folders of the user, where the system has them; the environment may name others."""
    found = platformdirs.PlatformDirs("bpe-gui", appauthor=False)
    return Folders(Path(found.user_config_dir), Path(found.user_data_dir))
