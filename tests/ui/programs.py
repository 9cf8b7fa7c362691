"""Programs of these tests, each in a process of its own, which tell what they saw as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]


def screens(folder: Path, described: Sequence[tuple[str, int, int, int, int]]) -> str:
    """The QT_QPA_PLATFORM of some screens: a name each, where it stands, its width and height."""
    keys = ("name", "x", "y", "width", "height")
    rest = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    found = [dict(zip(keys, screen, strict=True)) | rest for screen in described]
    (folder / "screens.json").write_text(json.dumps({"screens": found}))
    return f"offscreen:configfile={folder / 'screens.json'}"


def told_by(module: str, *arguments: Path | str, **environment: str) -> Any:
    """Run a module; what it prints, once it has ended well and without a complaint."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=CHECKOUT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout)
