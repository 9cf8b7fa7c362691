"""Runs the program in this process."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bpe_gui import cli
from tests.command_line.program import SENTENCES


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


@pytest.fixture
def run(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., SimpleNamespace]:
    """Run the program in this process; gives its status and what it printed."""

    def run_program(*arguments: object, stdin: str | bytes = b"") -> SimpleNamespace:
        data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status = cli.main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return SimpleNamespace(status=status, out=out.decode(), err=err.decode())

    return run_program


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs that are started answer to Ctrl+C, also where a shell runs us in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
