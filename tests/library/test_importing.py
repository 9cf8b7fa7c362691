"""Importing costs little, and neither a window nor a compiler comes with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import bpe_gui

CHECKOUT = Path(__file__).parents[2]


def modules_after(program: str) -> set[str]:
    """Which modules a program has loaded at its end, in a process of its own."""
    told = f"{program}\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_package_alone_loads_nothing() -> None:
    ours = {name for name in modules_after("import bpe_gui") if name.startswith("bpe_gui")}
    assert ours == {"bpe_gui", "bpe_gui.version"}
    found = modules_after("from bpe_gui.cli import make_parser; make_parser()")
    assert not {"numpy", "bpe_gui.library", "bpe_gui.encodings"} & found


def test_training_loads_no_window_and_small_texts_no_compiler() -> None:
    program = (
        "import tempfile, bpe_gui\n"
        "t = bpe_gui.train(['low lower lowest ' * 9], merges=9, progress=True)\n"
        "e = t.encode('low'); e._repr_html_(); t.history._repr_html_(); t.at(3).encode('low')\n"
        "folder = tempfile.mkdtemp()\n"
        "t.save(folder + '/x.json'); bpe_gui.load(folder + '/x.json').at(3).encode('low')\n"
    )
    found = modules_after(program)
    # Calls as plain as np.unique load numpy's masked arrays, which take as long as the training.
    assert not {"PySide6", "shiboken6", "pyqtgraph", "numba", "numpy.ma"} & found


def test_what_is_public_is_there() -> None:
    assert set(bpe_gui.__all__) <= set(dir(bpe_gui))
    assert bpe_gui.train is bpe_gui.train
    assert not hasattr(bpe_gui, "nothing")
    assert (Path(bpe_gui.__file__).parent / "py.typed").exists()
