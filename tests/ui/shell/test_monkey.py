"""The window outlives whatever is done to it, in whatever order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.programs import CHECKOUT

USUAL = (1, 700)
"""The seed and the number of steps, if no others are asked for."""
LINES = 60
"""Of what the monkey wrote last, for whoever looks into a failure."""


def test_the_window_outlives_a_monkey(monkey: tuple[int, int], tmp_path: Path) -> None:
    """In a process of its own: what goes wrong may end that process."""
    seed, steps = monkey
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.shell.monkey", str(seed), str(steps)],
        cwd=CHECKOUT,
        env={**os.environ, "TMPDIR": str(tmp_path), "TEMP": str(tmp_path)},
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        last = "\n".join(done.stderr.splitlines()[-LINES:])
        pytest.fail(f"seed {seed} ended with {done.returncode}:\n{last}", pytrace=False)
    assert list(tmp_path.iterdir()) == [], "it has tidied up"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "monkey" in metafunc.fixturenames:
        runs = metafunc.config.getoption("--monkey") or [USUAL]
        metafunc.parametrize("monkey", runs, ids=lambda run: f"seed-{run[0]}-steps-{run[1]}")
