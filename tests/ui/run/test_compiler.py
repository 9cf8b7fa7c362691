"""A window gets its kernels from the cache, or has a child process compile them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from bpe_gui.analysis.warm_up import warm_up
from bpe_gui.bpe.kernels import kernel_cache
from tests.ui.programs import told_by


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the compiled kernels, noted to be complete."""
    warm_up()
    original = kernel_cache.folder()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    shutil.copytree(original, kernel_cache.folder())
    kernel_cache.mark_ready(kernel_cache.Kernels.ALL)
    return kernel_cache.folder()


def test_what_is_missing_is_compiled_by_another_process(kept: Path) -> None:
    [missing] = kept.glob("merging._link*.kernel")
    missing.unlink()
    told = _told()
    assert told["ready"]
    assert not told["ready before"]
    assert told["compiled here"] == 0
    assert missing.exists()


def test_what_cannot_be_kept_is_not_compiled_here_either(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    told = _told()
    assert not told["ready"]
    assert told["compiled here"] == 0
    [sentence] = told["failed"]
    assert str(tmp_path / "file") in sentence
    assert "NUMBA_CACHE_DIR" in sentence


def test_other_work_is_compiled_again_when_the_window_has_closed(kept: Path) -> None:
    assert _told()["compiled by default in the end"]


def _told() -> dict[str, Any]:
    return told_by("tests.ui.run.compiler_alone")
