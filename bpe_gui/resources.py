"""Where the files that come with the program are: icons, styles, sample texts."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _root() -> Path:
    """`_resources` within an installed package, `resources` beside it in a checkout."""
    installed = _PACKAGE / "_resources"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"


def resource(*parts: str) -> Path:
    """The path of a file or folder that comes with the program.

    `resource("samples", "scripts.txt")` works from a checkout, from an editable install
    and from a wheel. Raises FileNotFoundError if there is no such file.
    """
    path = _root().joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"the program's own file {'/'.join(parts)} is missing at {path}")
    return path
