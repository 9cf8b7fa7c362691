"""Compiled kernels are kept on disk for all that they depend on, and for nobody else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bpe_gui.analysis.warm_up import warm_up
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.kernels.jit import compiled_by_default, interpreting
from bpe_gui.bpe.kernels.kernel_cache import Kernels

IMPORT = "from bpe_gui.bpe.kernels import kernel_cache; Kernels = kernel_cache.Kernels"
CHECKOUT = Path(__file__).parents[2]

USE = """
import numpy as np
from bpe_gui.bpe.kernels.merging import link
link.compiled(np.zeros(2, np.int32), np.array([0, 2]), np.zeros((2, 4), np.int32))
"""

USE_LOADED = f"""
import sys
{USE}
assert "numba" not in sys.modules
"""
"""The same where it must not be compiled."""


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of a copy of all compiled kernels, which are noted to be there."""
    warm_up()
    original = kernel_cache.folder()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    shutil.copytree(original, kernel_cache.folder())
    kernel_cache.mark_ready(Kernels.ALL)
    return kernel_cache.folder()


def test_ready_while_all_files_are_there(kept: Path) -> None:
    assert kernel_cache.is_ready(Kernels.ALL)
    next(kept.glob("*.kernel")).unlink()
    assert not kernel_cache.is_ready(Kernels.ALL)
    shutil.rmtree(kept)
    assert not kernel_cache.is_ready(Kernels.ALL)


def test_the_engine_is_ready_before_the_analyses(kept: Path) -> None:
    (kept / Kernels.ALL).unlink()
    kernel_cache.mark_ready(Kernels.ENGINE)
    assert kernel_cache.is_ready(Kernels.ENGINE)
    assert not kernel_cache.is_ready(Kernels.ALL)


def test_nothing_is_ready_where_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kernel_cache.mark_ready(Kernels.ALL)
    assert not kernel_cache.is_ready(Kernels.ALL)


@pytest.mark.parametrize(
    "other",
    [
        "import os; os.environ['NUMBA_CPU_NAME'] = 'generic'",
        "import os; os.environ['NUMBA_CPU_FEATURES'] = ''",
        "import sys; sys.version = '3.99.0'",
        "import importlib.metadata as m; m.version = lambda name: '99'",
    ],
    ids=["processor", "features", "Python", "Numba"],
)
def test_another_machine_or_version_is_not_ready(kept: Path, other: str) -> None:
    assert _python(f"{other}\n{IMPORT}; print(kernel_cache.is_ready(Kernels.ALL))") == "False"


def test_another_process_finds_them_ready_without_the_compiler(kept: Path) -> None:
    ask = f"import sys; {IMPORT}; print(kernel_cache.is_ready(Kernels.ALL), 'numba' in sys.modules)"
    assert _python(ask) == "True False"


def test_a_folder_that_is_chosen_holds_one_for_each_state_of_the_sources(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usual = kernel_cache.folder()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    chosen = kernel_cache.folder()
    assert chosen.name == usual.name
    assert chosen.is_relative_to(tmp_path)
    _python(USE)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert {path.parent for path in files} == {chosen}


def test_two_checkouts_share_their_kernels(kept: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(CHECKOUT / "bpe_gui", checkout / "bpe_gui")
    _python(USE_LOADED, checkout)


def test_where_nothing_can_be_written_kernels_are_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    assert _python(f"{USE}\nprint('done')") == "done"
    kernel_cache.mark_ready(Kernels.ALL)
    assert not kernel_cache.is_ready(Kernels.ALL)


def test_a_file_that_was_cut_off_is_written_anew(kept: Path) -> None:
    [cut_off] = kept.glob("merging._link*.kernel")
    whole = cut_off.read_bytes()
    for damaged in (b"", whole[:-1], whole[:100] + b"?" + whole[101:]):
        cut_off.write_bytes(damaged)
        assert _python(f"{USE}\nimport sys; print('numba' in sys.modules)") == "True"
        _python(USE_LOADED)


def test_what_nobody_used_for_long_is_removed(kept: Path) -> None:
    ages = {"kernels-0": 1, "kernels-1": 20, "kernels-2": 100, "other": 1000}
    for name, days in ages.items():
        folder = kept.with_name(name)
        folder.mkdir()
        (folder / "ready").touch()
        _age(folder, days)
    _age(kept, 100)
    kernel_cache.mark_ready(Kernels.ALL)
    left = {path.name for path in kept.parent.iterdir()}
    assert left == {kept.name, "kernels-0", "kernels-1", "other"}


def test_what_is_used_is_not_removed(kept: Path) -> None:
    _age(kept, 100)
    _python(USE)
    mark = f"{IMPORT}; kernel_cache.mark_ready(Kernels.ALL)"
    other = kept.with_name("kernels-0")
    shutil.copytree(kept, other)
    _age(other, 100)
    _python(f"import sys; sys.version = '3.99.0'\n{mark}")
    assert kept.exists()


def test_blocks_overlap() -> None:
    assert compiled_by_default()
    first, second = interpreting(), interpreting()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not compiled_by_default()
    second.__exit__(None, None, None)
    assert compiled_by_default()


def _age(folder: Path, days: float) -> None:
    then = time.time() - days * 24 * 3600
    os.utime(folder, (then, then))


def _python(code: str, checkout: Path = CHECKOUT) -> str:
    """Run code in a process of its own; returns what it prints."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
