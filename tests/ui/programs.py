"""Programs of these tests, each in a process of its own, which tell what they saw as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]


def told_by(module: str, *arguments: Path, **environment: str) -> Any:
    """Run a module; what it prints, once it has ended well and without a complaint."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=CHECKOUT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout)
