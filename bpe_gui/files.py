"""Writing files so that nobody ever finds half a file."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_atomically(path: str | Path, parts: str | Iterable[str]) -> None:
    """Write UTF-8 text to a file: all of it or nothing.

    The text goes to a new file beside the target, which takes the target's name when it
    is complete; until then, and if anything fails, the target stays as it was. A target
    that is not a regular file (/dev/null, a pipe) is written to directly. A symbolic
    link is followed, and an existing file keeps its permissions. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "w", encoding="utf-8", newline="") as file:
            file.writelines([parts] if isinstance(parts, str) else parts)
        return
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with open(beside, "x", encoding="utf-8", newline="") as file:
            file.writelines([parts] if isinstance(parts, str) else parts)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def check_writable(path: str | Path) -> None:
    """Raise OSError now if `write_atomically` could not write to that path later."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder")
    if target.exists() and not target.is_file():
        return
    folder = target.parent
    if not folder.is_dir():
        raise FileNotFoundError(f"the folder {folder} does not exist")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"the folder {folder} is not writable")
